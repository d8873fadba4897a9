"""A number of a record is read at a bounded cost, wherever a record holds one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from studio.errors import BadInputError
from studio.money import Rates
from studio.rulebook.odds import odds
from studio.tables.event.part import PartOpened
from studio.tables.irregularity.compensation import claims_of
from studio.tables.state.part import Parts
from studio.written_number import read_fraction

ENDLESS = "1e999999999"


@pytest.mark.parametrize(
    "value", [ENDLESS, "1e-999999999", "1e1000", "1e1e1", "1" * 201, "1/0", "nan", "", None, float("inf"), "1" * 9_999]
)
def test_what_is_no_number_as_people_write_one_is_told(value: object) -> None:
    with pytest.raises(BadInputError, match="is no number that can be read: write one as in 2"):
        read_fraction(value)


@pytest.mark.parametrize("value", ["+5", "5.", "1_0", " 2.5 ", "3/1", "1e0001", "1e-999", f"0.{'3' * 190}", 5, 2.5])
def test_whatever_people_write_is_read(value: object) -> None:
    assert read_fraction(value)


def test_a_rate_a_part_a_prize_and_a_pay_table_of_a_record_cost_no_work_without_end() -> None:
    case: Any = SimpleNamespace(bet="ante", ratio=ENDLESS)
    none: Any = None
    for read in (
        lambda: Rates(date="2026-01-31", worth={"JPY": ENDLESS}).worth_of("JPY"),
        lambda: Parts().after(PartOpened(revision=0, returns={"ante": ENDLESS}, back=())),
        lambda: claims_of(case, none, (), "EUR"),
        lambda: odds(ENDLESS),
    ):
        with pytest.raises(BadInputError, match="is no number that can be read"):
            read()
