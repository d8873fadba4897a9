"""`studio demo` and `studio serve` as a person runs them: bad input, real lines, and the end."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flask import Flask
from patience import PATIENCE_S
from running_studio import threads
from studio_process import COMMAND, StudioProcess, ended, free_port

from dealer_ui.cli import main
from dealer_ui.desk.operator_key import digest_of_key
from dealer_ui.serving.server import Server, address_of
from studio.errors import BadInputError
from studio.journal import Reader
from studio.proof.audit.database import verify

KEY = "a-key-for-tests"

CONFIG = """\
[studio]
title = "Real lines"
database = "{folder}/studio.db"
evidence = "{folder}/evidence"

[server]
port = {port}
threads = 24

[[devices]]
id = "shoe-1"
driver = "angel_eye"
url = "{shoe}"

[[devices]]
id = "shuffler-1"
driver = "generic"
url = "{shuffler}"

[[tables]]
key = "t1"
title = "Table 1"
game = "three_knights"
shoe = "shoe-1"
shuffler = "shuffler-1"

[operators.north]
key_sha256 = "{digest}"
"""


Command = Callable[..., Result]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[Command]:
    """Runs a command that is to end by itself in this process, whose logs it leaves alone; no thread stays behind."""
    monkeypatch.setattr("dealer_ui.verbs.running.quiet_logs", lambda: None)
    before = threads()
    yield lambda *arguments: CliRunner().invoke(main, arguments)
    assert threads() <= before


@contextmanager
def simulated(name: str, *arguments: str) -> Iterator[str]:
    """A simulated device on a pseudo-terminal: its path."""
    with subprocess.Popen(
        [*COMMAND, "devices", "sim", name, "--pty", *arguments], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@contextmanager
def serving(folder: Path, shoe: str, shuffler: str) -> Iterator[StudioProcess]:
    port = free_port()
    file = folder / "studio.toml"
    file.write_text(CONFIG.format(folder=folder, port=port, shoe=shoe, shuffler=shuffler, digest=digest_of_key(KEY)))
    with StudioProcess("serve", "--config", str(file), port=port, key=KEY) as studio:
        assert "Real lines is open" in studio.line()
        yield studio


def test_serve_hears_real_lines_and_keeps_what_they_say(tmp_path: Path) -> None:
    with (
        simulated("angel_eye", "--interval", "0.05", "--speed", "20") as shoe,
        simulated("generic", "--interval", "0.05", "--speed", "20") as shuffler,
        serving(tmp_path, shoe, shuffler) as studio,
        Reader.open(tmp_path / "studio.db") as reader,
    ):
        kinds: set[str] = set()
        seq = 0
        while not {"ShoeDrewCard", "DeckVerified", "LineBytes", "LinkUp"} <= kinds:
            studio.table("t1")
            for row in reader.events(after_seq=seq):
                kinds.add(row.kind)
                seq = row.seq
        code, said = studio.stop(signal.SIGTERM)
    assert code == 0
    assert said.startswith(f"Nobody may sign in: {tmp_path / 'studio.db'} has no staff. If it is new, ")
    assert said.count("\n") == 1
    assert verify(tmp_path / "studio.db").ok


def test_a_missing_cable_is_named_and_the_studio_opens_all_the_same(tmp_path: Path) -> None:
    who = ("--id", "a1", "--badge", "100", "--name", "Aiko", "--role", "admin")
    assert CliRunner().invoke(main, ["staff", "add", "--db", str(tmp_path / "studio.db"), *who]).exit_code == 0
    with serving(tmp_path, "/dev/ttyNOSUCH7", "socket://127.0.0.1:9") as studio:
        down: list[dict[str, str]] = []
        with Reader.open(tmp_path / "studio.db") as reader:
            while len(down) < 2:
                studio.table("t1")
                down = [json.loads(row.body)["event"]["observation"] for row in reader.events(kinds=("LinkDown",))]
        assert studio.stop(signal.SIGINT) == (0, "")
    told = {one["device"]: one["reason"] for one in down}
    assert told["shoe-1"] == (
        "The cable at /dev/ttyNOSUCH7 is not there; plug it in, or correct the path in the configuration."
    )
    assert told["shuffler-1"].startswith("The device server at socket://127.0.0.1:9 does not answer")


def test_a_configuration_that_cannot_be_used_is_said_in_one_line(tmp_path: Path, quick: Command) -> None:
    file = tmp_path / "studio.toml"
    file.write_text('[[tables]]\nkey = "t1"\ntitle = "T"\ngame = "three_knights"\nshoe = "shoe-9"\n')
    done = quick("serve", "--config", str(file))
    assert done.exit_code == 1
    assert done.stderr == (
        f"Error: {file}, line 5: The key tables.1.shoe is wrong: there is no device 'shoe-9'; the devices are: none.\n"
    )
    missing = quick("serve", "--config", str(tmp_path / "nope.toml"))
    assert missing.exit_code == 1
    assert missing.stderr == (
        f"Error: {tmp_path / 'nope.toml'}: The configuration cannot be read: No such file or directory.\n"
    )


def test_an_unknown_game_is_said_with_those_there_are() -> None:
    done = ended("demo", "--game", "nope")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: There is no game 'nope' here: the games are three_knights")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            PermissionError(13, "Permission denied"),
            "(Permission denied): run the studio as its service, whose unit lets ",
        ),
        (socket.gaierror(-2, "Name or service not known"), "not known): name an address of this machine as host."),
        (OSError(99, "Cannot assign requested address"), "address): name an address of this machine as host."),
    ],
    ids=["below 1024", "no such name", "another machine's"],
)
def test_an_address_that_cannot_be_had_is_said_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, error: OSError, said: str
) -> None:
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr("dealer_ui.serving.server.socket.socket.bind", refuse)
    with pytest.raises(BadInputError) as told:
        Server(Flask("nothing"), "studio.example", 443, 1, lambda: None)
    assert said in str(told.value)


def test_an_address_of_version_6_is_told_as_a_browser_takes_it() -> None:
    assert address_of("http", "::1", 8000) == "http://[::1]:8000/"


def test_a_port_in_use_is_said(tmp_path: Path, quick: Command) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = quick("demo", "--port", str(port), "--db", str(tmp_path / "demo.db"))
    assert done.exit_code == 1
    assert done.stderr == (
        f"Error: Port {port} on 127.0.0.1 cannot be used (Address already in use): "
        "end the program that has it, or choose another port.\n"
    )


def test_a_database_in_use_and_a_place_without_one_are_said(tmp_path: Path, quick: Command) -> None:
    with StudioProcess.demo(tmp_path / "demo.db"):
        done = quick("demo", "--port", str(free_port()), "--db", str(tmp_path / "demo.db"))
        assert done.exit_code == 1
        assert done.stderr == (
            f"Error: {tmp_path / 'demo.db'}: Another studio is using it: stop that one, or name another file.\n"
        )
    done = quick("demo", "--port", str(free_port()), "--db", str(tmp_path / "no" / "demo.db"))
    assert done.exit_code == 1
    assert "The database cannot be opened there: No such file or directory." in done.stderr


@pytest.mark.parametrize(
    "told", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)], ids=lambda told: told.name
)
def test_a_demo_with_people_and_open_screens_ends_within_five_seconds(tmp_path: Path, told: signal.Signals) -> None:
    with StudioProcess.demo(tmp_path / "demo.db", "--auto", "--speed", "20") as studio:
        studio.until("three-knights-1", status="open")
        with socket.create_connection(("127.0.0.1", studio.port), timeout=PATIENCE_S) as screen:
            head = (
                f"GET /api/v1/tables/three-knights-1/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {studio.key}"
            )
            screen.sendall(f"{head}\r\n\r\n".encode())
            assert screen.recv(4096).startswith(b"HTTP/1.1 200")
            code, said = studio.stop(told)
    assert code in (0, 130)
    assert said == ""
    assert verify(tmp_path / "demo.db").ok


@pytest.mark.long
def test_a_demo_spends_little_of_a_processor_before_it_answers(tmp_path: Path) -> None:
    with StudioProcess.demo(tmp_path / "demo.db") as studio:
        studio.table("three-knights-1")
        spent_s = cpu_s(studio.process.pid)
    assert spent_s < 6, "twice what it takes of a processor that something else uses, too"


def cpu_s(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
