"""The pay table of Dragon Tiger: in words, in odds, at its worst for the house; and how its figures are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from studio.games import dragon_tiger as game
from studio.pay_tables.case import Case
from studio.pay_tables.line import Lines, line
from studio.pay_tables.odds import Pays, odds_of
from studio.pay_tables.worst import Group, end
from studio.rulebook.odds import odds
from studio.rulebook.script import Rules

METHOD: Final = (
    "Two cards are dealt from a shoe of eight decks. All 2,704 pairs of faces are paid, each weighed by how many pairs "
    "of the shoe's 416 cards show them: 64, or 56 where both are the same face.",
    "No card that was dealt before is looked at: the figures are those of a full shoe, and of any shoe to whoever does "
    "not know what has left it.",
)

CASES: Final[tuple[Case, ...]] = ()

_SIDES: Final[Mapping[str, str]] = {
    "odd": "that card is A, 3, 5, 9, J or K",
    "even": "that card is 2, 4, 6, 8, 10 or Q",
    "small": "that card is A to 6",
    "big": "that card is 8 to K",
}


def lines(rules: Rules) -> Lines:
    for box in game.BOXES:
        yield line(box, "its card is the higher one", Fraction(rules["win"]))
        yield line(box, "both cards are of one rank", Fraction(rules["win_on_tie"]))
    yield line("tie", "both cards are of one rank", Fraction(rules["tie"]))
    yield line("suited_tie", "both cards are of one rank and one suit", Fraction(rules["suited_tie"]))
    for side, when in _SIDES.items():
        yield line(f"dragon_{side}, tiger_{side}", when, Fraction(rules["side"]))


def pays(rules: Mapping[str, Any]) -> Mapping[str, tuple[Pays, ...]]:
    checked = game.check_rules(rules)
    won, tie, suited, side = (Pays("", odds_of(odds(checked[name]))) for name in ("win", "tie", "suited_tie", "side"))
    either = (won, Pays("pays.on_tie", f"x{checked['win_on_tie']}"))
    sides = {f"{box}_{name}": (side,) for box in game.BOXES for name in game.SIDES}
    return {**dict.fromkeys(game.BOXES, either), "tie": (tie,), "suited_tie": (suited,), **sides}


def worst(rules: Rules) -> Iterator[Group]:
    won = {name: odds(value) for name, value in rules.items()}
    ranks = (*game.BOXES, "tie", "suited_tie")
    tied = dict.fromkeys(game.BOXES, won["win_on_tie"])
    yield (
        *(end(ranks, {box: won["win"]}) for box in game.BOXES),
        end(ranks, {**tied, "tie": won["tie"], "suited_tie": won["suited_tie"]}),
    )
    for box in game.BOXES:
        for sides in (game.SIDES[:2], game.SIDES[2:]):
            bets = tuple(f"{box}_{side}" for side in sides)
            yield tuple(end(bets, {bet: won["side"]}) for bet in bets)
