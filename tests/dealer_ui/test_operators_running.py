"""`studio operators` and SIGHUP at a studio that runs: each counts at once, and stands after the studio is gone."""

from __future__ import annotations

import http.client
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from patience import PATIENCE_S, wait_until
from studio_process import StudioProcess, ended, free_port

from dealer_ui.cli import main
from dealer_ui.desk.operator_key import digest_of_key
from studio.journal import Reader
from studio.proof.audit.database import verify

KEY = "a-key-for-tests"
CONFIG = """\
[studio]
database = "{folder}/studio.db"
evidence = "{folder}/evidence"

[server]
port = {port}

[[tables]]
key = "t1"
title = "Table 1"
game = "three_knights"

[operators.north]
key_sha256 = "{digest}"
"""


def served(config: Path) -> StudioProcess:
    port = int(config.read_text().partition("port = ")[2].split()[0])
    studio = StudioProcess("serve", "--config", str(config), port=port, key=KEY)
    studio.line()
    return studio


def written(folder: Path) -> Path:
    path = folder / "studio.toml"
    path.write_text(CONFIG.format(folder=folder, port=free_port(), digest=digest_of_key(KEY)))
    who = ("--id", "a1", "--badge", "100", "--name", "Aiko", "--role", "admin")
    assert CliRunner().invoke(main, ["staff", "add", "--db", str(folder / "studio.db"), *who]).exit_code == 0
    return path


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("studio"))


@pytest.fixture(scope="module")
def studio(config: Path) -> Iterator[StudioProcess]:
    with served(config) as studio:
        yield studio
        assert studio.stop(signal.SIGTERM)[0] == 0


def asked(config: Path, verb: str, *more: str) -> str:
    given = () if verb == "list" else ("--reason", "it leaked")
    done = CliRunner().invoke(main, ["operators", verb, "--config", str(config), *more, *given], env={"COLUMNS": "120"})
    assert done.exit_code == 0, done.output
    return done.output


def status(studio: StudioProcess, key: str = KEY) -> int:
    asking = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=PATIENCE_S)
    try:
        asking.request("GET", "/api/v1/tables", headers={"Authorization": f"Bearer {key}"})
        return asking.getresponse().status
    finally:
        asking.close()


def test_suspending_resuming_and_revoking_count_at_once(studio: StudioProcess, config: Path) -> None:
    key = asked(config, "add", "east").split()[-1]
    assert status(studio, key) == 200
    asked(config, "suspend", "east")
    assert status(studio, key) == 403
    asked(config, "resume", "east")
    assert status(studio, key) == 200
    asked(config, "revoke", "east")
    assert status(studio, key) == 401
    assert "none is good" in asked(config, "list")


def test_a_rotated_key_is_shown_once_and_nowhere_kept(studio: StudioProcess, config: Path) -> None:
    old = asked(config, "add", "west").split()[-1]
    new = asked(config, "rotate", "west", "--hours", "2").split()[-1]
    assert (status(studio, old), status(studio, new)) == (200, 200)
    assert "ends" in asked(config, "list")
    newest = asked(config, "rotate", "west", "--hours", "0").split()[-1]
    assert [status(studio, key) for key in (old, new, newest)] == [401, 401, 200]
    kept = b"".join(file.read_bytes() for file in config.parent.glob("studio.db*") if file.is_file())
    assert newest.encode() not in kept


def test_after_a_key_that_leaked_nobody_is_told_that_it_is_good_for_a_day(studio: StudioProcess, config: Path) -> None:
    asked(config, "add", "leaky")
    assert "The old key of leaky ends in 24 h. The new one" in asked(config, "rotate", "leaky")
    asked(config, "revoke", "leaky")
    said = asked(config, "rotate", "leaky")
    assert "leaky has no other good key. The new one, shown this once:\n" in said
    assert status(studio, said.split()[-1]) == 200


def test_a_stream_ends_with_its_key(studio: StudioProcess, config: Path) -> None:
    key = asked(config, "add", "south").split()[-1]
    reading = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=PATIENCE_S)
    reading.request("GET", "/api/v1/tables/t1/stream", headers={"Authorization": f"Bearer {key}"})
    answer = reading.getresponse()
    assert answer.status == 200
    assert answer.readline() == b"retry: 1000\n"
    asked(config, "revoke", "south")
    answer.read()  # ends: a stream that went on would time out
    reading.close()


def test_a_hangup_takes_the_operators_and_says_what_waits(studio: StudioProcess, config: Path) -> None:
    good = config.read_text()
    config.write_text(good.replace('title = "Table 1"', 'title = "Another"') + "suspended = true\n")
    studio.process.send_signal(signal.SIGHUP)
    wait_until(lambda: status(studio) == 403)
    assert studio.process.stderr is not None
    said = "The configuration was read again. From now on: operators.north. Only from the next start: tables."
    assert said in studio.process.stderr.readline()
    config.write_text(good)
    said = "The configuration was read again. From now on: operators.north."
    assert asked(config, "reload").strip() == said
    assert said in studio.process.stderr.readline()
    assert status(studio) == 200
    with Reader.open(config.parent / "studio.db") as reader:
        first, second = reader.events(kinds=("OperatorsReloaded",))
    assert b'"by":"system","reason":"SIGHUP","taken":["operators.north"],"waits":["tables"]' in first.body
    assert b'at the machine","reason":"it leaked","taken":["operators.north"],"waits":[]' in second.body


def test_a_broken_file_changes_nothing_and_the_studio_goes_on(studio: StudioProcess, config: Path) -> None:
    good = config.read_text()
    config.write_text(good + "suspended = maybe\n")
    studio.process.send_signal(signal.SIGHUP)
    assert studio.process.stderr is not None
    assert "everything stays as it was" in studio.process.stderr.readline()
    assert status(studio) == 200
    config.write_text(good)


def test_what_was_done_outlives_a_kill_and_the_next_studio_has_a_door(tmp_path: Path) -> None:
    config = written(tmp_path)
    with served(config) as studio:
        asked(config, "suspend", "north")
        studio.kill()
    assert (tmp_path / "studio.db.door").is_socket()
    assert "suspended" in asked(config, "list")  # nobody is behind the socket: the command opens the database itself
    with served(config) as studio:
        assert status(studio) == 403
        second = ended("serve", "--config", str(config))
        assert (second.returncode, second.stdout) == (1, "")
        assert second.stderr.startswith("Error: ")
        asked(config, "resume", "north")
        assert status(studio) == 200
        studio.stop(signal.SIGTERM)
    assert not (tmp_path / "studio.db.door").exists()
    with Reader.open(config.parent / "studio.db") as reader:
        kinds = [row.kind for row in reader.events(kinds=("OperatorSuspended", "OperatorResumed"))]
        assert kinds == ["OperatorSuspended", "OperatorResumed"]
    assert verify(config.parent / "studio.db").ok


def test_a_studio_that_does_not_run_is_not_told_to_read_its_file(tmp_path: Path) -> None:
    config = written(tmp_path)
    begun = ["staff", "add", "--db", str(tmp_path / "studio.db"), "--id", "p1", "--name", "P", "--role", "pit_boss"]
    assert CliRunner().invoke(main, [*begun, "--badge", "1"]).exit_code == 0
    done = CliRunner().invoke(main, ["operators", "reload", "--config", str(config), "--reason", "r"])
    assert (done.exit_code, "it reads the file when it starts" in done.output) == (1, True)
