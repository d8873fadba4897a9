"""Exports: any span, checked by us and by a stranger with nothing of ours; every changed byte is found."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from table_bench import DEAL, Bench

from studio.care.export import find_span, signed_text, write_export
from studio.care.export_check import WrongExportError, check_export
from studio.care.signing import Signer, signer_beside
from studio.cli.export import command, verify_command
from studio.errors import BadInputError, StorageError
from studio.journal import Entry, Reader, Unit
from studio.journal.sqlite.file import connect_read_only
from studio.people.record import CREDENTIAL_KINDS, write_staff
from studio.people.staff_event import StaffAdded, StaffPinChanged, StaffPinRehashed

STRANGER = Path(__file__).with_name("stranger.py")


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of a settled round, and a card that was never revealed."""
    path = tmp_path_factory.mktemp("night") / "studio.db"
    table = Bench(path=str(path))
    table.open().deposit(50_000)
    table.start().betting(("player1_tie", 1000), ("player2_win", 500)).deal(*DEAL)
    table.finish()
    table.close()
    signer_beside(path, random.Random(7).randbytes)
    return path


def key_of(night: Path) -> str:
    return signer_beside(night, bytes).public_key


def export(night: Path, out: Path, begin: str = "", end: str = "") -> Result:
    return CliRunner().invoke(command, [str(night), "--from", begin, "--to", end, "--out", str(out)])


def stranger(out: Path, key: str) -> subprocess.CompletedProcess[str]:
    """Run apart from everything of ours."""
    return subprocess.run([sys.executable, "-I", "-S", STRANGER, out, key], capture_output=True, text=True, check=False)


def test_the_whole_record_is_checked_by_us_and_by_a_stranger(night: Path, tmp_path: Path) -> None:
    said = export(night, tmp_path / "all.jsonl")
    assert (said.exit_code, "The export is whole and signed: rows 1 to" in said.output) == (0, True)
    found = stranger(tmp_path / "all.jsonl", key_of(night))
    with Reader.open(night) as reader:
        assert json.loads(found.stdout) == [list(reader.head()), list(reader.ledger_head())]


def test_a_span_in_which_no_money_moved_says_so(night: Path, tmp_path: Path) -> None:
    assert "rows 1 to 1 of the journal, none of the ledger." in export(night, tmp_path / "a.jsonl", "1", "1").output


def test_both_find_a_face_that_was_not_committed_to(night: Path, tmp_path: Path) -> None:
    """The house writes another face into its record, chains and signs it anew: the commitment tells."""
    export(night, tmp_path / "all")
    head, *rows, end = [json.loads(line) for line in (tmp_path / "all").read_text().splitlines()]
    at, said = next((row, row["journal"][4]) for row in rows if row.get("journal", [0] * 4)[3] == "CardDealt")
    face = json.loads(said)["event"]["fact"]["face"]
    at["journal"][4] = said.replace(f'"face":"{face}"', '"face":"2c"' if face != "2c" else '"face":"3c"')
    (tmp_path / "forged").write_text(signed_anew([head, *rows, end]))
    forger = Signer.of(bytes(32)).public_key
    assert "a face it was not committed to" in stranger(tmp_path / "forged", forger).stderr
    with pytest.raises(WrongExportError, match="a face it was not committed to"):
        check_export(tmp_path / "forged", frozenset({forger}))
    assert check_export(tmp_path / "all", frozenset({key_of(night)})).opened > 0


def signed_anew(lines: list[dict[str, Any]]) -> str:
    """The lines of a whole export, chained and signed by whoever holds the studio's key."""
    head, *rows, end = lines
    journal, ledger = head["journal_before"], head["ledger_before"]
    for row in rows:
        if "journal" in row:
            seq, at_ms, ledger_seq, kind, body = row["journal"]
            journal = [seq, chained(journal[1], seq, at_ms, ledger_seq, ledger[1], kind, body)]
            row["hash"] = journal[1]
        else:
            ledger = [row["ledger"][0], row["hash"]]
    text = "".join(json.dumps(line) + "\n" for line in (head, *rows))
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    signature = Signer.of(bytes(32)).sign(signed_text(head["version"], sha256))
    public = Signer.of(bytes(32)).public_key
    end.update(journal_after=journal, sha256=sha256, public_key=public, signature=signature)
    return text + json.dumps(end) + "\n"


def chained(before: str, *texts: object) -> str:
    return hashlib.sha256("\n".join([before, *map(str, texts)]).encode()).hexdigest()


def test_spans_follow_each_other(night: Path, tmp_path: Path) -> None:
    with Reader.open(night) as reader:
        middle, end = reader.head().seq // 2, reader.head().seq
    for name, begin, to in (("a", "1", str(middle)), ("b", str(middle + 1), ""), ("c", str(middle + 5), str(end))):
        assert export(night, tmp_path / name, begin, to).exit_code == 0
        assert stranger(tmp_path / name, key_of(night)).returncode == 0
    flags = ["--public-key", key_of(night), "--json"]
    follows = CliRunner().invoke(verify_command, [str(tmp_path / "b"), "--after", str(tmp_path / "a"), *flags])
    assert json.loads(follows.stdout)["first"] == middle + 1
    gap = CliRunner().invoke(verify_command, [str(tmp_path / "c"), "--after", str(tmp_path / "a"), *flags])
    assert (gap.exit_code, "It begins after row" in json.loads(gap.stdout)["error"]) == (1, True)


def test_every_changed_byte_is_found_by_both(night: Path, tmp_path: Path) -> None:
    export(night, tmp_path / "all")
    whole, key, chance = (tmp_path / "all").read_bytes(), key_of(night), random.Random(3)
    for at in [chance.randrange(len(whole)) for _ in range(150)]:
        (tmp_path / "bad").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(BadInputError):
            check_export(tmp_path / "bad", frozenset({key}))
    (tmp_path / "bad").write_bytes(whole[:200] + b"9" + whole[201:])
    assert stranger(tmp_path / "bad", key).stderr.startswith("wrong: ")


@pytest.mark.parametrize("cut", [0, 10, 400, -1, -200])
def test_a_cut_export_is_found(night: Path, tmp_path: Path, cut: int) -> None:
    export(night, tmp_path / "all")
    (tmp_path / "cut").write_bytes((tmp_path / "all").read_bytes()[:cut])
    with pytest.raises(WrongExportError):
        check_export(tmp_path / "cut", frozenset({key_of(night)}))
    (tmp_path / "cut").write_bytes((tmp_path / "all").read_bytes() + b"{}\n")
    with pytest.raises(WrongExportError, match="after its end"):
        check_export(tmp_path / "cut", frozenset({key_of(night)}))


def test_another_key_or_a_forged_signature_is_told(night: Path, tmp_path: Path) -> None:
    export(night, tmp_path / "all")
    other = Signer.of(bytes(32)).public_key
    with pytest.raises(WrongExportError, match="none of the keys you named"):
        check_export(tmp_path / "all", frozenset({other}))
    lines = (tmp_path / "all").read_text().splitlines()
    forged = json.dumps({**json.loads(lines[-1]), "signature": "00" * 64})
    (tmp_path / "forged").write_text("\n".join([*lines[:-1], forged]) + "\n")
    with pytest.raises(WrongExportError, match="forged"):
        check_export(tmp_path / "forged", frozenset({key_of(night)}))
    assert "forged" in stranger(tmp_path / "forged", key_of(night)).stderr


def test_a_card_never_revealed_is_only_ciphertext(night: Path, tmp_path: Path) -> None:
    export(night, tmp_path / "all")
    rows = [json.loads(line) for line in (tmp_path / "all").read_text().splitlines()]
    burned = [row["journal"][4] for row in rows if "journal" in row and row["journal"][3] == "CardBurned"]
    keys = night.with_name("studio.db.keys").read_text().split()[1::2]
    assert len(burned) == 4
    assert not any(key in body for key in keys for body in burned)
    assert not any(f'"{card}"' in body for card in ("4s", "4h", "4d", "4c") for body in burned)


def test_spans_are_named_by_row_day_or_time(night: Path) -> None:
    connection = connect_read_only(night)
    [last] = connection.execute("SELECT max(seq) FROM journal").fetchone()
    assert find_span(connection, "2023-11-14", "2023-11-14").last == last
    assert find_span(connection, "2023-11-14T22:13:20", "5").last == 5
    for begin, end, sentence in (
        ("2030-01-01", "", "no row in that span"),
        ("9", "3", "no row in that span"),
        ("yesterday", "", "'yesterday' is no row, day or time"),
    ):
        with pytest.raises(BadInputError, match=sentence):
            find_span(connection, begin, end)
    connection.close()


def test_nothing_is_overwritten_and_nothing_half_is_left(
    night: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(night, tmp_path / "all")
    assert "It is there already" in export(night, tmp_path / "all").output
    with pytest.raises(StorageError, match="cannot be written"):
        write_export(night, "", "", tmp_path / "no" / "all", Signer.of(bytes(32)))
    if os.path.exists("/dev/full"):
        monkeypatch.setattr("studio.care.export.own", lambda part: part.symlink_to("/dev/full"))
        with pytest.raises(StorageError, match="No space left"):
            write_export(night, "", "", tmp_path / "full", Signer.of(bytes(32)))
        assert not (tmp_path / "full").exists()


def test_an_export_is_signed_where_the_key_is(night: Path, tmp_path: Path) -> None:
    (tmp_path / "studio.db").write_bytes(night.read_bytes())
    assert "sign where the studio runs" in export(tmp_path / "studio.db", tmp_path / "all").output
    missing = CliRunner().invoke(verify_command, [str(tmp_path / "none"), "--public-key", key_of(night)])
    assert "cannot be read" in missing.output


# --- credentials ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which somebody of the staff has a PIN, and a new one, which was hashed anew once."""
    path = tmp_path_factory.mktemp("staffed") / "studio.db"
    table = Bench(path=str(path))
    added = StaffAdded(
        at_ms=1, id="d1", badge="1001", name="Dana", roles=("dealer",), pin_hash="$argon2id$one", by="a1"
    )
    changed = StaffPinChanged(at_ms=2, id="d1", pin_hash="$argon2id$two", by="a1")
    rehashed = StaffPinRehashed(at_ms=3, id="d1", pin_hash="$argon2id$three")
    assert {type(one).__name__ for one in (added, changed, rehashed)} == CREDENTIAL_KINDS
    rows = tuple(Entry(type(one).__name__, one.at_ms, write_staff(one)) for one in (added, changed, rehashed))
    table.writer.commit(Unit(entries=rows))
    table.open()
    table.close()
    signer_beside(path, random.Random(7).randbytes)
    return path


def test_hashes_of_pins_stay_out_and_both_checks_hold(staffed: Path, tmp_path: Path) -> None:
    said = export(staffed, tmp_path / "all")
    assert "3 of the journal's rows stand there without the hash of a PIN" in said.output
    text = (tmp_path / "all").read_text()
    assert "argon2id" not in text
    assert "Dana" in text
    assert json.loads(text.splitlines()[0])["version"] == 2
    with Reader.open(staffed) as reader:
        found = stranger(tmp_path / "all", key_of(staffed))
        assert json.loads(found.stdout) == [list(reader.head()), list(reader.ledger_head())], found.stderr


def test_whoever_asks_for_every_byte_gets_it(staffed: Path, tmp_path: Path) -> None:
    write_export(staffed, "", "", tmp_path / "all", signer_beside(staffed, bytes), with_credentials=True)
    assert "$argon2id$two" in (tmp_path / "all").read_text()
    assert check_export(tmp_path / "all", frozenset({key_of(staffed)})).withheld == 0
    assert stranger(tmp_path / "all", key_of(staffed)).returncode == 0


def test_an_export_is_its_owners_alone_whatever_the_umask_and_whatever_lay_there(staffed: Path, tmp_path: Path) -> None:
    elsewhere, before = tmp_path / "elsewhere", os.umask(0)
    (tmp_path / "all.part").symlink_to(elsewhere)
    try:
        write_export(staffed, "", "", tmp_path / "all", signer_beside(staffed, bytes), with_credentials=True)
    finally:
        os.umask(before)
    assert not (tmp_path / "all").is_symlink()
    assert (f"{(tmp_path / 'all').stat().st_mode & 0o777:o}", elsewhere.exists()) == ("600", False)


def test_nothing_else_may_be_left_out(staffed: Path, tmp_path: Path) -> None:
    signer = signer_beside(staffed, bytes)
    write_export(staffed, "", "", tmp_path / "all", signer)
    *lines, last = (tmp_path / "all").read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if '"TableOpened"' in line)
    lines[at] = lines[at].replace('{"journal"', '{"withheld"', 1)
    body = "".join(f"{line}\n" for line in lines)
    sha256 = hashlib.sha256(body.encode()).hexdigest()
    forged = {**json.loads(last), "sha256": sha256, "signature": signer.sign(signed_text(2, sha256))}
    (tmp_path / "bad").write_text(f"{body}{json.dumps(forged)}\n")
    with pytest.raises(WrongExportError, match="does not leave out"):
        check_export(tmp_path / "bad", frozenset({signer.public_key}))
    assert "leaves out" in stranger(tmp_path / "bad", signer.public_key).stderr
