"""A whole pay table in words: every bet, what has to happen, and what comes back.

What comes back is taken from the rulebook that pays, the stake of 1 included; only the words stand here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Final

import msgspec

from studio.games import blackjack, holdem_bonus, kkclash, three_card_poker, three_knights, ultimate_holdem
from studio.games.pay_ladder import read_ladder
from studio.games.script import Game, Rules


class PayLine(msgspec.Struct, frozen=True):
    """One line of a pay table: what a stake of 1 on `bet` comes back as `when` this happens."""

    bet: str
    when: str
    returns: str


Lines = Iterator[PayLine]


def pay_lines(game: Game, rules: Rules) -> tuple[PayLine, ...]:
    """The pay table of a game whose options are written out; a bet on which no line fits loses."""
    return tuple(_LINES[game.key](rules))


def _line(bet: str, when: str, returns: Fraction) -> PayLine:
    """
    >>> _line("win", "the hand wins", Fraction(39, 20)).returns
    '1.95'
    """
    plain = returns.denominator in (1, 2, 4, 5, 8, 10, 20, 25, 50, 100)
    return PayLine(bet, when, f"{float(returns):g}" if plain else str(returns))


def _ladder(bet: str, ladder: str, before: str = "") -> Lines:
    for hand, returns in read_ladder(ladder).items():
        yield _line(bet, before + hand.replace("_", " "), returns)


def _three_knights(rules: Rules) -> Lines:
    game, six = three_knights, rules["six"]
    for bet, who in (("player{n}_win", "that hand beats the Banker's"), ("player{n}_lose", "the Banker's beats it")):
        if six == "six_pays_half":
            yield _line(bet, f"{who} with a six", game.HALF_PAID)
            yield _line(bet, f"{who} with anything else", game.EVEN_MONEY)
        else:
            yield _line(bet, who, game.LESS_COMMISSION if six == "commission" else game.EVEN_MONEY)
        yield _line(bet, "a tie", game.PUSHED)
    yield _line("player{n}_tie", "both hands are of one class", game.TIE_PAID)
    yield _line("player{n}_three_knights", "that hand is three pictures", game.THREE_KNIGHTS_PAID)
    for hand, returns in game.PAIR_PLUS.items():
        if returns:
            yield _line("player{n}_pair_plus, banker_pair_plus", hand.value.replace("_", " "), returns)


_KKCLASH: Final[Mapping[str, str]] = {
    "shark": "the Shark's hand is the better one",
    "king": "the King's hand is the better one",
    "draw": "both hands are worth the same",
    "suited_connectors": "two hole cards of either hand are of one suit, or their ranks follow one another",
    "pocket_pair": "two hole cards of either hand are of one rank",
    "pocket_kings": "two hole cards of either hand are kings",
    "high_card_pair": "the winning hand is a high card or a pair",
    "two_pair": "the winning hand is two pair",
    "trips_straight_flush": "the winning hand is three of a kind, a straight or a flush",
    "full_house_plus": "the winning hand is a full house or better",
    "k_high_pair": "the winning hand is king high or a pair of kings",
    "k_full_quads": "the winning hand is a full house with three kings, or four kings",
}


def _kkclash(rules: Rules) -> Lines:
    for bet in kkclash.BETS:
        yield _line(bet, _KKCLASH[bet], Fraction(rules[bet]))


def _holdem_bonus(rules: Rules) -> Lines:
    game = holdem_bonus
    yield _line("ante", "the player's hand is better, a straight or higher", game.EVEN_MONEY)
    yield _line("ante", "the player's hand is better, below a straight", game.PUSHED)
    yield _line("flop, turn, river", "the player's hand is better", game.EVEN_MONEY)
    yield _line("ante, flop, turn, river", "both hands are worth the same", game.PUSHED)
    yield from _ladder("bonus", rules["bonus"], "hole cards: ")
    yield PayLine("first5", "hole cards and flop: royal flush", "the pot, shared by all bettors on it")
    yield from _ladder("first5", rules["first5"], "hole cards and flop: ")


def _ultimate_holdem(rules: Rules) -> Lines:
    game = ultimate_holdem
    yield _line("ante", "the player's hand is better, the dealer has a pair or higher", game.EVEN_MONEY)
    yield _line("ante", "the dealer has less than a pair", game.PUSHED)
    yield _line("play", "the player's hand is better", game.EVEN_MONEY)
    yield from _ladder("blind", rules["blind"], "the player's hand is better: ")
    yield _line("blind", "the player's hand is better: anything else", game.PUSHED)
    yield _line("ante, blind, play", "both hands are worth the same", game.PUSHED)
    yield from _ladder("trips", rules["trips"], "the player's best five of seven: ")


def _three_card_poker(rules: Rules) -> Lines:
    game = three_card_poker
    yield _line("ante", "the dealer has less than queen high", game.EVEN_MONEY)
    yield _line("play", "the dealer has less than queen high", game.PUSHED)
    yield _line("ante, play", "the dealer has queen high or better, the player's hand is better", game.EVEN_MONEY)
    yield _line("ante, play", "the dealer has queen high or better, both hands are worth the same", game.PUSHED)
    yield from _ladder("ante, beside that", rules["ante_bonus"], "the player played: ")
    yield from _ladder("pair_plus", rules["pair_plus"], "the player's three cards: ")
    yield from _ladder("six_card", rules["six_card"], "the best five of all six cards: ")


def _blackjack(rules: Rules) -> Lines:
    game, pays = blackjack, read_ladder(rules["pays"])
    yield _line("{n}:main", "a blackjack, and the dealer has none", pays["blackjack"])
    yield _line("{n}:main", "any other hand that wins, or even money", game.EVEN_MONEY)
    yield _line("{n}:main", "a hand as good as the dealer's", game.PUSHED)
    yield _line("{n}:main", "surrendered", game.HALF)
    yield _line("{n}:insurance", "the dealer has a blackjack", pays["insurance"])
    yield from _ladder("{n}:perfect_pair", rules["perfect_pair"], "the first two cards: ")


_LINES: Final[Mapping[str, Callable[[Rules], Lines]]] = {
    "three_knights": _three_knights,
    "holdem_bonus": _holdem_bonus,
    "ultimate_holdem": _ultimate_holdem,
    "three_card_poker": _three_card_poker,
    "kkclash": _kkclash,
    "blackjack": _blackjack,
}
