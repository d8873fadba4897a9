"""Who is dealt in, has the button and posts, over many hands of coming and going [PR-10]; and a seat that was left."""

from __future__ import annotations

import random

import pytest
from poker_bench import PokerBench

from studio.rulebook.betting_game import SEATS
from studio.rulebook.seating import Sitting, big_blind_of, next_hand


def test_of_three_two_are_left_and_nobody_has_the_big_blind_twice() -> None:
    """Ann had the button, Bob the small blind, Cy the big one; Ann leaves."""
    bench = PokerBench().open()
    bench.hand()
    bench.ask("leave", "ann")
    bench.wait(0)
    bench.acts("fold")
    bench.end_hand()
    bench.hand()
    assert (bench.state.room.button, bench.state.room.big_blind) == ("seat3", "seat2")
    assert bench.stacks(("bob", "cy")) == {"bob": 10_000 - 50 - 100, "cy": 10_000 + 50 - 50}
    bench.acts("fold")
    bench.end_hand()
    bench.check()
    bench.close()


def test_who_leaves_in_his_own_turn_has_no_time_any_more() -> None:
    bench = PokerBench().open()
    bench.hand()
    bench.wait(20)
    assert bench.state.room.players["seat1"].bank_since_ms is not None
    bench.ask("leave", "ann")
    bench.tick()
    assert bench.turn.box == "seat2"
    bench.acts("fold")
    bench.end_hand()
    assert bench.balance("ann") == 100_000
    bench.check()
    bench.close()


@pytest.mark.parametrize("seed", range(60))
def test_seats_come_and_go_and_every_hand_has_its_blinds(seed: int) -> None:
    """Who is ready is dealt in; who waits only for the big blind, or as a poster; nobody pays it twice in a row."""
    rng, table, button, big = random.Random(seed), dict[str, Sitting](), "", ""
    for _ in range(40):
        table = _after_a_hand(rng, table, button, big)
        if len(table) < 2:
            continue
        ready = {seat for seat, one in table.items() if not one.waits}
        hand = next_hand([one for _, one in sorted(table.items())], button)
        before, button, big = big, hand.button, big_blind_of(hand.seats)
        first = SEATS.index(hand.seats[0])
        assert list(hand.seats) == sorted(hand.seats, key=lambda seat: (SEATS.index(seat) - first) % len(SEATS))
        assert ready <= set(hand.seats) <= set(table)
        if len(ready) >= 3:
            assert set(hand.seats) - ready <= {big, *hand.posting}
        assert before != big
        table = {
            seat: Sitting(seat, 1000, one.waits and seat not in hand.seats, one.posts) for seat, one in table.items()
        }


def _after_a_hand(rng: random.Random, table: dict[str, Sitting], button: str, big: str) -> dict[str, Sitting]:
    left = {seat: one for seat, one in table.items() if rng.random() > 0.1}
    for seat in SEATS:
        if seat not in table and rng.random() < 0.08:
            left[seat] = Sitting(seat, 1000, waits=bool(button), posts=rng.random() < 0.3)
    return {seat: Sitting(seat, 1000, one.waits, one.posts, big=seat == big) for seat, one in left.items()}
