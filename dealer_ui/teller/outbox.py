"""Tells an operator what is owed to him, on a thread of its own: what is due is sent, what was said is taken in."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

import structlog

from dealer_ui.teller.caller import Caller
from studio.errors import StorageError
from studio.journal import Reader
from studio.wallets.answer import Said, Word
from studio.wallets.obligation import Owable

_LOG = structlog.get_logger("dealer_ui.teller.outbox")

TICK_S: Final = 0.2
TELLING_MOST: Final = 256
"""So much is told at a time; the rest goes out as answers come."""
KEEP_S: Final = 600.0
"""So often what is open is summed up in the journal."""

Owes = TypeVar("Owes", bound=Owable)
Owes_co = TypeVar("Owes_co", bound=Owable, covariant=True)


@dataclass(frozen=True, slots=True)
class ToldDebt:
    """What was said of something that is owed."""

    id: str
    word: Word


class Owing(Protocol[Owes_co]):
    """The desk that keeps what is owed; what it has taken in is durable when it returns."""

    @property
    def name(self) -> str: ...

    def follow(self, reader: Reader) -> int:
        """Take in what is newly owed; gives how much."""
        ...

    def due(self) -> Sequence[Owes_co]:
        """What is to be told now."""
        ...

    def heard(self, told: Sequence[ToldDebt], chance: Callable[[], float]) -> None: ...

    def keep(self) -> bool:
        """Sum up what is open; False where that is not possible now."""
        ...


class Outbox(Generic[Owes]):
    """`reader` is the calling thread's own; one telling may take `wait_s`. `before` is done first in each turn.

    `step` is one turn of the thread; a program with one thread steps it.
    """

    def __init__(
        self, caller: Caller[Owes], desk: Owing[Owes], now_ms: Callable[[], int],
        reader: Callable[[], Reader], *, wait_s: float, before: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self.sending = threading.Lock()
        """Held while it is decided what goes out, and while answers are taken in."""
        self._caller = caller
        self._desk = desk
        self._now_ms = now_ms
        self._reader = reader
        self._wait_s = wait_s
        self._before = before
        self._telling: dict[str, Future[Said]] = {}
        self._moved = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=desk.name, daemon=True)
        self._kept_ms = now_ms()
        self.chance: Callable[[], float] = random.Random().random  # noqa: S311 - it spreads tries over time
        """Gives 0 to 1; a rehearsal sets one from its seed."""

    def is_telling(self, id: str) -> bool:
        """Whether it is being told at this moment; asked while `sending` is held."""
        return id in self._telling

    def nudge(self) -> None:
        """Something may be owed: look soon."""
        self._moved.set()

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        """Tell nothing more, and sum up what is open. What is owed is owed at the next start."""
        self._ended.set()
        self._moved.set()

    def wait(self, wait_s: float) -> None:
        """Wait so long for that: where the record does not answer, the next start looks further back."""
        if self._thread.is_alive():
            self._thread.join(wait_s)
        if self._thread.is_alive():
            _LOG.warning("what is owed is not summed up: the record does not answer", to=self._desk.name)
        self._caller.close()

    def step(self) -> bool:
        """Take in what is newly owed, send what is due, hear the answers; returns whether there was anything to do."""
        self._before()
        found = self._desk.follow(self._reader())
        sent = self._send()
        return bool(self._hear() or found or sent)

    def _run(self) -> None:
        told = ""
        while not self._ended.is_set():
            self._moved.wait(0.02 if self._telling else TICK_S)
            self._moved.clear()
            try:
                self.step()
                if self._now_ms() - self._kept_ms > KEEP_S * 1000:
                    self._sum_up()
                told = ""
            except (StorageError, TimeoutError) as error:
                if told != str(error):
                    _LOG.error("what is owed waits for the disk", to=self._desk.name, error=str(error))
                told = str(error)
            except Exception as error:
                if told != str(error):
                    _LOG.error("telling what is owed failed by an error of our own", to=self._desk.name, exc_info=error)
                told = str(error)
                self._ended.wait(1.0)
        self._sum_up()

    def _send(self) -> int:
        sent = 0
        with self.sending:
            for call in self._desk.due():
                if call.id in self._telling:
                    continue
                if len(self._telling) >= TELLING_MOST or not self._caller.may_ask():
                    break
                future = self._caller.submit(call, self._wait_s)
                future.add_done_callback(lambda _: self._moved.set())
                self._telling[call.id] = future
                sent += 1
        return sent

    def _hear(self) -> int:
        """Take in the answers to what was sent, and return how many ended. A call never carried out is sent again."""
        with self.sending:
            done = [id for id, future in self._telling.items() if future.done()]
            told = [ToldDebt(id, future.result().word) for id in done if not (future := self._telling[id]).cancelled()]
            self._desk.heard(told, self.chance)
            for id in done:
                del self._telling[id]
        return len(done)

    def _sum_up(self) -> None:
        try:
            if self._desk.keep():
                self._kept_ms = self._now_ms()
        except (StorageError, TimeoutError) as error:
            _LOG.error("the sum of what is owed waits for the disk", to=self._desk.name, error=str(error))
