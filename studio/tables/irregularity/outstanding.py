"""What a ruling still asks of the felt, in the order the cards were read, and where felt and record differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from studio.ports import CardFace
from studio.procedures.circumstance import is_yes
from studio.rounds import CardBurned, CardDealt
from studio.spoken import Slot
from studio.tables.felt.camera_look import (
    agrees,
    awaited_slot,
    card_at,
    due_open,
    may_lie_so,
    open_face,
    place_of,
    turned_right,
    unconfirmed,
)
from studio.tables.felt.shoe_reading import adopted
from studio.tables.felt.street_layout import awaited_lay, concerns, lies_on_its_way
from studio.tables.state.felt import Seen
from studio.tables.state.incident import Incident
from studio.tables.state.round import Round
from studio.tables.state.table import TableState

STUB_KINDS: Final = frozenset({"extra_card", "early_card"})
"""Incidents of a betting hand whose cards are shuffled back into the stub [PK7, PK8, PK9, PK10]."""


def left_to_do(state: TableState, incident: Incident) -> tuple[Slot, ...]:
    """The places of the felt that must still change before the incident closes."""
    round = state.round
    if round is None or not round.live or state.deck is None:
        return ()
    match incident.ruled.ruling:
        case "move_card" | "relay_from_discard":
            return in_read_order(round, unexplained(state))
        case "card_is_next_card" if incident.kind == "misplaced_card":
            return unexplained(state)
        case "card_is_next_card" if incident.kind == "extra_card" and goes_back(state, incident):
            return tuple(slot for slot in unexplained(state) if card_at(round, slot) is None)
        case "card_is_next_card" | "card_is_next_burn" if not incident.scene.cards:
            own = incident.scene.slot
            return (own,) if own in state.felt.looks and card_at(round, own) is None else ()
        case "card_is_next_burn" if incident.kind == "exposed_card":
            own = incident.scene.slot
            return (own,) if own in state.felt.looks and card_at(round, own) is None else ()
        case "reshuffle" if incident.kind in STUB_KINDS:
            return tuple(slot for slot in unexplained(state) if card_at(round, slot) is None)
        case "void_hand":
            return tuple(slot for slot in unexplained(state) if card_at(round, slot) is None)
        case "reuse_card":
            places = {place_of(round, id) for id in incident.scene.cards}
            return tuple(slot for slot in unexplained(state) if slot in places)
        case "card_to_discard":
            own = incident.scene.slot
            wrong = {*unexplained(state), *({own} & set(state.felt.looks))}
            return tuple(slot for slot in sorted(wrong) if card_at(round, slot) is None)
        case "continue" if incident.kind == "extra_card" and not incident.scene.box:
            return tuple(slot for slot in unexplained(state) if card_at(round, slot) is None)
        case "continue" if incident.kind == "camera_unsure":
            return tuple(
                slot for fact in unconfirmed(round) if (slot := _place_among(round, fact, incident.scene.cards))
            )
        case "reread_all":
            return tuple(slot for slot in places_to_lay(state) if not _read_since(state, slot, incident.ruled.at_ms))
    return ()


def goes_back(state: TableState, incident: Incident) -> bool:
    """Whether a card that nobody saw after the last one is pushed back into a shoe that deals the next round too."""
    seen = incident.circumstances.get("revealed")
    return state.shoe.rounds_per_shuffle is None and incident.phase == "result" and not is_yes(seen)


def in_read_order(round: Round, slots: Iterable[Slot]) -> tuple[Slot, ...]:
    """These places in the order in which their cards of this deal were read; places that no card is due in are last."""
    order = {slot: number for number, slot in enumerate(_as_read(round))}
    return tuple(sorted(slots, key=lambda slot: (order.get(slot, len(order)), slot)))


def _as_read(round: Round) -> Iterator[Slot]:
    for fact in round.deal.plain:
        if isinstance(fact, CardDealt | CardBurned) and (slot := place_of(round, fact.card.id)):
            yield slot


def unexplained(state: TableState) -> tuple[Slot, ...]:
    """Places where felt and record differ, once the cards drawn while the table was held are in the deal.

    A card in the place the next one is due is explained: it was drawn, and its reading is owed. So is one face down in
    the burn zone that was ruled to be the next burn.
    """
    after = adopted(state)
    explained = {awaited_slot(after), *_waiting_burns(after)}
    return tuple(slot for slot in disagreements(after) if slot not in explained)


def _waiting_burns(state: TableState) -> Iterator[Slot]:
    """The places where cards wait to be the next burn."""
    round, waiting = state.round, sum(one.to == "next_burn" for one in state.loose)
    lie = sorted(slot for slot, look in state.felt.looks.items() if slot[0] == "burn" and look.face is CardFace.DOWN)
    free = (slot for slot in lie if round is not None and card_at(round, slot) is None)
    return islice(free, waiting)


def _place_among(round: Round, fact: CardDealt | CardBurned, ids: tuple[str, ...]) -> Slot | None:
    return place_of(round, fact.card.id) if fact.card.id in ids else None


def places_to_lay(state: TableState) -> tuple[Slot, ...]:
    """Every place a card of the round is due in, in the order read: what is laid out or read anew."""
    round = state.round
    if round is None:
        return ()
    known = {slot for fact in round.deal.cards.values() if (slot := place_of(round, fact.card.id))}
    due = {slot for slot in known | set(round.eyes.missed) if slot[0] not in round.deal.mucked}
    return in_read_order(round, due)


def _read_since(state: TableState, slot: Slot, since_ms: int) -> bool:
    look, round = state.felt.looks.get(slot), state.round
    assert round is not None
    if look is None or look.at_ms <= since_ms:
        return False
    if slot in round.eyes.missed and card_at(round, slot) is None:
        return look.face is CardFace.UP and open_face(look) is not None
    return slot not in disagreements(state)


def disagreements(state: TableState) -> tuple[Slot, ...]:
    """Places where felt and record differ: a card missing, another card, or a card where none belongs."""
    round = state.round
    if round is None or not round.live:
        return ()
    owed = {slot for fact in round.deal.cards.values() if (slot := place_of(round, fact.card.id))}
    lay = awaited_lay(state)
    if lay is not None:
        owed |= {(zone, place) for _, zone, place in lay.to}
        owed -= {(lay.box, place) for place, _, _ in lay.to}  # once it is gone from there, it is missed in its row
    watched = (slot for slot in owed | set(state.felt.looks) if slot[0] not in round.deal.mucked)
    wrong = [slot for slot in watched if not _lies_right(state, round, slot, state.felt.looks.get(slot))]
    return tuple(sorted(wrong)) + tuple(("stray", 1) for _ in state.felt.strays)


def _lies_right(state: TableState, round: Round, slot: Slot, look: Seen | None) -> bool:
    fact = card_at(round, slot)
    lay = awaited_lay(state)
    if lay is not None and concerns(lay, slot):
        return lies_on_its_way(state, lay, slot, look)
    if look is not None and may_lie_so(round, slot, look):
        return True
    if fact is None or look is None:
        return fact is None and look is None
    if look.face is CardFace.UP and due_open(state, fact):
        assert isinstance(fact, CardDealt)
        return turned_right(round, fact, slot, look)
    return agrees(fact, look)
