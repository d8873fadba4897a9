"""The passing of time as a message: windows that end, eyes that are late, requests that lapse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from studio.people import has_lapsed
from studio.ports import CardFace
from studio.rounds import CardBurned, CardDealt
from studio.spoken import Slot
from studio.tables.correction.request import lapse_correction
from studio.tables.correction.unsealing import lapse_unsealing
from studio.tables.deal.course import end_window, go_on_with_bets
from studio.tables.decks.shuffler import tell_stalled
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.felt.camera_look import (
    UNREAD_AFTER_MS,
    burn_on_board,
    card_at,
    down_elsewhere,
    is_next_to_open,
    judge,
    misplaced,
    open_face,
    open_turned,
    place_of,
    unburned,
    unconfirmed,
)
from studio.tables.felt.street_layout import awaited_lay, concerns
from studio.tables.incident import open_incident
from studio.tables.irregularity.device_proof import late_proofs
from studio.tables.irregularity.remedy import settle_incident
from studio.tables.seats.player import send_idle_away
from studio.tables.state.felt import Seen
from studio.tables.state.round import Round
from studio.tables.state.table import phase_of

_BEHIND_MOST: Final = 5
"""So many times the usual patience a camera that is behind has at most."""


def tick(draft: Draft) -> None:
    """Everything that is due now, and nothing else."""
    _lapse(draft)
    lapse_correction(draft)
    lapse_unsealing(draft)
    late_proofs(draft)
    tell_stalled(draft)
    for incident in draft.state.incidents.open:
        if incident.ruled.ruling:
            settle_incident(draft, incident)
    send_idle_away(draft)
    round = draft.round
    if round is None or not round.live or draft.state.held or draft.state.deck is None:
        return
    if round.window.closes_at_ms is not None and draft.at_ms >= round.window.closes_at_ms:
        end_window(draft)
    go_on_with_bets(draft)
    _strangers(draft)
    _late_readings(draft)
    _nothing_to_turn(draft)
    open_turned(draft)
    _late_eyes(draft)
    _end_of_doubt(draft)


def _lapse(draft: Draft) -> None:
    for incident in draft.state.incidents.open:
        if incident.asked is not None and has_lapsed(incident.asked, draft.at_ms):
            draft.emit(e.RulingLapsed(id=incident.id))


def _strangers(draft: Draft) -> None:
    """Cards where the record has none, whose reading has had its time to come."""
    for slot in sorted(draft.state.felt.looks):
        round = draft.round
        if round is not None and round.live and card_at(round, slot) is None:
            judge(draft, slot)


def _late_readings(draft: Draft) -> None:
    """A place owed a reading: the camera's word alone, or no word at all [HG13, HG14]."""
    round = draft.round
    assert round is not None
    for slot, since_ms in round.eyes.missed.items():
        if draft.state.held or card_at(round, slot) is not None:
            continue
        look = draft.state.felt.looks.get(slot)
        if _is_late(draft, slot, since_ms, look) and not (slot[0] == "burn" and look and look.face is CardFace.DOWN):
            if look is not None and (burn := burn_on_board(draft.state, round, slot, look)):
                unburned(draft, burn, slot, look)
                continue
            if look is not None and (other := _laid_wrong(draft, round, slot, look)):
                misplaced(draft, other, slot, (look.evidence,) if look.evidence else ())
                continue
            read = look is not None and look.face is CardFace.UP and open_face(look) is not None
            circumstances = {"read": read, "revealed": read}
            open_incident(draft, "unread_card", by=draft.state.config.shoe, circumstances=circumstances, slot=slot)


def _laid_wrong(draft: Draft, round: Round, slot: Slot, look: Seen) -> CardDealt | None:
    """The card that was read last, if it lies nowhere while an unread card lies face down here: it must be that one."""
    if (down := down_elsewhere(draft.state, round, slot, look)) is not None:
        return down
    last = next((fact for fact in reversed(round.deal.plain) if isinstance(fact, CardDealt)), None)
    if last is None or last.face is None or look.face is not CardFace.DOWN or slot in round.eyes.unread:
        return None
    nowhere = last.card.id not in round.eyes.confirmed and _bare(draft, round, last.card.id)
    return last if nowhere else None


def _is_late(draft: Draft, slot: Slot, since_ms: int, look: Seen | None) -> bool:
    """Both eyes had their time. A card that only the camera saw, and that is gone again, is owed nothing."""
    assert draft.round is not None
    if slot in draft.round.eyes.unread:
        return draft.at_ms - since_ms >= (UNREAD_AFTER_MS if look else _patience_ms(draft))
    return look is not None and draft.at_ms - max(since_ms, look.at_ms) >= UNREAD_AFTER_MS


def _late_eyes(draft: Draft) -> None:
    """Cards the camera has not confirmed in time: gone from their place, or not sure [HG17, HG21]."""
    round = draft.round
    if round is None or draft.state.held:
        return
    late = [
        fact
        for fact in unconfirmed(round)
        if draft.at_ms - round.eyes.read_at_ms.get(fact.card.id, draft.at_ms) >= _patience_ms(draft)
    ]
    gone = [
        fact for fact in late if round.eyes.doubts.get(fact.card.id) == "gone" and _bare(draft, round, fact.card.id)
    ]
    if gone:
        _tell_gone(draft, round, gone)
        return
    lay = awaited_lay(draft.state)
    for fact in late:
        slot = place_of(round, fact.card.id)
        if slot is not None and lay is not None and concerns(lay, slot):
            continue  # it is on its way to its row, and is confirmed or doubted there
        if slot is not None and not _told(draft, fact.card.id):
            open_incident(draft, "camera_unsure", by=draft.state.config.camera, cards=(fact.card.id,), slot=slot)


def _tell_gone(draft: Draft, round: Round, late: Sequence[CardDealt | CardBurned]) -> None:
    """One open card that both eyes knew and that is missed in mid-deal fell; several were picked up [TK8, HG16, HG17].

    Of a card that lies face down nobody can say that the same one comes back: the pit sees it laid out again.
    """
    camera, doubts = draft.state.config.camera, round.eyes.doubts
    missed = [
        one for one in unconfirmed(round) if doubts.get(one.card.id) == "gone" and _bare(draft, round, one.card.id)
    ]
    fallen = missed[0]
    if len(missed) == 1 and isinstance(fallen, CardDealt) and fallen.face and phase_of(draft.state) == "dealing":
        slot, known = place_of(round, fallen.card.id), {"identified": True}
        assert slot is not None
        open_incident(draft, "dropped_card", by=camera, cards=(fallen.card.id,), slot=slot, circumstances=known)
        return
    open_incident(draft, "cleared_early", by=camera, cards=tuple(fact.card.id for fact in late))


def _nothing_to_turn(draft: Draft) -> None:
    """A card that is to be turned lies nowhere, though a person took it for seen: it is doubted after all [HG17]."""
    round, looks = draft.round, draft.state.felt.looks.values()
    if round is None or draft.state.held or any(draft.at_ms - look.at_ms < _patience_ms(draft) for look in looks):
        return
    for fact in round.deal.cards.values():
        if (
            fact.card.id in round.eyes.confirmed
            and is_next_to_open(draft.state, fact)
            and _bare(draft, round, fact.card.id)
        ):
            draft.emit(e.CardDoubted(id=fact.card.id, why="gone"))


def _end_of_doubt(draft: Draft) -> None:
    """The camera has confirmed after all: its question to the dealer is over."""
    round = draft.round
    if round is None:
        return
    owed = {fact.card.id for fact in unconfirmed(round)}
    for incident in draft.state.incidents.open:
        if incident.kind == "camera_unsure" and not owed & set(incident.scene.cards):
            draft.emit(e.IncidentClosed(id=incident.id))


def _told(draft: Draft, id: str) -> bool:
    return any(id in incident.scene.cards for incident in draft.state.incidents.open)


def _bare(draft: Draft, round: Round, id: str) -> bool:
    slot: Slot | None = place_of(round, id)
    return slot is not None and slot not in draft.state.felt.looks


def _patience_ms(draft: Draft) -> int:
    """How long the camera may take, in milliseconds. A camera that reports it is behind gets longer, in proportion, up
    to a limit.
    """
    patience_ms, late = int(draft.state.config.unsure_after_s * 1000), draft.state.devices.camera_late
    if late is None:
        return patience_ms
    slower_ms = patience_ms * 100 // max(1, 100 - late.shed_percent) + late.behind_ms
    return min(slower_ms, _BEHIND_MOST * patience_ms)
