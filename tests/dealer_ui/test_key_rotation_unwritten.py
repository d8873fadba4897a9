"""Keys exchanged while the record cannot be written, or by a process that was killed: no key is used that the record
does not know, none is gone that it still counts on, and what was done all the same is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from running_studio import House
from test_key_rotation import told, wrapping
from test_staff_pages import Person

from dealer_ui.assembly.key_rotation import KeyRotation
from dealer_ui.process.secret import peppers_beside
from studio.care.signing import KEY_BYTES, change_signing_key, handing_over, is_signed, signer_in
from studio.errors import RefusedError, StorageError
from studio.journal import Unit
from studio.journal.keys.keyring import read_keys
from studio.journal.keys.wrapping import WrappedBy

FULL = StorageError("The disk is full and nothing of this commit was kept: make room, then go on.")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, wrapped_by=wrapping(tmp_path / "one.key", "1")) as found:
        found.staff()
        yield found


def failing(house: House, error: Exception) -> KeyRotation:
    """The keys of this studio, while its record takes nothing."""

    def commit(unit: Unit) -> int:
        raise error

    return replace(house.studio.keys, commit=commit)


def test_a_signing_key_that_could_not_be_recorded_signs_nothing(house: House) -> None:
    before = house.studio.keys.signer.public_key
    with pytest.raises(RefusedError, match="try again in a moment"):
        failing(house, FULL).rotate("signing", "Mika", "left")
    assert (house.studio.keys.signer.public_keys, signer_in(house.database).public_keys) == ((before,), (before,))
    assert "Signed with another key" in house.studio.keys.rotate("signing", "Mika", "left")
    (row,) = told(house)
    assert (row.before, is_signed(handing_over(before, row.after), before, row.signature)) == (before, True)


def test_a_signing_key_that_may_yet_be_recorded_stays(house: House) -> None:
    with pytest.raises(RefusedError, match="it may yet be done"):
        failing(house, TimeoutError()).rotate("signing", "Mika", "left")
    assert len(signer_in(house.database).public_keys) == 2


def test_the_old_key_has_signed_for_the_new_one_before_it_goes(house: House) -> None:
    """Its exchange was cut off before the record said it."""
    keys = house.studio.keys
    before = keys.signer.public_key
    change_signing_key(house.database, keys.signer, b"n" * KEY_BYTES)
    keys.retire("signing", "Mika", "cut off")
    (row,) = told(house)
    assert (row.before, row.after, row.retired) == (before, signer_in(house.database).public_key, True)
    assert is_signed(handing_over(before, row.after), before, row.signature)


@pytest.mark.parametrize("error", [FULL, TimeoutError()])
def test_nothing_is_gone_before_the_record_says_so(house: House, error: Exception) -> None:
    keys = house.studio.keys
    keys.rotate("signing", "Mika", "left")
    keys.rotate("pepper", "Mika", "yearly")
    for person in (("1001", "4826"), ("2001", "730162")):
        assert Person(house, *person).is_in()
    for which in ("signing", "pepper"):
        with pytest.raises(RefusedError):
            failing(house, error).retire(which, "Mika", "all know it")
    assert len(signer_in(house.database).public_keys) == 2
    assert len(peppers_beside(house.database).by_generation) == 2
    assert "signs nothing any more" in keys.retire("signing", "Mika", "again")
    assert "Pepper 1 is gone" in keys.retire("pepper", "Mika", "again")


@pytest.mark.parametrize("error", [FULL, TimeoutError()])
def test_a_key_file_that_was_wrapped_anew_is_told_as_that(house: House, tmp_path: Path, error: Exception) -> None:
    house.open()
    path, new = house.database.with_name("studio.db.keys"), wrapping(tmp_path / "two.key", "2")
    with pytest.raises(RefusedError) as refused:
        failing(house, error).rotate("wrapping", "Mika", "left", new)
    assert "keep the new key" in refused.value.sentence
    assert f'wrapped_by = "{new}"' in refused.value.sentence
    assert read_keys(path, (), WrappedBy.parse(new)) == {}
    assert "wrapped anew" in house.studio.keys.rotate("wrapping", "Mika", "again", new)
    assert [row.what for row in told(house)] == ["wrapping"]
