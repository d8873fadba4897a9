"""How the bets of each house game can end together at worst, read off its pay table.

Bets that exclude each other stand in one group, with every end the group can have that is worst for some stakes; bets
of different groups are taken to end at their worst all at once. What a bettor may still have to put in later counts
with the bet it follows from, so a raise, a double or a split never adds to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from studio.games import blackjack, holdem_bonus, kkclash, three_knights, ultimate_holdem
from studio.games.blackjack_hand import BOX_KEYS
from studio.games.odds import odds
from studio.games.pay_ladder import read_ladder
from studio.games.script import Game, Rules
from studio.hands.poker import Category

LOST: Final = Fraction(0)
SPLIT_AND_DOUBLED: Final = 4
"""So many stakes lie on a box that is split, with both of its hands doubled. [BJ-12] [BJ-13]"""


@dataclass(frozen=True, slots=True)
class End:
    """One way in which the bets of a group may end: what each takes from the house for a stake of 1, less the stake.

    `prize_minor` is paid once beside that, whatever was staked, if anything lies on `prize_bet`.
    """

    takes: Mapping[str, Fraction]
    prize_bet: str = ""
    prize_minor: int = 0


Group = Sequence[End]


def groups_of(game: Game, rules: Rules, pot_share: Fraction | None) -> tuple[Group, ...]:
    """Every bet of a house game that is staked while bets are open, in one group each; none for a game among peers.

    `pot_share`: the part of its stake that the game's progressive bet leaves in a table's pot, where there is one.
    What is won out of a pot is no loss of the house.
    """
    if game.peers is not None:
        return ()
    fed = {game.pot_bet: pot_share} if pot_share is not None else {}
    return tuple(
        tuple(End(_with(end.takes, fed), end.prize_bet, 0 if fed else end.prize_minor) for end in group)
        for group in _OF_GAME[game.key](game.check_rules(rules))
    )


def _with(takes: Mapping[str, Fraction], fed: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
    """What went into a pot the house has no more, however the bet ends."""
    return {bet: taken + fed.get(bet, 0) for bet, taken in takes.items()}


def _end(bets: Iterable[str], returns: Mapping[str, Fraction]) -> End:
    return End({bet: returns.get(bet, LOST) - 1 for bet in bets})


def _alone(bet: str, returns: Iterable[Fraction]) -> Group:
    return (_end((bet,), {bet: max(returns)}),)


def _three_knights(rules: Rules) -> Iterator[Group]:
    won = three_knights.LESS_COMMISSION if rules["six"] == "commission" else three_knights.EVEN_MONEY
    for player in three_knights.PLAYERS:
        win, lose, tie = bets = (f"{player}_win", f"{player}_lose", f"{player}_tie")
        pushed = {win: three_knights.PUSHED, lose: three_knights.PUSHED}
        yield tuple(_end(bets, ends) for ends in ({win: won}, {lose: won}, {**pushed, tie: three_knights.TIE_PAID}))
        yield _alone(f"{player}_three_knights", (three_knights.THREE_KNIGHTS_PAID,))
    for box in three_knights.BOXES:
        yield _alone(f"{box}_pair_plus", three_knights.PAIR_PLUS.values())


def _kkclash(rules: Rules) -> Iterator[Group]:
    won = {bet: odds(rules[bet]) for bet in kkclash.BETS}
    winners = (*kkclash.HANDS, "draw")
    yield tuple(_end(winners, {bet: won[bet]}) for bet in winners)
    made = frozenset(_made(category, king) for category in kkclash.BY_CATEGORY for king in (False, True))
    bets = frozenset().union(*made)
    yield tuple(_end(bets, {bet: won[bet] for bet in those}) for those in sorted(made, key=sorted))
    for bet in kkclash.BETS:
        if bet not in winners and bet not in bets:
            yield _alone(bet, (won[bet],))


def _made(category: Category, king: bool) -> frozenset[str]:
    """The bets that a winning hand of that category wins, with a king first or without."""
    of_kings = {kkclash.OF_KINGS[category]} if king and category in kkclash.OF_KINGS else set()
    return frozenset({kkclash.BY_CATEGORY[category], *of_kings})


def _holdem_bonus(rules: Rules) -> Iterator[Group]:
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
        _end(side, {"bonus": both, "first5": max(low.values())}),
        _end(side, {"bonus": max(others), "first5": max(five.values())}),
        _end(side, {"first5": max(first5.values())}),
        End(_end(side, {"bonus": max(royal)}).takes, "first5", rules["first5_pot"]),
    )


def _ultimate_holdem(rules: Rules) -> Iterator[Group]:
    """Ante, the highest raise and Blind won with a hand, which is that of Trips too. [UTH-12] [UTH-13] [UTH-16]"""
    blind, trips = read_ladder(rules["blind"]), read_ladder(rules["trips"])
    ante = Fraction(1 + max(ultimate_holdem.RAISES.values()))
    yield tuple(
        End({"ante": ante, "blind": blind.get(hand, ultimate_holdem.PUSHED) - 1, "trips": trips.get(hand, LOST) - 1})
        for hand in (*dict.fromkeys((*blind, *trips)), "")
    )


def _three_card_poker(rules: Rules) -> Iterator[Group]:
    """Ante and Play won with a hand, which is that of the ante's bonus and of Pair Plus too. [3P-10] [3P-11] [3P-12]"""
    bonus, pair_plus = read_ladder(rules["ante_bonus"]), read_ladder(rules["pair_plus"])
    yield tuple(
        End({"ante": 2 + bonus.get(hand, LOST), "pair_plus": pair_plus.get(hand, LOST) - 1})
        for hand in (*dict.fromkeys((*bonus, *pair_plus)), "")
    )
    yield _alone("six_card", read_ladder(rules["six_card"]).values())


def _blackjack(rules: Rules) -> Iterator[Group]:
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


_OF_GAME: Final[Mapping[str, Callable[[Rules], Iterator[Group]]]] = MappingProxyType(
    {
        "three_knights": _three_knights,
        "holdem_bonus": _holdem_bonus,
        "ultimate_holdem": _ultimate_holdem,
        "three_card_poker": _three_card_poker,
        "kkclash": _kkclash,
        "blackjack": _blackjack,
    }
)
