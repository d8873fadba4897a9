"""Public displays in a real browser: the board of KKClash in the middle, long pay tables whole on a wall."""

from __future__ import annotations

from typing import Protocol

import pytest
from altered import altered
from conftest import Station
from fake_floor import IDLE, FakeFloor, box
from sample import sampled

from studio.games import find_game
from studio.games.kkclash import BETS
from studio.views import TableView
from studio.views.shape import PastView, RoadMark

CLASH = altered(
    IDLE,
    table="clash1",
    title="Clash 1",
    game={"key": "kkclash", "title": "KKClash", "limits": dict.fromkeys(BETS, (100, 100_000))},
    now={"phase": "dealing"},
    boxes=(box("shark", "*", "*", count=2), box("king", "*", "*", count=2), box("board", "Tc", count=5)),
    past=PastView(("king", "shark") * 30 + ("draw",), {"draw": 12}),
)


LONG = ("baccarat", "dragon_tiger", "andar_bahar")


def long_table(key: str) -> TableView:
    game = find_game(key)
    return altered(
        IDLE,
        table="long1",
        title="Long 1",
        game={"key": key, "title": game.title, "limits": dict.fromkeys(game.betting.bets, (100, 100_000))},
        boxes=tuple(box(zone, count=count) for zone, count in game.felt.boxes.items() if zone not in game.felt.opening),
        past=PastView(marks=tuple(RoadMark(side) for side in (game.roads.sides if game.roads else ()) * 30)),
    )


class At(Protocol):
    def __call__(self, floor: FakeFloor, badge: str, path: str, *, width: int = 1280, height: int = 800) -> Station: ...


@pytest.mark.parametrize(("width", "height"), sampled([(1280, 800), (800, 600), (390, 844)], (800, 600), (390, 844)))
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


@pytest.mark.parametrize(("width", "height"), sampled([(1280, 800), (1920, 1080)], (1280, 800)))
@pytest.mark.parametrize("game", LONG)
def test_the_longest_pay_tables_stand_whole_on_a_screen_that_nobody_scrolls(
    at: At, game: str, width: int, height: int
) -> None:
    page = at(FakeFloor(long_table(game)), "", "/display/long1", width=width, height=height).page
    assert page.locator(".pays tbody tr").count() > 3
    assert page.evaluate("document.documentElement.scrollHeight") == height
