"""The only place that lists everything that may go wrong in a simulated night."""

from __future__ import annotations

from typing import Final

from dealer_ui.rehearsal import (
    dealer_trick,
    decision_trick,
    down_trick,
    machine_trick,
    order_trick,
    people_trick,
    report_trick,
)
from dealer_ui.rehearsal.mischief import Trick

TRICKS: Final[tuple[Trick, ...]] = (
    *dealer_trick.TRICKS,
    *order_trick.TRICKS,
    *down_trick.TRICKS,
    *report_trick.TRICKS,
    *decision_trick.TRICKS,
    *machine_trick.TRICKS,
    *people_trick.TRICKS,
)
