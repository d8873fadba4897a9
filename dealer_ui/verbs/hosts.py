"""`studio hosts`: which host runs which table, and the orders that move tables; a running host takes them."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from dealer_ui.assembly.operators_door import ask_running
from dealer_ui.assembly.operators_order import Answered, HostStanding, Order
from dealer_ui.config.file import load_config
from studio.cli.drawn_table import print_table
from studio.errors import BadInputError, StorageError

_CONFIG = click.option(
    "--config", "path", required=True, type=click.Path(dir_okay=False, path_type=Path), help="This host's file."
)
_REASON = click.option("--reason", required=True, help="A few words; they are kept.")


@click.group()
def hosts() -> None:
    """Move tables between the hosts of a studio on several machines."""


@hosts.command(name="list")
@_CONFIG
def list_hosts(path: Path) -> None:
    """Which hosts there are, what they run, and what is on its way."""
    _show(_ask(path, Order("list_hosts")))


@hosts.command()
@_CONFIG
@click.argument("host")
@_REASON
def drain(path: Path, host: str, reason: str) -> None:
    """Have every table of HOST go to another one when its round is over; no round starts there any more."""
    _show(_ask(path, Order("drain_host", host=host, reason=reason)))


@hosts.command(name="return")
@_CONFIG
@click.argument("host")
def take_back(path: Path, host: str) -> None:
    """Take a drained HOST back into use; tables that went stay where they are until they are moved."""
    _show(_ask(path, Order("return_host", host=host)))


@hosts.command()
@_CONFIG
@click.argument("table")
@click.option("--to", "host", required=True, help="The host that is to run it.")
@_REASON
def move(path: Path, table: str, host: str, reason: str) -> None:
    """Have TABLE go to another host when its round is over."""
    _show(_ask(path, Order("send_table", table=table, host=host, reason=reason)))


@hosts.command()
@_CONFIG
@click.argument("table")
def keep(path: Path, table: str) -> None:
    """Take back that TABLE was to go to another host."""
    _show(_ask(path, Order("keep_table", table=table)))


def _ask(path: Path, order: Order) -> Answered:
    try:
        config = load_config(path)
        answered = ask_running(Path(config.studio.database), order)
        if answered is None:
            sentence = "No table host runs on this machine with that file: give the order where one does."
            raise BadInputError(sentence)
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from error
    if answered.refused:
        raise click.ClickException(answered.refused)
    return answered


def _show(answered: Answered) -> None:
    table = Table("host", "standing", "tables")
    for one in answered.hosts:
        table.add_row(one.host, _standing(one), "\n".join(_line(*row) for row in one.tables) or "none")
    print_table(table)


def _standing(one: HostStanding) -> str:
    """
    >>> _standing(HostStanding("b", True, "Paul", ()))
    'running, drained by Paul'
    """
    return ("running" if one.there else "gone") + (f", drained by {one.drained_by}" if one.drained_by else "")


def _line(table: str, goes_to: str) -> str:
    """
    >>> _line("t1", "b")
    't1 goes to b after its round'
    """
    return f"{table} goes to {goes_to} after its round" if goes_to else table
