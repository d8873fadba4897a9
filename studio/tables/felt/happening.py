"""What the camera sees happen: a card comes, goes, shows its face, changes places, or lies in the open. What then lies
in a place is held against the record by `camera_look`.
"""

from __future__ import annotations

from typing import Final

from studio import ports
from studio.cards import Card, SealedCard
from studio.ports import CardFace
from studio.procedures.circumstance import WORDS
from studio.rounds import CardBurned, CardDealt
from studio.rulebook.script import Burn, Deal
from studio.spoken import Slot
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.felt.camera_look import (
    agrees,
    awaited_slot,
    card_at,
    due_open,
    face_of,
    is_open,
    judge,
    kept,
    misplaced,
    open_face,
    owner,
    place_of,
    unconfirmed,
)
from studio.tables.felt.early_card import tell_premature
from studio.tables.felt.shoe_reading import adopt
from studio.tables.felt.street_layout import awaited_lay, concerns, look_at_laying
from studio.tables.incident import Circumstances, open_incident, tell_more
from studio.tables.state.felt import Seen
from studio.tables.state.incident import Incident
from studio.tables.state.round import Round
from studio.tables.state.table import TableState, awaited
from studio.tables.street import is_betting_hand

_NOWHERE: Slot = ("", 0)
_LAID_ANEW: Final = frozenset({"relay_from_discard", "reread_all"})


def see(draft: Draft, seen: ports.AnyObservation) -> None:
    """A change the camera reports, once it is folded into the felt."""
    state = draft.state
    if state.round is None or not state.round.live or state.deck is None or state.status == "closed":
        return  # without a deck in the shoe the felt is being cleared for a new deal
    if getattr(seen, "zone", "") in ("discard", *state.round.deal.mucked):
        return
    match seen:
        case ports.CameraSawCard(zone=zone, place=place, before=before):
            if not tell_premature(draft, seen.device):
                _show_extra(draft, (zone, place))
            judge(draft, (zone, place), before=before)
            adopt(draft)  # the last hand may be turned: a card that waits to be the burn is it now
        case ports.CameraSawFlash():
            _flashed(draft, state.round, seen)
        case ports.CameraSawSwap():
            _swapped(draft, state.round, seen)
        case ports.CameraSawHand(zone=zone, place=place, stays=True):
            _hidden(draft, state.round, (zone, place))
        case ports.CameraSawEmpty(zone=zone, place=place):
            _gone(draft, state.round, (zone, place))
        case ports.CameraLostCard():
            _lost(draft, state.round, seen)
        case ports.CameraSawStray() if not state.held:
            _in_the_open(draft, state.round, seen)


# --- faces that show ----------------------------------------------------------------------------------------


def _flashed(draft: Draft, round: Round, seen: ports.CameraSawFlash) -> None:
    """A face showed over a place for a moment. That counts while the table is held, too: nobody can unsee it.

    Unless cards are being laid out anew by a ruling, and looked at for that.
    """
    slot, state = (seen.zone, seen.place), draft.state
    if any(incident.ruled.ruling in _LAID_ANEW for incident in state.incidents.open):
        return
    fact, face = card_at(round, slot), _face_in(seen.card)
    if face is not None and _is_no_secret(state, round, face):
        return  # an open card was carried past
    if fact is None:
        if slot == awaited_slot(state) and _comes_down(state):
            _expose(draft, (), slot, seen)
        elif not _show_extra(draft, slot, face, evidence=kept(seen.evidence)):
            _tell_of_unseen(draft, slot, seen)
    elif not is_open(fact) and not due_open(state, fact):
        _expose(draft, (fact.card.id,), slot, seen)


def _expose(draft: Draft, cards: tuple[str, ...], slot: Slot, seen: ports.CameraSawFlash) -> None:
    if any(
        known.kind == "exposed_card" and set(cards) & set(known.scene.cards) for known in draft.state.incidents.open
    ):
        return
    open_incident(
        draft, "exposed_card", by=seen.device, circumstances={"revealed": True}, cards=cards, slot=slot,
        evidence=kept(seen.evidence),
    )  # fmt: skip


def _comes_down(state: TableState) -> bool:
    now = awaited(state)
    return now is not None and (isinstance(now.step, Burn) or (isinstance(now.step, Deal) and now.step.face == "down"))


def _is_no_secret(state: TableState, round: Round, face: Card) -> bool:
    """Whether this face lies open somewhere, or is to: then it was that card, on its way.

    With several decks, one that lies in its place is not on its way.
    """
    if round.eyes.unread or any(one.sealed.has_key and one.sealed.card() is face for one in state.loose):
        return True
    if any(
        due_open(state, fact) and fact.card.has_key and fact.card.card() is face for fact in round.deal.cards.values()
    ):
        return True
    return any(face_of(fact) is face and not _at_home(state, round, fact) for fact in round.deal.cards.values())


def _at_home(state: TableState, round: Round, fact: CardDealt | CardBurned) -> bool:
    due = place_of(round, fact.card.id)
    look = state.felt.looks.get(due) if due else None
    return state.shoe.decks > 1 and look is not None and agrees(fact, look)


def _face_in(sealed: SealedCard | None) -> Card | None:
    return sealed.card() if sealed is not None and sealed.has_key else None


def _tell_of_unseen(draft: Draft, slot: Slot, seen: ports.CameraSawFlash) -> None:
    """The card one too many in this place was told unseen; now it has been seen."""
    for incident in draft.state.incidents.open:
        if incident.kind in ("extra_card", "early_card") and incident.scene.slot == slot:
            _tell_seen(draft, incident, slot, kept(seen.evidence))
            return


def _show_extra(draft: Draft, slot: Slot, face: Card | None = None, *, evidence: tuple[str, ...] = ()) -> bool:
    """Whether a card that came early, or one too many, has shown its face; its incident, opened unseen, is then told
    again.
    """
    round, look = draft.round, draft.state.felt.looks.get(slot)
    if round is None or card_at(round, slot):
        return False
    if face is None:
        if look is None or look.face is not CardFace.UP:
            return False
        face, evidence = open_face(look), kept(look.evidence)
    faces = {one.sealed.id: one.sealed for one in draft.state.undisposed if one.sealed.has_key}
    for incident in draft.state.incidents.open:
        drawn = [faces[id].card() for id in incident.scene.cards if id in faces]
        if drawn == [face] and not incident.ruled.ruling and not incident.scene.place:
            _tell_seen(draft, incident, slot, evidence)
            return True
    return False


def _tell_seen(draft: Draft, known: Incident, slot: Slot, evidence: tuple[str, ...]) -> None:
    """Before bets are in, a card that shows is an exposed one; after the last card it tells nothing new."""
    if is_betting_hand(draft.state.game):
        return  # told anew with what else is known of it
    kind = known.kind
    seen: dict[str, str | int | bool] = {"revealed": True, "moment": "street" if awaited(draft.state) else "last"}
    of_many_rounds = draft.state.shoe.rounds_per_shuffle is None
    if of_many_rounds and slot[0] in WORDS["drawn_for"]:
        seen["drawn_for"] = slot[0]  # [BC3] [BC4]
    if kind == "early_card" and known.ruling.ruling != "void_round":
        kind = "exposed_card"
    elif kind != "extra_card" or not (
        draft.state.game.owned or of_many_rounds or known.circumstances.get("moment") == "street"
    ):
        return
    tell_more(draft, known, seen, by=draft.state.config.camera, slot=slot, evidence=evidence, kind=kind)


# --- cards that lie elsewhere -------------------------------------------------------------------------------


def _swapped(draft: Draft, round: Round, seen: ports.CameraSawSwap) -> None:
    """Two recorded cards lie each where the other is due; the card named first lies in the incident's place."""
    one, other = (seen.zone, seen.place), (seen.other_zone, seen.other_place)
    due_at_one, due_at_other = card_at(round, one), card_at(round, other)
    if draft.state.held or not isinstance(due_at_one, CardDealt) or not isinstance(due_at_other, CardDealt):
        return
    dealt = [fact.card.id for fact in round.deal.plain if isinstance(fact, CardDealt)]
    cards = (due_at_other.card.id, due_at_one.card.id)
    draft.emit(*(e.CardDoubted(id=id, why="contradiction") for id in cards))
    open_incident(
        draft, "misplaced_card", by=seen.device, cards=cards, slot=one,
        circumstances={"next_dealt": dealt[-1] not in cards, "identified": True, "count": 2},
        evidence=kept(seen.evidence, seen.other_evidence),
    )  # fmt: skip


def _in_the_open(draft: Draft, round: Round, seen: ports.CameraSawStray) -> None:
    """A card lies where no place is: one the record knows and misses, or nobody knows which."""
    evidence = kept(seen.evidence)
    look = Seen(seen.face, seen.card, draft.at_ms, seen.evidence, seen.confidence)
    if other := owner(draft.state, round, look, _NOWHERE):
        misplaced(draft, other, _NOWHERE, evidence)
        return
    if look.face is CardFace.DOWN and _being_mucked(draft.state, round):
        return
    last = _last_unseen(draft.state, round) if look.face is CardFace.DOWN else None
    found: Circumstances = {} if last is None else {"next_dealt": False, "count": 1}
    cards = () if last is None else (last.card.id,)
    open_incident(draft, "misplaced_card", by=seen.device, circumstances=found, cards=cards, evidence=evidence)


def _being_mucked(state: TableState, round: Round) -> bool:
    """Whether cards of hands that were given up have left their places: one on its way to the discard may be seen."""
    return any(zone in round.deal.mucked and (zone, place) not in state.felt.looks for zone, place in round.deal.cards)


def _last_unseen(state: TableState, round: Round) -> CardDealt | CardBurned | None:
    """The card that came last, when it is due face down and lies nowhere yet."""
    last = next((fact for fact in reversed(round.deal.plain) if isinstance(fact, CardDealt | CardBurned)), None)
    if last is None or is_open(last) or last not in unconfirmed(round):
        return None
    due = place_of(round, last.card.id)
    return last if due is not None and due not in state.felt.looks else None


# --- cards that are seen no more ----------------------------------------------------------------------------


def _hidden(draft: Draft, round: Round, slot: Slot) -> None:
    """A hand stays over a recorded card: nobody sees any more that it lies there [HG21].

    Unless it is the dealer's, who lays the street of this seat.
    """
    if (lay := awaited_lay(draft.state)) is not None and slot[0].partition("_")[0] == lay.box:
        return
    fact = card_at(round, slot)
    if fact is not None and fact.card.id in round.eyes.confirmed:
        draft.emit(e.CardDoubted(id=fact.card.id, why="unsure"))


def _gone(draft: Draft, round: Round, slot: Slot) -> None:
    """A recorded card is not seen any more; the clock gives the dealer a moment to put it back."""
    if (lay := awaited_lay(draft.state)) is not None and concerns(lay, slot):
        if not draft.state.held:
            look_at_laying(draft, lay, slot)
        return
    fact = card_at(round, slot)
    if fact is not None and fact.card.id in round.eyes.confirmed:
        draft.emit(e.CardDoubted(id=fact.card.id, why="gone"))


def _lost(draft: Draft, round: Round, seen: ports.CameraLostCard) -> None:
    slot = (seen.zone, seen.place)
    fact = card_at(round, slot)
    known = seen.identified or (fact is not None and fact.card.id in round.eyes.confirmed)
    cards = (fact.card.id,) if fact else ()
    if fact:
        draft.emit(e.CardDoubted(id=fact.card.id, why="gone"))
    if draft.state.held:
        return
    open_incident(
        draft, "dropped_card", by=seen.device, circumstances={"identified": known}, cards=cards, slot=slot,
        evidence=kept(seen.evidence),
    )  # fmt: skip
