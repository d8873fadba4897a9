"""Follows the seats of a poker table through the journal: whose chips, how many, who is dealt in.

It keeps a fold of its own; the money of a buy-in and of a seat that is left is held against the ledger here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studio.money import Transfer, bettor_account
from studio.proof.audit.loose_money import LooseMoney
from studio.proof.audit.wrong import wrong
from studio.rounds import Chose
from studio.rulebook.game import Game
from studio.rulebook.hand_terms import HAND
from studio.rulebook.script import Rules, Step, Turn
from studio.rulebook.seating import Sitting, big_blind_of
from studio.tables.event import table as e
from studio.tables.state.room import stack_purse

ROOM = "room:"


@dataclass(slots=True)
class _Seat:
    operator: str
    bettor: str
    stack_minor: int
    away: bool = False
    leaving: bool = False
    waits: bool = False
    posts: bool = False
    fantasy: int = 0
    missed: int = 0

    @property
    def wants_cards(self) -> bool:
        return self.stack_minor > 0 and not self.away and not self.leaving


class RoomAudit:
    """The seats of one table. `moved` are its transfers outside of hands that no event has accounted for yet."""

    def __init__(self, table: str) -> None:
        self.moved = LooseMoney()
        self._table = table
        self._seats: dict[str, _Seat] = {}
        self._button = self._big_blind = ""
        self._dealt_in: Sequence[str] = ()
        self._fantasy: Callable[[Any], Mapping[str, int]] = lambda outcome: {}
        self.seen: set[str] = set()
        """The seats of the hand whose bettors looked at their cards."""

    def take(self, event: e.AnyRoomEvent, currency: str, seq: int) -> None:
        match event:
            case e.SeatTaken(seat=key, operator=operator, bettor=bettor, stack_minor=stack, client_id=id, waits=waits):
                if key in self._seats:
                    wrong(seq, f"{bettor} took {key} at {self._table}, which was not free.")
                self._seats[key] = _Seat(operator, bettor, 0, waits=waits)
                self._buy(key, stack, id, currency, seq)
            case e.ChipsBought(seat=key, amount_minor=amount, client_id=id):
                if key in self._dealt_in:
                    wrong(seq, f"Chips were bought at {key} of {self._table} during a hand.")
                self._buy(key, amount, id, currency, seq)
            case e.SeatLeft(seat=key, stack_minor=stack, missed=missed):
                if missed not in (0, self._seat(key, seq).missed):
                    wrong(seq, f"{key} of {self._table} was given up for {missed} hands, and missed another number.")
                self._leave(key, stack, currency, seq)
            case e.LeaveAsked(seat=key):
                self._seat(key, seq).leaving = True
            case e.HandSeen(seat=key):
                if key not in self._dealt_in:
                    wrong(seq, f"{key} of {self._table} looked at cards it has not.")
                self.seen.add(key)
            case e.SeatAway(seat=key):
                seat = self._seat(key, seq)
                seat.away, seat.posts = True, False
            case e.SeatBack(seat=key, posts=posts):
                seat = self._seat(key, seq)
                seat.away, seat.posts = False, posts

    def start(self, game: Game, event: e.RoundStarted, seq: int) -> None:
        """The hand is dealt to the seats, and on the terms, that the rules make of who sits there."""
        if game.peers is None:
            return
        sitting = [
            Sitting(key, seat.stack_minor, seat.waits, seat.posts, seat.fantasy, key == self._big_blind)
            for key, seat in sorted(self._seats.items())
            if seat.wants_cards
        ]
        hand = game.peers.next_hand(event.rules, sitting, self._button)
        players = {key: [self._seats[key].operator, self._seats[key].bettor] for key in hand.seats}
        if event.rules.get(HAND) != {**game.peers.terms(event.rules, hand), "players": players}:
            wrong(seq, f"The hand {event.round} was not dealt to the seats, or with the stacks, that were due.")
        self._button, self._dealt_in, self._fantasy = hand.button, hand.seats, game.peers.fantasy
        self._big_blind = big_blind_of(hand.seats)
        self.seen.clear()
        for key, seat in self._seats.items():
            if key in hand.seats:
                seat.waits, seat.posts, seat.missed = False, False, 0
            else:
                seat.missed += not seat.wants_cards
                seat.waits = game.peers.blinds_wait

    def settle(self, outcome: Any) -> None:
        """The hand is over; without an outcome it is void."""
        self._dealt_in = ()
        if outcome is not None:
            for key, stack in zip(outcome.seats, outcome.stacks, strict=True):
                self._seats[key].stack_minor = stack
                self._seats[key].fantasy = self._fantasy(outcome).get(key, 0)

    def _seat(self, key: str, seq: int) -> _Seat:
        if key not in self._seats:
            wrong(seq, f"Nobody sits at {key} of {self._table}.")
        return self._seats[key]

    def _buy(self, key: str, amount_minor: int, id: str, currency: str, seq: int) -> None:
        seat = self._seat(key, seq)
        purse, stack = self._accounts(seat)
        due = Transfer(ROOM + self._table, f"{seat.operator}/{id}", "buy_in", purse, stack, amount_minor, currency)
        self.moved.match((due,), seq)
        seat.stack_minor += amount_minor

    def _leave(self, key: str, stack_minor: int, currency: str, seq: int) -> None:
        seat = self._seat(key, seq)
        if key in self._dealt_in or stack_minor != seat.stack_minor:
            wrong(seq, f"{key} of {self._table} was left in a hand, or with other chips than it had.")
        if stack_minor:
            purse, stack = self._accounts(seat)
            found = self.moved.next_bet
            due = Transfer(ROOM + self._table, found, "cash_out", stack, purse, stack_minor, currency)
            self.moved.match((due,), seq)
        del self._seats[key]

    def _accounts(self, seat: _Seat) -> tuple[str, str]:
        stack = bettor_account(seat.operator, stack_purse(seat.bettor, self._table))
        return bettor_account(seat.operator, seat.bettor), stack


def check_posted(game: Game, rules: Rules, table: str, bets: Sequence[e.PlacedBet], seq: int) -> None:
    """Check that the bets placed for the seats at the start of a hand are the antes and blinds that the seats owe."""
    assert game.peers is not None
    players = rules[HAND]["players"]
    due = [
        (players[seat][0], stack_purse(players[seat][1], table), seat, amount)
        for seat, amount in game.peers.posted(rules).items()
        if amount
    ]
    if [(bet.operator, bet.bettor, bet.bet, bet.stake_minor) for bet in bets] != due:
        wrong(seq, "The antes and blinds of a hand are not what its seats owed.")


def check_acted(step: Step, rules: Rules, table: str, told: e.DecisionsTaken, seq: int) -> Chose:
    """Check that one seat acted, in its turn, and put in what its act costs; gives the fact the deal goes on by."""
    if len(told.decisions) != 1 or not isinstance(step, Turn):
        wrong(seq, f"It was nobody's turn at {table}.")
    [one] = told.decisions
    if step.box != one.box or rules[HAND]["players"][one.box] != [one.operator, one.bettor]:
        wrong(seq, f"{one.box} acted at {table} out of its turn, or another acted for it.")
    least, most = step.to_minor or (0, 0)
    staking = one.option in ("bet", "raise")
    if one.option not in step.options or (staking and not least <= one.to_minor <= most):
        wrong(seq, f"{one.box} could not {one.option} at {table}.")
    cost = step.cost_minor((one.option, one.to_minor) if staking else one.option)
    purse = stack_purse(one.bettor, table)
    due = [(one.operator, one.client_id, purse, one.box, cost)] if cost else []
    if [(bet.operator, bet.client_id, bet.bettor, bet.bet, bet.stake_minor) for bet in told.bets] != due:
        wrong(seq, f"{one.box} put in at {table} what its act does not cost.")
    if (step.placing.refusal(one.rows) is not None) if step.placing else bool(one.rows):
        wrong(seq, f"{one.box} could not set its cards so at {table}.")
    return Chose(box=one.box, option=one.option, to_minor=one.to_minor, rows=one.rows)
