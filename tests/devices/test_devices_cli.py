"""`devices monitor` and `devices sim` as a person runs them: as processes, on real pseudo-terminals and sockets."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tty
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from patience import PATIENCE_S

from devices.cli import group
from devices.shoe.angel_eye_codec import encode_report
from devices.shuffler.generic_codec import encode
from studio.cards import DECK

START = bytes.fromhex("05 31 53 03 36 31")
CARD_8S = bytes.fromhex("05 31 44 81 B8 03 34 46")
CUT = bytes.fromhex("05 33 43 03 37 33")

Run = Callable[..., "Running"]


class Running:
    """One command as a process, read line by line."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from devices.cli import group; group()", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def told(self) -> dict[str, Any]:
        line = self.line()
        assert line, f"the command ended: {self.process.stderr.read() if self.process.stderr else ''}"
        told: dict[str, Any] = json.loads(line)
        return told

    def until(self, observation: str) -> dict[str, Any]:
        while (told := self.told())["observation"] != observation:
            pass
        return told

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE_S)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


@pytest.fixture
def run() -> Iterator[Run]:
    with ExitStack() as stack:

        def start(*arguments: str) -> Running:
            running = Running(*arguments)
            stack.callback(running.close)
            return running

        yield start


@pytest.fixture
def pty() -> Iterator[tuple[int, str]]:
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(master)
    os.close(slave)


def test_the_monitor_shows_what_a_simulated_shoe_deals(run: Run) -> None:
    sim = run("sim", "angel_eye", "--pty", "--json", "--seed", "7", "--interval", "1", "--speed", "20")
    monitor = run("monitor", sim.told()["path"], "--driver", "angel_eye", "--json")
    told = [monitor.told() for _ in range(8)]
    assert [one["observation"] for one in told] == ["LinkUp", "ShoeStarted", "ShoeStandby", *["ShoeDrewCard"] * 5]
    deck = list(DECK)
    random.Random(7).shuffle(deck)
    assert [one["card"] for one in told[3:]] == [str(card) for card in deck[:5]]
    assert all("at" in one for one in told)
    assert monitor.stop(signal.SIGINT) == 0
    assert sim.stop(signal.SIGTERM) == 0


@pytest.mark.parametrize("driver", ["bee_tek", "barcode", "generic_shoe"])
def test_the_monitor_shows_what_any_other_simulated_shoe_deals(run: Run, driver: str) -> None:
    sim = run("sim", driver, "--pty", "--json", "--seed", "7", "--interval", "1", "--speed", "20")
    monitor = run("monitor", sim.told()["path"], "--driver", driver, "--json")
    deck = list(DECK)
    random.Random(7).shuffle(deck)
    assert [monitor.until("ShoeDrewCard")["card"] for _ in range(5)] == [str(card) for card in deck[:5]]
    assert monitor.stop(signal.SIGINT) == 0
    assert sim.stop(signal.SIGTERM) == 0


def test_the_monitor_shows_a_simulated_shuffler(run: Run) -> None:
    sim = run("sim", "generic", "--pty", "--interval", "1", "--speed", "50")
    monitor = run("monitor", sim.line(), "--driver", "generic", "--json")
    assert monitor.until("ShufflerHello")["model"] == "LDS-SIM"
    verified = monitor.until("DeckVerified")
    assert (verified["count"], verified["verdict"]) == (52, "ok")
    assert monitor.until("ShufflerState")["state"] == "ready"


def test_the_monitor_reads_a_pseudo_terminal_byte_by_byte(run: Run, pty: tuple[int, str]) -> None:
    master, path = pty
    monitor = run("monitor", path, "--driver", "angel_eye", "--json")
    assert monitor.told()["observation"] == "LinkUp"
    for byte in START * 3 + CARD_8S * 3 + CUT[:-1] + b"0" + CUT:
        os.write(master, bytes((byte,)))
    told = [monitor.told() for _ in range(4)]
    assert [one["observation"] for one in told] == ["ShoeStarted", "ShoeDrewCard", "UnreadableFrame", "CutCardOut"]
    assert (told[1]["card"], told[1]["label"], told[2]["reason"]) == ("8s", "Player 1", "bcc")


def test_the_monitor_reads_a_device_server_and_follows_it_when_it_comes_back(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        monitor = run("monitor", f"socket://127.0.0.1:{server.getsockname()[1]}", "--driver", "angel_eye", "--json")
        for card in ("8s", "Kh"):
            peer, _ = server.accept()
            with peer:
                payload = {"8s": b"\x81\xb8", "Kh": b"\xa1\xcd"}[card]
                peer.sendall(encode_report(0x31, "D", payload) * 3)
                assert monitor.told()["observation"] == "LinkUp"
                assert monitor.told()["card"] == card
            assert "closed the connection" in monitor.told()["reason"]


def test_a_generic_shoe_is_acknowledged_frame_by_frame(run: Run, pty: tuple[int, str]) -> None:
    master, path = pty
    monitor = run("monitor", path, "--driver", "generic_shoe", "--json")
    assert monitor.told()["observation"] == "LinkUp"
    os.write(master, encode("01", 1, "K", "001,Th"))
    assert monitor.told()["card"] == "Th"
    assert os.read(master, 10) == b"\x06"


def test_a_missing_device_is_told_and_the_monitor_keeps_trying_until_it_is_stopped(run: Run) -> None:
    monitor = run("monitor", "/dev/ttyUSB99", "--driver", "angel_eye", "--json")
    down = monitor.told()
    assert down["observation"] == "LinkDown"
    assert "/dev/ttyUSB99" in down["reason"]
    assert monitor.process.poll() is None
    assert monitor.stop() == 0


def test_the_raw_bytes_are_shown_on_request(run: Run, pty: tuple[int, str]) -> None:
    master, path = pty
    monitor = run("monitor", path, "--driver", "angel_eye", "--json", "--raw")
    monitor.told()
    os.write(master, START)
    heard = ""
    while (told := monitor.told())["observation"] == "LineBytes":
        heard += told["hex"] + " "
    assert bytes.fromhex(heard) == START
    assert told["observation"] == "ShoeStarted"


def test_without_json_the_monitor_writes_for_people(run: Run, pty: tuple[int, str]) -> None:
    master, path = pty
    monitor = run("monitor", path, "--driver", "angel_eye")
    assert "LinkUp" in monitor.line()
    os.write(master, CARD_8S)
    assert "card=8s  label=Player 1" in monitor.line()


def test_faults_are_switched_while_the_simulator_runs(run: Run, tmp_path: Path) -> None:
    link = tmp_path / "shoe"  # the number of the terminal is anybody's while it is unplugged
    sim = run("sim", "angel_eye", "--pty", "--link", str(link), "--json", "--control", "--interval", "0.1")
    monitor = run("monitor", sim.told()["path"], "--driver", "angel_eye", "--json")
    monitor.until("ShoeDrewCard")
    sim.type("on unread_card")
    monitor.until("ShoeCardUnread")
    sim.type("off unread_card")
    sim.type("on unplug")
    assert "unplugged" in monitor.until("LinkDown")["reason"]
    sim.type("off unplug")
    monitor.until("LinkUp")
    monitor.until("ShoeDrewCard")


def test_a_simulator_keeps_running_when_its_listener_goes_and_comes_back(run: Run) -> None:
    sim = run("sim", "angel_eye", "--pty", "--interval", "0.05")
    path = sim.line()
    for _ in range(2):
        monitor = run("monitor", path, "--driver", "angel_eye", "--json")
        monitor.until("ShoeDrewCard")
        assert monitor.stop() == 0
    assert sim.stop(signal.SIGINT) == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["monitor", "/dev/x", "--driver", "md2"], "choose one of angel_eye, bee_tek", id="unknown driver"),
        pytest.param(["sim", "angel_eye"], "--pty puts it on a pseudo-terminal", id="no pty"),
        pytest.param(["sim", "md2", "--pty"], "angel_eye", id="unknown device"),
        pytest.param(["sim", "angel_eye", "--pty", "--fault", "fire"], "known are triple_send_off", id="unknown fault"),
    ],
)
def test_what_cannot_be_done_is_said_with_what_can(arguments: list[str], says: str) -> None:
    result = CliRunner().invoke(group, arguments)
    assert result.exit_code == 2
    assert says in result.output


def test_the_pictures_command_is_loaded_only_when_it_is_called_for() -> None:
    code = "import sys; from devices.cli import group; sys.exit('cv2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
