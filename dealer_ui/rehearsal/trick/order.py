"""Cards that go to the wrong place or out of order: skipped boxes, too many cards, early ones."""

from __future__ import annotations

from typing import Final

from dealer_ui.rehearsal.hand.script_act import BETS, DEAL, DECIDE, END
from dealer_ui.rehearsal.trick.mischief import Scene, Trick
from dealer_ui.rehearsal.trick.report import report
from studio.ports import CardFace
from studio.spoken import Slot


def _deal_to(scene: Scene, slot: Slot, face: CardFace) -> bool:
    rig = scene.night.rig
    if not rig.shoe.cards_left:
        return False
    scene.night.dealer.draw_to(slot, face)
    return True


def _skipped(scene: Scene) -> bool:
    """The box whose turn it is gets no card; the next one does."""
    if not (other := _elsewhere(scene)):
        return False
    return _deal_to(scene, other, scene.due)


def _exchanged(scene: Scene) -> bool:
    """Two cards go to each other's place."""
    slot, other = scene.slot, _elsewhere(scene)
    if slot is None or other is None or scene.night.rig.shoe.cards_left < 2 or scene.night.rig.felt.count(*slot):
        return False
    _deal_to(scene, other, scene.due)
    _deal_to(scene, slot, scene.due)
    scene.later(scene.rng.randrange(900), lambda: report(scene, "wrong_order", pattern="other"))
    return True


def _elsewhere(scene: Scene) -> Slot | None:
    """The first free place of another box than the one whose turn it is."""
    due = scene.slot
    return next((slot for slot in scene.free_slots if due is not None and slot[0] != due[0]), None)


def _two_at_once(scene: Scene) -> bool:
    """Two cards stick together and come as one: the lower one is not seen."""
    slot, rig = scene.slot, scene.night.rig
    if slot is None or rig.shoe.cards_left < 2 or rig.felt.count(*slot):
        return False
    for _ in range(2):
        scene.night.dealer.draw_to(slot, scene.due)
    return True


def _one_more(scene: Scene) -> bool:
    """After the last card, or while bettors decide, one more card is laid on the last box that has one."""
    boxes = [slot for slot in scene.night.rig.felt.view().top() if slot[0] not in ("burn", "discard")]
    if not boxes:
        return False
    open_places = [slot for slot in scene.free_slots if slot[0] == boxes[-1][0]]
    slot = next(iter(open_places), boxes[-1])
    if not _deal_to(scene, slot, scene.rng.choice((CardFace.UP, CardFace.DOWN))):
        return False
    if scene.rng.random() < _TOLD:
        seen = scene.rng.choice(("yes", "no"))
        scene.later(scene.rng.randrange(900), lambda: report(scene, "wrong_count", revealed=seen))
    return True


_TOLD: Final = 0.3
"""The share of such cards the dealer tells the pit of by himself."""


def _while_they_decide(face: CardFace) -> Trick:
    """The next card lies in its place while the bettors still decide."""

    def lay(scene: Scene) -> None:
        view = scene.night.view()
        if scene.free_slots and view.bets.closes_at_ms is not None:
            _deal_to(scene, scene.free_slots[0], face)

    def play(scene: Scene) -> bool:
        scene.later(scene.rng.randrange(2_500), lambda: lay(scene))
        return False

    return Trick(f"card_drawn_while_deciding_{face}", "draw_early", DECIDE, play)


def _reversed_order(scene: Scene) -> bool:
    """Every box gets its card, the last one first."""
    due, rig = scene.slot, scene.night.rig
    if due is None:
        return False
    row = [slot for slot in [due, *scene.free_slots] if slot[1] == due[1]]
    boxes = list(dict.fromkeys(row))
    if len(boxes) < 2 or rig.shoe.cards_left < len(boxes):
        return False
    for slot in reversed(boxes):
        scene.night.dealer.draw_to(slot, scene.due)
    return True


TRICKS: Final[tuple[Trick, ...]] = (
    Trick("box_skipped", "wrong_box", DEAL, _skipped),
    Trick("cards_exchanged", "swap", DEAL, _exchanged),
    Trick("two_cards_at_once", "lay_upon", DEAL, _two_at_once),
    Trick("boxes_dealt_backwards", "backwards", DEAL, _reversed_order),
    Trick("one_card_more", "extra_card", (*END, *DECIDE, *BETS), _one_more),
    _while_they_decide(CardFace.UP),
    _while_they_decide(CardFace.DOWN),
)
