"""A year closed and archived whole: both files are sound, one history, every balance carried, or nothing is changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from table_bench import DEAL, PIT, Bench

from dealer_ui.cli import main
from studio.care.event import BooksOpened, PursesCarried, entry_of, read_care
from studio.care.signing import signer_beside
from studio.cli.archive import command
from studio.cli.verify import command as verify_command
from studio.errors import BadInputError
from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.journal.reader import origin
from studio.money import CARRIED_ACCOUNT, Transfer, bettor_account, operator_account
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


def forged(db: Path, spoil: Callable[[list[Entry], list[Transfer]], None]) -> Path:
    """A new year written anew over the same archive, sound by itself, that begins with something else."""
    path = db.with_name("forged.db")
    with Reader.open(db) as reader, Store.open(path) as store:
        first, *rest = reader.events()
        moved = [one.transfer for one in reader.postings("carried:2026")]
        entries = [Entry(row.kind, row.at_ms, row.body) for row in rest]
        spoil(entries, moved)
        for chain in ("journal", "ledger"):
            store.connection.execute("INSERT INTO origin VALUES (?, ?, ?)", (chain, *origin(reader, chain)))
        opened = read_care(first.body)
        assert isinstance(opened, BooksOpened)
        opened = msgspec.structs.replace(opened, accounts=len(moved))
        writer = Writer(store)
        writer.commit(Unit(entries=(entry_of(opened),), transfers=tuple(moved)))
        writer.commit(Unit(entries=tuple(entries)))
        writer.close()
    assert run(verify_command, path).exit_code == 0
    return path


def richer(entries: list[Entry], moved: list[Transfer]) -> None:
    """Ann has a euro more, and the operator gave it."""
    for at, one in enumerate(moved):
        if one.credit == bettor_account("north", "ann") or one.debit == operator_account("north"):
            moved[at] = msgspec.structs.replace(one, amount_minor=one.amount_minor + 100)


def of_nobody(entries: list[Entry], moved: list[Transfer]) -> None:
    zoe, west = bettor_account("west", "zoe"), operator_account("west")
    moved.append(Transfer("carried:2026", f"{zoe} EUR", "carry", CARRIED_ACCOUNT, zoe, 100, "EUR"))
    moved.append(Transfer("carried:2026", f"{west} EUR", "carry", west, CARRIED_ACCOUNT, 100, "EUR"))


def noted_otherwise(entries: list[Entry], moved: list[Transfer]) -> None:
    [at] = [at for at, one in enumerate(entries) if one.kind == "Noted"]
    entries[at] = Entry("Noted", entries[at].at_ms, b'{"notes": {"else": 1}}')


def of_another_day(entries: list[Entry], moved: list[Transfer]) -> None:
    """Her purse would not become dormant for a year more."""
    [at] = [at for at, one in enumerate(entries) if one.kind == "PursesCarried"]
    told = read_care(entries[at].body)
    assert isinstance(told, PursesCarried)
    later = [msgspec.structs.replace(one, moved_ms=one.moved_ms + 1) for one in told.purses]
    entries[at] = entry_of(msgspec.structs.replace(told, purses=tuple(later)))


def told_twice(entries: list[Entry], moved: list[Transfer]) -> None:
    entries.extend([one for one in entries if one.kind == "PursesCarried"])


def forgotten(entries: list[Entry], moved: list[Transfer]) -> None:
    entries[:] = [one for one in entries if one.kind != "TableCarried"]


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (richer, "The archive leaves 575.00 EUR in bettor:north:ann, which is carried as 576.00 EUR."),
        (of_nobody, "bettor:west:zoe begins with 1.00 EUR, and the archive leaves nothing there"),
        (noted_otherwise, "carries a Noted that does not say what the archive says"),
        (of_another_day, "carries a PursesCarried that does not say what the archive says"),
        (told_twice, "tells since when purses lie there that are none of the archive's"),
        (forgotten, "A row TableCarried of the archive is not carried"),
    ],
)
def test_a_year_that_begins_with_what_no_archive_has_is_told(
    db: Path, tmp_path: Path, spoil: Callable[[list[Entry], list[Transfer]], None], says: str
) -> None:
    assert close_year(db, tmp_path / "archive").exit_code == 0
    archived = tmp_path / "archive" / "studio-2026" / "studio.db"
    assert run(verify_command, forged(db, lambda entries, moved: None), "--archive", archived).exit_code == 0
    (tmp_path / "forged.db").unlink()
    said = run(verify_command, forged(db, spoil), "--archive", archived)
    assert (said.exit_code, says in said.output) == (1, True), said.output
