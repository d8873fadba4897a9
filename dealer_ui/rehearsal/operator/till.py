"""The simulated operator's money: his bettors' balances, in a database of his own, nothing of the studio's.

It holds by itself to what is asked of wallets: an id moves money once, the same id with other contents is a conflict, a
cancel is good for a movement that never came, and then keeps it from coming.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS bettor (
    name TEXT PRIMARY KEY, session TEXT NOT NULL, expired TEXT NOT NULL, currency TEXT NOT NULL,
    balance INTEGER NOT NULL, locked INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS movement (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, bettor TEXT NOT NULL,
    round TEXT NOT NULL, amount INTEGER NOT NULL, refers TEXT NOT NULL, change INTEGER NOT NULL,
    cancelled INTEGER NOT NULL DEFAULT 0, balance INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS movement_refers ON movement (refers);
"""
_FREE: Final = (
    ("movement", "promoted", "INTEGER NOT NULL DEFAULT 0"), ("movement", "free", "TEXT NOT NULL DEFAULT ''"),
    ("bettor", "promotion", "INTEGER NOT NULL DEFAULT 0"),
)  # fmt: skip
"""What a till has of free bets; one that was opened before there were any gets it."""


_TOLD: Final = {"bet": "debit", "win": "credit", "rollback": "cancel"}


@dataclass(frozen=True, slots=True)
class TillMovement:
    """What is asked: `bet`, `win` or `rollback`; `refers` is the bet of a win, or what a rollback undoes.

    A rollback need not name a currency. `promoted_minor`: what moves in his promotion, of the grant `free`, and not in
    the bettor's balance.
    """

    id: str
    kind: str
    bettor: str
    session: str
    currency: str
    round: str
    amount_minor: int
    refers: str = ""
    promoted_minor: int = 0
    free: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """How a request to this till ended, in the till's own word. `number` is the till's name for the movement, 0 when no
    money moved.
    """

    word: str
    balance_minor: int
    number: int = 0


class Till:
    """Any thread may ask; one movement at a time."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.executescript(_TABLES)
        for table, column, kind in _FREE:
            with contextlib.suppress(sqlite3.OperationalError):  # it is there already
                self._connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")
        self.welcome_minor = 0
        """What a bettor finds in his account who comes for the first time; with 0 nobody new is taken in."""

    def open_account(self, bettor: str, session: str, expired: str, currency: str, balance_minor: int) -> None:
        """A bettor who has one already keeps it."""
        row = (bettor, session, expired, currency, balance_minor)
        with self._lock:
            self._connection.execute(
                "INSERT OR IGNORE INTO bettor (name, session, expired, currency, balance) VALUES (?, ?, ?, ?, ?)", row
            )

    def look(self, bettor: str, session: str) -> Done:
        with self._lock:
            self._take_in(bettor, session, "EUR")
            return self._known(bettor) or self._playing(bettor, session) or Done("ok", self._balance(bettor))

    def move(self, asked: TillMovement) -> Done:
        with self._lock, self._transaction():
            self._take_in(asked.bettor, asked.session, asked.currency)
            return self._replayed(asked) or self._known(asked.bettor) or self._moved(asked)

    def close(self) -> None:
        self._connection.close()

    def balance_minor(self, bettor: str) -> int:
        with self._lock:
            return self._balance(bettor)

    def promotion_minor(self, bettor: str) -> int:
        """What his free bets stand at: below zero by what they have staked and not brought back."""
        with self._lock:
            row = self._connection.execute("SELECT promotion FROM bettor WHERE name = ?", (bettor,)).fetchone()
        return int(row[0]) if row else 0

    def bets(self) -> list[tuple[str, bool]]:
        """Every bet that was ever taken, and whether it was rolled back."""
        with self._lock:
            rows = self._connection.execute("SELECT id, cancelled FROM movement WHERE kind = 'bet' ORDER BY number")
            return [(id, bool(cancelled)) for id, cancelled in rows]

    def lines(self) -> list[tuple[str, str, str, int, str]]:
        """Every movement as he tells it at the end of a day: kind, id, bettor, amount and currency."""
        sql = """
            SELECT movement.kind, id, bettor, change, promoted, currency
            FROM movement JOIN bettor ON bettor.name = bettor WHERE change <> 0 OR promoted <> 0 ORDER BY number
        """
        with self._lock:
            found = list(self._connection.execute(sql))
        return [
            (f"free_{_TOLD[kind]}" if promoted else _TOLD[kind], id, bettor, promoted or change, currency)
            for kind, id, bettor, change, promoted, currency in found
        ]

    def currency(self, bettor: str) -> str:
        with self._lock:
            row = self._connection.execute("SELECT currency FROM bettor WHERE name = ?", (bettor,)).fetchone()
        return str(row[0]) if row else "EUR"

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _replayed(self, asked: TillMovement) -> Done | None:
        row = self._connection.execute(
            "SELECT kind, bettor, round, amount, refers, number, balance, cancelled, promoted, free"
            " FROM movement WHERE id = ?",
            (asked.id,),
        ).fetchone()
        if row is None:
            return None
        kind, bettor, round, amount, refers, number, balance, cancelled, promoted, free = row
        if kind == "tombstone" or (cancelled and kind != "rollback"):
            return Done("after_cancel", self._balance(asked.bettor))
        same = (kind, bettor, round, amount, refers, free) == (
            asked.kind, asked.bettor, asked.round, asked.amount_minor, asked.refers, asked.free
        )  # fmt: skip
        same = same and (kind == "rollback" or abs(promoted) == asked.promoted_minor)
        return Done("ok", balance, number) if same else Done("conflict", self._balance(asked.bettor))

    def _take_in(self, bettor: str, session: str, currency: str) -> None:
        if self.welcome_minor and currency:
            self._connection.execute(
                "INSERT OR IGNORE INTO bettor (name, session, expired, currency, balance) VALUES (?, ?, '', ?, ?)",
                (bettor, session, currency, self.welcome_minor),
            )

    def _known(self, bettor: str) -> Done | None:
        row = self._connection.execute("SELECT 1 FROM bettor WHERE name = ?", (bettor,)).fetchone()
        return None if row else Done("nobody", 0)

    def _playing(self, bettor: str, session: str) -> Done | None:
        """Only who plays on is asked for a session; what he has won is his without one."""
        row = self._connection.execute("SELECT session, locked FROM bettor WHERE name = ?", (bettor,)).fetchone()
        if row[1]:
            return Done("locked", self._balance(bettor))
        return None if row[0] == session else Done("session", self._balance(bettor))

    def _moved(self, asked: TillMovement) -> Done:
        [currency] = self._connection.execute("SELECT currency FROM bettor WHERE name = ?", (asked.bettor,)).fetchone()
        if asked.currency not in ("", currency):
            return Done("currency", self._balance(asked.bettor))
        match asked.kind:
            case "bet":
                return self._bet(asked)
            case "win":
                return self._win(asked)
            case _:
                return self._rolled_back(asked)

    def _bet(self, asked: TillMovement) -> Done:
        balance = self._balance(asked.bettor)
        if refused := self._playing(asked.bettor, asked.session):
            return refused
        if asked.amount_minor < 0 or asked.promoted_minor < 0 or not asked.amount_minor + asked.promoted_minor:
            return Done("amount", balance)
        if asked.amount_minor > balance:
            return Done("funds", balance)
        return self._booked(asked, -asked.amount_minor, -asked.promoted_minor)

    def _win(self, asked: TillMovement) -> Done:
        if asked.amount_minor < 0 or asked.promoted_minor < 0:
            return Done("amount", self._balance(asked.bettor))
        if asked.refers:
            bet = self._movement(asked.refers)
            if bet is None or bet[0] == "tombstone":
                return Done("unknown", self._balance(asked.bettor))
            if bet[2] and not asked.promoted_minor:
                return Done("after_cancel", self._balance(asked.bettor))
        return self._booked(asked, asked.amount_minor, asked.promoted_minor)

    def _rolled_back(self, asked: TillMovement) -> Done:
        undone = self._movement(asked.refers)
        if undone is None:
            stone = (asked.refers, asked.bettor, asked.round, self._balance(asked.bettor))
            self._connection.execute(
                "INSERT INTO movement (id, kind, bettor, round, amount, refers, change, cancelled, balance)"
                " VALUES (?, 'tombstone', ?, ?, 0, '', 0, 1, ?)",
                stone,
            )
        if undone is None or undone[0] == "tombstone":
            return Done("unknown", self._balance(asked.bettor))
        if undone[2]:
            return Done("ok", self._balance(asked.bettor))
        if self._connection.execute(
            "SELECT 1 FROM movement WHERE refers = ? AND kind = 'win' AND NOT cancelled", (asked.refers,)
        ).fetchone():
            return Done("won", self._balance(asked.bettor))
        self._connection.execute("UPDATE movement SET cancelled = 1 WHERE id = ?", (asked.refers,))
        return self._booked(asked, -undone[1], -undone[3])

    def _booked(self, asked: TillMovement, change: int, promoted: int = 0) -> Done:
        self._connection.execute(
            "UPDATE bettor SET balance = balance + ?, promotion = promotion + ? WHERE name = ?",
            (change, promoted, asked.bettor),
        )
        balance = self._balance(asked.bettor)
        row = (
            asked.id, asked.kind, asked.bettor, asked.round, asked.amount_minor, asked.refers, change, balance,
            promoted, asked.free,
        )  # fmt: skip
        number = self._connection.execute(
            "INSERT INTO movement (id, kind, bettor, round, amount, refers, change, balance, promoted, free)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            row,
        ).lastrowid
        return Done("ok", balance, number or 0)

    def _movement(self, id: str) -> tuple[str, int, int, int] | None:
        """Kind, change, whether it was cancelled, and what it changed in the promotion."""
        found: tuple[str, int, int, int] | None = self._connection.execute(
            "SELECT kind, change, cancelled, promoted FROM movement WHERE id = ?", (id,)
        ).fetchone()
        return found

    def _balance(self, bettor: str) -> int:
        row = self._connection.execute("SELECT balance FROM bettor WHERE name = ?", (bettor,)).fetchone()
        return int(row[0]) if row else 0
