"""Keeps a serial device going: opens its link, steps it, says when it is lost, reopens it.

One thread owns a supervisor and steps it in a loop; nobody else touches the link. Only `command` and `wake` may be
called from another thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from devices.driver import Driver, DriverTurn, HostCommand, Instant, LineTalk
from devices.link import Link, LinkLostError, OpenLink
from devices.plug import PlugAt, plug_at
from devices.raw_record import RawRecord
from studio.cards import Sealer
from studio.device_address import without_password
from studio.errors import RefusedError
from studio.ports import LinkDown, LinkUp, Observation, UnreadableFrame

READ_BYTES_MAX: Final = 4096
UNREADABLE_MAX: Final = 8
"""So many unreadable frames of one turn are told one by one."""


@dataclass(frozen=True, slots=True)
class LinkPace:
    """How long a supervisor waits. `down_wait_s` bounds a step without a link, so that a loop of steps never
    spins; a scheduler that steps by hand gives 0. `rest_s`: what is due by time at a line on which nothing goes on,
    such as word of a device that has fallen silent, is late by so long at most.
    """

    reopen_ms: int = 500
    reopen_ms_max: int = 5000
    down_wait_s: float = 0.02
    rest_s: float = 0.2


class Supervisor:
    """A `studio.ports.Device`: one link, one driver.

    `listen` is told whatever crosses the line, on the owning thread: it returns at once and raises nothing.
    """

    def __init__(  # noqa: PLR0913 - what a line is made of, each by its name
        self,
        id: str,
        url: str,
        *,
        open_link: OpenLink,
        driver: Driver,
        sealer: Sealer,
        pace: LinkPace | None = None,
        listen: Callable[[LineTalk], None] | None = None,
        plug_at: PlugAt = plug_at,
    ) -> None:
        self._id = id
        self._url = url
        self._open_link = open_link
        self._driver = driver
        self._pace = pace or LinkPace()
        self._listen = listen
        self._plug_at = plug_at
        self._link: Link | None = None
        self._now = Instant(at_ms=-1, run_ms=0)
        self._raw = RawRecord(id, sealer)
        self._down_reason: str | None = None
        """The sentence last told as LinkDown; None while the link counts as up."""
        self._told_up = False
        self._must_hear = False
        self._reopen_wait_ms = self._pace.reopen_ms
        self._reopen_at_ms = 0
        self._opened_at_ms = 0
        self._rests = False
        """Nothing came in the last step, which waited for it, and nothing was said or sent."""
        self._stopped = threading.Event()
        self._why_not: Callable[[], str] = lambda: ""

    @property
    def id(self) -> str:
        return self._id

    @property
    def url(self) -> str:
        return self._url

    @property
    def driver(self) -> Driver:
        return self._driver

    @property
    def is_up(self) -> bool:
        return self._told_up

    def listen_with(self, listen: Callable[[LineTalk], None]) -> None:
        """Tell this listener, and no other, whatever crosses the line; called before the first step."""
        self._listen = listen

    def open_unless(self, why_not: Callable[[], str]) -> None:
        """Open the link only while this gives no sentence that says why not; called before the first step. A link that
        is open is left alone."""
        self._why_not = why_not

    def step(self, now_ms: int) -> Sequence[Observation]:
        """Open, read, decode, answer or wait, whatever is due; blocks no longer than one read or pause."""
        self._now = _later(self._now, now_ms)
        if self._link is not None:
            return self._read(self._link)
        if self._now.run_ms < self._reopen_at_ms:
            if self._pace.down_wait_s > 0:
                self._stopped.wait(self._pace.down_wait_s)
            return ()
        return self._open()

    def wait(self) -> bool:
        """Between two steps: until something comes on a line at rest, or somebody wakes it. False where there was
        nothing to wait for. The owning thread calls it.
        """
        if self._link is None or not self._rests:
            return False
        self._link.wait(self._pace.rest_s)
        return True

    def wake(self) -> None:
        """Something is to be done at the line though nothing came: have the owning thread step at once."""
        link = self._link
        if link is not None:
            link.wake()

    def check(self, command: HostCommand) -> None:
        """`RefusedError` when the command would not be sent now."""
        self._driver.check(command)
        if not self._told_up:
            raise RefusedError(
                "link_down", f"The link to {self._id} is down, nothing was sent; plug it in and ask again."
            )

    def command(self, command: HostCommand) -> None:
        """Queue a command; its `CommandAnswered` comes out of a later step. `RefusedError` if it may not be sent."""
        self.check(command)
        self._driver.command(command)
        self.wake()

    def close(self) -> None:
        """Let go of the link. The owning thread calls it after its last step."""
        self._stopped.set()
        if self._link is not None:
            self._link.close()
            self._link = None

    # --- the link -------------------------------------------------------------------------------------

    def _open(self) -> Sequence[Observation]:
        if reason := self._why_not():
            return self._went_down(reason)
        try:
            self._link = self._open_link(self._url, self._driver.settings)
        except LinkLostError as lost:
            return self._went_down(lost.sentence)
        self._opened_at_ms = self._now.run_ms
        return () if self._must_hear else self._came_up()

    def _read(self, link: Link) -> Sequence[Observation]:
        try:
            data = link.read(READ_BYTES_MAX)
        except LinkLostError as lost:
            return self._lose(lost.sentence)
        turn = self._driver.turn(data, self._now)
        self._rests = not (data or turn.write or turn.observations)
        if self._listen is not None:
            self._tell_talk(self._listen, data, turn)
        seen = [*self._raw.keep(data, self._now, turn), *_in_few(turn.observations)]
        if turn.heard:
            self._reopen_wait_ms = self._pace.reopen_ms
            seen = [*self._came_up(), *seen]
        if turn.write:
            try:
                link.write(turn.write)
            except LinkLostError as lost:
                return [*seen, *self._lose(lost.sentence)]
        if turn.silent:
            self._must_hear = True
            return [*seen, *self._lose(turn.silent)]
        if len(data) == READ_BYTES_MAX:
            self._stopped.wait(self._pace.down_wait_s)  # no device of ours says so much at once: let it wait
        return seen

    def _lose(self, reason: str) -> Sequence[Observation]:
        if self._link is not None:
            self._link.close()
            self._link, self._rests = None, False
            if self._now.run_ms - self._opened_at_ms >= self._pace.reopen_ms_max:
                self._reopen_wait_ms = self._pace.reopen_ms
        return [*self._raw.flush(self._now.at_ms), *self._driver.reset(self._now), *self._went_down(reason)]

    def _went_down(self, reason: str) -> Sequence[Observation]:
        """Wait for the next opening, twice as long each time, and tell each reason once."""
        self._reopen_at_ms = self._now.run_ms + self._reopen_wait_ms
        self._reopen_wait_ms = min(self._reopen_wait_ms * 2, self._pace.reopen_ms_max)
        self._told_up = False
        if reason == self._down_reason:
            return ()
        self._down_reason = reason
        return (LinkDown(device=self._id, at_ms=self._now.at_ms, url=without_password(self._url), reason=reason),)

    def _came_up(self) -> Sequence[Observation]:
        if self._told_up:
            return ()
        self._told_up, self._must_hear, self._down_reason = True, False, None
        told, plug = without_password(self._url), self._plug_at(self._url)
        return (LinkUp(device=self._id, at_ms=self._now.at_ms, url=told, plug=plug),)

    def _tell_talk(self, listen: Callable[[LineTalk], None], data: bytes, turn: DriverTurn) -> None:
        if data or turn.observations:
            listen(LineTalk(self._id, self._now.at_ms, "in", data, tuple(turn.observations)))
        if turn.write:
            listen(LineTalk(self._id, self._now.at_ms, "out", turn.write))


def _in_few(seen: Sequence[Observation]) -> Sequence[Observation]:
    """Many unreadable frames of a turn are told by reason, between one reading and the next: noise fills no journal."""
    if sum(isinstance(one, UnreadableFrame) for one in seen) <= UNREADABLE_MAX:
        return seen
    told: list[Observation] = []
    places: dict[str, int] = {}
    for one in seen:
        match one:
            case UnreadableFrame(reason=reason, count=count) if reason in places:
                known = told[places[reason]]
                assert isinstance(known, UnreadableFrame)
                told[places[reason]] = msgspec.structs.replace(known, count=known.count + count)
            case UnreadableFrame(reason=reason):
                places[reason] = len(told)
                told.append(one)
            case _:
                places.clear()
                told.append(one)
    return told


def _later(before: Instant, now_ms: int) -> Instant:
    """The wall clock may jump back; the run of time does not."""
    passed_ms = max(0, now_ms - before.at_ms) if before.at_ms >= 0 else 0
    return Instant(now_ms, before.run_ms + passed_ms)
