"""`kill -9` of a running studio: nothing acknowledged is lost, nothing is paid twice, the round comes back held."""

from __future__ import annotations

import random
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from studio.journal import Reader
from studio.money import bettor_account
from studio.proof.audit.database import verify
from studio.tables.config import TableConfig
from studio.tables.event import table as e
from studio.tables.fold.table import evolve
from studio.tables.state.table import TableState

sys.path.insert(0, str(Path(__file__).parents[1] / "dealer_ui"))
from patience import PATIENCE_S
from studio_process import StudioProcess

from studio.tables.event.record import read_body

TABLE = "three-knights-1"
OPERATOR, BETTOR = "demo", "kate"
DEPOSIT_MINOR = 1_000_000
BATCH = 20
KILLS_MAX = 20
"""On a slow machine a kill may come between two rounds, again and again; hardly so often."""
STARTS_S = PATIENCE_S
"""A studio that has not taken a bet by then is looked at."""


@dataclass
class Bettor:
    """Bets all the time, and remembers every answer it got: what was acknowledged, and what it never heard of."""

    ids: Iterator[int] = field(default_factory=count)
    acknowledged: dict[str, dict[str, Any]] = field(default_factory=dict)
    unheard: set[str] = field(default_factory=set)
    deposits: set[str] = field(default_factory=set)
    fresh: threading.Event = field(default_factory=threading.Event)

    def run(self, studio: StudioProcess, over: threading.Event) -> None:
        while not over.is_set():
            try:
                self._act(studio, over)
            except OSError:
                over.wait(0.02)

    def _act(self, studio: StudioProcess, over: threading.Event) -> None:
        client_id = f"d{next(self.ids)}"
        if not self.deposits:
            status, _ = studio.ask("POST", f"/bettors/{BETTOR}/deposits", deposit(client_id))
            if status == 200:
                self.deposits.add(client_id)
        bets = [bet(f"k{next(self.ids)}") for _ in range(BATCH)]
        self.unheard |= {one["client_id"] for one in bets}
        status, said = studio.ask("POST", f"/tables/{TABLE}/bets", {"bets": bets})
        if status != 200:
            over.wait(0.03)
            return
        for one, answer in zip(bets, said["answers"], strict=True):
            self.unheard.discard(one["client_id"])
            if answer["status"] == "accepted":
                self.acknowledged[one["client_id"]] = one
                self.fresh.set()
        if said["answers"][0]["status"] == "refused":
            over.wait(0.03)


def deposit(client_id: str) -> dict[str, Any]:
    return {"client_id": client_id, "amount": DEPOSIT_MINOR}


def bet(client_id: str) -> dict[str, Any]:
    return {"client_id": client_id, "bettor": BETTOR, "bet": "player1_win", "stake": 100}


@pytest.mark.parametrize("kills", [1, pytest.param(2, marks=pytest.mark.night)])
def test_a_table_killed_at_random_points_loses_nothing_and_comes_back_held(tmp_path: Path, kills: int) -> None:
    database = tmp_path / "studio.db"
    chance = random.Random(kills)
    bettor = Bettor()
    killed = met = 0
    while killed < kills or not met:
        assert killed < KILLS_MAX, "no kill met a round"
        run_and_kill(database, bettor, chance)
        check_money(database, bettor)
        killed, met = killed + 1, met + is_dealing(database)
    assert len(bettor.acknowledged) > killed
    with StudioProcess.demo(database) as studio:
        studio.table(TABLE)
    check_restarts(database, killed)
    check_money(database, bettor)


def run_and_kill(database: Path, bettor: Bettor, chance: random.Random) -> None:
    """Start the studio on what the last kill left, let it take bets for a while, and kill it."""
    over = threading.Event()
    bettor.fresh.clear()
    with StudioProcess.demo(database, "--auto", "--speed", "20") as studio:
        betting = threading.Thread(target=bettor.run, args=(studio, over))
        betting.start()
        try:
            assert bettor.fresh.wait(STARTS_S), studio.table(TABLE)
            over.wait(chance.uniform(0, 2.5))
            studio.kill()
        finally:
            over.set()
            betting.join()


def check_money(database: Path, bettor: Bettor) -> None:
    """The chains and every settlement are right; each acknowledged bet is there once, paid at most once."""
    verdict = verify(database)
    assert verdict.ok, verdict
    with Reader.open(database) as reader:
        for client_id, one in bettor.acknowledged.items():
            found = reader.bet_status(OPERATOR, client_id)
            assert found is not None, f"{client_id} was acknowledged and is lost"
            assert (found.bet.bettor, found.bet.bet, found.bet.stake_minor) == (BETTOR, one["bet"], one["stake"])
        kept = {one.bet.client_id for one in reader.bets_of(OPERATOR, BETTOR, 10**6)}
        assert kept - set(bettor.acknowledged) <= bettor.unheard
        balance = reader.balance(bettor_account(OPERATOR, BETTOR))
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        twice = connection.execute(
            "SELECT bet, kind FROM ledger WHERE round <> '' GROUP BY bet, kind, revision HAVING count(*) > 1"
        ).fetchall()
        both = connection.execute(
            "SELECT bet FROM ledger WHERE kind IN ('post', 'void') GROUP BY bet HAVING count(*) > 1"
        ).fetchall()
        purse = bettor_account(OPERATOR, BETTOR)
        moved = connection.execute(
            "SELECT sum(CASE WHEN credit = ?1 THEN amount ELSE -amount END) FROM ledger WHERE ?1 IN (credit, debit)",
            (purse,),
        ).fetchone()[0]
    assert (twice, both) == ([], [])
    assert moved == balance


def is_dealing(database: Path) -> bool:
    """Whether the record ends in the middle of a round."""
    state = TableState(TableConfig(key=TABLE, title="", game="three_knights"))
    with Reader.open(database) as reader:
        for row in reader.events(table=TABLE):
            state = evolve(state, read_body(row.body).event, row.at_ms)
    return state.round is not None and state.round.live


def check_restarts(database: Path, restarts: int) -> None:
    """After each restart the state is what it was before, but held where a round was being dealt."""
    state = TableState(TableConfig(key=TABLE, title="", game="three_knights"))
    waiting: TableState | None = None
    seen = held = 0
    with Reader.open(database) as reader:
        for row in reader.events(table=TABLE):
            event = read_body(row.body).event
            if waiting is not None:
                assert isinstance(event, e.IncidentOpened), event
                assert (event.incident, event.holds) == ("restart", True)
                held += 1
            before, state = state, evolve(state, event, row.at_ms)
            if waiting is not None:
                assert state.held
                assert state.round == waiting.round
                waiting = None
            if isinstance(event, e.TableRestarted):
                seen += 1
                assert state.round == before.round
                waiting = before if before.round is not None and before.round.live else None
    assert seen == restarts
    assert held > 0, "no kill met a round"
