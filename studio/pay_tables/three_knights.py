"""The pay table of Three Knights: in words, in odds, at its worst for the house; and how its figures are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from studio.games import three_knights as knights
from studio.pay_tables.case import Case
from studio.pay_tables.line import Lines, line
from studio.pay_tables.odds import Pays, odds_of
from studio.pay_tables.worst import Group, alone, end
from studio.rulebook.script import Rules

METHOD: Final = (
    "A hand's class depends on how many of its cards are aces, of each number from 2 to 10, and pictures. 286 such "
    "patterns stand for all hands; how many ways two of them are dealt from one deck is a product of binomials. "
    "Pair plus is counted over all 22,100 hands of three cards.",
    "The three Player hands are dealt alike, so each bet is proved for each of them and comes out the same.",
)

_PAIR_PLUS: Final = tuple(sorted(knights.PAIR_PLUS, key=knights.PAIR_PLUS.__getitem__, reverse=True))

CASES: Final[tuple[Case, ...]] = ()


def lines(rules: Rules) -> Lines:
    game, six = knights, rules["six"]
    for bet, who in (("player{n}_win", "that hand beats the Banker's"), ("player{n}_lose", "the Banker's beats it")):
        if six == "six_pays_half":
            yield line(bet, f"{who} with a six", game.HALF_PAID)
            yield line(bet, f"{who} with anything else", game.EVEN_MONEY)
        else:
            yield line(bet, who, game.LESS_COMMISSION if six == "commission" else game.EVEN_MONEY)
        yield line(bet, "a tie", game.PUSHED)
    yield line("player{n}_tie", "both hands are of one class", game.TIE_PAID)
    yield line("player{n}_three_knights", "that hand is three pictures", game.THREE_KNIGHTS_PAID)
    for hand, returns in game.PAIR_PLUS.items():
        if returns:
            yield line("player{n}_pair_plus, banker_pair_plus", hand.value.replace("_", " "), returns)


def pays(rules: Mapping[str, Any]) -> Mapping[str, tuple[Pays, ...]]:
    six = str(rules.get("six", "six_pays_half"))
    even = Pays("", odds_of(knights.LESS_COMMISSION if six == "commission" else knights.EVEN_MONEY))
    won = (even, Pays("pays.with_six", odds_of(knights.HALF_PAID))) if six == "six_pays_half" else (even,)
    return {
        "win": won,
        "lose": won,
        "tie": (Pays("", odds_of(knights.TIE_PAID)),),
        "three_knights": (Pays("", odds_of(knights.THREE_KNIGHTS_PAID)),),
        "pair_plus": tuple(
            Pays(f"pays.{hand.value}", odds_of(knights.PAIR_PLUS[hand]))
            for hand in _PAIR_PLUS
            if knights.PAIR_PLUS[hand]
        ),
    }


def worst(rules: Rules) -> Iterator[Group]:
    won = knights.LESS_COMMISSION if rules["six"] == "commission" else knights.EVEN_MONEY
    for player in knights.PLAYERS:
        win, lose, tie = bets = (f"{player}_win", f"{player}_lose", f"{player}_tie")
        pushed = {win: knights.PUSHED, lose: knights.PUSHED}
        yield tuple(end(bets, ends) for ends in ({win: won}, {lose: won}, {**pushed, tie: knights.TIE_PAID}))
        yield alone(f"{player}_three_knights", (knights.THREE_KNIGHTS_PAID,))
    for box in knights.BOXES:
        yield alone(f"{box}_pair_plus", knights.PAIR_PLUS.values())
