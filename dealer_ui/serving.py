"""The only place for the web server: Waitress, inside our own process, on the main thread."""

from __future__ import annotations

import resource
import socket
from collections.abc import Callable
from typing import Final, TypeAlias

from flask import Flask
from waitress.server import BaseWSGIServer, MultiSocketServer, create_server
from waitress.task import ThreadedTaskDispatcher

from studio.errors import BadInputError

BODY_BYTES_MAX: Final = 4 * 1024 * 1024
THREADS_END_S: Final = 2
IDLE_S: Final = 30
CONNECTIONS: Final = 4096
FILES_KEPT: Final = 256


AnyServer: TypeAlias = BaseWSGIServer | MultiSocketServer


def listening(app: Flask, host: str, port: int, threads: int, dispatcher: ThreadedTaskDispatcher) -> AnyServer:
    """A server of this application that listens, with every setting of ours; `run()` serves.

    A browser keeps up to six connections open beside its stream, so a room full of screens holds many more than there
    are threads: as many are taken as the system's limit of open files leaves after those we need ourselves.

    Raises:
        OSError, ValueError: the address cannot be listened on.
    """
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    left = CONNECTIONS if files == resource.RLIM_INFINITY else files - FILES_KEPT
    server = create_server(
        app, host=host, port=port, threads=threads, max_request_body_size=BODY_BYTES_MAX, ident=None,
        connection_limit=max(2 * threads, min(CONNECTIONS, left)), channel_timeout=IDLE_S,
        asyncore_use_poll=True, _dispatcher=dispatcher,
    )  # fmt: skip
    dispatcher.set_thread_count(threads)
    return server


class Server:
    """Listens from the moment it is made; `run` serves until a signal or `stop` ends it.

    `closing` is told before the threads are waited for, so that whatever holds one can let it go.
    """

    def __init__(self, app: Flask, host: str, port: int, threads: int, closing: Callable[[], None]) -> None:
        _check_free(host, port)
        dispatcher = _Dispatcher(closing)
        try:
            self._server = listening(app, host, port, threads, dispatcher)
        except (OSError, ValueError) as error:
            raise BadInputError(f"The web server cannot listen on {host}, port {port}: {error}.") from error

    def run(self) -> None:
        """Serve; returns once SIGINT or SIGTERM has come and the threads have ended."""
        self._server.run()

    def stop(self) -> None:
        self._server.close()


class _Dispatcher(ThreadedTaskDispatcher):
    """The server's threads; they end within two seconds, for a live screen lets go of its thread at once."""

    def __init__(self, closing: Callable[[], None]) -> None:
        super().__init__()
        self._closing = closing

    def shutdown(self, cancel_pending: bool = True, timeout: int = THREADS_END_S) -> bool:
        self._closing()
        return bool(super().shutdown(cancel_pending, timeout))


def _check_free(host: str, port: int) -> None:
    """A port in use is a plain sentence, not a stack of the server's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = error.strerror or "it is not to be had"
            raise BadInputError(
                f"Port {port} on {host} cannot be used ({reason}): end the program that has it, or choose another port."
            ) from error
