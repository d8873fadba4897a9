"""Hands at the tables where cards lie face down until they are turned: how each is laid, and where the deal stops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import fake_poker
import pytest
from altered import altered
from fake_floor import DEALING, box
from hands_rig import Scene

from dealer_ui.rehearsal.hand.deal_order import Due, deal_of, face_due
from dealer_ui.rehearsal.own_hands.mistake import MISTAKE_BY_KEY, MISTAKES, NEVER, make_mistake
from studio.ports import CardFace
from studio.views import TableView
from studio.views.shape import Words

FIRST_CARD: Final = altered(
    DEALING,
    table="ultimate1",
    title="Ultimate 1",
    game={"key": "ultimate_holdem"},
    now={"act": Words("act.deal")},
    round={"stage": "dealing"},
    boxes=(box("player", ">", count=2), box("dealer", count=2), box("board", count=5)),
)
REVEAL: Final = altered(
    FIRST_CARD,
    now={"act": Words("act.reveal", {"box": "box.dealer"})},
    boxes=(box("player", count=2), box("dealer", count=2)),
)
DEALT: Final = {
    "ultimate_holdem": "player dealer- player dealer- | board board board | board board",
    "holdem_bonus": "player dealer- player dealer- | board board board | board | board",
    "casino_holdem": "player dealer- player dealer- board board board | board board",
    "three_card_poker": "player dealer- player dealer- player dealer-",
    "baccarat": "player banker player banker",
    "kkclash": "shark- king- shark- king- | board board board board board",
}


def faces(scene: Scene) -> dict[tuple[str, int], CardFace]:
    return {slot: lying.face for slot, lying in scene.rig.felt.view().top().items()}


@pytest.mark.parametrize("game", DEALT)
def test_the_hands_know_the_deal_of_each_game(game: str) -> None:
    assert told(deal_of(game)) == DEALT[game]


def told(deal: Sequence[Due]) -> str:
    said, run = [], deal[0].run
    for due in deal:
        said += ["|"] if due.run != run else []
        said.append(due.slot[0] + ("-" if due.face is CardFace.DOWN else ""))
        run = due.run
    return " ".join(said)


def test_where_a_table_squeezes_the_hands_deal_face_down_and_wait_for_the_console_after_the_fourth_card() -> None:
    assert told(deal_of("baccarat", {"squeeze": "on"})) == "player- banker- player- banker-"


def test_a_third_card_is_laid_as_the_console_says_for_no_deal_is_sure_to_have_one() -> None:
    at_a_squeeze = altered(
        FIRST_CARD,
        game={"key": "baccarat", "rules": {"squeeze": "on"}},
        now={"act": Words("act.deal_down")},
        boxes=(box("player", "5h", "Kd", ">", count=3), box("banker", "Ks", "6c", count=3)),
    )
    assert face_due(at_a_squeeze, ("player", 3)) is CardFace.DOWN
    assert face_due(altered(at_a_squeeze, now={"act": Words("act.deal")}), ("player", 3)) is CardFace.UP


def test_the_dealers_cards_are_laid_face_down_and_the_deal_stops_where_bettors_are_asked() -> None:
    scene = Scene(FIRST_CARD)
    for _ in range(4):
        scene.hands.deal()
    assert faces(scene) == {
        ("player", 1): CardFace.UP, ("player", 2): CardFace.UP,
        ("dealer", 1): CardFace.DOWN, ("dealer", 2): CardFace.DOWN,
    }  # fmt: skip
    assert scene.hands.owed.place() is None


def dealt(view: TableView) -> Scene:
    scene = Scene(FIRST_CARD)
    for _ in range(4):
        scene.hands.deal()
    scene.show(view)
    return scene


def test_the_same_button_turns_the_dealers_cards_when_they_are_due() -> None:
    scene = dealt(REVEAL)
    assert scene.hands.owed.turning() == "dealer"
    scene.hands.deal()
    assert set(faces(scene).values()) == {CardFace.UP}
    assert scene.hands.owed.turning() == ""


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


HOLE_CARDS: Final = tuple(fake_poker.hand(stop=n) for n in range(18))
"""Nine seats, with so many cards dealt."""
FLOP: Final = fake_poker.hand("raise 300", *["call"] * 8, stop=20)


@pytest.mark.parametrize("view", HOLE_CARDS, ids=range(18))
def test_what_a_seat_is_dealt_goes_face_down_to_the_seat_the_console_names(view: TableView) -> None:
    scene = Scene(view)
    scene.hands.deal()
    said = view.now.act.values
    assert faces(scene) == {(str(said["box"]).removeprefix("box."), said["place"]): CardFace.DOWN}


def test_the_flop_lies_face_up() -> None:
    scene = Scene(FLOP)
    scene.hands.deal()
    assert faces(scene) == {("board", 2): CardFace.UP}


@pytest.mark.parametrize("view", [HOLE_CARDS[12], FLOP], ids=["hole cards", "flop"])
@pytest.mark.parametrize("key", [mistake.key for mistake in MISTAKES])
def test_a_mistake_that_is_offered_at_a_poker_table_can_be_made(key: str, view: TableView) -> None:
    scene = Scene(view)
    for zone, place in [(one.key, card.place) for one in view.boxes for card in one.places if card.state == "sealed"]:
        scene.hands.draw((zone, place))
    if not MISTAKE_BY_KEY[key].when(scene.hands, view):
        make_mistake(scene.hands, key)


def test_only_seats_that_are_dealt_in_are_dealt_to_by_mistake() -> None:
    view = fake_poker.hand(room=fake_poker.players("-", "ann", "-", "-", "bob", "-", "cy"), stop=1)
    scene = Scene(view)
    for _ in range(2):
        make_mistake(scene.hands, "wrong_box")
    assert {zone for zone, _ in faces(scene)} <= {"seat2", "seat5", "seat7"}
