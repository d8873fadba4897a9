"""`devices list | probe | record | replay` as a technician types them, on real pseudo-terminals."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import stat
import tty
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from test_devices_cli import Running

from devices.cli import group
from devices.link import LineSettings, SerialLink
from devices.technician.capture import load_capture

START = bytes.fromhex("05 31 53 03 36 31")
CARD_8S = bytes.fromhex("05 31 44 81 B8 03 34 46")
CAPTURES = Path(__file__).parents[1] / "captures"


@pytest.fixture
def pty() -> Iterator[tuple[int, str]]:
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(master)
    os.close(slave)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, [*arguments])


def lines(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]


def test_the_list_names_the_configured_devices_and_what_is_missing(tmp_path: Path) -> None:
    config = tmp_path / "studio.toml"
    config.write_text('[[devices]]\nid = "shoe-1"\ndriver = "angel_eye"\nurl = "/dev/ttyUSB99"\n')
    told = [one for one in lines(run("list", "--config", str(config), "--json")) if one["kind"] == "configured"]
    assert [(one["id"], one["found"]) for one in told] == [("shoe-1", False)]
    assert "nothing is plugged in at /dev/ttyUSB99" in run("list", "--config", str(config)).output
    assert run("list", "--config", str(tmp_path / "none")).exit_code == 2


def test_the_probe_says_what_speaks_and_how_far_it_comes(pty: tuple[int, str]) -> None:
    master, path = pty
    os.write(master, START * 3 + CARD_8S * 3)
    result = run("probe", path, "--baud", "4800", "--listen", "2", "--json")
    best = lines(result)[0]
    assert (result.exit_code, best["driver"], best["sure"], best["cards"]) == (0, "angel_eye", "certain", 1)
    assert [rung["state"] for rung in best["ladder"]] == ["good"] * 4  # type: ignore[attr-defined]


def test_the_probe_of_a_silent_line_says_what_to_do(pty: tuple[int, str]) -> None:
    result = run("probe", pty[1], "--baud", "4800", "--listen", "0.1")
    assert result.exit_code == 1
    assert "Nothing was heard." in result.output
    assert "Switch the device off and on" in result.output


@pytest.mark.long
def test_a_line_is_recorded_for_its_owners_eyes_and_replayed(pty: tuple[int, str], tmp_path: Path) -> None:
    master, path = pty
    file = tmp_path / "shoe.capture"
    os.write(master, START * 3 + CARD_8S * 3)
    result = run("record", path, str(file), "--driver", "angel_eye", "--for", "2", "--json")
    assert result.exit_code == 0, result.output
    assert lines(result)[0]["bytes"] == len(START * 3 + CARD_8S * 3)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert load_capture(file).heard == START * 3 + CARD_8S * 3
    assert [one["observation"] for one in lines(run("replay", str(file), "--json"))] == ["ShoeStarted", "ShoeDrewCard"]
    assert "card=8s  label=Player 1" in run("replay", str(file)).output


def test_whoever_records_is_told_that_it_is_for_a_closed_table(pty: tuple[int, str], tmp_path: Path) -> None:
    result = run("record", pty[1], str(tmp_path / "a"), "--driver", "angel_eye", "--for", "0.1")
    assert "closed table" in result.stderr


def test_a_replay_that_hides_names_no_card() -> None:
    hidden = run("replay", str(CAPTURES / "angel_eye_two_cards.capture"), "--hide")
    assert "ShoeDrewCard" in hidden.output
    assert "card=" not in hidden.output


def test_a_port_that_somebody_holds_is_not_recorded(pty: tuple[int, str], tmp_path: Path) -> None:
    link = SerialLink(pty[1], LineSettings(), 0.01)
    try:
        result = run("record", pty[1], str(tmp_path / "a"), "--driver", "angel_eye", "--for", "5")
    finally:
        link.close()
    assert result.exit_code == 1
    assert "in use by another program" in result.output
    assert not (tmp_path / "a").exists()


def test_a_running_studios_device_is_not_recorded(tmp_path: Path) -> None:
    config = tmp_path / "studio.toml"
    url = "socket://shoe:4001"
    config.write_text(
        f'[studio]\ndatabase = "{tmp_path}/s.db"\n[[devices]]\nid = "shoe-1"\ndriver = "angel_eye"\nurl = "{url}"\n'
    )
    with (tmp_path / "s.db.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = run("record", url, str(tmp_path / "a"), "--driver", "angel_eye", "--config", str(config))
    assert result.exit_code == 1
    assert "uses socket://shoe:4001 as shoe-1; stop it first" in result.output


def test_a_file_that_is_there_is_not_written_over(pty: tuple[int, str], tmp_path: Path) -> None:
    (tmp_path / "a").write_text("keep me")
    result = run("record", pty[1], str(tmp_path / "a"), "--driver", "angel_eye")
    assert "is there already" in result.output
    assert (tmp_path / "a").read_text() == "keep me"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["replay", "/none"], "cannot be read", id="no file"),
        pytest.param(["record", "/dev/x", "{tmp}/a", "--driver", "md2"], "choose one of", id="no driver"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: list[str], says: str, tmp_path: Path) -> None:
    result = run(*(word.replace("{tmp}", str(tmp_path)) for word in arguments))
    assert result.exit_code != 0
    assert says in result.output


def test_a_recording_is_watched_as_if_it_were_the_line(tmp_path: Path) -> None:
    """`monitor` opens `capture://FILE` and ends when it is told to."""
    file = tmp_path / "a.capture"
    file.write_text("protocol angel_eye\n" + (START * 3).hex(" ") + "\n")
    with closing(Running("monitor", f"capture://{file}", "--driver", "angel_eye", "--json")) as monitor:
        assert [monitor.told()["observation"] for _ in range(2)] == ["LinkUp", "ShoeStarted"]
        monitor.until("LinkDown")
        assert monitor.stop(signal.SIGINT) == 0
