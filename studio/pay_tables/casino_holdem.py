"""The pay table of Casino Hold'em: in words, in odds, at its worst; and how its figures are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from studio.games import casino_holdem as game
from studio.pay_tables.case import BROADWAY, FOLD, HIGH_CARDS, Case
from studio.pay_tables.line import Lines, ladder_lines, line
from studio.pay_tables.method import BEST_PLAY
from studio.pay_tables.odds import BACK, EVEN, Pays, rungs
from studio.pay_tables.worst import End, Group
from studio.rulebook.pay_ladder import read_ladder
from studio.rulebook.script import Rules

METHOD: Final = (
    "No rule names a suit: of the 2,598,960 boards 134,459 classes are kept, of the 1,326 holes 169. Over each "
    "board every hole of the player is held against all 990 holes the dealer may have.",
    BEST_PLAY + " There is one: over each flop each hole calls or folds by the sum over turn, river and the dealer's "
    "cards. The average number of units put out is 1 and twice the share of deals in which a call is the better.",
    "AA bonus: all 2,598,960 hands of five cards, the two of the player and the flop.",
)

_FLUSHING: Final = "9c 8c 7s Kh 2c"

CASES: Final = (
    Case("won_qualified", (f"Ah Qd / 4h 3d / {HIGH_CARDS}", f"Ac 5c / Kd 3d / {_FLUSHING}")),
    Case(
        "unqualified",
        (f"Ah Qd / Kh 3d / {HIGH_CARDS}", f"9h 3d / Kh 8d / {HIGH_CARDS}", f"Ac 5c / Qh 3d / {_FLUSHING}"),
    ),
    Case("tied_qualified", (f"2h 3d / 2s 3c / {BROADWAY}",)),
    Case("lost_qualified", (f"Kh 3d / Ah Qd / {HIGH_CARDS}",)),
    Case("folded", (f"Ah Qd / Kh 3d / {HIGH_CARDS}",), FOLD),
)


def lines(rules: Rules) -> Lines:
    yield from ladder_lines("ante", rules["ante"], "the player's hand is better, or the dealer does not qualify: ")
    yield line("ante", "the player's hand is better, or the dealer does not qualify: anything else", game.EVEN_MONEY)
    yield line("call", "the player's hand is better, the dealer has a pair of fours or higher", game.EVEN_MONEY)
    yield line("call", "the dealer has less than a pair of fours", game.PUSHED)
    yield line("ante, call", "both hands are worth the same, a pair of fours or higher", game.PUSHED)
    yield from ladder_lines("aa_bonus", rules["aa_bonus"], "hole cards and flop: ")


def pays(rules: Mapping[str, Any]) -> Mapping[str, tuple[Pays, ...]]:
    ladders = {option: read_ladder(text) for option, text in game.check_rules(rules).items()}
    return {
        "ante": (*rungs(ladders["ante"]), Pays("pays.anything_else", EVEN.odds)),
        "call": (Pays("pays.dealer_fours", EVEN.odds), BACK),
        "aa_bonus": rungs(ladders["aa_bonus"]),
    }


def worst(rules: Rules) -> Iterator[Group]:
    """Ante and call won with the hand that pays most, which the player's first five were already. [CH-9] [CH-13]"""
    ante, bonus = (max(read_ladder(rules[bet]).values()) for bet in ("ante", "aa_bonus"))
    yield (End({"ante": max(ante, game.EVEN_MONEY) - 1 + game.CALL, "aa_bonus": bonus - 1}),)
