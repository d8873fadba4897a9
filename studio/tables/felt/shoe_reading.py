"""Holds a shoe's reading against the script: the card becomes a fact, or is set aside with an incident."""

from __future__ import annotations

from studio import ports
from studio.cards import Card, SealedCard
from studio.errors import InvariantError, RefusedError
from studio.ports import CardFace
from studio.rounds import Awaiting, CardBurned, CardDealt, Finished
from studio.rulebook.script import Burn, Deal
from studio.spoken import Slot
from studio.tables.decks.count import count_card
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.felt.camera_look import awaited_slot, due_slot, judge, open_face
from studio.tables.felt.early_card import tell_premature
from studio.tables.incident import Circumstances, open_incident, tell
from studio.tables.state.shoe import AGAIN
from studio.tables.state.table import TableState, awaited, phase_of


def read_shoe(draft: Draft, seen: ports.AnyObservation) -> None:
    """What the shoe said, told to the deal, or to the count that is under way."""
    if draft.state.decks.count is not None and count_card(draft, seen):
        return
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
        case ports.ShoeErrorRaised(error=error) if _running(draft.state):
            if error in draft.state.config.expected_errors:
                tell(draft, "shoe_error", by=seen.device, device=seen.device, circumstances={"expected": True})
            else:
                open_incident(draft, "shoe_error", by=seen.device, device=seen.device)
        case ports.ShoeGameResult(value=value):
            _called(draft, value, seen.device)


def _called(draft: Draft, value: int, device: str) -> None:
    """The shoe called a winner by its own count of the game: it decides nothing. Where it calls another than the cards
    come to, or while the script still awaits a card, they are all read again [BC7].

    Cards that lie face down are known to the shoe alone, and its call is not judged before they are turned.
    """
    state, round = draft.state, draft.round
    calls, sides = state.config.shoe_results, state.game.roads.sides if state.game.roads else ()
    winner = next((side for side, code in calls.items() if code == value), "")
    if state.held or round is None or not round.live or not winner or not sides or not set(sides) <= set(calls):
        return
    match round.deal.standing:
        case Finished(outcome=outcome):
            agrees = str(state.game.deal.describe(outcome)["winner"]) == winner
        case Awaiting(step=Deal(face=CardFace.UP, box=box)):
            agrees = box not in sides
        case _:
            return
    if not agrees:
        open_incident(draft, "misdeal_claimed", by=device)


def draw(draft: Draft, card: SealedCard, *, by: str) -> None:
    """Take a card that came out of the shoe: it stands where the script awaits one; else it is set aside and an
    incident opens.
    """
    state = draft.state
    if not _deals(state):
        return
    if state.held:
        draft.emit(e.CardSetAside(card=card, why="held"))
        tell_premature(draft, by)
    elif not _awaits_card(state):
        _set_aside(draft, card, by)
    elif _is_the_next(state):
        draft.emit(e.CardSetAside(card=card, why="held"))
        _tell_read_by_camera(draft)
    elif (first := state.pushed_back) is not None:
        _read_again(draft, first.sealed, card, by)
    else:
        stand(draft, card)


def _read_again(draft: Draft, first: SealedCard, again: SealedCard, by: str) -> None:
    """The card that was pushed back comes out once more: its first reading counts. Another card holds the table [BC2]
    [EV5].
    """
    if not _read_as(first, again):
        draft.emit(e.CardSetAside(card=again, why="held"))
        open_incident(draft, "conflicting_reread", by=by, cards=(first.id,))
        return
    draft.emit(e.CardSetAside(card=again, why=AGAIN), e.CardDisposed(id=again.id, to=AGAIN))
    _take_back(draft, first)


def _take_back(draft: Draft, first: SealedCard) -> None:
    draft.emit(e.CardDisposed(id=first.id, to="dealt"))
    stand(draft, first)


def stand(draft: Draft, card: SealedCard) -> None:
    """The awaited card: burned or dealt, then looked up on the felt and in the shoe's composition."""
    foul = _foul(draft.state, card)
    laid = due_slot(draft.state)
    slot = _enter(draft, card)
    if laid is not None and laid != slot:
        draft.emit(e.PlaceAccepted(id=card.id, zone=laid[0], place=laid[1]))
        slot = laid
    if foul:
        open_incident(draft, "fouled_deck", by=draft.state.config.shoe, cards=(card.id,), slot=slot)
        return
    judge(draft, slot)
    _look_for_end_of_shoe(draft)


def adopt(draft: Draft) -> None:
    """Cards drawn while the table was held, and cards ruled to be the next, enter the deal in the order read."""
    while not draft.state.held and (ready := _next_ready(draft.state)):
        draft.emit(e.CardDisposed(id=ready.id, to="dealt"))
        stand(draft, ready)
    _tell_of_the_rest(draft)


def adopted(state: TableState) -> TableState:
    """The state as it will be once the table goes on: cards drawn while it was held are in the deal."""
    draft = Draft(state, 0)
    while ready := _next_ready(draft.state):
        draft.emit(e.CardDisposed(id=ready.id, to="dealt"))
        _enter(draft, ready)
    return draft.state


def _enter(draft: Draft, card: SealedCard) -> Slot:
    """The card stands as the awaited fact; gives its place."""
    now, slot = awaited(draft.state), awaited_slot(draft.state)
    match now.step if now else None:
        case Burn() if slot:
            draft.emit(e.FactStood(fact=CardBurned(card=card, place=slot[1])))
            return slot
        case Deal(box=box, face=CardFace.UP) if now:
            fact = CardDealt(card=card, box=box, place=now.place, face=card.card(), key=card.publish_key())
            draft.emit(e.FactStood(fact=fact))
            return box, now.place
        case Deal(box=box) if now:
            draft.emit(e.FactStood(fact=CardDealt(card=card, box=box, place=now.place)))
            return box, now.place
    raise InvariantError("A card was to stand where the script awaits none.")


def _next_ready(state: TableState) -> SealedCard | None:
    """The card set aside that enters the deal now, if the script awaits one."""
    if not _awaits_card(state) or _is_the_next(state):
        return None
    wanted = "next_burn" if _awaits_burn(state) else "next"
    ready = (one.sealed for one in state.loose if one.to == wanted or (one.why == "held" and not one.to))
    return next(ready, None)


def _tell_of_the_rest(draft: Draft) -> None:
    """A card that was drawn while the table was held, and that no step awaits, is early or extra after all."""
    if draft.state.held or draft.state.deck is None or _awaits_card(draft.state):
        return
    rest = next((one for one in draft.state.undisposed if one.why == "held"), None)
    if rest is not None:
        _tell_of(draft, draft.state.config.shoe, (rest.sealed.id,), {"revealed": False})


def _set_aside(draft: Draft, card: SealedCard, by: str) -> None:
    state = draft.state
    over = phase_of(state) in ("result", "settled")
    draft.emit(e.CardSetAside(card=card, why="extra" if over else "idle" if state.round is None else "early"))
    _tell_of(draft, by, (card.id,), {"revealed": False})


def _tell_of(draft: Draft, by: str, cards: tuple[str, ...], found: Circumstances) -> None:
    if tell_premature(draft, by):
        return
    kind = "early_card" if phase_of(draft.state) == "betting" else "extra_card"
    open_incident(draft, kind, by=by, circumstances=found, cards=cards)


def _is_the_next(state: TableState) -> bool:
    """The shoe has owned up to an unread card for a box: the card it reads now came after that one."""
    slot = awaited_slot(state)
    return slot is not None and slot[0] != "burn" and state.round is not None and slot in state.round.eyes.unread


def _tell_read_by_camera(draft: Draft) -> None:
    """The deal has run on over a card the shoe has not read, and the camera has: ask at once [HG13]."""
    slot = awaited_slot(draft.state)
    look = draft.state.felt.looks.get(slot) if slot else None
    if slot is None or look is None or look.face is not CardFace.UP or open_face(look) is None:
        return  # the clock asks, when the camera has had its time as well
    found = {"read": True, "revealed": True}
    open_incident(draft, "unread_card", by=draft.state.config.shoe, circumstances=found, slot=slot)


def _unread(draft: Draft, device: str) -> None:
    """A card left the shoe unread. While the table is held the felt will tell where it went."""
    state = draft.state
    if not _deals(state) or state.held:
        return
    slot = awaited_slot(state)
    if slot is None:
        _tell_of(draft, device, (), {"revealed": False, "read": False})
    elif _is_the_next(state):
        _tell_read_by_camera(draft)
    elif (first := state.pushed_back) is not None:
        _take_back(draft, first.sealed)  # the camera says whether it is that one
    else:
        draft.emit(e.ShoeMissed(box=slot[0], place=slot[1], reported=True))
        judge(draft, slot)


def _reread(draft: Draft, card: SealedCard, device: str) -> None:
    """The shoe says its last card once more. The first reading stays; another card holds the table [EV5]."""
    round = draft.round
    if round is None or not round.live:
        return
    last = next((fact for fact in reversed(round.deal.plain) if isinstance(fact, CardDealt | CardBurned)), None)
    aside = draft.state.loose[-1] if draft.state.loose else None
    if aside is not None and _read_as(aside.sealed, card):
        return
    if aside is not None and aside.to in ("", "next", "next_burn"):  # the last card out is no fact yet
        open_incident(draft, "conflicting_reread", by=device, cards=(aside.sealed.id,))
        return
    if last is None or not last.card.has_key or _read_as(last.card, card):
        return
    slot = (last.box, last.place) if isinstance(last, CardDealt) else ("burn", last.place)
    open_incident(draft, "conflicting_reread", by=device, cards=(last.card.id,), slot=slot)


def _read_as(first: SealedCard, again: SealedCard) -> bool:
    """Whether the shoe says the same as at first, whatever a person has ruled of it since."""
    return first.has_key and first.card() is again.card()


def _foul(state: TableState, card: SealedCard) -> bool:
    """Whether this card has come out of this shoe more often than its decks hold it; sealed ones counted, and opened
    only where they are enough to make it so.
    """
    assert state.deck is not None
    face = card.card()
    left = state.shoe.decks - state.deck.faces.get(face, 0)
    sealed = [one for one in state.deck.sealed if one.has_key and one.id != card.id]
    return len(sealed) >= left and sum(one.card() is face for one in sealed) >= left


def refuse_seen(state: TableState, face: Card, own: Card | None) -> None:
    """No card comes out of a shoe more often than its decks hold it."""
    out = state.deck.faces.get(face, 0) if state.deck else 0
    if out >= state.shoe.decks and own is not face:
        raise RefusedError(
            "fouled", "That card has been seen already from this shoe; void the round and replace the deck."
        )


def _look_for_end_of_shoe(draft: Draft) -> None:
    deck = draft.state.deck
    if deck and deck.drawn >= draft.state.shoe.cards and _awaits_card(draft.state):
        open_incident(draft, "shoe_empty", by=draft.state.config.shoe)


def may_rest(state: TableState) -> bool:
    """Whether no card may leave the shoe: an open table that is not held awaits something else, and keeps its deck."""
    deals = state.status == "open" and state.deck is not None and not state.deck.change_due
    return deals and not state.held and not _awaits_card(state) and state.decks.count is None


def _awaits_card(state: TableState) -> bool:
    now = awaited(state)
    return now is not None and isinstance(now.step, Burn | Deal) and state.deck is not None


def _awaits_burn(state: TableState) -> bool:
    now = awaited(state)
    return now is not None and isinstance(now.step, Burn)


def _deals(state: TableState) -> bool:
    """Whether a card out of the shoe means anything: after the cut card and its round it is evidence only [EV3]."""
    if not _running(state) or state.deck is None:
        return False
    return not state.deck.change_due or (state.round is not None and state.round.live)


def _running(state: TableState) -> bool:
    return state.status != "closed"
