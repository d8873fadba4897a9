"""The only place for the web server: Waitress, inside our own process, on the main thread."""

from __future__ import annotations

import socket
import threading

from flask import Flask
from waitress.server import create_server

from studio.errors import BadInputError

BODY_BYTES_MAX = 4 * 1024 * 1024


class Server:
    """Listens from the moment it is made; `run` serves until `stop` is called from another thread or a signal."""

    def __init__(self, app: Flask, host: str, port: int, threads: int) -> None:
        _check_free(host, port)
        self._server = create_server(
            app, host=host, port=port, threads=threads, max_request_body_size=BODY_BYTES_MAX, ident=None,
            connection_limit=max(200, threads * 4), channel_timeout=30,
        )  # fmt: skip
        self._stopped = threading.Event()

    def run(self) -> None:
        """Serve; returns after `stop`, or when SystemExit or KeyboardInterrupt passes through."""
        self._server.run()

    def stop(self) -> None:
        self._stopped.set()
        self._server.close()


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
                f"Port {port} on {host} cannot be used ({reason}): choose another one with --port."
            ) from error
