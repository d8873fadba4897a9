"""The cloth a bettor lays his chips on: the drawn fields of the game with his limits, his stakes, and his chips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dealer_ui.public.layout import Field, Layout, Zone, layout_of
from dealer_ui.public.pay_table import PayLine
from studio.games import find_game
from studio.journal.played import Played
from studio.money import decimals
from studio.pay_tables import Pays
from studio.views.shape import TableView

CHIPS: Final = (1, 5, 25, 100, 500)
"""The values of chips, as multiples of the smallest."""
_LADDER: Final = 3
"""A bet with so many prizes is told by its highest."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One field as it stands. `by`: who stakes it: `bettor`, his `decision`, or the `house` beside `with_bet`.

    `pays` is what it pays, the highest of several where it is `up_to`; `placed_minor` what he has out on it.
    """

    field: Field
    by: str
    with_bet: str
    needs: str
    least_minor: int
    most_minor: int
    placed_minor: int
    pays: str
    up_to: bool
    missed: int


@dataclass(frozen=True, slots=True)
class Cloth:
    """`exclusive`: bets of which one bettor may have one only. `zones` with their spots, as the layout has them."""

    layout: Layout
    zones: tuple[tuple[Zone, tuple[Spot, ...]], ...]
    chips: tuple[int, ...]
    currency: str
    decimals: int
    waits_for_all: bool


def cloth_of(
    view: TableView, lines: Sequence[PayLine], played: Played | None, currency: str, missed: Mapping[str, int]
) -> Cloth | None:
    """None at a table whose seats play among themselves."""
    game = find_game(view.game)
    if game.peers is not None:
        return None
    limits = view.currencies.get(currency, view.limits)
    line_of = {bet: line for line in lines for bet in line.bets}
    out: dict[str, int] = {}
    for one in played.bets if played is not None else ():
        if one.status != "voided":
            out[one.bet.bet] = out.get(one.bet.bet, 0) + one.bet.stake_minor

    def spot(field: Field) -> Spot:
        bet = field.bet
        least, most = limits.get(bet) or limits.get("*") or (1, 1)
        by = "house" if bet in game.betting.automatic else "decision" if bet in game.decisions.raised else "bettor"
        odds = [one for one in line_of[bet].pays if one.odds] if bet in line_of else list[Pays]()
        return Spot(
            field, by, game.betting.automatic.get(bet, ""), game.betting.needs.get(bet, ""), least, most,
            out.get(bet, 0), odds[0].odds if odds else "", len(odds) >= _LADDER, missed.get(bet, 0),
        )  # fmt: skip

    layout = layout_of(game)
    zones = tuple((zone, tuple(spot(field) for field in zone.fields)) for zone in layout.zones)
    open_spots = [one for _, spots in zones for one in spots if one.by == "bettor"]
    chips = chips_for(min(one.least_minor for one in open_spots), max(one.most_minor for one in open_spots))
    return Cloth(layout, zones, chips, currency, decimals(currency), game.owned is not None)


def chips_for(least_minor: int, most_minor: int) -> tuple[int, ...]:
    """Chips in round figures: the smallest covers the least stake, and none is more than the highest.

    >>> chips_for(100, 100_000), chips_for(1_700_000, 1_700_000_000)
    ((100, 500, 2500, 10000, 50000), (2000000, 10000000, 50000000, 200000000, 1000000000))
    """
    power = 10 ** max(len(str(least_minor)) - 1, 0)
    unit = next(one * power for one in (1, 2, 5, 10) if one * power >= least_minor)
    return tuple(unit * one for one in CHIPS if unit * one <= most_minor) or (least_minor,)
