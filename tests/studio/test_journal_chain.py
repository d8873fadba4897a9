"""The check of what was stored: every edited cell, every cut and every flipped byte that matters is found."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import BadInputError
from studio.journal import Entry, Store, Unit, Writer
from studio.journal.chain import check
from studio.journal.link import Head, journal_text, link
from studio.money import Offer, Transfer, bettor_account, escrow_account, house_account, operator_account

CELLS = [
    *(("journal", column) for column in ("seq", "at", "kind", "body", "ledger_seq", "hash")),
    *(
        ("ledger", column)
        for column in "seq at round bet kind debit credit amount currency revision hash held_for brought_by".split()  # noqa: SIM905
    ),
    *(("bet", column) for column in "seq id operator client_id bettor table round bet stake currency".split()),  # noqa: SIM905
    *(("balance", column) for column in ("account", "currency", "amount")),
]
TRIGGERS = [
    f"{table}_refuses_{act}" for table in ("journal", "ledger", "bet") for act in ("update", "delete", "disorder")
]


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with three settled rounds of several bets each, and a round still open."""
    path = tmp_path_factory.mktemp("night") / "studio.db"
    with Store.open(path) as store:
        writer = Writer(store)
        writer.commit(Unit(transfers=tuple(_deposit(bettor) for bettor in ("ann", "bob"))))
        for round in ("r1", "r2", "r3"):
            writer.commit(Unit(offers=_offers(round), entries_for_bets=_placed))
            writer.commit(Unit(entries=(_told("CardDealt", round), _told("CardDealt", round))))
            writer.commit(Unit(entries=(_told("RoundSettled", round),), transfers=_settled(round)))
        writer.commit(Unit(offers=_offers("r4"), entries_for_bets=_placed))
        writer.close()
    return path


@pytest.fixture
def copy(night: Path, tmp_path: Path) -> Path:
    return _copied(night, tmp_path)


@pytest.fixture
def edits(copy: Path) -> Iterator[sqlite3.Connection]:
    with closing(_without_triggers(copy)) as connection:
        yield connection


def test_what_was_written_is_right(night: Path) -> None:
    assert check(night) is None


def test_an_empty_database_is_right(tmp_path: Path) -> None:
    Store.open(tmp_path / "studio.db").close()
    assert check(tmp_path / "studio.db") is None


def test_dropping_the_triggers_alone_changes_no_row(copy: Path, edits: sqlite3.Connection) -> None:
    assert check(copy) is None


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_any_edited_cell_is_found(night: Path, data: st.DataObject) -> None:
    edit_a_cell(night, data)


@pytest.mark.night
@settings(max_examples=1000, deadline=None)
@given(data=st.data())
def test_any_of_many_edited_cells_is_found(night: Path, data: st.DataObject) -> None:
    edit_a_cell(night, data)


def edit_a_cell(night: Path, data: st.DataObject) -> None:
    table, column = data.draw(st.sampled_from(CELLS))
    with TemporaryDirectory() as folder:
        path = _copied(night, Path(folder))
        with closing(_without_triggers(path)) as connection:
            keys = [key for (key,) in connection.execute(f"SELECT {_key(table)} FROM {table} ORDER BY 1")]
            key = data.draw(st.sampled_from(keys))
            row = f"FROM {table} WHERE {_key(table)} = ?"
            [was] = connection.execute(f'SELECT "{column}" {row}', (key,)).fetchone()
            connection.execute("PRAGMA ignore_check_constraints = ON")
            try:
                connection.execute(
                    f'UPDATE {table} SET "{column}" = ? WHERE {_key(table)} = ?', (_edited(data, was), key)
                )
            except sqlite3.Error:
                return  # the database still refuses this one: two rows alike, or no JSON
        wrong = check(path)
        assert wrong is not None
        if column != "seq" and table != "balance":
            assert wrong.seq == key
            assert wrong.table == ("journal" if table == "journal" else wrong.table)


@pytest.mark.night
def test_a_byte_flipped_anywhere_in_the_file_is_found_when_it_changes_a_cell(night: Path) -> None:
    content = night.read_bytes()
    before = _cells(night)
    changed = 0
    for at in range(0, len(content), 37):
        with TemporaryDirectory() as folder:
            path = Path(folder) / "studio.db"
            path.write_bytes(content[:at] + bytes((content[at] ^ (1 << at % 8),)) + content[at + 1 :])
            after = _cells(path)
            if after == before:
                continue
            changed += 1
            with suppress(BadInputError):  # no database any more: as loud as a wrong row
                assert check(path) is not None, f"byte {at}"
    assert changed > 50


@pytest.mark.parametrize(
    ("table", "left", "found"), [("ledger", 5, "journal"), ("journal", 3, "ledger")], ids=["ledger", "journal"]
)
def test_a_tail_cut_off_one_chain_is_found(
    copy: Path, edits: sqlite3.Connection, table: str, left: int, found: str
) -> None:
    edits.execute("PRAGMA foreign_keys = OFF")
    edits.execute(f"DELETE FROM {table} WHERE seq > {left}")
    wrong = check(copy)
    assert wrong is not None
    assert wrong.table == found


@pytest.mark.parametrize("table", ["journal", "ledger"])
def test_a_row_taken_from_the_middle_is_missing(copy: Path, edits: sqlite3.Connection, table: str) -> None:
    edits.execute(f"DELETE FROM {table} WHERE seq = 4")
    wrong = check(copy)
    assert wrong is not None
    assert (wrong.table, wrong.seq, wrong.sentence) == (table, 4, "The row is missing.")


def test_a_reserve_without_its_bet_is_found(copy: Path, edits: sqlite3.Connection) -> None:
    edits.execute("DELETE FROM bet WHERE seq = 3")
    wrong = check(copy)
    assert wrong is not None
    assert (wrong.table, wrong.seq) == ("bet", 3)


def test_a_bet_without_a_reserve_is_found(copy: Path, edits: sqlite3.Connection) -> None:
    edits.execute(
        "INSERT INTO bet SELECT 99, 'x', operator, 'x', bettor, \"table\", round, bet, 1, 'EUR', '' FROM bet LIMIT 1"
    )
    wrong = check(copy)
    assert wrong is not None
    assert (wrong.table, wrong.seq) == ("bet", 99)


def test_a_balance_without_transfers_is_found(copy: Path, edits: sqlite3.Connection) -> None:
    edits.execute("INSERT INTO balance (account, currency, amount) VALUES ('bettor:north:eve', 'EUR', 1)")
    wrong = check(copy)
    assert wrong is not None
    assert "bettor:north:eve" in wrong.sentence


def test_a_forged_row_with_a_hash_of_its_own_breaks_the_next_one(copy: Path, edits: sqlite3.Connection) -> None:
    previous = edits.execute("SELECT hash FROM journal WHERE seq = 3").fetchone()[0]
    at_ms, kind, seq = edits.execute("SELECT at, kind, ledger_seq FROM journal WHERE seq = 4").fetchone()
    ledger = Head(seq, edits.execute("SELECT hash FROM ledger WHERE seq = ?", (seq,)).fetchone()[0])
    forged = link(previous, journal_text(4, at_ms, ledger, kind, '{"forged":1}'))
    edits.execute("UPDATE journal SET body = ?, hash = ? WHERE seq = 4", ('{"forged":1}', forged))
    wrong = check(copy)
    assert wrong is not None
    assert (wrong.table, wrong.seq) == ("journal", 5)


def test_a_studio_at_work_can_be_checked(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    with Store.open(path) as store:
        writer = Writer(store)
        writer.commit(Unit(transfers=(_deposit("ann"),)))
        assert check(path) is None
        writer.commit(Unit(entries=(_told("CardDealt", "r1"),)))
        assert check(path) is None


def test_a_file_that_is_no_studio_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "note.db").write_text("this is not a database, but it is longer than a header needs to be" * 20)
    with pytest.raises(BadInputError, match="not a database"):
        check(tmp_path / "note.db")
    with pytest.raises(BadInputError, match="no such database"):
        check(tmp_path / "nothing.db")


def _edited(data: st.DataObject, was: int | str | None) -> int | str:
    if isinstance(was, int):
        return was ^ (1 << data.draw(st.integers(0, 40)))
    was = was or ""
    at = data.draw(st.integers(0, len(was) - 1)) if was else 0
    other = data.draw(st.characters(codec="utf-8").filter(lambda letter: letter != was[at : at + 1]))
    return was[:at] + other + was[at + 1 :]


def _key(table: str) -> str:
    return "account" if table == "balance" else "seq"


def _copied(night: Path, folder: Path) -> Path:
    return Path(shutil.copy(night, folder / "copy.db"))


def _without_triggers(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    for trigger in TRIGGERS:
        connection.execute(f"DROP TRIGGER {trigger}")
    return connection


def _cells(path: Path) -> object:
    """Everything journal, ledger, bet and balance hold; or why that cannot be told."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
            connection.text_factory = bytes
            tables = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in _ordered()}
            return {table: [[(type(cell), cell) for cell in row] for row in rows] for table, rows in tables.items()}
    except (sqlite3.DatabaseError, UnicodeError) as error:
        return type(error)


def _ordered() -> tuple[str, ...]:
    return ("journal NOT INDEXED", "ledger NOT INDEXED", "bet NOT INDEXED", "balance")


def _deposit(bettor: str) -> Transfer:
    return Transfer(
        "", f"d-{bettor}", "deposit", operator_account("north"), bettor_account("north", bettor), 10_000, "EUR"
    )


def _offers(round: str) -> tuple[Offer, ...]:
    return tuple(
        Offer(f"{round}-{bettor}", "north", f"c-{round}-{bettor}", bettor, "t1", round, "ante", 100, "EUR")
        for bettor in ("ann", "bob")
    )


def _placed(offers: object) -> Iterator[Entry]:
    yield Entry("BetsPlaced", 20, b'{"table":"t1"}')


def _told(kind: str, round: str) -> Entry:
    return Entry(kind, 30, f'{{"round":"{round}","table":"t1"}}'.encode())


def _settled(round: str) -> tuple[Transfer, ...]:
    escrow, house = escrow_account(round), house_account("t1")
    return (
        Transfer(round, f"{round}-ann", "post", escrow, house, 100, "EUR"),
        Transfer(round, f"{round}-ann", "return", house, bettor_account("north", "ann"), 200, "EUR"),
        Transfer(round, f"{round}-bob", "void", escrow, bettor_account("north", "bob"), 100, "EUR"),
    )


def test_bytes_that_are_no_text_are_a_row_that_says_something_else(copy: Path, edits: sqlite3.Connection) -> None:
    """It can be read all the same, and is found at its own number."""
    for table, column, seq in (("journal", "kind", 5), ("ledger", "round", 4), ("bet", "bettor", 3)):
        before = edits.execute(f"SELECT {column} FROM {table} WHERE seq = ?", (seq,)).fetchone()[0]
        edits.execute(f"UPDATE {table} SET {column} = CAST(x'ff41' AS TEXT) WHERE seq = ?", (seq,))
        wrong = check(copy)
        assert wrong is not None
        assert wrong.seq == seq
        assert "cannot be read" not in wrong.sentence
        edits.execute(f"UPDATE {table} SET {column} = ? WHERE seq = ?", (before, seq))
    assert check(copy) is None
