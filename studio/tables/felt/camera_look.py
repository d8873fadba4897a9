"""Holds what the camera says of a place against the record: it confirms a card, contradicts it, or shows one where none
belongs. Unsure is never agreement.
"""

from __future__ import annotations

from typing import Final

from studio.cards import Card, SealedCard
from studio.ports import CardFace
from studio.rounds import CardBurned, CardDealt, Revealed
from studio.rulebook.hand_terms import BOARD
from studio.rulebook.script import Burn, Deal, Reveal
from studio.spoken import Slot
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.felt.skipped_card import PassedOver, passed_over
from studio.tables.felt.street_layout import awaited_lay, concerns, look_at_laying, of_street, to_be_laid, too_often
from studio.tables.incident import Circumstances, open_incident
from studio.tables.state.felt import Seen
from studio.tables.state.felt import kept as kept
from studio.tables.state.felt import open_face as open_face
from studio.tables.state.round import Round, is_turned
from studio.tables.state.table import TableState, awaited, phase_of
from studio.tables.street import is_betting_hand

Fact = CardDealt | CardBurned

UNREAD_AFTER_MS: Final = 1_500
"""A card that lies on the felt this long without a reading was not read: shoe frames take milliseconds."""


def judge(draft: Draft, slot: Slot, *, before: str = "") -> None:
    """Hold one place of the felt against the record. While the table is held the felt is only noted.

    `before`: the picture of another card that lay there, and was exchanged for this one.
    """
    state, round = draft.state, draft.round
    look = state.felt.looks.get(slot)
    if round is None or not round.live or state.deck is None or state.held or look is None:
        return
    if slot[0] in round.deal.mucked:
        return
    if (lay := awaited_lay(state)) is not None and concerns(lay, slot):
        look_at_laying(draft, lay, slot)
        return
    fact, ruled = card_at(round, slot), may_lie_so(round, slot, look)
    if fact is None:
        if not ruled:
            _foreign(draft, round, slot, look)
    elif due_open(draft.state, fact):
        try_reveal(draft, slot, look)
    elif ruled or agrees(fact, look):
        if not _stale(round, fact, look) and fact.card.id not in round.eyes.confirmed:
            draft.emit(e.CardConfirmed(id=fact.card.id, evidence=look.evidence, confidence=look.confidence))
    elif look.face is CardFace.UNSURE or (look.face is CardFace.DOWN and is_open(fact)):
        if fact.card.id in round.eyes.confirmed and round.eyes.ruled.get(slot) != look:
            draft.emit(e.CardDoubted(id=fact.card.id, why="unsure"))
    else:
        _contradicted(draft, round, slot, fact, kept(before, look.evidence))


def due_open(state: TableState, fact: Fact) -> bool:
    """Whether this card lies face down and the script awaits that cards are turned: its box's, or another's first.

    Of a street that is laid, only the cards that were set.
    """
    if (lay := awaited_lay(state)) is not None:
        return isinstance(fact, CardDealt) and to_be_laid(lay, (fact.box, fact.place))
    now = awaited(state)
    due = now is not None and isinstance(now.step, Reveal)
    return due and isinstance(fact, CardDealt) and _dealt_down(state, fact) and not is_turned(fact)


def is_next_to_open(state: TableState, fact: Fact) -> bool:
    """Whether this card lies in the box the script awaits to be turned now."""
    now = awaited(state)
    return now is not None and isinstance(now.step, Reveal) and isinstance(fact, CardDealt) and fact.box == now.step.box


def open_or_due(state: TableState, fact: Fact) -> bool:
    """Whether anybody may say what this card is: it lies open, or the script awaits that it is turned."""
    return is_open(fact) or due_open(state, fact)


def _dealt_down(state: TableState, fact: CardDealt) -> bool:
    """Dealt without a face, whatever a correction has given it since."""
    assert state.round is not None
    return any(
        one.card.id == fact.card.id and one.face is None for one in state.round.deal.facts if isinstance(one, CardDealt)
    )


def try_reveal(draft: Draft, slot: Slot, look: Seen) -> None:
    """A card of the box to be revealed is looked at: once all of them lie open and both eyes agree, they are open."""
    round = draft.round
    assert round is not None
    fact = card_at(round, slot)
    assert isinstance(fact, CardDealt)
    if look.face is CardFace.UNSURE:
        if fact.card.id in round.eyes.confirmed:
            draft.emit(e.CardDoubted(id=fact.card.id, why="unsure"))
        return
    if look.face is CardFace.UP and not turned_right(round, fact, slot, look):
        draft.emit(e.CardDoubted(id=fact.card.id, why="contradiction"))
        open_incident(
            draft, "card_mismatch", by=draft.state.config.camera, cards=(fact.card.id,), slot=slot,
            evidence=kept(look.evidence),
        )  # fmt: skip
        return
    if fact.card.id not in round.eyes.confirmed:
        draft.emit(e.CardConfirmed(id=fact.card.id, evidence=look.evidence, confidence=look.confidence))
    open_turned(draft)


def open_turned(draft: Draft) -> None:
    """Hands that lie open stand as revealed when they are due: a dealer may have turned them before their turn."""
    while (now := awaited(draft.state)) and isinstance(now.step, Reveal) and _stand_reveal(draft, now.step.box):
        pass


def _stand_reveal(draft: Draft, box: str) -> bool:
    """Open the box if each of its cards lies open and is confirmed; False when one does not."""
    round, felt = draft.round, draft.state.felt.looks
    assert round is not None
    facts = [
        fact
        for slot in sorted(round.deal.cards)
        if isinstance(fact := round.deal.cards[slot], CardDealt) and slot[0] == box
    ]
    for fact in facts:
        at = place_of(round, fact.card.id)
        look = felt.get(at) if at else None
        if look is None or look.face is CardFace.DOWN or fact.card.id not in round.eyes.confirmed:
            return False
    faces = tuple(fact.face or fact.card.card() for fact in facts)
    if too_often(draft.state, [face for fact, face in zip(facts, faces, strict=True) if not is_turned(fact)]):
        ids = tuple(fact.card.id for fact in facts)
        open_incident(draft, "fouled_deck", by=draft.state.config.camera, cards=ids, slot=(box, 1))
        return False
    keys = tuple(fact.key or fact.card.publish_key() for fact in facts)
    draft.emit(e.FactStood(fact=Revealed(box=box, faces=faces, keys=keys)))
    return True


def turned_right(round: Round, fact: CardDealt, slot: Slot, look: Seen) -> bool:
    """The face the camera reads is the one the shoe read, or a person has ruled on this look."""
    return open_face(look) is (fact.face or fact.card.card()) or may_lie_so(round, slot, look)


def card_at(round: Round, slot: Slot) -> Fact | None:
    """The recorded card that should lie in this place: one accepted there, or the place's own."""
    cards = round.deal.cards
    if id := round.eyes.accepted.get(slot):
        return next((fact for fact in cards.values() if fact.card.id == id), None)
    fact = cards.get(slot)
    return None if fact is None or fact.card.id in round.eyes.accepted.values() else fact


def place_of(round: Round, id: str) -> Slot | None:
    """Where card `id` should lie."""
    for slot, accepted in round.eyes.accepted.items():
        if accepted == id:
            return slot
    return next((slot for slot, fact in round.deal.cards.items() if fact.card.id == id), None)


def agrees(fact: Fact, look: Seen) -> bool:
    """Whether the camera's word is the recorded card: the same face, or face down where it is due face down."""
    if not is_open(fact):
        return look.face is CardFace.DOWN
    return look.face is CardFace.UP and open_face(look) is face_of(fact)


def may_lie_so(round: Round, slot: Slot, look: Seen) -> bool:
    """A person has ruled on this very look in this place."""
    ruled = round.eyes.ruled.get(slot)
    if ruled is None or ruled.face is not look.face or look.face is CardFace.UNSURE:
        return False
    same = open_face(ruled) is open_face(look)
    return same and (look.face is CardFace.DOWN or open_face(look) is not None)


def unconfirmed(round: Round) -> tuple[Fact, ...]:
    """Cards of the deal on which the second eye has not agreed; a hand that was given up needs no eye any more."""
    mucked = round.deal.mucked
    return tuple(
        fact
        for (zone, _), fact in round.deal.cards.items()
        if fact.card.id not in round.eyes.confirmed and zone not in mucked
    )


def is_open(fact: Fact) -> bool:
    """Whether this card lies face up for everybody."""
    return isinstance(fact, CardDealt) and fact.face is not None


def face_of(fact: Fact) -> Card | None:
    """The face everybody knows; None of a card that lies face down."""
    return fact.face if isinstance(fact, CardDealt) else None


def _stale(round: Round, fact: Fact, look: Seen) -> bool:
    """After a re-read order only what the camera saw since counts."""
    return round.eyes.doubts.get(fact.card.id) == "reread" and look.at_ms <= round.eyes.read_at_ms.get(fact.card.id, 0)


def _contradicted(draft: Draft, round: Round, slot: Slot, fact: Fact, evidence: tuple[str, ...]) -> None:
    camera, look = draft.state.config.camera, draft.state.felt.looks[slot]
    draft.emit(e.CardDoubted(id=fact.card.id, why="contradiction"))
    if not is_open(fact):
        open_incident(draft, "exposed_card", by=camera, cards=(fact.card.id,), slot=slot, evidence=evidence)
    elif burn := burn_on_board(draft.state, round, slot, look):
        unburned(draft, burn, slot, look)
    elif other := owner(draft.state, round, look, slot):
        misplaced(draft, other, slot, evidence)
    else:
        open_incident(draft, "card_mismatch", by=camera, cards=(fact.card.id,), slot=slot, evidence=evidence)


def _foreign(draft: Draft, round: Round, slot: Slot, look: Seen) -> None:
    """A card lies where the record has none."""
    state, evidence = draft.state, kept(look.evidence)
    if _on_its_way(state, round, look):
        return  # the camera's own question to the dealer will be about the place it is due in [HG21]
    if other := owner(state, round, look, slot) or of_street(state, look):
        misplaced(draft, other, slot, evidence)
    elif look.face is CardFace.UP and (burn := burn_on_board(state, round, slot, look)):
        unburned(draft, burn, slot, look)
    elif slot == awaited_slot(state):
        _without_reading(draft, round, slot, look)
    elif _waits(state, look):
        return  # the card that was ruled to be the next one
    elif _is_reading_due(draft, round, look):
        return  # the shoe may say in a moment that this is the next card; or one before it has to be read first
    elif slot[0] == "burn" or phase_of(state) == "burning" or _burn_owed(round):
        open_incident(draft, "burn_error", by=state.config.camera, slot=slot, evidence=evidence)
    elif down := down_elsewhere(state, round, slot, look):
        misplaced(draft, down, slot, evidence)
    else:
        _one_too_many(draft, slot, look)


def burn_on_board(state: TableState, round: Round, slot: Slot, look: Seen) -> CardBurned | None:
    """The card that stands as the burn of a betting hand, where it may be the one seen on the board [PK11]."""
    if not is_betting_hand(state.game) or slot[0] != BOARD:
        return None
    last = next((fact for fact in reversed(unconfirmed(round)) if isinstance(fact, CardBurned)), None)
    if last is None or ("burn", last.place) in state.felt.looks or look.face is CardFace.UNSURE:
        return None
    same = look.face is CardFace.DOWN or (last.card.has_key and last.card.card() is open_face(look))
    return last if same else None


def unburned(draft: Draft, burn: CardBurned, slot: Slot, look: Seen) -> None:
    """No burn was made: the card that was due in its zone lies on the board."""
    seen = look.face is CardFace.UP
    open_incident(
        draft, "burn_error", by=draft.state.config.camera, circumstances={"revealed": seen, "count": 1},
        cards=(burn.card.id,), slot=slot, evidence=kept(look.evidence),
    )  # fmt: skip


def down_elsewhere(state: TableState, round: Round, slot: Slot, look: Seen) -> CardDealt | None:
    """The first down card that lies nowhere, where one lies in a place of another hand. [PK1] [BC5]"""
    if look.face is not CardFace.DOWN or slot[0] in (BOARD, "burn") or slot in round.eyes.unread:
        return None
    if state.game.peers is not None and not is_betting_hand(state.game):
        return None  # of an open-faced hand the street tells which card it is
    dealt = (fact for fact in round.deal.plain if isinstance(fact, CardDealt) and not is_open(fact))
    return next((fact for fact in dealt if _lies_nowhere(state, round, fact, slot)), None)


def _lies_nowhere(state: TableState, round: Round, fact: CardDealt, slot: Slot) -> bool:
    """Whether no eye has seen this card and its own place, which is another than this one, is empty."""
    due = place_of(round, fact.card.id)
    return fact.card.id not in round.eyes.confirmed and due is not None and due != slot and due not in state.felt.looks


def _on_its_way(state: TableState, round: Round, look: Seen) -> bool:
    """Whether this may be a card that was ruled to be the next one, counts by now, and is not in its place yet."""
    owed = {fact.card.id for fact in unconfirmed(round)}
    coming = [one.sealed for one in state.loose if one.to == "dealt" and one.why != "held" and one.sealed.id in owed]
    if look.face is not CardFace.UP:
        return bool(coming)
    return any(card.has_key and card.card() is open_face(look) for card in coming)


def _waits(state: TableState, look: Seen) -> bool:
    """Whether the camera may be seeing a card that was ruled to be the next one: it lies face down, or shows
    that face.
    """
    waiting = [one.sealed for one in state.loose if one.to in ("next", "next_burn")]
    if look.face is not CardFace.UP or phase_of(state) == "betting":
        return bool(waiting) and look.face is not CardFace.UP
    return any(card.has_key and card.card() is open_face(look) for card in waiting)


def _one_too_many(draft: Draft, slot: Slot, look: Seen) -> None:
    """A card nobody awaits: exposed while bets are taken, else an extra one."""
    state, up = draft.state, look.face is CardFace.UP
    kind = "exposed_card" if up and phase_of(state) == "betting" else "extra_card"
    cards = tuple(one.sealed.id for one in state.undisposed) if up else ()
    open_incident(
        draft, kind, by=state.config.camera, circumstances={"revealed": up}, cards=cards, slot=slot,
        evidence=kept(look.evidence),
    )  # fmt: skip


def _is_reading_due(draft: Draft, round: Round, look: Seen) -> bool:
    if any(zone != "burn" for zone, _ in round.eyes.unread):
        return True
    return awaited_slot(draft.state) is not None and draft.at_ms - look.at_ms < UNREAD_AFTER_MS


def _without_reading(draft: Draft, round: Round, slot: Slot, look: Seen) -> None:
    """The awaited place is taken and the shoe has said nothing, or that it could not read the card.

    A burn card needs no reading: face down in its zone is all that is asked of it [HG21].
    """
    if slot not in round.eyes.missed:
        draft.emit(e.ShoeMissed(box=slot[0], place=slot[1]))
        return
    late = slot in round.eyes.unread or draft.at_ms - max(round.eyes.missed[slot], look.at_ms) >= UNREAD_AFTER_MS
    if slot[0] == "burn" and look.face is CardFace.DOWN and late:
        unread = SealedCard(f"unread-{round.id}-{round.deal.attempt}-{slot[1]}", b"", b"")
        draft.emit(e.FactStood(fact=CardBurned(card=unread, place=slot[1])))
        draft.emit(e.CardConfirmed(id=unread.id, evidence=look.evidence, confidence=look.confidence))


def misplaced(draft: Draft, fact: CardDealt, slot: Slot, evidence: tuple[str, ...]) -> None:
    """This card, due elsewhere, lies in `slot`."""
    round = draft.round
    assert round is not None
    dealt = [one.card.id for one in round.deal.plain if isinstance(one, CardDealt)]
    circumstances: Circumstances = {"next_dealt": dealt[-1] != fact.card.id, "identified": True, "count": 1}
    misplaced: PassedOver = ("misplaced_card", circumstances)
    kind, circumstances = (dealt[-1] == fact.card.id and passed_over(draft.state, fact, slot)) or misplaced
    open_incident(
        draft, kind, by=draft.state.config.camera, circumstances=circumstances, cards=(fact.card.id,),
        slot=slot, evidence=evidence,
    )  # fmt: skip


def owner(state: TableState, round: Round, look: Seen, slot: Slot) -> CardDealt | None:
    """The open recorded card of this very face, when it is due in another place and does not lie there."""
    face = open_face(look) if look.face is CardFace.UP else None
    for fact in round.deal.cards.values():
        if face is None or face_of(fact) is not face or not isinstance(fact, CardDealt):
            continue
        due = place_of(round, fact.card.id)
        there = state.felt.looks.get(due) if due else None
        if due != slot and not (there and agrees(fact, there)):
            return fact
    return None


def awaited_slot(state: TableState) -> Slot | None:
    """The place where the script awaits the next card."""
    now = awaited(state)
    match now.step if now else None:
        case Deal(box=box):
            return (box, now.place) if now else None
        case Burn() if state.round:
            cards, places = state.round.deal.cards, range(1, state.game.felt.burns + 1)
            return next((("burn", place) for place in places if ("burn", place) not in cards), None)
    return None


def due_slot(state: TableState) -> Slot | None:
    """Where the next card goes on the felt. If another card was left in that place by a ruling, it is the place which
    that card should have had.
    """
    slot, round = awaited_slot(state), state.round
    seen: set[Slot] = set()
    while slot is not None and round is not None and slot in round.eyes.accepted and slot not in seen:
        seen.add(slot)
        slot = next((own for own, fact in round.deal.cards.items() if fact.card.id == round.eyes.accepted[slot]), None)
    return slot


def is_due_down(state: TableState) -> bool:
    """Whether the next card lies face down, also while the table is held."""
    now = awaited(state)
    match now.step if now else None:
        case Burn() | Deal(face=CardFace.DOWN):
            return True
    return False


def _burn_owed(round: Round) -> bool:
    return any(isinstance(fact, CardBurned) for fact in unconfirmed(round))
