"""Tables on other hosts as they were shown last; what is old says so on every screen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import structlog

from dealer_ui.config.cluster import TABLE_HOST
from dealer_ui.wire.link import NatsWire
from dealer_ui.wire.message import Here, Shown, read_shown, view_in, view_of
from dealer_ui.wire.presence import Neighbour, Neighbours
from dealer_ui.wire.terms import ROOT
from studio.errors import BadInputError
from studio.views import TableView
from studio.views.playing import Playing
from studio.views.shape import MessageView, Words

_LOG: Final = structlog.get_logger("dealer_ui.wire")
LOOK_S: Final = 0.25
TABLES_MOST: Final = 2_000
UNREACHABLE: Final = "act.unreachable"


@dataclass(slots=True)
class _Known:
    """A table as it was shown last; `seq` grows with every change of what is to be seen, also when it grows old.

    `view` is made of `shown` when somebody looks; `drawn` is what he is given.
    """

    shown: Shown
    seq: int
    old: bool = False
    view: TableView | None = None
    drawn: TableView | None = None


class FarTables:
    """Any thread may look and wait. `order` is how the tables are listed; those it does not name come last."""

    def __init__(self, wire: NatsWire, presence: Neighbours, order: Sequence[str] = ()) -> None:
        self._wire = wire
        self._presence = presence
        self._order = {table: at for at, table in enumerate(order)}
        self._known: dict[str, _Known] = {}
        self._changed = threading.Condition()
        self._floor_seq = 0
        self._closed = False
        self._followers: list[Callable[[], None]] = []
        self.ask_again: Callable[[Neighbour], None] = lambda host: None
        """Has a host show all of its tables once more; called beside, on no thread that must not wait."""
        self._due: set[str] = set()
        self._beats: dict[str, Here] = {}
        self._unread: dict[tuple[str, str], set[str]] = {}
        """By host and run, the tables of which it showed last what nobody here can read."""

    def open(self) -> None:
        """Listen, once the wire starts."""
        self._wire.hear(f"{ROOT}.view.*.*", lambda subject, message: self.take(read_shown(message), subject))
        self._presence.open(self._compare)

    # --- what is heard ----------------------------------------------------------------------------------

    def take(self, shown: Shown, subject: str = "") -> None:
        """A table was shown; one that another host shows meanwhile is another host's now.

        What a host of another version shows and nobody here can read changes nothing: the table stands as it was shown
        last, grown old, or is not listed.
        """
        if subject and subject != view_of(shown.host, shown.table):
            raise BadInputError("A host has shown a table under another name.")
        if not self._readable(shown):
            return
        with self._changed:
            before = self._known.get(shown.table)
            if before is None and len(self._known) >= TABLES_MOST:
                return
            seq = max(shown.seq, before.seq + 1 if before is not None else 0)
            self._known[shown.table] = _Known(shown, seq)
            self._wake(seq)

    def _compare(self, here: Here) -> None:
        """A host says how far its tables are: where one of its views was lost, all are asked for again.

        What it said a beat ago must have come by now; what it says now may be on its way.
        """
        if here.role != TABLE_HOST:
            return
        before = self._beats.get(here.name)
        self._beats[here.name] = here
        for table in here.tables:
            known = self._known.get(table)
            if table in self._unread.get((here.name, here.run), ()):
                continue
            owed = before.tables.get(table, 0) if before is not None and before.run == here.run else 0
            if known is None or known.shown.run != here.run or known.shown.seq < owed:
                self._due.add(here.name)

    def keep_looking(self, stopping: threading.Event) -> None:
        """Notice what grows old, and ask for what was lost; a thread's whole work."""
        while not stopping.wait(LOOK_S):
            self.look()

    def look(self) -> None:
        runs = {one.here.name: one.here.run for one in self._presence.neighbours() if one.there}
        known = tuple(self._known.items())
        gone = {table for table, one in known if runs.get(one.shown.host) != one.shown.run}
        with self._changed:
            for table, one in known:
                if self._known[table] is one and one.old != (table in gone):
                    one.old, one.drawn, one.seq = table in gone, None, one.seq + 1
                    self._wake(one.seq)
        while self._due:
            host = self._presence.host(self._due.pop())
            if host is not None and host.there:
                self.ask_again(host)

    def _readable(self, shown: Shown) -> bool:
        """Known of a host of our version, and tried of one that is of another or has not said which."""
        host = self._presence.host(shown.host)
        if host is not None and host.here.run == shown.run and host.of_our_version:
            return True
        of_host = (shown.host, shown.run)
        try:
            view_in(shown)
        except BadInputError as error:
            if of_host not in self._unread:
                self._unread[of_host] = set()
                _LOG.warning("what a host of another version shows is not shown here", host=shown.host, exc_info=error)
            self._unread[of_host].add(shown.table)
            return False
        self._unread.get(of_host, set()).discard(shown.table)
        return True

    # --- what is looked at ------------------------------------------------------------------------------

    @property
    def tables(self) -> tuple[str, ...]:
        last = len(self._order)
        return tuple(sorted(self._known, key=lambda table: (self._order.get(table, last), table)))

    def playing(self, table: str) -> Playing:
        return Playing.seen(self.view(table))

    def view(self, table: str) -> TableView:
        """As it was shown last; where its host is gone, stopped and told to be old."""
        known = self._need(table)
        if (drawn := known.drawn) is not None:
            return drawn
        view = known.view
        if view is None:
            view = known.view = view_in(known.shown)
        seq, old = known.seq, known.old
        drawn = replace(_aged(view) if old else view, seq=seq)
        with self._changed:
            if known.seq == seq:
                known.drawn = drawn
        return drawn

    def is_old(self, table: str) -> bool:
        return self._need(table).old

    def host_of(self, table: str) -> Neighbour | None:
        """The host that has shown it last."""
        return self._presence.host(self._need(table).shown.host)

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int:
        """Block until the table (any table) is past `after_seq`, or for that long; gives the newest seq."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._newest(table) > after_seq, timeout_s)
            return self._newest(table)

    def wait_shown(self, table: str, seq: int, timeout_s: float) -> None:
        """Block until its host has shown the table as it is after that row, or for that long. Where hosts keep records
        of their own, what the pit has kept in another one may have brought the table further, and nobody waits.
        """

        def is_shown() -> bool:
            known = self._known.get(table)
            return self._closed or (known is not None and known.shown.seq >= seq)

        with self._changed:
            self._changed.wait_for(is_shown, timeout_s)

    def follow(self, moved: Callable[[], None]) -> None:
        self._followers.append(moved)

    def nudge(self, seq: int, tables: object = ()) -> None:
        """Something of the whole floor has changed."""
        with self._changed:
            self._wake(seq)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._wake(0)

    def _need(self, table: str) -> _Known:
        try:
            return self._known[table]
        except KeyError:
            raise BadInputError(f"There is no table '{table}' here that any host has told of.") from None

    def _newest(self, table: str | None) -> int:
        return self._floor_seq if table is None else self._need(table).seq

    def _wake(self, seq: int) -> None:
        if seq:
            self._floor_seq = max(seq, self._floor_seq + 1)
        self._changed.notify_all()
        for moved in self._followers:
            moved()


def _aged(view: TableView) -> TableView:
    """The table as it was, with nothing to press, and bettors told why."""
    told = MessageView(Words("message.unreachable"))
    now = replace(
        view.now, held=True, act=Words(UNREACHABLE), primary=None, why=None, messages=(*view.now.messages, told)
    )
    devices = replace(view.devices, camera_late=None)  # nobody says that it still is
    return replace(view, now=now, devices=devices, bets=replace(view.bets, open=False, deciding=(), turn=""))
