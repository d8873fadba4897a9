"""Serves pictures as an MJPEG stream, the way a network camera serves them."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

import cv2

from devices.sim.picture.suit_shape import Pixels

_BOUNDARY: Final = "frame"
_CLIENTS_MAX: Final = 8

Grab = Callable[[], Pixels]
"""Gives the newest picture; it is called by one thread at a time."""


class MjpegServer:
    """Serves `http://127.0.0.1:<port>/felt.mjpg` from `start()` until `close()`; port 0 takes any free one. With `tls`
    by `https://`.
    """

    def __init__(
        self, grab: Grab, *, fps: float = 12.5, port: int = 0, quality: int = 90, tls: ssl.SSLContext | None = None
    ) -> None:
        self._grab = grab
        self._scheme = "https" if tls else "http"
        self._pause_s = 1 / fps
        self._quality = quality
        self._turn = threading.Lock()
        self._clients = threading.BoundedSemaphore(_CLIENTS_MAX)
        self._stopped = threading.Event()
        self._plugged = threading.Event()
        self._plugged.set()
        self._http = _Http(("127.0.0.1", port), _handler(self))
        if tls is not None:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True, do_handshake_on_connect=False)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), name="mjpeg", daemon=True)

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._http.server_address[1]}/felt.mjpg"

    def start(self) -> MjpegServer:
        self._thread.start()
        return self

    def plug(self, *, on: bool) -> None:
        """Pull the camera's cable (every stream ends, new ones are refused), or plug it in again."""
        if on:
            self._plugged.set()
        else:
            self._plugged.clear()

    def close(self) -> None:
        self._stopped.set()
        if self._thread.is_alive():
            self._http.shutdown()
            self._thread.join()
        self._http.server_close()

    def stream(self, request: BaseHTTPRequestHandler) -> None:
        """Answer one client until it goes, the cable is pulled or the server closes."""
        if not self._plugged.is_set() or not self._clients.acquire(blocking=False):
            request.send_error(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        try:
            request.send_response(HTTPStatus.OK)
            request.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={_BOUNDARY}")
            request.send_header("Cache-Control", "no-store")
            request.end_headers()
            while self._plugged.is_set() and not self._stopped.wait(self._pause_s):
                request.wfile.write(self._part())
        except OSError:
            return  # the client is gone
        finally:
            self._clients.release()

    def _part(self) -> bytes:
        with self._turn:
            picture = self._grab()
        done, jpeg = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, self._quality))
        assert done, "OpenCV encodes every 8-bit picture as JPEG"
        head = f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {jpeg.size}\r\n\r\n"
        return head.encode() + jpeg.tobytes() + b"\r\n"


class _Http(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True  # every stream ends before `close()` returns

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that breaks off is no news."""


def _handler(server: MjpegServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"
        timeout = 5

        def do_GET(self) -> None:
            server.stream(self)

        def log_message(self, format: str, *args: object) -> None:
            """Silent: the stream is one endless request."""

    return Handler
