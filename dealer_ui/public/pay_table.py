"""The pay tables as the public reads them: each line's odds, limits and theoretical return.

Odds come from the constants of the rulebook that settles; nothing is written down twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from studio.games import HOUSE_GAMES
from studio.games.three_knights import BOXES
from studio.pay_tables import Pays, pay_table_of

_HOUSE: Final = frozenset(game.key for game in HOUSE_GAMES)


@dataclass(frozen=True, slots=True)
class PayLine:
    """One kind of bet. `bets` are its keys; their return in percent lies between `rtp_least` and `rtp_most`,
    None for a bet that has none of its own.
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
) -> tuple[PayLine, ...]:
    """A line for every kind of bet of the table, in the order of the rulebook."""
    kinds: dict[str, list[str]] = {}
    for bet in limits:
        kinds.setdefault(_kind(bet), []).append(bet)
    pays = pay_table_of(game).pays(rules) if game in _HOUSE else {}
    return tuple(_line(kind, bets, pays.get(kind, ()), rtp, limits) for kind, bets in kinds.items())


def pay_rows(lines: Sequence[PayLine]) -> tuple[tuple[tuple[str, ...], PayLine], ...]:
    """The lines as a screen shows them: neighbours without a return of their own that pay alike are one row."""
    rows: list[tuple[tuple[str, ...], PayLine]] = []
    for line in lines:
        kinds, above = rows[-1] if rows else ((), None)
        if above is not None and above.rtp_least is None and replace(line, kind=above.kind, bets=above.bets) == above:
            rows[-1] = ((*kinds, line.kind), above)
        else:
            rows.append(((line.kind,), line))
    return tuple(rows)


def _line(
    kind: str, bets: list[str], pays: tuple[Pays, ...], rtp: Mapping[str, float], limits: Mapping[str, tuple[int, int]]
) -> PayLine:
    percents = [rtp[bet] for bet in (*bets, kind) if bet in rtp]
    least, most = zip(*(limits[bet] for bet in bets), strict=True)
    return PayLine(
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
