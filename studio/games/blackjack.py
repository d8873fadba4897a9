"""The rulebook of Blackjack: docs/games/blackjack.md, rule by rule, version 2."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from studio.cards import Card
from studio.errors import BadInputError
from studio.games.blackjack_hand import (
    BOX_KEYS,
    DECKS,
    Outcome,
    PlayedHand,
    check_round,
    dealer_owes_card,
    read_round,
)
from studio.hands.basic_strategy import absent_choice
from studio.hands.blackjack import TWENTY_ONE, Total, count, is_natural, is_splittable, read_pair
from studio.rulebook.game import (
    BettingRules,
    BoxRules,
    DealRules,
    DecisionRules,
    Edition,
    FeltPlan,
    FullShoe,
    Game,
    HouseOptions,
    PaymentRules,
)
from studio.rulebook.pay_ladder import check_ladders, read_ladder
from studio.rulebook.script import Deal, Decide, Hands, OpenBets, Rules, Script, Settle, Step, Turn

DEALER: Final = "dealer"
ROWS: Final = ("a", "b")
"""A split box `1` goes on in the rows `1a` and `1b`, below its first and its second card. [BJ-14]"""

OPENING_BETS: Final = tuple(f"{box}:{bet}" for bet in ("main", "perfect_pair") for box in BOX_KEYS)
INSURANCES: Final = tuple(f"{box}:insurance" for box in BOX_KEYS)

DEFAULT_RULES: Final[Rules] = MappingProxyType(  # what a stake of 1 returns when the bet is won [BJ-22]
    {
        "pays": "blackjack 2.5, insurance 3",  # [BJ-7] [BJ-10]
        "perfect_pair": "perfect_kings 101, perfect_pair 21, coloured_pair 13, mixed_pair 6",  # [BJ-21]
    }
)
LOST: Final = Fraction(0)
HALF: Final = Fraction(1, 2)
PUSHED: Final = Fraction(1)
EVEN_MONEY: Final = Fraction(2)

CARDS_OF_A_HAND: Final = 20  # ten aces, a deuce, nine aces: no hand can be longer
CARDS_OF_A_ROW: Final = CARDS_OF_A_HAND - 1
CARDS_OF_THE_DEALER: Final = 12
CARDS_IN_RESERVE: Final = 104  # a quarter of the shoe: more than seven split boxes ever took

SPLIT_OPTIONS: Final = ("hit", "stand", "double")
LATER_OPTIONS: Final = ("hit", "stand")

Played = Generator[Step, Any, tuple[PlayedHand, ...]]
Drawn = Generator[Step, Any, tuple[tuple[Card, ...], bool]]
"""The cards of a hand at its end, and whether it was doubled."""


def script(rules: Rules) -> Script:
    """The deal, as the dealer deals it. A window's answer is the boxes that were taken in it."""
    bet_on = yield OpenBets(OPENING_BETS, 15)  # [BJ-2]
    boxes = [box for box in BOX_KEYS if box in bet_on]
    if not boxes:
        return Outcome((), ())
    first: dict[str, Card] = {}
    second: dict[str, Card] = {}
    for box in boxes:  # [BJ-2]
        first[box] = yield Deal(box)
    dealer: list[Card] = [(yield Deal(DEALER))]
    for box in boxes:
        second[box] = yield Deal(box)
    yield Settle(lambda: {f"{box}:perfect_pair": _pair_back(rules, (first[box], second[box])) for box in boxes})
    protected: tuple[str, ...] = ()
    if dealer[0].rank == "A":
        protected = yield Decide(15, ("insurance", "even_money", "decline"))  # [BJ-10] [BJ-11]
        yield Settle(lambda: dict.fromkeys(_taken_at_once(protected, first, second), EVEN_MONEY))  # [BJ-11]
    hands: list[PlayedHand] = []
    for box in boxes:
        hands += yield from _play(box, (first[box], second[box]), dealer[0], even_money=box in protected)
    insured = any(hand.box in protected and not hand.is_blackjack for hand in hands)
    while dealer_owes_card(dealer, hands, insured=insured):  # [BJ-6] [BJ-17] [BJ-18] [BJ-19]
        dealer.append((yield Deal(DEALER)))
    return Outcome(tuple(dealer), tuple(hands))


def _taken_at_once(protected: tuple[str, ...], first: Mapping[str, Card], second: Mapping[str, Card]) -> list[str]:
    """The bets that take even money: those of a blackjack; whoever else took something is insured."""
    return [f"{box}:main" for box in first if box in protected and is_natural((first[box], second[box]))]


def _play(box: str, cards: tuple[Card, Card], up: Card, *, even_money: bool) -> Played:
    """One box from its first two cards to its end; a blackjack has nothing more to decide."""
    if is_natural(cards):
        return (PlayedHand(box, cards, even_money=even_money),)
    choice = yield _turn(box, cards, up, first_options(cards, up))
    if choice == "surrender":
        return (PlayedHand(box, cards, surrendered=True),)  # [BJ-15]
    if choice == "split":
        upper = yield from _play_split(box, box + ROWS[0], cards[0], up)
        lower = yield from _play_split(box, box + ROWS[1], cards[1], up)
        return (upper, lower)  # [BJ-13]
    drawn, doubled = yield from _draw(box, cards, up, choice)
    return (PlayedHand(box, drawn, doubled=doubled),)


def _play_split(box: str, row: str, first: Card, up: Card) -> Generator[Step, Any, PlayedHand]:
    """One hand of a split box: its second card, then its own decisions; an ace gets that one card. [BJ-14]"""
    cards = (first, (yield Deal(row)))
    if first.rank == "A" or count(cards).points == TWENTY_ONE:
        return PlayedHand(box, cards, split=True)
    choice = yield _turn(row, cards, up, SPLIT_OPTIONS)
    drawn, doubled = yield from _draw(row, cards, up, choice)
    return PlayedHand(box, drawn, doubled=doubled, split=True)


def _draw(row: str, cards: tuple[Card, ...], up: Card, choice: str) -> Drawn:
    """Hit until the box stands, has twenty-one or more, or doubles. [BJ-8] [BJ-12]"""
    while choice == "hit":
        cards = (*cards, (yield Deal(row)))
        if count(cards).points >= TWENTY_ONE:
            return cards, False
        choice = yield _turn(row, cards, up, LATER_OPTIONS)
    if choice == "double":
        return (*cards, (yield Deal(row))), True
    return cards, False


def _turn(row: str, cards: Sequence[Card], up: Card, options: tuple[str, ...]) -> Turn:
    return Turn(row, options, default=absent_choice(cards, up))  # [BJ-24]


def first_options(cards: Sequence[Card], up: Card) -> tuple[str, ...]:
    """What a box may do with its first two cards; a blackjack may do nothing."""
    split = ("split",) if is_splittable(cards) else ()  # [BJ-13]
    surrender = ("surrender",) if up.rank != "A" else ()  # [BJ-15]
    return ("hit", "stand", "double", *split, *surrender)


def outcome(rules: Rules, hands: Outcome) -> Outcome:
    """A round given whole, as `read_round` reads it; `BadInputError` when it could not have been dealt so."""
    return check_round(hands)


def returns(rules: Rules, outcome: Outcome, conduct: str = "") -> Mapping[str, Fraction]:
    """What each unit put out on a box comes back as, all hands of the box together, and each of its side bets.

    Insurance has a line only once it is decided. [BJ-20]
    """
    if conduct:
        raise BadInputError(f"The decisions of Blackjack lie in its hands: '{conduct}' cannot be told of a bettor.")
    table: dict[str, Fraction] = {}
    for box in outcome.boxes:
        back = sum((hand.stakes * _hand_back(rules, outcome, hand) for hand in outcome.of(box)), LOST)
        table[f"{box}:main"] = back / outcome.stakes(box)
        table[f"{box}:perfect_pair"] = _pair_back(rules, outcome.first_two(box))
        if outcome.dealer[0].rank == "A" and len(outcome.dealer) > 1:
            table[f"{box}:insurance"] = _pays(rules, "insurance") if outcome.dealer_blackjack else LOST  # [BJ-10]
    return table


def _pair_back(rules: Rules, cards: tuple[Card, Card]) -> Fraction:
    return read_ladder(rules["perfect_pair"]).get(read_pair(*cards).value, LOST)  # [BJ-21]


def _hand_back(rules: Rules, outcome: Outcome, hand: PlayedHand) -> Fraction:
    match result(outcome, hand):
        case "surrender":
            return HALF  # [BJ-15]
        case "blackjack":
            return _pays(rules, "blackjack")  # [BJ-7]
        case "even_money" | "win":
            return EVEN_MONEY  # [BJ-7] [BJ-11]
        case "push":
            return PUSHED  # [BJ-7]
    return LOST


def _pays(rules: Rules, line: str) -> Fraction:
    return read_ladder(rules["pays"])[line]


def result(outcome: Outcome, hand: PlayedHand) -> str:
    """How a hand stands: surrender, bust, even_money, blackjack, win, push or lose. [BJ-7] [BJ-9] [BJ-16]"""
    if hand.surrendered:
        return "surrender"
    if hand.total.is_bust:
        return "bust"  # [BJ-9]
    if hand.even_money:
        return "even_money"
    if hand.is_blackjack:
        return "push" if outcome.dealer_blackjack else "blackjack"
    dealer = count(outcome.dealer)
    if outcome.dealer_blackjack:
        return "lose"  # [BJ-16]
    if dealer.is_bust or hand.total.points > dealer.points:
        return "win"
    return "push" if hand.total.points == dealer.points else "lose"


def boxes_of(bets: Collection[str]) -> tuple[str, ...]:
    """The boxes these bets lie on, in the order they are dealt. [BJ-2]

    >>> boxes_of(["3:main", "1:main", "1:perfect_pair"])
    ('1', '3')
    """
    taken = {bet.partition(":")[0] for bet in bets}
    return tuple(box for box in BOX_KEYS if box in taken)


def raise_of(option: str, stakes: Mapping[str, int]) -> tuple[str, int] | None:
    """What a choice puts out on a box, from the stakes it had when bets closed. [BJ-10] [BJ-12] [BJ-13]

    Half of an odd main bet is rounded down; half of the smallest unit is nothing, and cannot be insured.

    >>> raise_of("double", {"3:main": 501}), raise_of("insurance", {"3:main": 501}), raise_of("hit", {"3:main": 501})
    (('3:main', 501), ('3:insurance', 250), None)
    """
    main = next((bet for bet in stakes if bet.endswith(":main")), "")
    if main and option in ("double", "split"):
        return main, stakes[main]
    if main and option == "insurance" and stakes[main] > 1:
        return main.replace("main", "insurance"), stakes[main] // 2
    return None


def options_of(step: Decide, cards: Sequence[Card]) -> tuple[str, ...]:
    """Even money is for a blackjack, insurance for every other hand. [BJ-10] [BJ-11]"""
    other = "insurance" if is_natural(cards) else "even_money"
    return tuple(option for option in step.options if option != other)


def paid_though_void(rules: Rules, hands: Hands) -> Mapping[str, Fraction]:
    """A dealt blackjack is paid, whatever becomes of the round. [BJ-7]"""
    naturals = (box for box in BOX_KEYS if is_natural(hands.get(box, ())))
    return {f"{box}:main": _pays(rules, "blackjack") for box in naturals}


def put_out(outcome: Outcome, bet: str) -> int:
    """How many times its first stake lies on a bet in the end. [BJ-12] [BJ-13]"""
    box, _, kind = bet.partition(":")
    return outcome.stakes(box) if kind == "main" else 1


def describe(outcome: Outcome) -> dict[str, Any]:
    """The outcome in plain values: the dealer, then every hand; those of a split box under the names of their rows."""
    dealer = _said(outcome.dealer, count(outcome.dealer), blackjack=outcome.dealer_blackjack) if outcome.dealer else {}
    said: dict[str, Any] = {DEALER: dealer} if dealer else {}
    for box in outcome.boxes:
        hands = outcome.of(box)
        for row, hand in zip(ROWS if len(hands) > 1 else ("",), hands, strict=True):
            said[box + row] = {
                **_said(hand.cards, hand.total, blackjack=hand.is_blackjack),
                "doubled": hand.doubled,
                "result": result(outcome, hand),
            }
    return said


def _said(cards: Sequence[Card], total: Total, *, blackjack: bool) -> dict[str, Any]:
    name = "Blackjack" if blackjack else "Bust" if total.is_bust else f"{'Soft ' * total.soft}{total.points}"
    return {"cards": [str(card) for card in cards], "points": total.points, "name": name}


def check_rules(rules: Rules) -> Rules:
    """Both pay tables, every line filled in; `BadInputError` names the line and what it may be. [BJ-22]"""
    return MappingProxyType(check_ladders("Blackjack", DEFAULT_RULES, rules))


BLACKJACK: Final = Game(
    key="blackjack",
    title="Blackjack",
    # 2 pays pairs after the deal and even money at once; deal and returns are those of 1
    edition=Edition(version=2, parts_since=2, figures_since=1),
    felt=FeltPlan(
        MappingProxyType(
            {
                **{
                    zone: places
                    for box in BOX_KEYS
                    for zone, places in ((box, CARDS_OF_A_HAND), *((box + row, CARDS_OF_A_ROW) for row in ROWS))
                },
                DEALER: CARDS_OF_THE_DEALER,
            }
        )
    ),
    shoe=FullShoe(decks=DECKS, cards_per_round=CARDS_IN_RESERVE, rounds_per_shuffle=1),  # [BJ-1]
    options=HouseOptions(DEFAULT_RULES, check_rules),
    deal=DealRules(script, outcome, describe, read=read_round),
    betting=BettingRules(
        (*OPENING_BETS, *INSURANCES),
        needs=MappingProxyType(  # [BJ-20] [BJ-21]
            {f"{box}:{side}": f"{box}:main" for side in ("perfect_pair", "insurance") for box in BOX_KEYS}
        ),
    ),
    decisions=DecisionRules(raise_of, MappingProxyType(dict.fromkeys(INSURANCES, ("insurance",)))),
    owned=BoxRules(boxes_of, options_of, boxes_a_bettor=3),  # [BJ-23]
    payment=PaymentRules(
        returns,
        put_out=put_out,
        paid_though_void=MappingProxyType({"pay_dealt": paid_though_void}),
        published_percent=MappingProxyType({"main_total": 99.69, "insurance": 92.53, "perfect_pair": 93.99}),
    ),
)
