"""The only place where the second eye meets the record: what the camera says of a place confirms a card,
contradicts it, or is a card where none belongs. Unsure is never agreement.
"""

from __future__ import annotations

from studio import ports
from studio.cards import Card, SealedCard
from studio.games.script import Burn, Deal
from studio.ports import CardFace
from studio.rounds import CardBurned, CardDealt
from studio.tables import event as e
from studio.tables.draft import Draft
from studio.tables.incident import open_incident
from studio.tables.state import Round, Seen, Slot, TableState, awaited, phase_of

Fact = CardDealt | CardBurned


def see(draft: Draft, seen: ports.AnyObservation) -> None:
    """A change the camera reports, once it is folded into the felt."""
    state = draft.state
    if state.round is None or not state.round.live or state.status == "closed":
        return
    if getattr(seen, "zone", "") == "discard":
        return
    match seen:
        case ports.CameraSawCard(zone=zone, place=place):
            judge(draft, (zone, place))
        case ports.CameraSawEmpty(zone=zone, place=place):
            _gone(draft, (zone, place))
        case ports.CameraLostCard(zone=zone, place=place, identified=identified):
            _lost(draft, (zone, place), identified=identified)
        case ports.CameraSawStray() if not state.held:
            open_incident(draft, "misplaced_card", by=seen.device, evidence=_kept(seen.evidence))


def judge(draft: Draft, slot: Slot) -> None:
    """Hold one place of the felt against the record. While the table is held the felt is only noted."""
    state, round = draft.state, draft.round
    look = state.felt.get(slot)
    if round is None or not round.live or state.held or look is None:
        return
    fact = card_at(round, slot)
    if fact is None:
        _foreign(draft, round, slot, look)
    elif agrees(fact, look):
        if not _stale(round, fact, look) and fact.card.id not in round.confirmed:
            draft.emit(e.CardConfirmed(id=fact.card.id, evidence=look.evidence, confidence=look.confidence))
    elif look.face is CardFace.UNSURE or (look.face is CardFace.DOWN and _is_open(fact)):
        if fact.card.id in round.confirmed:
            draft.emit(e.CardDoubted(id=fact.card.id, why="unsure"))
    else:
        _contradicted(draft, round, slot, fact, look)


def card_at(round: Round, slot: Slot) -> Fact | None:
    """The recorded card that should lie in this place: one accepted there, or the place's own."""
    cards = round.cards
    if id := round.accepted.get(slot):
        return next((fact for fact in cards.values() if fact.card.id == id), None)
    fact = cards.get(slot)
    return None if fact is None or fact.card.id in round.accepted.values() else fact


def place_of(round: Round, id: str) -> Slot | None:
    """Where card `id` should lie."""
    for slot, accepted in round.accepted.items():
        if accepted == id:
            return slot
    return next((slot for slot, fact in round.cards.items() if fact.card.id == id), None)


def agrees(fact: Fact, look: Seen) -> bool:
    """Whether the camera's word is the recorded card: the same face, or face down where it is due face down."""
    if not _is_open(fact):
        return look.face is CardFace.DOWN
    return look.face is CardFace.UP and open_face(look) is _face(fact)


def open_face(look: Seen) -> Card | None:
    """The face the camera read, where a face-up card is due; None without a face or without its key."""
    return look.sealed.card() if look.sealed is not None and look.sealed.has_key else None


def disagreements(state: TableState) -> tuple[Slot, ...]:
    """Places where felt and record differ: a card missing, another card, or a card where none belongs."""
    round = state.round
    if round is None or not round.live:
        return ()
    owed = {slot for fact in round.cards.values() if (slot := place_of(round, fact.card.id))}
    wrong = [slot for slot in owed | set(state.felt) if not _right(round, slot, state.felt.get(slot))]
    return tuple(sorted(wrong)) + tuple(("stray", 1) for _ in state.strays)


def unconfirmed(round: Round) -> tuple[Fact, ...]:
    """Cards of the deal on which the second eye has not agreed."""
    return tuple(fact for fact in round.cards.values() if fact.card.id not in round.confirmed)


def _right(round: Round, slot: Slot, look: Seen | None) -> bool:
    fact = card_at(round, slot)
    if fact is None or look is None:
        return fact is None and look is None
    return agrees(fact, look)


def _is_open(fact: Fact) -> bool:
    return isinstance(fact, CardDealt) and fact.face is not None


def _face(fact: Fact) -> Card | None:
    return fact.face if isinstance(fact, CardDealt) else None


def _stale(round: Round, fact: Fact, look: Seen) -> bool:
    """After a re-read order only what the camera saw since counts."""
    return round.doubts.get(fact.card.id) == "reread" and look.at_ms <= round.read_at_ms.get(fact.card.id, 0)


def _contradicted(draft: Draft, round: Round, slot: Slot, fact: Fact, look: Seen) -> None:
    camera = draft.state.config.camera
    evidence = _kept(look.evidence)
    if not _is_open(fact):
        draft.emit(e.CardDoubted(id=fact.card.id, why="contradiction"))
        open_incident(draft, "exposed_card", by=camera, cards=(fact.card.id,), slot=slot, evidence=evidence)
        return
    draft.emit(e.CardDoubted(id=fact.card.id, why="contradiction"))
    if other := _owner(round, look, slot):
        _misplaced(draft, other, slot, evidence)
        return
    open_incident(draft, "card_mismatch", by=camera, cards=(fact.card.id,), slot=slot, evidence=evidence)


def _foreign(draft: Draft, round: Round, slot: Slot, look: Seen) -> None:
    """A card lies where the record has none."""
    state, camera, evidence = draft.state, draft.state.config.camera, _kept(look.evidence)
    up = look.face is CardFace.UP
    if slot == _awaited_slot(state):
        _without_reading(draft, round, slot, look)
        return
    if other := _owner(round, look, slot):
        _misplaced(draft, other, slot, evidence)
        return
    if state.undisposed and up:
        cards = tuple(one.sealed.id for one in state.undisposed)
        kind = "exposed_card" if phase_of(state) == "betting" else "extra_card"
        open_incident(
            draft, kind, by=camera, circumstances={"revealed": True}, cards=cards, slot=slot, evidence=evidence
        )
        return
    if slot[0] == "burn" or (look.face is CardFace.DOWN and _burn_owed(round)):
        open_incident(draft, "burn_error", by=camera, slot=slot, evidence=evidence)
        return
    kind = "exposed_card" if up and phase_of(state) == "betting" else "extra_card"
    open_incident(draft, kind, by=camera, circumstances={"revealed": up}, slot=slot, evidence=evidence)


def _without_reading(draft: Draft, round: Round, slot: Slot, look: Seen) -> None:
    """The awaited place is taken and the shoe has said nothing, or that it could not read the card.

    A burn card needs no reading: face down in its zone is all that is asked of it [HG21].
    """
    if slot not in round.missed:
        draft.emit(e.ShoeMissed(box=slot[0], place=slot[1]))
    elif slot[0] == "burn" and look.face is CardFace.DOWN:
        unread = SealedCard(f"unread-{round.id}-{round.attempt}-{slot[1]}", b"", b"")
        draft.emit(e.FactStood(fact=CardBurned(card=unread, place=slot[1])))
        draft.emit(e.CardConfirmed(id=unread.id, evidence=look.evidence, confidence=look.confidence))


def _misplaced(draft: Draft, fact: CardDealt, slot: Slot, evidence: tuple[str, ...]) -> None:
    round = draft.round
    assert round is not None
    dealt = [one.card.id for one in round.plain if isinstance(one, CardDealt)]
    circumstances = {"next_dealt": dealt[-1] != fact.card.id, "identified": True, "count": 1}
    open_incident(
        draft, "misplaced_card", by=draft.state.config.camera, circumstances=circumstances, cards=(fact.card.id,),
        slot=slot, evidence=evidence,
    )  # fmt: skip


def _owner(round: Round, look: Seen, slot: Slot) -> CardDealt | None:
    """The open recorded card of this very face, when it is not the one that belongs at `slot`."""
    face = open_face(look) if look.face is CardFace.UP else None
    for at, fact in round.cards.items():
        if face is not None and at != slot and _face(fact) is face and isinstance(fact, CardDealt):
            return fact
    return None


def _awaited_slot(state: TableState) -> Slot | None:
    now = awaited(state)
    match now.step if now else None:
        case Deal(box=box):
            return (box, now.place) if now else None
        case Burn():
            return ("burn", now.done + 1) if now else None
    return None


def _burn_owed(round: Round) -> bool:
    return any(isinstance(fact, CardBurned) for fact in unconfirmed(round))


def _gone(draft: Draft, slot: Slot) -> None:
    """A recorded card is not seen any more; the clock gives the dealer a moment to put it back."""
    round = draft.round
    assert round is not None
    fact = card_at(round, slot)
    if fact is not None and not draft.state.held and fact.card.id in round.confirmed:
        draft.emit(e.CardDoubted(id=fact.card.id, why="gone"))


def _lost(draft: Draft, slot: Slot, *, identified: bool) -> None:
    round, state = draft.round, draft.state
    assert round is not None
    fact = card_at(round, slot)
    if state.held:
        return
    known = identified or (fact is not None and fact.card.id in round.confirmed)
    cards = (fact.card.id,) if fact else ()
    if fact:
        draft.emit(e.CardDoubted(id=fact.card.id, why="gone"))
    open_incident(
        draft, "dropped_card", by=state.config.camera, circumstances={"identified": known}, cards=cards, slot=slot
    )


def _kept(evidence: str) -> tuple[str, ...]:
    return (evidence,) if evidence else ()
