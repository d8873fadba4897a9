"""Draws a table as text, so that nothing of it is cut off: a figure that lacks its end is another figure."""

from __future__ import annotations

import sys
from typing import Final

import click
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

_PADDING: Final = 3
"""A blank at either side of a cell, and the line after it."""


def print_table(table: Table) -> None:
    """Print a table whose cells are texts. Words are kept whole, and figures in one line.

    What goes to a file or to another program is as wide as that takes. A terminal that is too narrow gets the rows one
    below the other, each cell in a line of its own.
    """
    if sys.stdout is None:
        return
    console = Console(file=sys.stdout, markup=False, emoji=False, highlight=False)
    wanted = [_widths(table, number) for number in range(len(table.columns))]
    frame = _PADDING * len(wanted) + 1
    least = sum(low for low, _ in wanted) + frame
    if least > console.width and console.is_terminal:
        _print_one_below_the_other(table)
        return
    room = max(console.width, least) - least
    for column, (low, high) in zip(table.columns, wanted, strict=True):
        column.width = low + min(room, high - low)
        room -= column.width - low
    console.width = max(console.width, least)
    console.print(table)


def _widths(table: Table, number: int) -> tuple[int, int]:
    """How wide a column is at least, where no word of it is cut, and where no line of it is broken."""
    column = table.columns[number]
    texts = [str(column.header), *map(str, column.cells)]
    high = max(cell_len(line) for text in texts for line in text.split("\n"))
    if column.justify == "right":
        return high, high
    return max((cell_len(word) for text in texts for word in text.split()), default=0), high


def _print_one_below_the_other(table: Table) -> None:
    if table.title:
        click.echo(str(table.title))
    if not table.row_count:
        click.echo("  none")
    names = [str(column.header) for column in table.columns]
    widest = max(map(cell_len, names), default=0)
    for row in zip(*(column.cells for column in table.columns), strict=True):
        for name, cell in zip(names, row, strict=True):
            text = str(cell).replace("\n", "\n" + " " * (widest + 4))
            click.echo(f"  {name:<{widest}}  {text}".rstrip())
        click.echo()
