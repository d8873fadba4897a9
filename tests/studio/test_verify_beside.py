"""`verify` in two processes: it finds what one finds, in the same order, and never takes silence for soundness."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from test_damage_sought import lose_an_index_entry
from test_verify_command import LIES, Bench, night, played

from studio import side_process
from studio.cli.verify import command
from studio.errors import BadInputError
from studio.journal import Entry, Store, Unit, Writer
from studio.journal.chain import WrongRow
from studio.proof.audit import database
from studio.proof.audit.database import AuditVerdict, verify

LIE = "a settlement never told"


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cores, and every record large enough for them."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1})
    monkeypatch.setattr(database, "BESIDE_FROM", 0)


def lying(path: Path) -> Path:
    """An honest chain around a lie: only the sense finds it."""
    played(Bench(path=str(path)), LIES[LIE][0]).close()
    return path


def edit_a_card(path: Path) -> None:
    """A byte of a row is another: only its chain finds it, before the lie."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER journal_refuses_update")
        connection.execute("UPDATE journal SET body = replace(body, '\"Js\"', '\"Ks\"') WHERE kind = 'ShoeDrewCard'")
        connection.execute("UPDATE journal SET body = body || ' ' WHERE seq = 3")
        connection.commit()


def children() -> list[Any]:
    return multiprocessing.active_children()


def ended(*_: object) -> None:
    """What somebody ends from outside before it has answered."""
    os.kill(os.getpid(), signal.SIGKILL)


def nothing_wrong(_: object) -> None:
    """A process that has nothing to tell."""


MADE: dict[str, tuple[Callable[[Path], Path], Callable[[Path], None], str]] = {
    "nothing wrong": (night, nothing_wrong, ""),
    "a chain": (night, edit_a_card, "journal"),
    "the file": (night, lose_an_index_entry, "file"),
    "the sense": (lying, nothing_wrong, "journal"),
    "a chain and the sense": (lying, edit_a_card, "journal"),
    "the file and the sense": (lying, lose_an_index_entry, "file"),
}


@pytest.mark.parametrize(("made", "harm", "table"), MADE.values(), ids=MADE)
def test_two_processes_find_what_one_finds(
    tmp_path: Path,
    request: pytest.FixtureRequest,
    made: Callable[[Path], Path],
    harm: Callable[[Path], None],
    table: str,
) -> None:
    path = made(tmp_path / "studio.db")
    harm(path)
    alone = verify(path)
    said = CliRunner().invoke(command, [str(path), "--json"])
    request.getfixturevalue("beside")
    together = verify(path)
    assert together == alone
    assert (together.first_wrong.table if together.first_wrong else "") == table
    again = CliRunner().invoke(command, [str(path), "--json"])
    assert (again.stdout, again.exit_code) == (said.stdout, said.exit_code)
    assert again.exit_code == (1 if table else 0)
    assert children() == []


def test_the_chains_are_told_before_the_sense_though_that_came_to_its_end_first(tmp_path: Path, beside: None) -> None:
    path = lying(tmp_path / "studio.db")
    sense = verify(path).first_wrong
    edit_a_card(path)
    chain = verify(path).first_wrong
    assert chain == WrongRow("journal", 3, "The row does not say what it said when it was written.")
    assert sense is not None
    assert sense.seq > chain.seq


def test_the_sense_ends_where_the_chains_do_not_hold(
    tmp_path: Path, beside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_LISTENS_EVERY", 1)
    path = night(tmp_path / "studio.db")
    edit_a_card(path)
    steps: list[int] = []

    def step(seq: int) -> None:
        steps.append(seq)
        for chains in children():
            chains.join()

    wrong = verify(path, step).first_wrong
    assert wrong is not None
    assert (wrong.seq, steps) == (3, [1])


def test_a_sense_that_breaks_is_told_only_where_the_chains_hold(
    tmp_path: Path, beside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(database, "audit", broken)
    path = night(tmp_path / "studio.db")
    with pytest.raises(AssertionError):
        verify(path)
    edit_a_card(path)
    wrong = verify(path).first_wrong
    assert wrong is not None
    assert wrong.seq == 3


@pytest.mark.parametrize("made", [night, lying])
def test_a_process_that_was_ended_is_an_error_and_not_a_verdict(
    tmp_path: Path, beside: None, made: Callable[[Path], Path]
) -> None:
    path = made(tmp_path / "studio.db")

    def step(seq: int) -> None:
        for chains in children():
            chains.kill()
            chains.join()

    with pytest.raises(BadInputError, match=r"was ended before it had answered; start it again\."):
        verify(path, step)


def test_the_command_says_that_a_process_was_ended_and_does_not_pass(
    tmp_path: Path, beside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "check", ended)
    path = night(tmp_path / "studio.db")
    said = CliRunner().invoke(command, [str(path), "--json"])
    assert (list(json.loads(said.stdout)), said.exit_code) == (["error"], 1)
    people = CliRunner().invoke(command, [str(path)])
    assert people.exit_code == 1
    assert "was ended before it had answered; start it again." in people.stderr
    assert people.stdout == ""


def test_the_command_says_that_no_process_can_be_started(
    tmp_path: Path, beside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object) -> None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(side_process._AFRESH.Process, "start", full)
    said = CliRunner().invoke(command, [str(night(tmp_path / "studio.db"))])
    assert said.exit_code == 1
    assert "No process can be started beside this one (Resource temporarily unavailable)" in said.stderr
    assert said.stdout == ""


def test_whoever_leaves_leaves_no_process(tmp_path: Path, beside: None) -> None:
    def step(seq: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify(night(tmp_path / "studio.db"), step)
    assert children() == []


@pytest.mark.parametrize("rows", [0, 10**9], ids=["two processes", "one"])
def test_of_a_record_that_grows_the_rows_that_are_counted_are_looked_at(
    tmp_path: Path, beside: None, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    """What the studio writes meanwhile makes no sense, and is the next one's to find."""
    monkeypatch.setattr(database, "BESIDE_FROM", rows)
    path = night(tmp_path / "studio.db")
    steps: list[int] = []
    with Store.open(path) as store:
        writer = Writer(store)

        def step(seq: int) -> None:
            if not steps:
                writer.commit(Unit((Entry("ShoeLoaded", 1_800_000_000_000, b"{}"),)))
            steps.append(seq)

        verdict = verify(path, step)
        writer.close()
    assert verdict.ok
    assert steps == list(range(1, verdict.events + 1))
    found = verify(path).first_wrong
    assert found is not None
    assert (found.table, found.seq) == ("journal", verdict.events + 1)


def test_a_small_record_and_a_single_core_start_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = night(tmp_path / "studio.db")
    found: list[AuditVerdict] = []
    for cores, rows in (({0, 1}, 10**9), ({0}, 0)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda pid, cores=cores: cores)
        monkeypatch.setattr(database, "BESIDE_FROM", rows)
        monkeypatch.setattr(database, "SideProcess", None)
        found.append(verify(path))
    assert found[0].ok
    assert found[0] == found[1]


def test_a_record_on_a_server_is_read_by_two_processes_as_well(
    tmp_path: Path, postgres_address: str, request: pytest.FixtureRequest
) -> None:
    from dealer_ui.cli import main

    done = CliRunner().invoke(main, ["migrate-to-postgres", str(lying(tmp_path / "studio.db")), postgres_address])
    assert done.exit_code == 0, done.output
    alone = verify(postgres_address)
    assert alone.first_wrong is not None
    request.getfixturevalue("beside")
    assert verify(postgres_address) == alone
    _forget_the_triggers(postgres_address)
    wrong = verify(postgres_address).first_wrong
    assert wrong == WrongRow("journal", 3, "The row does not say what it said when it was written.")


def _forget_the_triggers(address: str) -> None:
    """Edit a row of the journal, as nobody may."""
    from studio.journal.postgres.connection import connect

    with closing(connect(address, reads_only=False)) as owner:
        owner.execute("ALTER TABLE journal DISABLE TRIGGER ALL")
        owner.execute("UPDATE journal SET body = body || ' ' WHERE seq = 3")
        owner.commit()
