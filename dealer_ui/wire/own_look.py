"""What single bettors may know at tables on other hosts, asked for together and kept until their table moves."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from studio.views.own import OwnPlay

Who = tuple[str, str]
"""An operator, and one of his bettors."""
V = TypeVar("V")
ASKED_TOGETHER: Final = 1_000
KEPT_S: Final = 30.0
"""A bettor whom nobody has asked for so long is not asked for with the others any more."""


@dataclass(slots=True, eq=False)
class _Table(Generic[V]):
    seq: int = -1
    known: dict[Who, V] = field(default_factory=dict)
    looked_s: dict[Who, float] = field(default_factory=dict)
    gate: threading.Lock = field(default_factory=threading.Lock)


@dataclass(slots=True, eq=False)
class OwnLook(Generic[V]):
    """`fetch` gives it for some bettors of a table, in their order: all who looked lately where `together`, so that a
    move of the table costs one question however many bettors look on.
    """

    fetch: Callable[[str, Sequence[Who]], Sequence[V]]
    monotonic: Callable[[], float]
    together: bool = True
    _tables: dict[str, _Table[V]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def of(self, table: str, seq: int, who: Who) -> V:
        """As of that place of the table, or a later one; blocks where it must be asked for."""
        with self._lock:
            kept = self._tables.setdefault(table, _Table())
        with kept.gate:
            now_s = self.monotonic()
            kept.looked_s[who] = now_s
            if kept.seq < seq:
                kept.seq, kept.known = seq, {}
            if who not in kept.known:
                self._ask(table, kept, who, now_s)
            return kept.known[who]

    def forget(self, table: str) -> None:
        """Somebody there has just done something: ask anew."""
        with self._lock:
            kept = self._tables.get(table)
        if kept is not None:
            with kept.gate:
                kept.known = {}

    def _ask(self, table: str, kept: _Table[V], who: Who, now_s: float) -> None:
        kept.looked_s = {one: at_s for one, at_s in kept.looked_s.items() if now_s - at_s <= KEPT_S}
        others = [one for one in kept.looked_s if one != who and one not in kept.known] if self.together else []
        asked = (who, *others[: ASKED_TOGETHER - 1])
        kept.known.update(zip(asked, self.fetch(table, asked), strict=True))


NO_PLAY: Final = OwnPlay()
"""Of a bettor whose table cannot be reached."""
