"""The whole repertoire, and each thing of it by its key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dealer_ui.rehearsal.repertoire import by_hand, by_machine, by_people
from dealer_ui.rehearsal.repertoire.wrong import Wrong
from studio.errors import InvariantError

REPERTOIRE: Final[tuple[Wrong, ...]] = (
    *by_hand.SHOWN, *by_hand.SIMULATED, *by_machine.MACHINE, *by_people.SAID, *by_people.DONE, *by_people.BEFALLS,
)  # fmt: skip

_BY_KEY: Final[Mapping[str, Wrong]] = {wrong.key: wrong for wrong in REPERTOIRE}


def find_wrong(key: str) -> Wrong:
    """What can go wrong under this key; an unknown one is our own mistake."""
    if key not in _BY_KEY:
        raise InvariantError(f"'{key}' is not in the repertoire of what can go wrong")
    return _BY_KEY[key]
