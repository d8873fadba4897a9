"""A wrapped key file: what opens it, what does not, written anew whole or not at all, and nothing secret said."""

from __future__ import annotations

import base64
import os
import pickle
import stat
import traceback
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from studio.cli.keys import command
from studio.errors import BadInputError, SealedError
from studio.journal import Store
from studio.journal.keys.keyring import (
    FileKeyring,
    read_keys,
)
from studio.journal.keys.rewrapping import rewrite
from studio.journal.keys.wrapping import WrappedBy

WRAPPING, OTHER = bytes(range(32)), bytes(range(32, 64))
KEYS = [(f"{number:016x}", bytes((number,)) * 32) for number in range(6)]
KEY_TEXTS = {secret.hex() for secret in (WRAPPING, OTHER)} | {key.hex() for _, key in KEYS}


def key_file(folder: Path, key: bytes = WRAPPING, name: str = "wrapping.key") -> WrappedBy:
    path = folder / name
    path.touch(0o600)
    path.write_text(f"{key.hex()}\n")
    return WrappedBy.parse(f"file:{path}")


@pytest.fixture
def source(tmp_path: Path) -> WrappedBy:
    return key_file(tmp_path)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A stopped studio's database, with keys in a plain file."""
    db = tmp_path / "studio.db"
    with Store.open(db) as store:
        store.keyring.append(KEYS)
    return db


def keys_of(db: Path) -> Path:
    return db.with_name(f"{db.name}.keys")


def run(*args: object) -> Result:
    return CliRunner().invoke(command, [str(arg) for arg in args])


def said_by(error: BaseException) -> str:
    """Everything a log could hold of it, the errors behind it too."""
    return f"{error!r} {''.join(traceback.format_exception(error))}"


def test_a_wrapped_file_gives_back_what_it_was_given_and_holds_no_key(tmp_path: Path, source: WrappedBy) -> None:
    path = tmp_path / "studio.db.keys"
    for chunk in (KEYS[:3], KEYS[3:]):
        keyring = FileKeyring(path, source)
        keyring.append(chunk)
        keyring.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_keys(path, [id for id, _ in KEYS] + ["ff"], source) == dict(KEYS)
    assert not any(key in path.read_text() for key in KEY_TEXTS)


def test_no_wrapping_key_is_asked_for_until_a_card_key_is_wanted(db: Path, source: WrappedBy) -> None:
    rewrite(db, None, source)
    with Store.open(db) as store:
        store.keyring.append([])
        assert store.keyring.lookup("ff") is None
        with pytest.raises(BadInputError, match=r"is wrapped: say where .*\[keys\] wrapped_by"):
            store.keyring.ready()
        with pytest.raises(BadInputError, match="is wrapped"):
            store.keyring.lookup(KEYS[0][0])
        with pytest.raises(BadInputError, match="is wrapped"):
            store.keyring.append(KEYS)
    with Store.open(db, wrapped_by=source) as store:
        store.keyring.ready()
        assert store.keyring.lookup(KEYS[0][0]) == KEYS[0][1]


def test_a_plain_file_is_not_taken_for_a_wrapped_one(db: Path, source: WrappedBy) -> None:
    with Store.open(db, wrapped_by=source) as store, pytest.raises(BadInputError, match="not wrapped: stop the studio"):
        store.keyring.ready()


def test_wrapped_rewrapped_and_plain_again_every_key_is_there(db: Path, source: WrappedBy, tmp_path: Path) -> None:
    plain = keys_of(db).read_bytes()
    assert run("wrap", db, "--wrapped-by", f"file:{source.place}").exit_code == 0
    first = keys_of(db).read_bytes()
    assert "is wrapped, its mode is 600" in run("show", db).output
    assert "fits" in run("show", db, "--wrapped-by", f"file:{source.place}").output
    other = key_file(tmp_path, OTHER, "other.key")
    assert run("rewrap", db, "--wrapped-by", f"file:{source.place}", "--to", f"file:{other.place}").exit_code == 0
    assert read_keys(keys_of(db), [KEYS[4][0]], other) == dict([KEYS[4]])
    with pytest.raises(BadInputError, match="does not fit this key file"):
        read_keys(keys_of(db), [KEYS[4][0]], source)
    assert not {*first.split(b"\n")} & {*keys_of(db).read_bytes().split(b"\n")} - {b""}  # a fresh data key
    assert "with 6 keys" in run("unwrap", db, "--wrapped-by", f"file:{other.place}").output
    assert keys_of(db).read_bytes() == plain
    assert [path.name for path in tmp_path.glob("studio.db.*")].count("studio.db.keys.part") == 0


REFUSED = {
    "wrapped already": (("wrap",), "is wrapped already: studio keys rewrap"),
    "another key": (("unwrap", "other"), "does not fit this key file"),
    "rewrapped with another key": (("rewrap", "other"), "does not fit this key file"),
    "shown with another key": (("show", "other"), "does not fit this key file"),
}


@pytest.mark.parametrize(("asked", "words"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_done_is_refused_and_the_file_is_as_it_was(
    db: Path, source: WrappedBy, tmp_path: Path, asked: tuple[str, ...], words: str
) -> None:
    rewrite(db, None, source)
    before = keys_of(db).read_bytes()
    by = key_file(tmp_path, OTHER, "other.key") if "other" in asked else source
    more = ["--to", f"file:{source.place}"] if asked[0] == "rewrap" else []
    done = run(asked[0], db, "--wrapped-by", f"file:{by.place}", *more)
    assert (done.exit_code, words in done.output) == (1, True), done.output
    assert keys_of(db).read_bytes() == before
    assert not any(key in done.output for key in KEY_TEXTS)


def test_a_running_studio_keeps_its_key_file(db: Path, source: WrappedBy) -> None:
    with Store.open(db):
        done = run("wrap", db, "--wrapped-by", f"file:{source.place}")
    assert (done.exit_code, "Another studio is using it" in done.output) == (1, True)


def test_torn_lines_are_left_out_and_told(db: Path, source: WrappedBy) -> None:
    with keys_of(db).open("a") as file:
        file.write("0123456789abcdef\nfedcba9876543210 abc")
    assert "torn are not in it: 2." in run("wrap", db, "--wrapped-by", f"file:{source.place}").output
    with keys_of(db).open("a") as file:
        file.write(keys_of(db).read_text().splitlines()[-1][:60])
    assert "torn are not in it: 1." in run("unwrap", db, "--wrapped-by", f"file:{source.place}").output
    assert read_keys(keys_of(db), [id for id, _ in KEYS]) == dict(KEYS)


def test_a_line_that_was_moved_to_another_card_or_changed_opens_nothing(db: Path, source: WrappedBy) -> None:
    rewrite(db, None, source)
    header, first, second, *rest = keys_of(db).read_text().splitlines(keepends=True)
    swapped = f"{first.split()[0]} {second.split()[1]}\n"
    keys_of(db).write_text("".join((header, swapped, second, *rest)))
    with pytest.raises(SealedError, match="was changed in the key file"):
        read_keys(keys_of(db), [KEYS[0][0]], source)
    with pytest.raises(BadInputError, match="Line 2 does not open"):
        rewrite(db, source, None)
    keys_of(db).write_text("".join((header[:-3] + "00\n", first, second, *rest)))
    with pytest.raises(BadInputError, match="does not fit this key file"):
        read_keys(keys_of(db), [KEYS[0][0]], source)


def command_printing(folder: Path, text: str) -> str:
    script = folder / "give"
    script.write_text(f"#!/bin/sh\n{text}\n")
    script.chmod(0o700)
    return f"command:{script} --from 'a vault'"


SOURCES = {
    "hexadecimal": WRAPPING.hex(),
    "with a line break": f"{WRAPPING.hex().upper()}\n",
    "base64": base64.b64encode(WRAPPING).decode(),
}


@pytest.mark.parametrize("text", SOURCES.values(), ids=SOURCES)
def test_a_wrapping_key_comes_from_a_file_a_variable_or_a_command(
    db: Path, source: WrappedBy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    rewrite(db, None, source)
    monkeypatch.setenv("OF_A_TEST", text)
    (tmp_path / "another").touch(0o600)
    (tmp_path / "another").write_text(text)
    for one in ("env:OF_A_TEST", f"file:{tmp_path / 'another'}", command_printing(tmp_path, 'echo "$OF_A_TEST"')):
        assert read_keys(keys_of(db), [KEYS[0][0]], WrappedBy.parse(one)) == dict(KEYS[:1])


def test_the_key_is_bound_to_what_the_file_says_not_to_its_name(db: Path, source: WrappedBy, tmp_path: Path) -> None:
    rewrite(db, None, source)
    moved = keys_of(db).rename(tmp_path / "elsewhere")
    assert read_keys(moved, [KEYS[0][0]], source) == dict(KEYS[:1])


@pytest.mark.parametrize("text", ["", "file:", "vault:x", "command:", "command:'", "/etc/key", "env: "])
def test_what_names_no_source_is_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="Say where the wrapping key comes from"):
        WrappedBy.parse(text)


BROKEN = {
    "no file": ("file:{folder}/none", "cannot be read: No such file"),
    "a folder": ("file:{folder}", "is to be a file"),
    "readable by others": ("file:{folder}/open", r"can be read by others \(640\): chmod 600"),
    "no key in it": ("file:{folder}/short", "no wrapping key: a wrapping key is 32 random bytes"),
    "no variable": ("env:OF_NO_TEST", "OF_NO_TEST with the wrapping key is not set"),
    "a short variable": ("env:OF_A_TEST", "the variable OF_A_TEST is no wrapping key"),
    "no command": ("command:{folder}/none", "cannot be started: No such file"),
    "a command that fails": ("command:{folder}/fails --token verysecret", "fails for the wrapping key ended with 3"),
    "a command that says nothing": ("command:true", "the command true is no wrapping key"),
}


@pytest.mark.parametrize(("text", "words"), BROKEN.values(), ids=BROKEN)
def test_a_source_without_a_key_is_told_in_a_sentence_without_what_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    monkeypatch.setenv("OF_A_TEST", WRAPPING.hex()[:-2])
    (tmp_path / "open").write_text(WRAPPING.hex())
    (tmp_path / "open").chmod(0o640)
    (tmp_path / "short").touch(0o600)
    (tmp_path / "short").write_text(WRAPPING.hex() + "00")
    command_printing(tmp_path, f"echo {WRAPPING.hex()}; echo {OTHER.hex()} >&2; exit 3")
    os.rename(tmp_path / "give", tmp_path / "fails")
    with pytest.raises(BadInputError, match=words) as failed:
        WrappedBy.parse(text.format(folder=tmp_path)).fetch()
    told = said_by(failed.value)
    assert failed.value.sentence.endswith(".")
    assert not any(secret[:32] in told for secret in KEY_TEXTS)
    assert "verysecret" not in told


def test_a_key_is_neither_printed_nor_pickled(source: WrappedBy) -> None:
    wrapping = source.fetch()
    data, _ = wrapping.new_data_key()
    assert (repr(wrapping), str(data)) == ("<WrappingKey>", "<DataKey>")
    for one in (wrapping, data):
        with pytest.raises(SealedError, match="not pickled"):
            pickle.dumps(one)
