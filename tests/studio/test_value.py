"""What `replace` of `studio.value` promises: the same as the standard library's, only sooner."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass
from typing import Any

import pytest
from table_bench import CONFIG

from studio.tables.state.pit import Seat
from studio.tables.state.table import Moves, TableState
from studio.value import replace


@dataclass(frozen=True)
class Open:
    left: int
    right: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Slotted:
    left: int
    right: tuple[int, ...] = ()


@dataclass(frozen=True)
class Checked:
    left: int

    def __post_init__(self) -> None:
        if self.left < 0:
            raise ValueError("less than nothing")


BOTH = pytest.mark.parametrize("make", [Open, Slotted])


@BOTH
def test_what_is_named_changes_and_the_rest_stays(make: Callable[..., Any]) -> None:
    before = make(1, (2,))
    assert replace(before, left=5) == make(5, (2,)) == dataclasses.replace(before, left=5)
    assert before == make(1, (2,))


@BOTH
def test_a_field_there_is_not_is_refused(make: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="middle"):
        replace(make(1), middle=5)


@BOTH
def test_the_copy_is_as_frozen_as_what_it_was_made_of(make: Callable[..., Any]) -> None:
    with pytest.raises(FrozenInstanceError):
        replace(make(1), left=2).left = 3


def test_a_value_that_checks_itself_checks_the_copy() -> None:
    with pytest.raises(ValueError, match="less than nothing"):
        replace(Checked(1), left=-1)


def test_the_state_of_a_table_is_copied_field_by_field() -> None:
    state = TableState(CONFIG, seat=Seat(dealer="dora"), moves=Moves(count=7))
    after = replace(state, moves=replace(state.moves, count=8))
    assert after == dataclasses.replace(state, moves=Moves(count=8))
    assert type(after) is TableState
    assert (state.moves.count, after.moves.count, after.felt is state.felt) == (7, 8, True)
