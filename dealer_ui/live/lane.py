"""The lanes of streams: staff, operators, bettors and the public, each with seats and a thread.

Whoever asks has been let in by then. A server that can give a socket away (`TAKE_OVER`) does so, and the stream costs
no thread; under any other the calling thread carries it.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from flask import request
from werkzeug.wrappers import Response

from dealer_ui.live.fan import StreamFan
from dealer_ui.live.seats import A_SESSION, AN_ADDRESS, AN_OPERATOR, Capacity, StreamSeats
from dealer_ui.live.telling import Followed, Telling, in_turn

EVENTS: Final = "text/event-stream; charset=utf-8"
TAKE_OVER: Final = "dealer_ui.take_over"
"""In the environment of a request: a function that gives its socket to a `Handed` once the head is known."""
_OF_A_CORE: Final = 0.5
"""So much of a core the streams of strangers may take; beyond it they tell later, and only the newest."""


@dataclass(slots=True, eq=False)
class Handed:
    """A stream on its way from a request to a fan; it is taken once, or let go."""

    fan: StreamFan
    telling: Telling
    leave: Callable[[], None]

    def take(self, taken: socket.socket, head: bytes) -> None:
        self.fan.take(taken, head, self.telling, self.leave)

    def let_go(self) -> None:
        self.telling.close()
        self.leave()


@dataclass(frozen=True, slots=True)
class StreamLane:
    seats: StreamSeats
    fan: StreamFan
    followed: Followed
    closing: threading.Event

    def open(
        self, telling: Telling, holder: str, left: Callable[[], None] = lambda: None, kind: str = EVENTS
    ) -> Response | None:
        """An answer that tells this; None when the lane, or this holder, has no seat left. `left` is told the end."""
        if not self.seats.take(holder):
            return None

        def leave() -> None:
            self.seats.leave(holder)
            left()

        take_over = request.environ.get(TAKE_OVER)
        if take_over is None or request.method != "GET":
            response = Response(in_turn(telling, self.followed, self.closing), content_type=kind)
            response.call_on_close(leave)
        else:
            take_over(Handed(self.fan, telling, leave))
            response = Response(iter(()), content_type=kind)
        response.headers["X-Accel-Buffering"] = "no"
        return response


@dataclass(frozen=True, slots=True)
class StreamLanes:
    staff: StreamLane
    operators: StreamLane
    bettors: StreamLane
    public: StreamLane
    _fans: tuple[StreamFan, ...] = field(default=())

    @classmethod
    def over(cls, followed: Followed, closing: threading.Event, room: Capacity) -> StreamLanes:
        staff, operators = StreamFan("staff", followed), StreamFan("operators", followed)
        bettors = StreamFan("bettors", followed, most_of_a_core=_OF_A_CORE)
        public = StreamFan("the public", followed, most_of_a_core=_OF_A_CORE)

        def lane(fan: StreamFan, limit: int, each: int) -> StreamLane:
            return StreamLane(StreamSeats(limit, each), fan, followed, closing)

        return cls(
            lane(staff, room.staff, A_SESSION), lane(operators, room.operators, AN_OPERATOR),
            lane(bettors, room.bettors, room.bettors), lane(public, room.public, AN_ADDRESS),
            (staff, operators, bettors, public),
        )  # fmt: skip

    @property
    def each(self) -> tuple[StreamLane, ...]:
        return self.staff, self.operators, self.bettors, self.public

    def close(self) -> None:
        for fan in self._fans:
            with contextlib.suppress(RuntimeError):
                fan.close()
