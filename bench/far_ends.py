"""Plays a film to many tables at once, in a process of its own: `python -m bench.far_ends …`.

It stands for everything beyond the wires: cameras (MJPEG over HTTP), shoes and shufflers (serial device servers over
TCP), and a dealer's live screen a table. It prints its ports, waits for `go PORT`, plays, and prints what it sent and
what came back, all times by the machine's monotonic clock in seconds.
"""

from __future__ import annotations

import contextlib
import heapq
import json
import pickle
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench.film import FRAME_MS, Film
from bench.sign_in import cookie_of

WAITING_FRAMES = 5
"""So many frames go round until the film begins."""
BUFFER_BYTES = 256 * 1024
"""What a camera keeps of a picture that nobody fetches; the next ones are lost in the camera."""
_SEQ = re.compile(rb"^id: (\d+)$", re.M)


class Camera:
    """One camera: a stream to whoever asked for it last. A picture that does not fit the line is lost."""

    def __init__(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.sent: dict[int, float] = {}
        self.lost = 0
        self._line: socket.socket | None = None
        self._left = b""

    def send(self, number: int, jpeg: bytes) -> None:
        if self._line is None or self._flush():
            self.lost += 1
            return
        self.sent[number] = time.monotonic()
        self._left = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%b\r\n" % (len(jpeg), jpeg)
        self._flush()

    def flush(self) -> None:
        """What is left of the last picture goes on."""
        if self._left:
            self._flush()

    def serve(self) -> None:
        """Answer whoever opens the stream, for ever."""
        while True:
            line, _ = self.server.accept()
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
            line.recv(65536)
            line.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n")
            line.setblocking(False)
            self._left, self._line = b"", line

    def _flush(self) -> bytes:
        try:
            while self._left and self._line is not None:
                self._left = self._left[self._line.send(self._left) :]
        except BlockingIOError:
            pass
        except OSError:
            self._left, self._line = b"", None
        return self._left


class Line:
    """A serial line's far end: bytes go out to every host that is connected, what comes in is not minded."""

    def __init__(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self._hosts: list[socket.socket] = []

    def serve(self) -> None:
        while True:
            self._hosts.append(self.server.accept()[0])

    def send(self, data: bytes) -> None:
        for host in self._hosts:
            with contextlib.suppress(OSError):
                host.sendall(data)


class Screen:
    """A dealer's live screen; notes when each number of the journal was drawn."""

    def __init__(self, port: int, table: str, cookie: str) -> None:
        self.drawn: list[tuple[int, float]] = []
        self._line = socket.create_connection(("127.0.0.1", port), timeout=60)
        asked = f"GET /stream/dealer/{table} HTTP/1.1\r\nHost: bench\r\nCookie: {cookie}\r\n\r\n"
        self._line.sendall(asked.encode())
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        unread = b""
        with contextlib.suppress(OSError):
            while data := self._line.recv(1 << 20):
                at, unread = time.monotonic(), unread + data
                *events, unread = unread.split(b"\n\n")
                self.drawn += [(int(found[1]), at) for one in events if (found := _SEQ.search(one))]


class Table:
    """The far ends of one table, and the number of cards its shoe has sent."""

    def __init__(self, film: Film) -> None:
        self.camera, self.shoe, self.shuffler = Camera(), Line(), Line()
        self.cards: list[float] = []
        self._film = film
        for part in (self.camera, self.shoe, self.shuffler):
            threading.Thread(target=part.serve, daemon=True).start()

    @property
    def ports(self) -> list[int]:
        return [part.server.getsockname()[1] for part in (self.camera, self.shoe, self.shuffler)]

    def acts(self, begin_s: float) -> Iterator[tuple[float, Callable[[], object]]]:
        """Everything the film has, each with the moment it is due."""
        film = self._film
        for number, jpeg in enumerate(film.frames):
            yield begin_s + number * FRAME_MS / 1000, partial(self.camera.send, number, jpeg)
        for line, said in ((self.shoe, film.shoe), (self.shuffler, film.shuffler)):
            for at_ms, data in said:
                yield begin_s + at_ms / 1000, partial(line.send, data)
        for at_ms in film.cards:
            yield begin_s + at_ms / 1000 + 1e-6, self._card

    def wait(self, begin_s: float, now_s: float) -> Iterator[tuple[float, Callable[[], object]]]:
        """Frames that go round until the film begins."""
        for number in range(int((begin_s - now_s) * 1000 / FRAME_MS) + 1):
            jpeg = self._film.frames[number % WAITING_FRAMES]
            yield begin_s - (number + 1) * FRAME_MS / 1000, partial(self.camera.send, 0, jpeg)

    def _card(self) -> None:
        self.cards.append(time.monotonic())


def main(film_path: str, count: str) -> None:
    film: Film = pickle.loads(Path(film_path).read_bytes())
    tables = [Table(film) for _ in range(int(count))]
    print(json.dumps([table.ports for table in tables]), flush=True)
    port = int(sys.stdin.readline())
    cookie = cookie_of(port)
    screens = [Screen(port, f"t{number}", cookie) for number in range(len(tables))]
    zero_s = time.monotonic() + 1
    print(zero_s, flush=True)
    play(film, tables, zero_s)
    said = [
        {"sent": table.camera.sent, "lost": table.camera.lost, "cards": table.cards, "drawn": screen.drawn}
        for table, screen in zip(tables, screens, strict=True)
    ]
    print(json.dumps(said), flush=True)


def begin_s(film: Film, number: int, tables: int) -> float:
    """When a table's film begins: all tables are spread over one round."""
    return film.round_ms / 1000 * number / tables


def play(film: Film, tables: list[Table], zero_s: float) -> None:
    """Everything at its time; a camera whose line was full goes on with its picture in between."""
    now_s = time.monotonic()
    due: list[tuple[float, Callable[[], object]]] = []
    for number, table in enumerate(tables):
        begin = zero_s + begin_s(film, number, len(tables))
        due += [*table.wait(begin, now_s), *table.acts(begin)]
    queue = [(at_s, number, act) for number, (at_s, act) in enumerate(due)]
    heapq.heapify(queue)
    pause = threading.Event()
    while queue:
        at_s, _, act = heapq.heappop(queue)
        while (left_s := at_s - time.monotonic()) > 0:
            for table in tables:
                table.camera.flush()
            pause.wait(min(left_s, 0.01))
        act()


if __name__ == "__main__":
    main(*sys.argv[1:])
