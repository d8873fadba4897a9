"""Which PIN somebody may choose: not one that a stranger tries among the first, and a longer one where it rules."""

from __future__ import annotations

import pytest

from studio.errors import RefusedError
from studio.people import Argon2PinHasher, Pin
from studio.people.choosing_pin import choose_pin


@pytest.mark.parametrize(
    "typed",
    [
        "1111",
        "0000",
        "1112",
        "770777",
        "1212",
        "12341234",
        "123123",
        "1234",
        "4321",
        "7890",
        "9012",
        "1984",
        "2026",
        "2580",
        "112233",
    ],
)
def test_a_pin_that_is_guessed_first_is_refused(typed: str) -> None:
    with pytest.raises(RefusedError, match="guessed first"):
        choose_pin(typed, badge="77", roles=["dealer"])


@pytest.mark.parametrize("badge", ["8301", "D-8301", "1038", "998301", "83-01", "８３０１"])
def test_a_pin_that_is_read_off_the_badge_is_refused(badge: str) -> None:
    with pytest.raises(RefusedError, match="guessed first"):
        choose_pin("8301", badge=badge, roles=["dealer"])


@pytest.mark.parametrize("roles", [["pit_boss"], ["admin"], ["dealer", "admin"]], ids=" ".join)
def test_who_rules_on_money_or_people_has_six_digits(roles: list[str]) -> None:
    with pytest.raises(RefusedError, match="6 to 8 digits"):
        choose_pin("83017", badge="77", roles=roles)
    assert isinstance(choose_pin("830174", badge="77", roles=roles), Pin)


@pytest.mark.parametrize("roles", [["dealer"], ["auditor"], ["technician"]], ids=" ".join)
def test_everybody_else_has_four(roles: list[str]) -> None:
    assert isinstance(choose_pin("8301", badge="77", roles=roles), Pin)


def test_of_all_short_pins_most_may_be_chosen() -> None:
    """A rule that leaves few is a list to guess from."""
    left = 0
    for number in range(10_000):
        try:
            choose_pin(f"{number:04}", badge="1001", roles=["dealer"])
            left += 1
        except RefusedError:
            continue
    assert left > 9_000


def test_a_pin_of_before_opens_as_ever() -> None:
    hasher = Argon2PinHasher(cost=1, memory_kib=8)
    assert hasher.matches(hasher.hash(Pin("1111")), Pin("1111"))
