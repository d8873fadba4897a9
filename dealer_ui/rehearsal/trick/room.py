"""What happens to a table of the poker room in the midst of a hand: devices, cut card, program."""

from __future__ import annotations

from typing import Final

from dealer_ui.rehearsal.hand.script_act import BURN, DEAL, DECIDE, LAY
from dealer_ui.rehearsal.trick import unplug
from dealer_ui.rehearsal.trick.machine import cut_card_within, shoe_fault, shoe_runs_out
from dealer_ui.rehearsal.trick.mischief import Trick
from dealer_ui.rehearsal.trick.people import restart_soon

_IN_HAND: Final = (*DEAL, *BURN, *DECIDE, *LAY)


TRICKS: Final[tuple[Trick, ...]] = (
    Trick("restart_in_the_hand", "restart", _IN_HAND, restart_soon, rows=("EV7",)),
    Trick("unplugged_in_the_hand", unplug.CABLES, _IN_HAND, unplug.any_of(unplug.TRICKS), rows=("EV1",)),
    Trick("another_machine_in_the_hand", unplug.MACHINES_CHANGED, _IN_HAND, unplug.any_of(unplug.RARE), rows=("EV11",)),
    Trick("shoe_error_in_the_hand", "shoe.overdraw", _IN_HAND, shoe_fault("overdraw"), rows=("EV2",)),
    Trick("cut_card_in_the_hand", "shoe.cut_card", DEAL, cut_card_within(3), rows=("EV3",)),
    Trick("shoe_empty_in_the_deal", "empty_shoe", DEAL, shoe_runs_out, rows=("HG12",)),
)
