"""What goes wrong with cards that lie face down in a box, and with the turning of them."""

from __future__ import annotations

from typing import Final

from dealer_ui.rehearsal.hand.script_act import BETS, CARD, DECIDE, DOWN, END, OPEN, REVEAL
from dealer_ui.rehearsal.repertoire.deed import exchange
from dealer_ui.rehearsal.trick.mischief import Scene, Trick
from devices.sim.felt import DIRECTIONS
from studio.cards import DECK
from studio.ports import CardFace
from studio.spoken import Slot

_FLASH_MS: Final = (60, 1_500)
"""A face is seen so long before the card lies down again; the camera may miss a short one."""


def _down_slots(scene: Scene) -> list[Slot]:
    lying = scene.night.rig.felt.view().top()
    return [slot for slot, card in lying.items() if card.face is CardFace.DOWN and slot[0] not in ("burn", "discard")]


def _flash(scene: Scene) -> bool:
    """A down card shows its face for a moment."""
    if slots := _down_slots(scene):
        slot = scene.rng.choice(slots)
        _turn(scene, slot, CardFace.UP)
        scene.later(scene.rng.randrange(*_FLASH_MS), lambda: _turn(scene, slot, CardFace.DOWN))
    return False


def _flash_soon(scene: Scene) -> bool:
    scene.later(scene.rng.randrange(2_500), lambda: _flash(scene))
    return False


def _turn_early(scene: Scene) -> bool:
    """A down card is turned before the script reveals it, and stays so."""
    if slots := _down_slots(scene):
        _turn(scene, scene.rng.choice(slots), CardFace.UP)
    return False


def _turn_a_box_early(scene: Scene) -> bool:
    """A whole hand is turned before its time."""
    if slots := _down_slots(scene):
        box = scene.rng.choice(slots)[0]
        for slot in slots:
            if slot[0] == box:
                _turn(scene, slot, CardFace.UP)
    return False


def _turn(scene: Scene, slot: Slot, to: CardFace) -> None:
    lying = scene.night.rig.felt.view().top().get(slot)
    if lying is not None and lying.face is not to:
        scene.night.rig.felt.turn(*slot)


def _dealt_face_up(scene: Scene) -> bool:
    """A card that is due face down is laid with its face up."""
    slot, rig = scene.slot, scene.night.rig
    if slot is None or not rig.shoe.cards_left or rig.felt.count(*slot):
        return False
    scene.night.dealer.draw_to(slot, CardFace.UP)
    return True


def _drop_down_card(scene: Scene) -> bool:
    slots = _down_slots(scene)
    if not slots:
        return False
    scene.night.dealer.hand.drop(scene.rng.choice(slots), scene.rng.choice(DIRECTIONS))
    return True


def _exchange_down_cards(scene: Scene) -> bool:
    """Two down cards change places unseen: no eye can know before they are turned."""
    slots, felt = _down_slots(scene), scene.night.rig.felt
    if len(slots) > 1:
        exchange(felt, *scene.rng.sample(slots, 2))
    return False


def _other_down_card(scene: Scene) -> bool:
    """A down card is exchanged for one from a sleeve."""
    slots, felt = _down_slots(scene), scene.night.rig.felt
    if slots:
        slot = scene.rng.choice(slots)
        drawn = felt.take(*slot)
        felt.lay(*slot, scene.rng.choice([card for card in DECK if card is not drawn]), CardFace.DOWN)
    return False


def _turn_one(scene: Scene) -> bool:
    """Only one card of the hand is turned, and the dealer forgets the others for a while."""
    return bool(_down_slots(scene)) and not _turn_early(scene)


def _turn_all(scene: Scene) -> bool:
    """Every hand is turned at once."""
    for slot in _down_slots(scene):
        _turn(scene, slot, CardFace.UP)
    return True


def _turn_back(scene: Scene) -> bool:
    """A turned hand is laid face down again."""
    for slot, lying in scene.night.rig.felt.view().top().items():
        if lying.face is CardFace.UP and slot[0] not in ("burn", "discard"):
            scene.later(scene.rng.randrange(2_000), lambda slot=slot: _turn(scene, slot, CardFace.DOWN))
            break
    return False


_BEFORE_REVEAL: Final = (*CARD, *BETS, *DECIDE)

TRICKS: Final[tuple[Trick, ...]] = (
    Trick("down_card_dealt_face_up", "face_up", DOWN, _dealt_face_up),
    Trick("down_card_flashed_dealing", "flash", (*DOWN, *OPEN), _flash),
    Trick("down_card_flashed_betting", "flash", BETS, _flash_soon),
    Trick("down_card_flashed_deciding", "flash", DECIDE, _flash_soon),
    Trick("down_card_turned_early", "expose", _BEFORE_REVEAL, _turn_early),
    Trick("hand_turned_early", "expose", _BEFORE_REVEAL, _turn_a_box_early),
    Trick("down_card_dropped", "drop", (*_BEFORE_REVEAL, *REVEAL), _drop_down_card),
    Trick("down_cards_change_places", "swap", (*_BEFORE_REVEAL, *REVEAL), _exchange_down_cards),
    Trick("down_card_from_a_sleeve", "sleeve", (*_BEFORE_REVEAL, *REVEAL), _other_down_card),
    Trick("one_card_turned", "reveal_half", REVEAL, _turn_one),
    Trick("every_hand_turned", "reveal_all", REVEAL, _turn_all),
    Trick("turned_back", "turn_back", END, _turn_back),
)
