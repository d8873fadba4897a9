"""What a device last said of how it stands, so that the same word said again is counted and not written down.

Machines tell their state now and then, or in answer to every poll. Between two pieces of news the same word means the
same thing; after any news each word is told once more.
"""

from __future__ import annotations

from collections.abc import Hashable

from studio.ports import Observation, ShoeLocked, ShoePreset, ShoeStandby, ShufflerAlarm, ShufflerState


class StandingWords:
    """The words that hold now. One driver owns it, and forgets them when its link is lost."""

    def __init__(self) -> None:
        self._holds: dict[Hashable, Hashable] = {}

    def is_news(self, seen: Observation) -> bool:
        """Whether this has to be told; what is not told says what holds already."""
        word = _word(seen)
        if word is None:
            self._holds.clear()
            return True
        about, said = word
        if about in self._holds and self._holds[about] == said:
            return False
        if about in self._holds or isinstance(seen, ShufflerState):
            self._holds.clear()  # whoever is in another state may have other alarms, and is another's to judge
        self._holds[about] = said
        return True

    def forget(self) -> None:
        self._holds.clear()


def _word(seen: Observation) -> tuple[Hashable, Hashable] | None:
    """What it is about, and what it says of that; None for whatever happens rather than stands.

    A verified deck is none: what its name means depends on the deck in the shoe.
    """
    match seen:
        case ShufflerState(state=state):
            return "state", state
        case ShufflerAlarm(alarm=alarm, raised=raised):
            return ("alarm", alarm), raised
        case ShoeLocked(locked=locked):
            return "locked", locked
        case ShoeStandby():
            return "stand-by", True
        case ShoePreset(address=address, value=value):
            return ("preset", address), value
    return None
