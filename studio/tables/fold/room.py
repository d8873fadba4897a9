"""Folds who sits at a poker table and with what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from studio.rounds import Chose, Finished
from studio.rulebook.hand_terms import HAND
from studio.rulebook.script import Turn
from studio.rulebook.seating import big_blind_of
from studio.tables.event import table as e
from studio.tables.state.room import ASKED_KEPT, RETURNS_KEPT, Left, Player, Room, SeatRequest
from studio.tables.state.table import TableState, awaited
from studio.value import replace

_ACTS: Final = {e.ChipsBought: "buy", e.LeaveAsked: "leave", e.SeatLeft: "leave", e.SeatAway: "away"}


def evolve_room(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    """The seats after an event of theirs, or of the hand; any other event changes nothing here."""
    if state.game.peers is None:
        return state
    room = remember(_evolve(state, state.room, event, at_ms), state.room, event, at_ms)
    if isinstance(event, e.TimeBankOpened) and state.round is not None:
        state = replace(state, round=state.round.closing(event.closes_at_ms))
    if isinstance(event, e.LeaveAsked):
        state = _end_turn(state, event.seat, at_ms)
    return state if room is state.room else replace(state, room=room)


def _end_turn(state: TableState, seat: str, at_ms: int) -> TableState:
    """End the time of the seat's turn, and that of its time bank, where its player leaves in his own turn."""
    now, round = awaited(state), state.round
    if now is None or round is None or round.window.closes_at_ms is None or not isinstance(now.step, Turn):
        return state
    if now.step.box != seat:
        return state
    return replace(state, round=round.closing(min(round.window.closes_at_ms, at_ms)))


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
    """Start a hand: seats that are dealt in no longer wait. A seat that is left out, for want of chips or by its own
    wish, waits from now on where the game has seats wait for the blind.
    """
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
    assert isinstance(round.deal.standing, Finished)
    outcome = round.deal.standing.outcome
    assert state.game.peers is not None
    stacks = dict(zip(outcome.seats, outcome.stacks, strict=True))
    fantasy = {**dict.fromkeys(outcome.seats, 0), **state.game.peers.fantasy(outcome)}

    def after(seat: str, one: Player) -> Player:
        stack_minor = stacks.get(seat, one.stack_minor)
        return replace(one, in_minor=0, stack_minor=stack_minor, fantasy=fantasy.get(seat, one.fantasy))

    return replace(_each(room, after), dealt_in=())


def remember(room: Room, before: Room, event: e.AnyEvent, at_ms: int) -> Room:
    """The room after the event, with the request behind it; `before` is where who left still sat."""
    if (asked := _asked(before, event)) is not None:
        room = replace(room, asked=(*room.asked, asked)[-ASKED_KEPT:])
    if isinstance(event, e.SeatLeft) and (player := before.players.get(event.seat)) is not None:
        others = [one for one in room.left if (one.operator, one.bettor) != (player.operator, player.bettor)]
        left = Left(player.operator, player.bettor, event.stack_minor, at_ms)
        room = replace(room, left=(*others, left)[-RETURNS_KEPT:])
    return room


def _asked(before: Room, event: e.AnyEvent) -> SeatRequest | None:
    """The request that this event answers, as far as the act has use for it; None where nobody asked."""
    match event:
        case e.SeatTaken(operator=operator, bettor=bettor, client_id=id, seat=seat, stack_minor=amount):
            return SeatRequest("sit", operator, bettor, id, seat, amount)
        case e.ChipsBought() | e.LeaveAsked() | e.SeatLeft() | e.SeatAway():
            act = _ACTS[type(event)]
        case e.SeatBack(posts=posts):
            act = "post" if posts else "back"
        case _:
            return None
    player = before.players.get(event.seat)
    if player is None or not event.client_id:
        return None
    amount_minor = event.amount_minor if isinstance(event, e.ChipsBought) else 0
    return SeatRequest(act, player.operator, player.bettor, event.client_id, amount_minor=amount_minor)
