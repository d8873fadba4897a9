"""Folds what happens to a round: its deal, what the two eyes say of its cards, its boxes, bets and money."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from studio.errors import IllegalEventError
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
from studio.rulebook.game import Game
from studio.rulebook.script import Decide, Step, Turn
from studio.settlement import Progress
from studio.spoken import Slot
from studio.tables.event import table as e
from studio.tables.event.part import PartOpened, PartSettled
from studio.tables.fold.deck import draw, open_cards, read_again, shuffle_back
from studio.tables.state.pot import PotStanding
from studio.tables.state.round import (
    DECIDED,
    Eyes,
    Round,
    RoundDeal,
    RoundVoid,
    RoundWindow,
    Stage,
    bets_are_in,
    by_place,
    is_turned,
)
from studio.tables.state.shoe import BACK_IN_SHOE
from studio.tables.state.table import TableState, awaited
from studio.value import replace
from studio.written_number import read_fraction

_AS_IT_LIES: Final = frozenset({"continue", "shoe", "camera", "manual"})


def start_round(state: TableState, event: e.RoundStarted, at_ms: int) -> TableState:
    deal = RoundDeal(play(state.game.deal.script(event.rules), ()))
    pot = PotStanding(event.pot) if event.pot else None
    round = Round(event.round, event.number, event.rules, event.version, event.dealer, deal, pot=pot, rates=event.rates)
    deck = state.deck.begun() if state.deck else None
    owed = tuple(one for one in state.loose if one.to in ("next", "next_burn", BACK_IN_SHOE))
    incidents = replace(state.incidents, following=None)
    return replace(state, round=round, rounds=event.number, deck=deck, loose=owed, incidents=incidents)


def evolve_round(state: TableState, round: Round, event: e.AnyEvent, at_ms: int) -> TableState:
    round = follow_pot(state.game, round, event)
    match event:
        case e.PotFed() | e.PotWon() | e.PotReturned():
            return replace(state, round=round)
        case e.PartOpened() | e.PartSettled():
            return evolve_part(state, round, event)
        case e.FactStood():
            return _stand(state, round, event, at_ms)
        case e.CardConfirmed() | e.CardDoubted() | e.ShoeMissed() | e.ReadingWaived() | e.PlaceAccepted():
            return replace(state, round=replace(round, eyes=_watch(round.eyes, event, at_ms)))
        case e.RedealOrdered():
            return replace(state, round=_deal_again(state, round))
        case e.BetsOpened(closes_at_ms=closes):
            return replace(state, round=round.closing(closes))
        case e.DecisionsClosed():
            return state
        case e.BettorReady(operator=operator, bettor=bettor):
            window = replace(round.window, ready=round.window.ready | {(operator, bettor)})
            return replace(state, round=replace(round, window=window))
        case e.BetsPlaced(bets=bets):
            return replace(state, round=with_boxes(state.game, _staked(round, bets), [bet.bet for bet in bets]))
        case e.DecisionsTaken(bets=bets, decisions=decisions):
            return replace(state, round=with_takers(state.game, _staked(round, bets, decided=bool(bets)), decisions))
    return replace(state, round=_pay(round, event))


def _staked(round: Round, bets: Sequence[e.PlacedBet], *, decided: bool = False) -> Round:
    """More is bet, and whoever bets is not ready yet; `decided`: by a decision."""
    stakes, window = round.stakes, round.window
    if window.ready:
        window = replace(window, ready=window.ready - {(bet.operator, bet.bettor) for bet in bets})
    stakes = replace(
        stakes, bets=stakes.bets + len(bets), stake_minor=stakes.stake_minor + sum(bet.worth for bet in bets),
        decided=stakes.decided or decided,
    )  # fmt: skip
    return replace(round, stakes=stakes, window=window)


def _deal_again(state: TableState, round: Round) -> Round:
    """The bets stand; a window that had not ended yet is opened again in the new deal."""
    stakes = round.stakes
    back = (*stakes.giving_back, DECIDED) if stakes.decided else stakes.giving_back
    return replace(
        round,
        deal=RoundDeal(play(state.game.deal.script(round.rules), ()), round.deal.attempt + 1),
        eyes=Eyes(vouched=round.eyes.vouched),
        window=RoundWindow(ready=round.window.ready, bets_in=bets_are_in(round)),
        stakes=replace(stakes, decided=False, giving_back=back),
        outcome=None,
    )


def keep_look(state: TableState, event: e.AnyEvent) -> TableState:
    """What lay in the place of an incident when a person ruled that the game goes on with it."""
    if not isinstance(event, e.IncidentRuled) or event.ruling not in _AS_IT_LIES or state.round is None:
        return state
    incident, round = state.incident(event.id), state.round
    if incident is None or (look := state.felt.looks.get(incident.scene.slot)) is None:
        return state
    eyes = replace(round.eyes, ruled={**round.eyes.ruled, incident.scene.slot: look})
    return replace(state, round=replace(round, eyes=eyes))


def _pay(round: Round, event: e.AnyEvent) -> Round:
    match event:
        case e.ResultDeclared(outcome=outcome):
            return replace(round, outcome=outcome, stage=Stage.SETTLING, paid=Progress())
        case e.BetsSettled(cursor=cursor, stake_minor=stake, returns_minor=returns, digest=digest):
            return replace(round, paid=Progress(cursor, stake, returns, digest))
        case e.RoundSettled():
            return replace(round, stage=Stage.SETTLED)
        case e.RoundVoided(row=row, paid=paid):
            void = RoundVoid(row, {bet: read_fraction(ret) for bet, ret in paid.items()})
            stakes = replace(round.stakes, giving_back=())
            round = replace(round.closing(None), void=void, paid=Progress(), outcome=None, stakes=stakes)
            return replace(round, stage=Stage.VOIDING)
        case e.BetsVoided(cursor=cursor):
            return replace(round, paid=Progress(cursor))
        case e.BetsReturned(bets=bets, stake_minor=stake, over=over):
            was = round.stakes
            left = () if over else was.giving_back
            stakes = replace(was, bets=was.bets - len(bets), stake_minor=was.stake_minor - stake, giving_back=left)
            return replace(round, stakes=stakes)
        case e.RoundRefunded():
            return replace(round, stage=Stage.VOIDED)
    raise IllegalEventError(f"{type(event).__name__} is no event of a round.")


def _stand(state: TableState, round: Round, event: e.FactStood, at_ms: int) -> TableState:
    before = round.deal
    facts, standing = play_on(before.standing, before.facts, event.fact, lambda: state.game.deal.script(round.rules))
    if round.window.closes_at_ms is not None and _step(standing) != _step(before.standing):
        round = round.closing(None)  # also where a correction takes an open window's ground away
    round = replace(round, deal=RoundDeal(standing, before.attempt, facts, by_place(facts)))
    state = replace(state, round=round)
    match event.fact:
        case WindowClosed():
            window = replace(round.window, closes_at_ms=None, took=())
            return replace(state, round=replace(round, window=window))
        case Chose():
            return replace(state, round=round.closing(None))
        case HandVoided(box=box, zones=zones):
            return replace(state, round=without_hand(round, box, zones))
        case CardDealt(card=card, box=box, place=place) as fact:
            return draw(_with_eyes(state, round, _read(round.eyes, card.id, (box, place), at_ms)), fact)
        case CardBurned(card=card, place=place) as fact:
            return draw(_with_eyes(state, round, _read(round.eyes, card.id, ("burn", place), at_ms)), fact)
        case Shuffled() as shuffled:
            return shuffle_back(state, shuffled)
        case CardReplaced(id=id, face=face):
            wrong = next((o.face for o in before.cards.values() if isinstance(o, CardDealt) and o.card.id == id), None)
            return state if wrong is None else read_again(state, wrong, face)
        case Revealed(box=box, faces=faces):
            lie = zip(sorted(slot for slot in round.deal.cards if slot[0] == box), faces, strict=True)
            turned = {before.cards[slot].card.id: face for slot, face in lie if not is_turned(before.cards[slot])}
            return open_cards(state, set(turned), tuple(turned.values()))
        case Laid(to=to, faces=faces):
            opened = {round.deal.cards[zone, place].card.id for _, zone, place in to}
            since_ms = {**round.eyes.read_at_ms, **dict.fromkeys(opened, at_ms)}
            eyes = replace(round.eyes, confirmed=round.eyes.confirmed - opened, read_at_ms=since_ms)
            return open_cards(_with_eyes(state, round, eyes), opened, faces)
    return state


def _step(standing: Standing) -> Step | None:
    return standing.step if isinstance(standing, Awaiting) else None


def _with_eyes(state: TableState, round: Round, eyes: Eyes) -> TableState:
    return replace(state, round=replace(round, eyes=eyes))


def _read(eyes: Eyes, id: str, slot: Slot, at_ms: int) -> Eyes:
    """The shoe has read the card of this place."""
    return replace(eyes.forgiven(slot), read_at_ms={**eyes.read_at_ms, id: at_ms})


def _watch(eyes: Eyes, event: e.AnyEvent, at_ms: int) -> Eyes:
    match event:
        case e.CardConfirmed(id=id):
            doubts = {key: why for key, why in eyes.doubts.items() if key != id}
            return replace(eyes, confirmed=eyes.confirmed | {id}, doubts=doubts)
        case e.CardDoubted(id=id, why=why):
            again = {**eyes.read_at_ms, id: at_ms}
            return replace(eyes, confirmed=eyes.confirmed - {id}, doubts={**eyes.doubts, id: why}, read_at_ms=again)
        case e.ShoeMissed(box=box, place=place, reported=reported):
            unread = eyes.unread | {(box, place)} if reported else eyes.unread
            return replace(eyes, missed={**eyes.missed, (box, place): at_ms}, unread=unread)
        case e.ReadingWaived(box=box, place=place):
            return replace(eyes.forgiven((box, place)), waived=eyes.waived + 1)
        case e.PlaceAccepted(id=id, zone=zone, place=place):
            return replace(eyes, accepted={**eyes.accepted, (zone, place): id})
    raise IllegalEventError(f"{type(event).__name__} says nothing of a card on the felt.")


def evolve_part(state: TableState, round: Round, event: PartOpened | PartSettled) -> TableState:
    """A part that takes something back is the next revision of its round: a later correction counts on from there."""
    state = replace(state, round=replace(round, parts=round.parts.after(event)))
    if isinstance(event, PartOpened) and event.revision:
        was = state.aftermath.corrections
        corrections = replace(was, revisions={**was.revisions, round.id: event.revision})
        return replace(state, aftermath=replace(state.aftermath, corrections=corrections))
    return state


def follow_pot(game: Game, round: Round, event: e.AnyEvent) -> Round:
    """Stakes on the bet that feeds the pot count towards the contribution; the pot's own events are kept."""
    if not game.pot.bet:
        return round
    match event:
        case e.BetsPlaced(bets=bets) | e.DecisionsTaken(bets=bets):
            stakes = [(bet.currency, bet.stake_minor) for bet in bets if bet.bet == game.pot.bet]
            pot = round.pot.with_stakes(stakes) if round.pot else None
            prize_bets = round.stakes.prize_bets + len(stakes)
            return replace(round, pot=pot, stakes=replace(round.stakes, prize_bets=prize_bets)) if stakes else round
        case e.PotFed() | e.PotWon() | e.PotReturned() if round.pot is not None:
            return replace(round, pot=round.pot.after(event))
    return round


def stop_turn(state: TableState) -> TableState:
    """While the table is held no box decides: its turn begins anew, with all of its time, when the table goes on."""
    now, round = awaited(state), state.round
    if round is None or now is None or not state.held or not isinstance(now.step, Turn):
        return state
    return replace(state, round=round.closing(None))


def with_boxes(game: Game, round: Round, bets: Sequence[str]) -> Round:
    """The round with the boxes of these bets among those that play, in the order they are dealt. Only games whose deal
    depends on the bets need it.
    """
    stakes = round.stakes
    if game.owned is None or not (taken := set(game.owned.boxes_of(bets)) - set(stakes.boxes)):
        return round
    boxes = tuple(box for box in game.felt.boxes if box in taken or box in stakes.boxes)
    return replace(round, stakes=replace(stakes, boxes=boxes))


def with_takers(game: Game, round: Round, decisions: Sequence[e.Decision]) -> Round:
    """The boxes that took what a window offers; to let it pass is to take nothing."""
    step = round.deal.standing.step if isinstance(round.deal.standing, Awaiting) else None
    if game.owned is None or not isinstance(step, Decide):
        return round
    nothing = step.default
    taken = {*round.window.took, *(one.box for one in decisions if one.option != nothing)}
    took = tuple(box for box in round.stakes.boxes if box in taken)
    return replace(round, window=replace(round.window, took=took))


def without_hand(round: Round, box: str, zones: Sequence[str]) -> Round:
    """A box whose hand is void is out of the round, and its bets have to go back."""
    stakes, window, eyes = round.stakes, round.window, round.eyes
    boxes = tuple(one for one in stakes.boxes if one != box)
    return replace(
        round,
        stakes=replace(stakes, boxes=boxes, giving_back=(*stakes.giving_back, box)),
        window=replace(window, took=tuple(one for one in window.took if one != box)),
        eyes=replace(
            eyes,
            missed={slot: since_ms for slot, since_ms in eyes.missed.items() if slot[0] not in zones},
            unread=frozenset(slot for slot in eyes.unread if slot[0] not in zones),
        ),
    )
