"""What goes wrong with burns, streets and cards too many of a betting hand [PK3, PK7-PK12, PK14]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from dealer_ui.rehearsal.hand.script_act import BURN, DECIDE, OPEN
from dealer_ui.rehearsal.trick.machine import shoe_runs_out
from dealer_ui.rehearsal.trick.mischief import Scene, Trick
from dealer_ui.rehearsal.trick.poker_hand import can_deal
from dealer_ui.rehearsal.trick.report import report
from devices.camera.felt.layout import open_spots
from studio.ports import CardFace
from studio.rounds import CardBurned
from studio.rulebook.hand_terms import BOARD
from studio.spoken import Slot
from studio.tables.street import STREETS, acts_on_street, hand_of, is_betting_over, on_board, ruled_burn

_REST_MS: Final = 1_200
"""Time for both eyes to have their word before anybody rules."""
_BURNS: Final = 3
_FLOP: Final = 3


# --- where the hand stands ----------------------------------------------------------------------------------


def _lies_on_board(scene: Scene, *counts: int) -> bool:
    """Whether so many cards lie on the board, and a seat may still bet."""
    round = hand_of(scene.night.state)
    return round is not None and on_board(round) in counts and not is_betting_over(round)


def _before_flop(scene: Scene) -> bool:
    return _lies_on_board(scene, 0)


def _before_turn(scene: Scene) -> bool:
    return _lies_on_board(scene, 3)


def _before_river(scene: Scene) -> bool:
    return _lies_on_board(scene, 4)


def _flop_just_dealt(scene: Scene) -> bool:
    return _before_turn(scene) and not _acted(scene)


def _acted(scene: Scene) -> bool:
    round = hand_of(scene.night.state)
    return round is not None and bool(acts_on_street(round))


def _street_acted(scene: Scene) -> bool:
    return _lies_on_board(scene, 3, 4, 5) and _acted(scene)


def _street_fresh(scene: Scene) -> bool:
    return _lies_on_board(scene, 3, 4, 5) and not _acted(scene)


def _burned(scene: Scene) -> int:
    round = hand_of(scene.night.state)
    return sum(zone == "burn" for zone, _ in round.deal.cards) if round is not None else _BURNS


def _burn_just_made(scene: Scene) -> bool:
    """The burn of this street lies, and its first card is due."""
    round = hand_of(scene.night.state)
    if round is None or on_board(round) not in STREETS or not can_deal(scene) or _burned(scene) >= _BURNS:
        return False
    return isinstance(round.deal.facts[-1], CardBurned) or ruled_burn(round, STREETS[on_board(round)][1]).cards > 0


def _next_place_bare(scene: Scene) -> bool:
    """The card due is one of the board, not the last; the place after it is bare."""
    slot = scene.slot
    return can_deal(scene) and slot is not None and slot[0] == BOARD and (BOARD, slot[1] + 1) in scene.free_slots


# --- what is done -------------------------------------------------------------------------------------------


def _draw_all(scene: Scene, slots: Sequence[Slot], gap_ms: int) -> None:
    """Draw a card to each of these places; nobody looks up before the last one lies."""
    _rest(scene, gap_ms * len(slots) + _REST_MS)
    for number, slot in enumerate(slots):
        if gap_ms:
            scene.later(number * gap_ms, partial(_lay, scene, slot))
        else:
            _lay(scene, slot)


def _rest(scene: Scene, wait_ms: int) -> None:
    scene.night.dealer.rest(scene.night.now_ms + wait_ms)
    scene.night.pit.rest(scene.night.now_ms + wait_ms)


def _lay(scene: Scene, slot: Slot) -> None:
    rig = scene.night.rig
    if rig.shoe.cards_left and not rig.felt.count(*slot):
        scene.night.dealer.draw_to(slot, CardFace.UP if slot[0] == BOARD else CardFace.DOWN)


def _early(*places: int) -> Callable[[Scene], bool]:
    """The street comes before the seats have done; its burn with it, mostly."""

    def play(scene: Scene) -> bool:
        burn = [("burn", _burned(scene) + 1)] if scene.rng.random() < 0.8 else []
        _draw_all(scene, [*burn, *((BOARD, place) for place in places)], scene.rng.choice((0, 0, 0, 150)))
        return True

    return play


def _four_on_the_flop(scene: Scene) -> bool:
    _draw_all(scene, [(BOARD, _FLOP + 1)], 0)
    return True


def _too_many(count: int) -> Callable[[Scene], bool]:
    """The button is dealt more cards than it is due; they lie beside its own."""

    def play(scene: Scene) -> bool:
        rig = scene.night.rig
        spots = open_spots(rig.felt.layout)
        for spot in scene.rng.sample(spots, min(count, rig.shoe.cards_left, len(spots))):
            rig.felt.lay_stray(*spot, rig.shoe.draw(), CardFace.DOWN)
        _rest(scene, _REST_MS)
        return True

    return play


def _burn_too_early(scene: Scene) -> bool:
    _draw_all(scene, [("burn", _burned(scene) + 1)], 0)
    return True


def _no_burn(scene: Scene) -> bool:
    """The first card of the street comes where its burn is due."""
    round = hand_of(scene.night.state)
    if round is None or on_board(round) not in STREETS or not scene.night.rig.shoe.cards_left:
        return False
    face = scene.rng.choice((CardFace.DOWN, CardFace.DOWN, CardFace.UP))
    scene.night.dealer.draw_to((BOARD, on_board(round) + 1), face)
    _rest(scene, 2 * _REST_MS)
    return True


def _double_burn(scene: Scene) -> bool:
    scene.night.dealer.draw_to(("burn", _burned(scene) + 1), CardFace.DOWN)
    _rest(scene, 2 * _REST_MS)
    return True


def _say_burn(scene: Scene) -> bool:
    """Somebody says that the burn was wrong."""
    report(scene, "burn_error", pit=scene.rng.random() < 0.5)
    return False


def _wrong_place(scene: Scene) -> bool:
    assert scene.slot is not None
    scene.night.dealer.draw_to((BOARD, scene.slot[1] + 1), CardFace.UP)
    return True


def _two_exchanged(scene: Scene) -> bool:
    """Two cards of the board, each in the other's place."""
    assert scene.slot is not None
    _draw_all(scene, [(BOARD, scene.slot[1] + 1), scene.slot], 0)
    return True


TRICKS: Final[tuple[Trick, ...]] = (
    Trick("one_card_too_many", "extra_card", DECIDE, _too_many(1), _before_flop, ("PK3",)),
    Trick("two_cards_too_many", "extra_card", DECIDE, _too_many(2), _before_flop, ("PK3",)),
    Trick("burn_too_early", "one_burn_more", DECIDE, _burn_too_early, _before_turn, ("PK3",)),
    Trick("flop_of_four", "extra_card", DECIDE, _four_on_the_flop, _flop_just_dealt, ("PK7",)),
    Trick("premature_flop", "draw_early", DECIDE, _early(1, 2, 3), _before_flop, ("PK8",)),
    Trick("premature_turn", "draw_early", DECIDE, _early(4), _before_turn, ("PK9",)),
    Trick("premature_river", "draw_early", DECIDE, _early(5), _before_river, ("PK10",)),
    Trick("burn_missed", "burn_missed", BURN, _no_burn, can_deal, ("PK11",)),
    Trick("burn_doubled", "one_burn_more", OPEN, _double_burn, _burn_just_made, ("PK11",)),
    Trick("burn_doubted_before_action", "burn_doubted", DECIDE, _say_burn, _street_fresh, ("PK11",)),
    Trick("burn_doubted_after_action", "burn_doubted", DECIDE, _say_burn, _street_acted, ("PK11",)),
    Trick("board_card_in_a_wrong_place", "wrong_place", OPEN, _wrong_place, _next_place_bare, ("PK12",)),
    Trick("board_cards_exchanged", "swap", OPEN, _two_exchanged, _next_place_bare, ("PK12",)),
    Trick("shoe_empty_at_a_burn", "empty_shoe", BURN, shoe_runs_out, can_deal, ("PK14",)),
    Trick("shoe_empty_at_a_street", "empty_shoe", OPEN, shoe_runs_out, can_deal, ("HG12",)),
)
