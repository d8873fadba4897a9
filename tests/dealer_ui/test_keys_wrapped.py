"""A studio on a wrapped key file: started, stopped in the middle of a deal and wrapped, backed up, put back."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner
from pydantic import ValidationError
from running_studio import House

from dealer_ui.cli import main
from dealer_ui.config.file import KeysSection
from studio.errors import BadInputError
from studio.journal.keys.keyring import read_keys
from studio.journal.keys.wrapping import WrappedBy
from studio.tables import command as c


def wrapping_key(folder: Path) -> str:
    path = folder / "wrapping.key"
    path.touch(0o600)
    path.write_text(bytes(range(32)).hex())
    return f"file:{path}"


def did(*args: object) -> str:
    done = CliRunner().invoke(main, [str(arg) for arg in args])
    assert done.exit_code == 0, done.output
    return done.output


def kept(house: House) -> list[str]:
    """The ids of the cards whose keys are in the file."""
    lines = (house.database.parent / "studio.db.keys").read_text().splitlines()
    return [line.split()[0] for line in lines if not line.startswith("#")]


def test_a_studio_that_begins_wrapped_plays_a_round_and_comes_back_from_its_backup(tmp_path: Path) -> None:
    source = wrapping_key(tmp_path)
    with House(tmp_path, wrapped_by=source) as house:
        house.betting()
        house.do(c.CloseBetting)
        house.deal_all()
        house.finish()
        ids = kept(house)
        keys = [house.floor.key_of(id) for id in ids]
        made = json.loads(did("backup", house.database, tmp_path / "disk", "--keys-to", tmp_path / "safe", "--json"))
    assert len(ids) >= 16
    assert None not in keys
    text = (tmp_path / "studio.db.keys").read_text()
    assert text.startswith("#wrapped 1 ")
    assert not any(key.hex() in text for key in keys if key)
    assert "verified" in did("upgrade-rehearsal", house.database)
    back = tmp_path / "new" / "studio.db"
    assert "studio.db.keys is wrapped: the studio needs the wrapping key too" in did(
        "restore", made["folder"], back, "--keys", made["keys"]
    )
    assert stat.S_IMODE(back.stat().st_mode) == 0o600
    assert read_keys(back.with_name("studio.db.keys"), ids, WrappedBy.parse(source)) == dict(
        zip(ids, keys, strict=True)
    )


def test_cards_in_play_open_after_the_file_was_wrapped_and_never_without_the_wrapping_key(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.betting()
        ids = kept(house)
        keys = [house.floor.key_of(id) for id in ids]
    source = wrapping_key(tmp_path)
    did("keys", "wrap", house.database, "--wrapped-by", source)
    with pytest.raises(BadInputError, match="The key file is wrapped: say where its wrapping key comes from"):
        House(tmp_path)
    (tmp_path / "wrapping.key").chmod(0o644)
    with pytest.raises(BadInputError, match=r"can be read by others \(644\)"):
        House(tmp_path, wrapped_by=source)
    (tmp_path / "wrapping.key").chmod(0o600)
    did("staff", "list", "--db", house.database)  # needs no card, and no wrapping key
    with House(tmp_path, wrapped_by=source) as again:
        assert [again.floor.key_of(id) for id in ids] == keys
        assert again.view.round.stage == house.view.round.stage
    did("keys", "unwrap", house.database, "--wrapped-by", source)
    with pytest.raises(BadInputError, match="The key file is not wrapped"):
        House(tmp_path, wrapped_by=source)


def test_a_configuration_names_its_source_as_the_command_does() -> None:
    with pytest.raises(ValidationError, match=r"Say where the wrapping key comes from: file:/PATH, env:NAME"):
        KeysSection(wrapped_by="/etc/wrapping.key")
