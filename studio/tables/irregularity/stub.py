"""Putting the stub of a betting hand right: cards go back to it, it is shuffled, a burn is of other cards than it was
due, an exposed card is replaced.

A card that goes back lies aside until the street is due that needs it gone; then the dealer takes the stub out of the
shoe, shuffles it with that card by hand, cuts it, lays it back and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from studio.errors import RefusedError
from studio.people import need_right
from studio.rounds import (
    BurnRuled,
    CardBurned,
    CardDealt,
    CardPostponed,
    CardRemoved,
    CardReturned,
    Misfit,
    Shuffled,
    play,
)
from studio.rounds.fact import AnyFact
from studio.rulebook.hand_terms import BOARD
from studio.rulebook.script import Shuffle
from studio.tables import command as c
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.felt.camera_look import open_face
from studio.tables.felt.shoe_reading import adopt
from studio.tables.state.incident import Incident
from studio.tables.state.round import Round
from studio.tables.state.shoe import Loose
from studio.tables.state.table import TableState, awaited
from studio.tables.street import STREETS, hand_of, on_board, ruled_burn, waiting_burns

STUB = "stub"
"""Where a card goes that is shuffled back."""

_FLOP, _TURN, _RIVER = 1, 2, 3


def take_back(draft: Draft, incident: Incident) -> None:
    """Cards of the board that came too early, or one too many, go back to the stub [PK7, PK8, PK9, PK10]."""
    round = hand_of(draft.state)
    if round is None:
        return
    four_on_flop = incident.kind == "extra_card"
    facts = _flop_again(round) if four_on_flop else _street_again(draft, round)
    _fit(draft.state, round, facts)
    for one in draft.state.undisposed:
        draft.emit(e.CardDisposed(id=one.sealed.id, to=STUB))
    draft.emit(*(e.FactStood(fact=fact) for fact in facts))


def _flop_again(round: Round) -> tuple[AnyFact, ...]:
    """All cards of the flop go back; the burn stays, and there is no new one [PK7]."""
    burn = ruled_burn(round, _FLOP)
    back = (CardReturned(id=fact.card.id) for (zone, _), fact in sorted(round.deal.cards.items()) if zone == BOARD)
    return (*back, BurnRuled(number=_FLOP, cards=burn.cards, shuffled=True))


def _street_again(draft: Draft, round: Round) -> tuple[AnyFact, ...]:
    """The burn that was made stays the burn; after a premature turn the next one is made all the same [PK9]. Where the
    street comes too early once more, a second burn goes back with it.
    """
    number = STREETS.get(on_board(round), ("", 0))[1]
    if not number:
        raise RefusedError("no_street", "Every card of the board is dealt: lay the card in the discard instead.")
    due = ruled_burn(round, number)
    if due.cards and not waiting_burns(draft.state) and (burn := _burned(draft.state)) is not None:
        draft.emit(e.CardDisposed(id=burn.sealed.id, to="next_burn"))
    if not draft.state.undisposed:
        return ()
    if number != _TURN:
        return (BurnRuled(number=number, cards=due.cards, shuffled=True),)
    made, places = len(waiting_burns(draft.state)), _burn_places(draft.state, round)
    return BurnRuled(number=_TURN, cards=min(made + 1, places)), BurnRuled(number=_RIVER, cards=0, shuffled=True)


def _burn_places(state: TableState, round: Round) -> int:
    """How many cards may still be burned: the zone has no more places."""
    return state.game.felt.burns - sum(zone == "burn" for zone, _ in round.deal.cards)


def _burned(state: TableState) -> Loose | None:
    """The first card that came out, taken as the burn; None where it lies on the board, for then no burn was made
    before it.
    """
    first = next(iter(state.undisposed), None)
    if first is None or not first.sealed.has_key:
        return first
    board = [open_face(look) for (zone, _), look in state.felt.looks.items() if zone == BOARD]
    return None if first.sealed.card() in board else first


def replace_exposed(draft: Draft, incident: Incident) -> None:
    """The exposed card is the next burn, and its place is dealt to again once all others have their cards [PK2]."""
    round = hand_of(draft.state)
    if round is None:
        return
    fact = next((one for one in round.deal.cards.values() if one.card.id in incident.scene.cards), None)
    if isinstance(fact, CardDealt):
        facts = CardRemoved(id=fact.card.id), CardPostponed(box=fact.box, place=fact.place)
        _fit(draft.state, round, facts)
        draft.emit(*(e.FactStood(fact=one) for one in facts))
        draft.emit(e.CardSetAside(card=fact.card, why="exposed"), e.CardDisposed(id=fact.card.id, to="next_burn"))
        return
    drawn = next(iter(draft.state.undisposed), None)
    if drawn is None or not incident.scene.place:
        raise RefusedError("exposed_unread", "The shoe has not read the exposed card: draw it fully, then rule again.")
    postponed = CardPostponed(box=incident.scene.box, place=incident.scene.place)
    _fit(draft.state, round, (postponed,))
    draft.emit(e.CardDisposed(id=drawn.sealed.id, to="next_burn"), e.FactStood(fact=postponed))


def board_stands(draft: Draft, incident: Incident) -> bool:
    """Rule that no burn was made: the card recorded as the burn stays on the board as the first of its street [PK11].
    False where the incident is no such one.
    """
    round = hand_of(draft.state)
    fact = (
        next((one for one in round.deal.cards.values() if one.card.id in incident.scene.cards), None) if round else None
    )
    if round is None or not isinstance(fact, CardBurned) or incident.scene.box != BOARD:
        return False
    number = STREETS[on_board(round)][1]
    facts: list[AnyFact] = [
        CardRemoved(id=fact.card.id),
        BurnRuled(number=number, cards=ruled_burn(round, number).cards - 1),
    ]
    dealt = CardDealt(
        card=fact.card, box=BOARD, place=on_board(round) + 1, face=fact.card.card(), key=fact.card.publish_key()
    )
    _fit(draft.state, round, (*facts, dealt))
    draft.emit(*(e.FactStood(fact=one) for one in (*facts, dealt)))
    return True


def _fit(state: TableState, round: Round, facts: Sequence[AnyFact]) -> None:
    if isinstance(play(state.game.deal.script(round.rules), (*round.deal.facts, *facts)), Misfit):
        raise RefusedError(
            "stub_misfit", "With the cards as they lie this cannot be done: report a malfunction and void the round."
        )


# --- the dealer's word that the stub is shuffled ------------------------------------------------------------


def shuffle_stub(draft: Draft, command: c.ShuffleStub) -> None:
    """The stub is shuffled with every card that goes back to it, and lies in the shoe again."""
    need_right(command.actor, "load_shoe")
    now, round = awaited(draft.state), hand_of(draft.state)
    if draft.state.held:
        raise RefusedError("held", "The table is held: what stopped it must be ruled on first.")
    if round is None or now is None or not isinstance(now.step, Shuffle):
        raise RefusedError("stub_not_now", "The stub is not to be shuffled now; the console shows the next act.")
    back = tuple(_going_back(draft.state, round))
    faces = tuple(fact.face for _, fact in back if fact is not None and fact.face is not None)
    draft.emit(e.FactStood(fact=Shuffled(ids=tuple(id for id, _ in back), faces=faces)))
    adopt(draft)


def going_back(state: TableState) -> int:
    """How many cards lie aside that are shuffled back into the stub."""
    round = hand_of(state)
    return sum(1 for _ in _going_back(state, round)) if round is not None else 0


def _going_back(state: TableState, round: Round) -> Iterator[tuple[str, CardDealt | None]]:
    """The id of each card that lies aside to go back, with the fact that dealt it; None for a card that was never
    dealt.
    """
    since = max((at for at, fact in enumerate(round.deal.facts) if isinstance(fact, Shuffled)), default=-1)
    dealt = {fact.card.id: fact for fact in round.deal.facts if isinstance(fact, CardDealt)}
    for fact in round.deal.facts[since + 1 :]:
        if isinstance(fact, CardReturned):
            yield fact.id, dealt.get(fact.id)
    for one in state.loose:
        if one.to == STUB:
            yield one.sealed.id, None
