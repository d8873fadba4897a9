"""A betting hand of the poker room at a table: seats, blinds, acts, showdown, chips."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from poker_bench import CHIPS, PokerBench

from studio.tables import command as c


@pytest.fixture
def bench() -> Iterator[PokerBench]:
    bench = PokerBench().open()
    yield bench
    bench.check()
    bench.close()


def test_a_hand_is_dealt_bet_and_shown(bench: PokerBench) -> None:
    """Ann has the button; Bob posts the small blind, Cy the big one."""
    bench.hand("Ah Kh 2c Ad Kd 7d 4s As 9c 3d 5h 8h 6h Jc")
    assert bench.state.room.button == "seat1"
    assert bench.stacks() == {"ann": CHIPS, "bob": CHIPS - 50, "cy": CHIPS - 100}
    assert bench.turn.box == "seat1"
    assert bench.turn.owed_minor == 100
    bench.acts("raise 300", "call", "fold", "check", "bet 500", "call", "check", "check", "check", "check", "show")
    bench.end_hand()
    bench.check_chips()
    assert sum(bench.stacks().values()) == 3 * CHIPS
    assert bench.stacks()["cy"] == CHIPS - 100


def test_everybody_folds_and_no_card_is_shown(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("fold", "fold")
    bench.end_hand()
    assert bench.stacks() == {"ann": CHIPS, "bob": CHIPS - 50, "cy": CHIPS + 50}
    [declared] = bench.rows("ResultDeclared")
    assert "cards" not in str(declared)


def test_the_button_moves_and_hands_go_on(bench: PokerBench) -> None:
    for button in ("seat1", "seat2", "seat3", "seat1"):
        bench.hand()
        assert bench.state.room.button == button
        bench.acts("fold", "fold")
        bench.end_hand()
    assert sum(bench.stacks().values()) == 3 * CHIPS


def test_a_hand_needs_two_seats() -> None:
    bench = PokerBench("ann").open()
    assert bench.refused(c.StartRound) == "few_seats"
