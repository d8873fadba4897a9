"""Open-Face Chinese (pineapple) as the poker room deals it: `docs/games/ofc.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from studio.errors import BadInputError
from studio.games.ofc_hand import OpenFaceHand, OpenFaceTerms, open_face_hand, put_in, row_zone
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
from studio.rulebook.hand_terms import HAND
from studio.rulebook.open_face import ROWS, SEATS_MAX, SEATS_MIN, TITLE, describe_score, read_scoring
from studio.rulebook.script import Rules, Script
from studio.rulebook.seating import NextHand, Sitting, next_hand

KEY: Final = "ofc"
SEATS: Final = tuple(f"seat{number}" for number in range(1, SEATS_MAX + 1))
CARDS_OF_A_SEAT: Final = 17
"""In fantasy with three of a kind on top, or street by street [OF-1] [OF-8]."""

DEFAULT_RULES: Final[Rules] = MappingProxyType(
    {
        "unit": 100,
        "strict_rows": False,
        "royalties": "none",
        "buy_in_least": 2_000,
        "buy_in_most": 20_000,
        "return_s": 0,
        "away_hands": 20,
        "turn_s": 30,
        "fantasy_s": 90,
        "bank_s": 30,
    }
)
"""`unit` is what a point is worth; amounts in minor units of the table's currency."""

_SCORING: Final = ("strict_rows", "royalties")


def script(rules: Rules) -> Script:
    return open_face_hand(read_terms(rules))


def read_terms(rules: Rules) -> OpenFaceTerms:
    """The terms of a started hand, out of its rules."""
    if HAND not in rules:
        raise BadInputError(f"{TITLE} is dealt to seats: a hand has to say which, and with what stacks.")
    hand, scoring = rules[HAND], read_scoring({key: rules[key] for key in _SCORING})
    return OpenFaceTerms(
        tuple(hand["seats"]), tuple(hand["stacks"]), rules["unit"], scoring, hand["fantasy"],
        turn_s=rules["turn_s"], fantasy_s=rules["fantasy_s"],
    )  # fmt: skip


def next_of(rules: Rules, sitting: Sequence[Sitting], button: str) -> NextHand:
    """While anyone is in fantasy the button does not move [OF-10]."""
    return next_hand(sitting, button, blinds_wait=False, moves=not any(one.fantasy for one in sitting))


def terms(rules: Rules, hand: NextHand) -> dict[str, Any]:
    return {
        "seats": list(hand.seats),
        "stacks": [one.stack_minor for one in hand.sitting],
        "fantasy": {one.seat: one.fantasy for one in hand.sitting if one.fantasy},
    }


def posted(rules: Rules) -> Mapping[str, int]:
    return put_in(read_terms(rules))


def returns(rules: Rules, outcome: OpenFaceHand, conduct: str = "") -> Mapping[str, Fraction]:
    """What each unit that a seat put in comes back as."""
    return {seat: Fraction(outcome.takes[seat], paid) for seat, paid in outcome.paid.items() if paid}


def outcome(rules: Rules, hands: Any) -> Any:
    raise BadInputError("A hand of the poker room cannot be read from its cards alone: settle takes its rows.")


def describe(outcome: OpenFaceHand) -> dict[str, Any]:
    """The hand in plain values; of a card that was given up, or not set in time, nothing."""
    said = describe_score(outcome.score)
    seats = {
        seat: {
            **said["seats"][seat],
            "paid": outcome.paid[seat],
            "takes": outcome.takes[seat],
            "stack": stack,
            "out": outcome.out.get(seat, ""),
        }
        for seat, stack in zip(outcome.seats, outcome.stacks, strict=True)
    }
    return {
        "points": said["points"],
        "between": [
            {"seats": list(pair), "points": outcome.score.between[pair], "won": won}
            for pair, won in outcome.moved.items()
        ],
        "seats": seats,
        "button": outcome.seats[-1],
    }


def check_rules(rules: Rules) -> Rules:
    """The house options, every one filled in; `BadInputError` says which is not there, or what it may be."""
    if unknown := sorted(set(rules) - set(DEFAULT_RULES) - {HAND}):
        raise BadInputError(f"{TITLE} has no house option '{unknown[0]}': it has {', '.join(DEFAULT_RULES)}.")
    checked = {**DEFAULT_RULES, **rules}
    read_scoring({key: checked[key] for key in _SCORING})
    for key in set(DEFAULT_RULES) - set(_SCORING):
        value = checked[key]
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise BadInputError(f"The house option {key} is a whole number of 0 or more, not {value!r}.")
    if min(checked["unit"], checked["turn_s"], checked["fantasy_s"]) < 1:
        raise BadInputError(f"{TITLE} needs a unit and a time for each turn above 0.")
    if not checked["unit"] <= checked["buy_in_least"] <= checked["buy_in_most"]:
        raise BadInputError("The least buy-in lies between what a point is worth and the largest buy-in.")
    return MappingProxyType(checked)


OFC: Final = Game(
    key=KEY,
    title=TITLE,
    edition=Edition(version=1),
    felt=FeltPlan(
        MappingProxyType(
            {
                zone: places
                for seat in SEATS
                for zone, places in (
                    (seat, CARDS_OF_A_SEAT),
                    *((row_zone(seat, row), most) for row, most in ROWS.items()),
                )
            }
        )
    ),
    shoe=FullShoe(decks=1, cards_per_round=CARDS_OF_A_SEAT * SEATS_MAX, rounds_per_shuffle=1),
    options=HouseOptions(DEFAULT_RULES, check_rules),
    deal=DealRules(script, outcome, describe),
    betting=BettingRules(SEATS),
    payment=PaymentRules(returns, put_out=lambda outcome, bet: 1),
    peers=PeerRules(SEATS, SEATS_MIN, next_of, terms, posted, fantasy=lambda outcome: outcome.fantasy, looks=True),
)
