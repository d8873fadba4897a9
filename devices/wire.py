"""A cable in memory: what a `sim://` link and a simulated device hold one end of each."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Final

QUEUE_BYTES_MAX: Final = 65_536
"""What lies in a wire that nobody reads; more is lost, as in the buffer of a real port."""


class Wire:
    """Two byte queues and a plug. It starts no thread, and two threads may hold its two ends.

    Whether anything lies in a queue is asked without the lock: only who reads it takes from it.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._to_host = bytearray()
        self._to_machine = bytearray()
        self._plugged = True
        self._woken = False

    @property
    def plugged(self) -> bool:
        return self._plugged

    def unplug(self) -> None:
        """Pull the cable: what was under way is lost, and so is whatever is sent until it is plugged in."""
        with self._changed:
            self._plugged = False
            self._to_host.clear()
            self._to_machine.clear()
            self._changed.notify_all()

    def plug(self) -> None:
        with self._changed:
            self._plugged = True

    # --- the host's end -------------------------------------------------------------------------------

    def host_read(self, max_bytes: int, timeout_s: float) -> bytes:
        """What the machine sent; waits up to `timeout_s` for the first byte, not at all when it is 0."""
        if not (self._to_host or timeout_s > 0):
            return b""
        with self._changed:
            if timeout_s > 0 and not self._to_host and self._plugged:
                self._changed.wait(timeout_s)
            return _take(self._to_host, max_bytes)

    def host_wait(self, most_s: float) -> None:
        """Until there is something for the host to read, its end is woken, the plug is pulled, or so long."""
        with self._changed:
            self._changed.wait_for(lambda: self._to_host or self._woken or not self._plugged, most_s)
            self._woken = False

    def wake_host(self) -> None:
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def host_write(self, data: bytes) -> None:
        self._put(self._to_machine, data)

    # --- the machine's end ----------------------------------------------------------------------------

    def machine_read(self) -> bytes:
        """Everything the host sent since the last call; never waits."""
        if not self._to_machine:
            return b""
        with self._changed:
            return _take(self._to_machine, len(self._to_machine))

    def machine_write(self, data: bytes) -> None:
        self._put(self._to_host, data)

    def _put(self, queue: bytearray, data: bytes) -> None:
        with self._changed:
            if self._plugged:
                queue += data[: QUEUE_BYTES_MAX - len(queue)]
                self._changed.notify_all()


class PatchBay:
    """Which wire answers to which name in `sim://NAME`. Whoever builds the studio builds one and passes it on."""

    def __init__(self) -> None:
        self._wires: dict[str, Wire] = {}

    def plug(self, name: str, wire: Wire) -> None:
        self._wires[name] = wire

    def wire(self, name: str) -> Wire | None:
        return self._wires.get(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._wires)


def _take(queue: bytearray, count: int) -> bytes:
    taken = bytes(queue[:count])
    del queue[:count]
    return taken
