"""The screens of Open-Face Chinese: points row by row, scoops, fouls and fantasy, and no card that is not set."""

from __future__ import annotations

import re

import pytest
from console_visitor import Visitor, app_over
from fake_floor import FakeFloor
from fake_open_face import BOARDS, STATES, TABLE, hand

from dealer_ui.felt.act import act_of, speaks
from dealer_ui.public.room import room_show
from dealer_ui.words.language import LANGUAGES, Languages
from studio.rulebook.open_face import ROWS
from studio.tables.state.round import Stage
from studio.views.shape import BoardView

ENGLISH = Languages().speak("en")
CARD = re.compile(r'class="card (?:red|black)"')
CONSOLES = (("dora", f"/dealer/{TABLE}"), ("paul", f"/pit/{TABLE}"), ("", f"/display/{TABLE}"))


def board(state: str, seat: int) -> BoardView:
    room = STATES[state].room
    assert room is not None
    found = room.seats[seat - 1].board
    assert found is not None
    return found


@pytest.mark.parametrize(("state", "says"), [
    ("before", "Start the hand"), ("dealing", "Seat 3, card 5, face down"), ("first turn", "Seat 2 sets its cards"),
    ("laying", "Seat 2: 1 bottom, 2 bottom, 3 bottom, 4 bottom, 5 bottom"), ("points", "Declare the result"),
])  # fmt: skip
def test_the_next_act_in_one_line(state: str, says: str) -> None:
    assert ENGLISH.words(act_of(STATES[state])) == says


def test_points_are_told_row_by_row_with_scoop_foul_and_fantasy() -> None:
    first, fouled, last = (board("points", seat) for seat in (1, 2, 3))
    assert (dict(first.rows), first.scoops, first.points, first.won_minor) == (dict.fromkeys(ROWS, 2), 6, 12, 1_200)
    assert (fouled.out, fouled.scoops, fouled.points, fouled.won_minor) == ("foul", -6, -12, -1_200)
    assert (dict(last.rows), last.scoops, last.points) == (dict.fromkeys(ROWS, 0), 0, 0)
    assert (first.fantasy, fouled.fantasy, last.fantasy) == (14, 0, 0)


def test_royalties_are_told_apart_from_rows() -> None:
    won, lost = board("two seats", 1), board("two seats", 2)
    assert (sum(won.rows.values()), won.scoops, won.royalties, won.points) == (3, 3, 11, 17)
    assert lost.points == -17


def test_the_dealer_says_the_points_the_best_seat_first() -> None:
    assert [ENGLISH.words(one) for one in speaks(STATES["points"])] == [
        "Seat 1 +12, €12.00: scoop", "Seat 3 0, €0.00", "Seat 2 −12, -€12.00: fouled",
    ]  # fmt: skip
    show = room_show(STATES["settled"], "public.settled")
    assert show is not None
    assert ENGLISH.words(show.headline) == "Seat 1 +12, €12.00: scoop"


def test_a_row_is_named_once_it_is_whole() -> None:
    def named(state: str) -> list[tuple[str, str]]:
        return [(box.key, ENGLISH.words(box.hand)) for box in STATES[state].boxes if box.hand]

    assert named("laying") == []
    assert named("third street") == [
        ("seat1_bottom", "flush, jack high"), ("seat2_bottom", "pair of nines"), ("seat3_bottom", "pair of tens"),
    ]  # fmt: skip
    assert ("seat1_top", "pair of queens") in named("points")


def test_a_void_hand_has_no_points() -> None:
    room = hand(stage=Stage.VOIDED).room
    assert room is not None
    assert [seat.board for seat in room.seats] == [None, None, None]


@pytest.mark.parametrize("state", sorted(STATES))
def test_only_cards_that_are_laid_have_faces_and_only_the_house_reads_names(state: str) -> None:
    view = STATES[state]
    shown = sum(place.face is not None for box in view.boxes for place in box.places)
    floor = FakeFloor(view)
    for badge, path in CONSOLES:
        page = Visitor(app_over(floor), badge).page(path)
        assert len(CARD.findall(page)) == shown, path
        assert (">bob<" in page or "bob" in page) is (bool(badge) and state != "alone"), path


@pytest.mark.parametrize("tag", LANGUAGES)
def test_fouls_scoops_and_fantasy_are_marked_on_every_screen(tag: str) -> None:
    language = Languages().speak(tag)
    wanted = [
        language.say("board.points", points="+12"), language.say("board.scoop", points="+6"),
        language.say("board.out.foul"), language.say("board.fantasy", n=14),
    ]  # fmt: skip
    for badge, path in CONSOLES:
        page = Visitor(app_over(FakeFloor(STATES["settled"])), badge).page(f"{path}?language={tag}")
        assert [one for one in wanted if f">{one}<" not in page] == [], path
    dealt = Visitor(app_over(FakeFloor(STATES["fantasy"])), "dora").page(f"/dealer/{TABLE}?language={tag}")
    assert f">{language.say('board.in_fantasy', n=17)}<" in dealt


def test_the_boards_of_these_states_use_no_card_twice() -> None:
    cards = [card for each in BOARDS.values() for row in each.values() for card in row.split()]
    assert len(cards) == len(set(cards))
