"""Hands at the tables where cards lie face down until they are turned: how each is laid, and where the deal stops."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from fake_floor import DEALING, box
from hands_rig import Scene

from dealer_ui.rehearsal.deal_order import deal_of
from dealer_ui.rehearsal.mistake import MISTAKE_BY_KEY, NEVER, make_mistake
from studio.ports import CardFace
from studio.views import TableView
from studio.views.shape import Words

FIRST_CARD: Final = replace(
    DEALING, table="ultimate1", title="Ultimate 1", game="ultimate_holdem", act=Words("act.deal"),
    round_stage="dealing",
    boxes=(box("player", ">", count=2), box("dealer", count=2), box("board", count=5)),
)  # fmt: skip
REVEAL: Final = replace(
    FIRST_CARD, act=Words("act.reveal", {"box": "box.dealer"}), boxes=(box("player", count=2), box("dealer", count=2))
)
DEALT: Final = {
    "ultimate_holdem": "player dealer- player dealer- | board board board | board board",
    "holdem_bonus": "player dealer- player dealer- | board board board | board | board",
    "three_card_poker": "player dealer- player dealer- player dealer-",
    "kkclash": "shark- king- shark- king- | board board board board board",
}


def faces(scene: Scene) -> dict[tuple[str, int], CardFace]:
    return {slot: lying.face for slot, lying in scene.rig.felt.view().top().items()}


@pytest.mark.parametrize("game", DEALT)
def test_the_hands_know_the_deal_of_each_game(game: str) -> None:
    said, run = [], deal_of(game)[0].run
    for due in deal_of(game):
        said += ["|"] if due.run != run else []
        said.append(due.slot[0] + ("-" if due.face is CardFace.DOWN else ""))
        run = due.run
    assert " ".join(said) == DEALT[game]


def test_the_dealers_cards_are_laid_face_down_and_the_deal_stops_where_bettors_are_asked() -> None:
    scene = Scene(FIRST_CARD)
    for _ in range(4):
        scene.hands.deal()
    assert faces(scene) == {
        ("player", 1): CardFace.UP, ("player", 2): CardFace.UP,
        ("dealer", 1): CardFace.DOWN, ("dealer", 2): CardFace.DOWN,
    }  # fmt: skip
    assert scene.hands.next_place() is None


def dealt(view: TableView) -> Scene:
    scene = Scene(FIRST_CARD)
    for _ in range(4):
        scene.hands.deal()
    scene.show(view)
    return scene


def test_the_same_button_turns_the_dealers_cards_when_they_are_due() -> None:
    scene = dealt(REVEAL)
    assert scene.hands.to_turn() == "dealer"
    scene.hands.deal()
    assert set(faces(scene).values()) == {CardFace.UP}
    assert scene.hands.to_turn() == ""


def test_a_hole_card_is_exposed_as_it_is_dealt_or_after() -> None:
    scene = dealt(FIRST_CARD)
    make_mistake(scene.hands, "expose")
    assert faces(scene)["dealer", 2] is CardFace.UP
    scene = Scene(FIRST_CARD)
    scene.hands.deal()
    make_mistake(scene.hands, "face_up")
    assert faces(scene)["dealer", 1] is CardFace.UP


@pytest.mark.parametrize("key", ["backwards", "burn_face_up", "one_burn_more"])
def test_mistakes_of_another_games_deal_are_not_offered(key: str) -> None:
    assert MISTAKE_BY_KEY[key].when(Scene(FIRST_CARD).hands, FIRST_CARD) == NEVER
