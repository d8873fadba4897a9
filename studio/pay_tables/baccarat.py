"""The pay table of Baccarat: in words, in odds, at its worst for the house; and how its figures are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from studio.games import baccarat as game
from studio.games.baccarat import BANKER, EVEN_MONEY, PLAYER, PUSHED
from studio.pay_tables.case import Case
from studio.pay_tables.line import Lines, line
from studio.pay_tables.odds import Pays, odds_of
from studio.pay_tables.worst import Group, alone, end
from studio.rulebook.odds import odds
from studio.rulebook.pay_ladder import read_ladder
from studio.rulebook.script import Rules

METHOD: Final = (
    "Who wins, by how many points and with how many cards depends only on what each card counts, from 0 to 9. The "
    "first four cards and the third ones that are due are told apart by that, in every order they can come in, and how "
    "many ways each comes out of a full shoe is a product of what is left of each count. 205 classes of points and "
    "cards stand for all of them, and one deal of each is paid.",
    "Pairs are decided by the first two cards of either hand: nine classes, counted over the faces of all four.",
    "Which card is due is asked of the rulebook that the table is dealt by. No card that was dealt before is looked "
    "at: the figures are those of a full shoe, and of any shoe to whoever does not know what has left it.",
)

CASES: Final[tuple[Case, ...]] = ()

_MARGINS: Final[Mapping[str, int]] = {name: points for points, name in game.MARGINS.items()}
_BONUS: Final = "player_bonus, banker_bonus"
_BOTH: Final = (PLAYER, BANKER)


def lines(rules: Rules) -> Lines:
    yield line(PLAYER, "the Player has more points", Fraction(rules["player"]))
    yield line(PLAYER, "a tie", PUSHED)
    if rules["banker"] == "commission":
        yield line(BANKER, "the Banker has more points", Fraction(rules["banker_less_commission"]))
    else:
        yield line(BANKER, "the Banker wins with six", Fraction(rules["banker_with_six"]))
        yield line(BANKER, "the Banker wins with anything else", EVEN_MONEY)
    yield line(BANKER, "a tie", PUSHED)
    yield line("tie", "both have as many points", Fraction(rules["tie"]))
    yield line("player_pair, banker_pair", "that hand's first two cards are of one rank", Fraction(rules["pair"]))
    yield line("either_pair", "the first two cards of either hand are of one rank", Fraction(rules["either_pair"]))
    yield line("perfect_pair", "the first two of one hand are of one rank and suit", Fraction(rules["perfect_pair"]))
    yield line("perfect_pair", "those of both hands are", Fraction(rules["two_perfect_pairs"]))
    for hand, paid in read_ladder(rules["bonus"]).items():
        yield line(_BONUS, _BONUS_WHEN.get(hand) or f"that hand wins by {_MARGINS[hand]}, without a natural", paid)
    yield line("small", "four cards are dealt", Fraction(rules["small"]))
    yield line("big", "five or six cards are dealt", Fraction(rules["big"]))
    yield line("super_six", "the Banker wins with six", Fraction(rules["super_six"]))


_BONUS_WHEN: Final = {"natural": "that hand wins with a natural", "natural_tie": "both hands are naturals and tie"}


def pays(rules: Mapping[str, Any]) -> Mapping[str, tuple[Pays, ...]]:
    checked = game.check_rules(rules)
    won = {name: odds_of(odds(checked[name])) for name in game.ODDS}
    if checked["banker"] == "commission":
        banker: tuple[Pays, ...] = (Pays("", won["banker_less_commission"]),)
    else:
        banker = (Pays("", odds_of(EVEN_MONEY)), Pays("pays.with_six", won["banker_with_six"]))
    plain = {name: (Pays("", won[name]),) for name in ("tie", "either_pair", "small", "big", "super_six")}
    ladder = sorted(read_ladder(checked["bonus"]).items(), key=lambda rung: rung[1], reverse=True)
    bonus = tuple(Pays(f"bonus.{hand}", odds_of(paid) if paid > 1 else f"x{paid}") for hand, paid in ladder if paid)
    return {
        **plain,
        PLAYER: (Pays("", won["player"]),),
        BANKER: banker,
        **dict.fromkeys(("player_pair", "banker_pair"), (Pays("", won["pair"]),)),
        "perfect_pair": (Pays("", won["perfect_pair"]), Pays("pays.two_pairs", won["two_perfect_pairs"])),
        **dict.fromkeys(("player_bonus", "banker_bonus"), bonus),
    }


def worst(rules: Rules) -> Iterator[Group]:
    won = {name: odds(rules[name]) for name in game.ODDS}
    commission = rules["banker"] == "commission"
    banker, six = won["banker_less_commission"], won["banker_less_commission" if commission else "banker_with_six"]
    by_points = (PLAYER, BANKER, "tie", "super_six")
    yield (
        end(by_points, {PLAYER: won["player"]}),
        end(by_points, {BANKER: banker if commission else EVEN_MONEY}),
        end(by_points, {BANKER: six, "super_six": won["super_six"]}),
        end(by_points, dict.fromkeys(_BOTH, PUSHED) | {"tie": won["tie"]}),
    )
    bonus = read_ladder(rules["bonus"])
    bonuses = ("player_bonus", "banker_bonus")
    tied = end(bonuses, dict.fromkeys(bonuses, bonus["natural_tie"]))
    most = max(paid for hand, paid in bonus.items() if hand != "natural_tie")
    yield (*(end(bonuses, {bet: most}) for bet in bonuses), tied)
    yield tuple(end(("small", "big"), {bet: won[bet]}) for bet in ("small", "big"))
    yield alone("player_pair", (won["pair"],))
    yield alone("banker_pair", (won["pair"],))
    yield alone("either_pair", (won["either_pair"],))
    yield alone("perfect_pair", (won["perfect_pair"], won["two_perfect_pairs"]))
