"""What a ruling still asks of the felt: which places, and in the order the cards were read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from studio.ports import CardFace
from studio.rounds import CardBurned, CardDealt
from studio.spoken import Slot
from studio.tables.felt.camera_look import awaited_slot, card_at, open_face, place_of, unconfirmed
from studio.tables.felt.disagreement import disagreements
from studio.tables.felt.shoe_reading import adopted
from studio.tables.state.incident import Incident
from studio.tables.state.table import Round, TableState

STUB_KINDS: Final = frozenset({"extra_card", "early_card"})
"""Incidents of a betting hand whose cards are shuffled back into the stub [PK7, PK8, PK9, PK10]."""


def left_to_do(state: TableState, incident: Incident) -> tuple[Slot, ...]:
    """The places of the felt that must still change before the incident closes."""
    round = state.round
    if round is None or not round.live or state.deck is None:
        return ()
    match incident.ruled:
        case "move_card" | "relay_from_discard":
            return in_read_order(round, unexplained(state))
        case "card_is_next_card" if incident.kind == "misplaced_card":
            return unexplained(state)
        case "card_is_next_card" | "card_is_next_burn" if not incident.cards:
            own = (incident.box, incident.place)
            return (own,) if own in state.felt.looks and card_at(round, own) is None else ()
        case "card_is_next_burn" if incident.kind == "exposed_card":
            own = (incident.box, incident.place)
            return (own,) if own in state.felt.looks and card_at(round, own) is None else ()
        case "reshuffle" if incident.kind in STUB_KINDS:
            return tuple(slot for slot in unexplained(state) if card_at(round, slot) is None)
        case "void_hand":
            return tuple(slot for slot in unexplained(state) if card_at(round, slot) is None)
        case "reuse_card":
            places = {place_of(round, id) for id in incident.cards}
            return tuple(slot for slot in unexplained(state) if slot in places)
        case "card_to_discard":
            own = (incident.box, incident.place)
            wrong = {*unexplained(state), *({own} & set(state.felt.looks))}
            return tuple(slot for slot in sorted(wrong) if card_at(round, slot) is None)
        case "continue" if incident.kind == "extra_card" and not incident.box:
            return tuple(slot for slot in unexplained(state) if card_at(round, slot) is None)
        case "continue" if incident.kind == "camera_unsure":
            return tuple(slot for fact in unconfirmed(round) if (slot := _place_among(round, fact, incident.cards)))
        case "reread_all":
            return tuple(slot for slot in places_to_lay(state) if not _read_since(state, slot, incident.ruled_at_ms))
    return ()


def in_read_order(round: Round, slots: Iterable[Slot]) -> tuple[Slot, ...]:
    """These places as their cards were read, the first of the deal first; what no card is due in comes after."""
    order = {slot: number for number, slot in enumerate(_as_read(round))}
    return tuple(sorted(slots, key=lambda slot: (order.get(slot, len(order)), slot)))


def _as_read(round: Round) -> Iterator[Slot]:
    for fact in round.plain:
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
    known = {slot for fact in round.cards.values() if (slot := place_of(round, fact.card.id))}
    due = {slot for slot in known | set(round.missed) if slot[0] not in round.mucked}
    return in_read_order(round, due)


def _read_since(state: TableState, slot: Slot, since_ms: int) -> bool:
    look, round = state.felt.looks.get(slot), state.round
    assert round is not None
    if look is None or look.at_ms <= since_ms:
        return False
    if slot in round.missed and card_at(round, slot) is None:
        return look.face is CardFace.UP and open_face(look) is not None
    return slot not in disagreements(state)
