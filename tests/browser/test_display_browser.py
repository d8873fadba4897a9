"""The public display of KKClash in a real browser: the board in the middle, nothing beyond the edge."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import pytest
from conftest import Station
from fake_floor import IDLE, FakeFloor, box

from studio.games.kkclash import BETS
from studio.views.shape import PastView

CLASH = replace(
    IDLE, table="clash1", title="Clash 1", game="kkclash", game_title="KKClash", phase="dealing",
    boxes=(box("shark", "*", "*", count=2), box("king", "*", "*", count=2), box("board", "Tc", count=5)),
    limits=dict.fromkeys(BETS, (100, 100_000)), past=PastView(("king", "shark") * 30 + ("draw",), {"draw": 12}),
)  # fmt: skip


class At(Protocol):
    def __call__(self, floor: FakeFloor, badge: str, path: str, *, width: int = 1280, height: int = 800) -> Station: ...


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (800, 600), (390, 844)])
def test_the_board_lies_in_the_middle_and_the_newest_circle_is_seen(at: At, width: int, height: int) -> None:
    page = at(FakeFloor(CLASH), "", "/display/clash1", width=width, height=height).page
    shark, board, king = (page.locator(f"#box-{one}").bounding_box() for one in ("shark", "board", "king"))
    assert shark is not None
    assert board is not None
    assert king is not None
    assert abs(board["x"] + board["width"] / 2 - width / 2) < 1
    assert abs(shark["width"] - king["width"]) < 1
    assert abs(shark["x"] - (width - king["x"] - king["width"])) < 1
    newest = page.locator(".bead.newest").bounding_box()
    assert newest is not None
    assert newest["x"] + newest["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") == width
