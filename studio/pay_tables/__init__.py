"""The pay tables of the house games as others read them than the code that settles.

One file a game, named by its key: `lines` in words, `pays` in odds, `worst` for the house, the `METHOD` by which its
figures are found, and the `CASES` in which its outcomes are told in short, none where the table of bets says all.
Nothing is paid by what stands here, and no amount is written down that the rulebook has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from studio.pay_tables.case import Case
from studio.pay_tables.line import PayLine
from studio.pay_tables.odds import Pays
from studio.pay_tables.worst import Group
from studio.rulebook.script import Rules


class PayTable(Protocol):
    """What the file of each house game has."""

    METHOD: tuple[str, ...]
    CASES: tuple[Case, ...]

    def lines(self, rules: Rules) -> Iterator[PayLine]: ...

    def pays(self, rules: Mapping[str, Any]) -> Mapping[str, tuple[Pays, ...]]: ...

    def worst(self, rules: Rules) -> Iterator[Group]: ...


@cache
def pay_table_of(game: str) -> PayTable:
    """The file of that house game; a game without one is our own mistake, which a test would have found."""
    return cast(PayTable, import_module(f"studio.pay_tables.{game}"))


__all__ = ["Case", "PayLine", "PayTable", "Pays", "pay_table_of"]
