"""Keys exchanged under a running studio: PINs, signatures and sealed cards go on, and the record says who did it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from running_studio import TABLE, House
from test_staff_pages import Person

from dealer_ui.assembly.operators_order import Order, carry_out
from dealer_ui.cli import main
from dealer_ui.process.secret import PEPPER_BYTES, keep_peppers, peppers_beside
from studio.care.event import KeyRotated, read_care
from studio.care.signing import Signer, handing_over, is_signed, signer_in
from studio.errors import BadInputError, RefusedError
from studio.journal.keys.keyring import FileKeyring, read_keys
from studio.journal.keys.rewrapping import rewrap_running
from studio.journal.keys.wrapping import WrappedBy
from studio.people import Argon2PinHasher, Pin
from studio.people.pin import Peppers, generation_of
from studio.proof.audit.database import verify

DANA = ("1001", "4826")


def wrapping(path: Path, digit: str) -> str:
    path.write_text(digit * 64)
    path.chmod(0o600)
    return f"file:{path}"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, wrapped_by=wrapping(tmp_path / "one.key", "1")) as found:
        found.staff()
        yield found


def told(house: House) -> list[KeyRotated]:
    rows = (read_care(row.body) for row in house.floor.reader().events(kinds=("KeyRotated",)))
    return [row for row in rows if isinstance(row, KeyRotated)]


def hash_of(house: House, id: str = "d1") -> str:
    return house.floor.staff.register.people[id].pin.hash


# --- the pepper ------------------------------------------------------------------------------------------


def test_a_pepper_is_exchanged_while_people_come_and_go(house: House) -> None:
    here = Person(house, *DANA)
    before = hash_of(house)
    said = house.studio.keys.rotate("pepper", "Mika", " yearly ")
    assert "each from its next sign-in" in said
    assert hash_of(house) == before
    assert here.is_in(), "nobody is sent away"
    assert Person(house, *DANA).is_in(), "the same PIN opens"
    assert (generation_of(before), generation_of(hash_of(house))) == (1, 2)
    assert not Person(house, DANA[0], "9999").is_in()
    assert Person(house, *DANA).is_in()
    (row,) = told(house)
    assert (row.what, row.by, row.reason, row.before, row.after) == ("pepper", "Mika", "yearly", "1", "2")


def test_an_old_pepper_goes_once_nobody_needs_it(house: House) -> None:
    keys = house.studio.keys
    with pytest.raises(RefusedError, match="rotate it first"):
        keys.retire("pepper", "Mika", "yearly")
    old = house.database.with_name("studio.db.pepper").read_bytes().hex()
    keys.rotate("pepper", "Mika", "yearly")
    Person(house, *DANA)
    with pytest.raises(RefusedError, match="These have not signed in since: Petra"):
        keys.retire("pepper", "Mika", "yearly")
    Person(house, "2001", "730162")
    assert "Pepper 1 is gone" in keys.retire("pepper", "Mika", "yearly")
    assert old not in house.database.with_name("studio.db.pepper").read_text()
    assert Person(house, *DANA).is_in()
    assert [row.retired for row in told(house)] == [False, True]


def test_a_restart_reads_every_generation(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.staff()
        house.studio.keys.rotate("pepper", "Mika", "yearly")
        Person(house, *DANA)
    with House(tmp_path) as house:
        assert Person(house, *DANA).is_in()
        assert Person(house, "2001", "730162").is_in(), "kept under the pepper before"
        house.studio.stop()
        assert verify(house.database).ok


def test_a_pin_typed_for_an_act_is_kept_anew_too(house: House) -> None:
    Person(house, *DANA)
    house.studio.keys.rotate("pepper", "Mika", "yearly")
    station = next(iter(house.floor.staff.register.people["d1"].stations))
    house.floor.staff.confirm_pin("d1", DANA[1], station)
    assert generation_of(hash_of(house)) == 2


def test_hashes_of_a_pepper_that_is_gone_fit_nothing() -> None:
    first = Peppers({1: bytes(PEPPER_BYTES)})
    hasher = Argon2PinHasher(peppers=first, cost=1, memory_kib=8)
    kept = hasher.hash(Pin("4826"))
    hasher.take(first.with_fresh(b"x" * PEPPER_BYTES))
    assert hasher.matches(kept, Pin("4826"))
    assert not hasher.is_current(kept)
    hasher.take(hasher.peppers.newest_alone())
    assert not hasher.matches(kept, Pin("4826"))
    assert hasher.matches(hasher.hash(Pin("4826")), Pin("4826"))
    assert "78" * PEPPER_BYTES not in repr(hasher.peppers)


@pytest.mark.parametrize("text", ["nonsense", "{}", '{"form": "studio peppers 1", "peppers": {"1": "00"}}', "x" * 33])
def test_a_damaged_file_of_peppers_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "studio.db.pepper").write_text(text)
    with pytest.raises(BadInputError, match="restore this file"):
        peppers_beside(tmp_path / "studio.db")


def test_peppers_are_read_as_they_were_kept(tmp_path: Path) -> None:
    first = peppers_beside(tmp_path / "studio.db")
    keep_peppers(tmp_path / "studio.db", after := first.with_fresh(b"x" * PEPPER_BYTES))
    assert peppers_beside(tmp_path / "studio.db") == after
    assert (tmp_path / "studio.db.pepper").stat().st_mode & 0o777 == 0o600


# --- the signing key -------------------------------------------------------------------------------------


def test_another_key_signs_at_once_and_the_old_one_says_that_it_may(house: House) -> None:
    desk = house.floor.checkpoints
    assert desk is not None
    before = desk.sign("asked").public_key
    said = house.studio.keys.rotate("signing", "Mika", "left")
    after = desk.sign("asked").public_key
    assert before != after
    assert after in said
    assert signer_in(house.database).public_keys == (after, before)
    (row,) = told(house)
    assert (row.before, row.after) == (before, after)
    assert is_signed(handing_over(before, after), before, row.signature)
    with pytest.raises(RefusedError, match="signs still"):
        house.studio.keys.rotate("signing", "Mika", "again")
    house.studio.keys.retire("signing", "Mika", "all know it")
    assert signer_in(house.database).public_keys == (after,)
    with pytest.raises(RefusedError, match="rotate it first"):
        house.studio.keys.retire("signing", "Mika", "again")
    house.studio.stop()
    assert verify(house.database).ok


def test_while_two_keys_stand_both_sign_what_is_pushed() -> None:
    signer = Signer.of(b"n" * 32, b"o" * 32)
    marks = signer.signatures("text")
    assert [is_signed("text", key, mark) for key, mark in zip(signer.public_keys, marks, strict=True)] == [True, True]
    assert "6e6e" not in repr(signer)


# --- the wrapping key ------------------------------------------------------------------------------------


def test_the_key_file_is_wrapped_anew_while_cards_are_dealt(house: House, tmp_path: Path) -> None:
    house.open()
    path = house.database.with_name("studio.db.keys")
    house.floor.key_of("nothing")
    ids = [line.split()[0] for line in path.read_text().splitlines() if not line.startswith("#")]
    new = wrapping(tmp_path / "two.key", "2")
    said = house.studio.keys.rotate("wrapping", "Mika", "left", new)
    assert f"with {len(ids)} keys" in said
    assert f'wrapped_by = "{new}"' in said
    with pytest.raises(BadInputError, match="does not fit"):
        read_keys(path, ids, WrappedBy.parse(f"file:{tmp_path / 'one.key'}"))
    assert len(read_keys(path, ids, WrappedBy.parse(new))) == len(ids)
    (row,) = told(house)
    assert row.what == "wrapping"
    assert "2222" not in json.dumps(row.after)


def test_keys_that_come_while_it_is_written_anew_are_in_the_new_file(tmp_path: Path) -> None:
    one, two = (WrappedBy.parse(wrapping(tmp_path / f"{digit}.key", digit)) for digit in "12")
    ring = FileKeyring(tmp_path / "keys", one)
    ring.append([(f"a{number}", bytes([number]) * 32) for number in range(200)])
    original, came = ring.rewrap, []

    def rewrap(carry: object) -> None:
        def meanwhile(file: int, was: object) -> object:
            will = carry(file, was)  # type: ignore[operator]
            if not came:
                came.append(True)
                ring.append([("late", b"l" * 32)])
            return will

        original(meanwhile)  # type: ignore[arg-type]

    ring.rewrap = rewrap  # type: ignore[method-assign]
    done = rewrap_running(ring, tmp_path / "keys", two)
    assert done.kept == 201
    ring.append([("after", b"z" * 32)])
    assert [ring.lookup(id) for id in ("a7", "late", "after")] == [b"\x07" * 32, b"l" * 32, b"z" * 32]
    assert set(read_keys(tmp_path / "keys", ["a7", "late", "after"], two)) == {"a7", "late", "after"}
    ring.close()


def test_a_wrapping_key_that_cannot_be_had_changes_nothing(house: House, tmp_path: Path) -> None:
    path = house.database.with_name("studio.db.keys")
    before = path.read_bytes()
    with pytest.raises(RefusedError, match="cannot be read"):
        house.studio.keys.rotate("wrapping", "Mika", "left", f"file:{tmp_path / 'none'}")
    with pytest.raises(RefusedError, match="Say where the wrapping key comes from"):
        house.studio.keys.rotate("wrapping", "Mika", "left", "nonsense")
    assert path.read_bytes() == before
    assert told(house) == []


def test_a_plain_key_file_is_not_wrapped_by_a_rotation(tmp_path: Path) -> None:
    with House(tmp_path) as house, pytest.raises(RefusedError, match="studio keys wrap"):
        house.studio.keys.rotate("wrapping", "Mika", "left", wrapping(tmp_path / "two.key", "2"))


# --- the command -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "reason", "sentence"), [("x", "why", "Say which key"), ("pepper", " ", "Write a few")])
def test_what_is_asked_wrongly_is_refused(house: House, key: str, reason: str, sentence: str) -> None:
    answered = carry_out(
        house.floor.operator_desk, Order("rotate_key", key=key, reason=reason), "Mika", keys=house.studio.keys
    )
    assert sentence in answered.refused


CONFIG = """
[studio]
database = "{database}"

[[tables]]
key = "{table}"
title = "One"
game = "three_knights"
"""


def test_the_command_does_it_to_a_stopped_studio_too(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.staff()
    path = tmp_path / "studio.toml"
    path.write_text(CONFIG.format(database=house.database, table=TABLE))

    def asked(*arguments: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["keys", *arguments, "--config", str(path), "--reason", "yearly"])
        return done.exit_code, done.output

    assert asked("rotate", "pepper")[0] == 0
    assert asked("rotate", "signing")[0] == 0
    code, said = asked("retire", "pepper")
    assert (code, "These have not signed in since" in said) == (1, True)
    assert asked("retire", "signing")[0] == 0
    code, said = asked("rotate", "wrapping")
    assert (code, "Say --to" in said) == (2, True)
    assert verify(house.database).ok
    with House(tmp_path) as house:
        assert Person(house, *DANA).is_in()
        assert [row.what for row in told(house)] == ["pepper", "signing", "signing"]
        assert "at the machine" in told(house)[0].by
