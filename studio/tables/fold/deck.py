"""Folds what a table knows of its decks: in the machine, in the shoe, out of play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studio import ports
from studio.cards import Card
from studio.errors import IllegalEventError
from studio.rounds import CardBurned, CardDealt, Shuffled
from studio.tables.event import table as e
from studio.tables.state.count import Counted, DeckCount
from studio.tables.state.rotation import DeckRecord, DeckStage, Machine, put, told_state
from studio.tables.state.round import Round
from studio.tables.state.shoe import Deck, Loose
from studio.tables.state.table import TableState
from studio.value import replace


def evolve_deck(state: TableState, event: e.AnyEvent) -> TableState:
    match event:
        case e.DeckApproved(deck_id=id, count=count):
            return _judged(state, DeckRecord(id, DeckStage.VERIFIED, count), event.by)
        case e.DeckRefused(deck_id=id, count=count, verdict=verdict):
            return _judged(state, DeckRecord(id, DeckStage.BLOCKED, count, verdict), event.by)
        case e.ShoeLoaded(deck_id=id):
            return _loaded(state, id)
        case e.ShoeWithdrawn():
            return replace(state, deck=None, decks=replace(state.decks, records=_used(state)))
        case e.CountStarted() | e.CardCounted() | e.CountEnded():
            return evolve_count(state, event)
        case e.CutCardCame(at_once=True) if state.deck:
            return replace(state, deck=replace(state.deck, last_rounds=0))
        case e.CutCardCame() if state.deck and state.deck.last_rounds is None:
            return replace(state, deck=replace(state.deck, last_rounds=state.shoe.rounds_after_cut))
    return state


def shuffle_back(state: TableState, shuffled: Shuffled) -> TableState:
    """The cards that went back to the stub are in the shoe again, and nobody has seen them come out of it."""
    deck, ids = state.deck, frozenset(shuffled.ids)
    loose = tuple(replace(one, to="back") if one.sealed.id in ids else one for one in state.loose)
    if deck is None:
        return replace(state, loose=loose)
    faces = dict(deck.faces)
    for face in shuffled.faces:
        faces[face] = faces.get(face, 0) - 1
    sealed = tuple(card for card in deck.sealed if card.id not in ids)
    deck = replace(deck, drawn=deck.drawn - len(ids), faces=faces, sealed=sealed)
    return replace(state, deck=deck, loose=loose)


def draw(state: TableState, out: CardDealt | CardBurned | Loose) -> TableState:
    """Keep the composition of the shoe; a card set aside and adopted later is drawn once."""
    deck = state.deck
    if deck is None:
        return state
    sealed = out.sealed if isinstance(out, Loose) else out.card
    known = sealed in deck.sealed
    drawn = deck.drawn if known else deck.drawn + 1
    if isinstance(out, CardDealt) and out.face is not None:
        rest = tuple(one for one in deck.sealed if one.id != sealed.id)
        return replace(state, deck=replace(deck, drawn=drawn, faces=_count(deck.faces, out.face), sealed=rest))
    return state if known else replace(state, deck=replace(deck, drawn=drawn, sealed=(*deck.sealed, sealed)))


def open_cards(state: TableState, ids: set[str], faces: Sequence[Card]) -> TableState:
    """Down cards of the shoe that everybody sees now."""
    deck = state.deck
    if deck is None:
        return state
    counted: Mapping[Card, int] = deck.faces
    for face in faces:
        counted = _count(counted, face)
    sealed = tuple(card for card in deck.sealed if card.id not in ids)
    return replace(state, deck=replace(deck, faces=counted, sealed=sealed))


def read_again(state: TableState, wrong: Card, face: Card) -> TableState:
    """A face that everybody saw was never out after all: the card was another."""
    if state.deck is None:
        return state
    faces = state.deck.faces
    return replace(state, deck=replace(state.deck, faces=_count({**faces, wrong: faces.get(wrong, 0) - 1}, face)))


def _count(faces: Mapping[Card, int], face: Card) -> dict[Card, int]:
    return {**faces, face: faces.get(face, 0) + 1}


def hear_machine(state: TableState, seen: ports.AnyObservation, at_ms: int) -> TableState:
    """What the table's shuffler says of itself. Who was not heard for a while may have done anything meanwhile."""
    if seen.device != state.config.shuffler:
        return state
    decks, machine = state.decks, state.decks.machine
    match seen:
        case ports.LinkUp():
            machine = unheard(machine)
        case ports.ShufflerState(state=told):
            machine = told_state(machine, told, at_ms)
        case ports.ShufflerAlarm(alarm=alarm, raised=True):
            machine = replace(machine, alarms=machine.alarms | {alarm})
        case ports.ShufflerAlarm(alarm=alarm):
            machine = replace(machine, alarms=machine.alarms - {alarm})
    return state if machine is decks.machine else replace(state, decks=replace(decks, machine=machine))


def unheard(machine: Machine) -> Machine:
    """The shuffler until it speaks again: its state is unknown, its alarms stand."""
    return Machine(alarms=machine.alarms, deck=machine.deck)


def _judged(state: TableState, deck: DeckRecord, by: str) -> TableState:
    """A verification; one of the deck in the shoe does not take it out of play."""
    machine = state.decks.machine
    if by and by == state.config.shuffler:
        machine = replace(machine, deck=deck.id, owes=not machine.state)
    if state.deck is not None and state.deck.id == deck.id:
        return replace(state, decks=replace(state.decks, machine=machine))
    return replace(state, decks=replace(state.decks, records=put(state.decks.records, deck), machine=machine))


def _loaded(state: TableState, id: str) -> TableState:
    was = state.decks
    record = next((one for one in was.records if one.id == id), DeckRecord(id, DeckStage.VERIFIED))
    records = put(_used(state), replace(record, stage=DeckStage.IN_PLAY))
    machine = replace(was.machine, deck="") if was.machine.deck == id else was.machine
    decks = replace(was, shoes=was.shoes + 1, records=records, machine=machine)
    shoe = _with_cards_out(Deck(id, decks.shoes), state.round)
    state = replace(state, deck=shoe, decks=decks)
    return replace(state, devices=replace(state.devices, shoe_restarted=False))


def _used(state: TableState) -> tuple[DeckRecord, ...]:
    """The deck in play is out of it."""
    records = state.decks.records
    for one in records:
        if one.stage is DeckStage.IN_PLAY:
            records = put(records, replace(one, stage=DeckStage.USED))
    return records


def _with_cards_out(deck: Deck, round: Round | None) -> Deck:
    """A shoe filled in the middle of a round lacks the cards that lie on the felt [BJ10]."""
    if round is None or not round.live:
        return deck
    faces: dict[Card, int] = {}
    for fact in round.deal.cards.values():
        if isinstance(fact, CardDealt) and fact.face is not None:
            faces[fact.face] = faces.get(fact.face, 0) + 1
    counted: Mapping[Card, int] = faces
    return replace(deck, rounds=1, drawn=len(round.deal.cards), faces=counted)


def evolve_count(state: TableState, event: e.CountStarted | e.CardCounted | e.CountEnded) -> TableState:
    decks = state.decks
    if isinstance(event, e.CountStarted):
        count = DeckCount(event.deck_id, event.whole, event.wanted, event.by, event.by_name)
        return replace(state, decks=replace(decks, count=count, counted=None))
    if isinstance(event, e.CountEnded):
        counted = Counted(
            event.deck_id, event.whole, event.counted, event.wanted, event.verdict, event.missing, event.doubled
        )
        return replace(state, decks=replace(decks, count=None, counted=counted))
    if decks.count is None:
        raise IllegalEventError(f"A card was counted at {state.config.key}, where nobody counts.")
    unread = decks.count.unread + (not event.read)
    return replace(state, decks=replace(decks, count=replace(decks.count, drawn=decks.count.drawn + 1, unread=unread)))
