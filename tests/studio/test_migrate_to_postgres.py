"""A studio goes over to a server: every row, its number and its hash, and what the commands say of it there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from report_night import play

from dealer_ui.cli import main
from studio.care.signing import signer_beside
from studio.errors import BadInputError
from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.journal.chain import check
from studio.journal.sqlite.carried import note_carried


def said(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("night"), rounds=4)


def test_a_studio_goes_over_with_every_row_and_goes_on_there(night: Path, postgres_address: str) -> None:
    done = said("migrate-to-postgres", night, postgres_address)
    assert done.exit_code == 0, done.output
    assert "both records verify and their sums agree" in done.output
    with Reader.open(night) as here, Reader.open(postgres_address) as there:
        assert list(there.events()) == list(here.events())
        assert (there.head(), there.ledger_head()) == (here.head(), here.ledger_head())
        last, newest_ms = there.head().seq, there.newest_ms()
    for place in (night, postgres_address):
        assert json.loads(said("verify", place, "--json").output)["ok"]
    assert said("replay", postgres_address, "1").output == said("replay", night, "1").output
    for kind in ("table", "significant", "cards", "collusion"):
        here_told, there_told = (said("report", kind, "--json", "--db", place) for place in (night, postgres_address))
        assert here_told.exit_code == there_told.exit_code == 0, there_told.output
        assert here_told.output == there_told.output
    with Store.open(postgres_address) as store:
        assert Writer(store).commit(Unit(entries=(Entry("Said", newest_ms, b"{}"),))).first_seq == last + 1
    assert check(postgres_address) is None


def test_nobody_goes_over_into_a_database_that_is_in_use_or_from_a_file_that_is(
    tmp_path: Path, postgres_address: str
) -> None:
    path = tmp_path / "studio.db"
    with Store.open(path):
        refused = said("migrate-to-postgres", path, postgres_address)
        assert "Another studio is using it" in refused.output
    Store.open(postgres_address).close()
    refused = said("migrate-to-postgres", path, postgres_address)
    assert refused.exit_code == 1
    assert "has written there already" in refused.output
    assert "write postgresql://" in said("migrate-to-postgres", path, "nowhere").output
    assert "no such database" in said("migrate-to-postgres", tmp_path / "none.db", postgres_address).output


def test_a_file_that_is_not_sound_stays_where_it_is(tmp_path: Path, postgres_address: str) -> None:
    path = tmp_path / "studio.db"
    with Store.open(path) as store:
        Writer(store).commit(Unit(entries=(Entry("Said", 1, b"{}"),)))
        store.connection.execute("DROP TRIGGER journal_refuses_update")
        store.connection.execute("UPDATE journal SET at = 2")
    refused = said("migrate-to-postgres", path, postgres_address)
    assert "not sound, so it is not carried over" in refused.output
    with Reader.open(postgres_address) as reader:
        assert reader.head().seq == 0


def test_a_file_whose_record_was_carried_is_no_studios_any_more(tmp_path: Path, postgres_address: str) -> None:
    path = tmp_path / "studio.db"
    with Store.open(path) as store:
        Writer(store).commit(Unit(entries=(Entry("Said", 1, b"{}"),)))
    signer_beside(path, lambda count: bytes(range(count)))
    kept = path.read_bytes()
    done = said("migrate-to-postgres", path, postgres_address)
    assert "studio.db.carried beside it says so" in done.output, done.output
    assert path.read_bytes() == kept
    refused = (
        said("staff", "add", "--db", path, "--id", "m1", "--badge", "7001", "--name", "Made", "--role", "admin"),
        said("backup", path, tmp_path / "backups"),
        said("archive", path, "2025", "--to", tmp_path / "archive", "--by", "Aya"),
    )
    for one in refused:
        assert one.exit_code == 1, one.output
        assert "was carried to postgresql://" in one.output
        assert "name that address" in one.output
    assert path.read_bytes() == kept
    assert not (tmp_path / "backups").exists()
    assert json.loads(said("verify", path, "--json").output)["ok"]
    path.with_name("studio.db.carried").unlink()  # it was a rehearsal, and the studio stays on the file
    with Store.open(path) as store:
        Writer(store).commit(Unit(entries=(Entry("Said", 2, b"{}"),)))


def test_a_rehearsal_leaves_the_file_the_studios_own(tmp_path: Path, postgres_address: str) -> None:
    path = tmp_path / "studio.db"
    Store.open(path).close()
    assert said("migrate-to-postgres", path, postgres_address, "--rehearsal").exit_code == 0
    assert not path.with_name("studio.db.carried").exists()
    Store.open(path).close()


def test_another_record_of_the_same_name_is_nobodys_that_was_carried(tmp_path: Path, postgres_address: str) -> None:
    path = tmp_path / "studio.db"
    with Store.open(path) as store:
        Writer(store).commit(Unit(entries=(Entry("Said", 1, b"{}"),)))
    assert said("migrate-to-postgres", path, postgres_address).exit_code == 0
    for beside in tmp_path.glob("studio.db*"):
        if beside.suffix != ".carried":
            beside.unlink()
    with Store.open(path) as store:
        Writer(store).commit(Unit(entries=(Entry("Said", 2, b"{}"),)))
    Store.open(path).close()


def test_a_note_that_cannot_be_read_is_not_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    Store.open(path).close()
    path.with_name("studio.db.carried").write_text("{")
    with pytest.raises(BadInputError, match="cannot be read: remove it if the studio still runs on the file"):
        Store.open(path)


def test_a_file_that_was_carried_is_no_studios_by_another_name_either(tmp_path: Path) -> None:
    path, link = tmp_path / "studio.db", tmp_path / "named.db"
    with Store.open(path) as store:
        Writer(store).commit(Unit(entries=(Entry("Said", 1, b"{}"),)))
    with Reader.open(path) as reader:
        last = reader.head()
    link.symlink_to(path)
    for carried, opened in ((path, link), (link, path)):
        note_carried(carried, "postgresql://db/studio", 1, last)
        with pytest.raises(BadInputError, match="goes on there"):
            Store.open(opened)
        for note in tmp_path.glob("*.carried"):
            note.unlink()


def test_where_no_note_can_be_left_people_are_told(tmp_path: Path, postgres_address: str) -> None:
    path = tmp_path / "studio.db"
    Store.open(path).close()
    path.with_name("studio.db.carried.part").mkdir()
    done = said("migrate-to-postgres", path, postgres_address)
    assert done.exit_code == 1
    assert "move the file away, that no studio runs on it again" in done.output
