"""The pay table of Texas Hold'em Bonus Poker: in words, in odds, at its worst; and how its figures are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from studio.games import holdem_bonus
from studio.pay_tables.case import A_RUN, BROADWAY, FOLD, HIGH_CARDS, Case
from studio.pay_tables.line import Lines, PayLine, ladder_lines, line
from studio.pay_tables.method import BEST_PLAY
from studio.pay_tables.odds import BACK, EVEN, Pays, rungs
from studio.pay_tables.worst import End, Group, end
from studio.rulebook.pay_ladder import read_ladder
from studio.rulebook.script import Rules

METHOD: Final = (
    "No rule names a suit: of the 2,598,960 boards 134,459 classes are kept, of the 1,326 holes 169. Over each "
    "board every hole of the player is held against all 990 holes the dealer may have.",
    BEST_PLAY + " After the flop a bet at the turn and a bet at the river are questions of their own; before it "
    "the bettor plays or folds by the sum of all that follows.",
    "First 5: the figure is that of the fixed prizes. What a stake gives to the pot comes back to the bettors by "
    "the royal flush, and is stated beside it, not proved: it depends on no card.",
)

CASES: Final = (
    Case("won_straight", (f"6h 5d / Qh 3d / {A_RUN}",)),
    Case("won_lower", (f"Ah Qd / Kh 3d / {HIGH_CARDS}",)),
    Case("tied", (f"2h 3d / 2s 3c / {BROADWAY}", "2h 3d / 2s 3c / Ac Kd Qs 9h 7c")),
    Case("lost", (f"Kh 3d / Ah Qd / {HIGH_CARDS}", f"6h 5d / Jh Td / {A_RUN}")),
    Case("folded", (f"Ah Qd / Kh 3d / {HIGH_CARDS}",), FOLD),
)


def lines(rules: Rules) -> Lines:
    game = holdem_bonus
    yield line("ante", "the player's hand is better, a straight or higher", game.EVEN_MONEY)
    yield line("ante", "the player's hand is better, below a straight", game.PUSHED)
    yield line("flop, turn, river", "the player's hand is better", game.EVEN_MONEY)
    yield line("ante, flop, turn, river", "both hands are worth the same", game.PUSHED)
    yield from ladder_lines("bonus", rules["bonus"], "hole cards: ")
    yield PayLine("first5", "hole cards and flop: royal flush", "the pot, shared by all bettors on it")
    yield from ladder_lines("first5", rules["first5"], "hole cards and flop: ")


def pays(rules: Mapping[str, Any]) -> Mapping[str, tuple[Pays, ...]]:
    checked = holdem_bonus.check_rules(rules)
    first5 = (Pays(f"poker.{hand}", f"x{paid}") for hand, paid in read_ladder(checked["first5"]).items())
    return {
        "ante": (Pays("pays.straight_or_better", EVEN.odds), BACK),
        **dict.fromkeys(holdem_bonus.RAISES, (EVEN,)),
        "bonus": rungs(read_ladder(checked["bonus"]), "pays"),
        "first5": (Pays("pays.royal_pot", ""), *first5),
    }


def worst(rules: Rules) -> Iterator[Group]:
    """The ante with all its raises won; then the Bonus and First 5, whose cards are partly the same. [THB-14]

    A straight flush in five cards leaves no line of the Bonus, nor do aces on both sides leave four aces.
    """
    yield (End({"ante": Fraction(1 + sum(holdem_bonus.RAISES.values()))}),)
    bonus, first5 = read_ladder(rules["bonus"]), read_ladder(rules["first5"])
    both, five = bonus["aces_both"], {hand: ret for hand, ret in first5.items() if hand != "straight_flush"}
    low = {hand: ret for hand, ret in five.items() if hand != "four_of_a_kind"}
    others = [ret for line, ret in bonus.items() if line != "aces_both"]
    royal = [bonus[line] for line in ("ace_king_suited", "ace_queen_jack_suited")]
    side = ("bonus", "first5")
    yield (
        end(side, {"bonus": both, "first5": max(low.values())}),
        end(side, {"bonus": max(others), "first5": max(five.values())}),
        end(side, {"first5": max(first5.values())}),
        End(end(side, {"bonus": max(royal)}).takes, "first5", rules["first5_pot"]),
    )
