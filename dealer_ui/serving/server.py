"""The only place for the web server: Waitress, inside our own process, on the main thread."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from typing import Any, Final

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.task import ThreadedTaskDispatcher

from dealer_ui.live.seats import Capacity, open_files
from dealer_ui.serving.channel import Listener
from studio.errors import BadInputError

BODY_BYTES_MAX: Final = 4 * 1024 * 1024
THREADS_END_S: Final = 2
IDLE_S: Final = 30


class Listening:
    """What listens for one application, at every address its host name stands for; `run` serves."""

    def __init__(self, app: Flask, host: str, port: int, threads: int, dispatcher: ThreadedTaskDispatcher) -> None:
        """`OSError` or `ValueError` when the address cannot be listened on.

        A browser keeps up to six connections open beside its stream, so a room full of screens holds many more than
        there are threads: as many are taken as the system's limit of open files leaves beside the streams.
        """
        settings = Adjustments(
            host=host, port=port, threads=threads, max_request_body_size=BODY_BYTES_MAX, ident=None,
            connection_limit=max(2 * threads, Capacity.of_files(open_files()).connections), channel_timeout=IDLE_S,
            asyncore_use_poll=True,
        )  # fmt: skip
        self._map: dict[int, Any] = {}
        self._dispatcher = dispatcher
        self._settings = settings
        try:
            places: Sequence[Any] = settings.listen
            self.listeners = [
                Listener(app, self._map, dispatcher=dispatcher, adj=settings, sockinfo=place) for place in places
            ]
        except BaseException:
            wasyncore.close_all(self._map)
            raise
        dispatcher.set_thread_count(threads)

    @property
    def port(self) -> int:
        return int(self.listeners[0].getsockname()[1])

    def run(self) -> None:
        """Serve until nothing is listened to any more, or a signal comes."""
        try:
            wasyncore.loop(timeout=self._settings.asyncore_loop_timeout, map=self._map, use_poll=True)
        except (SystemExit, KeyboardInterrupt):
            self._dispatcher.shutdown()

    def call_soon(self, act: Callable[[], None]) -> None:
        """Do it on the thread that serves; `OSError` once that is over."""
        trigger: Any = self.listeners[0].trigger
        trigger.pull_trigger(act)

    def close(self) -> None:
        wasyncore.close_all(self._map)


class Server:
    """Listens from the moment it is made; `run` serves until a signal or `stop` ends it.

    `closing` is told before the threads are waited for, so that whatever holds one can let it go.
    """

    def __init__(self, app: Flask, host: str, port: int, threads: int, closing: Callable[[], None]) -> None:
        _check_free(host, port)
        try:
            self._listening = Listening(app, host, port, threads, _Dispatcher(closing))
        except (OSError, ValueError) as error:
            raise BadInputError(f"The web server cannot listen on {host}, port {port}: {error}.") from error

    def run(self) -> None:
        """Serve; returns once SIGINT or SIGTERM has come and the threads have ended."""
        self._listening.run()

    def stop(self) -> None:
        self._listening.close()


class _Dispatcher(ThreadedTaskDispatcher):
    """The server's threads; they end within two seconds."""

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
