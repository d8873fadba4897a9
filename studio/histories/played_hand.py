"""A poker hand read from its facts as its history, and told as plain values, with no card in it that was not shown.

A seat's own cards may be laid in, for whoever may know them. What was burned or mucked stays sealed and has no face.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studio.cards import Card
from studio.errors import BadInputError
from studio.rounds.fact import AnyFact, CardBurned, CardDealt, Chose, PlainFact, Revealed, corrected
from studio.rounds.play import Finished, play
from studio.rulebook.betting_game import Variant
from studio.rulebook.betting_hand import betting_hand
from studio.rulebook.hand_terms import BOARD, HandOutcome, HandTerms


@dataclass(frozen=True, slots=True)
class Street:
    """Cards laid on the board together."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PlayedAct:
    """A betting act; `to_minor` is what a bet or a raise puts in front of the seat, else 0."""

    seat: str
    option: str
    to_minor: int = 0
    by_default: bool = False


@dataclass(frozen=True, slots=True)
class ShownHand:
    seat: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Mucked:
    seat: str


Told = Street | PlayedAct | ShownHand | Mucked


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """A finished hand. `hole`: every seat's cards as far as they may be known, None for one that may not."""

    variant: Variant
    terms: HandTerms
    hole: Mapping[str, tuple[Card | None, ...]]
    told: tuple[Told, ...]
    outcome: HandOutcome


def read_hand(
    variant: Variant, terms: HandTerms, facts: Sequence[AnyFact], own: Mapping[str, tuple[Card, ...]] | None = None
) -> RecordedHand:
    """The hand that these facts make, corrections applied; `own` are cards their seats may know, as dealt.

    `BadInputError` where the hand is not over: its history is written when it is.
    """
    standing = play(betting_hand(variant, terms), facts)
    if not isinstance(standing, Finished):
        raise BadInputError("The hand is not over: its history is written once every pot is won.")
    plain = corrected(facts)
    known: dict[str, tuple[Card | None, ...]] = dict.fromkeys(terms.seats, (None,) * variant.hole_cards)
    known |= {seat: cards for seat, cards in (own or {}).items() if seat in known}
    known |= {fact.box: fact.faces for fact in plain if isinstance(fact, Revealed)}
    return RecordedHand(variant, terms, known, tuple(_told(plain)), standing.outcome)


def _told(plain: Sequence[PlainFact]) -> Iterator[Told]:
    street: list[Card] = []
    for fact in plain:
        match fact:
            case CardDealt(box=box, face=Card() as face) if box == BOARD:
                street.append(face)
                continue
            case CardDealt() | CardBurned():
                pass
        if street:
            yield Street(tuple(street))
            street = []
        yield from _act(fact)
    if street:
        yield Street(tuple(street))


def _act(fact: PlainFact) -> Iterator[Told]:
    match fact:
        case Chose(box=seat, option="muck"):
            yield Mucked(seat)
        case Chose(option="show"):
            pass  # the reveal says so
        case Chose(box=seat, option=option, to_minor=to_minor, by_default=by_default):
            yield PlayedAct(seat, option, to_minor, by_default)
        case Revealed(box=seat, faces=faces):
            yield ShownHand(seat, faces)


def tell_hand(hand: RecordedHand) -> dict[str, Any]:
    """Amounts in minor units; `cards` of a seat are null where they may not be known."""
    outcome, terms = hand.outcome, hand.terms
    return {
        "button": terms.seats[-1],
        "seats": [
            {
                "seat": seat, "stack": stack, "paid": outcome.paid[seat], "takes": outcome.takes[seat],
                "cards": _cards(hand.hole[seat]),
            }
            for seat, stack in zip(terms.seats, terms.stacks, strict=True)
        ],
        "acts": [_tell_act(told) for told in hand.told],
        "board": _cards(outcome.board),
        "pots": [
            {"amount": pot.amount_minor, "rake": pot.rake_minor, "winners": dict(pot.winners)} for pot in outcome.pots
        ],
        "rake": outcome.rake_minor,
    }  # fmt: skip


def _tell_act(told: Told) -> dict[str, Any]:
    match told:
        case Street(cards):
            return {"board": _cards(cards)}
        case ShownHand(seat, cards):
            return {"seat": seat, "act": "show", "cards": _cards(cards)}
        case Mucked(seat):
            return {"seat": seat, "act": "muck"}
        case PlayedAct(seat, option, to_minor, by_default):
            return {"seat": seat, "act": option, "to": to_minor or None, "by_default": by_default}


def _cards(cards: Sequence[Card | None]) -> list[str] | None:
    return None if None in cards else [str(card) for card in cards]
