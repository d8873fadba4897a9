"""The rulebook of Baccarat: docs/games/baccarat.md, rule by rule, version 1."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Literal

from studio.cards import Card
from studio.errors import BadInputError
from studio.ports import CardFace
from studio.rulebook.game import (
    BettingRules,
    DealRules,
    Edition,
    FeltPlan,
    FullShoe,
    Game,
    HouseOptions,
    PaymentRules,
    RoadRules,
)
from studio.rulebook.odds import check_odds, odds
from studio.rulebook.pay_ladder import check_ladders, read_ladder
from studio.rulebook.script import Burn, Deal, Hands, OpenBets, Reveal, Rules, Script, Settle, Step
from studio.rulebook.shoe_terms import is_new_shoe

PLAYER: Final = "player"
BANKER: Final = "banker"
FIRST: Final = "first"
BOXES: Final = (PLAYER, BANKER)
OPENING: Final = frozenset({FIRST, "burn"})
CARDS: Final = 3
BURNED_MOST: Final = 10

Side = Literal["player", "banker"]
Winner = Literal["player", "banker", "tie"]

BETS: Final = (
    PLAYER, BANKER, "tie", "player_pair", "banker_pair", "either_pair", "perfect_pair", "player_bonus", "banker_bonus",
    "small", "big", "super_six",
)  # fmt: skip

ODDS: Final[Rules] = MappingProxyType(  # what a stake of 1 returns
    {
        "player": "2",  # [PB-13]
        "banker_less_commission": "1.95",  # [PB-14]
        "banker_with_six": "1.5",  # [PB-14]
        "tie": "9",  # [PB-15]
        "pair": "12",  # [PB-16]
        "either_pair": "6",  # [PB-16]
        "perfect_pair": "26",  # [PB-17]
        "two_perfect_pairs": "201",  # [PB-17]
        "small": "2.5",  # [PB-19]
        "big": "1.54",  # [PB-19]
        "super_six": "16",  # [PB-20]
    }
)
LADDERS: Final[Mapping[str, str]] = MappingProxyType(  # [PB-18]
    {"bonus": "natural 2, natural_tie 1, nine 31, eight 11, seven 7, six 5, five 3, four 2"}
)
MARGINS: Final[Mapping[int, str]] = MappingProxyType(
    {9: "nine", 8: "eight", 7: "seven", 6: "six", 5: "five", 4: "four"}
)
CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(  # the usual one first
    {
        "banker": ("commission", "six_pays_half"),  # [PB-14]
        "decks": ("8", "6"),  # [PB-1]
        "after_cut": ("one_more", "none_more"),  # [PB-4]
        "squeeze": ("off", "on"),  # [PB-24]
    }
)
DEFAULT_RULES: Final[Rules] = MappingProxyType(
    {**{option: ways[0] for option, ways in CHOICES.items()}, **ODDS, **LADDERS}
)
LOST: Final = Fraction(0)
PUSHED: Final = Fraction(1)
EVEN_MONEY: Final = Fraction(2)


def counts(card: Card) -> int:
    """What a card counts in a hand. [PB-6]

    >>> counts(Card("A", "s")), counts(Card("9", "h")), counts(Card("T", "d")), counts(Card("K", "c"))
    (1, 9, 0, 0)
    """
    return 1 if card.rank == "A" else 0 if card.rank in "TJQK" else int(card.rank)


def points(hand: Sequence[Card]) -> int:
    """The last digit of the sum. [PB-6]"""
    return sum(map(counts, hand)) % 10


def burned_by(first: Card) -> int:
    """How many cards the first one of a shoe has burned; a ten and a picture ten. [PB-3]"""
    return counts(first) or BURNED_MOST


def is_natural(hand: Sequence[Card]) -> bool:
    return len(hand) == 2 and points(hand) >= 8  # [PB-8]


def due(player: Sequence[Card], banker: Sequence[Card]) -> Side | None:
    """The box that gets the next card, None where both hands stand.

    >>> king, six = Card("K", "s"), Card("6", "s")
    >>> due((), ()), due((king, king), (king, king)), due((king, six), (king, six)), due((king, king, six), (king, six))
    ('player', 'player', None, 'banker')
    """
    if len(player) < 2 or len(banker) < 2:
        return PLAYER if len(player) == len(banker) else BANKER  # [PB-7]
    if is_natural(player) or is_natural(banker):
        return None  # [PB-8]
    if len(player) == 2 and points(player) <= 5:
        return PLAYER  # [PB-9]
    return BANKER if len(banker) == 2 and _banker_draws(points(banker), player[2:]) else None


def _banker_draws(own: int, third: Sequence[Card]) -> bool:
    if not third:
        return own <= 5  # [PB-10]
    drawn = counts(third[0])
    match own:  # [PB-11]
        case 0 | 1 | 2:
            return True
        case 3:
            return drawn != 8
        case 4:
            return drawn in (2, 3, 4, 5, 6, 7)
        case 5:
            return drawn in (4, 5, 6, 7)
        case 6:
            return drawn in (6, 7)
    return False


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished deal: the two or three cards of either hand."""

    hands: Hands

    @property
    def winner(self) -> Winner:
        """The hand with more points. [PB-12]"""
        player, banker = self.points(PLAYER), self.points(BANKER)
        return "tie" if player == banker else PLAYER if player > banker else BANKER

    @property
    def won_by(self) -> int:
        """How many points the winner has more."""
        return abs(self.points(PLAYER) - self.points(BANKER))

    @property
    def with_six(self) -> bool:
        """Whether the Banker wins, and has six. [PB-14] [PB-20]"""
        return self.winner == BANKER and self.points(BANKER) == 6

    @property
    def cards(self) -> int:
        """How many lie in both hands. [PB-19]"""
        return sum(len(self.hands[box]) for box in BOXES)

    def points(self, box: str) -> int:
        return points(self.hands[box])

    def pair(self, box: str) -> str:
        """`perfect` where the first two are of one rank and suit, `pair` where of one rank. [PB-16] [PB-17]"""
        first, second = self.hands[box][:2]
        return "perfect" if first == second else "pair" if first.rank == second.rank else ""


def script(rules: Rules) -> Script:
    """The deal, as the dealer deals it."""
    if is_new_shoe(rules):
        first = yield Deal(FIRST)  # [PB-2]
        yield Burn(burned_by(first))  # [PB-3]
    yield OpenBets(BETS)  # [PB-5]
    hands: dict[str, tuple[Card, ...]] = dict.fromkeys(BOXES, ())
    if rules.get("squeeze") == "on":
        hands = yield from squeezed()
    while box := due(hands[PLAYER], hands[BANKER]):  # [PB-7] to [PB-11]
        hands[box] = (*hands[box], (yield Deal(box)))
    return Outcome(hands)


def squeezed() -> Generator[Step | Settle, Any, dict[str, tuple[Card, ...]]]:
    """The whole deal face down, each hand turned when its cards lie; so is a third card. [PB-24]"""
    for _ in range(2):
        for box in BOXES:
            yield Deal(box, CardFace.DOWN)
    hands = {}
    for box in BOXES:
        hands[box] = tuple((yield Reveal(box)))
    while side := due(hands[PLAYER], hands[BANKER]):
        yield Deal(side, CardFace.DOWN)
        hands[side] = tuple((yield Reveal(side)))
    return hands


def outcome(rules: Rules, hands: Hands) -> Outcome:
    """Read a deal given whole; `BadInputError` when a box is missing or unknown, or has not the cards it is due."""
    if unknown := set(hands) - set(BOXES):
        raise BadInputError(f"Baccarat has no box '{min(unknown)}': give the cards of {', '.join(BOXES)}.")
    dealt: dict[str, tuple[Card, ...]] = dict.fromkeys(BOXES, ())
    while box := due(dealt[PLAYER], dealt[BANKER]):
        given = hands.get(box, ())[len(dealt[box]) :]
        if not given:
            raise BadInputError(f"The {box} is due card {len(dealt[box]) + 1}: give it.")
        dealt[box] = (*dealt[box], given[0])
    for side, cards in dealt.items():
        if len(hands[side]) > len(cards):
            raise BadInputError(f"The {side} stands on {points(cards)}: no card {len(cards) + 1} is due.")
    return Outcome(dealt)


def returns(rules: Rules, outcome: Outcome, conduct: str = "") -> Mapping[str, Fraction]:
    """What a stake of 1 on each of the twelve bets comes back as."""
    if conduct:
        raise BadInputError(f"Baccarat asks no bettor for a decision: '{conduct}' cannot be told of one.")
    winner = outcome.winner
    player, banker = (outcome.pair(box) for box in BOXES)
    return {
        PLAYER: PUSHED if winner == "tie" else _if(winner == PLAYER, rules["player"]),  # [PB-13]
        BANKER: PUSHED if winner == "tie" else _banker(rules, outcome),  # [PB-14]
        "tie": _if(winner == "tie", rules["tie"]),
        "player_pair": _if(player, rules["pair"]),
        "banker_pair": _if(banker, rules["pair"]),
        "either_pair": _if(player or banker, rules["either_pair"]),
        "perfect_pair": _perfect_pair(rules, (player, banker).count("perfect")),
        "player_bonus": _bonus(rules, outcome, PLAYER),
        "banker_bonus": _bonus(rules, outcome, BANKER),
        "small": _if(outcome.cards == 4, rules["small"]),
        "big": _if(outcome.cards > 4, rules["big"]),
        "super_six": _if(outcome.with_six, rules["super_six"]),
    }


def _if(won: object, returned: str) -> Fraction:
    return odds(returned) if won else LOST


def _banker(rules: Rules, outcome: Outcome) -> Fraction:
    """What a stake on the Banker comes back as when there is no tie. [PB-14]"""
    if outcome.winner != BANKER:
        return LOST
    if rules["banker"] == "commission":
        return odds(rules["banker_less_commission"])
    return odds(rules["banker_with_six"]) if outcome.with_six else EVEN_MONEY


def _perfect_pair(rules: Rules, hands: int) -> Fraction:
    """[PB-17]"""
    return (LOST, odds(rules["perfect_pair"]), odds(rules["two_perfect_pairs"]))[hands]


def _bonus(rules: Rules, outcome: Outcome, box: str) -> Fraction:
    """[PB-18]"""
    pays = read_ladder(rules["bonus"])
    naturals = [hand for hand in BOXES if is_natural(outcome.hands[hand])]
    if outcome.winner == "tie":
        return pays["natural_tie"] if naturals else LOST
    if outcome.winner != box:
        return LOST
    return pays["natural"] if box in naturals else pays.get(MARGINS.get(outcome.won_by, ""), LOST)


def check_rules(rules: Rules) -> Rules:
    """The rules with every option filled in; `BadInputError` names the option and what it may be. [PB-21]"""
    for option in rules:
        if option not in DEFAULT_RULES:
            raise BadInputError(f"Baccarat has no house option '{option}': it has {', '.join(DEFAULT_RULES)}.")
    chosen = {option: str(rules.get(option, ways[0])) for option, ways in CHOICES.items()}
    for option, way in chosen.items():
        if way not in CHOICES[option]:
            raise BadInputError(
                f"The house option {option} cannot be {way!r}: write one of {', '.join(CHOICES[option])}."
            )
    paid = check_odds("Baccarat", ODDS, {option: rules[option] for option in ODDS if option in rules})
    ladders = check_ladders("Baccarat", LADDERS, {option: rules[option] for option in LADDERS if option in rules})
    return MappingProxyType({**chosen, **paid, **ladders})


def full_shoe(shoe: FullShoe, rules: Rules) -> FullShoe:
    """The shoe as the house fills it, and how many rounds it deals after that of the cut card. [PB-1] [PB-4]"""
    more = rules.get("after_cut", CHOICES["after_cut"][0]) == "one_more"
    return replace(shoe, decks=decks(rules), rounds_after_cut=int(more))


def decks(rules: Rules) -> int:
    return int(rules.get("decks", CHOICES["decks"][0]))  # [PB-1]


def describe(outcome: Outcome) -> dict[str, Any]:
    """The outcome in plain values: either hand, its points, its pair and how it stands; who wins, and by how many."""
    said: dict[str, Any] = {
        box: {
            "cards": [str(card) for card in outcome.hands[box]],
            "points": outcome.points(box),
            "natural": is_natural(outcome.hands[box]),
            "pair": outcome.pair(box),
            "result": "tie" if outcome.winner == "tie" else "win" if outcome.winner == box else "lose",
        }
        for box in BOXES
    }
    return {**said, "winner": outcome.winner, "won_by": outcome.won_by}


BACCARAT: Final = Game(
    key="baccarat",
    title="Baccarat",
    edition=Edition(version=1),
    felt=FeltPlan(MappingProxyType({**dict.fromkeys(BOXES, CARDS), FIRST: 1}), burns=BURNED_MOST, opening=OPENING),
    shoe=FullShoe(
        decks=decks(DEFAULT_RULES),
        cards_per_round=CARDS * len(BOXES),
        rounds_per_shuffle=None,
        opened=True,  # [PB-2]
        rounds_after_cut=1,
        chosen=full_shoe,
    ),
    options=HouseOptions(DEFAULT_RULES, check_rules, dealt=frozenset({"after_cut", "squeeze"})),
    deal=DealRules(script, outcome, describe, points=points),
    betting=BettingRules(BETS),
    payment=PaymentRules(returns),
    roads=RoadRules((BANKER, PLAYER)),  # [PB-23]
)
