"""What each of the two eyes says of the card of an incident, as the pit is shown it on the ways it may choose."""

from __future__ import annotations

from dataclasses import dataclass

from studio.cards import Card
from studio.errors import RefusedError
from studio.ports import CardFace
from studio.rounds import CardDealt
from studio.rulebook.script import Deal
from studio.tables.felt.camera_look import awaited_slot, open_face, open_or_due
from studio.tables.state.incident import Incident
from studio.tables.state.round import Round
from studio.tables.state.table import TableState, awaited


@dataclass(frozen=True, slots=True)
class Reading:
    """Choosing `ruling` makes the card count as `face`, which `eye` (`shoe`, `camera`, `manual`) has read."""

    ruling: str
    eye: str
    face: Card


def readings(state: TableState, incident: Incident) -> tuple[Reading, ...]:
    """What each eye says of the card of this incident. Empty for a card that lies face down and is not due to be
    turned.
    """
    round = state.round
    if round is None or not round.live:
        return ()
    fact = _fact(round, incident)
    recorded = fact.face if fact is not None else None
    source = fact.source if fact is not None else ""
    seen = _seen(state, incident, fact)
    match incident.kind:
        case "card_mismatch" | "conflicting_reread":
            said = [("shoe", source, recorded), ("camera", "camera", seen)]
        case "unread_card":
            said = [("continue", "camera", seen)]
        case "camera_unsure":
            said = [("continue", source, recorded)]
        case _:
            return ()
    return tuple(Reading(ruling, eye, face) for ruling, eye, face in said if face is not None)


def need_as_shown(state: TableState, incident: Incident, ruling: str, arguments: tuple[str, ...]) -> None:
    """Refuse a ruling for a reading that is another one by now than the person was shown."""
    now = {one.ruling: str(one.face) for one in readings(state, incident)}
    if arguments and ruling in ("shoe", "camera", "continue") and now and arguments != (now.get(ruling, ""),):
        sentence = "The card reads otherwise now than you were shown: look at both readings again, then rule."
        raise RefusedError("reading_changed", sentence)


def _fact(round: Round, incident: Incident) -> CardDealt | None:
    found = (fact for fact in round.deal.cards.values() if fact.card.id in incident.scene.cards)
    return next((fact for fact in found if isinstance(fact, CardDealt)), None)


def _seen(state: TableState, incident: Incident, fact: CardDealt | None) -> Card | None:
    """The face the camera reads, where a card may lie open: one dealt up or due to be turned, or the next one up."""
    slot = incident.scene.slot
    look, now = state.felt.looks.get(slot), awaited(state)
    if look is None or look.face is not CardFace.UP:
        return None
    if fact is not None:
        return open_face(look) if open_or_due(state, fact) else None
    due_up = now is not None and isinstance(now.step, Deal) and now.step.face is CardFace.UP
    return open_face(look) if due_up and slot == awaited_slot(state) else None
