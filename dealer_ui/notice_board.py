"""The only place where tables pin up how they stand, and where screens look and wait for a change."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Final

from studio.tables.book import Book
from studio.tables.state import TableState
from studio.views import Results, TableView, view_table

LAST_RESULTS: Final = 60


@dataclass(slots=True)
class _Notice:
    """What a table last published, and the view drawn from it when somebody asked."""

    state: TableState
    book: Book
    seq: int
    results: Results
    view: TableView | None = None


class NoticeBoard:
    """The newest state of every table; any thread may look, wait or publish."""

    def __init__(self) -> None:
        self._notices: dict[str, _Notice] = {}
        self._changed = threading.Condition()
        self._closed = False

    def add(self, state: TableState, book: Book, seq: int, results: Results) -> None:
        self._notices[state.config.key] = _Notice(state, book, seq, results)

    def publish(self, state: TableState, book: Book, seq: int) -> None:
        """A table has moved: wake whoever waits for it."""
        with self._changed:
            results = self._notices[state.config.key].results
            self._notices[state.config.key] = _Notice(state, book, seq, results)
            self._changed.notify_all()

    def state(self, table: str) -> TableState:
        return self._notices[table].state

    def view(self, table: str) -> TableView:
        """The table as its screens draw it, drawn once a change."""
        notice = self._notices[table]
        if notice.view is None:
            last, past = notice.results.last(LAST_RESULTS), notice.results.past()
            notice.view = view_table(notice.state, notice.book, notice.seq, last, past)
        return notice.view

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int:
        """Block until the table (any table) is past `after_seq`, or for that long; gives the newest seq."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._newest(table) > after_seq, timeout_s)
            return self._newest(table)

    def close(self) -> None:
        """Wake everybody who waits for a change: there will be none."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _newest(self, table: str | None) -> int:
        if table is not None:
            return self._notices[table].seq
        return max((notice.seq for notice in self._notices.values()), default=0)
