"""A studio goes over to a server: every row, its number and its hash, and what the commands say of it there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from report_night import play

from dealer_ui.cli import main
from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.journal.chain import check


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
