"""`export`, `doctor`, `backup` and `restore` of a record in PostgreSQL; and what a host is refused for there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from private_postgres import PostgresServer
from report_night import play

from dealer_ui.cli import main
from studio.care.signing import signer_beside
from studio.errors import BadInputError, StorageError
from studio.journal import DeviceClashError, Entry, Reader, Store, Unit, Writer
from studio.journal.chain import check
from studio.journal.postgres.connection import connect
from studio.journal.postgres.engine import PostgresEngine
from studio.journal.reader import held_at
from studio.money import Transfer, bettor_account, operator_account
from studio.reports.record.period import cut, seq_before

KINDS = [
    "incident",
    "exception",
    "significant",
    "access",
    "shift",
    "closing",
    "purses",
    "table",
    "dealer",
    "collusion",
    "returns",
    "cards",
    "decks",
    "uptime",
]
STRANGER = Path(__file__).with_name("stranger.py")


def said(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("night"), rounds=3)


@pytest.fixture
def two_books(night: Path, postgres_address: str) -> str:
    """The night's record carried over, and rows of a second host beside it."""
    done = said("migrate-to-postgres", night, postgres_address)
    assert done.exit_code == 0, done.output
    for host in ("b", "studio", "b"):
        with Store.open(postgres_address, host=host) as store, store.reader() as reader:
            at_ms = reader.newest_ms()
            paid = Transfer(
                "", f"{host}-{at_ms}", "deposit", operator_account("north"), bettor_account("north", "ann"), 7, "EUR"
            )
            Writer(store).commit(Unit((Entry("Said", at_ms + 1, b"{}"),), (paid,)))
    return postgres_address


# --- export ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["studio", "b"])
def test_the_book_of_a_host_is_exported_and_a_stranger_finds_it_whole(
    two_books: str, tmp_path: Path, host: str
) -> None:
    signer = signer_beside(tmp_path / "a.db", lambda count: bytes(range(count)))
    out, beside = tmp_path / "out.jsonl", ("--signed-beside", tmp_path / "a.db")
    done = said("export", two_books, "--host", host, "--out", out, *beside)
    assert done.exit_code == 0, done.output
    assert f"They are the book of the host {host}" in done.output
    strangers = subprocess.run(
        [sys.executable, str(STRANGER), str(out), signer.public_key], capture_output=True, text=True, check=False
    )
    assert strangers.returncode == 0, strangers.stderr
    again = said("verify-export", out, "--public-key", signer.public_key, "--json")
    assert json.loads(again.output)["ok"]
    rows = out.read_text().splitlines(keepends=True)
    (tmp_path / "short.jsonl").write_text("".join([*rows[:3], *rows[4:]]))
    assert said("verify-export", tmp_path / "short.jsonl", "--public-key", signer.public_key).exit_code == 1


def test_two_exports_of_one_book_go_on_from_each_other(two_books: str, tmp_path: Path) -> None:
    key = signer_beside(tmp_path / "a.db", lambda count: bytes(count)).public_key
    beside = ("--host", "studio", "--signed-beside", tmp_path / "a.db")
    assert said("export", two_books, "--to", "20", "--out", tmp_path / "one", *beside).exit_code == 0
    assert said("export", two_books, "--from", "21", "--out", tmp_path / "two", *beside).exit_code == 0
    assert said("verify-export", tmp_path / "two", "--public-key", key, "--after", tmp_path / "one").exit_code == 0


def test_an_export_says_what_it_wants_to_be_told(two_books: str, tmp_path: Path) -> None:
    signer_beside(tmp_path / "a.db", lambda count: bytes(count))
    beside = ("--signed-beside", tmp_path / "a.db")
    for arguments, sentence in (
        (("--host", "b"), "name the host's own studio.database"),
        (beside, "holds the books of b, studio: name one by --host"),
        ((*beside, "--host", "x"), "holds the books of b, studio: name one by --host"),
    ):
        refused = said("export", two_books, "--out", tmp_path / "out", *arguments)
        assert refused.exit_code == 1
        assert sentence in refused.output
        assert not (tmp_path / "out").exists()


# --- backup and restore ---------------------------------------------------------------------------------


def test_a_record_is_backed_up_with_its_keys_apart_and_put_back_into_an_empty_server(
    two_books: str, postgres: PostgresServer, tmp_path: Path
) -> None:
    kept, fresh, fresh_keys = (postgres.address(postgres.new_database()) for _ in range(3))
    for address in (fresh, fresh_keys, kept):
        postgres.say("DROP SCHEMA studio CASCADE", address.partition("?")[0].rpartition("/")[2])
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "studio.pepper").write_bytes(b"pepper")
    with Store.open(two_books, host="b", keys=kept) as store:
        store.keyring.append([("card-1", bytes(32))])
    done = said(
        "backup",
        two_books,
        tmp_path / "to",
        "--keys-to",
        tmp_path / "apart",
        "--keys-at",
        kept,
        "--shared",
        shared,
        "--json",
    )
    assert done.exit_code == 0, done.output
    made = json.loads(done.output)
    assert (made["books"], made["absent"]) == (["b", "studio"], ["studio.factors"])
    assert {path.name for path in Path(made["folder"]).iterdir()} == {"record.pgdump", "manifest.json"}
    assert {path.name for path in Path(made["keys"]).iterdir()} == {"keys.pgdump", "studio.pepper", "manifest.json"}
    assert b"card-1" not in Path(made["folder"], "record.pgdump").read_bytes()

    put = ("--keys", made["keys"], "--keys-at", fresh_keys, "--shared", tmp_path / "new")
    back = said("restore", made["folder"], fresh, *put)
    assert back.exit_code == 0, back.output
    assert "is back and verified" in back.output
    assert (tmp_path / "new/studio.pepper").read_bytes() == b"pepper"
    with Reader.open(two_books) as was, Reader.open(fresh) as now:
        assert list(now.events()) == list(was.events())
        head = now.head()
    with Store.open(fresh, host="b", keys=fresh_keys) as store, store.reader() as reader:
        assert store.keyring.lookup("card-1") == bytes(32)
        receipt = Writer(store).commit(Unit(entries=(Entry("Said", reader.newest_ms(), b"{}"),)))
        assert reader.head().seq == receipt.last_seq > head.seq
    assert check(fresh) is None

    refused = said("restore", made["folder"], fresh)
    assert refused.exit_code == 1
    assert "nothing is overwritten" in refused.output


def test_a_database_in_which_no_host_has_kept_keys_is_told_and_no_backup_is_half_made(
    two_books: str, postgres: PostgresServer, tmp_path: Path
) -> None:
    empty = postgres.address(postgres.new_database())
    refused = said("backup", two_books, tmp_path / "to", "--keys-to", tmp_path / "apart", "--keys-at", empty)
    assert refused.exit_code == 1
    assert "No host has kept keys of sealed cards there: name the database of keys" in refused.output
    assert not [*tmp_path.glob("to/*"), *tmp_path.glob("apart/*")]


def test_a_backup_that_cannot_be_leaves_nothing_that_looks_like_one(two_books: str, tmp_path: Path) -> None:
    together = said("backup", two_books, tmp_path / "to", "--keys-to", tmp_path / "to/keys")
    assert "The keys must lie apart" in together.output
    away = said("backup", "postgresql://studio:secret@127.0.0.1:1/none", tmp_path / "to")
    assert away.exit_code == 1
    assert "cannot be reached" in away.output
    assert "secret" not in away.output
    assert not list(tmp_path.glob("to/*"))


def test_what_a_restore_did_not_get_is_said_and_a_damaged_dump_is_refused(
    two_books: str, postgres: PostgresServer, tmp_path: Path
) -> None:
    made = Path(json.loads(said("backup", two_books, tmp_path / "to", "--json").output)["folder"])
    name = postgres.new_database()
    postgres.say("DROP SCHEMA studio CASCADE", name)
    back = said("restore", made, postgres.address(name))
    assert back.exit_code == 0, back.output
    assert "The keys of sealed cards are not back" in back.output
    assert "The secret of the PINs is not back" in back.output
    dump = made / "record.pgdump"
    dump.write_bytes(dump.read_bytes()[:-1])
    refused = said("restore", made, postgres.address(name))
    assert "not what the manifest says" in refused.output


# --- doctor ---------------------------------------------------------------------------------------------


def findings(*arguments: str) -> dict[str, tuple[str, str]]:
    lines = [json.loads(line) for line in said("doctor", "--json", *arguments).output.splitlines()]
    return {one["topic"]: (one["verdict"], one["sentence"]) for one in lines}


def test_doctor_looks_at_the_server_the_record_and_the_line_to_it(two_books: str, postgres: PostgresServer) -> None:
    found = findings("--db", two_books, "--keys", two_books)
    assert {topic: verdict for topic, (verdict, _) in found.items() if topic in SERVER} == SERVER
    assert "b to row" in found["record"][1]
    assert "Keys and record are in one database" in found["keys"][1]
    database = two_books.partition("?")[0].rpartition("/")[2]
    postgres.say(f"ALTER DATABASE {database} SET synchronous_commit = off")
    assert findings("--db", two_books)["settings"][0] == "missing"


SERVER = {
    "server": "ok", "settings": "ok", "server clock": "ok", "standby": "note", "server line": "ok", "connections": "ok",
    "record": "ok", "keys": "missing",
}  # fmt: skip


def test_doctor_tells_of_the_last_backup_as_for_a_file(two_books: str, tmp_path: Path) -> None:
    assert "never backed up" in findings("--db", two_books)["backup"][1]
    made = json.loads(said("backup", two_books, tmp_path / "to", "--json").output)
    verdict, sentence = findings("--db", two_books)["backup"]
    assert verdict == "note"
    assert made["folder"] in sentence
    keys = ("--keys-to", tmp_path / "apart", "--json")
    folder = Path(json.loads(said("backup", two_books, tmp_path / "again", *keys).output)["folder"])
    assert findings("--db", two_books)["backup"][0] == "ok"
    folder.rename(folder.with_name("elsewhere"))
    assert (
        findings("--db", two_books)["backup"][1] == f"The last backup, {folder}, is not there any more: make another."
    )


def test_doctor_says_that_a_server_cannot_be_reached_and_ends_with_a_refusal() -> None:
    done = said("doctor", "--db", "postgresql://studio@127.0.0.1:1/none")
    assert done.exit_code == 1
    assert "The database cannot be reached" in done.output


# --- what a host is refused for -------------------------------------------------------------------------


@pytest.fixture
def strict(postgres: PostgresServer) -> str:
    """The address of a server that asks everybody but its owner for a password."""
    postgres.say("DROP ROLE IF EXISTS strict")
    postgres.say("CREATE ROLE strict LOGIN PASSWORD 'right'")
    rules = postgres.folder / "data/pg_hba.conf"
    before = rules.read_text()
    rules.write_text("local all strict scram-sha-256\n" + before)
    postgres.say("SELECT pg_reload_conf()")
    return postgres.address(postgres.new_database(), user="strict:{}")


def test_a_wrong_password_is_told_in_a_sentence_that_does_not_hold_it(strict: str) -> None:
    for opens in (Store.open, Reader.open):
        with pytest.raises(
            BadInputError, match="does not let this user in: check the user and the password"
        ) as refused:
            opens(strict.format("wrong"))
        assert "wrong" not in str(refused.value)


def opened(address: str, off_s: float) -> PostgresEngine:
    with connect(address, reads_only=True) as raw:
        row = raw.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()
    assert row is not None
    ids = iter(range(9))
    return PostgresEngine(address, "a", lambda: f"id-{next(ids)}", lambda wait_s: False, lambda: row[0] + off_s)


@pytest.mark.parametrize(("off_s", "sentence"), [(61, "61 s ahead of"), (-60, "60 s behind")])
def test_a_host_whose_clock_is_a_minute_off_is_refused(postgres_address: str, off_s: float, sentence: str) -> None:
    with pytest.raises(BadInputError, match=f"{sentence} the database's: have a time service set both"):
        opened(postgres_address, off_s)


def test_a_database_of_an_older_version_is_brought_up_by_a_host_and_not_read_before(postgres_address: str) -> None:
    with connect(postgres_address, reads_only=False) as owner:
        owner.execute("DELETE FROM migration WHERE name LIKE 'p004%'")
        owner.execute("ALTER TABLE lease DROP COLUMN devices")
    with pytest.raises(BadInputError, match="holds no studio of this version yet: start the studio on it once"):
        Reader.open(postgres_address)
    Store.open(postgres_address).close()
    Reader.open(postgres_address).close()


def test_one_device_named_by_tables_of_two_hosts_serves_the_first_alone(postgres_address: str) -> None:
    shoe = "socket://10.0.0.5:4001"
    with Store.open(postgres_address, host="a") as a, Store.open(postgres_address, host="b") as b:
        assert a.leases is not None
        assert b.leases is not None
        held = a.leases.take("t1", [shoe])
        assert held is not None
        with pytest.raises(DeviceClashError) as refused:
            b.leases.take("t9", ["rtsp://10.0.0.6/", shoe])
        assert str(refused.value) == (
            f"The device {shoe} of the table t9 is that of the table t1 at the host a too: one device serves one table;"
            " give each its own."
        )
        assert [look.lease.table for look in b.leases.look()] == ["t1"]
        assert b.leases.take("t9", ["rtsp://10.0.0.6/"]) is not None
        assert a.leases.take("t1", [shoe]) is not None
        with connect(postgres_address, reads_only=False) as raw:
            raw.execute("UPDATE lease SET until = clock_timestamp() - interval '1 second' WHERE host = 'a'")
        assert b.leases.take("t8", [shoe]) is not None


NO_ROOM = (
    "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
    " $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$",
    "CREATE TRIGGER full_disk BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION full_disk()",
)


def test_a_server_whose_disk_is_full_keeps_nothing_says_so_and_goes_on_when_there_is_room(
    postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.journal.postgres.engine.AGAIN_S", 0.0)
    with Store.open(postgres_address) as store, store.reader() as reader:
        writer = Writer(store)
        unit = Unit(entries=(Entry("Said", 7, b"{}"),))
        writer.commit(unit)
        with connect(postgres_address, reads_only=False) as owner:
            for statement in NO_ROOM:
                owner.execute(statement.encode())
        future = writer.submit(unit)
        writer.drain()
        with pytest.raises(StorageError, match=r"The database.s disk is full and nothing"):
            future.result(timeout=0)
        assert reader.head().seq == 1
        with connect(postgres_address, reads_only=False) as owner:
            owner.execute("DROP TRIGGER full_disk ON journal")
        assert writer.commit(unit).last_seq == 2
    assert check(postgres_address) is None


# --- reconcile ------------------------------------------------------------------------------------------


def test_an_operators_file_is_held_against_the_books_of_all_hosts(two_books: str, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs.csv"
    asked = ("--operator", "north", "--from", "2020-01-01", "--to", "2040-01-01")
    told = said("statement", two_books, "--csv", theirs, *asked)
    assert told.exit_code == 0, told.output
    lines = theirs.read_text(encoding="utf-8").splitlines()
    assert sum(line.split(",").count("deposit") for line in lines) >= 3, "those of both hosts"
    agreed = said("reconcile", two_books, "--against", theirs, *asked)
    assert agreed.exit_code == 0, agreed.output
    assert f"{len(lines) - 1} transactions agree, 0 do not." in agreed.output
    theirs.write_text("\n".join(lines[:-1]), encoding="utf-8")
    differs = said("reconcile", two_books, "--against", theirs, *asked)
    assert differs.exit_code == 1
    assert f"{len(lines) - 2} transactions agree, 1 do not." in differs.output


def test_a_period_has_what_every_host_had_written_by_then(two_books: str) -> None:
    """A row that moves no money, behind money that another host has moved."""
    with Store.open(two_books, host="c") as quiet, Store.open(two_books, host="b") as busy:
        at_ms = quiet.reader().newest_ms()
        account = bettor_account("north", "ann")
        for number, (store, money) in enumerate([(quiet, 0), (busy, 5), (quiet, 0), (busy, 3), (quiet, 0)]):
            paid = Transfer("", f"p{number}", "deposit", operator_account("north"), account, money, "EUR")
            entry = Entry("Said", at_ms + 10 * number, b"{}")
            Writer(store).commit(Unit((entry,), (paid,) if money else ()))
        reader = quiet.reader()
        rows = [row.seq for row in reader.events(kinds=("Said",))][-5:]
        held = [held_at(reader, account, "EUR", seq) for seq in rows]
        assert [later - held[0] for later in held] == [0, 5, 5, 8, 8]
        for at, seq in enumerate(rows):
            assert seq_before(reader, at_ms + 10 * at + 5, reader.head().seq) == seq
        span = cut(reader, at_ms + 5, at_ms + 25)
        assert (span.after_seq, span.upto_seq) == (rows[0], rows[2])
        moved = reader.read("SELECT bet FROM ledger WHERE seq > ? AND seq <= ?", (span.ledger_after, span.ledger_upto))
        assert moved == [("p1",)]
        assert cut(reader, None, None).ledger_upto == reader.ledger_head().seq


@pytest.mark.parametrize("kind", KINDS)
def test_every_report_is_told_over_the_books_of_all_hosts(two_books: str, kind: str) -> None:
    told = said("report", kind, "--db", two_books, "--from", "2020-01-01", "--to", "2040-01-01", "--json")
    assert told.exit_code == 0, told.output
    assert json.loads(told.output)
