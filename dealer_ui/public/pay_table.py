"""The pay tables as the public reads them: each line's odds, limits and theoretical return.

Odds come from the constants of the rulebook that settles; nothing is written down twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from studio.games import HOUSE_GAMES
from studio.games.three_knights import BOXES
from studio.pay_tables import Pays, pay_table_of
from studio.views.shape import TableView

LONG: Final = 9
"""A table of so many rows is long: a screen lays it as close as it can."""

LADDER: Final = 3
"""So many odds are a ladder."""

_HOUSE: Final = frozenset(game.key for game in HOUSE_GAMES)


@dataclass(frozen=True, slots=True)
class PayRow:
    """A kind of bet and what it pays. `bets` are the keys of its bets. Their returns, in percent, lie between
    `rtp_least` and `rtp_most`; both are None when no return is known for these bets.
    """

    kind: str
    pays: tuple[Pays, ...]
    bets: tuple[str, ...]
    rtp_least: float | None
    rtp_most: float | None
    least_minor: int
    most_minor: int


def pay_table(
    game: str, rules: Mapping[str, object], rtp: Mapping[str, float], limits: Mapping[str, tuple[int, int]]
) -> tuple[PayRow, ...]:
    """A line for every kind of bet of the table, in the order of the rulebook."""
    kinds: dict[str, list[str]] = {}
    pays = pay_table_of(game).pays(rules) if game in _HOUSE else {}
    for bet in limits:
        kinds.setdefault(bet if bet in pays else _kind(bet), []).append(bet)
    return tuple(_line(kind, bets, pays.get(kind, ()), rtp, limits) for kind, bets in kinds.items())


def pay_rows(lines: Sequence[PayRow]) -> tuple[tuple[PayRow, ...], ...]:
    """The lines grouped into rows for a screen: neighbours that pay alike share one when none of them has a return of
    its own, or when a whole ladder would be printed twice.
    """
    rows: list[tuple[PayRow, ...]] = []
    for line in lines:
        if rows and _in_one_row(rows[-1][-1], line):
            rows[-1] = (*rows[-1], line)
        else:
            rows.append((line,))
    return tuple(rows)


def _in_one_row(above: PayRow, line: PayRow) -> bool:
    alike = (above.pays, above.least_minor, above.most_minor) == (line.pays, line.least_minor, line.most_minor)
    return alike and (above.rtp_least is line.rtp_least is None or len(line.pays) >= LADDER)


def one_limit(lines: Sequence[PayRow]) -> tuple[int, int] | None:
    """The limits that all bets of a long table share, to be said once above it; None of any other."""
    limits = {(line.least_minor, line.most_minor) for line in lines}
    return limits.pop() if len(limits) == 1 and len(pay_rows(lines)) >= LONG else None


def _line(
    kind: str, bets: list[str], pays: tuple[Pays, ...], rtp: Mapping[str, float], limits: Mapping[str, tuple[int, int]]
) -> PayRow:
    percents = [rtp[bet] for bet in (*bets, kind) if bet in rtp]
    least, most = zip(*(limits[bet] for bet in bets), strict=True)
    return PayRow(
        kind, pays, tuple(bets), min(percents, default=None), max(percents, default=None), min(least), max(most)
    )


def _kind(bet: str) -> str:
    """
    >>> _kind("player1_pair_plus"), _kind("ante"), _kind("3:main")
    ('pair_plus', 'ante', 'main')
    """
    if ":" in bet:
        return bet.partition(":")[2]
    box, _, kind = bet.partition("_")
    return kind if box in BOXES else bet


@dataclass(frozen=True, slots=True)
class LimitRow:
    """Kinds of bets that share their limits (none: every bet of the table), and these by currency, in minor units."""

    kinds: tuple[str, ...]
    limits: Mapping[str, tuple[int, int]]


def limit_rows(view: TableView, lines: Sequence[PayRow]) -> tuple[LimitRow, ...]:
    """A row for all bets that share their limits; none where the table takes one currency."""
    if not view.game.currencies:
        return ()
    by_currency = {view.bets.currency: view.game.limits, **view.game.currencies}
    shared: dict[tuple[tuple[int, int], ...], list[str]] = {}
    for line in lines:
        ranges = tuple(_range(line.bets, limits) for limits in by_currency.values())
        shared.setdefault(ranges, []).append(line.kind)
    return tuple(
        LimitRow(tuple(kinds) if len(shared) > 1 else (), dict(zip(by_currency, ranges, strict=True)))
        for ranges, kinds in shared.items()
    )


def _range(bets: Sequence[str], limits: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    least, most = zip(*(limits[bet] for bet in bets), strict=True)
    return min(least), max(most)
