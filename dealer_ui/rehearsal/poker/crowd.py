"""Simulated players at a demo's poker table: they sit, buy, act over HTTP as an operator's would.

Each sees of his cards what the interface tells his own seat, and decides by that alone.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from dealer_ui.rehearsal.person.interface import Act, Choice, Interface, InterfaceError, SeatNow, TableNow
from dealer_ui.rehearsal.person.visit import Visit
from dealer_ui.rehearsal.poker.setting import set_street
from dealer_ui.rehearsal.poker.sight import PlayerSight
from dealer_ui.rehearsal.poker.temperament import TEMPERAMENTS, Temperament, choose, happens
from studio.cards import Card
from studio.games.ofc_hand import row_zone
from studio.rulebook.hand_terms import BOARD
from studio.rulebook.placing import Placing

_THINK_MS: Final = (600, 3_500)
_COMFORT: Final = 2
"""With fewer who want cards, everybody comes back to the table."""
_LEAVES: Final = 10
_NOT_FOUND: Final = 404


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersPlan:
    """Who comes to a table. `run` is part of every id; `speed` divides the time a player thinks."""

    table: str
    run: str
    players: int = 5
    deposit_minor: int = 500_000
    speed: float = 1.0
    poll_s: float = 0.25


@dataclass(slots=True)
class _Player:
    name: str
    mind: Temperament
    seat: str = ""
    turn: tuple[str, str, int] = ("", "", 0)
    choice: tuple[str, int, tuple[str, ...]] | None = None
    due_ms: int = 0


@dataclass(slots=True)
class PlayersTally:
    hands: int = 0
    failures: int = 0
    answers: Counter[str] = field(default_factory=Counter)


class PlayerCrowd:
    """Stepped by one thread; `tally` may be read by others."""

    def __init__(self, interface: Interface, plan: PlayersPlan, chance: random.Random) -> None:
        minds = list(TEMPERAMENTS.values())
        self.tally = PlayersTally()
        self._interface, self._plan, self._chance = interface, plan, chance
        self._players = [_Player(f"player{at + 1}", minds[at % len(minds)]) for at in range(plan.players)]
        self._made = 0
        self._poor = {player.name for player in self._players}
        self._hand = ""
        visit = Visit(interface, self.act, self.tally, plan.poll_s)
        self.step, self.run = visit.step, visit.run

    def act(self) -> None:
        """Whose turn it is thinks or acts; else one of the others may ask something of his seat."""
        now = self._interface.table(self._plan.table)
        if now.room is None:
            return
        on = next((one for one in self._players if now.decision is not None and one.seat == now.decision.box), None)
        if on is not None and on.seat:
            self._play(on, now)
            return
        hand = now.round.id if now.round is not None else ""
        fresh, self._hand = hand != self._hand, hand
        self.tally.hands += fresh
        for player in self._players:
            if self._see_to(player, now, fresh=fresh):
                return

    # --- at his turn -----------------------------------------------------------------------------------

    def _play(self, player: _Player, now: TableNow) -> None:
        assert now.decision is not None
        turn = (now.round.id if now.round else "", player.seat, now.decision.closes_at_ms)
        if player.turn != turn:
            own = self._own(player)
            if own is None or own.turn is None:
                return
            if own.hidden and not player.mind.silent:
                self._ask(player, Act(self._id(), player.name, "look"))
                return
            player.turn, player.choice = turn, _chosen(player.mind, now, own, self._chance)
            player.due_ms = now.now_ms + int(self._chance.randint(*_THINK_MS) / self._plan.speed)
        if player.choice is not None and now.now_ms >= player.due_ms:
            (option, to_minor, rows), player.choice = player.choice, None
            choice = Choice(self._id(), player.name, option, player.seat, to_minor, rows)
            self._hear(self._interface.decide(self._plan.table, [choice])[0].reason or option)

    def _own(self, player: _Player) -> SeatNow | None:
        """What his seat may know; None when he has lost his seat."""
        try:
            return self._interface.seat(self._plan.table, player.name)
        except InterfaceError as error:
            if error.status != _NOT_FOUND:
                raise
            player.seat = ""
            return None

    # --- between the turns -----------------------------------------------------------------------------

    def _see_to(self, player: _Player, now: TableNow, *, fresh: bool) -> bool:
        """What he wants of his seat, if anything; True when he has asked for it."""
        assert now.room is not None
        if player.name in self._poor:
            self._interface.deposit(player.name, self._id(), self._plan.deposit_minor)
            self._poor.discard(player.name)
            return True
        own = self._own(player)
        if own is None:
            return self._sit(player, now)
        player.seat = own.seat
        wanting = sum(bool(one.stack) and "away" not in one.marks for one in now.room.seats)
        if own.leaving:
            return False
        if not own.stack and not own.dealt_in:
            return self._ask(player, Act(self._id(), player.name, "buy", amount=self._buy_in(now)))
        few = wanting < _COMFORT
        if own.away and not own.dealt_in and (few or (fresh and happens(player.mind.back or 500, self._chance))):
            return self._ask(player, Act(self._id(), player.name, "back"))
        if fresh and wanting > _COMFORT and happens(player.mind.away, self._chance):
            act = "leave" if happens(_LEAVES, self._chance) else "away"
            return self._ask(player, Act(self._id(), player.name, act))
        return False

    def _sit(self, player: _Player, now: TableNow) -> bool:
        assert now.room is not None
        free = [one.seat for one in now.room.seats if not one.taken]
        if not free or now.status != "open":
            return False
        act = Act(self._id(), player.name, "sit", seat=self._chance.choice(free), amount=self._buy_in(now))
        return self._ask(player, act)

    def _buy_in(self, now: TableNow) -> int:
        assert now.room is not None
        return self._chance.randint(now.room.stakes["buy_in_least"], now.room.stakes["buy_in_most"])

    def _ask(self, player: _Player, act: Act) -> bool:
        answer = self._interface.ask_seat(self._plan.table, act)
        if answer.reason == "insufficient_balance":
            self._poor.add(player.name)
        self._hear(answer.reason or act.act)
        return True

    def _hear(self, said: str) -> None:
        self.tally.answers[said] += 1

    def _id(self) -> str:
        self._made += 1
        return f"{self._plan.run}.{self._made}"


def _chosen(
    mind: Temperament, now: TableNow, own: SeatNow, chance: random.Random
) -> tuple[str, int, tuple[str, ...]] | None:
    """What he does at his turn; None where he lets it pass."""
    assert own.turn is not None
    if not own.turn.cards:
        choice = choose(mind, _sight(now, own), chance)
        return None if choice is None else (*choice, ())
    lying = {box.key: [Card.parse(one.card) for one in box.cards if one.card] for box in now.boxes}
    rows = {row: lying[row_zone(own.seat, row)] for row in own.turn.room}
    placing = Placing(own.turn.cards, own.turn.give_up, own.turn.room)
    chosen = set_street(mind, [Card.parse(card) for card in own.cards], rows, placing, chance)
    return None if chosen is None else (own.turn.options[0], 0, chosen)


def _sight(now: TableNow, own: SeatNow) -> PlayerSight:
    assert now.room is not None
    assert own.turn is not None
    open_cards = {box.key: tuple(Card.parse(one.card) for one in box.cards if one.card) for box in now.boxes}
    playing = {seat for pot in now.room.pots for seat in pot.seats}
    return PlayerSight(
        game=now.game,
        hole=tuple(map(Card.parse, own.cards)),
        board=open_cards.get(BOARD, ()),
        options=own.turn.options,
        owed_minor=own.turn.owed,
        to_minor=own.turn.to,
        pot_minor=now.room.in_play,
        opponents=max(1, len(playing - {own.seat})),
        shown=tuple(cards for seat, cards in open_cards.items() if seat not in (BOARD, own.seat) and len(cards) > 1),
    )
