"""A prize lost with a voided round, on the pit's screens: who is concerned, and one form that decides it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import IDLE, NOW_MS, FakeFloor

from studio.tables import command as c
from studio.views.shape import CaseView

CASE = CaseView(
    round="knights1-0000041", incident="knights1-i7", bet="first5", line="flush", opened_at_ms=NOW_MS - 60_000,
    assessed=True, bettors=2, prizes_minor=24_040, pays="",
    claims=(("bettor:north:bob", 500, 20_000, "EUR"), ("bettor:north:jun", 10_100, 404_000, "JPY")),
)  # fmt: skip
VIEW = altered(IDLE, aftermath={"cases": (CASE,)})


def test_the_pit_sees_the_case_the_bettors_and_what_they_lost() -> None:
    visitor = Visitor(app_over(FakeFloor(VIEW)), "paul")
    page = visitor.page(f"/pit/{VIEW.table}")
    for said in ("Prize lost with a voided round", "HG20", "north:bob", "€200.00", "¥404,000", "€240.40", "2 bettors"):
        assert said in page, said
    assert 'name="pays" value="full"' in page
    assert "alarm-case:knights1-0000041" in visitor.page("/pit")


def test_no_screen_of_the_dealer_or_the_public_speaks_of_it() -> None:
    visitor = Visitor(app_over(FakeFloor(VIEW)), "dora")
    assert "north:bob" not in visitor.page(f"/dealer/{VIEW.table}")
    assert "north:bob" not in visitor.page(f"/display/{VIEW.table}")


@pytest.mark.parametrize("change", [{"pays": "full"}, {"assessed": False}])
def test_a_case_that_is_decided_or_still_growing_has_no_form(change: dict[str, object]) -> None:
    view = altered(IDLE, aftermath={"cases": (replace(CASE, **change),)})  # type: ignore[arg-type]
    assert "decide_compensation" not in Visitor(app_over(FakeFloor(view)), "paul").page(f"/pit/{view.table}")


def test_the_form_asks_for_what_was_chosen() -> None:
    floor = FakeFloor(VIEW)
    answer = Visitor(app_over(floor), "paul").ask(
        VIEW.table, "decide_compensation", id="i1", case=CASE.round, pays="each", amount_minor="700",
        reason_code="other", words="As agreed.",
    )  # fmt: skip
    assert answer.status_code == 200, answer.get_json()
    [asked] = [command for command in floor.asked if isinstance(command, c.DecideCompensation)]
    assert (asked.case, asked.pays, asked.amount_minor, asked.words) == (CASE.round, "each", 700, "As agreed.")
