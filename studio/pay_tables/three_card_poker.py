"""The pay table of Three Card Poker: in words, in odds, at its worst for the house; and how its figures are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from studio.games import three_card_poker
from studio.pay_tables.case import FOLD, Case
from studio.pay_tables.line import Lines, ladder_lines, line
from studio.pay_tables.method import BEST_PLAY
from studio.pay_tables.odds import BACK, EVEN, Pays, rungs
from studio.pay_tables.worst import LOST, End, Group, alone
from studio.rulebook.pay_ladder import read_ladder
from studio.rulebook.script import Rules

METHOD: Final = (
    "For each class of the player's hands every one of the 18,424 hands the dealer may have is counted by who has "
    "the better hand and whether the dealer qualifies.",
    BEST_PLAY,
    "Pair Plus is counted over all hands of three cards, 6 Card over all of six.",
)

CASES: Final = (
    Case("unqualified", ("Ah Qd 3c / Jh 7d 2c", "9h 5d 3c / Jh 7d 2c")),
    Case("won_qualified", ("Ah Qd 3c / Qh 7d 2c",)),
    Case("tied_qualified", ("Ah Qd 3c / As Qc 3d",)),
    Case("lost_qualified", ("Ah Qd 3c / 9h 9d 3s",)),
    Case("folded", ("Ah Qd 3c / 9h 9d 3s",), FOLD),
)


def lines(rules: Rules) -> Lines:
    game = three_card_poker
    yield line("ante", "the dealer has less than queen high", game.EVEN_MONEY)
    yield line("play", "the dealer has less than queen high", game.PUSHED)
    yield line("ante, play", "the dealer has queen high or better, the player's hand is better", game.EVEN_MONEY)
    yield line("ante, play", "the dealer has queen high or better, both hands are worth the same", game.PUSHED)
    yield from ladder_lines("ante, beside that", rules["ante_bonus"], "the player played: ")
    yield from ladder_lines("pair_plus", rules["pair_plus"], "the player's three cards: ")
    yield from ladder_lines("six_card", rules["six_card"], "the best five of all six cards: ")


def pays(rules: Mapping[str, Any]) -> Mapping[str, tuple[Pays, ...]]:
    ladders = {option: read_ladder(text) for option, text in three_card_poker.check_rules(rules).items()}
    bonus = (Pays(f"poker.{hand}", f"+{times}:1") for hand, times in ladders["ante_bonus"].items())
    return {
        "ante": (EVEN, *bonus),
        "play": (Pays("pays.dealer_queen", EVEN.odds), BACK),
        "pair_plus": rungs(ladders["pair_plus"]),
        "six_card": rungs(ladders["six_card"]),
    }


def worst(rules: Rules) -> Iterator[Group]:
    """Ante and Play won with a hand, which is that of the ante's bonus and of Pair Plus too. [3P-10] [3P-11] [3P-12]"""
    bonus, pair_plus = read_ladder(rules["ante_bonus"]), read_ladder(rules["pair_plus"])
    yield tuple(
        End({"ante": 2 + bonus.get(hand, LOST), "pair_plus": pair_plus.get(hand, LOST) - 1})
        for hand in (*dict.fromkeys((*bonus, *pair_plus)), "")
    )
    yield alone("six_card", read_ladder(rules["six_card"]).values())
