"""The connection to NATS, on a thread of its own; what the house says and asks goes through it from any thread.

Nothing is queued: while the connection is down what is said is dropped, and whoever asks is told so at once. The
library comes back by itself for as long as it takes.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import structlog

from dealer_ui.wire.terms import MESSAGE_BYTES_MAX, WireTerms

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg

_LOG: Final = structlog.get_logger("dealer_ui.wire")
_AGAIN_S: Final = 1
_PING_S: Final = 2
_END_S: Final = 3.0
_GRACE_S: Final = 1.0
HEARD_MAX: Final = 4_096
"""So many messages may wait for whoever hears them; beyond it the oldest view is as good as none, and is dropped."""

ASKED_MAX: Final = 2_000
"""So many questions may wait at one subject of a host."""

Heard = Callable[[str, bytes], None]
"""Told the subject and the message, on the wire's own ear: it must not block for long."""
Answering = Callable[[bytes], bytes]


class NobodyThereError(Exception):
    """Nobody answers to that subject, or the wire is down: what was asked was not done."""


class NoAnswerError(Exception):
    """No answer came in time: what was asked may have been done."""


class _Answerers:
    """So many threads at most, begun as they are wanted. Where one hangs, as with a database that does not answer, no
    program waits for it at its end, as it would for one of the library's pools.
    """

    def __init__(self, name: str, most: int) -> None:
        self._name, self._most = name, most
        self._asked: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._idle = threading.Semaphore(0)
        self._begun = 0
        self._closed = False

    def take(self, work: Callable[[], None]) -> bool:
        """Have it done, soon; False where they are closed. On the wire's own thread alone."""
        if self._closed:
            return False
        self._asked.put(work)
        if self._begun < self._most and not self._idle.acquire(blocking=False):
            self._begun += 1
            threading.Thread(target=self._work, name=f"{self._name}_{self._begun}", daemon=True).start()
        return True

    def close(self) -> None:
        """Nothing more is begun."""
        self._closed = True
        for _ in range(self._most):
            self._asked.put(None)

    def _work(self) -> None:
        while (work := self._asked.get()) is not None and not self._closed:
            work()
            self._idle.release()


@dataclass(frozen=True, slots=True)
class _Counter:
    """Who answers to a subject, and on whose threads; `busy` is the answer to whoever finds too many before him."""

    subject: str
    answer: Answering
    answerers: _Answerers
    busy: bytes
    places: threading.BoundedSemaphore


class NatsWire:
    """`hear`, `serve` and `follow` before `start`; everything else from any thread."""

    def __init__(self, terms: WireTerms) -> None:
        self._terms = terms
        self._ears: list[tuple[str, Heard]] = []
        self._counters: list[_Counter] = []
        self._followers: list[Callable[[], None]] = []
        self._in: queue.Queue[tuple[Heard, str, bytes] | None] = queue.Queue(HEARD_MAX)
        self._client: Client | None = None
        self._ended = asyncio.Event()
        """For the wire's own thread."""
        self._threads: list[threading.Thread] = []
        self._told = ""

    # --- before the start -------------------------------------------------------------------------------

    def hear(self, subject: str, heard: Heard) -> None:
        """Have `heard` told of every message there."""
        self._ears.append((subject, heard))

    def serve(self, subject: str, answer: Answering, *, threads: int, busy: bytes) -> None:
        """Answer what is asked there, on so many threads; `busy` answers where too many wait for one."""
        answerers = _Answerers(f"wire {subject.split('.')[1]}", threads)
        places = threading.BoundedSemaphore(ASKED_MAX)
        self._counters.append(_Counter(subject, answer, answerers, busy, places))

    def follow(self, moved: Callable[[], None]) -> None:
        """Have `moved` called whenever the connection has come up or gone; it must not block."""
        self._followers.append(moved)

    def start(self) -> None:
        """Connect, now or as soon as a server is there."""
        self._loop = asyncio.new_event_loop()
        for name, work in (("wire", self._run), ("wire ear", partial(_listen, self._in))):
            thread = threading.Thread(target=work, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    # --- any thread -------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self._terms.name

    @property
    def up(self) -> bool:
        client = self._client
        return client is not None and client.is_connected

    def say(self, subject: str, message: bytes) -> bool:
        """Tell whoever listens. False where it was not sent: the wire is down, or the message too long."""
        if not self.up or len(message) > MESSAGE_BYTES_MAX:
            return False
        self._soon(self._publish(subject, message))
        return True

    def ask(self, subject: str, message: bytes, timeout_s: float) -> bytes:
        """The answer; `NobodyThereError` where nothing can have been done, `NoAnswerError` where it may have been."""
        client = self._client
        if client is None or not client.is_connected or len(message) > MESSAGE_BYTES_MAX:
            raise NobodyThereError(subject)
        asking: Future[bytes] = self._soon(self._request(client, subject, message, timeout_s))
        try:
            return asking.result(timeout_s + _GRACE_S)
        except (FutureTimeoutError, CancelledError):
            asking.cancel()
            raise NoAnswerError(subject) from None

    def stop(self) -> None:
        """Leave the wire; whoever still waits for an answer is told that none came."""
        for counter in self._counters:
            counter.answerers.close()
        if self._threads:
            self._in.put(None)
            with suppress(RuntimeError):  # its loop is closed already
                self._loop.call_soon_threadsafe(self._ended.set)
        for thread in self._threads:
            thread.join(_END_S)

    # --- the threads ------------------------------------------------------------------------------------

    def _soon(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        """On the wire's own thread; called off where that is over."""
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:
            work.close()
            return _called_off()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._live())
        finally:
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            self._loop.run_until_complete(asyncio.sleep(0))
            self._loop.close()

    async def _live(self) -> None:
        coming, ended = asyncio.ensure_future(self._come()), asyncio.ensure_future(self._ended.wait())
        await asyncio.wait((coming, ended), return_when=asyncio.FIRST_COMPLETED)
        if coming.done():
            coming.result()  # a mistake of our own ends this thread, and is told by it
        await ended
        coming.cancel()
        await asyncio.wait((coming,))
        client, self._client = self._client, None
        if client is not None:
            await _quietly(client.close())

    async def _come(self) -> None:
        while self._client is None:
            await self._connect()

    async def _connect(self) -> None:
        from nats.aio.client import Client

        client = Client()
        try:
            await client.connect(
                name=self._terms.name, connect_timeout=2, reconnect_time_wait=_AGAIN_S, max_reconnect_attempts=-1,
                ping_interval=_PING_S, max_outstanding_pings=2, error_cb=self._wrong,
                reconnected_cb=self._moved, disconnected_cb=self._moved, **self._terms.asked,
            )  # fmt: skip
            for subject, heard in self._ears:
                await client.subscribe(subject, cb=self._taker(heard))
            for counter in self._counters:
                await client.subscribe(counter.subject, cb=self._answerer(counter))
        except asyncio.CancelledError:
            await _quietly(client.close())
            raise
        except Exception as error:  # the library has many, and they all mean: not now
            await self._wrong(error)
            await _quietly(client.close())
            await asyncio.sleep(_AGAIN_S)
            return
        self._client = client
        await self._moved()

    def _taker(self, heard: Heard) -> Callable[[Msg], Awaitable[None]]:
        async def take(message: Msg) -> None:
            try:
                self._in.put_nowait((heard, message.subject, message.data))
            except queue.Full:
                self._tell("messages of the wire come faster than they are taken, and some are dropped")

        return take

    def _answerer(self, counter: _Counter) -> Callable[[Msg], Awaitable[None]]:
        async def take(message: Msg) -> None:
            def answer() -> None:
                try:
                    told = counter.answer(message.data)
                except Exception as error:
                    _LOG.error("a question of the wire was not answered", subject=message.subject, exc_info=error)
                    return
                finally:
                    counter.places.release()
                self._soon(_respond(message, told))

            if not counter.places.acquire(blocking=False):
                await _respond(message, counter.busy)
                return
            if not counter.answerers.take(answer):
                counter.places.release()

        return take

    async def _publish(self, subject: str, message: bytes) -> None:
        if self._client is not None:
            await _quietly(self._client.publish(subject, message))

    async def _request(self, client: Client, subject: str, message: bytes, timeout_s: float) -> bytes:
        from nats import errors

        try:
            answer: bytes = (await client.request(subject, message, timeout=timeout_s)).data
            return answer
        except errors.NoRespondersError:
            raise NobodyThereError(subject) from None
        except (errors.Error, TimeoutError, OSError):
            raise NoAnswerError(subject) from None

    async def _moved(self) -> None:
        self._told = ""
        for moved in self._followers:
            moved()

    async def _wrong(self, error: Exception) -> None:
        self._tell(f"the wire is not up: {str(error) or type(error).__name__}")

    def _tell(self, what: str) -> None:
        """Into the log, once while it lasts."""
        if what != self._told:
            self._told = what
            _LOG.warning(what, servers=", ".join(self._terms.servers))


def _listen(came: queue.Queue[tuple[Heard, str, bytes] | None]) -> None:
    while (told := came.get()) is not None:
        heard, subject, message = told
        try:
            heard(subject, message)
        except Exception as error:
            _LOG.error("a message of the wire could not be taken", subject=subject, exc_info=error)


def _called_off() -> Future[Any]:
    made: Future[Any] = Future()
    made.cancel()
    made.set_running_or_notify_cancel()
    return made


async def _respond(message: Msg, told: bytes) -> None:
    await _quietly(message.respond(told))


async def _quietly(work: Awaitable[object]) -> None:
    """What fails while a connection comes or goes is no news."""
    try:
        await work
    except Exception as error:
        _LOG.debug("the wire did not take this", exc_info=error)
