"""The only place where a ruling is carried out: what it does to the record, and what is left to do on the felt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from studio.cards import Card
from studio.errors import RefusedError
from studio.rounds import CardBurned, CardDealt, CardReplaced, HandsSwapped, Misfit, play
from studio.rounds.fact import AnyFact, CardMoved
from studio.tables import event as e
from studio.tables.draft import Draft
from studio.tables.reading import adopt
from studio.tables.seeing import card_at, disagreements, judge, open_face, place_of, unconfirmed
from studio.tables.state import Incident, Slot, TableState, awaited

Carrying = Callable[[Draft, Incident, tuple[str, ...], str], None]


def carry_out(draft: Draft, incident: Incident, ruling: str, arguments: tuple[str, ...], by: str) -> None:
    """Change the record as the ruling says; refuses where it cannot be done as things lie."""
    CARRY[ruling](draft, incident, arguments, by)


def settle_incident(draft: Draft, incident: Incident) -> None:
    """Close a ruled incident once nothing is left to do on the felt, and let the deal go on."""
    if left_to_do(draft.state, incident):
        return
    if incident.ruled == "reread_all":
        _take_camera_readings(draft)
    draft.emit(e.IncidentClosed(id=incident.id))
    resume(draft)


def resume(draft: Draft) -> None:
    """When nothing holds the table any more: held cards enter the deal, and every place is looked at anew."""
    if draft.state.held:
        return
    adopt(draft)
    round = draft.round
    if round is None or not round.live:
        return
    for slot in sorted(set(draft.state.felt) | set(round.cards)):
        judge(draft, slot)


def left_to_do(state: TableState, incident: Incident) -> tuple[Slot, ...]:
    """The places of the felt that must still change before the incident closes."""
    round = state.round
    if round is None or not round.live:
        return ()
    match incident.ruled:
        case "move_card" | "relay_from_discard":
            return disagreements(state)
        case "reread_all":
            return tuple(slot for slot in _every_place(state) if not _read_since(state, slot, incident.ruled_at_ms))
    return ()


def _every_place(state: TableState) -> tuple[Slot, ...]:
    round = state.round
    assert round is not None
    known = {slot for fact in round.cards.values() if (slot := place_of(round, fact.card.id))}
    return tuple(sorted(known | set(round.missed)))


def _read_since(state: TableState, slot: Slot, since_ms: int) -> bool:
    look, round = state.felt.get(slot), state.round
    assert round is not None
    if look is None or look.at_ms <= since_ms:
        return False
    return slot in round.missed or slot not in disagreements(state)


def _continue(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """The round stands as it is: whatever was doubted in this incident is accepted by the person who rules."""
    round = draft.round
    if round is None or not round.live:
        return
    if incident.kind == "unread_card":
        _use_camera(draft, (incident.box, incident.place), by)
    if incident.kind in ("burn_error", "camera_unsure"):
        for fact in unconfirmed(round):
            if isinstance(fact, CardBurned) if incident.kind == "burn_error" else fact.card.id in incident.cards:
                draft.emit(e.CardConfirmed(id=fact.card.id, by=by))
    if incident.kind in ("misplaced_card", "wrong_order") and incident.cards and incident.place:
        draft.emit(e.PlaceAccepted(id=incident.cards[0], zone=incident.box, place=incident.place))
    _discard_loose(draft, incident)


def _discard(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    _discard_loose(draft, incident)


def _discard_loose(draft: Draft, incident: Incident, to: str = "discard") -> None:
    for one in draft.state.undisposed:
        if one.sealed.id in incident.cards:
            draft.emit(e.CardDisposed(id=one.sealed.id, to=to))


def _next_card(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    _discard_loose(draft, incident, "next")


def _next_burn(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    _discard_loose(draft, incident, "next_burn")


def _reuse(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """The card that fell lies in its place again; the camera owes a fresh word on it."""


def _move(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """The record stands; the dealer moves the card, and the incident closes when the camera agrees."""


def _reread(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    if draft.round is not None:
        for fact in draft.round.cards.values():
            draft.emit(e.CardDoubted(id=fact.card.id, why="reread"))


def _relay(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """The cards are laid back one by one; the incident closes when felt and record agree."""


def _swap(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """Take the cards as they lie, then swap the two hands: only where the script then fits [TK11]."""
    state, round = draft.state, draft.round
    if round is None or len(arguments) != 2:
        raise RefusedError("arguments", "Name the two hands to swap.")
    laid = _as_laid(state)
    facts = (*round.facts, *laid, HandsSwapped(a=arguments[0], b=arguments[1]))
    if isinstance(play(state.game.script(round.rules), facts), Misfit):
        raise RefusedError(
            "does_not_fit",
            "These hands cannot be swapped: the cards do not lie in that pattern. Void the round instead.",
        )
    for one in state.undisposed:
        draft.emit(e.CardDisposed(id=one.sealed.id, to="dealt"))
    draft.emit(*(e.FactStood(fact=fact) for fact in facts[len(round.facts) :]))
    swapped = draft.round
    assert swapped is not None
    for fact in swapped.cards.values():
        at = _lies_at(state, fact.card.id, fact)
        if at is not None and isinstance(fact, CardDealt) and at != (fact.box, fact.place):
            draft.emit(e.PlaceAccepted(id=fact.card.id, zone=at[0], place=at[1]))


def _as_laid(state: TableState) -> tuple[AnyFact, ...]:
    """The moves and the held cards that make the record say where every card really lies."""
    round = state.round
    assert round is not None
    found: list[AnyFact] = []
    for fact in round.cards.values():
        at = _lies_at(state, fact.card.id, fact)
        if isinstance(fact, CardDealt) and at is not None and at != (fact.box, fact.place):
            found.append(CardMoved(id=fact.card.id, box=at[0], place=at[1]))
    for one in state.undisposed:
        at = _where_face(state, one.sealed.card())
        if at is None:
            raise RefusedError("not_seen", "The camera does not see every card: square the cards, then rule again.")
        found.append(
            CardDealt(card=one.sealed, box=at[0], place=at[1], face=one.sealed.card(), key=one.sealed.publish_key())
        )
    return tuple(found)


def _lies_at(state: TableState, id: str, fact: CardDealt | CardBurned) -> Slot | None:
    face = fact.face if isinstance(fact, CardDealt) else None
    return _where_face(state, face) if face is not None else None


def _where_face(state: TableState, face: Card) -> Slot | None:
    return next((slot for slot, look in state.felt.items() if look.face == "up" and open_face(look) is face), None)


def _redeal(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    draft.emit(e.ShoeWithdrawn(why="reshuffle_and_redeal"), e.RedealOrdered(row=incident.row))
    _close_others(draft, incident)


def _reshuffle(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    draft.emit(e.ShoeWithdrawn(why="reshuffle"))
    if draft.round is not None and draft.round.live:
        draft.emit(e.RedealOrdered(row=incident.row))


def _replace_deck(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    draft.emit(e.ShoeWithdrawn(why="replace_deck", replace=True))
    if draft.round is not None and draft.round.live:
        draft.emit(e.RedealOrdered(row=incident.row))
    _close_others(draft, incident)


def _void_round(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    if draft.round is None or not draft.round.live:
        raise RefusedError("no_round", "There is no open round to void here.")
    draft.emit(e.RoundVoided(row=incident.row, incident=incident.id, by=by))
    for one in draft.state.undisposed:
        draft.emit(e.CardDisposed(id=one.sealed.id, to="discard"))
    _close_others(draft, incident)


def _void_shoe(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    if draft.round is not None and draft.round.live:
        _void_round(draft, incident, arguments, by)
    draft.emit(e.ShoeWithdrawn(why="void_shoe"))


def _close_others(draft: Draft, incident: Incident) -> None:
    """Incidents about cards that no longer count are over; lost devices and shoe errors stay."""
    for other in draft.state.incidents:
        if other.id != incident.id and other.kind not in ("device_lost", "shoe_error", "restart"):
            draft.emit(e.IncidentClosed(id=other.id))


def _shoe_right(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    draft.emit(*(e.CardConfirmed(id=id, by=by) for id in incident.cards))


def _camera_right(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    look = draft.state.felt.get((incident.box, incident.place))
    face = open_face(look) if look else None
    if face is None:
        raise RefusedError("not_seen", "The camera has no face for this card: choose the shoe's, or enter it by hand.")
    if not incident.cards:
        _use_camera(draft, (incident.box, incident.place), by)
        return
    _replace(draft, incident.cards[0], face, "camera", by)


def _manual(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    if not arguments:
        raise RefusedError("arguments", "Write the card as both of you see it, as in Th for the ten of hearts.")
    face = Card.parse(arguments[0])
    if incident.cards:
        _replace(draft, incident.cards[0], face, "manual", by)
        return
    raise RefusedError("no_card", "This incident names no card: rule on it another way.")


def _replace(draft: Draft, id: str, face: Card, source: str, by: str) -> None:
    round = draft.round
    if round is None or not any(fact.card.id == id for fact in round.cards.values()):
        raise RefusedError("no_card", "This card no longer counts in the round; there is nothing to correct.")
    held = draft.state.deck.faces.get(face, 0) if draft.state.deck else 0
    own = next((f.face for f in round.cards.values() if isinstance(f, CardDealt) and f.card.id == id), None)
    if held >= draft.state.game.decks and own is not face:
        raise RefusedError(
            "fouled", "That card has been seen already from this shoe; void the round and replace the deck."
        )
    draft.emit(e.FactStood(fact=CardReplaced(id=id, face=face, source=source)), e.CardConfirmed(id=id, by=by))


def _use_camera(draft: Draft, slot: Slot, by: str) -> None:
    """The shoe read nothing: the camera's reading becomes the card, marked as such [HG13]."""
    state, round = draft.state, draft.round
    look = state.felt.get(slot)
    now = awaited(state)
    if round is None or now is None or look is None or look.sealed is None or slot not in round.missed:
        raise RefusedError("not_seen", "The camera does not read this card: lay it square and face up, then try again.")
    fact = CardDealt(
        card=look.sealed, box=slot[0], place=slot[1], face=look.sealed.card(), key=look.sealed.publish_key(),
        source="camera",
    )  # fmt: skip
    draft.emit(e.FactStood(fact=fact), e.CardConfirmed(id=fact.card.id, by=by, evidence=look.evidence))


def _take_camera_readings(draft: Draft) -> None:
    """After a complete re-read the places the shoe missed count as the camera reads them."""
    round = draft.round
    assert round is not None
    for slot in tuple(round.missed):
        if card_at(round, slot) is None:
            _use_camera(draft, slot, "camera")


CARRY: Final[Mapping[str, Carrying]] = {
    "continue": _continue,
    "card_to_discard": _discard,
    "card_is_next_card": _next_card,
    "card_is_next_burn": _next_burn,
    "reuse_card": _reuse,
    "move_card": _move,
    "swap_hands": _swap,
    "reread_all": _reread,
    "relay_from_discard": _relay,
    "reshuffle": _reshuffle,
    "reshuffle_and_redeal": _redeal,
    "replace_deck": _replace_deck,
    "void_round": _void_round,
    "void_shoe": _void_shoe,
    "shoe": _shoe_right,
    "camera": _camera_right,
    "manual": _manual,
}
