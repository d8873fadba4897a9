"""Takes a card that stands out of the deal again."""

from __future__ import annotations

from studio.errors import RefusedError
from studio.rounds import AnyFact, CardDealt, CardPostponed, CardRemoved, Laid, Misfit, Revealed, play
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.state.table import Round


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
    if isinstance(play(state.game.deal.script(round.rules), (*round.facts, *facts)), Misfit):
        facts = (*facts, *_replaced_later(draft, id))
    if isinstance(play(state.game.deal.script(round.rules), (*round.facts, *facts)), Misfit):
        raise RefusedError(
            "cards_after_it",
            "Other cards were dealt after this one, and it cannot be taken out any more: report a malfunction and void "
            "the round.",
        )
    draft.emit(*(e.FactStood(fact=fact) for fact in facts))


def _is_shown(round: Round, id: str) -> bool:
    """Whether the hand was turned up, or its street laid, since this card was dealt: then its cards are named."""
    box = ""
    for fact in round.plain:
        if isinstance(fact, CardDealt) and fact.card.id == id:
            box = fact.box
        elif isinstance(fact, Revealed | Laid) and fact.box == box:
            return True
    return False


def _replaced_later(draft: Draft, id: str) -> tuple[AnyFact, ...]:
    """In the poker room the next card takes the place of a hole card that is dead, once those after it are dealt."""
    state, round = draft.state, draft.round
    if state.game.peers is None or round is None:
        return ()
    return tuple(
        CardPostponed(box=box, place=place)
        for (box, place), fact in round.cards.items()
        if fact.card.id == id and box in state.game.peers.seats
    )
