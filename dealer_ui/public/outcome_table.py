"""The outcomes in short of the games against the house: when which bet wins, comes back or is lost.

A case is told by finished deals; what each bet comes to there is asked of the rulebook that settles, not written down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from studio.cards import Card
from studio.games import find_game
from studio.games.pay_ladder import read_ladder
from studio.games.rulebook import Game
from studio.games.script import Rules
from studio.pay_tables.odds import odds_of

FOLD: Final = "fold"
NOT_STAKED: Final = ""
BACK: Final = "back"
LOST: Final = "lost"
LADDER: Final = "ladder"
"""It depends on the hand: the pay table says."""


@dataclass(frozen=True, slots=True)
class Case:
    """`when` is a word of the catalogue (`outcomes.<when>`), `deals` what it looks like: a text for each, the boxes in
    the order of the rulebook. Deals that differ in what a bet comes to are all given.
    """

    when: str
    deals: tuple[str, ...]
    conduct: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Bets that fare alike in every case, and how: `1:1`, `back`, `lost`, `ladder`, or empty where none is staked."""

    bets: tuple[str, ...]
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutcomeTable:
    """`bonus` is the lowest hand that wins something beside its ante, whoever has the better hand; empty: none does."""

    cases: tuple[str, ...]
    rows: tuple[Row, ...]
    bonus: str


_HIGH: Final = "Tc 4d Qs 7h 2c"
_RUN: Final = "9c 8d 7s Kh 2c"
_PAIRED: Final = "9c 8d 7s Kh Kc"
_BROADWAY: Final = "Ac Kd Qs Jh Tc"

_ULTIMATE: Final = (
    Case("won_qualified", (f"Ah Qd / 4h 3d / {_HIGH}", f"6h 5d / 3d 2s / {_PAIRED}")),
    Case("won_unqualified", (f"Ah Qd / Kh 3d / {_HIGH}", f"6h 5d / Qh 3d / {_RUN}")),
    Case("tied", (f"2h 3d / 2s 3c / {_BROADWAY}", "2h 3d / 2s 3c / Ac Kd Qs 9h 7c")),
    Case("lost_qualified", (f"Kh 3d / Ah Qd / {_HIGH}",)),
    Case("lost_unqualified", (f"Jh 3d / Kh 9d / {_HIGH}",)),
    Case("folded", (f"Ah Qd / Kh 3d / {_HIGH}",), FOLD),
)
_BONUS: Final = (
    Case("won_straight", (f"6h 5d / Qh 3d / {_RUN}",)),
    Case("won_lower", (f"Ah Qd / Kh 3d / {_HIGH}",)),
    Case("tied", (f"2h 3d / 2s 3c / {_BROADWAY}", "2h 3d / 2s 3c / Ac Kd Qs 9h 7c")),
    Case("lost", (f"Kh 3d / Ah Qd / {_HIGH}", f"6h 5d / Jh Td / {_RUN}")),
    Case("folded", (f"Ah Qd / Kh 3d / {_HIGH}",), FOLD),
)
_THREE_CARD: Final = (
    Case("unqualified", ("Ah Qd 3c / Jh 7d 2c", "9h 5d 3c / Jh 7d 2c")),
    Case("won_qualified", ("Ah Qd 3c / Qh 7d 2c",)),
    Case("tied_qualified", ("Ah Qd 3c / As Qc 3d",)),
    Case("lost_qualified", ("Ah Qd 3c / 9h 9d 3s",)),
    Case("folded", ("Ah Qd 3c / 9h 9d 3s",), FOLD),
)
CASES: Final[Mapping[str, tuple[Case, ...]]] = MappingProxyType(
    {"ultimate_holdem": _ULTIMATE, "holdem_bonus": _BONUS, "three_card_poker": _THREE_CARD}
)


def outcome_table(game: str, rules: Rules) -> OutcomeTable | None:
    """None of a game that has no such table; `rules` are those of the table, whole or in part."""
    return _outcome_table(game, tuple(sorted(rules.items()))) if game in CASES else None


def main_bets(game: Game) -> tuple[str, ...]:
    """The bets that are won or lost against the dealer, in the order of the rulebook."""
    main = {*game.betting.needs.values(), *game.betting.automatic, *game.decisions.raised}
    return tuple(bet for bet in game.betting.bets if bet in main)


def dealt(game: Game, deal: str) -> dict[str, tuple[Card, ...]]:
    """The cards of each box of a deal as a case tells it."""
    hands = (tuple(map(Card.parse, hand.split())) for hand in deal.split("/"))
    return dict(zip(game.felt.boxes, hands, strict=True))


@lru_cache(maxsize=64)
def _outcome_table(key: str, options: tuple[tuple[str, str | int | bool], ...]) -> OutcomeTable:
    game, cases = find_game(key), CASES[key]
    rules = game.options.check(dict(options))
    cells = {bet: tuple(_cell(game, rules, case, bet) for case in cases) for bet in main_bets(game)}
    alike: dict[tuple[str, ...], list[str]] = {}
    for bet, fares in cells.items():
        alike.setdefault(fares, []).append(bet)
    rows = tuple(Row(tuple(bets), fares) for fares, bets in alike.items())
    return OutcomeTable(tuple(case.when for case in cases), rows, _lowest(rules))


def _cell(game: Game, rules: Rules, case: Case, bet: str) -> str:
    if case.conduct == FOLD and bet in game.decisions.raised:
        return NOT_STAKED
    paid = set(_paid(game, rules, case, bet))
    if len(paid) > 1:
        return LADDER
    [returned] = paid
    return {Fraction(0): LOST, Fraction(1): BACK}.get(returned) or odds_of(returned)


def _paid(game: Game, rules: Rules, case: Case, bet: str) -> Iterator[Fraction]:
    for deal in case.deals:
        yield game.payment.returns(rules, game.deal.outcome(rules, dealt(game, deal)), case.conduct)[bet]


def _lowest(rules: Rules) -> str:
    """The ladders are written from the top."""
    rungs = read_ladder(str(rules["ante_bonus"])) if "ante_bonus" in rules else {}
    return next((hand for hand, paid in reversed(tuple(rungs.items())) if paid), "")
