"""The pay table of Blackjack: in words, in odds, at its worst for the house; and how its figures are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from studio.games import blackjack
from studio.games.blackjack_hand import BOX_KEYS
from studio.pay_tables.case import Case
from studio.pay_tables.line import Lines, ladder_lines, line
from studio.pay_tables.method import BEST_PLAY
from studio.pay_tables.odds import EVEN, Pays, odds_of, rungs
from studio.pay_tables.worst import LOST, End, Group
from studio.rulebook.pay_ladder import read_ladder
from studio.rulebook.script import Rules

METHOD: Final = (
    "One box is played from eight decks; a card is its value, and every card that is gone is gone from the shoe. "
    "Every hand the best play ends with is counted in all its orders, against every hand the dealer can draw then.",
    BEST_PLAY + " A decision looks at the box's own cards and the dealer's up card; a split box counts as twice "
    "one of its hands, drawn with both cards of the pair gone. Nobody is insured or takes even money. Choices are "
    "compared by floating-point values; what the play so found gives back is counted exactly.",
    "Insurance is counted for a bettor who has seen the dealer's ace alone.",
)

SPLIT_AND_DOUBLED: Final = 4
"""So many stakes lie on a box that is split, with both of its hands doubled. [BJ-12] [BJ-13]"""

CASES: Final[tuple[Case, ...]] = ()


def lines(rules: Rules) -> Lines:
    game, pays = blackjack, read_ladder(rules["pays"])
    yield line("{n}:main", "a blackjack, and the dealer has none", pays["blackjack"])
    yield line("{n}:main", "any other hand that wins, or even money", game.EVEN_MONEY)
    yield line("{n}:main", "a hand as good as the dealer's", game.PUSHED)
    yield line("{n}:main", "surrendered", game.HALF)
    yield line("{n}:insurance", "the dealer has a blackjack", pays["insurance"])
    yield from ladder_lines("{n}:perfect_pair", rules["perfect_pair"], "the first two cards: ")


def pays(rules: Mapping[str, Any]) -> Mapping[str, tuple[Pays, ...]]:
    ladders = {option: read_ladder(text) for option, text in blackjack.check_rules(rules).items()}
    natural = Pays("pays.blackjack", odds_of(ladders["pays"]["blackjack"]))
    return {
        "main": (EVEN, natural, Pays("pays.surrendered", "")),
        "perfect_pair": rungs(ladders["perfect_pair"], "pays"),
        "insurance": (Pays("", odds_of(ladders["pays"]["insurance"])),),
    }


def worst(rules: Rules) -> Iterator[Group]:
    """A box that is split and doubled and wins; a blackjack, which is no pair; a box that was insured and loses."""
    pays, pair = read_ladder(rules["pays"]), max(read_ladder(rules["perfect_pair"]).values())
    natural = max(pays["blackjack"], blackjack.EVEN_MONEY) - 1
    insured = (pays["insurance"] - 1) / 2 - 1
    for box in BOX_KEYS:
        main, side = f"{box}:main", f"{box}:perfect_pair"
        yield (
            End({main: Fraction(SPLIT_AND_DOUBLED), side: pair - 1}),
            End({main: natural, side: LOST - 1}),
            End({main: insured, side: pair - 1}),
        )
