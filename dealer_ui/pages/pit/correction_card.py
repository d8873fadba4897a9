"""The cards of a settled round as the pages of a correction show them, both eyes side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dealer_ui.felt.face import Face, face
from studio.journal import Reader
from studio.ports import CameraSawCard
from studio.rounds import CardReplaced
from studio.tables.correction.preview import open_cards
from studio.tables.event.record import read_body
from studio.tables.event.table import ObservationRecorded, Righting
from studio.tables.past.dossier import Dossier


@dataclass(frozen=True, slots=True)
class Lying:
    """A card of the round: what the record says it is, which eye read it, and the picture the camera kept of it.

    `shall`: what the correction makes of it, None where it asks nothing of this card.
    """

    id: str
    box: str
    place: int
    face: Face
    text: str
    source: str
    picture: str
    shall: Face | None = None


def lying(reader: Reader, dossier: Dossier) -> Sequence[Lying]:
    """Every open card, in the order of the boxes."""
    pictures = _pictures(reader, dossier)
    return [
        Lying(
            card.card.id, box, place, face(str(card.face)), str(card.face), card.source, pictures.get(card.card.id, "")
        )
        for (box, place), card in open_cards(dossier)
    ]


def changed(cards: Sequence[Lying], facts: Sequence[Righting]) -> Sequence[Lying]:
    """Those a correction speaks of."""
    shall = {fact.id: face(str(fact.face)) for fact in facts if isinstance(fact, CardReplaced)}
    concerned = {getattr(fact, "id", "") for fact in facts}
    return [replace(one, shall=shall.get(one.id)) for one in cards if one.id in concerned]


def evidence(reader: Reader, dossier: Dossier, facts: Sequence[Righting]) -> tuple[str, ...]:
    """The pictures of the cards concerned."""
    return tuple(one.picture for one in changed(lying(reader, dossier), facts) if one.picture)


def _pictures(reader: Reader, dossier: Dossier) -> Mapping[str, str]:
    """The last picture the camera kept of each card where it lay while the round was dealt, by the card's id."""
    seen: dict[tuple[str, int], str] = {}
    for row in reader.events(table=dossier.table, round=dossier.round.id, kinds=("CameraSawCard",)):
        event = read_body(row.body).event
        look = event.observation if isinstance(event, ObservationRecorded) else None
        if isinstance(look, CameraSawCard) and look.evidence:
            seen[look.zone, look.place] = look.evidence
    return {card.card.id: seen[slot] for slot, card in open_cards(dossier) if slot in seen}
