"""Checkpoints and their witness: what cannot be seen from inside a database is seen with them."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from studio.care.checkpoint import checkpoints, heads, is_genuine, line_of, read_line, sign
from studio.care.event import CheckpointSigned, entry_of, read_care
from studio.care.signing import Signer, is_signed, read_public_keys, signer_beside, signing_path
from studio.care.witness import ask_itself, ask_witness
from studio.cli.care import command as care
from studio.cli.verify import command as verify
from studio.errors import BadInputError
from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.journal.chain import check
from studio.money import Transfer, bettor_account, operator_account

SIGNER = Signer.of(bytes(range(32)))
OTHER = Signer.of(bytes(32))


def hour(store: Store, writer: Writer, before: CheckpointSigned | None, at_ms: int) -> CheckpointSigned:
    """Some work, then a checkpoint."""
    deposit = Transfer(
        "", f"c{at_ms}", "deposit", operator_account("north"), bettor_account("north", "ann"), 500, "EUR"
    )
    writer.commit(Unit(entries=(Entry("Noted", at_ms, b"{}"),) * 3))
    writer.commit(Unit(transfers=(deposit,)))
    with store.reader() as reader:
        signed = sign(SIGNER, heads(reader), before, studio="North", at_ms=at_ms, why="hour")
    writer.commit(Unit(entries=(entry_of(signed),)))
    return signed


@pytest.fixture
def told(tmp_path: Path) -> list[CheckpointSigned]:
    """A database of four hours in `studio.db`, its witness in `witness`; `early.db` is a copy after the second."""
    signed: list[CheckpointSigned] = []
    with Store.open(tmp_path / "studio.db") as store:
        writer = Writer(store)
        for at in range(4):
            signed.append(hour(store, writer, signed[-1] if signed else None, 1000 + at))
            if at == 1:
                with closing(sqlite3.connect(tmp_path / "early.db")) as copy:
                    store.connection.backup(copy)
        writer.close()
    witness(tmp_path, signed)
    return signed


def witness(folder: Path, signed: list[CheckpointSigned]) -> Path:
    path = folder / "witness"
    path.write_text("".join(f"{line_of(one)}\n" for one in signed), encoding="utf-8")
    return path


def asked(folder: Path, name: str = "studio.db", keys: frozenset[str] = frozenset({SIGNER.public_key})) -> str:
    with Reader.open(folder / name) as reader:
        found = ask_witness(reader, folder / "witness", keys)
    return found.first_wrong.sentence if found.first_wrong else ""


def cut(path: Path, journal_from: int, ledger_from: int) -> None:
    """Cut the tails off both chains at once, as somebody with the file and SQLite's shell would."""
    with closing(sqlite3.connect(path)) as edits:
        for table in ("journal", "ledger", "bet"):
            edits.execute(f"DROP TRIGGER {table}_refuses_delete")
        edits.execute("DELETE FROM journal WHERE seq >= ?", (journal_from,))
        edits.execute("DELETE FROM ledger WHERE seq >= ?", (ledger_from,))
        edits.execute("UPDATE balance SET amount = (SELECT sum(amount) FROM ledger) WHERE account LIKE 'bettor%'")
        edits.execute("UPDATE balance SET amount = -(SELECT sum(amount) FROM ledger) WHERE account LIKE 'operator%'")
        edits.commit()


def test_a_witness_that_was_told_agrees(tmp_path: Path, told: list[CheckpointSigned]) -> None:
    assert asked(tmp_path) == ""
    with Reader.open(tmp_path / "studio.db") as reader:
        assert ask_itself(reader, frozenset({SIGNER.public_key})) is None
        assert list(checkpoints(reader)) == told


def test_both_tails_cut_at_once_are_seen_by_the_witness_and_not_from_inside(
    tmp_path: Path, told: list[CheckpointSigned]
) -> None:
    last = told[-1]
    cut(tmp_path / "studio.db", last.journal_seq - 1, last.ledger_seq)
    assert check(tmp_path / "studio.db") is None
    assert asked(tmp_path).startswith(f"The journal was cut short: the witness saw row {last.journal_seq}")


def test_even_the_last_checkpoints_own_row_is_missed(tmp_path: Path, told: list[CheckpointSigned]) -> None:
    cut(tmp_path / "studio.db", told[-1].journal_seq + 1, 10**9)
    assert check(tmp_path / "studio.db") is None
    assert asked(tmp_path) == (
        "The journal does not hold checkpoint 4 as the witness does: it was cut or written anew."
    )


def test_an_older_copy_that_went_on_is_a_roll_back(tmp_path: Path, told: list[CheckpointSigned]) -> None:
    with Store.open(tmp_path / "early.db") as store:
        writer = Writer(store)
        third = hour(store, writer, told[1], 7000)
        hour(store, writer, third, 7001)
        writer.close()
    assert check(tmp_path / "early.db") is None
    assert "rolled back and written anew" in asked(tmp_path, "early.db")


Twist = Callable[[list[CheckpointSigned]], list[CheckpointSigned]]


def changed(at: int, **values: object) -> Twist:
    return lambda all: [msgspec.structs.replace(one, **values) if n == at else one for n, one in enumerate(all)]


@pytest.mark.parametrize(
    ("twist", "sentence"),
    [
        pytest.param(changed(2, at_ms=5), "Checkpoint 3 is forged", id="another time"),
        pytest.param(changed(2, journal_seq=1), "Checkpoint 3 is forged", id="another row"),
        pytest.param(changed(2, why="shift"), "Checkpoint 3 is forged", id="another reason"),
        pytest.param(changed(1, signature="00" * 64), "Checkpoint 2 is forged", id="no signature"),
        pytest.param(changed(1, public_key=OTHER.public_key), "Checkpoint 2 is signed with another key", id="a key"),
        pytest.param(lambda all: [*all[:1], *all[2:]], "After checkpoint 1 comes number 3", id="one left out"),
        pytest.param(lambda all: [all[0], all[2], all[1]], "After checkpoint 1 comes number 3", id="disorder"),
    ],
)
def test_a_witness_that_was_tampered_with_is_told_in_a_sentence(
    tmp_path: Path, told: list[CheckpointSigned], twist: Twist, sentence: str
) -> None:
    witness(tmp_path, twist(told))
    assert asked(tmp_path).startswith(sentence)


def test_a_checkpoint_signed_by_a_stranger_is_found_without_naming_a_key(
    tmp_path: Path, told: list[CheckpointSigned]
) -> None:
    with Reader.open(tmp_path / "studio.db") as reader:
        forged = sign(OTHER, heads(reader), told[2], studio="North", at_ms=1003, why="hour")
    witness(tmp_path, [*told[:3], forged])
    assert "does not hold checkpoint 4 as the witness does" in asked(tmp_path, keys=frozenset())
    assert "signed with another key" in asked(tmp_path)


def test_lines_told_twice_or_torn_by_a_kill_are_no_lie(tmp_path: Path, told: list[CheckpointSigned]) -> None:
    lines = [line_of(one) for one in told]
    (tmp_path / "witness").write_text("\n".join([lines[0], lines[0], lines[1], lines[2][:70], lines[2], lines[3][:9]]))
    assert asked(tmp_path) == ""
    (tmp_path / "witness").write_text("\n".join([lines[0], "nonsense", lines[1]]))
    assert asked(tmp_path).startswith("Line 2 of the witness file was changed.")


def test_a_witness_that_is_empty_or_not_there_proves_nothing(tmp_path: Path, told: list[CheckpointSigned]) -> None:
    (tmp_path / "witness").write_text("\n")
    with pytest.raises(BadInputError, match="holds no checkpoint"):
        asked(tmp_path)
    (tmp_path / "witness").unlink()
    with pytest.raises(BadInputError, match="cannot be read"):
        asked(tmp_path)


def test_a_checkpoint_changed_inside_an_honest_chain_is_found(tmp_path: Path, told: list[CheckpointSigned]) -> None:
    lie = msgspec.structs.replace(told[-1], number=5, journal_seq=2)
    with Store.open(tmp_path / "studio.db") as store:
        writer = Writer(store)
        writer.commit(Unit(entries=(entry_of(lie),)))
        writer.close()
    found = CliRunner().invoke(verify, [str(tmp_path / "studio.db")])
    assert found.exit_code == 1
    assert found.stdout.startswith("Checkpoint 5 is forged")


def test_verify_names_the_witness_and_its_key(tmp_path: Path, told: list[CheckpointSigned]) -> None:
    database, keys = str(tmp_path / "studio.db"), tmp_path / "keys"
    keys.write_text(f"# of the north studio\n{SIGNER.public_key}\n")
    flags = ["--witness", str(tmp_path / "witness")]
    said = CliRunner().invoke(verify, [database, *flags, "--public-key", str(keys)])
    assert (said.exit_code, "The witness agrees: 4 checkpoints" in said.stdout) == (0, True)
    assert SIGNER.public_key in CliRunner().invoke(verify, [database, *flags]).stdout
    wrong = CliRunner().invoke(verify, [database, *flags, "--public-key", OTHER.public_key, "--json"])
    assert wrong.exit_code == 1
    assert json.loads(wrong.stdout)["first_wrong"]["table"] == "witness"
    assert CliRunner().invoke(verify, [database, "--public-key", OTHER.public_key]).exit_code == 1
    bad = CliRunner().invoke(verify, [database, *flags, "--public-key", "xyz"])
    assert "public key cannot be read" in bad.output


def test_the_signing_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    database = tmp_path / "studio.db"
    first = signer_beside(database, lambda count: bytes(count))
    assert signing_path(database).stat().st_mode & 0o777 == 0o600
    assert signer_beside(database, lambda count: b"x" * count).public_key == first.public_key == OTHER.public_key
    assert CliRunner().invoke(care, ["public-key", str(database)]).stdout.strip() == OTHER.public_key
    signing_path(database).write_bytes(b"short")
    assert "damaged" in CliRunner().invoke(care, ["public-key", str(database)]).output
    with pytest.raises(BadInputError, match="damaged"):
        signer_beside(database, bytes)
    assert (
        "no.db: There is no such database: check its name and its folder."
        in CliRunner().invoke(care, ["public-key", str(tmp_path / "no.db")]).output
    )


def test_a_signer_shows_nobody_its_key() -> None:
    secret = b"read by nobody at all, anywhere!"
    shown = repr(Signer.of(secret))
    assert "read by nobody" not in shown
    assert secret.hex() not in shown


def test_a_line_comes_back_as_it_was_signed(told: list[CheckpointSigned]) -> None:
    again = read_line(line_of(told[0]))
    assert (again, is_genuine(again)) == (told[0], True)
    assert not is_signed("x", "zz", "00")
    assert read_care(entry_of(told[0]).body) == told[0]
    for bad in ("", "[]", "{}", '{"format": "studio-checkpoint", "version": 2}'):
        with pytest.raises(BadInputError, match="no checkpoint"):
            read_line(bad)
    with pytest.raises(BadInputError, match="fact of care"):
        read_care(b"{}")


def test_public_keys_are_read_from_words_or_a_file(tmp_path: Path) -> None:
    assert read_public_keys(SIGNER.public_key.upper()) == {SIGNER.public_key}
    (tmp_path / "empty").write_text("# nothing\n")
    with pytest.raises(BadInputError, match="64 hexadecimal digits"):
        read_public_keys(str(tmp_path / "empty"))


def test_the_copy_of_a_night_is_checked_like_the_night(tmp_path: Path, told: list[CheckpointSigned]) -> None:
    shutil.copy(tmp_path / "studio.db", tmp_path / "copy.db")
    assert asked(tmp_path, "copy.db") == ""
