"""The players of a demo's poker table: they sit, act in their turn by what their seat knows, and outlast a failure."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from dealer_ui.rehearsal.person.interface import (
    Act,
    BetAnswer,
    Choice,
    DecisionNow,
    Interface,
    InterfaceError,
    PotTold,
    RoomNow,
    RoundNow,
    SeatNow,
    SeatTold,
    TableNow,
    TurnNow,
    Window,
)
from dealer_ui.rehearsal.poker import PlayerCrowd, PlayersPlan

SEATS = tuple(f"seat{number}" for number in range(1, 10))


@dataclass
class FakeInterface(Interface):
    """A table that takes everything; `on` is whose turn it is, `down` a studio that does not answer."""

    seats: dict[str, str] = field(default_factory=dict)
    purses: dict[str, int] = field(default_factory=dict)
    said: list[Choice] = field(default_factory=list)
    asked: list[Act] = field(default_factory=list)
    looked: list[str] = field(default_factory=list)
    on: str = ""
    now_ms: int = 0
    down: bool = False

    def table(self, table: str) -> TableNow:
        if self.down:
            raise InterfaceError("The interface does not answer.")
        sitting = tuple(SeatTold(seat, seat in self.seats, 5_000 * (seat in self.seats), ()) for seat in SEATS)
        room = RoomNow(sitting, {"buy_in_least": 4_000, "buy_in_most": 20_000}, (PotTold(tuple(self.seats)),), 150)
        decision = DecisionNow(("fold", "call", "raise"), 20_000, self.on) if self.on else None
        return TableNow(
            self.now_ms, Window(False, None), (), RoundNow("r1"), decision, game="nlh", status="open", room=room
        )

    def seat(self, table: str, bettor: str) -> SeatNow:
        self.looked.append(bettor)
        seat = next((seat for seat, owner in self.seats.items() if owner == bettor), "")
        if not seat:
            raise InterfaceError("The bettor has no seat at this table: take one first.", 404)
        turn = TurnNow(("fold", "call", "raise"), 100, (200, 5_000)) if seat == self.on else None
        return SeatNow(seat, 5_000, bool(self.on), False, False, ("As", "Ad"), turn)

    def ask_seat(self, table: str, act: Act) -> BetAnswer:
        self.asked.append(act)
        if act.act == "sit":
            self.seats[act.seat] = act.bettor
        return BetAnswer(act.client_id, "accepted")

    def decide(self, table: str, choices: list[Choice]) -> tuple[BetAnswer, ...]:
        self.said += choices
        return tuple(BetAnswer(one.client_id, "accepted") for one in choices)

    def deposit(self, bettor: str, client_id: str, amount_minor: int) -> int:
        self.purses[bettor] = amount_minor
        return amount_minor


def crowd_at(table: FakeInterface, players: int = 4) -> PlayerCrowd:
    return PlayerCrowd(table, PlayersPlan(table="nlh-1", run="x", players=players), random.Random(3))


def seated(players: int = 4) -> tuple[FakeInterface, PlayerCrowd]:
    table = FakeInterface()
    crowd = crowd_at(table, players)
    for _ in range(2 * players):
        crowd.step()
    return table, crowd


def test_players_fill_their_purses_and_take_seats_for_what_the_table_asks() -> None:
    table, crowd = seated()
    assert sorted(table.seats.values()) == ["player1", "player2", "player3", "player4"] == sorted(table.purses)
    assert all(4_000 <= act.amount <= 20_000 for act in table.asked if act.act == "sit")
    assert crowd.tally.answers["sit"] == 4


def test_a_player_thinks_and_then_acts_in_his_turn_and_looks_at_his_own_seat_alone() -> None:
    table, crowd = seated()
    crowd.step()  # everybody knows his seat now
    table.on = next(seat for seat, owner in table.seats.items() if owner == "player4")  # the rock holds aces
    table.looked.clear()
    crowd.step()
    assert not table.said
    table.now_ms += 5_000
    crowd.step()
    [choice] = table.said
    assert (choice.bettor, choice.box) == (table.seats[table.on], table.on)
    assert choice.option in ("call", "raise", "fold")
    assert (200 <= choice.to <= 5_000) if choice.option == "raise" else choice.to == 0
    assert set(table.looked) == {choice.bettor}
    crowd.step()
    assert len(table.said) == 1


def test_a_studio_that_does_not_answer_is_asked_less_and_less_often() -> None:
    table, crowd = seated()
    table.down = True
    waits = [crowd.step() for _ in range(8)]
    assert waits == sorted(waits)
    assert waits[-1] == 5.0
    table.down = False
    assert crowd.step() == 0.25
    assert crowd.tally.failures == 8
