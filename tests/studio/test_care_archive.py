"""A year closed and archived whole: both files are sound, one history, every balance carried, or nothing is changed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from table_bench import DEAL, PIT, Bench

from dealer_ui.cli import main
from studio.care.signing import signer_beside
from studio.cli.archive import command
from studio.cli.verify import command as verify_command
from studio.errors import BadInputError
from studio.journal import Entry, Reader, Store, Unit
from studio.journal.reader import origin
from studio.money import bettor_account
from studio.reports import ReportAsked, cut, find_kind
from studio.tables import command as c
from studio.tables.config import TableConfig


def run(verb: object, *args: object) -> Result:
    return CliRunner().invoke(verb, [str(arg) for arg in args])  # type: ignore[arg-type]


def close_year(db: Path, into: Path) -> Result:
    return run(command, db, 2026, "--to", into, "--by", "Mika")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return settled_year(tmp_path / "studio.db")


def settled_year(path: Path) -> Path:
    """A database of one settled round, its table closed and its studio stopped."""
    table = Bench(path=str(path))
    table.open().deposit(50_000)
    table.start().betting(("player1_tie", 1000), ("player2_win", 500)).deal(*DEAL)
    table.finish()
    table.clear()
    table.do(c.CloseTable, PIT)
    table.writer.commit(Unit(entries=(Entry("Noted", table.now, b'{"notes": {}}'),)))
    table.close()
    signer_beside(path, lambda count: bytes(range(count)))
    return path


def test_the_new_database_goes_on_from_the_archive_and_both_are_one_history(db: Path, tmp_path: Path) -> None:
    with Reader.open(db) as reader:
        before, head = reader.balance(bettor_account("north", "ann")), reader.head()
    said = close_year(db, tmp_path / "archive")
    assert said.exit_code == 0, said.output
    archived = tmp_path / "archive" / "studio-2026" / "studio.db"
    with Reader.open(db) as reader, Reader.open(archived) as old:
        assert reader.balance(bettor_account("north", "ann")) == before
        assert (origin(reader, "journal"), origin(reader, "ledger")) == (old.head(), old.ledger_head())
        assert [row.kind for row in old.events(after_seq=head.seq)] == ["YearClosed", "CheckpointSigned"]
        assert [row.kind for row in reader.events()][:2] == ["BooksOpened", "Noted"]
        assert next(reader.events()).seq == old.head().seq + 1
    both = run(verify_command, db, "--archive", archived)
    assert (both.exit_code, "one history" in both.output) == (0, True)
    assert "name that with --archive" in run(verify_command, db).output
    assert sorted(path.name for path in tmp_path.iterdir() if "studio.db" in path.name) == [
        "studio.db", "studio.db.keys", "studio.db.lock", "studio.db.signing", "studio.db.until-2026",
    ]  # fmt: skip


def test_a_table_plays_on_with_its_next_number(db: Path, tmp_path: Path) -> None:
    assert close_year(db, tmp_path / "archive").exit_code == 0
    table = Bench(path=str(db))
    with table.store.reader() as reader:
        table.table = _restored(table, table.config)
        table.table.start(table.config, table.now)
        assert reader.head().seq == table.table.seq
    table.open()
    table.start().betting(("player1_tie", 1000)).deal(*DEAL)
    assert (table.round.number, table.round.id) == (2, "t1-0000002")
    table.finish()
    table.close()
    assert run(verify_command, db, "--archive", tmp_path / "archive/studio-2026/studio.db").exit_code == 0


def _restored(table: Bench, config: TableConfig) -> object:
    from studio.tables.run.runtime import TableRuntime

    runtime = TableRuntime(config, table._commit, lambda state, book, seq: None)
    with table.store.reader() as reader:
        runtime.restore(reader.events(table=config.key), table.store.keyring.lookup)
    return runtime


def test_nothing_is_added_to_an_archive_by_who_names_the_wrong_file(db: Path, tmp_path: Path) -> None:
    """One row more, and the next year goes on from another record than this."""
    assert close_year(db, tmp_path / "archive").exit_code == 0
    archived = tmp_path / "archive" / "studio-2026" / "studio.db"
    kept = archived.read_bytes()
    who = ("--id", "a1", "--badge", "100", "--name", "Aiko", "--role", "admin")
    for args in (
        ("staff", "add", "--db", archived, *who),
        ("program", "accept", "--db", archived, "--by", "Mika", "--reason", "new"),
    ):
        said = run(main, *args)
        assert said.exit_code == 1
        assert "This is the archive of a closed year, and nothing is added to it" in said.output
    with pytest.raises(BadInputError, match="archive of a closed year"):
        Store.open(archived)
    assert archived.read_bytes() == kept
    assert run(verify_command, db, "--archive", archived).exit_code == 0


def test_what_is_to_be_typed_afterwards_can_be_typed_as_it_stands(db: Path, tmp_path: Path) -> None:
    assert f"--archive '{tmp_path}/old years/studio-2026/studio.db'\n" in close_year(db, tmp_path / "old years").output


def test_an_archive_of_another_history_is_told(db: Path, tmp_path: Path) -> None:
    close_year(db, tmp_path / "archive")
    archived = tmp_path / "archive" / "studio-2026" / "studio.db"
    with closing(sqlite3.connect(archived)) as edits:
        edits.execute("DROP TRIGGER journal_refuses_delete")
        edits.execute("DELETE FROM journal WHERE seq = (SELECT max(seq) FROM journal)")
        edits.commit()
    said = run(verify_command, db, "--archive", archived)
    assert (said.exit_code, "are not of one history, or one of them was cut" in said.output) == (1, True)


def test_a_balance_that_was_carried_wrongly_is_found(db: Path, tmp_path: Path) -> None:
    close_year(db, tmp_path / "archive")
    with closing(sqlite3.connect(db)) as edits:
        edits.execute("DROP TRIGGER ledger_refuses_update")
        edits.execute("UPDATE ledger SET amount = amount + 1 WHERE kind = 'carry'")
        edits.commit()
    assert run(verify_command, db).exit_code == 1


@pytest.mark.parametrize("left", ["a round", "an open table"])
def test_a_table_that_is_not_at_rest_closes_no_year(tmp_path: Path, left: str) -> None:
    path = tmp_path / "studio.db"
    table = Bench(path=str(path))
    table.open().deposit(50_000)
    if left == "a round":
        table.start().betting(("player1_tie", 1000))
    table.close()
    signer_beside(path, bytes)
    before = path.read_bytes()
    said = close_year(path, tmp_path / "archive").output
    assert "is not at rest" in said or "Money still lies in escrow:" in said
    assert path.read_bytes() == before
    assert not (tmp_path / "archive").exists()
    assert not (tmp_path / "studio.db.next").exists()


def test_a_year_is_closed_once_and_not_under_a_running_studio(db: Path, tmp_path: Path) -> None:
    held = Bench(path=str(db))
    assert "Another studio is using it" in close_year(db, tmp_path / "archive").output
    held.store.close()
    (tmp_path / "archive").mkdir(exist_ok=True)
    assert "is not at rest" not in close_year(db, tmp_path / "archive").output
    assert "It is there already" in close_year(db, tmp_path / "archive").output


def test_what_a_new_year_begins_with_is_told_as_carried(db: Path, tmp_path: Path) -> None:
    assert close_year(db, tmp_path / "archive").exit_code == 0
    with Reader.open(db) as reader:
        report = find_kind("closing").make(ReportAsked(reader, cut(reader, None, None)))
    assert not report.loud
    for key in ("operators", "house"):
        sheet = report.sheet(key)
        assert "other" not in [column.key for column in sheet.columns]
        assert [row[sheet.place("carried")] for row in sheet.rows] == [
            row[sheet.place("closing")] for row in sheet.rows
        ]
    assert "carried" not in [row[0] for row in report.sheet("house").rows]
