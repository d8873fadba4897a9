"""Rulings that change which cards stand: two whole hands that changed places, and a card taken out again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from studio.cards import Card
from studio.errors import RefusedError
from studio.rounds import (
    AnyFact,
    CardBurned,
    CardDealt,
    CardMoved,
    CardPostponed,
    CardRemoved,
    HandsSwapped,
    Laid,
    Misfit,
    Revealed,
    corrected,
    play,
)
from studio.spoken import Slot
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.felt.camera_look import open_face
from studio.tables.felt.shoe_reading import refuse_seen
from studio.tables.state.round import Round
from studio.tables.state.table import TableState


def swap_hands(draft: Draft, arguments: tuple[str, ...]) -> None:
    """Take the cards as they lie, then swap the two hands: only where the script then fits [TK11]."""
    state, round = draft.state, draft.round
    if round is None or len(arguments) != 2:
        raise RefusedError("arguments", "Name the two hands to swap.")
    if not round.live:
        raise RefusedError("round_is_over", "The round is over: its result is corrected as a whole, not card by card.")
    laid = _as_laid(state)
    _need_whole(state, (*round.deal.facts, *laid), arguments)
    facts = (*round.deal.facts, *laid, HandsSwapped(a=arguments[0], b=arguments[1]))
    if isinstance(play(state.game.deal.script(round.rules), facts), Misfit):
        raise RefusedError(
            "does_not_fit",
            "These hands cannot be swapped: the cards do not lie in that pattern. Void the round instead.",
            which="pattern",
        )
    for one in state.undisposed:
        draft.emit(e.CardDisposed(id=one.sealed.id, to="dealt"))
    draft.emit(*(e.FactStood(fact=fact) for fact in facts[len(round.deal.facts) :]))
    swapped = draft.round
    assert swapped is not None
    for fact in swapped.deal.cards.values():
        at = _lies_at(state, fact.card.id, fact)
        if at is not None and isinstance(fact, CardDealt) and at != (fact.box, fact.place):
            draft.emit(e.PlaceAccepted(id=fact.card.id, zone=at[0], place=at[1]))


def _need_whole(state: TableState, facts: Sequence[AnyFact], hands: tuple[str, ...]) -> None:
    """Refuse to swap hands that are not dealt out: the cards still to come would go to the wrong one [TK11]."""
    dealt = Counter(fact.box for fact in corrected(facts) if isinstance(fact, CardDealt))
    if state.game.owned is None and any(dealt[hand] != state.game.felt.boxes.get(hand) for hand in hands):
        raise RefusedError(
            "hands_not_whole",
            "The hands are not whole yet: deal them out in the same order and rule then, or void the round.",
        )


def _as_laid(state: TableState) -> tuple[AnyFact, ...]:
    """The moves and the held cards that make the record say where every card really lies."""
    round = state.round
    assert round is not None
    found: list[AnyFact] = []
    for fact in round.deal.cards.values():
        at = _lies_at(state, fact.card.id, fact)
        if isinstance(fact, CardDealt) and at is not None and at != (fact.box, fact.place):
            found.append(CardMoved(id=fact.card.id, box=at[0], place=at[1]))
    for one in state.undisposed:
        at = _where_face(state, one.sealed.card())
        if at is None:
            raise RefusedError(
                "not_seen", "The camera does not see every card: square the cards, then rule again.", which="every_card"
            )
        refuse_seen(state, one.sealed.card(), None)
        found.append(
            CardDealt(card=one.sealed, box=at[0], place=at[1], face=one.sealed.card(), key=one.sealed.publish_key())
        )
    return tuple(found)


def _lies_at(state: TableState, id: str, fact: CardDealt | CardBurned) -> Slot | None:
    face = fact.face if isinstance(fact, CardDealt) else None
    return _where_face(state, face) if face is not None else None


def _where_face(state: TableState, face: Card) -> Slot | None:
    return next(
        (slot for slot, look in state.felt.looks.items() if look.face == "up" and open_face(look) is face), None
    )


def take_out(draft: Draft, id: str) -> None:
    """The card with this id counts no more; `RefusedError` where the deal has gone on over it."""
    state, round = draft.state, draft.round
    assert round is not None
    if _is_shown(round, id):
        raise RefusedError(
            "hand_shown",
            "The hand with this card has been shown, and the card cannot be taken out any more: report a malfunction "
            "and void the round.",
        )
    facts: tuple[AnyFact, ...] = (CardRemoved(id=id),)
    if isinstance(play(state.game.deal.script(round.rules), (*round.deal.facts, *facts)), Misfit):
        facts = (*facts, *_replaced_later(draft, id))
    if isinstance(play(state.game.deal.script(round.rules), (*round.deal.facts, *facts)), Misfit):
        raise RefusedError(
            "cards_after_it",
            "Other cards were dealt after this one, and it cannot be taken out any more: report a malfunction and void "
            "the round.",
        )
    draft.emit(*(e.FactStood(fact=fact) for fact in facts))


def _is_shown(round: Round, id: str) -> bool:
    """Whether the hand was turned up, or its street laid, since this card was dealt: then its cards are named."""
    box = ""
    for fact in round.deal.plain:
        if isinstance(fact, CardDealt) and fact.card.id == id:
            box = fact.box
        elif isinstance(fact, Revealed | Laid) and fact.box == box:
            return True
    return False


def _replaced_later(draft: Draft, id: str) -> tuple[AnyFact, ...]:
    """In the poker room, postpone the place of a dead hole card: its replacement comes once the cards after it are
    dealt.
    """
    state, round = draft.state, draft.round
    if state.game.peers is None or round is None:
        return ()
    return tuple(
        CardPostponed(box=box, place=place)
        for (box, place), fact in round.deal.cards.items()
        if fact.card.id == id and box in state.game.peers.seats
    )
