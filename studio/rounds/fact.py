"""The facts a script consumes, and what a correction does to them.

Facts are journalled events. A correction is one more fact: it never edits an earlier one, it changes how the
earlier ones are read when the script is played again.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from studio.cards import Card, SealedCard


class Fact(msgspec.Struct, frozen=True, kw_only=True, tag_field="fact", tag=True):
    pass


class CardBurned(Fact, frozen=True, kw_only=True, tag=True):
    """A card went to the burn zone, sealed for good. `place` counts from 1."""

    card: SealedCard
    place: int


class CardDealt(Fact, frozen=True, kw_only=True, tag=True):
    """A card stands at `box`, `place`. Face up: `face` and the published `key` are given; face down: neither.

    `source` says which eye read the face: `shoe`, `camera` or `manual`.
    """

    card: SealedCard
    box: str
    place: int
    face: Card | None = None
    key: bytes | None = None
    source: str = "shoe"


class WindowClosed(Fact, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """The window of the awaited `OpenBets` or `Decide` step is over.

    `boxes`: where the deal depends on it, the boxes with a bet, or those that took what was offered.
    """

    boxes: tuple[str, ...] = ()


class Chose(Fact, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """One box's choice at a `Turn`; `by_default` when nobody chose in time. `to_minor`: what it bets or raises to.

    `rows`: where each card of its street goes, in the order dealt, never by its face.
    """

    box: str
    option: str
    by_default: bool = False
    to_minor: int = 0
    rows: tuple[str, ...] = ()


class Revealed(Fact, frozen=True, kw_only=True, tag=True):
    """The cards of a box are open; `faces` and published `keys` in the order of their places.

    Where cards are dealt to it and turned one after the other, each time of all that lie there.
    """

    box: str
    faces: tuple[Card, ...]
    keys: tuple[bytes, ...]


class Laid(Fact, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """Down cards of a box lie open in other zones: `to` names the place of each, then its zone and place from now on.

    `faces` and published `keys` are in that order. The cards in the places `away` were given up, sealed for good.
    """

    box: str
    to: tuple[tuple[int, str, int], ...]
    faces: tuple[Card, ...]
    keys: tuple[bytes, ...]
    away: tuple[int, ...] = ()


class Shuffled(Fact, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """What is left in the shoe is shuffled, with the cards `ids` that went back to it; `faces` of them were open."""

    ids: tuple[str, ...] = ()
    faces: tuple[Card, ...] = ()


class CardReplaced(Fact, frozen=True, kw_only=True, tag=True):
    """The face recorded for card `id` was wrong: it is `face`. `source`: camera or manual."""

    id: str
    face: Card
    source: str


class CardMoved(Fact, frozen=True, kw_only=True, tag=True):
    """Card `id` belongs to `box`, `place`, not where it was recorded."""

    id: str
    box: str
    place: int


class HandsSwapped(Fact, frozen=True, kw_only=True, tag=True):
    """Whole hands were dealt to each other's place: what lies at `a` counts for `b` and the other way round."""

    a: str
    b: str


class HandsExchanged(Fact, frozen=True, kw_only=True, tag=True):
    """The record has two hands the wrong way round: each card of `a` is the one of `b` in its place, and back.

    Unlike a swap, the order of the deal stays as it was recorded: it says whose cards they were, once all is over.
    """

    a: str
    b: str


class CardRemoved(Fact, frozen=True, kw_only=True, tag=True):
    """Card `id` does not count in this round any more; it went where a row disposed of it."""

    id: str


class CardReturned(Fact, frozen=True, kw_only=True, tag=True):
    """Card `id` does not count any more and goes back to the stub, which is shuffled before it deals on."""

    id: str


class BurnRuled(Fact, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """The burn of the deal that is `number`, counted from 1, is of so many `cards`: none where none is due.

    `shuffled`: what is left in the shoe is shuffled after it, before the next card.
    """

    number: int
    cards: int
    shuffled: bool = False


class CardPostponed(Fact, frozen=True, kw_only=True, tag=True):
    """The card due at `box`, `place` was missed: it is given after all the others of the deal."""

    box: str
    place: int


class HandVoided(Fact, frozen=True, kw_only=True, tag=True):
    """The hand of `box` does not count, nor what lies in its `zones`: the deal reads as if nobody had bet on it."""

    box: str
    zones: tuple[str, ...]


PlainFact = CardBurned | CardDealt | WindowClosed | Chose | Revealed | Laid | Shuffled
Correction = (
    CardReplaced
    | CardMoved
    | HandsSwapped
    | HandsExchanged
    | CardRemoved
    | CardReturned
    | CardPostponed
    | HandVoided
    | BurnRuled
)
AnyFact = PlainFact | Correction

_CORRECTIONS = (
    CardReplaced, CardMoved, HandsSwapped, HandsExchanged, CardRemoved, CardReturned, CardPostponed, HandVoided,
    BurnRuled,
)  # fmt: skip
_KINDS_OF_CORRECTION = frozenset(_CORRECTIONS)


def corrected(facts: Sequence[AnyFact]) -> tuple[PlainFact, ...]:
    """The facts as they read once every correction among them, in order, is applied."""
    if _KINDS_OF_CORRECTION.isdisjoint(map(type, facts)):
        return tuple(facts)  # type: ignore[arg-type]  # nearly always: there is nothing to correct
    plain: list[PlainFact] = []
    for fact in facts:
        if isinstance(fact, HandsExchanged):
            plain = _exchanged(plain, fact)
        elif isinstance(fact, _CORRECTIONS):
            plain = _told_of_laid(plain, fact) if isinstance(fact, CardReplaced) else plain
            down = sorted((old for old in plain if isinstance(old, CardDealt)), key=lambda old: old.place)
            dealt = [(old.box, old.card.id) for old in down]
            plain = [read for old in plain if (read := _apply(fact, old, dealt)) is not None]
        else:
            plain.append(fact)
    return tuple(plain)


def _told_of_laid(plain: Sequence[PlainFact], wrong: CardReplaced) -> list[PlainFact]:
    """The facts with the wrong card's face corrected in the laying that included it."""
    at = next((n for n, fact in enumerate(plain) if isinstance(fact, CardDealt) and fact.card.id == wrong.id), None)
    dealt = plain[at] if at is not None else None
    if at is None or not isinstance(dealt, CardDealt):
        return list(plain)
    laid = next((n for n, fact in enumerate(plain) if n > at and isinstance(fact, Laid) and fact.box == dealt.box), -1)
    told = plain[laid]
    places = [place for place, _, _ in told.to] if isinstance(told, Laid) and laid > at else []
    if dealt.place not in places:
        return list(plain)
    assert isinstance(told, Laid)
    n = places.index(dealt.place)
    righted = msgspec.structs.replace(told, faces=(*told.faces[:n], wrong.face, *told.faces[n + 1 :]))
    return [*plain[:laid], righted, *plain[laid + 1 :]]


def _exchanged(plain: Sequence[PlainFact], hands: HandsExchanged) -> list[PlainFact]:
    """The facts with the cards and reveals of the two boxes exchanged; a card without a counterpart moves to the other
    box.
    """
    other = {hands.a: hands.b, hands.b: hands.a}
    dealt = {(fact.box, fact.place): fact for fact in plain if isinstance(fact, CardDealt)}
    shown = {fact.box: fact for fact in plain if isinstance(fact, Revealed)}

    def read(fact: PlainFact) -> PlainFact:
        match fact:
            case CardDealt(box=box, place=place) if box in other:
                card = dealt.get((other[box], place))
                if card is None:
                    return msgspec.structs.replace(fact, box=other[box])
                return msgspec.structs.replace(card, box=box)
            case Revealed(box=box) if box in other:
                faces = shown.get(other[box])
                return msgspec.structs.replace(faces or fact, box=box if faces else other[box])
            case Laid(box=box) if box in other:
                return msgspec.structs.replace(fact, box=other[box])  # fits nowhere: what a seat has set is its own
        return fact

    return [read(fact) for fact in plain]


def _apply(correction: Correction, fact: PlainFact, dealt: Sequence[tuple[str, str]]) -> PlainFact | None:
    """`dealt` are the box and the id of every card by its place: what is revealed is told in that order."""
    match correction, fact:
        case CardReplaced(id=id, face=face, source=source), CardDealt(card=card) if card.id == id:
            return msgspec.structs.replace(fact, face=face, source=source)
        case CardReplaced(id=id, face=face), Revealed(box=box, faces=faces) if (box, id) in dealt:
            at = [own for owner, own in dealt if owner == box].index(id)
            if at >= len(faces):
                return fact  # it came to the box after these were turned
            return msgspec.structs.replace(fact, faces=(*faces[:at], face, *faces[at + 1 :]))
        case CardMoved(id=id, box=box, place=place), CardDealt(card=card) if card.id == id:
            return msgspec.structs.replace(fact, box=box, place=place)
        case HandsSwapped(a=a, b=b), CardDealt(box=box) | Revealed(box=box) if box in (a, b):
            return msgspec.structs.replace(fact, box=b if box == a else a)
        case CardRemoved(id=id) | CardReturned(id=id), CardDealt(card=card) | CardBurned(card=card) if card.id == id:
            return None
        case HandVoided(box=box), WindowClosed(boxes=boxes):
            return msgspec.structs.replace(fact, boxes=tuple(one for one in boxes if one != box))
        case HandVoided(zones=zones), CardDealt(box=box) | Chose(box=box) | Laid(box=box) if box in zones:
            return None
    return fact
