"""Whatever a released version kept comes up under this one: its record, its keys, its configuration, its export."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from released_case import CASES, Case, unpacked
from studio_process import StudioProcess, free_port

from dealer_ui.cli import main
from dealer_ui.config.file import load_config
from dealer_ui.desk.operator_key import digest_of_key
from scripts.release import ROOT, version_of
from studio.journal import Reader, Store
from studio.proof.machine.upgrade import upgrade
from studio.tables.event.record import read_body

KEY = "a-key-of-the-test"


@pytest.fixture(params=CASES, ids=[path.name.removesuffix(".tar.xz") for path in CASES])
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    return unpacked(request.param, tmp_path)


def said(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def brought_up(case: Case) -> None:
    Store.open(case.db).close()


def test_the_first_numbered_version_has_its_case() -> None:
    assert "1.0.0.tar.xz" in [path.name for path in CASES]
    assert all(path.stat().st_size < 1_000_000 for path in CASES), "a case is small"


def test_the_doctor_says_what_a_start_would_do_to_it_and_touches_nothing(case: Case) -> None:
    before = {path.name: path.read_bytes() for path in case.folder.iterdir()}
    told = [one.sentence for one in upgrade(case.db, "99.0.0")]
    assert f"kept by version {case.held['version']} last" in told[0]
    assert "There is no way back yet" in told[-1]
    assert "upgrade" in said("doctor", "--db", case.db, "--json").output
    assert {path.name: path.read_bytes() for path in case.folder.iterdir()} == before


def test_an_upgrade_of_it_is_rehearsed(case: Case) -> None:
    done = said("upgrade-rehearsal", case.db)
    assert done.exit_code == 0, done.output
    assert "blackjack-1, holdem-bonus-1, nlh-1, three-knights-1" in done.output


def test_it_is_brought_up_and_verified_and_not_a_row_is_another(case: Case) -> None:
    brought_up(case)
    done, held = said("verify", case.db, "--json"), case.held
    assert json.loads(done.output) == held["verified"]
    with Reader.open(case.db) as reader:
        assert list(reader.head()) == held["journal"]
        assert list(reader.ledger_head()) == held["ledger"]
        balances = reader.read("SELECT account, currency, amount FROM balance WHERE amount <> 0 ORDER BY 1, 2", ())
    assert [list(one) for one in balances] == held["balances"]


def test_every_round_of_it_is_replayed(case: Case) -> None:
    brought_up(case)
    rounds = [*case.held["rounds"], *case.held["open"]]
    assert len(rounds) >= 6
    for round in rounds:
        done = said("replay", case.db, round)
        assert done.exit_code == 0, done.output
        assert round in done.output


def test_its_reports_are_made(case: Case) -> None:
    brought_up(case)
    done = said("report", "closing", "--db", case.db, "--json")
    assert done.exit_code == 0, done.output
    assert not any("differs" in note for sheet in json.loads(done.output)["sheets"].values() for note in sheet["notes"])


def test_its_export_is_still_good(case: Case) -> None:
    done = said("verify-export", case.folder / "export.jsonl", "--public-key", case.held["public_key"])
    assert done.exit_code == 0, done.output


def test_its_configurations_are_read(case: Case) -> None:
    tables = [table.key for table in load_config(case.folder / "studio.toml").tables]
    assert sorted(tables) == ["blackjack-1", "holdem-bonus-1", "nlh-1", "three-knights-1"]
    assert load_config(case.folder / "example-studio.toml").tables


@pytest.mark.long
def test_its_open_round_is_dealt_to_its_end_and_another_after_it(case: Case) -> None:
    """The cards that lay face down are opened with the keys that the old version kept."""
    [(round, table)] = [one for one in case.held["open"].items() if one[1].startswith("holdem")]
    asked = ["--auto", "--speed", "10", *(word for game in ("holdem_bonus", "nlh") for word in ("--game", game))]
    with StudioProcess.demo(case.db, *asked) as studio:
        studio.once(table, lambda _: round in (over := ended(case, table)) and len(set(over) - {round}) > 1)
        assert round in [one for one in ended(case, table, "RoundSettled")]
        studio.kill()
    done = said("verify", case.db, "--json")
    assert json.loads(done.output)["ok"], done.output


def ended(case: Case, table: str, *kinds: str) -> list[str]:
    """The rounds of the table that are over since this version runs."""
    with Reader.open(case.db) as reader:
        rows = reader.events(
            table=table, after_seq=case.held["journal"][0], kinds=kinds or ("RoundSettled", "RoundVoided")
        )
        return [read_body(row.body).round for row in rows]


@pytest.mark.long
def test_a_studio_is_served_on_it_by_its_own_configuration(case: Case) -> None:
    port, config = free_port(), case.folder / "studio.toml"
    told = config.read_text().replace("port = 8000", f"port = {port}").replace("0" * 64, digest_of_key(KEY))
    config.write_text(told.replace('"studio.db"', f'"{case.db}"').replace('"evidence"', f'"{case.folder}/evidence"'))
    with StudioProcess("serve", "--config", str(config), port=port, key=KEY) as studio:
        assert "Released is open" in studio.line()
        assert studio.table("holdem-bonus-1")["held"] is True
        assert studio.stop(signal.SIGTERM) == (0, "")
    with Reader.open(case.db) as reader:
        [found, *_] = reader.events(after_seq=case.held["journal"][0], kinds=("ProgramFound",))
    assert version_of(ROOT) in found.body.decode()
