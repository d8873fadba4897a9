"""What the betting games of the poker room have in common, from the terms of a hand to what each seat takes of it.

PokerKit is loaded when a hand is dealt, not when the program starts: it takes a quarter of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from studio.errors import BadInputError
from studio.rulebook.game import (
    BettingRules,
    DealRules,
    Edition,
    FeltPlan,
    FullShoe,
    Game,
    HouseOptions,
    PaymentRules,
    PeerRules,
)
from studio.rulebook.hand_terms import BOARD, HAND, HandOutcome, HandTerms, read_terms, written_terms
from studio.rulebook.script import Rules, Script, Watched
from studio.rulebook.seating import NextHand, Sitting, next_hand
from studio.written_number import read_fraction

if TYPE_CHECKING:
    from pokerkit import NoLimitShortDeckHoldem, NoLimitTexasHoldem, PotLimitOmahaHoldem

SEATS: Final = tuple(f"seat{number}" for number in range(1, 10))

_COMMON: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "ante": 0,
        "buy_in_least": 4_000,
        "buy_in_most": 20_000,
        "return_s": 0,
        "away_hands": 20,
        "rake_percent": "0",
        "rake_cap": 0,
        "turn_s": 20,
        "bank_s": 30,
    }
)
"""The house options that every betting game has; amounts in minor units of the table's currency."""

BLINDS: Final[Rules] = MappingProxyType({"small_blind": 50, "big_blind": 100, **_COMMON})
BUTTON_BLIND: Final[Rules] = MappingProxyType({**_COMMON, "ante": 50, "button_blind": 100})


@dataclass(frozen=True, slots=True)
class Variant:
    """What makes one betting game another than the next; `engine` loads which of PokerKit's own it is."""

    key: str
    title: str
    defaults: Rules
    hole_cards: int
    deck_cards: int
    engine: Callable[[], type[NoLimitTexasHoldem | NoLimitShortDeckHoldem | PotLimitOmahaHoldem]]

    @property
    def game(self) -> Game:
        """The rulebook of this game."""
        boxes = {**dict.fromkeys(SEATS, self.hole_cards), BOARD: 5}
        return Game(
            key=self.key,
            title=self.title,
            edition=Edition(version=1),
            felt=FeltPlan(MappingProxyType(boxes), burns=3),
            shoe=FullShoe(
                1,
                min(self.deck_cards, self.hole_cards * len(SEATS) + 8),
                rounds_per_shuffle=1,
                deck_cards=self.deck_cards,
            ),
            options=HouseOptions(self.defaults, self.check_rules),
            deal=DealRules(self.script, outcome, describe),
            betting=BettingRules(SEATS),
            payment=PaymentRules(returns, put_out=lambda outcome, bet: 1),
            peers=PeerRules(
                SEATS, 2, self.next_hand, self.terms, self.posted, watched=self.watched, blinds_wait=self.blinds_wait
            ),
        )

    @property
    def blinds_wait(self) -> bool:
        return "big_blind" in self.defaults

    def script(self, rules: Rules) -> Script:
        from studio.rulebook.betting_hand import betting_hand

        return betting_hand(self, self._terms(rules))

    def watched(self, rules: Rules) -> Watched:
        from studio.rulebook.betting_hand import watched

        return watched(self, self._terms(rules))

    def posted(self, rules: Rules) -> Mapping[str, int]:
        """What each seat has put in before the first card."""
        from studio.rulebook.betting_hand import begin, posted

        terms = self._terms(rules)
        return dict(zip(terms.seats, posted(begin(self, terms), terms), strict=True))

    def _terms(self, rules: Rules) -> HandTerms:
        if HAND not in rules:
            raise BadInputError(f"{self.title} is dealt to seats: a hand has to say which, and with what stacks.")
        return read_terms(rules)

    def next_hand(self, rules: Rules, sitting: Sequence[Sitting], button: str) -> NextHand:
        return next_hand(sitting, button, blinds_wait=self.blinds_wait)

    def terms(self, rules: Rules, hand: NextHand) -> dict[str, Any]:
        """The terms of the next hand, as the started round keeps them."""
        count, least = len(hand.sitting), rules.get("big_blind") or rules["button_blind"]
        if "button_blind" in rules:
            blinds = (least, 0) if count == 2 else (*(0 for _ in range(count - 1)), least)
        else:
            later = (-least if one.seat in hand.posting else 0 for one in hand.sitting[2:])
            blinds = (rules["small_blind"], least, *later)
        stacks = tuple(one.stack_minor for one in hand.sitting)
        return written_terms(HandTerms(hand.seats, stacks, (rules["ante"],) * count, blinds, least))

    def check_rules(self, rules: Rules) -> Rules:
        return _checked(self, rules)


def returns(rules: Rules, outcome: HandOutcome, conduct: str = "") -> Mapping[str, Fraction]:
    """What each unit that a seat put in comes back as; the seat's whole take lies on its first bet."""
    return {seat: Fraction(outcome.takes[seat], paid) for seat, paid in outcome.paid.items() if paid}


def outcome(rules: Rules, hands: Any) -> Any:
    raise BadInputError("A hand of the poker room cannot be read from its cards alone: studio hands plays it whole.")


def describe(outcome: HandOutcome) -> dict[str, Any]:
    """The hand in plain values: of a seat that did not show, no card."""
    shown = dict(outcome.shown)
    return {
        "seats": {
            seat: {
                "paid": outcome.paid[seat],
                "takes": outcome.takes[seat],
                "stack": stack,
                **({"cards": [str(card) for card in shown[seat]]} if seat in shown else {}),
            }
            for seat, stack in zip(outcome.seats, outcome.stacks, strict=True)
        },
        "board": [str(card) for card in outcome.board],
        "pots": [
            {"amount": pot.amount_minor, "rake": pot.rake_minor, "winners": dict(pot.winners)} for pot in outcome.pots
        ],
        "rake": outcome.rake_minor,
        "button": outcome.seats[-1],
    }


def _checked(variant: Variant, rules: Rules) -> Rules:
    defaults, hand = variant.defaults, rules.get(HAND)
    if unknown := sorted(set(rules) - set(defaults) - {HAND}):
        known = ", ".join(defaults)
        raise BadInputError(f"{variant.title} has no house option '{unknown[0]}': it has {known}.")
    checked = {**defaults, **{key: value for key, value in rules.items() if key != HAND}}
    for key, value in checked.items():
        if key == "rake_percent":
            _check_percent(value)
        elif isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise BadInputError(f"The house option {key} is a whole number of 0 or more, not {value!r}.")
    least = checked.get("big_blind") or checked.get("button_blind")
    if not least or checked["turn_s"] < 1:
        raise BadInputError(f"{variant.title} needs a blind and a time for each turn above 0.")
    if checked.get("small_blind", 0) > least:
        raise BadInputError("The small blind is no larger than the big blind: write the smaller one first.")
    if not least <= checked["buy_in_least"] <= checked["buy_in_most"]:
        raise BadInputError("The least buy-in lies between the big blind and the largest buy-in.")
    return MappingProxyType(checked if hand is None else {**checked, HAND: hand})


def _check_percent(value: object) -> None:
    try:
        percent = read_fraction(value)
    except BadInputError:
        percent = Fraction(-1)
    if isinstance(value, bool) or not 0 <= percent <= 10:
        raise BadInputError(f'The house option rake_percent is a number from 0 to 10, as in "2.5", not {value!r}.')
