"""What hands do for a moment and then undo: they cover a card and show it again, or turn it over and back.

A card that the camera has reported once is reported again only if it was covered in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from devices.sim.felt import SimFelt
from studio.spoken import Slot


class Moment:
    """What is to be undone, `for_ms` after the first `step`."""

    def __init__(self, for_ms: int) -> None:
        self._for_ms = for_ms
        self._undo: list[Callable[[], None]] = []
        self._until_ms: int | None = None

    def begin(self, undo: Callable[[], None]) -> None:
        self._undo.append(undo)
        self._until_ms = None

    def step(self, now_ms: int) -> None:
        if self._undo and self._until_ms is None:
            self._until_ms = now_ms + self._for_ms
        elif self._until_ms is not None and now_ms >= self._until_ms:
            due, self._undo, self._until_ms = self._undo, [], None
            for undo in due:
                undo()


class Showing:
    """The hands over one felt that go away by themselves, `for_ms` after the first `step`."""

    def __init__(self, felt: SimFelt, for_ms: int) -> None:
        self._felt = felt
        self._for_ms = for_ms
        self._slots: tuple[Slot, ...] = ()
        self._until_ms: int | None = None

    def begin(self, slots: Iterable[Slot]) -> None:
        """Cover these places, and no others any more."""
        for slot in self._felt.view().hands:
            self._felt.hand_over(*slot, on=False)
        self._slots, self._until_ms = tuple(slots), None
        for slot in self._slots:
            self._felt.hand_over(*slot, on=True)

    def step(self, now_ms: int) -> None:
        if not self._slots:
            return
        if self._until_ms is None:
            self._until_ms = now_ms + self._for_ms
        elif now_ms >= self._until_ms:
            self.begin(())
