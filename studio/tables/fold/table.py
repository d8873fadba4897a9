"""`evolve(state, event, at_ms)` folds one event into a table's state, and never refuses.

An event that cannot have happened in this state is our bug: `IllegalEventError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, get_args

from studio.cards import Card
from studio.errors import IllegalEventError
from studio.games.script import Step
from studio.rounds import (
    Awaiting,
    CardBurned,
    CardDealt,
    CardReplaced,
    Chose,
    HandVoided,
    Laid,
    Revealed,
    Shuffled,
    Standing,
    WindowClosed,
    play,
    play_on,
)
from studio.spoken import Slot
from studio.tables.event import table as e
from studio.tables.event.unsealing import AnyUnsealing
from studio.tables.fold.box import stop_turn, with_boxes, with_takers, without_hand
from studio.tables.fold.case import evolve_case
from studio.tables.fold.config import evolve_config
from studio.tables.fold.correction import AnyCorrection, evolve_correction
from studio.tables.fold.deck import evolve_deck, hear_machine, shuffle_back
from studio.tables.fold.device import evolve_device, show
from studio.tables.fold.incident import evolve_incident
from studio.tables.fold.move import move
from studio.tables.fold.observation import observe
from studio.tables.fold.part import evolve_part
from studio.tables.fold.pot import follow_pot
from studio.tables.fold.room import evolve_room
from studio.tables.fold.seat import evolve_seat
from studio.tables.fold.unsealing import evolve_unsealing
from studio.tables.state.felt import Felt
from studio.tables.state.pit import Freeze, PitCall
from studio.tables.state.pot import PotStanding
from studio.tables.state.table import (
    DECIDED,
    Deck,
    Loose,
    Round,
    Stage,
    Status,
    TableState,
    bets_are_in,
    by_place,
)
from studio.value import replace

_AS_IT_LIES = frozenset({"continue", "shoe", "camera", "manual"})


_Fold = Callable[[TableState, Any, int], TableState]


def evolve(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    """The state after the event; pure."""
    return _FOLDS[type(event)](state, event, at_ms)


def _follow(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    """An event of the table or of its round, which the seats of a poker table follow."""
    fold = _PARTS.get(type(event), _evolve_open_round)
    return evolve_room(fold(move(state, event), event, at_ms), event, at_ms)


def _stop(state: TableState, event: e.IncidentOpened | e.TableFrozen, at_ms: int) -> TableState:
    """An event by which a table is held."""
    return stop_turn(_follow(state, event, at_ms))


def _take_seat(state: TableState, event: e.AnyRoomEvent, at_ms: int) -> TableState:
    return evolve_room(move(state, event), event, at_ms)


def _correct(state: TableState, event: AnyCorrection, at_ms: int) -> TableState:
    return evolve_correction(state, event)


def _unseal(state: TableState, event: AnyUnsealing, at_ms: int) -> TableState:
    return evolve_unsealing(state, event)


def _observe(state: TableState, event: e.ObservationRecorded, at_ms: int) -> TableState:
    seen = event.observation
    return hear_machine(show(observe(state, seen, at_ms), seen, at_ms), seen, at_ms)


def _evolve_incident(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    return _keep_look(evolve_incident(state, event, at_ms), event)


def _evolve_deck(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    return evolve_deck(state, event)


def _evolve_device(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    return evolve_device(state, event)


def _stay(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    return state


def _evolve_loose(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    """Cards out of the shoe that are no facts, and what lies on the felt."""
    match event:
        case e.CardSetAside(card=card, why=why):
            loose = Loose(card, why, at_ms)
            return _drawn(replace(state, loose=(*state.loose, loose)), loose)
        case e.CardDisposed(id=id, to=to):
            kept = tuple(replace(one, to=to) if one.sealed.id == id else one for one in state.loose)
            return replace(state, loose=kept)
    return replace(state, felt=Felt())


def _evolve_open_round(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    if state.round is None:
        raise IllegalEventError(f"{type(event).__name__} happened at {state.config.key} without a round.")
    return _evolve_round(state, state.round, event, at_ms)


def _evolve_table(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    match event:
        case e.TablePaused():
            return replace(state, status=Status.PAUSED)
        case e.TableResumed():
            return replace(state, status=Status.OPEN)
        case e.TableFrozen(by=by, by_name=name, floor=floor):
            return replace(state, pit=replace(state.pit, freeze=Freeze(by, name, floor)))
        case e.TableReleased():
            return replace(state, pit=replace(state.pit, freeze=Freeze()))
        case e.PitCalled(by=by, by_name=name):
            return replace(state, pit=replace(state.pit, call=PitCall(by, name)))
        case e.PitAnswered():
            return replace(state, pit=replace(state.pit, call=PitCall()))
        case e.TableRestarted() | e.TableConfigured() | e.TableCarried() | e.PayTableAllowed() | e.TableChanged():
            return evolve_config(state, event)
    return evolve_seat(state, event, at_ms)


def _start(state: TableState, event: e.RoundStarted, at_ms: int) -> TableState:
    standing = play(state.game.deal.script(event.rules), ())
    round = Round(event.round, event.number, event.rules, event.version, event.dealer, standing)
    round = replace(round, pot=PotStanding(event.pot) if event.pot else None, rates=event.rates)
    deck = replace(state.deck, rounds=state.deck.rounds + 1) if state.deck else None
    owed = tuple(one for one in state.loose if one.to in ("next", "next_burn"))
    incidents = replace(state.incidents, following=None)
    return replace(state, round=round, rounds=event.number, deck=deck, loose=owed, incidents=incidents)


def _evolve_round(state: TableState, round: Round, event: e.AnyEvent, at_ms: int) -> TableState:
    round = follow_pot(state.game, round, event)
    match event:
        case e.PotFed() | e.PotWon() | e.PotReturned():
            return replace(state, round=round)
        case e.PartOpened() | e.PartSettled():
            return evolve_part(state, round, event)
        case e.FactStood():
            return _stand(state, round, event, at_ms)
        case e.CardConfirmed() | e.CardDoubted() | e.ShoeMissed() | e.ReadingWaived() | e.PlaceAccepted():
            return replace(state, round=_watch(round, event, at_ms))
        case e.RedealOrdered():
            return replace(state, round=_deal_again(state, round))
        case e.BetsOpened(closes_at_ms=closes):
            return replace(state, round=replace(round, closes_at_ms=closes))
        case e.DecisionsClosed():
            return state
        case e.BettorReady(operator=operator, bettor=bettor):
            return replace(state, round=replace(round, ready=round.ready | {(operator, bettor)}))
        case e.BetsPlaced(bets=bets):
            return replace(state, round=with_boxes(state.game, _staked(round, bets), [bet.bet for bet in bets]))
        case e.DecisionsTaken(bets=bets, decisions=decisions):
            round = replace(round, decided_stakes=round.decided_stakes or bool(bets))
            return replace(state, round=with_takers(state.game, _staked(round, bets), decisions))
    return replace(state, round=_pay(round, event))


def _staked(round: Round, bets: Sequence[e.PlacedBet]) -> Round:
    stake_minor = round.stake_minor + sum(bet.worth for bet in bets)
    ready = round.ready - {(bet.operator, bet.bettor) for bet in bets} if round.ready else round.ready
    return replace(round, bets=round.bets + len(bets), stake_minor=stake_minor, ready=ready)


def _deal_again(state: TableState, round: Round) -> Round:
    """The bets stand; a window that had not ended yet is opened again in the new deal."""
    return replace(
        round,
        attempt=round.attempt + 1,
        facts=(),
        cards={},
        read_at_ms={},
        confirmed=frozenset(),
        doubts={},
        missed={},
        unread=frozenset(),
        waived=0,
        ruled={},
        accepted={},
        closes_at_ms=None,
        took=(),
        decided_stakes=False,
        giving_back=(*round.giving_back, DECIDED) if round.decided_stakes else round.giving_back,
        bets_in=bets_are_in(round),
        outcome=None,
        standing=play(state.game.deal.script(round.rules), ()),
    )


def _keep_look(state: TableState, event: e.AnyEvent) -> TableState:
    """What lay in the place of an incident when a person ruled that the game goes on with it."""
    if not isinstance(event, e.IncidentRuled) or event.ruling not in _AS_IT_LIES or state.round is None:
        return state
    incident, round = state.incident(event.id), state.round
    look = state.felt.looks.get((incident.box, incident.place)) if incident else None
    if incident is None or look is None:
        return state
    return replace(state, round=replace(round, ruled={**round.ruled, (incident.box, incident.place): look}))


def _pay(round: Round, event: e.AnyEvent) -> Round:
    match event:
        case e.ResultDeclared(outcome=outcome):
            return replace(round, outcome=outcome, stage=Stage.SETTLING, paid=0)
        case e.BetsSettled(cursor=cursor, stake_minor=stake, returns_minor=returns, digest=digest):
            return replace(round, paid=cursor, paid_stake_minor=stake, returns_minor=returns, digest=digest)
        case e.RoundSettled():
            return replace(round, stage=Stage.SETTLED)
        case e.RoundVoided(row=row, paid=paid):
            round = replace(round, void_row=row, void_pays={bet: Fraction(ret) for bet, ret in paid.items()})
            round = replace(round, paid=0, closes_at_ms=None, outcome=None, giving_back=())
            return replace(round, stage=Stage.VOIDING)
        case e.BetsVoided(cursor=cursor):
            return replace(round, paid=cursor)
        case e.BetsReturned(bets=bets, stake_minor=stake, over=over):
            left = () if over else round.giving_back
            return replace(round, bets=round.bets - len(bets), stake_minor=round.stake_minor - stake, giving_back=left)
        case e.RoundRefunded():
            return replace(round, stage=Stage.VOIDED)
    raise IllegalEventError(f"{type(event).__name__} is no event of a round.")


def _stand(state: TableState, round: Round, event: e.FactStood, at_ms: int) -> TableState:
    before = round.cards
    facts, standing = play_on(round.standing, round.facts, event.fact, lambda: state.game.deal.script(round.rules))
    if round.closes_at_ms is not None and _step(standing) != _step(round.standing):
        round = replace(round, closes_at_ms=None)  # also where a correction takes an open window's ground away
    round = replace(round, facts=facts, standing=standing, cards=by_place(facts))
    match event.fact:
        case WindowClosed():
            return replace(state, round=replace(round, closes_at_ms=None, took=()))
        case Chose():
            return replace(state, round=replace(round, closes_at_ms=None))
        case HandVoided(box=box, zones=zones):
            return replace(state, round=without_hand(round, box, zones))
        case CardDealt(card=card, box=box, place=place) as fact:
            round = _read(round, card.id, (box, place), at_ms)
            return _drawn(replace(state, round=round), fact)
        case CardBurned(card=card, place=place) as fact:
            round = _read(round, card.id, ("burn", place), at_ms)
            return _drawn(replace(state, round=round), fact)
        case Shuffled() as shuffled:
            return shuffle_back(replace(state, round=round), shuffled)
        case CardReplaced(id=id, face=face):
            wrong = next((o.face for o in before.values() if isinstance(o, CardDealt) and o.card.id == id), None)
            if wrong is None or state.deck is None:
                return replace(state, round=round)  # a down card is counted when it is revealed
            deck = replace(state.deck, faces=_count(_uncount(state.deck.faces, wrong), face))
            return replace(state, round=round, deck=deck)
        case Revealed(box=box, faces=faces):
            opened = {fact.card.id for slot, fact in round.cards.items() if slot[0] == box}
            return replace(state, round=round, deck=state.deck and _opened(state.deck, opened, faces))
        case Laid(to=to, faces=faces):
            opened = {round.cards[zone, place].card.id for _, zone, place in to}
            since_ms = {**round.read_at_ms, **dict.fromkeys(opened, at_ms)}
            round = replace(round, confirmed=round.confirmed - opened, read_at_ms=since_ms)
            return replace(state, round=round, deck=state.deck and _opened(state.deck, opened, faces))
    return replace(state, round=round)


def _step(standing: Standing) -> Step | None:
    return standing.step if isinstance(standing, Awaiting) else None


def _opened(deck: Deck, ids: set[str], faces: Sequence[Card]) -> Deck:
    """Down cards of the shoe that everybody sees now."""
    counted: Mapping[Card, int] = deck.faces
    for face in faces:
        counted = _count(counted, face)
    return replace(deck, faces=counted, sealed=tuple(card for card in deck.sealed if card.id not in ids))


def _read(round: Round, id: str, slot: Slot, at_ms: int) -> Round:
    missed = {owed: since_ms for owed, since_ms in round.missed.items() if owed != slot}
    return replace(round, read_at_ms={**round.read_at_ms, id: at_ms}, missed=missed, unread=round.unread - {slot})


def _drawn(state: TableState, out: CardDealt | CardBurned | Loose) -> TableState:
    """Keep the composition of the shoe; a card set aside and adopted later is drawn once."""
    deck = state.deck
    if deck is None:
        return state
    sealed = out.sealed if isinstance(out, Loose) else out.card
    known = sealed in deck.sealed
    deck = replace(deck, drawn=deck.drawn + (0 if known else 1))
    if isinstance(out, CardDealt) and out.face is not None:
        rest = tuple(one for one in deck.sealed if one.id != sealed.id)
        deck = replace(deck, faces=_count(deck.faces, out.face), sealed=rest)
    elif not known:
        deck = replace(deck, sealed=(*deck.sealed, sealed))
    return replace(state, deck=deck)


def _count(faces: Mapping[Card, int], face: Card) -> dict[Card, int]:
    return {**faces, face: faces.get(face, 0) + 1}


def _uncount(faces: Mapping[Card, int], face: Card) -> Mapping[Card, int]:
    """A face that was never out after all: the card was another."""
    return {**faces, face: faces.get(face, 0) - 1}


def _watch(round: Round, event: e.AnyEvent, at_ms: int) -> Round:
    match event:
        case e.CardConfirmed(id=id):
            doubts = {key: why for key, why in round.doubts.items() if key != id}
            return replace(round, confirmed=round.confirmed | {id}, doubts=doubts)
        case e.CardDoubted(id=id, why=why):
            again = {**round.read_at_ms, id: at_ms}
            return replace(round, confirmed=round.confirmed - {id}, doubts={**round.doubts, id: why}, read_at_ms=again)
        case e.ShoeMissed(box=box, place=place, reported=reported):
            unread = round.unread | {(box, place)} if reported else round.unread
            return replace(round, missed={**round.missed, (box, place): at_ms}, unread=unread)
        case e.ReadingWaived(box=box, place=place):
            missed = {slot: since_ms for slot, since_ms in round.missed.items() if slot != (box, place)}
            return replace(round, missed=missed, unread=round.unread - {(box, place)}, waived=round.waived + 1)
        case e.PlaceAccepted(id=id, zone=zone, place=place):
            return replace(round, accepted={**round.accepted, (zone, place): id})
    raise IllegalEventError(f"{type(event).__name__} says nothing of a card on the felt.")


def _each(fold: _Fold, *kinds: type) -> dict[type, _Fold]:
    return dict.fromkeys(kinds, fold)


_PARTS: Final[Mapping[type, _Fold]] = {
    **_each(
        _evolve_incident, e.IncidentOpened, e.RulingAsked, e.RulingLapsed, e.IncidentRuled, e.IncidentClosed,
        e.ExceptionRecorded, e.ProceduresInForce,
    ),
    **_each(
        _evolve_deck, e.DeckApproved, e.DeckRefused, e.ShoeLoaded, e.ShoeWithdrawn, e.CutCardCame, e.CountStarted,
        e.CardCounted, e.CountEnded,
    ),
    **_each(
        _evolve_table, e.TableOpened, e.TableClosed, e.DealerChanged, e.ReliefAsked, e.ReliefDeclined,
        e.DealerStoodDown, e.RotationPlanned, e.TablePaused, e.TableResumed, e.TableFrozen, e.TableReleased,
        e.PitCalled, e.PitAnswered, e.TableRestarted, e.TableConfigured, e.TableCarried, e.PayTableAllowed,
        e.TableChanged,
    ),
    **_each(_evolve_device, e.DeviceLost, e.DeviceBack, e.DeviceProved, e.DeviceApproved),
    **_each(_stay, e.DeviceOrdered, e.DeviceServiced, e.PersonActed),
    **_each(_start, e.RoundStarted),
    **_each(_evolve_loose, e.CardSetAside, e.CardDisposed, e.FeltCleared),
    **_each(
        evolve_case, e.PotSeeded, e.CompensationOpened, e.CompensationAssessed, e.CompensationDecided,
        e.CompensationPaid,
    ),
}  # fmt: skip
"""Who folds which event; every other is an event of the round that is open."""

_FOLDS: Final[Mapping[type, _Fold]] = {
    **_each(_follow, *get_args(e.AnyEvent)),
    **_each(_stop, e.IncidentOpened, e.TableFrozen),
    **_each(_take_seat, *get_args(e.AnyRoomEvent)),
    **_each(_correct, *get_args(AnyCorrection)),
    **_each(_unseal, *get_args(AnyUnsealing)),
    e.ObservationRecorded: _observe,
}
"""The first step of every event there is."""
