"""The cloth a bettor lays his chips on: the drawn fields of the game with his limits, his stakes, and his chips."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from dealer_ui.public.layout import Field, Layout, Zone, layout_of
from dealer_ui.public.pay_table import PayRow
from studio.games import find_game
from studio.journal.extract.played import Played
from studio.journal.reader import BetStatus
from studio.money import decimals
from studio.pay_tables import Pays
from studio.rulebook.game import Game
from studio.views.shape import TableView

CHIPS: Final = (1, 5, 25, 100, 500)
"""The values of chips, as multiples of the smallest."""
_LADDER: Final = 3
"""A bet with so many prizes is told by its highest."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One field as it stands. `by`: who stakes it: `bettor`, his `decision`, or the `house` beside `with_bet`.

    `pays` is what it pays, the highest of several where it is `up_to`; `placed_minor` what he has out on it. `ended`
    says how it came out for him once it is paid: `won`, `back` (no more than his stake) or `lost`. Beside a bet in
    `clashes` it may not stand. `taken`: its box belongs to another bettor in this round.
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
    ended: str
    returned_minor: int
    clashes: tuple[str, ...]
    taken: bool


@dataclass(frozen=True, slots=True)
class Cloth:
    """`zones` with their spots, as the layout has them."""

    layout: Layout
    zones: tuple[tuple[Zone, tuple[Spot, ...]], ...]
    chips: tuple[int, ...]
    currency: str
    decimals: int
    waits_for_all: bool


def cloth_of(
    view: TableView, lines: Sequence[PayRow], played: Played | None, currency: str, missed: Mapping[str, int]
) -> Cloth | None:
    """None at a table whose seats play among themselves."""
    game = find_game(view.game.key)
    if game.peers is not None:
        return None
    limits = view.game.currencies.get(currency, view.game.limits)
    line_of = {bet: line for line in lines for bet in line.bets}
    lying = _lying(played)
    taken = _taken(game, view, lying)

    def spot(field: Field) -> Spot:
        bet = field.bet
        least, most = limits.get(bet) or limits.get("*") or (1, 1)
        by = "house" if bet in game.betting.automatic else "decision" if bet in game.decisions.raised else "bettor"
        odds = [one for one in line_of[bet].pays if one.odds] if bet in line_of else list[Pays]()
        own = lying.get(bet, _Lying())
        clashes = {other for rule in game.betting.exclusive if bet in rule for other in rule if other != bet}
        return Spot(
            field, by, game.betting.automatic.get(bet, ""), game.betting.needs.get(bet, ""), least, most,
            own.stake_minor, max(odds, key=_worth).odds if odds else "", len(odds) >= _LADDER, missed.get(bet, 0),
            own.ended, own.returned_minor, tuple(sorted(clashes)), bet.partition(":")[0] in taken,
        )  # fmt: skip

    layout = layout_of(game)
    zones = tuple((zone, tuple(spot(field) for field in zone.fields)) for zone in layout.zones)
    open_spots = [one for _, spots in zones for one in spots if one.by == "bettor"]
    chips = chips_for(min(one.least_minor for one in open_spots), max(one.most_minor for one in open_spots))
    return Cloth(layout, zones, chips, currency, decimals(currency), game.owned is not None)


def _taken(game: Game, view: TableView, own: Collection[str]) -> Collection[str]:
    """The boxes of other bettors; all that is told of others' bets, for operators share the table."""
    if game.owned is None:
        return ()
    staked = [bet for bet, (number, _) in view.bets.by_bet.items() if number]
    return set(game.owned.boxes_of(staked)) - set(game.owned.boxes_of(own))


def _worth(pays: Pays) -> Fraction:
    """What odds come to, so that the highest can be named.

    >>> _worth(Pays("", "30:1")) > _worth(Pays("", "0.95:1")), _worth(Pays("", "x2.02")) == Fraction("2.02")
    (True, True)
    """
    won, _, for_stake = pays.odds.lstrip("x+").partition(":")
    return Fraction(won) / Fraction(for_stake or "1")


@dataclass(frozen=True, slots=True)
class _Lying:
    """What a bettor has on one field, and what came back of it where all of it is `paid`."""

    stake_minor: int = 0
    returned_minor: int = 0
    paid: bool = True
    free_minor: int = 0
    """What of the stake was free bets, of which only the win comes back."""
    free_again: bool = False
    """One of these came back whole, and may be bet again."""

    def with_bet(self, bet: BetStatus) -> _Lying:
        stake_minor, returned_minor = self.stake_minor + bet.bet.stake_minor, self.returned_minor + bet.returned_minor
        free_minor = self.free_minor + (bet.bet.stake_minor if bet.bet.free else 0)
        paid, free_again = self.paid and bet.status == "posted", self.free_again or bet.free_again
        return _Lying(stake_minor, returned_minor, paid, free_minor, free_again)

    @property
    def ended(self) -> str:
        if not (self.stake_minor and self.paid):
            return ""
        own_minor = self.stake_minor - self.free_minor
        return "won" if self.returned_minor > own_minor else "back" if self.returned_minor else self._nothing()

    def _nothing(self) -> str:
        """How it is said that no money came back."""
        return "free" if self.free_again else "lost"


def _lying(played: Played | None) -> Mapping[str, _Lying]:
    found: dict[str, _Lying] = {}
    for one in played.bets if played is not None else ():
        if one.status != "voided":
            found[one.bet.bet] = found.get(one.bet.bet, _Lying()).with_bet(one)
    return found


def chips_for(least_minor: int, most_minor: int) -> tuple[int, ...]:
    """Chips in round figures: the smallest covers the least stake, and none is more than the highest.

    >>> chips_for(100, 100_000), chips_for(1_700_000, 1_700_000_000)
    ((100, 500, 2500, 10000, 50000), (2000000, 10000000, 50000000, 200000000, 1000000000))
    """
    power = 10 ** max(len(str(least_minor)) - 1, 0)
    unit = next(one * power for one in (1, 2, 5, 10) if one * power >= least_minor)
    return tuple(unit * one for one in CHIPS if unit * one <= most_minor) or (least_minor,)
