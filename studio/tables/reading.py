"""The only place where a shoe's reading meets the script: a card becomes a fact, or is set aside with an incident."""

from __future__ import annotations

from studio import ports
from studio.cards import SealedCard
from studio.games.script import Burn, Deal
from studio.ports import CardFace
from studio.rounds import CardBurned, CardDealt, Finished
from studio.tables import event as e
from studio.tables.draft import Draft
from studio.tables.incident import open_incident, tell
from studio.tables.seeing import judge
from studio.tables.state import Slot, TableState, awaited, phase_of


def read_shoe(draft: Draft, seen: ports.AnyObservation) -> None:
    """What the shoe said, told to the deal."""
    match seen:
        case ports.ShoeDrewCard(card=card, resent=True):
            _reread(draft, card, seen.device)
        case ports.ShoeDrewCard(card=card):
            draw(draft, card, by=seen.device)
        case ports.ShoeCardUnread():
            _unread(draft, seen.device)
        case ports.CutCardOut():
            draft.emit(e.CutCardCame())
            tell(draft, "cut_card", by=seen.device, device=seen.device)
        case ports.ShoeStarted() if draft.state.deck is not None and not draft.state.deck.change_due:
            tell(draft, "shoe_restart", by=seen.device, device=seen.device)
        case ports.ShoeErrorRaised(error=error):
            expected = error in draft.state.config.expected_errors
            if not expected and _running(draft.state):
                open_incident(draft, "shoe_error", by=seen.device, device=seen.device)


def draw(draft: Draft, card: SealedCard, *, by: str) -> None:
    """A card came out of the shoe: where the script awaits one it stands, else it is set aside and told."""
    state = draft.state
    if not _running(state) or state.deck is None:
        return
    if state.deck.change_due and (state.round is None or not state.round.live):
        return  # after the cut card and the finished round the shoe's words are evidence only [EV3]
    if state.held:
        draft.emit(e.CardSetAside(card=card, why="held"))
        return
    if _awaits_card(state):
        stand(draft, card)
        return
    _set_aside(draft, card, by)


def stand(draft: Draft, card: SealedCard) -> None:
    """The awaited card: burned or dealt, then looked up on the felt and in the shoe's composition."""
    state = draft.state
    now = awaited(state)
    assert now is not None
    assert state.deck is not None
    foul = _foul(state, card)
    match now.step:
        case Burn():
            slot: Slot = ("burn", now.done + 1)
            draft.emit(e.FactStood(fact=CardBurned(card=card, place=now.done + 1)))
        case Deal(box=box, face=CardFace.UP):
            slot = (box, now.place)
            fact = CardDealt(card=card, box=box, place=now.place, face=card.card(), key=card.publish_key())
            draft.emit(e.FactStood(fact=fact))
        case Deal(box=box):
            slot = (box, now.place)
            draft.emit(e.FactStood(fact=CardDealt(card=card, box=box, place=now.place)))
        case _:
            raise AssertionError(f"a card cannot stand at {now.step}")
    if foul:
        open_incident(draft, "fouled_deck", by=state.config.shoe, cards=(card.id,), slot=slot)
        return
    judge(draft, slot)
    _look_for_end_of_shoe(draft)


def adopt(draft: Draft) -> None:
    """Cards drawn while the table was held, and cards ruled to be the next, enter the deal in the order read."""
    while not draft.state.held and _awaits_card(draft.state):
        wanted = "next_burn" if _awaits_burn(draft.state) else "next"
        ready = [one for one in draft.state.loose if one.to == wanted or (one.why == "held" and not one.to)]
        if not ready:
            return
        draft.emit(e.CardDisposed(id=ready[0].sealed.id, to="dealt"))
        stand(draft, ready[0].sealed)
    _leave_the_rest(draft)


def _leave_the_rest(draft: Draft) -> None:
    """Held cards that no step awaits are extra cards now."""
    if draft.state.held:
        return
    for one in draft.state.undisposed:
        if one.why == "held":
            draft.emit(e.CardDisposed(id=one.sealed.id, to="discard"))


def _set_aside(draft: Draft, card: SealedCard, by: str) -> None:
    state = draft.state
    phase = phase_of(state)
    finished = state.round is not None and isinstance(state.round.standing, Finished)
    why = "extra" if finished or phase in ("result", "settled") else "idle" if state.round is None else "early"
    draft.emit(e.CardSetAside(card=card, why=why))
    kind = "early_card" if why == "early" and phase == "betting" else "extra_card"
    open_incident(draft, kind, by=by, circumstances={"revealed": False}, cards=(card.id,))


def _unread(draft: Draft, device: str) -> None:
    state = draft.state
    now = awaited(state)
    if not _running(state):
        return
    if now is not None and isinstance(now.step, Deal | Burn) and not state.held:
        slot = (now.step.box, now.place) if isinstance(now.step, Deal) else ("burn", now.done + 1)
        draft.emit(e.ShoeMissed(box=slot[0], place=slot[1]))
        return
    open_incident(draft, "unread_card", by=device, circumstances={"read": False, "revealed": False})


def _reread(draft: Draft, card: SealedCard, device: str) -> None:
    """The shoe says its last card once more. The first reading stays; another card holds the table [EV5]."""
    round = draft.round
    if round is None or not round.live or not round.read_at_ms:
        return
    last = next(reversed([fact for fact in round.plain if isinstance(fact, CardDealt | CardBurned)]), None)
    if last is None or not last.card.has_key or last.card.card() is card.card():
        return
    slot = (last.box, last.place) if isinstance(last, CardDealt) else ("burn", last.place)
    open_incident(draft, "conflicting_reread", by=device, cards=(last.card.id,), slot=slot)


def _foul(state: TableState, card: SealedCard) -> bool:
    """Whether this card has come out of this shoe more often than its decks hold it; sealed ones counted."""
    assert state.deck is not None
    face = card.card()
    sealed = sum(1 for one in state.deck.sealed if one.has_key and one.id != card.id and one.card() is face)
    return state.deck.faces.get(face, 0) + sealed >= state.game.decks


def _look_for_end_of_shoe(draft: Draft) -> None:
    deck = draft.state.deck
    if deck and deck.drawn >= 52 * draft.state.game.decks and _awaits_card(draft.state):
        open_incident(draft, "shoe_empty", by=draft.state.config.shoe)


def _awaits_card(state: TableState) -> bool:
    now = awaited(state)
    return now is not None and isinstance(now.step, Burn | Deal) and state.deck is not None


def _awaits_burn(state: TableState) -> bool:
    now = awaited(state)
    return now is not None and isinstance(now.step, Burn)


def _running(state: TableState) -> bool:
    return state.status != "closed"
