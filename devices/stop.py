"""What the device commands need of the process around them: its signals, its clock and its output."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import click
import msgspec


@contextmanager
def until_stopped() -> Iterator[threading.Event]:
    """Gives an event that SIGINT or SIGTERM sets; the handlers before are put back. Main thread only."""
    stopped = threading.Event()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        stopped.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def say_json(fields: dict[str, Any]) -> None:
    """One line of JSON, at once: another program may be reading."""
    click.echo(msgspec.json.encode(fields).decode())
    sys.stdout.flush()


def wall_ms() -> int:
    """UTC in milliseconds: these commands have no composition root above them that would pass a clock in."""
    return time.time_ns() // 1_000_000
