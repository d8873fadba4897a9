"""How a street that was set comes to lie open: its cards in their rows, what is given up away.

Until all of it lies as it was set nothing is on record but the choice; then `Laid` stands, and faces are told. A card
the camera is unsure of may be dealt on from, like any other open card [HG21].
"""

from __future__ import annotations

from collections.abc import Sequence

from studio.cards import Card
from studio.ports import CardFace
from studio.rounds import CardDealt, Laid
from studio.rulebook.script import Lay
from studio.spoken import Slot
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.incident import open_incident
from studio.tables.state.felt import (
    Seen,
    kept,
    open_face,
)
from studio.tables.state.round import Round
from studio.tables.state.table import TableState, awaited


def awaited_lay(state: TableState) -> Lay | None:
    """What the dealer is to lay now, if anything."""
    now = awaited(state)
    return now.step if now is not None and isinstance(now.step, Lay) else None


def concerns(lay: Lay, slot: Slot) -> bool:
    """Whether a card is taken from this place now, or laid to it."""
    places = (*lay.away, *(place for place, _, _ in lay.to))
    return slot in _targets(lay) or (slot[0] == lay.box and slot[1] in places)


def to_be_laid(lay: Lay, slot: Slot) -> bool:
    """Whether the card of this place is to lie open: its face is no secret any more, though nobody has seen it yet."""
    return slot[0] == lay.box and any(place == slot[1] for place, _, _ in lay.to)


def of_street(state: TableState, look: Seen) -> CardDealt | None:
    """The card of the street that is being laid, where this look shows one."""
    lay, round, face = awaited_lay(state), state.round, open_face(look)
    if lay is None or round is None or face is None:
        return None
    places = (*lay.away, *(place for place, _, _ in lay.to))
    street = (_street_card(round, lay, place) for place in places)
    return next((one for one in street if (one.face or one.card.card()) is face), None)


def set_to(state: TableState, id: str) -> Slot | None:
    """The place of a row that card `id` of the street being laid was set to; None of any other card."""
    lay, round = awaited_lay(state), state.round
    if lay is None or round is None:
        return None
    return next(((zone, there) for place, zone, there in lay.to if _street_card(round, lay, place).card.id == id), None)


def look_at_laying(draft: Draft, lay: Lay, slot: Slot) -> None:
    """The camera has told something of a place that a card leaves, or comes to."""
    state, round = draft.state, draft.round
    look = state.felt.looks.get(slot)
    assert round is not None
    if slot in (targets := _targets(lay)):
        due = _street_card(round, lay, targets[slot])
        if look is not None and look.face is CardFace.UP and not _is(round, due, slot, look):
            _laid_wrong(draft, lay, slot, look, due)
            return
    elif look is not None and look.face is CardFace.UP and not to_be_laid(lay, slot) and slot not in round.eyes.ruled:
        given_up = _street_card(round, lay, slot[1])
        open_incident(
            draft, "exposed_card", by=state.config.camera, circumstances={"revealed": True},
            cards=(given_up.card.id,), slot=slot, evidence=kept(look.evidence),
        )  # fmt: skip
        return
    stand_laid(draft, lay)


def stand_laid(draft: Draft, lay: Lay) -> None:
    """What was set lies open once it is all there and the street is bare; each card confirmed, or owed by the eye."""
    state, round = draft.state, draft.round
    assert round is not None
    facts = [_street_card(round, lay, place) for place, _, _ in lay.to]
    looks = [state.felt.looks.get((zone, there)) for _, zone, there in lay.to]
    if any(look is None or look.face is CardFace.DOWN for look in looks):
        return
    gone = {place for (place, _, _), look in zip(lay.to, looks, strict=True) if look and look.face is CardFace.UP}
    if any(
        slot[0] == lay.box and concerns(lay, slot) and not (look.face is CardFace.UNSURE and slot[1] in gone)
        for slot, look in state.felt.looks.items()
    ):
        return  # a card that is seen in its row lies in the street no more, whatever the camera supposes there
    faces = tuple(fact.face or fact.card.card() for fact in facts)
    if too_often(state, faces):
        ids = tuple(fact.card.id for fact in facts)
        open_incident(draft, "fouled_deck", by=state.config.camera, cards=ids, slot=(lay.box, 1))
        return
    keys = tuple(fact.card.publish_key() for fact in facts)
    draft.emit(e.FactStood(fact=Laid(box=lay.box, to=lay.to, faces=faces, keys=keys, away=lay.away)))
    for fact, look in zip(facts, looks, strict=True):
        assert look is not None
        if look.face is CardFace.UP:
            draft.emit(e.CardConfirmed(id=fact.card.id, evidence=look.evidence, confidence=look.confidence))
        else:
            draft.emit(e.CardDoubted(id=fact.card.id, why="unsure"))


def lies_on_its_way(state: TableState, lay: Lay, slot: Slot, look: Seen | None) -> bool:
    """Whether a place looks as it may while cards are being laid: each card is in its old place or already in its new
    one.
    """
    round, targets = state.round, _targets(lay)
    assert round is not None
    if slot in targets:
        place = targets[slot]
        if look is None:
            return (lay.box, place) in state.felt.looks
        return look.face is CardFace.UP and _is(round, _street_card(round, lay, place), slot, look)
    if look is None:
        return slot[1] in lay.away or any(
            (zone, there) in state.felt.looks for place, zone, there in lay.to if place == slot[1]
        )
    if look.face is CardFace.DOWN:
        return True
    return to_be_laid(lay, slot) and _is(round, _street_card(round, lay, slot[1]), slot, look)


def too_often(state: TableState, faces: Sequence[Card]) -> bool:
    """Whether, with these turned up, a card lies open more often than the decks hold it: a person entered one so."""
    out = state.deck.faces if state.deck else {}
    return any(out.get(face, 0) + faces.count(face) > state.shoe.decks for face in faces)


def _targets(lay: Lay) -> dict[Slot, int]:
    """Each place a card comes to, and its place in the street."""
    return {(zone, there): place for place, zone, there in lay.to}


def _street_card(round: Round, lay: Lay, place: int) -> CardDealt:
    fact = round.deal.cards[lay.box, place]
    assert isinstance(fact, CardDealt)
    return fact


def _is(round: Round, due: CardDealt, slot: Slot, look: Seen) -> bool:
    """Whether the camera reads the card that is due there, or a person has ruled on this very look."""
    ruled = round.eyes.ruled.get(slot)
    return open_face(look) is (due.face or due.card.card()) or (
        ruled is not None and ruled.face is look.face and open_face(ruled) is open_face(look)
    )


def _laid_wrong(draft: Draft, lay: Lay, slot: Slot, look: Seen, due: CardDealt) -> None:
    """Open an incident for the card that lies where `due` should: misplaced if it is another card of the street, else a
    mismatch, as the camera reads a card that the shoe knows nothing of.
    """
    round = draft.round
    assert round is not None
    places = (*lay.away, *(place for place, _, _ in lay.to))
    street = (_street_card(round, lay, place) for place in places)
    other = next((one for one in street if (one.face or one.card.card()) is open_face(look)), None)
    kind, card = ("card_mismatch", due) if other is None else ("misplaced_card", other)
    open_incident(
        draft, kind, by=draft.state.config.camera, cards=(card.card.id,), slot=slot, evidence=kept(look.evidence),
        circumstances={} if other is None else {"identified": True, "count": 1, "next_dealt": False},
    )  # fmt: skip
