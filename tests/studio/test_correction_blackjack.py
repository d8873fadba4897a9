"""At Blackjack the cards fixed the decisions: a corrected card is paid where they still fit, and else only void is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from blackjack_bench import Boxes, boxes
from correction_bench import correct, previewed, replaced

from studio.errors import RefusedError

BROUGHT = 100_000


@pytest.fixture
def table() -> Iterator[Boxes]:
    with boxes() as made:
        yield made


def stood(table: Boxes) -> Boxes:
    """Box 3 stands on nineteen, the dealer has seventeen."""
    table.bet_on({"3:main": 1_000}).no_more_bets().cards("Th 7c 9h").chosen("3 stand").cards("Tc").finish()
    assert table.balance() == BROUGHT + 1_000
    return table


def test_a_card_that_fits_the_decisions_is_paid(table: Boxes) -> None:
    stood(table)
    correct(table, replaced(table, "dealer", 1, "9c"))
    assert table.balance() == BROUGHT
    correct(table, replaced(table, "3", 2, "8h"))
    assert table.balance() == BROUGHT - 1_000


@pytest.mark.parametrize(
    ("box", "place", "face"), [("3", 2, "Ah"), ("dealer", 2, "5c")], ids=["a-blackjack-decides-nothing", "he-draws-on"]
)
def test_a_card_that_would_have_led_elsewhere_leaves_only_void(table: Boxes, box: str, place: int, face: str) -> None:
    stood(table)
    with pytest.raises(RefusedError) as refused:
        previewed(table, replaced(table, box, place, face))
    assert refused.value.key == "misfit"
    correct(table, void=True)
    assert table.balance() == BROUGHT


def test_a_stake_put_out_in_parts_is_corrected_as_one(table: Boxes) -> None:
    """Doubled on eleven with an odd stake: both parts are counted together, before and after."""
    table.bet_on({"3:main": 1_001}).no_more_bets().cards("6h 7c 5h").chosen("3 double").cards("9s Tc").finish()
    assert table.balance() == BROUGHT + 2_002
    correct(table, replaced(table, "3", 3, "2s"))
    assert table.balance() == BROUGHT - 2_002
    correct(table, void=True)
    assert table.balance() == BROUGHT
