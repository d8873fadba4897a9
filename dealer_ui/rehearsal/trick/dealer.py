"""What a simulated dealer does wrong with his hands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from dealer_ui.rehearsal.hand.script_act import BETS, BURN, CARD, DEAL, DECIDE, END, OPEN
from dealer_ui.rehearsal.repertoire.deed import exchange
from dealer_ui.rehearsal.trick.mischief import Scene, Trick
from dealer_ui.rehearsal.trick.report import report
from devices.camera.felt.layout import Layout, open_spots
from devices.sim.felt import DIRECTIONS
from studio.cards import DECK, Card
from studio.ports import CardFace
from studio.spoken import Slot

_LOOK_MS: Final = 600
"""Time enough for the camera to have another look at a place."""


def _expose_while_betting(scene: Scene) -> bool:
    scene.later(scene.rng.randrange(2_500), lambda: _lay_next(scene, CardFace.UP))
    return False


def _early_card(scene: Scene) -> bool:
    scene.later(scene.rng.randrange(2_500), lambda: _lay_next(scene, CardFace.DOWN))
    return False


def _lay_next(scene: Scene, face: CardFace) -> None:
    """The next card of the shoe lies in the first free place of the boxes."""
    rig = scene.night.rig
    if rig.shoe.cards_left and scene.free_slots and scene.night.view().bets.open:
        scene.night.dealer.draw_to(scene.free_slots[0], face)


def _extra_card(scene: Scene) -> bool:
    rig = scene.night.rig
    if not rig.shoe.cards_left:
        return False
    rig.felt.lay("discard", 1, rig.shoe.draw(), CardFace.DOWN)
    return False


def _two_extra_cards(scene: Scene) -> bool:
    return _extra_card(scene) or _extra_card(scene)


def _wrong_box(scene: Scene) -> bool:
    slots = [slot for slot in scene.free_slots if slot != scene.slot]
    return bool(slots) and _draw_to(scene, scene.rng.choice(slots), scene.due)


def _draw_to(scene: Scene, slot: Slot | None, face: CardFace, pull: Callable[[], Card] | None = None) -> bool:
    if slot is None or not scene.night.rig.shoe.cards_left or scene.night.rig.felt.count(*slot):
        return False
    scene.night.dealer.draw_to(slot, face, pull)
    return True


def _face_down(scene: Scene) -> bool:
    return _draw_to(scene, scene.slot, CardFace.DOWN)


def _face_up(scene: Scene) -> bool:
    return _draw_to(scene, scene.slot, CardFace.UP)


def _burn_in_box(scene: Scene) -> bool:
    return bool(scene.free_slots) and _draw_to(scene, scene.rng.choice(scene.free_slots), CardFace.DOWN)


def _past_the_reader(scene: Scene) -> bool:
    return _draw_to(scene, scene.slot, scene.due, scene.night.rig.shoe.draw_unseen)


def _unreadable(scene: Scene) -> bool:
    return _draw_to(scene, scene.slot, scene.due, scene.night.rig.shoe.draw_unread)


def _switched(scene: Scene) -> bool:
    """The shoe reads one card and another lies on the felt."""
    rig = scene.night.rig
    if scene.slot is None or not rig.shoe.cards_left or rig.felt.count(*scene.slot):
        return False
    drawn = rig.shoe.draw()
    other = scene.rng.choice([card for card in DECK if card is not drawn])
    rig.felt.lay(*scene.slot, other, scene.due)
    return True


def _astray(scene: Scene) -> bool:
    rig = scene.night.rig
    if not rig.shoe.cards_left or scene.slot is None or rig.felt.count(*scene.slot):
        return False
    rig.felt.lay_stray(*scene.rng.choice(_bare(rig.felt.layout)), rig.shoe.draw(), scene.due)
    return True


@cache
def _bare(layout: Layout) -> tuple[tuple[float, float], ...]:
    return open_spots(layout)


def _drop_identified(scene: Scene) -> bool:
    return _drop(scene, _open_slots(scene))


def _drop_burn(scene: Scene) -> bool:
    tops = scene.night.rig.felt.view().top()
    return _drop(scene, [slot for slot in tops if slot[0] == "burn"])


def _drop(scene: Scene, slots: list[Slot]) -> bool:
    if not slots:
        return False
    scene.night.dealer.hand.drop(scene.rng.choice(slots), scene.rng.choice(DIRECTIONS))
    return True


def _drop_unidentified(scene: Scene) -> bool:
    """It slides off before the camera has had a look."""
    slot = scene.slot
    if slot is None or not _draw_to(scene, slot, scene.due):
        return False
    scene.later(scene.rng.choice((0, 40)), lambda: _drop_at(scene, slot))
    return True


def _drop_at(scene: Scene, slot: Slot) -> None:
    if scene.night.rig.felt.count(*slot):
        scene.night.dealer.hand.drop(slot, scene.rng.choice(DIRECTIONS))


def _clear_early(scene: Scene) -> bool:
    scene.night.dealer.hand.sweep()
    return True


def _turn_a_card(scene: Scene) -> bool:
    tops = [slot for slot in scene.night.rig.felt.view().top() if slot[0] != "discard"]
    if tops:
        scene.night.rig.felt.turn(*scene.rng.choice(tops))
    return False


def _change_places(scene: Scene) -> bool:
    """Two cards change places after they were seen."""
    felt, slots = scene.night.rig.felt, _open_slots(scene)
    if len(slots) < 2:
        return False
    one, other = scene.rng.sample(slots, 2)
    exchange(felt, one, other)
    scene.night.dealer.rest(scene.night.now_ms + _LOOK_MS)  # no eye is quicker than a hand on the button
    return True


def _hand_in_the_way(scene: Scene) -> bool:
    felt, slot = scene.night.rig.felt, scene.slot
    if slot is None:
        return False
    felt.hand_over(*slot, on=True)
    scene.later(scene.rng.randrange(500, 6_000), lambda: felt.hand_over(*slot, on=False))
    return False


def _reversed_hand(scene: Scene) -> bool:
    """The whole hand goes Player 3, 2, 1, Banker; the pit is told, and swaps the hands [TK11]."""
    rig, boxes = scene.night.rig, ("player3", "player2", "player1", "banker")
    if scene.slot != ("player1", 1) or rig.shoe.cards_left < 12:
        return False
    for place in (1, 2, 3):
        for box in boxes:
            scene.night.dealer.draw_to((box, place), CardFace.UP)
    scene.later(scene.rng.randrange(900), lambda: report(scene, "wrong_order", pattern="reversed"))
    return True


def _boxed_card(scene: Scene) -> bool:
    """A card lies face up in the shoe: it cannot be read, goes to the discard, and is told."""
    rig = scene.night.rig
    if not rig.shoe.cards_left:
        return False
    rig.felt.lay("discard", 1, rig.shoe.draw_unread(), CardFace.DOWN)
    count = scene.rng.choice(("1", "1", "2"))
    report(scene, "boxed_card", count=count)
    return True


def _open_slots(scene: Scene) -> list[Slot]:
    return [slot for slot, lying in scene.night.rig.felt.view().top().items() if lying.face is CardFace.UP]


TRICKS: Final[tuple[Trick, ...]] = (
    Trick("card_exposed_while_betting", "draw_early", BETS, _expose_while_betting),
    Trick("early_card_face_down", "draw_early", BETS, _early_card),
    Trick("extra_card", "extra_card", (*END, *DECIDE), _extra_card),
    Trick("two_extra_cards", "extra_card", (*END, "act.clear_felt"), _two_extra_cards),
    Trick(
        "card_drawn_between_rounds", "extra_card", ("act.clear_felt", "act.start_round", "act.load_shoe"), _extra_card
    ),
    Trick("wrong_box", "wrong_box", DEAL, _wrong_box),
    Trick("reversed_hand", "backwards", OPEN, _reversed_hand),
    Trick("dealt_face_down", "face_down", OPEN, _face_down),
    Trick("stray_card", "beside", CARD, _astray),
    Trick("burn_face_up", "burn_face_up", BURN, _face_up),
    Trick("burn_in_box", "burn_in_box", BURN, _burn_in_box),
    Trick("dropped_identified", "drop", (*DEAL, *DECIDE, *END), _drop_identified),
    Trick("dropped_unidentified", "fumble", DEAL, _drop_unidentified),
    Trick("dropped_burn", "drop", (*BURN, *BETS, *DEAL), _drop_burn),
    Trick("cleared_early", "clear_early", (*END, *DEAL, *DECIDE), _clear_early),
    Trick("card_turned_over", "turn_over", (*CARD, *DECIDE, *END, *BETS), _turn_a_card),
    Trick("cards_change_places", "swap", (*DEAL, *DECIDE, *END), _change_places),
    Trick("hand_in_the_way", "hand_over", CARD, _hand_in_the_way),
    Trick("past_the_reader", "past_reader", CARD, _past_the_reader),
    Trick("unreadable_card", "unreadable", CARD, _unreadable),
    Trick("switched_card", "switched", DEAL, _switched),
    Trick("boxed_card", "boxed_card", CARD, _boxed_card),
)
