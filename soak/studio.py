"""The studio that is soaked, in a process of its own: `python -m soak.studio OPTIONS` (one JSON object).

It is the demo's, with one thing more: it obeys lines of standard input, and its machine's clock can be moved. Its first
line says the operators' key; each order is answered with a line.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from dealer_ui.rehearsal.demo.demo import Demo

BLOCKS, IN_USE, KEPT_FREE = "blocks of memory", "malloc: in use", "malloc: kept free"
ACTS_MAX = 5_000
"""So many acts are remembered between two looks at them."""


class SoakOptions(msgspec.Struct, frozen=True):
    """`works`: people deal; without them the tables stand idle. `clock_s`: so far the machine's clock is wrong."""

    database: str
    port: int
    games: tuple[str, ...]
    speed: float
    works: bool = True
    clock_s: float = 0.0


class WallClock:
    """The machine's clock, as far as this process can tell. Put in place before anything reads it."""

    def __init__(self, wrong_s: float) -> None:
        self._wrong_ns = round(wrong_s * 1e9)
        self._true_ns = time.time_ns
        time.time_ns = self.now_ns
        time.time = lambda: self.now_ns() / 1e9

    def now_ns(self) -> int:
        return self._true_ns() + self._wrong_ns

    def jump(self, by_s: float) -> None:
        self._wrong_ns += round(by_s * 1e9)


class TimedActs:
    """Stands before the floor's `command`: how long each act of a person took until it was on disk, in milliseconds."""

    def __init__(self, command: Callable[..., int]) -> None:
        self._command = command
        self._took = deque[float](maxlen=ACTS_MAX)

    def __call__(self, *told: Any, **named: Any) -> int:
        began_s = time.monotonic()
        seq = self._command(*told, **named)
        self._took.append((time.monotonic() - began_s) * 1000)
        return seq

    def take(self) -> list[float]:
        return [self._took.popleft() for _ in range(len(self._took))]


class Orders:
    """What is asked of the studio from outside, a JSON object a line."""

    def __init__(self, demo: Demo, acts: TimedActs, clock: WallClock) -> None:
        self._demo, self._acts, self._clock = demo, acts, clock
        self._known: Mapping[str, Callable[[dict[str, Any]], object]] = {
            "break": lambda asked: demo.breakages[asked["table"]].toggle(asked["what"]),
            "mend": lambda asked: self._mend(),
            "close": lambda asked: demo.closing.set(),
            "jump": lambda asked: clock.jump(asked["by_s"]),
            "look": lambda asked: self._look(),
            "memory": lambda asked: memory(),
        }

    def obey(self) -> None:
        for line in sys.stdin:
            asked = json.loads(line)
            try:
                said: object = {"said": self._known[asked["do"]](asked)}
            except Exception as error:
                said = {"refused": f"{type(error).__name__}: {error}"}
            print(json.dumps(said), flush=True)
        os.kill(os.getpid(), signal.SIGTERM)  # nobody soaks it any more

    def _mend(self) -> None:
        for breakage in self._demo.breakages.values():
            breakage.mend_everything()

    def _look(self) -> dict[str, object]:
        now_ms = self._demo.studio.clock.now_ms()
        threads = sorted(thread.name for thread in threading.enumerate())
        return {"acts_ms": self._acts.take(), "threads": threads, "ahead_ms": now_ms - time.monotonic_ns() // 1_000_000}


def memory() -> dict[str, int]:
    """How many blocks Python has given out, and what the allocator has given out and keeps, in bytes.

    Nobody lists the collector's objects here: OpenCV, on another thread, fails over a tuple it is just filling when
    somebody else holds it.
    """
    gc.collect()
    in_use, kept_free = _given_out()
    return {BLOCKS: sys.getallocatedblocks(), IN_USE: in_use, KEPT_FREE: kept_free}


_MALLINFO = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usm", "fsm", "uord", "ford", "keep")


class _Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in _MALLINFO]


def _given_out() -> tuple[int, int]:
    """By glibc's own account of its main arena; nothing where there is another library."""
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return 0, 0
    ask.restype = _Mallinfo
    told = ask()
    return told.uord + told.hblkhd, told.ford


def _end(*_: object) -> None:
    sys.exit(0)


def main(told: str) -> None:
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # meant for the soak, which ends its studio itself
    options = msgspec.json.decode(told, type=SoakOptions)
    clock = WallClock(options.clock_s)
    from dealer_ui.process.log import quiet_logs
    from dealer_ui.rehearsal.demo.demo import DemoOptions, build_demo
    from dealer_ui.serving.server import Server

    quiet_logs()
    plan = DemoOptions(
        options.games, Path(options.database), speed=options.speed, auto=options.works, port=options.port
    )
    demo = build_demo(plan)
    studio = demo.studio
    acts = TimedActs(studio.floor.command)
    studio.floor.command = acts  # type: ignore[method-assign] # the acts of its own people are timed
    place = studio.config.server
    try:
        server = Server(studio.app, place.host, place.port, place.threads, studio.close_streams)
        try:
            demo.start()
            threading.Thread(target=Orders(demo, acts, clock).obey, name="orders", daemon=True).start()
            print(json.dumps({"api_key": demo.api_key, "tables": list(demo.rigs)}), flush=True)
            server.run()
        finally:
            server.stop()
    finally:
        demo.stop()


if __name__ == "__main__":
    main(sys.argv[1])
