"""An application served on a port of its own, as the program serves it, until its test is over."""

from __future__ import annotations

import contextlib
import threading

from flask import Flask
from patience import PATIENCE_S

from dealer_ui.serving.crew import Crew
from dealer_ui.serving.limit import ServingLimit
from dealer_ui.serving.server import Listening


class OpenPort:
    """Opened at once. Who closes it has told the streams to end before."""

    def __init__(self, app: Flask, threads: int = 32, limit: ServingLimit | None = None) -> None:
        self._app = app
        self._crew = Crew(threads)
        self._server = Listening(app, "127.0.0.1", 0, self._crew, limit)
        self.number = self._server.port
        self.address = f"http://127.0.0.1:{self.number}"
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()

    @property
    def connections(self) -> int:
        return sum(len(listener.active_channels) for listener in self._server.listeners)

    def close(self) -> None:
        if "console" in self._app.extensions:
            self._app.extensions["console"].close()
        self._crew.shutdown(PATIENCE_S)
        with contextlib.suppress(OSError):  # another thread's pull may have ended the loop already
            self._server.call_soon(self._server.close)
        self._thread.join(PATIENCE_S)
