"""An application served on a port of its own, as the program serves it, until its test is over."""

from __future__ import annotations

import contextlib
import threading

from flask import Flask
from patience import PATIENCE_S
from waitress.server import BaseWSGIServer
from waitress.task import ThreadedTaskDispatcher

from dealer_ui.serving import listening


class OpenPort:
    """Opened at once. Who closes it has told the streams to end before."""

    def __init__(self, app: Flask, threads: int = 32) -> None:
        server = listening(app, "127.0.0.1", 0, threads, ThreadedTaskDispatcher())
        assert isinstance(server, BaseWSGIServer)
        self._server = server
        self.number: int = self._server.effective_port
        self.address = f"http://127.0.0.1:{self.number}"
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.task_dispatcher.shutdown(timeout=PATIENCE_S)
        with contextlib.suppress(OSError):  # another thread's pull may have ended the loop already
            self._server.trigger.pull_trigger(self._end_loop)
        self._thread.join(PATIENCE_S)

    def _end_loop(self) -> None:
        """On the server's own thread: its loop ends when nothing is left to listen to."""
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()
        self._server.close()
