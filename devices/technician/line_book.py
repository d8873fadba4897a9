"""The live talk of one line, kept for a technician: a bounded ring, its counts, and the names of its frames.

While the table is open, no bytes of the line are kept, and of each reading only its name: so nothing of a sealed card
can be shown later. What was kept before stays, as it was said while the table was closed.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from devices.catalogue import commands_of
from devices.driver import LineTalk
from devices.frame import Broken
from devices.shoe.angel_eye_codec import AngelEyeDecoder, ShoeReport
from devices.shoe.barcode_codec import BarcodeDecoder, Scan
from devices.shoe.bee_tek_codec import BeeTekDecoder, BeeTekMessage
from devices.shuffler.generic_codec import GenericDecoder, GenericRecord
from devices.technician.ladder import line_ladder
from devices.technician.line_count import LineTally
from devices.technician.tape import Tape
from devices.technician.telling import in_words
from studio.diagnosis import LineCounts, Rung, TalkLine
from studio.ports import LinkDown, LinkUp, Observation, ShoeDrewCard

COARSE_BYTES: Final = 16
"""Lengths on an open table are rounded up to this: `10` has a character more than any other rank."""
_DECODERS: Final[Mapping[str, Callable[[], _Decoder]]] = {
    "angel_eye": AngelEyeDecoder,
    "bee_tek": BeeTekDecoder,
    "barcode": BarcodeDecoder,
    "generic": GenericDecoder,
    "generic_shoe": GenericDecoder,
}


RING_MAX: Final = 400
_HEX_BYTES_MAX: Final = 64
"""So many bytes of one piece are shown; the count tells of the rest."""


class LineBook:
    """The talk of one device's line. `hides` says whether its table is open; any thread may look."""

    def __init__(self, device: str, role: str, driver: str, hides: Callable[[], bool], baud: int | None = None) -> None:
        self.device = device
        self.role = role
        self.driver = driver
        self._hides = hides
        self._namer = FrameNamer(driver)
        self._tally = LineTally()
        self._repeats = 0
        self._heard_ms = 0
        self._card_ms = 0
        self._number = 0
        self._ring: deque[TalkLine] = deque(maxlen=RING_MAX)
        self._changed = threading.Condition()
        self.tape = Tape(device, driver, baud, hides)

    # --- what comes in, on the thread that owns the device --------------------------------------------------

    def listen(self, talk: LineTalk) -> None:
        """What crossed the line; told by the supervisor."""
        masked = self._hides()
        with self._changed:
            frames = self._count(talk, masked)
            self.tape.take(talk, masked=masked)
            self._number += 1
            count = _coarse(len(talk.data)) if masked else len(talk.data)
            shown = "" if masked else talk.data[:_HEX_BYTES_MAX].hex(" ").upper()
            readings = tuple(in_words(seen, faces=not masked) for seen in talk.frames)
            self._ring.append(
                TalkLine(self._number, talk.at_ms, talk.direction, count, masked, shown, frames, readings)
            )
            self._changed.notify_all()

    def note(self, seen: Sequence[Observation]) -> None:
        """What the supervisor says of the link itself."""
        link = [one for one in seen if isinstance(one, LinkUp | LinkDown)]
        if link:
            with self._changed:
                self._tally.take(link)
                self._changed.notify_all()

    def _count(self, talk: LineTalk, masked: bool) -> tuple[str, ...]:
        if talk.direction == "out":
            return ()
        named = self._namer.feed(talk.data)
        self._repeats += sum(one.repeat for one in named)
        self._tally.take(talk.frames)
        self._tally.bytes += _coarse(len(talk.data)) if masked else len(talk.data)
        silent = self.driver.startswith("generic") and any(one.kind == "B" for one in named)
        self._tally.frames += silent and not talk.frames  # a heartbeat is a good frame that becomes nothing
        if talk.data:
            self._heard_ms = talk.at_ms
        if any(isinstance(seen, ShoeDrewCard) for seen in talk.frames):
            self._card_ms = talk.at_ms
        return tuple(one.text for one in named)

    # --- looking ------------------------------------------------------------------------------------------

    @property
    def heard_ms(self) -> int:
        """When the last byte came; 0 when none ever did."""
        return self._heard_ms

    @property
    def card_ms(self) -> int:
        """When the last card was read; 0 when none ever was."""
        return self._card_ms

    @property
    def repeats(self) -> int:
        return self._repeats

    @property
    def reconnects(self) -> int:
        return max(0, self._tally.connects - 1)

    @property
    def orders(self) -> tuple[str, ...]:
        """What its driver can have the device do."""
        return tuple(sorted(commands_of(self.driver)))

    @property
    def plug(self) -> str:
        """What the machine says is plugged in there; empty where it says nothing."""
        return self._tally.plug

    @property
    def identity(self) -> dict[str, str]:
        return dict(self._tally.identity)

    @property
    def hides(self) -> bool:
        return self._hides()

    def counts(self, now_ms: int) -> LineCounts:
        with self._changed:
            return self._tally.counts(self.role, now_ms)

    def ladder(self, now_ms: int) -> tuple[Rung, ...]:
        with self._changed:
            return line_ladder(self.role, self._tally.standing(self.role, now_ms))

    def answered(self, command: str, number: int, timeout_s: float) -> bool:
        """Whether the device accepts the command in a line later than `number`; waits up to `timeout_s` for it."""
        said = f"command={command}  accepted=True"

        def heard() -> bool:
            return any(said in told for line in self._ring if line.number > number for told in line.readings)

        with self._changed:
            return self._changed.wait_for(heard, timeout_s)

    @property
    def number(self) -> int:
        """Of the newest line."""
        return self._number

    def since(self, number: int) -> tuple[TalkLine, ...]:
        """The lines after that number which are still kept."""
        with self._changed:
            return tuple(line for line in self._ring if line.number > number)

    def wait(self, number: int, timeout_s: float) -> None:
        """Block until there is a line after that number, or for that long."""
        with self._changed:
            self._changed.wait_for(lambda: self._number > number, timeout_s)


def _coarse(count: int) -> int:
    return -(-count // COARSE_BYTES) * COARSE_BYTES


@dataclass(frozen=True, slots=True)
class FrameName:
    """One frame. `kind`: the protocol's own letter for it, ack, nak or damaged; `count` its bytes."""

    kind: str
    count: int = 0
    repeat: bool = False
    reason: str = ""

    @property
    def text(self) -> str:
        words = (self.kind, self.reason, f"({self.count})" if self.count else "", "×2" if self.repeat else "")
        return " ".join(word for word in words if word)


class _Decoder(Protocol):
    def feed(self, data: bytes) -> Iterator[Any]: ...

    def quiet(self) -> Iterator[Any]: ...


class FrameNamer:
    """Cuts a line once more, beside its driver; a driver whose frames are not known here names none."""

    def __init__(self, driver: str) -> None:
        made = _DECODERS.get(driver)
        self._decoder: _Decoder | None = made() if made else None
        self._last = b""

    def feed(self, data: bytes) -> list[FrameName]:
        """The frames these bytes complete; none of them tells what it holds."""
        if self._decoder is None:
            return []
        frames = self._decoder.feed(data) if data else self._decoder.quiet()
        return [self._named(frame) for frame in frames]

    def _named(self, frame: Any) -> FrameName:
        match frame:
            case ShoeReport(code=kind, raw=raw) | GenericRecord(kind=kind, raw=raw):
                repeat, self._last = raw == self._last, raw
                return FrameName(kind, len(raw), repeat)
            case BeeTekMessage():
                return FrameName("message" if frame.card is None else "card")
            case Scan():
                return FrameName("scan")
            case Broken(reason=reason, count=count):
                return FrameName("damaged", count, reason=reason)
            case _:
                return FrameName(
                    {"Accepted": "ACK", "ShoeAccepted": "ACK", "Refused": "NAK", "ShoeRefused": "NAK"}.get(
                        type(frame).__name__, "reply"
                    )
                )
