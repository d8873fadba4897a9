"""The notice board: tables pin up how they stand, and screens look and wait for a change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Final

from studio.money import pot_account
from studio.tables.books.book import Book
from studio.tables.state.table import TableState
from studio.views import ShoeResults, TableView, view_table
from studio.views.own import OwnPlay, own_play
from studio.views.playing import Playing
from studio.views.shape import MessageView, PotView

LAST_RESULTS: Final = 60


@dataclass(slots=True)
class _Notice:
    """What a table last published, and the view drawn from it when somebody asked.

    `seq` is the table's place in the journal, or further: it grows with every change of what is to be seen, also where
    the pit's act of a later place was heard of first. `journalled` is the place itself.
    """

    state: TableState
    book: Book
    seq: int
    results: ShoeResults
    journalled: int = 0
    view: TableView | None = None

    def moved(self, seq: int) -> _Notice:
        """The same to be drawn anew, because of what stands at that place of the journal."""
        return replace(self, seq=max(seq, self.seq + 1), view=None)


class NoticeBoard:
    """The newest state of every table; any thread may look, wait or publish.

    `balance` reads what an account holds: what lies in a pot is no table's own state. Nor is what the pit has `told`
    the bettors of a table.
    """

    def __init__(
        self,
        balance: Callable[[str], int] = lambda account: 0,
        told: Callable[[str], tuple[MessageView, ...]] = lambda table: (),
    ) -> None:
        self._balance = balance
        self._told = told
        self._floor_seq = 0
        self._pots: dict[str, int] = {}
        self._notices: dict[str, _Notice] = {}
        self._changed = threading.Condition()
        self._closed = False
        self._followers: list[Callable[[], None]] = []

    def add(self, state: TableState, book: Book, seq: int, results: ShoeResults) -> None:
        self._notices[state.config.key] = _Notice(state, book, seq, results, seq)
        self._floor_seq = max(self._floor_seq, seq)

    def publish(self, state: TableState, book: Book, seq: int) -> None:
        """A table has moved: wake whoever waits for it."""
        with self._changed:
            before = self._notices[state.config.key]
            after = _Notice(state, book, before.seq, before.results, max(seq, before.journalled))
            self._notices[state.config.key] = after.moved(seq) if seq > before.journalled else after
            self._look_at_pot(state, before.state, seq)
            self._wake(seq if seq > before.journalled else 0)

    def nudge(self, seq: int, tables: Collection[str]) -> None:
        """The pit has kept something: these tables are drawn again, and whoever follows the whole floor looks."""
        with self._changed:
            for table in tables:
                if (notice := self._notices.get(table)) is not None:
                    self._notices[table] = notice.moved(seq)
            self._wake(seq)

    def _look_at_pot(self, state: TableState, before: TableState, seq: int) -> None:
        """A pot this table has moved is news at every table that feeds it.

        It is looked up under the lock, so that the last look is the newest.
        """
        if (terms := state.config.pot) is None:
            return
        if terms.key in self._pots and _moves_of_pot(state) == _moves_of_pot(before):
            return
        self._pots[terms.key] = self._balance(pot_account(terms.key))
        for table, notice in self._notices.items():
            if notice.state.config.pot is not None and notice.state.config.pot.key == terms.key:
                own = table == state.config.key  # it has moved already
                self._notices[table] = replace(notice, view=None) if own else notice.moved(seq)

    def state(self, table: str) -> TableState:
        return self._notices[table].state

    def playing(self, table: str) -> Playing:
        return Playing.at(self.state(table))

    def decks_of(self, table: str) -> int:
        """How many decks the table's shoe holds."""
        return self.state(table).shoe.decks

    def deck_in_shoe(self, table: str) -> str:
        """What the deck in the table's shoe is called; empty while there is none."""
        shoe = self.state(table).deck
        return shoe.id if shoe is not None else ""

    def own_play(self, table: str, operator: str, bettor: str) -> OwnPlay:
        """What this bettor may decide now, as the table last published it."""
        notice = self._notices[table]
        return own_play(notice.state, notice.book, operator, bettor)

    def view(self, table: str) -> TableView:
        """The table as its screens draw it, drawn once a change."""
        notice = self._notices[table]
        if notice.view is None:
            view = view_table(notice.state, notice.book, notice.seq, notice.results.past(LAST_RESULTS))
            notice.view = replace(
                view,
                game=replace(view.game, pot=self._pot(notice.state, notice.book)),
                now=replace(view.now, messages=(*view.now.messages, *self._told(table))),
            )
        return notice.view

    def _pot(self, state: TableState, book: Book) -> PotView | None:
        if (terms := state.config.pot) is None:
            return None
        shown, round = PotView(terms.key, terms.currency, self._pots.get(terms.key, 0)), state.round
        if round is None or round.over or round.pot is None or book.round != round.id:
            return shown
        due = round.pot.contribution(round.rates)
        return replace(shown, due_minor=due.amount_minor if due else 0, sharers=book.bettors_on(state.game.pot.bet))

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int:
        """Block until the table (any table) is past `after_seq`, or for that long; gives the newest seq."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._newest(table) > after_seq, timeout_s)
            return self._newest(table)

    def close(self) -> None:
        """Wake everybody who waits for a change: there will be none."""
        with self._changed:
            self._closed = True
            self._wake()

    def follow(self, moved: Callable[[], None]) -> None:
        """From now on `moved` is called at each change, by whoever makes it; it must not block."""
        self._followers.append(moved)

    def _wake(self, seq: int = 0) -> None:
        """Tell whoever waits; `seq` is the place of what moved, 0 where nothing new is in the journal."""
        if seq:
            self._floor_seq = max(seq, self._floor_seq + 1)
        self._changed.notify_all()
        for moved in self._followers:
            moved()

    def _newest(self, table: str | None) -> int:
        if table is not None:
            return self._notices[table].seq
        return self._floor_seq


def _moves_of_pot(state: TableState) -> object:
    """Changes whenever the table's round has fed its pot, won it or taken something back, or a correction has."""
    pot, correction = state.round.pot if state.round else None, state.aftermath.corrections.current
    round = (state.rounds, pot.fed, pot.won, pot.returned) if pot else None
    return round, correction is not None and correction.pot_moved, state.aftermath.corrections.revisions
