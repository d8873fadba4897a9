"""Names and lengths of the frames of a line, for a technician; never what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from devices.frame import Broken
from devices.shoe.angel_eye_codec import AngelEyeDecoder, Report
from devices.shoe.barcode_codec import BarcodeDecoder, Scan
from devices.shoe.bee_tek_codec import BeeTekDecoder, Message
from devices.shuffler.generic_codec import GenericDecoder, Record

COARSE_BYTES: Final = 16
"""Lengths on an open table are rounded up to this: `10` has a character more than any other rank."""


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


_DECODERS: Final[Mapping[str, Callable[[], _Decoder]]] = {
    "angel_eye": AngelEyeDecoder,
    "bee_tek": BeeTekDecoder,
    "barcode": BarcodeDecoder,
    "generic": GenericDecoder,
    "generic_shoe": GenericDecoder,
}


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
            case Report(code=kind, raw=raw) | Record(kind=kind, raw=raw):
                repeat, self._last = raw == self._last, raw
                return FrameName(kind, len(raw), repeat)
            case Message():
                return FrameName("message" if frame.card is None else "card")
            case Scan():
                return FrameName("scan")
            case Broken(reason=reason, count=count):
                return FrameName("damaged", count, reason=reason)
            case _:
                return FrameName({"Accepted": "ACK", "Refused": "NAK"}.get(type(frame).__name__, "reply"))
