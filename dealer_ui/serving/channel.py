"""The only place that reaches into Waitress: connections that wait in lanes, have limits, and give streams away.

The version is pinned in pyproject.toml for what is used here of its inside: `Task`, `HTTPChannel`, `TcpWSGIServer`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask

from dealer_ui.live.lane import TAKE_OVER, Handed
from dealer_ui.serving.crew import Crew
from dealer_ui.serving.limit import Addresses, Limit, Patience
from dealer_ui.serving.proxy import Origin, Proxies
from dealer_ui.serving.usher import Usher

LOOK_S: Final = 1
"""So often connections are looked at that keep the server waiting."""


@dataclass(frozen=True, slots=True)
class Door:
    """Who serves what comes in, who says in which lane, how much is borne, and which proxies are believed."""

    crew: Crew
    usher: Usher
    limit: Limit
    proxies: Proxies


class StreamTask(WSGITask):
    """A request whose answer may be a stream: then the head is made here, and a fan tells the rest."""

    _handed: Handed | None = None
    _taken = False

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[TAKE_OVER] = self._hand_over
        channel: Any = self.channel
        origin = channel.origin(self.request)
        environ["REMOTE_ADDR"] = environ["REMOTE_HOST"] = origin.address
        environ["wsgi.url_scheme"] = origin.scheme
        if origin.host is not None:
            environ["HTTP_HOST"] = origin.host
        return environ

    @property
    def has_body(self) -> bool:
        return self._handed is None and bool(super().has_body)

    def service(self) -> None:
        try:
            super().service()
        finally:
            if self._handed is not None and not self._taken:
                self._handed.let_go()

    def finish(self) -> None:
        if self._handed is None:
            super().finish()
            return
        head = self.build_response_header()
        self.wrote_header = True
        assert self.channel.socket is not None, "a request has a connection"
        given = self.channel.socket.dup()  # the server closes its own; the connection lives on in this one
        self._taken = True
        self._handed.take(given, head)

    def _hand_over(self, handed: Handed) -> None:
        self._handed = handed


class Connection(HTTPChannel):
    """One connection, and how long it keeps the server waiting."""

    task_class = StreamTask
    server: Listener
    _entered = False

    def __init__(self, server: Listener, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        self.patience = Patience(time.monotonic())
        super().__init__(server, sock, addr, adj, map=map)
        self._entered = server.addresses.enter(addr[0], excepted=server.door.proxies.trusts(addr[0]))
        if not self._entered:
            self.handle_close()

    def del_channel(self, map: Any = None) -> None:
        super().del_channel(map)
        if self._entered:
            self._entered = False
            self.server.addresses.leave(self.addr[0])

    def received(self, data: bytes) -> bool:
        self.patience.hears(time.monotonic())
        more = bool(super().received(data))
        if self.request is None:
            self.patience.has_whole(time.monotonic())
        return more

    def origin(self, request: Any) -> Origin:
        """Who sent this request, as far as it can be known."""
        return self.server.door.proxies.origin(self.addr[0], request.headers)

    @property
    def waits(self) -> bool:
        """Nothing of it is being answered."""
        return not self.requests and not self.total_outbufs_len

    def keeps_waiting(self, limit: Limit) -> bool:
        head_read = self.request is not None and bool(self.request.headers_finished)
        return self.waits and self.patience.is_over(limit, time.monotonic(), head_read=head_read)


class Listener(TcpWSGIServer):
    """One address that is listened at. When all connections are taken, the one that has waited longest goes."""

    channel_class = Connection

    active_channels: dict[int, Connection]  # type: ignore[assignment]  # as it is; its stub is wrong

    def __init__(self, app: Any, map: Any, door: Door, *, adj: Any, place: Any) -> None:
        self.door, self.limit = door, door.limit
        self.addresses = Addresses(door.limit)
        crew: Any = door.crew
        super().__init__(app, map, dispatcher=crew, adj=adj, sockinfo=place)

    def add_task(self, task: Any) -> None:
        request = task.requests[0]
        path = getattr(request, "path", "")  # one that cannot be read has none
        self.door.crew.put(self.door.usher.place(path, request.headers, task.origin(request)), task)

    def handle_accept(self) -> None:
        if len(self.active_channels) >= self.limit.connections:
            self._make_room()
        super().handle_accept()

    def maintenance(self, now: Any) -> None:
        super().maintenance(now)
        for channel in self.active_channels.values():
            if channel.keeps_waiting(self.limit):
                channel.will_close = True

    def _make_room(self) -> None:
        """Who has never asked for anything goes before one who did."""
        waiting = [one for one in self.active_channels.values() if one.waits]
        first = next((one for one in waiting if not one.patience.served), waiting[0] if waiting else None)
        if first is not None:
            first.handle_close()


def call_soon(listener: Listener, act: Callable[[], None]) -> None:
    """Do it on the thread that serves; `OSError` once that is over."""
    trigger: Any = listener.trigger
    trigger.pull_trigger(act)
