"""What a screen draws of a felt while hands are off: no next card, and a card where it lies."""

from __future__ import annotations

from dataclasses import replace

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import BETTING, BURN, DEALING, DECLARED, EMPTY, IDLE, FakeFloor, box, held, incident

from dealer_ui.felt.act import act_of
from dealer_ui.felt.spread import shown
from dealer_ui.words.language import Languages
from studio.views import TableView
from studio.views.shape import CardView, Words

MISPLACED = incident(
    "misplaced_card",
    row={"id": "TK12"},
    where={"box": "player3", "place": 1, "due_box": "player2", "due_place": 1},
)
ASTRAY = replace(
    held(DEALING, MISPLACED),
    boxes=(box("player1", "3s"), box("player2", "6s?"), box("player3", ">"), EMPTY[3], BURN),
)


def places(view: TableView) -> dict[tuple[str, int], CardView]:
    return {(one.key, place.place): place for one in view.boxes for place in one.places}


def test_nothing_is_next_while_the_table_is_held_and_the_next_card_is_while_it_deals() -> None:
    def next_ones(view: TableView) -> list[tuple[str, int]]:
        return [slot for slot, place in places(shown(view)).items() if place.state == "awaited"]

    assert len(next_ones(DEALING)) == 1
    assert next_ones(held(DEALING)) == []
    assert (
        next_ones(altered(DEALING, now={"held": True, "frozen_by": "Paul", "act": Words("act.frozen", {"by": "Paul"})}))
        == []
    )


@pytest.mark.parametrize("page", ["/dealer/knights1", "/display/knights1"])
def test_no_screen_says_next_while_hands_are_off(page: str) -> None:
    def words(view: TableView) -> str:
        floor = FakeFloor(view, replace(IDLE, table="clash1", title="Clash 1"))
        return Visitor(app_over(floor), "dora").page(page)

    assert 'class="next"' in words(DEALING)
    assert 'class="next"' not in words(ASTRAY)


def test_a_card_in_a_wrong_place_is_drawn_where_it_lies_and_nowhere_else() -> None:
    drawn = places(shown(ASTRAY))
    assert (drawn["player3", 1].face, drawn["player3", 1].state) == ("6s", "contradiction")
    assert (drawn["player2", 1].face, drawn["player2", 1].state) == (None, "empty")


def test_a_sealed_card_in_a_wrong_place_is_a_back_there() -> None:
    sealed = replace(ASTRAY, boxes=(box("player1", "3s"), box("player2", "o"), *ASTRAY.boxes[2:]))
    drawn = places(shown(sealed))
    assert (drawn["player3", 1].face, drawn["player3", 1].state) == (None, "sealed_owed")


def test_two_cards_in_each_others_places_stay_as_they_are_on_record() -> None:
    both = replace(ASTRAY, boxes=(*ASTRAY.boxes[:2], box("player3", "9d"), *ASTRAY.boxes[3:]))
    assert places(shown(both)) == places(both)


VOIDED = altered(DECLARED, round={"stage": "voided"})
BARE = altered(IDLE, round={"id": "k-12", "stage": "voided"}, now={"act": Words("act.start_round")})


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (altered(VOIDED, round={"stage": "voiding"}, now={"act": Words("act.refunding")}), "ROUND VOID: announce it"),
        (VOIDED, "ROUND VOID: announce it, then clear the felt"),
        (BARE, "ROUND VOID: announce it, then start the next"),
        (altered(VOIDED, now={"act": Words("act.start_round")}), "Start the round"),
        (DECLARED, "Clear the felt"),
        (altered(IDLE, round={"stage": "settled"}, now={"act": Words("act.start_round")}), "Start the round"),
    ],
    ids=["giving back", "cards lie", "no card was dealt", "announced", "settled", "next"],
)
def test_a_void_is_announced_before_anything_else_is_done(view: TableView, said: str) -> None:
    assert Languages().speak("en").words(act_of(view)) == said


@pytest.mark.parametrize(("tag", "void"), [("en", "ROUND VOID"), ("ja", "ラウンド無効"), ("id", "RONDE BATAL")])
@pytest.mark.parametrize(("badge", "page"), [("dora", "/dealer/knights1"), ("paul", "/pit"), ("paul", "/pit/knights1")])
def test_the_headline_of_a_void_stands_wherever_it_is_told(tag: str, void: str, badge: str, page: str) -> None:
    visitor = Visitor(app_over(FakeFloor(VOIDED, replace(BETTING, table="clash1", title="Clash 1"))), badge)
    assert void in visitor.page(f"{page}?language={tag}")
