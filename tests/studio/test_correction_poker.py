"""A settled hand of the poker room is corrected on its bettors' accounts: the chips are in other pots by then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from correction_bench import correct, previewed, replaced
from open_face_bench import OpenFaceBench
from poker_bench import CHIPS, PokerBench

from studio.errors import RefusedError

BROUGHT = 100_000 - CHIPS


@pytest.fixture
def table() -> Iterator[PokerBench]:
    """Bob's aces beat Ann's ace high; Cy has folded his blind."""
    table = PokerBench().open()
    table.hand("Ah Kh 2c Ad Kd 7d 4s As 9c 3d 5h 8h 6h Jc")
    table.acts("raise 300", "call", "fold", "check", "bet 500", "call", "check", "check", "check", "check", "show")
    table.end_hand()
    yield table
    table.check_chips()
    table.check()
    table.close()


def accounts(table: PokerBench) -> dict[str, int]:
    return {bettor: table.balance(bettor) - BROUGHT for bettor in table.seats}


def test_who_ought_to_have_won_is_paid_on_his_account_and_every_chip_stays(table: PokerBench) -> None:
    chips = table.stacks()
    seen = {("seat2", 1): "Qd", ("seat2", 2): "4d", ("seat1", 1): "Jd"}
    correct(table, *(replaced(table, *slot, face) for slot, face in seen.items()))
    assert accounts(table) == {"ann": 1_700, "bob": -1_700, "cy": 0}
    assert table.stacks() == chips


def test_a_hand_that_is_void_after_all_is_made_good_on_the_accounts_and_play_goes_on(table: PokerBench) -> None:
    chips = table.stacks()
    correct(table, void=True)
    assert accounts(table) == {"ann": 800, "bob": -900, "cy": 100}
    assert table.stacks() == chips
    table.hand()
    table.acts("fold", "fold")
    table.end_hand()


def test_a_card_nobody_showed_is_not_corrected(table: PokerBench) -> None:
    with pytest.raises(RefusedError) as refused:
        previewed(table, replaced(table, "seat3", 1, "2d"))
    assert refused.value.key == "face_down"


def test_points_of_open_face_are_made_good_on_the_accounts_too() -> None:
    table = OpenFaceBench().open()
    table.hand()
    table.play_out()
    table.end_hand()
    chips = table.stacks()
    correct(table, void=True)
    assert accounts(table) == {bettor: CHIPS - stack for bettor, stack in chips.items()}
    assert table.stacks() == chips
    table.check()
    table.close()
