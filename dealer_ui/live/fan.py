"""One thread that sends events to many streams: each reader gets its events as its table moves, and none waits for
another.

    table ── publish ──► moved() ──► the fan's thread ──► telling 1 ──► its socket
                                                      ├─► telling 2 ──► its socket
                                                      └─► …

While bytes still wait for a reader, his telling is not asked for more; afterwards it gives the newest state. So at most
one event waits for each reader. A reader who takes nothing for `SLOW_S` is let go.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import os
import select
import socket
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, MutableMapping
from typing import Final

import structlog

from dealer_ui.live.reader import SLOW_S, StreamReader
from dealer_ui.live.telling import Followed, Rest, Telling

LOOK_S: Final = 1.0
_GONE: Final = select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR
_LOG = structlog.get_logger("dealer_ui.live.fan")


class StreamFan:
    """One thread, begun with the first stream. `take` and `moved` may be called from any thread."""

    def __init__(self, name: str, followed: Followed, *, most_of_a_core: float = 1.0) -> None:
        self._name = name
        self._followed = followed
        self._idle_share = 1 / most_of_a_core - 1
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._coming: deque[StreamReader] = deque()
        self._readers: dict[int, StreamReader] = {}
        self._following: dict[str | None, set[StreamReader]] = defaultdict(set)
        self._newest: dict[str | None, int] = {}
        self._due: list[tuple[float, int, StreamReader]] = []
        self._count = itertools.count()
        self._closed = False
        self._over = False
        self._has_moved = False

    def take(self, taken: socket.socket, head: bytes, telling: Telling, leave: Callable[[], None]) -> None:
        """Tell this telling to that socket, after the head. `leave` is called when it is over, by whomever."""
        reader = StreamReader(taken, telling, leave, memoryview(head))
        with self._lock:
            if self._closed:
                reader.let_go()
                return
            self._coming.append(reader)
            if self._thread is None:
                self._begin()
        self._wake()

    def moved(self) -> None:
        """Something was published."""
        self._has_moved = True
        self._wake()

    def close(self, timeout_s: float = 2.0) -> None:
        """End every stream."""
        with self._lock:
            self._closed = True
        if self._thread is not None:
            self._wake()
            self._thread.join(timeout_s)

    def _begin(self) -> None:
        self._poll = select.epoll()
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._poll.register(self._bell, select.EPOLLIN)
        self._thread = threading.Thread(target=self._run, name=f"streams of {self._name}", daemon=True)
        self._thread.start()
        self._followed.follow(self.moved)

    def _wake(self) -> None:
        with self._lock:
            if self._thread is not None and not self._over:
                with contextlib.suppress(BlockingIOError):  # it rings already
                    os.eventfd_write(self._bell, 1)

    # --- the thread -----------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._closed:
                wait_s = max(0.0, min(LOOK_S, self._due[0][0] - time.monotonic())) if self._due else LOOK_S
                ready = self._poll.poll(wait_s)
                began_s = time.thread_time()
                try:
                    self._hear(ready)
                    self._turn()
                except Exception as error:  # nobody's stream ends for what went wrong with another's
                    _LOG.error("streams go on after an error", lane=self._name, exc_info=error)
                    _pause(LOOK_S / 10)
                _pause(self._idle_share * (time.thread_time() - began_s))
        finally:
            self._end()

    def _turn(self) -> None:
        while self._coming:
            self._welcome(self._coming.popleft())
        if self._has_moved:
            self._has_moved = False
            self._tell_moved()
        now_s = time.monotonic()
        while self._due and self._due[0][0] <= now_s and not self._closed:
            due_s, _, reader = heapq.heappop(self._due)
            if reader.due_s == due_s and not reader.over:
                self._tell_due(reader, now_s)

    def _hear(self, ready: list[tuple[int, int]]) -> None:
        for number, flags in ready:
            if number == self._bell:
                with contextlib.suppress(BlockingIOError):
                    os.eventfd_read(self._bell)
                continue
            if (reader := self._readers.get(number)) is not None:
                self._heard(reader, number, flags)

    def _heard(self, reader: StreamReader, number: int, flags: int) -> None:
        if flags & _GONE or (flags & select.EPOLLIN and not reader.still_there):
            self._drop(reader)
        elif flags & select.EPOLLOUT:
            self._flush(reader)
            if not reader.unsent and not reader.over:
                self._poll.modify(number, select.EPOLLIN | select.EPOLLRDHUP)
                self._advance(reader)

    def _welcome(self, reader: StreamReader) -> None:
        try:
            reader.prepare()
            self._poll.register(reader.socket.fileno(), select.EPOLLIN | select.EPOLLRDHUP)
        except OSError:
            _let_go(reader)
            return
        self._readers[reader.socket.fileno()] = reader
        self._following[None].add(reader)
        self._advance(reader)

    def _tell_moved(self) -> None:
        for table in [table for table, readers in self._following.items() if readers]:
            newest = _asked(self._followed, table)
            if newest is None or newest == self._newest.get(table):
                continue
            self._newest[table] = newest
            for reader in tuple(self._following[table]):
                if reader.rest.after_seq < newest and not self._closed:
                    self._advance(reader)

    def _tell_due(self, reader: StreamReader, now_s: float) -> None:
        if not reader.unsent:
            self._advance(reader)
        elif now_s - reader.stuck_s > SLOW_S:
            self._drop(reader)
        else:
            self._come_back(reader, now_s + LOOK_S)

    def _advance(self, reader: StreamReader) -> None:
        """Send what the reader's telling says next, until it rests or the reader has not taken what was sent."""
        try:
            while not reader.over:
                if reader.unsent:
                    self._flush(reader)
                    if reader.unsent:
                        self._come_back(reader, time.monotonic() + LOOK_S)
                        return
                said = reader.ask(self._newest.get(reader.rest.table, -1))
                if isinstance(said, Rest):
                    if self._rest(reader, said):
                        return
                else:
                    reader.say(said)
        except StopIteration:
            self._drop(reader)
        except Exception as error:
            _LOG.error("a stream failed", lane=self._name, exc_info=error)
            self._drop(reader)

    def _rest(self, reader: StreamReader, rest: Rest) -> bool:
        """Let it rest; False where its table is already further."""
        if rest.table != reader.rest.table:
            _unfollow(reader, self._following, self._newest)
            self._following[rest.table].add(reader)
        reader.rest = rest
        if rest.after_seq < _known(self._newest, self._followed, rest.table):
            return False
        self._come_back(reader, time.monotonic() + rest.wait_s)
        return True

    def _come_back(self, reader: StreamReader, due_s: float) -> None:
        reader.due_s = due_s
        heapq.heappush(self._due, (due_s, next(self._count), reader))

    def _flush(self, reader: StreamReader) -> None:
        try:
            reader.flush()
        except OSError:
            self._drop(reader)
        if reader.unsent:
            self._poll.modify(reader.socket.fileno(), select.EPOLLIN | select.EPOLLOUT | select.EPOLLRDHUP)

    def _drop(self, reader: StreamReader) -> None:
        if reader.over:
            return
        reader.over = True
        _unfollow(reader, self._following, self._newest)
        self._readers.pop(reader.socket.fileno(), None)
        with contextlib.suppress(OSError):
            self._poll.unregister(reader.socket.fileno())
        _let_go(reader)

    def _end(self) -> None:
        for reader in tuple(self._readers.values()):
            self._drop(reader)
        with self._lock:
            while self._coming:
                _let_go(self._coming.popleft())
            self._closed = self._over = True
            self._poll.close()
            os.close(self._bell)


def _unfollow(
    reader: StreamReader, following: Mapping[str | None, set[StreamReader]], newest: MutableMapping[str | None, int]
) -> None:
    """Stop following the table for this reader; how far it was is forgotten when nobody follows it."""
    followers = following[reader.rest.table]
    followers.discard(reader)
    if not followers:
        newest.pop(reader.rest.table, None)


def _let_go(reader: StreamReader) -> None:
    """Tell the reader that its stream is over; an error of one reader does not end the other streams."""
    try:
        reader.let_go()
    except Exception as error:
        _LOG.error("a stream was left with an error", exc_info=error)


def _known(newest: MutableMapping[str | None, int], followed: Followed, table: str | None) -> int:
    """How far the table has come, asking it where that is unknown; -1 where it cannot say."""
    if table not in newest and (told := _asked(followed, table)) is not None:
        newest[table] = told
    return newest.get(table, -1)


def _asked(followed: Followed, table: str | None) -> int | None:
    """How far the table is; None where it cannot say."""
    try:
        return followed.wait(table, -1, 0.0)
    except Exception as error:
        _LOG.error("a table could not be asked", table=table, exc_info=error)
        return None


def _pause(for_s: float) -> None:
    """Who serves strangers leaves the rest of the core to the tables."""
    if for_s > LOOK_S / 1_000:
        select.select((), (), (), for_s)
