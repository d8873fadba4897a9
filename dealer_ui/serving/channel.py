"""The only place that reaches into Waitress: connections that can give their socket away once a stream is answered.

The version is pinned in pyproject.toml for what is used here of its inside: `Task`, `HTTPChannel`, `TcpWSGIServer`.
"""

from __future__ import annotations

from typing import Any

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask

from dealer_ui.live.lane import TAKE_OVER, Handed


class StreamTask(WSGITask):
    """A request whose answer may be a stream: then the head is made here, and a fan tells the rest."""

    _handed: Handed | None = None
    _taken = False

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[TAKE_OVER] = self._hand_over
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
    task_class = StreamTask


class Listener(TcpWSGIServer):
    channel_class = Connection
