"""Measures a round with a hundred thousand bettors who all decide, from bets to settlement.

Everything goes the operators' way, over HTTP in batches to a studio in a process of its own. Beside each figure stand
the same rows inserted bare. Afterwards every bettor's returns and purse are compared with what he is owed.
"""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

import msgspec

from bench.crowd import PURSE_MINOR, WINDOWS, Crowd
from bench.crowd_studio import CrowdedTable, crowded_table
from bench.figure import Figure
from bench.serving_studio import API_KEY, TABLE
from dealer_ui.api.door import PREFIX
from studio.cards import parse_cards
from studio.games.ultimate_holdem import ULTIMATE_HOLDEM as GAME
from studio.journal.sqlite.schema import LEDGER, LEDGER_COLUMNS, LEDGER_INDEXES

BETTORS: Final = 100_000
BATCH: Final = 1_000
OPERATORS: Final = 2
WINDOW_S: Final = 15.0
MEMORY_MIB_MAX: Final = 1_024
_LEDGER: Final = "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_BET: Final = "INSERT INTO bet VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_BET_TABLE: Final = """
CREATE TABLE bet (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, operator TEXT, client_id TEXT, bettor TEXT,
"table" TEXT, round TEXT, bet TEXT, stake INTEGER, currency TEXT, free TEXT,
UNIQUE (operator, client_id))
"""


def measure(bettors: int = BETTORS) -> Sequence[Figure]:
    crowd = Crowd(bettors)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with crowded_table(folder, bettors) as table, _reading(folder / "studio.db") as database:
            bare = _Bare(database, folder / "bare.db")
            count, house_s, busy_s = _send(table, "bets", crowd.bets(BATCH))
            figures = [_seconds(f"{count:,} bets, each ante with its blind", house_s, bare.again())]
            figures.append(_busy(busy_s))
            closed_s = []
            for window in range(len(WINDOWS)):
                closed_s.append(table.do("next")["seconds"])
                bare.again()
                count, house_s, busy_s = _send(table, "decisions", crowd.decisions(window, BATCH))
                figures.append(_seconds(f"{count:,} decisions in window {window + 1}", house_s, bare.again(), WINDOW_S))
                figures.append(_busy(busy_s))
            closed_s.append(table.do("next")["seconds"])
            figures.append(
                Figure(name="a window closed, the cards to the next dealt, at worst", value=max(closed_s), unit="s")
            )
            figures.append(_seconds("the round settled", table.do("finish")["seconds"], bare.again()))
            figures.append(_memory(table.memory_mib()))
            figures.append(_wrong(database, crowd))
            bare.close()
    return figures


def _seconds(name: str, house_s: float, bare_s: float, most_s: float | None = None) -> Figure:
    target = "" if most_s is None else f"≤ {most_s:.0f} s, the window"
    holds = None if most_s is None else house_s <= most_s
    return Figure(
        name=name, value=house_s, unit="s", raw=bare_s, raw_name="same rows, bare", target=target, holds=holds
    )


def _busy(busy_s: float) -> Figure:
    """What the same costs the studio, however much else the machine has to do."""
    return Figure(name="  of the studio's own processor time", value=busy_s, unit="s")


def _memory(mib: float) -> Figure:
    most = f"≤ {MEMORY_MIB_MAX:,} MiB"
    return Figure(name="the studio's memory at most", value=mib, unit="MiB", target=most, holds=mib <= MEMORY_MIB_MAX)


# --- the operators' side --------------------------------------------------------------------------------


def _send(table: CrowdedTable, what: str, batches: Iterable[Sequence[Any]]) -> tuple[int, float, float]:
    """How many were sent, how long it took until every one of them was accepted, and the studio's processor time."""
    bodies, count = [], 0
    for batch in batches:
        bodies.append(msgspec.json.encode({what: batch}))
        count += len(batch)
    port, busy_s, began = table.port, table.processor_s(), time.perf_counter()
    with ThreadPoolExecutor(OPERATORS) as operators:
        for done in [operators.submit(_post_all, port, what, bodies[n::OPERATORS]) for n in range(OPERATORS)]:
            done.result()
    return count, time.perf_counter() - began, table.processor_s() - busy_s


def _post_all(port: int, what: str, bodies: Sequence[bytes]) -> None:
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        for body in bodies:
            connection.request("POST", f"{PREFIX}/tables/{TABLE}/{what}", body, headers)
            answer = connection.getresponse()
            said = answer.read()
            assert answer.status == 200, said[:300]
            answers = msgspec.json.decode(said)["answers"]
            refused = [one for one in answers if one["status"] != "accepted"]
            assert not refused, refused[0]


# --- beside it: the same rows, bare ---------------------------------------------------------------------


class _Bare:
    """The rows the house has written since the last time, inserted again with nothing around them."""

    def __init__(self, database: sqlite3.Connection, path: Path) -> None:
        self._database = database
        self._connection = sqlite3.connect(path, isolation_level=None)
        for statement in (
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            LEDGER,
            *LEDGER_INDEXES,
            _BET_TABLE,
        ):
            self._connection.execute(statement)
        self._seq = 0
        self.again()

    def again(self) -> float:
        ledger, bets = (
            self._database.execute(f"SELECT {columns} FROM {table} WHERE seq > ? ORDER BY seq", (self._seq,)).fetchall()
            for table, columns in (("ledger", LEDGER_COLUMNS), ("bet", "*"))
        )
        began = time.perf_counter()
        for start in range(0, len(ledger), BATCH):
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(_LEDGER, ledger[start : start + BATCH])
            self._connection.executemany(_BET, bets[start : start + BATCH])
            self._connection.execute("COMMIT")
        took_s = time.perf_counter() - began
        self._seq = ledger[-1][0] if ledger else self._seq
        return took_s

    def close(self) -> None:
        self._connection.close()


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        yield connection


# --- every bettor's record ------------------------------------------------------------------------------


def _wrong(database: sqlite3.Connection, crowd: Crowd) -> Figure:
    """How many bettors' bets, returns or purses are not what they are owed, and cents that came from nowhere."""
    placed: dict[str, dict[str, tuple[int, int]]] = {}
    for bettor, bet, stake, returned in database.execute(
        "SELECT bettor, bet.bet, stake, coalesce(amount, 0) FROM bet LEFT JOIN ledger ON ledger.round = bet.round"
        " AND ledger.round <> '' AND ledger.bet = bet.id AND ledger.kind = 'return'"
    ):
        placed.setdefault(bettor, {})[bet] = (stake, returned)
    purses = dict(database.execute("SELECT account, amount FROM balance WHERE account LIKE 'bettor:%'"))
    wrong = 0
    for at, owed in enumerate(crowd.owed(_outcome(database))):
        name, stakes = crowd.name(at), crowd.stakes(at)
        due = {bet: (stake, owed[bet]) for bet, stake in stakes.items()}
        purse = PURSE_MINOR - sum(stakes.values()) + sum(owed.values())
        wrong += placed.get(name) != due or purses.get(f"bettor:north:{name}") != purse
    [lost] = database.execute("SELECT sum(amount) FROM balance").fetchone()
    right = wrong == 0 and lost == 0 and len(placed) == crowd.bettors
    return Figure(name="records of bettors that are wrong", value=wrong + abs(lost), unit="", target="0", holds=right)


def _outcome(database: sqlite3.Connection) -> Any:
    [body] = database.execute("SELECT body FROM journal WHERE kind = 'ResultDeclared'").fetchone()
    said = msgspec.json.decode(body)["event"]["outcome"]
    return GAME.deal.outcome(
        GAME.options.defaults, {box: parse_cards(" ".join(said[box]["cards"])) for box in GAME.felt.boxes}
    )
