"""Folds who sits at a poker table and with what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from studio.games.hand_terms import HAND
from studio.games.script import Turn
from studio.games.seating import big_blind_of
from studio.rounds import Chose, Finished
from studio.tables.event import table as e
from studio.tables.fold.memory import remember
from studio.tables.state.room import Player, Room
from studio.tables.state.table import TableState, awaited
from studio.value import replace


def evolve_room(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    """The seats after an event of theirs, or of the hand; any other event changes nothing here."""
    if state.game.peers is None:
        return state
    room = remember(_evolve(state, state.room, event, at_ms), state.room, event, at_ms)
    if isinstance(event, e.TimeBankOpened) and state.round is not None:
        state = replace(state, round=replace(state.round, closes_at_ms=event.closes_at_ms))
    if isinstance(event, e.LeaveAsked):
        state = _end_turn(state, event.seat, at_ms)
    return state if room is state.room else replace(state, room=room)


def _end_turn(state: TableState, seat: str, at_ms: int) -> TableState:
    """Who leaves in his own turn has no time any more, neither of the turn nor of his bank."""
    now, round = awaited(state), state.round
    if now is None or round is None or round.closes_at_ms is None or not isinstance(now.step, Turn):
        return state
    if now.step.box != seat:
        return state
    return replace(state, round=replace(round, closes_at_ms=min(round.closes_at_ms, at_ms)))


def _evolve(state: TableState, room: Room, event: e.AnyEvent, at_ms: int) -> Room:
    match event:
        case e.SeatTaken(seat=seat, operator=operator, bettor=bettor, stack_minor=stack, waits=waits):
            player = Player(operator, bettor, stack, waits=waits, bank_ms=_bank_ms(state))
            return replace(room, players={**room.players, seat: player})
        case e.SeatLeft(seat=seat):
            return replace(room, players={key: one for key, one in room.players.items() if key != seat})
        case e.ChipsBought(seat=seat, amount_minor=amount):
            return _with(room, seat, lambda one: replace(one, stack_minor=one.stack_minor + amount))
        case e.LeaveAsked(seat=seat):
            return _with(room, seat, lambda one: replace(one, leaving=True))
        case e.SeatAway(seat=seat):
            return _with(room, seat, lambda one: replace(one, away=True, posts=False, idle=0))
        case e.SeatBack(seat=seat, posts=posts):
            return _with(room, seat, lambda one: replace(one, away=False, posts=posts))
        case e.TimeBankOpened(seat=seat):
            return _with(room, seat, lambda one: replace(one, bank_since_ms=at_ms))
        case e.HandSeen(seat=seat):
            return replace(room, seen=(*room.seen, seat))
    return _follow_hand(state, room, event, at_ms)


def _follow_hand(state: TableState, room: Room, event: e.AnyEvent, at_ms: int) -> Room:
    match event:
        case e.BetsOpened():
            return _each(room, lambda seat, one: replace(one, bank_since_ms=None))
        case e.RoundStarted(rules=rules):
            return _start(state, room, rules[HAND])
        case e.FactStood(fact=Chose() as fact):
            return _with(room, fact.box, lambda one: _chose(one, fact, at_ms))
        case e.BetsPlaced(bets=bets) | e.DecisionsTaken(bets=bets):
            return _put_in(room, bets)
        case e.RedealOrdered():
            return _deal_again(state, room)
        case e.RoundSettled():
            return _settle(state, room)
        case e.RoundRefunded():
            return replace(_each(room, lambda seat, one: replace(one, in_minor=0)), dealt_in=())
    return room


def _bank_ms(state: TableState) -> int:
    return 1000 * int(state.game.options.check(state.config.rules).get("bank_s", 0))


def _with(room: Room, seat: str, change: Callable[[Player], Player]) -> Room:
    player = room.players.get(seat)
    return room if player is None else replace(room, players={**room.players, seat: change(player)})


def _each(room: Room, change: Callable[[str, Player], Player]) -> Room:
    return replace(room, players={seat: change(seat, one) for seat, one in room.players.items()})


def _start(state: TableState, room: Room, hand: Mapping[str, object]) -> Room:
    """Who is dealt in waits no more; who is not, for want of chips or of will, waits from now on."""
    seats, peers = hand["seats"], state.game.peers
    assert isinstance(seats, Sequence)
    assert peers is not None
    dealt_in = tuple(str(seat) for seat in seats)

    def begin(seat: str, one: Player) -> Player:
        if seat in dealt_in:
            return replace(one, in_minor=0, waits=False, posts=False, missed=0)
        return replace(one, waits=peers.blinds_wait, missed=one.missed if one.wants_cards else one.missed + 1)

    begun = _each(room, begin)
    return replace(begun, button=dealt_in[-1], big_blind=big_blind_of(dealt_in), dealt_in=dealt_in, seen=())


def _chose(player: Player, fact: Chose, at_ms: int) -> Player:
    """A turn is over: what it took of the time bank is gone."""
    used = at_ms - player.bank_since_ms if player.bank_since_ms is not None else 0
    idle = player.idle + 1 if fact.by_default else 0
    return replace(player, bank_ms=max(0, player.bank_ms - used), bank_since_ms=None, idle=idle)


def _put_in(room: Room, bets: Sequence[e.PlacedBet]) -> Room:
    for bet in bets:
        amount = bet.stake_minor
        room = _with(room, bet.bet, lambda one, amount=amount: replace(one, in_minor=one.in_minor + amount))  # type: ignore[misc]
    return room


def _deal_again(state: TableState, room: Room) -> Room:
    """The blinds stand, and whatever was bet in the deal that is void goes back."""
    assert state.round is not None
    assert state.game.peers is not None
    posted = state.game.peers.posted(state.round.rules)
    again = _each(room, lambda seat, one: replace(one, in_minor=posted.get(seat, 0)))
    return replace(again, seen=())


def _settle(state: TableState, room: Room) -> Room:
    round = state.round
    assert round is not None
    assert isinstance(round.standing, Finished)
    outcome = round.standing.outcome
    assert state.game.peers is not None
    stacks = dict(zip(outcome.seats, outcome.stacks, strict=True))
    fantasy = {**dict.fromkeys(outcome.seats, 0), **state.game.peers.fantasy(outcome)}

    def after(seat: str, one: Player) -> Player:
        stack_minor = stacks.get(seat, one.stack_minor)
        return replace(one, in_minor=0, stack_minor=stack_minor, fantasy=fantasy.get(seat, one.fantasy))

    return replace(_each(room, after), dealt_in=())
