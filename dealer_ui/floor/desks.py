"""The desks of the whole studio, over their books: staff, shifts, pit, decks, bettors, operators.

They are the same on whatever process they stand; only where their books are kept differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol

from dealer_ui.config.file import StudioConfig
from dealer_ui.desk.bettor import BettorDesk
from dealer_ui.desk.book import DeskBook, OwnBook
from dealer_ui.desk.deck import DECK_KINDS, DeckDesk, Tables
from dealer_ui.desk.free_bet import FreeBetDesk
from dealer_ui.desk.operator import OperatorDesk
from dealer_ui.desk.operator_key import OperatorKeys
from dealer_ui.desk.pit import PIT_KINDS, Moved, PitDesk
from dealer_ui.desk.shift import ShiftDesk
from dealer_ui.desk.staff import StaffDesk
from studio.journal import Reader, Row, Unit
from studio.operators import BETTOR_KINDS, FREE_BET_KINDS, OPERATOR_KINDS
from studio.people import SHIFT_KINDS, STAFF_KINDS, PinHasher

KINDS: Final[Mapping[str, frozenset[str]]] = {
    "staff": frozenset(STAFF_KINDS), "shifts": frozenset(SHIFT_KINDS), "pit": PIT_KINDS,
    "decks": frozenset(DECK_KINDS), "bettors": frozenset(BETTOR_KINDS), "operators": frozenset(OPERATOR_KINDS),
    "free_bets": frozenset(FREE_BET_KINDS),
}  # fmt: skip
"""Every book there is, by the kinds of its rows."""

Commit = Callable[[Unit], int]
KeepBooks = Callable[[Commit, Callable[[], Reader]], Mapping[str, DeskBook]]
"""Gives the books, by what makes a unit durable on this process, and its readers."""


def own_books(commit: Commit, reader: Callable[[], Reader]) -> Mapping[str, DeskBook]:
    """Those of a studio that is one process."""
    return {name: OwnBook(kinds, commit, reader) for name, kinds in KINDS.items()}


class Where(Protocol):
    """Where the desks stand: the time, the tables, and what is told when the pit has kept something."""

    config: StudioConfig

    def now_ms(self) -> int: ...

    @property
    def reader(self) -> Callable[[], Reader]: ...

    @property
    def deck_tables(self) -> Tables: ...

    @property
    def pit_moved(self) -> Moved: ...


class _Desk(Protocol):
    others: Callable[[], Iterable[Row]]

    def restore(self, rows: Iterable[Row]) -> None: ...

    def catch_up(self) -> None: ...


class Desks:
    """Any thread may look or act at each of them."""

    def __init__(self, config: StudioConfig, books: Mapping[str, DeskBook], where: Where, hasher: PinHasher) -> None:
        self._books, now_ms = books, where.now_ms
        self.keys = OperatorKeys({}, now_ms)
        self.operators = OperatorDesk(books["operators"].commit, now_ms, self.keys, lambda: where.reader())
        self.bettors = BettorDesk(books["bettors"].commit, now_ms)
        self.free_bets = FreeBetDesk(books["free_bets"].commit, now_ms, lambda name: where.config.credit_of(name))
        self.pit = PitDesk(books["pit"].commit, now_ms, where.pit_moved)
        self.staff = StaffDesk(books["staff"].commit, now_ms, hasher)
        self.shifts = ShiftDesk(books["shifts"].commit, now_ms)
        self.decks = DeckDesk(books["decks"].commit, now_ms, where.deck_tables, config.decks)
        self.operators.take_file(config.operators)
        self._each: Mapping[str, _Desk] = {
            "staff": self.staff, "shifts": self.shifts, "pit": self.pit, "decks": self.decks, "bettors": self.bettors,
            "operators": self.operators, "free_bets": self.free_bets,
        }  # fmt: skip
        for name, desk in self._each.items():
            desk.others = books[name].others

    def restore(self, *, signs_out: bool = True) -> None:
        """Fold what the books hold. `signs_out`: nobody is signed in any more, as after a restart of the consoles."""
        for name, desk in self._each.items():
            if name != "staff":
                desk.restore(self._books[name].begin())
        self.staff.restore(self._books["staff"].begin(), signs_out=signs_out)

    def catch_up(self, *names: str) -> None:
        """Take what other processes have added to the books of these names; to all, where none is named."""
        for name in names or self._each:
            self._each[name].catch_up()
