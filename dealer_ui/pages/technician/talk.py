"""The live talk of a line: bytes beside the frames and readings they became, as it happens.

    event: talk    {"lines": [{"n", "at", "in", "count", "hex", "frames", "readings", "masked"}]}
    event: beat    {}      every two seconds
    event: leave   {}      nobody is signed in any more

It takes a seat among those of the staff.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from dealer_ui.floor.device_port import Line, TalkLine
from dealer_ui.frame.stream import RETRY_MS, event
from dealer_ui.live.telling import Rest, Telling

WAIT_S: Final = 0.25
BEAT_S: Final = 2.0
LINES_MAX: Final = 200
"""So many lines are sent at once; of more only the newest."""


@dataclass(frozen=True, slots=True)
class Talk:
    """One line told to one station until it goes away."""

    line: Line
    monotonic: Callable[[], float]
    closing: threading.Event
    still: Callable[[], bool]

    def told(self) -> Telling:
        yield f"retry: {RETRY_MS}\n\n".encode()
        number, beat_at = 0, self.monotonic()
        while not self.closing.is_set():
            if self.monotonic() >= beat_at:
                if not self.still():
                    yield event("leave", None, {})
                    return
                yield event("beat", None, {})
                beat_at = self.monotonic() + BEAT_S
            if lines := self.line.since(number)[-LINES_MAX:]:
                number = lines[-1].number
                yield event("talk", None, {"lines": [plain(line) for line in lines]})
            yield Rest(WAIT_S)  # a talkative line is told a few times a second


def plain(line: TalkLine) -> dict[str, Any]:
    return {
        "n": line.number, "at": line.at_ms, "in": line.direction == "in", "count": line.count, "masked": line.masked,
        "hex": line.hex, "frames": line.frames, "readings": line.readings,
    }  # fmt: skip
