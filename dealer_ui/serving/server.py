"""The web server: Waitress, inside our own process, on the main thread."""

from __future__ import annotations

import errno
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments

from dealer_ui.live.seats import Capacity, open_files
from dealer_ui.serving.channel import LOOK_S, Listener, ServerDoor, call_soon
from dealer_ui.serving.crew import Crew
from dealer_ui.serving.limit import ServingLimit
from dealer_ui.serving.proxy import Proxies
from dealer_ui.serving.tls import FILES_EACH, ServedTls, TlsFront
from dealer_ui.serving.usher import Usher
from studio.errors import BadInputError

BODY_BYTES_MAX: Final = 4 * 1024 * 1024
ACCEPTED_AT_ONCE: Final = 64
BACKLOG: Final = 1_024
_ENDS_S: Final = 1.5


def limit_here(an_address: int = ServingLimit().an_address, files_each: int = 1) -> ServingLimit:
    """What the open files of this process allow, where each connection takes `files_each`."""
    return ServingLimit(connections=Capacity.of_files(open_files() // files_each).connections, an_address=an_address)


class Listening:
    """What listens for one application, at every address its host name stands for; `run` serves.

    With `app.extensions["tls"]` it speaks TLS, and nothing else.
    """

    def __init__(self, app: Flask, host: str, port: int, crew: Crew, limit: ServingLimit | None = None) -> None:
        """`OSError` or `ValueError` when the address cannot be listened on."""
        tls: ServedTls | None = app.extensions.get("tls")
        limit = limit or limit_here(files_each=FILES_EACH if tls else 1)
        settings = Adjustments(
            host=host, port=port, max_request_body_size=BODY_BYTES_MAX, ident=None, backlog=BACKLOG,
            connection_limit=limit.connections + ACCEPTED_AT_ONCE, channel_timeout=int(limit.body_s),
            cleanup_interval=LOOK_S, asyncore_use_poll=True,
        )  # fmt: skip
        self._map: dict[int, Any] = {}
        self._crew = crew
        self._settings = settings
        known = app.extensions
        self._front = TlsFront(tls) if tls else None
        door = ServerDoor(crew, known.get("usher", Usher()), limit, known.get("proxies", Proxies()), self._front)
        try:
            self.listeners = [Listener(app, self._map, door, adj=settings, place=place) for place in settings.listen]
        except BaseException:
            self.close()
            raise

    @property
    def port(self) -> int:
        return int(self.listeners[0].getsockname()[1])

    def run(self) -> None:
        """Serve until nothing is listened to any more, or a signal comes."""
        try:
            wasyncore.loop(timeout=self._settings.asyncore_loop_timeout, map=self._map, use_poll=True)
        except (SystemExit, KeyboardInterrupt):
            self._crew.shutdown()

    def call_soon(self, act: Callable[[], None]) -> None:
        """Do it on the thread that serves; `OSError` once that is over."""
        call_soon(self.listeners[0], act)

    def end(self) -> None:
        """From another thread than the one that serves."""
        with suppress(OSError):
            self.call_soon(self.close)
        self._crew.shutdown()

    def close(self) -> None:
        wasyncore.close_all(self._map)
        if self._front is not None:
            self._front.close()


class Server:
    """Listens from the moment it is made; `run` serves until a signal or `stop` ends it.

    `closing` is told before the threads are waited for, so that whatever holds one can let it go.
    """

    def __init__(self, app: Flask, host: str, port: int, threads: int, closing: Callable[[], None]) -> None:
        _check_free(host, port)
        self._beside: threading.Thread | None = None
        try:
            self._listening = Listening(app, host, port, Crew(threads, closing))
        except (OSError, ValueError) as error:
            raise BadInputError(f"The web server cannot listen on {host}, port {port}: {error}.") from error

    def run(self) -> None:
        """Serve; returns once SIGINT or SIGTERM has come and the threads have ended."""
        self._listening.run()

    def run_beside(self) -> None:
        """Serve on a thread of its own until `stop`."""
        self._beside = threading.Thread(target=self._listening.run, name="pages", daemon=True)
        self._beside.start()

    def stop(self) -> None:
        if self._beside is not None:
            self._listening.end()
            self._beside.join(_ENDS_S)
        self._listening.close()


def _check_free(host: str, port: int) -> None:
    """A port in use is a plain sentence, not a stack of the server's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = error.strerror or "it is not to be had"
            raise BadInputError(f"Port {port} on {host} cannot be used ({reason}): {_to_do(error)}.") from error


def _to_do(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "run the studio as its service, whose unit lets it have ports below 1024, or choose another port"
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return "name an address of this machine as host"
    return "end the program that has it, or choose another port"


def address_of(scheme: str, host: str, port: int) -> str:
    """Where a browser finds what is served there.

    >>> address_of("http", "127.0.0.1", 8000), address_of("https", "::1", 443)
    ('http://127.0.0.1:8000/', 'https://[::1]:443/')
    """
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}/"
