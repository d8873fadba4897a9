"""The card a ruling has the dealer put where it belongs, as one act of his hands: which card, and where to.

A card is named once it is open on record; one that is sealed is meant by the place where it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from studio.cards import Card
from studio.ports import CardFace
from studio.spoken import Places, Slot, Value
from studio.tables.felt.camera_look import card_at, face_of, place_of
from studio.tables.felt.street_layout import set_to
from studio.tables.state.incident import Incident
from studio.tables.state.look import open_face
from studio.tables.state.table import Round, TableState
from studio.views.words import Words

_MOVES: Final = "move_card"
_BACK: Final = frozenset({"relay_from_discard", "reuse_card"})
"""Rulings that lay a card back where it lay."""


def move_act(state: TableState, incident: Incident, left: Sequence[Slot]) -> Words | None:
    """What to do with the first card that is not yet where it belongs; None where the ruling moves none.

    `left` are the places that are still wrong, in the order they are put right.
    """
    round = state.round
    if round is None or incident.ruled not in {_MOVES, *_BACK} or not left:
        return None
    to = _due(state, round, incident, left)
    if to is None:
        return None
    fact = card_at(round, to)
    face = face_of(fact) if fact is not None else None
    where: dict[str, Value] = {"box": f"box.{to[0]}", "place": to[1]}
    key = f"act.carry_out.{incident.ruled}"
    if incident.ruled in _BACK:
        return Words(f"{key}.named", {"card": face.sign, **where}) if face is not None else None
    lies = _lies(state, round, incident, to, left)
    if face is None:
        return Words(f"{key}.sealed", {"places": Places((lies,)), **where}) if lies is not None else None
    other = _other_way(state, round, to, lies) if lies is not None else None
    if other is not None:
        return Words(f"{key}.exchange", {"card": face.sign, "other": other.sign})
    return Words(f"{key}.named", {"card": face.sign, **where})


def _due(state: TableState, round: Round, incident: Incident, left: Sequence[Slot]) -> Slot | None:
    """The place of the next card to be put right: the incident's own card first, then the others in the order they were
    read.
    """
    id = incident.cards[0] if incident.cards else ""
    own = (set_to(state, id) or place_of(round, id)) if id else None
    if own is not None and own in left:
        return own
    return next((slot for slot in left if card_at(round, slot) is not None), None)


def _lies(state: TableState, round: Round, incident: Incident, to: Slot, left: Sequence[Slot]) -> Slot | None:
    """The place where the card lies that belongs there; None where the camera sees it in no place."""
    fact = card_at(round, to)
    face = face_of(fact) if fact is not None else None
    told = (incident.box, incident.place)
    if (
        incident.cards
        and told in state.felt.looks
        and told != to
        and (fact is None or fact.card.id == incident.cards[0])
    ):
        return told
    if face is not None:
        lying = (slot for slot, look in sorted(state.felt.looks.items()) if slot != to and open_face(look) is face)
        return next((slot for slot in lying if (own := card_at(round, slot)) is None or face_of(own) is not face), None)
    down = [slot for slot in left if slot in state.felt.looks and state.felt.looks[slot].face is CardFace.DOWN]
    return down[0] if len(down) == 1 and card_at(round, down[0]) is None else None


def _other_way(state: TableState, round: Round, to: Slot, lies: Slot) -> Card | None:
    """The open card of the place `lies`, if it lies at `to`: two cards that were exchanged. None otherwise."""
    fact, look = card_at(round, lies), state.felt.looks.get(to)
    face = face_of(fact) if fact is not None else None
    return face if face is not None and look is not None and open_face(look) is face else None
