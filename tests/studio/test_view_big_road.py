"""The big road: six rows, dragon tails, draws."""

import doctest
from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.views.past import big_road as module
from studio.views.past.big_road import ROWS, BigRoad, Circle, big_road

WINNERS = {"S": "shark", "K": "king", "d": "draw"}
LETTERS = {"shark": "S", "king": "K"}


def road(letters: str) -> BigRoad:
    return big_road(WINNERS[letter] for letter in letters)


def drawn(road: BigRoad) -> list[str]:
    """The road as it hangs on the wall: a letter for each circle, its draws behind it, a point where there is none."""
    cells = {(each.column, each.row): LETTERS[each.winner] + str(each.draws or "") for each in road.circles}
    rows = ["".join(f"{cells.get((column, row), '.'):<2}" for column in range(road.columns)) for row in range(ROWS)]
    return [row.rstrip() for row in rows]


@pytest.mark.parametrize(
    ("letters", "wall"),
    [
        pytest.param("", [""] * 6, id="nothing-yet"),
        pytest.param(
            "SSKSK", ["S K S K", "S . . .", *[". . . ."] * 4], id="down-while-it-repeats-next-column-on-a-change"
        ),
        pytest.param("SSSSSS", ["S"] * 6, id="six-fill-a-column"),
        pytest.param("SSSSSSSSS", [*["S . . ."] * 5, "S S S S"], id="right-along-the-bottom"),
        pytest.param(
            "SSSSSSSSSKK",
            ["S K . .", "S K . .", *["S . . ."] * 3, "S S S S"],
            id="the-next-run-begins-beside-the-column-of-the-last",
        ),
        pytest.param(
            "SSSSSSSSSKKKKKKKSS",
            ["S K S .", "S K S .", "S K . .", "S K . .", "S K K K", "S S S S"],
            id="a-run-turns-above-the-tail-of-another",
        ),
        pytest.param(
            "SSSSSSSSKKKKKKKSSSSSSKKKKKSSSSKKKKS",
            [
                "S K S K S K K K K S",
                "S K S K S S S . . .",
                "S K S K K K . . . .",
                "S K S S S . . . . .",
                "S K K K . . . . . .",
                "S S S . . . . . . .",
            ],
            id="tail-above-tail-up-to-the-top-row",
        ),
    ],
)
def test_circles_stand_where_the_rule_puts_them(letters: str, wall: list[str]) -> None:
    """[KK-21]"""
    assert drawn(road(letters)) == wall


@pytest.mark.parametrize(
    ("letters", "first_row", "draws_first"),
    [
        pytest.param("SdK", "S1K", 0, id="a-line-through-the-last-circle"),
        pytest.param("SdddKdd", "S3K2", 0, id="counted-when-there-are-several"),
        pytest.param("SdS", "S1", 0, id="a-draw-does-not-end-a-run"),
        pytest.param("ddd", "", 3, id="only-draws"),
        pytest.param("ddSK", "S K", 2, id="draws-before-the-first-win-are-kept"),
    ],
)
def test_draws_lie_on_the_last_circle(letters: str, first_row: str, draws_first: int) -> None:
    """[KK-21]"""
    assert drawn(road(letters))[0] == first_row
    assert road(letters).draws_first == draws_first


def test_a_tail_that_passed_the_other_tail_stays_in_its_row() -> None:
    circles = road("SSSSSSS" + "KKKKKKKKK").circles[-5:]
    assert [(each.column, each.row) for each in circles] == [(1, 4), (2, 4), (3, 4), (4, 4), (5, 4)]


def test_a_circle_says_who_won_and_how_many_draws_followed() -> None:
    assert road("KdS").circles == (Circle(0, 0, "king", 1), Circle(1, 0, "shark", 0))


@given(st.text("SKd", max_size=120) | st.text("SSSSSSSSK", max_size=120))
def test_any_road_keeps_every_round_each_in_a_place_of_its_own(letters: str) -> None:
    found = road(letters)
    places = [(each.column, each.row) for each in found.circles]
    assert len(set(places)) == len(places)
    assert all(0 <= row < ROWS for _, row in places)
    assert [LETTERS[each.winner] for each in found.circles] == [letter for letter in letters if letter != "d"]
    assert found.draws_first + sum(each.draws for each in found.circles) == letters.count("d")


@given(st.text("SSSSSSSSK", max_size=120))
def test_every_run_begins_in_the_top_row_further_right_and_never_leaps(letters: str) -> None:
    began = -1
    for _, run in groupby(road(letters).circles, key=lambda circle: circle.winner):
        places = [(each.column, each.row) for each in run]
        assert places[0][1] == 0
        assert places[0][0] > began
        began = places[0][0]
        for (column, row), (next_column, next_row) in pairwise(places):
            assert (next_column - column, next_row - row) in ((0, 1), (1, 0))


@given(st.text("SKd", max_size=60), st.text("SKd", max_size=10))
def test_a_later_round_moves_no_circle(letters: str, more: str) -> None:
    before, after = road(letters).circles, road(letters + more).circles
    assert [(each.column, each.row) for each in before] == [(each.column, each.row) for each in after[: len(before)]]


def test_the_example_is_true() -> None:
    assert doctest.testmod(module).attempted == 1
    assert doctest.testmod(module).failed == 0
