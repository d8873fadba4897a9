"""What a shoe that is only heard has said: its messages, and what never became one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from devices.driver import Instant

Frame_co = TypeVar("Frame_co", covariant=True)


class Decoding(Protocol[Frame_co]):
    @property
    def held(self) -> int: ...
    def feed(self, data: bytes) -> Iterator[Frame_co]: ...
    def quiet(self) -> Iterator[Frame_co]: ...
    def reset(self) -> Iterator[Frame_co]: ...


class ShoeListener(Generic[Frame_co]):
    """Bytes to frames; `rest_ms` after its last byte a message that is not whole never becomes so."""

    def __init__(self, decoder: Decoding[Frame_co], rest_ms: int) -> None:
        self._decoder = decoder
        self._rest_ms = rest_ms
        self._last_byte_ms = 0

    def hear(self, data: bytes, now: Instant) -> list[Frame_co]:
        given_up = self._decoder.held and now.run_ms - self._last_byte_ms >= self._rest_ms
        frames = [*self._decoder.reset()] if given_up else []
        if data:
            self._last_byte_ms = now.run_ms
        return [*frames, *(self._decoder.feed(data) if data else self._decoder.quiet())]

    def lost(self) -> list[Frame_co]:
        """The link was lost: what was under way is told and forgotten."""
        return [*self._decoder.reset()]
