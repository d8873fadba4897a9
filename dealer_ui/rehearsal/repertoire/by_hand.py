"""What a dealer's hands do wrong with the cards."""

from __future__ import annotations

from typing import Final

from dealer_ui.rehearsal.repertoire.wrong import Doer, Wrong

_EXPOSED: Final = ("exposed_card", "early_card")
_ASTRAY: Final = ("misplaced_card", "wrong_order", "wrong_count", "extra_card")
_MANY: Final = ("extra_card", "wrong_count", "early_card", "misplaced_card")


def _by_hand(key: str, *kinds: str, what: str = "") -> Wrong:
    return Wrong(key, Doer.HANDS, kinds, what)


SHOWN: Final[tuple[Wrong, ...]] = (
    _by_hand("expose", *_EXPOSED),
    _by_hand("flash", *_EXPOSED),
    _by_hand("draw_early", *_EXPOSED, "extra_card"),
    _by_hand("wrong_box", *_ASTRAY),
    _by_hand("beside", *_ASTRAY),
    _by_hand("shift", *_ASTRAY),
    _by_hand("swap", *_ASTRAY, "card_mismatch"),
    _by_hand("drop", "dropped_card"),
    _by_hand("fumble", "dropped_card"),
    _by_hand("take_away", "dropped_card"),
    _by_hand("lay_upon", *_MANY, "camera_unsure"),
    _by_hand("backwards", *_ASTRAY),
    _by_hand("burn_face_up", "burn_error", "exposed_card"),
    _by_hand("one_burn_more", "burn_error", *_MANY),
    _by_hand("extra_card", *_MANY),
    _by_hand("clear_early", "cleared_early"),
    _by_hand("past_reader", "unread_card"),
    _by_hand("unreadable", "unread_card"),
    _by_hand("face_up", *_EXPOSED),
    _by_hand("face_down", "camera_unsure"),
    _by_hand("switched", "card_mismatch", "fouled_deck"),
    _by_hand("hand_over", "camera_unsure"),
    _by_hand("slip_in", "fouled_deck"),
    _by_hand("empty_shoe", "shoe_empty"),
)
"""What the demo offers at one tap; what happens is told by the catalogue, under `mistake_help`."""

SIMULATED: Final[tuple[Wrong, ...]] = (
    _by_hand(
        "boxed_card",
        "boxed_card",
        "unread_card",
        what="A card lies face up in the shoe, cannot be read, and is laid in the discard.",
    ),
    _by_hand("burn_in_box", "burn_error", *_ASTRAY, what="A card that should be burned is laid in a box."),
    _by_hand("burn_missed", "burn_error", what="The first card of a street comes where its burn is due."),
    _by_hand("wrong_place", "misplaced_card", what="A card is laid in another place of its box than the next one."),
    _by_hand("other_row", "misplaced_card", what="A card that its seat has set is laid in another row."),
    _by_hand(
        "turn_over", *_EXPOSED, "card_mismatch", "camera_unsure", what="A card that lies is turned over and stays so."
    ),
    _by_hand(
        "sleeve", "card_mismatch", "fouled_deck", what="A card that lies face down is exchanged for one from a sleeve."
    ),
    _by_hand("reveal_half", what="Only one card of a hand is turned, and the others are forgotten for a while."),
    _by_hand("reveal_all", *_EXPOSED, what="Every hand is turned at once."),
    _by_hand("turn_back", "camera_unsure", "card_mismatch", what="A hand that was turned is laid face down again."),
)
"""What only the simulated dealer does."""
