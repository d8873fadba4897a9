"""What `replace` of `studio.value` promises, and of what a table's state is made."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass, is_dataclass

import msgspec
import pytest
from table_bench import CONFIG

from studio.tables import state as parts
from studio.tables.state.pit import Seat
from studio.tables.state.table import Moves, TableState
from studio.value import replace


class Pair(msgspec.Struct, frozen=True):
    left: int
    right: tuple[int, ...] = ()


@dataclass(frozen=True)
class Open:
    left: int


def test_what_is_named_changes_and_the_rest_stays() -> None:
    before = Pair(1, (2,))
    assert replace(before, left=5) == Pair(5, (2,))
    assert before == Pair(1, (2,))


def test_a_field_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match="middle"):
        replace(Pair(1), middle=5)


def test_the_copy_is_as_frozen_as_what_it_was_made_of() -> None:
    with pytest.raises(AttributeError):
        replace(Pair(1), left=2).left = 3


def test_a_dataclass_is_not_taken() -> None:
    with pytest.raises(TypeError, match="Struct"):
        replace(Open(1), left=2)


def test_the_state_of_a_table_is_copied_field_by_field() -> None:
    state = TableState(CONFIG, seat=Seat(dealer="dora"), moves=Moves(count=7))
    after = replace(state, moves=replace(state.moves, count=8))
    assert after == TableState(CONFIG, seat=Seat(dealer="dora"), moves=Moves(count=8))
    assert type(after) is TableState
    assert (state.moves.count, after.moves.count, after.felt is state.felt) == (7, 8, True)


def test_every_value_of_a_tables_state_is_a_frozen_struct() -> None:
    modules = [importlib.import_module(f"{parts.__name__}.{one.name}") for one in pkgutil.iter_modules(parts.__path__)]
    values = [
        kind
        for module in modules
        for kind in vars(module).values()
        if getattr(kind, "__module__", "") == module.__name__
    ]
    structs = [kind for kind in values if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    assert [kind for kind in values if is_dataclass(kind)] == []
    assert len(structs) > 40
    assert [kind for kind in structs if not kind.__struct_config__.frozen] == []
