"""What we reach into Waitress for: connections that wait in lanes, have limits, and give streams away.

The version is pinned in pyproject.toml for what is used here of its inside: `Task`, `HTTPChannel`, `TcpWSGIServer`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import structlog
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask

from dealer_ui.live.lane import TAKE_OVER, Handed
from dealer_ui.serving.crew import Crew
from dealer_ui.serving.limit import Addresses, Patience, ServingLimit
from dealer_ui.serving.proxy import Origin, Proxies
from dealer_ui.serving.tls import TlsFront
from dealer_ui.serving.usher import LanePlace, Usher, readable_cookie

LOOK_S: Final = 1
"""So often connections are looked at that keep the server waiting."""
_LOG = structlog.get_logger("dealer_ui.serving")


@dataclass(frozen=True, slots=True)
class ServerDoor:
    """Who serves what comes in, who says in which lane, how much is borne, and which proxies are believed. `front`
    speaks TLS before it all; None where nobody does, or a proxy."""

    crew: Crew
    usher: Usher
    limit: ServingLimit
    proxies: Proxies
    front: TlsFront | None = None


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
        if "HTTP_COOKIE" in environ:
            environ["HTTP_COOKIE"] = readable_cookie(environ["HTTP_COOKIE"])
        environ.pop("wsgi.file_wrapper", None)  # it holds a file open for as long as somebody does not read
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
        with self.channel.outbuf_lock:  # under it the server says that a connection is gone, before it closes it
            if not self.channel.connected or self.channel.socket is None:
                raise ClientDisconnected
            given = self.channel.socket.dup()  # the server closes its own; the connection lives on in this one
        self._taken = True
        self._handed.take(given, head)

    def _hand_over(self, handed: Handed) -> None:
        self._handed = handed


class Connection(HTTPChannel):
    """One connection, and how long it keeps the server waiting."""

    task_class = StreamTask
    server: Listener
    hears = False
    _entered = False

    def __init__(self, server: Listener, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        self.patience = Patience(time.monotonic())
        super().__init__(server, sock, addr, adj, map=map)
        self.requests_lock = threading.RLock()  # held while all that came at once is read
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
        with self.requests_lock:
            answering = bool(self.requests)
            self.hears = True
            try:
                more = bool(super().received(data))
            finally:
                self.hears = False
            self._one_at_a_time()
            if self.requests and not answering:
                self.server.add_task(self)
        if self.request is None:
            self.patience.has_whole(time.monotonic())
        return more

    def _one_at_a_time(self) -> None:
        """Requests sent before the answer to the first one are dropped, and the connection ends with that answer."""
        inside: Any = self
        for request in inside.requests[1:]:
            request.close()
        if len(inside.requests) > 1:
            inside.requests[0].headers["CONNECTION"] = "close"
            del inside.requests[1:]

    def origin(self, request: Any) -> Origin:
        """Who sent this request, as far as it can be known."""
        found = self.server.door.proxies.origin(self.addr[0], request.headers)
        return found if self.server.door.front is None else replace(found, scheme="https")

    @property
    def waits(self) -> bool:
        """Nothing of it is being answered."""
        return not self.requests and not self.total_outbufs_len

    def keeps_waiting(self, limit: ServingLimit, now_s: float) -> bool:
        """At `now_s` by the server's clock, which tells when something of its answer was read last."""
        head_read = self.request is not None and bool(self.request.headers_finished)
        if self.total_outbufs_len:
            return bool(now_s - self.last_activity > limit.body_s)
        return self.waits and self.patience.is_over(limit, time.monotonic(), head_read=head_read)


class Listener(TcpWSGIServer):
    """An address the server listens at. When its connections are all taken, whoever has the most loses one."""

    channel_class = Connection

    active_channels: dict[int, Connection]  # type: ignore[assignment]  # as it is; its stub is wrong

    def __init__(self, app: Any, map: Any, door: ServerDoor, *, adj: Any, place: Any) -> None:
        self.door, self.limit = door, door.limit
        self.addresses = Addresses(door.limit)
        crew: Any = door.crew
        super().__init__(app, map, dispatcher=crew, adj=adj, sockinfo=place)

    def add_task(self, task: Any) -> None:
        if task.hears:  # nothing is answered before all that came with it was read
            return
        request = task.requests[0]
        path = getattr(request, "path", "")  # one that cannot be read has none
        try:
            place = self.door.usher.place(path, request.headers, task.origin(request))
        except Exception as error:
            _LOG.error("a request has no lane", exc_info=error)
            place = LanePlace("public", task.addr[0])
        self.door.crew.put(place, task)

    def handle_accept(self) -> None:
        if len(self.active_channels) >= self.limit.connections:
            self._make_room()
        super().handle_accept()

    def accept(self) -> Any:
        """Whoever came, with his address; before TLS, the plain end of his connection."""
        found: Any = super().accept()
        front = self.door.front
        if found is None or front is None:
            return found
        come, address = found
        super().set_socket_options(come)
        return front.take(come), address

    def set_socket_options(self, conn: Any) -> None:
        if self.door.front is None:  # else they are set already, and a pair of sockets has none
            super().set_socket_options(conn)

    def handle_error(self) -> None:
        """One who could not be let in is no reason to let nobody in."""
        _LOG.error("a connection was not let in", exc_info=True)

    def maintenance(self, now: Any) -> None:
        """Called on the thread that serves, and nothing that happens here may end that."""
        try:
            for channel in list(self.active_channels.values()):
                if channel.keeps_waiting(self.limit, now):
                    channel.will_close = True
        except Exception as error:
            _LOG.error("connections could not be looked at", exc_info=error)

    def _make_room(self) -> None:
        """Close one connection of the address that has the most: first one that never asked for anything, the longest
        there.
        """
        waiting = [one for one in self.active_channels.values() if one.waits]
        if waiting:
            max(waiting, key=lambda one: (self._share(one.addr[0]), not one.patience.served)).handle_close()

    def _share(self, address: str) -> int:
        """How many connections are from there; of a proxy, whose many are many people's, none."""
        return 0 if self.door.proxies.trusts(address) else self.addresses.share(address)


def call_soon(listener: Listener, act: Callable[[], None]) -> None:
    """Do it on the thread that serves; `OSError` once that is over."""
    trigger: Any = listener.trigger
    trigger.pull_trigger(act)
