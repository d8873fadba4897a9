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

import msgspec
import pytest
from click.testing import CliRunner
from poker_bench import NLH, PokerBench
from test_damage_sought import lose_an_index_entry
from test_verify_command import LIES, Bench, night, played

from studio import side_process
from studio.cli.verify import command
from studio.errors import BadInputError
from studio.journal import Entry, Store, Unit, Writer, chain
from studio.journal.chain import WrongRow
from studio.journal.extract.walk import Extent
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


def ask_for_work_without_end(path: Path) -> None:
    """A dozen letters of a configured number now stand for one that no memory holds: its chain finds it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER journal_refuses_update")
        edited = connection.execute(
            "UPDATE journal SET body = json_set(body, '$.event.config.rules.rake_percent', '1e999999999')"
            " WHERE kind = 'TableConfigured'"
        )
        assert edited.rowcount == 1
        connection.commit()


def raked(path: Path) -> Path:
    """A table of the poker room, of which the house takes its share."""
    rules = {"rake_percent": "5", "rake_cap": 30}
    bench = PokerBench(config=msgspec.structs.replace(NLH, rules=rules), path=str(path)).open()
    bench.hand()
    bench.close()
    return path


def children() -> list[Any]:
    return multiprocessing.active_children()


Tell = Callable[[object], None]


def ended(place: Path, tell: Tell) -> None:
    """What somebody ends from outside before it has told anything."""
    os.kill(os.getpid(), signal.SIGKILL)


def ended_midway(place: Path, tell: Tell) -> None:
    """What somebody ends from outside when it has told how much there is, and come to the first row."""
    tell(Extent(7, 8, 9, 8))
    tell(1)
    os.kill(os.getpid(), signal.SIGKILL)


def stuck(place: Path, tell: Tell) -> None:
    """A row that costs more work than anybody has time for; an interrupt from its parent would not be heard."""
    tell(Extent(7, 8, 9, 8))
    signal.pause()


def broken(place: Path, tell: Tell) -> None:
    raise AssertionError


def nothing_wrong(_: object) -> None:
    """A process that has nothing to tell."""


MADE: dict[str, tuple[Callable[[Path], Path], Callable[[Path], None], str]] = {
    "nothing wrong": (night, nothing_wrong, ""),
    "a chain": (night, edit_a_card, "journal"),
    "the file": (night, lose_an_index_entry, "file"),
    "the sense": (lying, nothing_wrong, "journal"),
    "a chain, of work without end": (raked, ask_for_work_without_end, "journal"),
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
    found = verify(path).first_wrong
    assert found == WrongRow("journal", 3, "The row does not say what it said when it was written.")
    assert sense is not None
    assert sense.seq > found.seq


def test_a_row_that_costs_work_without_end_withholds_no_verdict(
    tmp_path: Path, beside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has checked that row yet when its sense is looked for."""
    monkeypatch.setattr(database, "make_sense", stuck)
    path = night(tmp_path / "studio.db")
    edit_a_card(path)
    verdict = verify(path)
    assert verdict.first_wrong is not None
    assert (verdict.first_wrong.seq, verdict.rounds, verdict.events, verdict.entries) == (3, 7, 8, 9)
    assert children() == []


@pytest.mark.parametrize("sense", [ended, ended_midway, broken], ids=["ended", "ended midway", "broken"])
def test_the_chains_are_told_though_the_sense_came_to_a_bad_end(
    tmp_path: Path, beside: None, monkeypatch: pytest.MonkeyPatch, sense: Callable[..., None]
) -> None:
    monkeypatch.setattr(database, "make_sense", sense)
    path = night(tmp_path / "studio.db")
    edit_a_card(path)
    wrong = verify(path).first_wrong
    assert wrong is not None
    assert wrong.seq == 3


def test_a_sense_that_breaks_is_told_where_the_chains_hold(
    tmp_path: Path, beside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "make_sense", broken)
    with pytest.raises(AssertionError):
        verify(night(tmp_path / "studio.db"))


@pytest.mark.parametrize("sense", [ended, ended_midway], ids=["at once", "midway"])
def test_a_process_that_was_ended_is_an_error_and_not_a_verdict(
    tmp_path: Path, beside: None, monkeypatch: pytest.MonkeyPatch, sense: Callable[..., None]
) -> None:
    monkeypatch.setattr(database, "make_sense", sense)
    with pytest.raises(BadInputError, match=r"was ended before it had answered; start it again\."):
        verify(night(tmp_path / "studio.db"))


def test_how_far_the_sense_has_come_is_told_while_the_chains_are_read(
    tmp_path: Path, beside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = night(tmp_path / "studio.db")
    steps: list[int] = []

    def slow(place: Path, meanwhile: Callable[[], None]) -> None:
        for sense in children():
            sense.join()
        monkeypatch.setattr(chain, "_MEANWHILE", 1)
        assert chain.check(place, meanwhile) is None
        assert steps == list(range(1, steps[-1] + 1))

    monkeypatch.setattr(database, "check", slow)
    assert verify(path, steps.append).events == len(steps)


def test_of_a_large_record_it_is_told_so_often_that_nobody_needs_to_listen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = night(tmp_path / "studio.db")
    monkeypatch.setattr(database, "TOLD", 5)
    steps: list[int] = []
    events = verify(path, steps.append).events
    assert steps == list(range(events // 5, events + 1, events // 5))


def test_the_command_tells_its_progress_as_one_process_does(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = night(tmp_path / "studio.db")
    alone = CliRunner().invoke(command, [str(path), "--json", "--progress"]).stdout
    request.getfixturevalue("beside")
    assert CliRunner().invoke(command, [str(path), "--json", "--progress"]).stdout == alone
    assert '{"percent": 99}' in alone


def test_the_command_says_that_a_process_was_ended_and_does_not_pass(
    tmp_path: Path, beside: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "make_sense", ended)
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
