"""What a dealer's console says of a shoe that is dealt through many rounds: how far it is, and when it ends."""

from __future__ import annotations

import re

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import IDLE, FakeFloor, box

from studio.views import TableView
from studio.views.shape import ChangeStep, PastView, RoadMark, Words

AT_BACCARAT = altered(
    IDLE,
    game={"key": "baccarat", "title": "Baccarat", "limits": {"player": (100, 100_000)}},
    boxes=(box("player", count=3), box("banker", count=3)),
    past=PastView(marks=(*[RoadMark("banker")] * 14, RoadMark("player", ("player",)), RoadMark("tie"))),
    shoe={"number": 4, "rounds_left": None},
)


def line_of(view: TableView) -> str:
    page = Visitor(app_over(FakeFloor(view)), "dora").page(f"/dealer/{view.table}")
    found = re.search(r'<div class="shoe-line">(.*?)</div>', page, re.S)
    return found[1] if found else ""


def test_shoe_rounds_last_twelve_results_and_counts_stand_under_the_facts() -> None:
    line = line_of(AT_BACCARAT)
    assert "Shoe 4" in line
    assert "Rounds dealt 16" in line
    assert "".join(re.findall(r'<li class="bead-of \w+">(\w+)</li>', line)) == "BBBBBBBBBBPT"
    assert re.findall(r"<b>(\d+)</b>", line) == ["14", "1", "1", "1"]
    assert "Cut card" not in line


@pytest.mark.parametrize(("left", "said"), [(1, "one round more"), (0, "last round")])
def test_the_cut_card_and_how_many_rounds_follow_are_said(left: int, said: str) -> None:
    assert said in line_of(altered(AT_BACCARAT, shoe={"rounds_left": left}))


def test_where_the_change_of_the_shoe_is_shown_step_by_step_nothing_more_is_said_of_it() -> None:
    change = (ChangeStep(Words("change.take_out"), "due"),)
    assert "Cut card" not in line_of(altered(AT_BACCARAT, shoe={"rounds_left": 0, "change": change}))


def test_a_game_without_roads_has_no_such_line() -> None:
    assert line_of(IDLE) == ""
