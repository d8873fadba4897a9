"""The server-sent event streams of the screens.

    retry: 1000                          at the start
    event: view    {"seq", "html"}       the whole fragment, at once on every (re)connect, then when it changed;
                                         without `html` when the journal moved and the screen did not
    event: beat    {"now_ms", "seq", "version"}
                                         every 2 s, so that a silence is known for what it is; with `urgent`, the alarms
                                         nobody has acknowledged in time, for whoever hears alarms
    event: leave   {}                    nobody is signed in any more

A stream is a telling (`live.telling`): it holds no thread. Seats are counted all the same, and a page that gets none
asks for the same view, one answer at a time.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from dealer_ui.frame.screen import Artist, Asked, Drawn, Screen
from dealer_ui.frame.template import pages_version
from dealer_ui.live.telling import Rest, Telling, in_turn

BEAT_S: Final = 2.0
RENDERS_PER_S: Final = 20.0
BURST: Final = 6
"""So many changes at once are drawn without delay: one card makes two or three."""
RETRY_MS: Final = 1_000
_HAIR: Final = 1e-6
"""Waiting exactly long enough is long enough, whatever the rounding of the clock."""


class StreamPace:
    """Lets a burst through at once and `RENDERS_PER_S` in the long run."""

    def __init__(self, now_s: float) -> None:
        self._left = float(BURST)
        self._at_s = now_s

    def wait_s(self, now_s: float) -> float:
        """How long until the next drawing may be made; 0 spends one."""
        self._left = min(BURST, self._left + (now_s - self._at_s) * RENDERS_PER_S)
        self._at_s = now_s
        if self._left < 1 - _HAIR:
            return (1 - self._left) / RENDERS_PER_S
        self._left -= 1
        return 0.0


@dataclass(frozen=True, slots=True)
class Stream:
    """One screen told to one station until it goes away. `still` says whether the viewer is still signed in."""

    artist: Artist
    screen: Screen
    asked: Asked
    monotonic: Callable[[], float]
    closing: threading.Event
    still: Callable[[], bool]
    urgent: Callable[[], Sequence[Mapping[str, Any]]] = tuple

    def __iter__(self) -> Iterator[bytes]:
        """Told on the calling thread, which waits between the events."""
        return in_turn(self.told(), self.asked.house, self.closing)

    def told(self) -> Telling:
        yield f"retry: {RETRY_MS}\n\n".encode()
        table = self.asked.table or None
        pace, beat_at = StreamPace(self.monotonic()), self.monotonic()
        shown, seq, html, newest = -1, 0, "", self.asked.house.wait(table, -1, 0.0)
        acts, changed_alone = self._acts(), False
        while not self.closing.is_set():
            if self.monotonic() >= beat_at:
                if not self.still():
                    yield event("leave", None, {})
                    return
                yield event("beat", None, {**self._beat(), "seq": seq})
                beat_at = self.monotonic() + BEAT_S
                changed_alone, acts = acts != self._acts(), self._acts()
            if newest > shown or changed_alone:
                if wait_s := pace.wait_s(self.monotonic()):
                    newest = max(newest, (yield Rest(wait_s, table)))
                    continue
                if not self.still():
                    yield event("leave", None, {})
                    return
                drawn = self.artist.drawn_at((newest, acts), self.screen, self.asked)
                yield self._viewed(drawn) if drawn.html != html else event("view", drawn.seq, {"seq": drawn.seq})
                # What was known before it was drawn: what has come meanwhile is drawn again.
                shown, seq, html, changed_alone = newest, drawn.seq, drawn.html, False
            newest = yield Rest(max(0.0, beat_at - self.monotonic()), table, shown)

    def once(self, mark: str) -> Mapping[str, Any]:
        """A beat and the whole view in one answer; without `html` while nothing has changed since that `mark`."""
        seq = self.asked.house.wait(self.asked.table or None, -1, 0.0)
        newest = hashlib.sha256(repr((seq, self._acts())).encode()).hexdigest()[:16]
        told = {**self._beat(), "seq": seq, "mark": newest}
        if mark == newest:
            return told
        drawn = self.artist.fragment(self.screen, self.asked)
        return {**told, "seq": drawn.seq, "html": drawn.html}

    def _viewed(self, drawn: Drawn) -> bytes:
        return _shared_view(drawn) if self.screen.shared else _view(drawn)

    def _beat(self) -> Mapping[str, Any]:
        told = {"urgent": urgent} if (urgent := self.urgent()) else {}
        return {"now_ms": self.asked.house.now_ms(), "version": pages_version(), **told}

    def _acts(self) -> tuple[object, ...]:
        """What can change on the screen without a new row in the journal: a disk that takes nothing holds a table, and
        cannot record that.
        """
        tables = (self.asked.table,) if self.asked.table else self.asked.house.tables
        return *(self.asked.house.view(table).now.act.key for table in tables), self.screen.pulse(self.asked)


def _view(drawn: Drawn) -> bytes:
    return event("view", drawn.seq, {"seq": drawn.seq, "html": drawn.html})


_shared_view = lru_cache(maxsize=64)(_view)
"""Written once for all who are told it."""


def event(name: str, id: int | None, data: object) -> bytes:
    """One server-sent event; the JSON has no line break of its own."""
    head = f"id: {id}\n" if id is not None else ""
    return f"{head}event: {name}\ndata: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()
