"""What goes wrong while hole cards are dealt, and a misdeal that is claimed [PK1-PK6, PK13]."""

from __future__ import annotations

from typing import Final

from dealer_ui.rehearsal.hand.script_act import BURN, DECIDE, DOWN, OPEN
from dealer_ui.rehearsal.repertoire.deed import slip_in
from dealer_ui.rehearsal.trick.mischief import Scene, Trick
from dealer_ui.rehearsal.trick.report import report
from studio.ports import CardFace
from studio.rounds import CardDealt
from studio.rulebook.hand_terms import BOARD
from studio.spoken import Slot
from studio.tables.state.round import Round
from studio.tables.street import acts_of, is_substantial

_MISDEAL: Final = 2
"""So many cards of the deal, exposed, make a misdeal."""
_TELLS_MS: Final = 500
"""A dealer has seen what he holds, and tells of it, later than the shoe."""


def holes(round: Round | None) -> list[CardDealt]:
    """The hole cards of this deal, in the order they were dealt."""
    plain = round.deal.plain if round is not None else ()
    return [fact for fact in plain if isinstance(fact, CardDealt) and fact.box != BOARD]


def substantial(scene: Scene) -> bool:
    round = scene.night.state.round
    return round is not None and is_substantial(acts_of(round.deal.plain))


def before_substantial(scene: Scene) -> bool:
    return not substantial(scene)


# --- cards that are seen ------------------------------------------------------------------------------------


def _among_first(scene: Scene) -> bool:
    return can_deal(scene) and len(holes(scene.night.state.round)) < _MISDEAL


def _later(scene: Scene) -> bool:
    return can_deal(scene) and len(holes(scene.night.state.round)) >= _MISDEAL


def can_deal(scene: Scene) -> bool:
    """Whether the place that is due is bare, and a card is left to go there."""
    rig, slot = scene.night.rig, scene.slot
    return slot is not None and bool(rig.shoe.cards_left) and not rig.felt.count(*slot)


def deal_up(scene: Scene) -> bool:
    """The card that is due face down shows its face."""
    assert scene.slot is not None
    scene.night.dealer.draw_to(scene.slot, CardFace.UP)
    return True


def _holes_down(scene: Scene) -> list[Slot]:
    lying = scene.night.rig.felt.view().top()
    dealt = {(fact.box, fact.place) for fact in holes(scene.night.state.round)}
    return sorted(slot for slot, card in lying.items() if slot in dealt and card.face is CardFace.DOWN)


def _turned_at_a_seat(scene: Scene) -> bool:
    """A seat's card is turned over while seats bet."""
    if slots := _holes_down(scene):
        scene.night.rig.felt.turn(*scene.rng.choice(slots))
    return False


def _two_turned(scene: Scene) -> bool:
    """Two cards of a seat are turned over, and the dealer says so."""
    slots = _holes_down(scene)
    for slot in slots[-_MISDEAL:]:
        scene.night.rig.felt.turn(*slot)
    if slots:
        report(scene, "exposed_card", *slots[-1], count=str(len(slots[-_MISDEAL:])))
    return False


# --- cards that go to a wrong seat --------------------------------------------------------------------------


def _to_another_seat(scene: Scene) -> bool:
    """The card is thrown to a seat that is not due, dealt in or not."""
    return _deal_to(scene, [slot for slot in scene.free_slots if slot[0] not in (BOARD, _due_seat(scene))])


def _seat_skipped(scene: Scene) -> bool:
    """The seat that is due is passed over for the next one that is dealt in."""
    seats = scene.night.state.room.dealt_in
    due = _due_seat(scene)
    after = [*seats[seats.index(due) + 1 :], *seats[: seats.index(due)]] if due in seats else []
    free = [slot for seat in after for slot in scene.free_slots if slot[0] == seat]
    return _deal_to(scene, free[:1])


def _deal_to(scene: Scene, slots: list[Slot]) -> bool:
    if not slots:
        return False
    scene.night.dealer.draw_to(scene.rng.choice(slots), CardFace.DOWN)
    return True


def _due_seat(scene: Scene) -> str:
    return scene.slot[0] if scene.slot is not None else ""


# --- cards face up in the deck, a deck that is no deck ------------------------------------------------------


def _boxed(scene: Scene) -> bool:
    """A card lies face up in the stub: the shoe cannot read it, the dealer lays it away and says what it is."""
    rig = scene.night.rig
    rig.felt.lay("discard", 1, rig.shoe.draw_unread(), CardFace.DOWN)
    scene.later(_TELLS_MS, lambda: report(scene, "boxed_card"))
    return True


def _two_boxed(scene: Scene) -> bool:
    """Two cards lie face up in the stub and come out one after the other."""
    rig = scene.night.rig
    for _ in range(min(_MISDEAL, rig.shoe.cards_left)):
        rig.felt.lay("discard", 1, rig.shoe.draw_unread(), CardFace.DOWN)
    scene.later(_TELLS_MS, lambda: report(scene, "boxed_card", count=str(_MISDEAL)))
    return True


def _card_twice(scene: Scene) -> bool:
    """A card that was dealt comes out of the shoe once more."""
    rig = scene.night.rig
    slip_in(rig, scene.rng.choice(sorted(rig.felt.view().top().items(), key=lambda one: one[0]))[1].card)
    return False


def _some_lie(scene: Scene) -> bool:
    return can_deal(scene) and any(slot[0] != "discard" for slot in scene.night.rig.felt.view().top())


# --- what is said of it -------------------------------------------------------------------------------------


def _claimed(scene: Scene) -> bool:
    """Somebody at the table says that the deal was wrong."""
    report(scene, "misdeal_claimed", pit=scene.rng.random() < 0.5)
    return False


TRICKS: Final[tuple[Trick, ...]] = (
    Trick("first_hole_card_exposed", "face_up", DOWN, deal_up, _among_first, ("PK1",)),
    Trick("later_hole_card_exposed", "face_up", DOWN, deal_up, _later, ("PK2",)),
    Trick("hole_card_turned_while_betting", "expose", DECIDE, _turned_at_a_seat, before_substantial, ("PK1", "PK2")),
    Trick("hole_card_turned_after_action", "expose", DECIDE, _turned_at_a_seat, substantial),
    Trick("two_hole_cards_turned", "expose", DECIDE, _two_turned, before_substantial, ("PK1",)),
    Trick("card_to_a_wrong_seat", "wrong_box", DOWN, _to_another_seat, can_deal, ("PK1",)),
    Trick("seat_skipped", "wrong_box", DOWN, _seat_skipped, can_deal, ("PK1",)),
    Trick("one_boxed_card", "boxed_card", DOWN, _boxed, can_deal, ("PK5",)),
    Trick("boxed_card_on_the_board", "boxed_card", (*OPEN, *BURN), _boxed, can_deal, ("PK5",)),
    Trick("two_boxed_cards", "boxed_card", DOWN, _two_boxed, can_deal, ("PK1",)),
    Trick("card_twice_in_the_deck", "slip_in", (*DOWN, *OPEN), _card_twice, _some_lie, ("PK6",)),
    Trick("misdeal_claimed_at_once", "misdeal_claimed", DECIDE, _claimed, before_substantial, ("PK13",)),
    Trick("misdeal_claimed_after_action", "misdeal_claimed", DECIDE, _claimed, substantial, ("PK4",)),
)
