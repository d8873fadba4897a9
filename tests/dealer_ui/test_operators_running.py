"""`studio operators` and SIGHUP at a studio that runs: each counts at once, and stands after the studio is gone."""

from __future__ import annotations

import http.client
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import PATIENCE_S, wait_until
from studio_process import StudioProcess, ended, free_port

from dealer_ui.api import digest_of_key
from studio.journal import Reader
from studio.proof.audit import verify

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


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "studio.toml"
    path.write_text(CONFIG.format(folder=tmp_path, port=free_port(), digest=digest_of_key(KEY)))
    return path


@pytest.fixture
def studio(config: Path) -> Iterator[StudioProcess]:
    port = int(config.read_text().partition("port = ")[2].split()[0])
    with StudioProcess("serve", "--config", str(config), port=port, key=KEY) as studio:
        studio.line()
        yield studio
        studio.process.send_signal(signal.SIGTERM)
        studio.process.wait(PATIENCE_S)


def operators(config: Path, verb: str, *more: str) -> str:
    given = () if verb == "list" else ("--reason", "it leaked")
    done = ended("operators", verb, "--config", str(config), *more, *given)
    assert done.returncode == 0, done.stderr
    return done.stdout


def status(studio: StudioProcess, key: str = KEY) -> int:
    asking = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=PATIENCE_S)
    try:
        asking.request("GET", "/api/v1/tables", headers={"Authorization": f"Bearer {key}"})
        return asking.getresponse().status
    finally:
        asking.close()


def test_suspending_resuming_and_revoking_count_at_once(studio: StudioProcess, config: Path) -> None:
    assert status(studio) == 200
    operators(config, "suspend", "north")
    assert status(studio) == 403
    operators(config, "resume", "north")
    assert status(studio) == 200
    operators(config, "revoke", "north")
    assert status(studio) == 401
    assert "none is good" in operators(config, "list")


def test_a_rotated_key_is_shown_once_and_nowhere_kept(studio: StudioProcess, config: Path, tmp_path: Path) -> None:
    new = operators(config, "rotate", "north", "--hours", "2").split()[-1]
    assert (status(studio), status(studio, new)) == (200, 200)
    assert "ends" in operators(config, "list")
    newest = operators(config, "rotate", "north", "--hours", "0").split()[-1]
    assert [status(studio, key) for key in (KEY, new, newest)] == [401, 401, 200]
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("studio.db*") if file.is_file())
    assert newest.encode() not in kept


def test_a_stream_ends_with_its_key(studio: StudioProcess, config: Path) -> None:
    key = operators(config, "add", "south").split()[-1]
    reading = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=PATIENCE_S)
    reading.request("GET", "/api/v1/tables/t1/stream", headers={"Authorization": f"Bearer {key}"})
    answer = reading.getresponse()
    assert answer.status == 200
    assert answer.readline() == b"retry: 1000\n"
    operators(config, "revoke", "south")
    answer.read()  # ends: a stream that went on would time out
    reading.close()


def test_what_was_done_stands_without_the_studio_and_is_verified(studio: StudioProcess, config: Path) -> None:
    operators(config, "suspend", "north")
    studio.process.send_signal(signal.SIGTERM)
    studio.process.wait(PATIENCE_S)
    assert "suspended" in operators(config, "list")
    operators(config, "resume", "north")
    with Reader.open(config.parent / "studio.db") as reader:
        kinds = [row.kind for row in reader.events(kinds=("OperatorSuspended", "OperatorResumed"))]
        assert kinds == ["OperatorSuspended", "OperatorResumed"]
    assert verify(config.parent / "studio.db").ok


def test_a_hangup_takes_the_operators_and_says_what_waits(studio: StudioProcess, config: Path) -> None:
    text = config.read_text()
    config.write_text(text.replace('title = "Table 1"', 'title = "Another"') + "suspended = true\n")
    studio.process.send_signal(signal.SIGHUP)
    wait_until(lambda: status(studio) == 403)
    with Reader.open(config.parent / "studio.db") as reader:
        (row,) = reader.events(kinds=("OperatorsReloaded",))
    assert b'"taken":["operators.north"],"waits":["tables"]' in row.body


def test_a_broken_file_changes_nothing_and_the_studio_goes_on(studio: StudioProcess, config: Path) -> None:
    good = config.read_text()
    config.write_text(good + "suspended = maybe\n")
    studio.process.send_signal(signal.SIGHUP)
    assert studio.process.stderr is not None
    assert "everything stays as it was" in studio.process.stderr.readline()
    assert status(studio) == 200
