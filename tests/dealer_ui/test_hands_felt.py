"""What a person's hands do at the demo: cards from the shoe, on the felt, off it and back."""

from __future__ import annotations

import pytest
from altered import altered
from fake_floor import BETTING, DEALING, IDLE
from hands_rig import BURN_THREE, BURNED, FIRST_CARD, Scene, boxes

from dealer_ui.rehearsal.own_hands.hands import ReaderWay
from dealer_ui.rehearsal.own_hands.reach import DISCARD
from studio.errors import RefusedError
from studio.ports import CardFace
from studio.views.shape import Words


def test_the_next_card_goes_face_up_to_the_awaited_place() -> None:
    scene = Scene(FIRST_CARD)
    card = scene.next_card()
    scene.hands.deal()
    lying = scene.top("player1", 1)
    assert lying is not None
    assert (lying.card, lying.face) == (card, CardFace.UP)


def test_a_quick_hand_deals_on_in_order_before_the_console_has_caught_up() -> None:
    scene = Scene(FIRST_CARD)
    for _ in range(5):
        scene.hands.deal()
    tops = set(scene.rig.felt.view().top())
    assert tops == {("player1", 1), ("player2", 1), ("player3", 1), ("banker", 1), ("player1", 2)}


def test_a_burn_goes_face_down_and_never_on_into_the_boxes() -> None:
    scene = Scene(BURN_THREE)
    scene.hands.deal()
    scene.hands.deal()
    assert {slot for slot in scene.rig.felt.view().top()} == {("burn", 3), ("burn", 4)}
    assert {lying.face for lying in scene.rig.felt.view().cards} == {CardFace.DOWN}
    scene.hands.deal()
    scene.hands.step(0)
    assert len(scene.rig.felt.view().cards) == 2


def test_a_press_while_the_card_before_is_being_read_deals_the_next_one_as_soon_as_it_is_due() -> None:
    scene = Scene(BURN_THREE)
    for _ in range(3):
        scene.hands.deal()
    scene.show(FIRST_CARD)
    scene.hands.step(100)
    assert ("player1", 1) in scene.rig.felt.view().top()
    scene.hands.step(200)
    assert len(scene.rig.felt.view().cards) == 3


def test_such_a_press_is_forgotten_when_the_console_asks_for_something_else() -> None:
    scene = Scene(BURN_THREE)
    for _ in range(3):
        scene.hands.deal()
    for at_ms, view in enumerate((BETTING, FIRST_CARD)):
        scene.show(view)
        scene.hands.step(at_ms)
    assert len(scene.rig.felt.view().cards) == 2


def test_no_card_is_dealt_while_the_console_asks_for_something_else() -> None:
    for view in (IDLE, BETTING):
        with pytest.raises(RefusedError):
            Scene(view).hands.deal()


def test_an_empty_shoe_gives_no_card() -> None:
    scene = Scene(FIRST_CARD)
    scene.rig.shoe.load(())
    with pytest.raises(RefusedError, match="empty"):
        scene.hands.deal()


@pytest.mark.parametrize(
    ("reader", "speaks"), [(ReaderWay.OVER, True), (ReaderWay.UNREAD, True), (ReaderWay.PAST, False)]
)
def test_a_card_drawn_past_the_reader_leaves_no_byte(reader: ReaderWay, speaks: bool) -> None:
    scene = Scene(FIRST_CARD)
    scene.hands.draw(("player1", 1), reader=reader)
    assert scene.rig.shoe.busy is speaks


def test_a_switched_card_is_not_the_one_that_left_the_shoe() -> None:
    scene = Scene(FIRST_CARD)
    card = scene.next_card()
    scene.hands.draw_and_switch(("player1", 1))
    lying = scene.top("player1", 1)
    assert lying is not None
    assert lying.card is not card


def test_cards_are_turned_squared_moved_and_lifted_to_the_discard() -> None:
    scene = Scene(FIRST_CARD)
    scene.hands.deal()
    scene.hands.turn(scene.ref("player1", 1))
    assert scene.top("player1", 1).face is CardFace.DOWN  # type: ignore[union-attr]
    scene.hands.square(scene.ref("player1", 1))
    assert scene.top("player1", 1).turn_deg == 0  # type: ignore[union-attr]
    scene.hands.turn(scene.ref("player1", 1))
    scene.hands.move(scene.ref("player1", 1), ("banker", 3))
    assert scene.top("player1", 1) is None
    scene.hands.move(scene.ref("banker", 3), DISCARD)
    assert scene.top(*DISCARD).face is CardFace.DOWN  # type: ignore[union-attr]


def test_a_card_lies_beside_every_place_wherever_it_was_meant_to() -> None:
    scene = Scene(FIRST_CARD)
    scene.hands.draw_beside()
    scene.hands.draw_beside((0.5, 0.5))
    scene.hands.draw_beside()
    strays = scene.rig.felt.view().strays()
    assert len({(round(stray.x_mm), round(stray.y_mm)) for stray in strays}) == 3
    scene.hands.move(f"card.{strays[0].serial}", ("player2", 2))
    assert scene.top("player2", 2).card is strays[0].card  # type: ignore[union-attr]


def test_a_card_over_the_edge_is_kept_and_picked_up_again() -> None:
    scene = Scene(FIRST_CARD)
    scene.hands.deal()
    card = scene.top("player1", 1).card  # type: ignore[union-attr]
    scene.hands.drop(scene.ref("player1", 1))
    (fallen,) = scene.hands.reach.fallen
    assert (fallen.slot, fallen.card) == (("player1", 1), card)
    assert str(card) not in repr(fallen)
    assert scene.rig.felt.view().departures[-1].direction == "bottom"
    scene.hands.move(fallen.ref, ("player1", 1))
    assert (scene.hands.reach.fallen, scene.top("player1", 1).card) == ((), card)  # type: ignore[union-attr]


def test_a_card_that_lies_there_no_more_cannot_be_meant() -> None:
    scene = Scene(FIRST_CARD)
    scene.hands.deal()
    old = scene.ref("player1", 1)
    scene.hands.move(old, ("player1", 2))
    for act in (scene.hands.turn, scene.hands.drop, scene.hands.move_beside):
        with pytest.raises(RefusedError, match="does not lie there"):
            act(old)
    with pytest.raises(RefusedError, match="no place"):
        scene.hands.draw(("nowhere", 1))


def test_a_felt_cleared_in_mid_round_is_laid_out_again_as_it_was() -> None:
    scene = Scene(BURN_THREE)
    scene.hands.deal()
    scene.show(altered(FIRST_CARD, round={"stage": "dealing"}))
    for _ in range(3):
        scene.hands.deal()
    before = {slot: (lying.card, lying.face) for slot, lying in scene.rig.felt.view().top().items()}
    scene.hands.clear()
    assert scene.rig.felt.view().cards == ()
    faces = {slot[0]: (str(card) + "!",) for slot, (card, face) in before.items() if face is CardFace.UP}
    recorded = boxes(**faces, burn=("*", "*", "o", "*"))
    act = Words("act.carry_out.relay_from_discard", {})
    scene.show(altered(FIRST_CARD, boxes=recorded, now={"held": True, "act": act}, round={"stage": "dealing"}))
    scene.hands.put_right()
    assert {slot: (lying.card, lying.face) for slot, lying in scene.rig.felt.view().top().items()} == before


def test_a_felt_cleared_after_the_round_is_forgotten() -> None:
    scene = Scene(FIRST_CARD)
    scene.hands.deal()
    scene.show(altered(IDLE, round={"stage": "settled"}))
    scene.hands.clear()
    assert scene.hands.reach.fallen == ()


def test_putting_right_brings_a_misplaced_card_home_and_takes_hands_and_strays_away() -> None:
    scene = Scene(FIRST_CARD)
    scene.hands.draw(("player2", 1))
    scene.hands.draw_beside()
    scene.hands.toggle_hand(("banker", 1))
    card = scene.top("player2", 1).card  # type: ignore[union-attr]
    recorded = boxes(player1=(f"{card}#",), player2=(">",))
    scene.show(
        altered(DEALING, boxes=(*recorded[:4], BURNED), now={"held": True, "act": Words("act.carry_out.move_card", {})})
    )
    scene.hands.put_right()
    view = scene.rig.felt.view()
    assert scene.top("player1", 1).card is card  # type: ignore[union-attr]
    assert (scene.top("player2", 1), view.strays(), view.hands) == (None, (), {("player1", 1)})


def test_cards_put_right_are_shown_to_the_camera_anew_for_a_moment() -> None:
    scene = Scene(BURN_THREE)
    scene.hands.deal()
    scene.show(altered(FIRST_CARD, boxes=boxes(burn=("*", "*", "o", ">")), now={"act": Words("act.square_burn", {})}))
    scene.hands.put_right()
    assert scene.rig.felt.view().hands == {("burn", 3)}
    for now_ms in (0, 150):
        scene.hands.step(now_ms)
        assert scene.rig.felt.view().hands
    scene.hands.step(200)
    assert scene.rig.felt.view().hands == frozenset()


def test_cards_that_come_by_themselves_come_one_at_a_time() -> None:
    scene = Scene(FIRST_CARD)
    scene.hands.draw_many([("player3", 1), ("player2", 1)])
    scene.hands.step(0)
    scene.hands.step(50)
    assert scene.hands.busy
    assert set(scene.rig.felt.view().top()) == {("player3", 1)}
    scene.hands.step(100)
    assert not scene.hands.busy
    assert scene.top("player2", 1) is not None
