"""The outcomes in short of the games against the house: when which bet wins, comes back or is lost.

A case is told by finished deals; what each bet comes to there is asked of the rulebook that settles, not written down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from studio.cards import Card
from studio.games import find_game
from studio.pay_tables import pay_table_of
from studio.pay_tables.case import FOLD, Case
from studio.pay_tables.odds import odds_of
from studio.rulebook.game import Game
from studio.rulebook.pay_ladder import read_ladder
from studio.rulebook.script import Rules

NOT_STAKED: Final = ""
BACK: Final = "back"
LOST: Final = "lost"
LADDER: Final = "ladder"
"""It depends on the hand: the pay table says."""


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """Bets that fare alike in every case, and how: `1:1`, `back`, `lost`, `ladder`, or empty where none is staked."""

    bets: tuple[str, ...]
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutcomeTable:
    """How each outcome pays. `bonus` is the lowest hand that pays beside the ante, whether it beats the dealer or not;
    empty when no hand does.
    """

    cases: tuple[str, ...]
    rows: tuple[OutcomeRow, ...]
    bonus: str


def cases_of(game: Game) -> tuple[Case, ...]:
    """The cases its outcomes are told in; none where the table of bets says all."""
    return pay_table_of(game.key).CASES if game.peers is None else ()


def outcome_table(game: str, rules: Rules) -> OutcomeTable | None:
    """None of a game that has no such table; `rules` are those of the table, whole or in part."""
    return _outcome_table(game, tuple(sorted(rules.items()))) if cases_of(find_game(game)) else None


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
    game = find_game(key)
    cases = cases_of(game)
    rules = game.options.check(dict(options))
    cells = {bet: tuple(_cell(game, rules, case, bet) for case in cases) for bet in main_bets(game)}
    alike: dict[tuple[str, ...], list[str]] = {}
    for bet, fares in cells.items():
        alike.setdefault(fares, []).append(bet)
    rows = tuple(OutcomeRow(tuple(bets), fares) for fares, bets in alike.items())
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
