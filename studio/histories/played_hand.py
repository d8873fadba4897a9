"""A poker hand read from its facts as its history, with no card in it that was not shown.

A seat's own cards may be laid in, for whoever may know them. What was burned or mucked stays sealed and has no face.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from studio.cards import Card
from studio.errors import BadInputError
from studio.games.betting_hand import Variant, betting_hand
from studio.games.hand_terms import BOARD, HandOutcome, HandTerms
from studio.rounds.fact import AnyFact, CardBurned, CardDealt, Chose, PlainFact, Revealed, corrected
from studio.rounds.play import Finished, play


@dataclass(frozen=True, slots=True)
class Street:
    """Cards laid on the board together."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Act:
    """A betting act; `to_minor` is what a bet or a raise puts in front of the seat, else 0."""

    seat: str
    option: str
    to_minor: int = 0
    by_default: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    seat: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Mucked:
    seat: str


Told = Street | Act | Shown | Mucked


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A finished hand. `hole`: every seat's cards as far as they may be known, None for one that may not."""

    variant: Variant
    terms: HandTerms
    hole: Mapping[str, tuple[Card | None, ...]]
    told: tuple[Told, ...]
    outcome: HandOutcome


def read_hand(
    variant: Variant, terms: HandTerms, facts: Sequence[AnyFact], own: Mapping[str, tuple[Card, ...]] | None = None
) -> PlayedHand:
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
    return PlayedHand(variant, terms, known, tuple(_told(plain)), standing.outcome)


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
            yield Act(seat, option, to_minor, by_default)
        case Revealed(box=seat, faces=faces):
            yield Shown(seat, faces)
