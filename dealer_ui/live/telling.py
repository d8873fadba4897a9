"""What a stream is to the threads that carry it: bytes to send, and rests between them.

A telling never waits by itself. It yields bytes to send, or a `Rest`; after a rest it is sent the newest place of the
journal at its table. So one thread carries thousands of tellings (`fan`), or any thread carries a single one
(`in_turn`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from studio.errors import StudioError

NEVER: Final = 1 << 62
"""No journal gets so far."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing to say until the table (None: any) is past `after_seq`, or for that long."""

    wait_s: float
    table: str | None = None
    after_seq: int = NEVER


Telling: TypeAlias = Generator[bytes | Rest, int, None]


class Followed(Protocol):
    """Something that publishes changes. After `follow`, `moved` is called at each change; it must not block."""

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int: ...

    def follow(self, moved: Callable[[], None]) -> None: ...


def in_turn(telling: Telling, followed: Followed, closing: threading.Event) -> Iterator[bytes]:
    """Carry one telling on the calling thread, which waits through its rests."""
    try:
        said = next(telling)
        while True:
            if isinstance(said, Rest):
                said = _after(said, telling, followed, closing)
            else:
                yield said
                said = next(telling)
    except StopIteration:
        return
    finally:
        telling.close()


def _after(rest: Rest, telling: Telling, followed: Followed, closing: threading.Event) -> bytes | Rest:
    if rest.after_seq == NEVER:
        closing.wait(rest.wait_s)
        return telling.send(-1)
    try:
        newest = followed.wait(rest.table, rest.after_seq, rest.wait_s)
    except StudioError as error:  # the house is closing
        return telling.throw(error)
    return telling.send(newest)
