"""The key file: owner only, appended before the commit, torn lines survived, nothing of it in the database."""

from __future__ import annotations

import random
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.cards import Card, Sealer
from studio.errors import BadInputError, InvariantError
from studio.journal import Entry, Store, Unit, Writer
from studio.journal.keys.keyring import (
    FileKeyring,
    MemoryKeyring,
    read_keys,
)

KEYS = [(f"{number:016x}", bytes((number,)) * 32) for number in range(20)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "studio.db.keys"


@pytest.fixture
def keyring(path: Path) -> Iterator[FileKeyring]:
    keyring = FileKeyring(path)
    yield keyring
    keyring.close()


def test_a_key_is_found_again_by_its_id(keyring: FileKeyring) -> None:
    keyring.append(KEYS[:10])
    keyring.append([])
    keyring.append(KEYS[10:])
    assert [keyring.lookup(id) for id, _ in KEYS] == [key for _, key in KEYS]
    assert keyring.lookup("ffffffffffffffff") is None


def test_an_empty_key_file_knows_no_key(keyring: FileKeyring) -> None:
    assert keyring.lookup("00") is None


def test_an_id_that_ends_like_another_is_not_that_other(keyring: FileKeyring) -> None:
    keyring.append([("xab", b"1" * 32), ("abx", b"2" * 32)])
    assert keyring.lookup("ab") is None
    assert keyring.lookup("abx") == b"2" * 32


def test_keys_survive_closing(path: Path) -> None:
    for chunk in (KEYS[:3], KEYS[3:]):
        keyring = FileKeyring(path)
        keyring.append(chunk)
        keyring.close()
    keyring = FileKeyring(path)
    assert keyring.lookup(KEYS[0][0]) == KEYS[0][1]
    assert keyring.lookup(KEYS[-1][0]) == KEYS[-1][1]
    keyring.close()


def test_only_the_owner_can_read_the_file(path: Path) -> None:
    path.touch(mode=0o644)
    path.chmod(0o644)
    FileKeyring(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@settings(max_examples=60, deadline=None)
@given(cut=st.integers(0, 200))
def test_a_torn_last_line_loses_no_other_key(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("torn") / "keys"
    keyring = FileKeyring(path)
    keyring.append(KEYS[:3])
    keyring.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - cut] if cut < len(whole) else b"")
    keyring = FileKeyring(path)
    keyring.append(KEYS[3:5])
    line = len(whole) // 3
    kept = 3 - min(3, (cut - 2) // line + 1 if cut > 1 else 0)
    assert [keyring.lookup(id) for id, _ in KEYS[:kept]] == [key for _, key in KEYS[:kept]]
    assert [keyring.lookup(id) for id, _ in KEYS[3:5]] == [key for _, key in KEYS[3:5]]
    keyring.append(KEYS[:3])
    assert [keyring.lookup(id) for id, _ in KEYS[:3]] == [key for _, key in KEYS[:3]]
    keyring.close()


@pytest.mark.parametrize("id", ["", "a b", "a\nb", "é"])
def test_an_id_that_is_not_one_word_is_our_own_wrong(id: str) -> None:
    with Store.open(":memory:") as store, pytest.raises(InvariantError, match="plain word"):
        Writer(store).commit(Unit(keys=((id, b"k"),)))


def test_a_key_file_that_cannot_be_opened_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    with pytest.raises(BadInputError, match="key file"):
        FileKeyring(tmp_path / "keys")


def test_keys_in_memory_behave_alike() -> None:
    keyring = MemoryKeyring()
    keyring.append(KEYS)
    assert keyring.lookup(KEYS[7][0]) == KEYS[7][1]
    assert keyring.lookup("none") is None


def test_a_sealed_card_opens_after_a_restart_and_its_key_is_not_in_the_database(tmp_path: Path) -> None:
    sealed = Sealer(random.Random(7).randbytes).card(Card.parse("Qs"))
    key = sealed.publish_key()
    with Store.open(tmp_path / "studio.db") as store:
        body = f'{{"ciphertext":"{sealed.ciphertext.hex()}","id":"{sealed.id}"}}'.encode()
        Writer(store).commit(Unit(entries=(Entry("CardDealt", 1, body),), keys=((sealed.id, key),)))
        found = b"".join(file.read_bytes() for file in tmp_path.glob("studio.db*") if file.suffix != ".keys")
    with Store.open(tmp_path / "studio.db") as store:
        again = store.keyring.lookup(sealed.id)
    assert again == key
    assert str(sealed.with_key(again).card()) == "Qs"
    found += (tmp_path / "studio.db").read_bytes()
    assert sealed.id.encode() in found
    assert key not in found
    assert key.hex().encode() not in found


def test_keys_are_kept_before_the_commit(tmp_path: Path) -> None:
    """A watcher inside the transaction sees the key in the file while the row is still unseen by readers."""
    seen = []

    class Watched(FileKeyring):
        def append(self, keys: object) -> None:
            super().append(keys)  # type: ignore[arg-type]
            with store.reader() as reader:
                seen.append((self.lookup("id1"), reader.head().seq))

    with Store.open(tmp_path / "studio.db") as store:
        writer = Writer(store)
        watched = Watched(tmp_path / "studio.db.keys")
        writer._keyring = watched
        writer.commit(Unit(entries=(Entry("CardDealt", 1, b"{}"),), keys=(("id1", b"k" * 32),)))
        watched.close()
    assert seen == [(b"k" * 32, 0)]


def test_keys_are_read_beside_a_running_studio_without_touching_the_file(path: Path, keyring: FileKeyring) -> None:
    keyring.append(KEYS[:3])
    before = path.read_bytes(), path.stat().st_mtime_ns
    assert read_keys(path, [KEYS[1][0], "ffff"]) == dict(KEYS[1:2])
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_a_key_file_that_is_not_there_is_named_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be read"):
        read_keys(tmp_path / "none.keys", ["00"])
    assert not list(tmp_path.iterdir())
