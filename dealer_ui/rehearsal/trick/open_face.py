"""What goes wrong in a hand of Open-Face Chinese: seats that are away, cards seen or laid wrong."""

from __future__ import annotations

from typing import Final

from dealer_ui.rehearsal.hand.script_act import DECIDE, DOWN, LAY
from dealer_ui.rehearsal.poker.guests import Guests
from dealer_ui.rehearsal.trick.mischief import Scene, Trick
from dealer_ui.rehearsal.trick.poker_hand import can_deal, deal_up
from studio.ports import CardFace
from studio.rulebook.script import Lay, Turn
from studio.tables.state.table import awaited

# --- seats that are away ------------------------------------------------------------------------------------


def _unseen(scene: Scene) -> list[str]:
    room = scene.night.state.room
    return [seat for seat in room.dealt_in if seat not in room.seen]


def _somebody_has_not_looked(scene: Scene) -> bool:
    return bool(_unseen(scene))


def _away_before_looking(scene: Scene) -> bool:
    _call_away(scene, scene.rng.choice(_unseen(scene)))
    return False


def _turn(scene: Scene) -> Turn | None:
    now = awaited(scene.night.state)
    return now.step if now is not None and isinstance(now.step, Turn) else None


def _has_looked(scene: Scene) -> bool:
    turn = _turn(scene)
    return turn is not None and turn.box in scene.night.state.room.seen


def _one_row_is_open(scene: Scene) -> bool:
    turn = _turn(scene)
    return (
        _has_looked(scene)
        and turn is not None
        and turn.placing is not None
        and sum(map(bool, turn.placing.room.values())) == 1
    )


def _away_at_his_turn(scene: Scene) -> bool:
    turn = _turn(scene)
    assert turn is not None
    _call_away(scene, turn.box)
    return False


def _call_away(scene: Scene, seat: str) -> None:
    """Whoever sits there neither looks nor sets a card before the hand is over."""
    state, guests = scene.night.state, scene.night.punters
    player = state.room.players.get(seat)
    if player is not None and state.round is not None and isinstance(guests, Guests):
        guests.call_away(player.bettor, state.round.id)


# --- cards of a street --------------------------------------------------------------------------------------


def _turned_before_it_is_set(scene: Scene) -> bool:
    """A card that its seat has yet to set is turned over."""
    turn = _turn(scene)
    lying = scene.night.rig.felt.view().top()
    slots = sorted(slot for slot, card in lying.items()
                   if turn is not None and slot[0] == turn.box and card.face is CardFace.DOWN)  # fmt: skip
    if slots:
        scene.night.rig.felt.turn(*scene.rng.choice(slots))
    return False


def _lay_due(scene: Scene) -> Lay | None:
    now = awaited(scene.night.state)
    return now.step if now is not None and isinstance(now.step, Lay) else None


def _gives_up(scene: Scene) -> bool:
    lay = _lay_due(scene)
    return lay is not None and bool(lay.away)


def _shown_in_passing(scene: Scene) -> bool:
    """The card that is given up shows its face while the street is laid."""
    lay = _lay_due(scene)
    assert lay is not None
    slot = (lay.box, lay.away[0])
    if scene.night.rig.felt.count(*slot):
        scene.night.rig.felt.turn(*slot)
    return True


def _other_row(scene: Scene) -> bool:
    """A card that was set is laid to another row, or to another place than the next of its own."""
    lay, felt = _lay_due(scene), scene.night.rig.felt
    if lay is None or not lay.to:
        return False
    place = scene.rng.choice(lay.to)[0]
    targets = {(row, at) for _, row, at in lay.to}
    bare = [slot for slot in scene.free_slots if slot[0].startswith(f"{lay.box}_") and slot not in targets]
    if not bare or not felt.count(lay.box, place):
        return False
    felt.move((lay.box, place), scene.rng.choice(bare), face=CardFace.UP)
    return True


def _can_lay(scene: Scene) -> bool:
    return _lay_due(scene) is not None


TRICKS: Final[tuple[Trick, ...]] = (
    Trick("away_before_looking", "away", (*DOWN, *DECIDE), _away_before_looking, _somebody_has_not_looked, ("OF1",)),
    Trick("away_at_his_turn", "away", DECIDE, _away_at_his_turn, _has_looked, ("OF2",)),
    Trick("away_with_one_row_open", "away", DECIDE, _away_at_his_turn, _one_row_is_open, ("OF2",)),
    Trick("street_card_exposed", "face_up", DOWN, deal_up, can_deal, ("OF3",)),
    Trick("street_card_turned", "expose", DECIDE, _turned_before_it_is_set, rows=("OF3",)),
    Trick("card_given_up_shown", "expose", LAY, _shown_in_passing, _gives_up, ("OF3",)),
    Trick("card_laid_to_another_row", "other_row", LAY, _other_row, _can_lay, ("OF4",)),
)
