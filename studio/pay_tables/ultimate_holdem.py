"""The pay table of Ultimate Texas Hold'em: in words, in odds, at its worst; and how its figures are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from studio.games import ultimate_holdem
from studio.pay_tables.case import A_RUN, BROADWAY, FOLD, HIGH_CARDS, RUN_AND_PAIR, Case
from studio.pay_tables.line import Lines, ladder_lines, line
from studio.pay_tables.method import BEST_PLAY
from studio.pay_tables.odds import BACK, EVEN, Pays, rungs
from studio.pay_tables.worst import LOST, End, Group
from studio.rulebook.pay_ladder import read_ladder
from studio.rulebook.script import Rules

METHOD: Final = (
    "No rule names a suit: of the 2,598,960 boards 134,459 classes are kept, of the 1,326 holes 169. Over each "
    "board every hole of the player is held against all 990 holes the dealer may have.",
    BEST_PLAY + " From the river backwards: raise or fold by the seven cards, raise or check after the flop by the "
    "sum over turn and river, raise or check before it by the sum over all boards.",
)

CASES: Final = (
    Case("won_qualified", (f"Ah Qd / 4h 3d / {HIGH_CARDS}", f"6h 5d / 3d 2s / {RUN_AND_PAIR}")),
    Case("won_unqualified", (f"Ah Qd / Kh 3d / {HIGH_CARDS}", f"6h 5d / Qh 3d / {A_RUN}")),
    Case("tied", (f"2h 3d / 2s 3c / {BROADWAY}", "2h 3d / 2s 3c / Ac Kd Qs 9h 7c")),
    Case("lost_qualified", (f"Kh 3d / Ah Qd / {HIGH_CARDS}",)),
    Case("lost_unqualified", (f"Jh 3d / Kh 9d / {HIGH_CARDS}",)),
    Case("folded", (f"Ah Qd / Kh 3d / {HIGH_CARDS}",), FOLD),
)


def lines(rules: Rules) -> Lines:
    game = ultimate_holdem
    yield line("ante", "the player's hand is better, the dealer has a pair or higher", game.EVEN_MONEY)
    yield line("ante", "the dealer has less than a pair", game.PUSHED)
    yield line("play", "the player's hand is better", game.EVEN_MONEY)
    yield from ladder_lines("blind", rules["blind"], "the player's hand is better: ")
    yield line("blind", "the player's hand is better: anything else", game.PUSHED)
    yield line("ante, blind, play", "both hands are worth the same", game.PUSHED)
    yield from ladder_lines("trips", rules["trips"], "the player's best five of seven: ")


def pays(rules: Mapping[str, Any]) -> Mapping[str, tuple[Pays, ...]]:
    ladders = {option: read_ladder(text) for option, text in ultimate_holdem.check_rules(rules).items()}
    return {
        "ante": (Pays("pays.dealer_pair", EVEN.odds), BACK),
        "blind": (*rungs(ladders["blind"]), BACK),
        "play": (EVEN,),
        "trips": rungs(ladders["trips"]),
    }


def worst(rules: Rules) -> Iterator[Group]:
    """Ante, the highest raise and Blind won with a hand, which is that of Trips too. [UTH-12] [UTH-13] [UTH-16]"""
    blind, trips = read_ladder(rules["blind"]), read_ladder(rules["trips"])
    ante = Fraction(1 + max(ultimate_holdem.RAISES.values()))
    yield tuple(
        End({"ante": ante, "blind": blind.get(hand, ultimate_holdem.PUSHED) - 1, "trips": trips.get(hand, LOST) - 1})
        for hand in (*dict.fromkeys((*blind, *trips)), "")
    )
