"""A studio or cluster whose setting up fails in a test leaves nothing running: no thread, no process, no port."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import nats_server
import pytest
import two_operators
import wallet_hosts
import wire_house
from closed_again import close_each, closed_again
from nats_server import NatsServer, needs_nats
from patience import wait_until
from running_studio import House
from wire_house import WireHouse

from dealer_ui.assembly.bootstrap import Studio
from dealer_ui.rehearsal.operator.server import OperatorServer


class NeverError(Exception):
    """What a test waits for never comes."""


def never(*_: object, **__: object) -> NoReturn:
    raise NeverError


def failing_after(real: Callable[..., Any]) -> Callable[..., NoReturn]:
    """The same, and then it fails."""

    def begun(*given: Any, **named: Any) -> NoReturn:
        real(*given, **named)
        raise NeverError

    return begun


def children() -> set[str]:
    return set(Path(f"/proc/{os.getpid()}/task/{threading.get_native_id()}/children").read_text().split())


def listening() -> set[str]:
    """The sockets this process listens at, as the system numbers them."""
    mine = {os.readlink(one) for one in Path("/proc/self/fd").iterdir() if one.is_symlink()}
    lines = [line.split() for line in Path("/proc/self/net/tcp").read_text().splitlines()[1:]]
    return {f"socket:[{line[9]}]" for line in lines if line[3] == "0A"} & mine


@pytest.fixture(autouse=True)
def nothing_is_left() -> Any:
    threads, processes, sockets = {*threading.enumerate()}, children(), listening()
    yield
    wait_until(lambda: {*threading.enumerate()} <= threads)
    assert children() <= processes
    assert listening() <= sockets


@needs_nats
def test_hosts_whose_web_node_never_hears_of_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with NatsServer(tmp_path) as nats:
        monkeypatch.setattr(wire_house, "wait_until", never)
        with pytest.raises(NeverError):
            WireHouse(tmp_path, nats)


@needs_nats
def test_a_host_that_runs_and_to_which_nobody_is_signed_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire_house, "sign_up", never)
    with NatsServer(tmp_path) as nats, pytest.raises(NeverError):
        WireHouse(tmp_path, nats)


@needs_nats
def test_a_nats_server_that_never_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats_server, "wait_until", never)
    server = NatsServer(tmp_path)
    with pytest.raises(NeverError):
        server.start()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", server.port)) != 0


def test_a_studio_that_fails_as_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Studio, "start", failing_after(Studio.start))
    with pytest.raises(NeverError):
        House(tmp_path)


@pytest.mark.parametrize("what", ["start", "betting"])
def test_operators_whose_studio_never_takes_bets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """`start`: the first operator's server fails; `betting`: both run, and the studio does."""
    owner: type = OperatorServer if what == "start" else House
    monkeypatch.setattr(owner, what, failing_after(OperatorServer.start) if what == "start" else never)
    with pytest.raises(NeverError), two_operators.two_operators(tmp_path):
        pass


@needs_nats
def test_hosts_over_one_record_of_which_one_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres_address: str
) -> None:
    monkeypatch.setattr(wallet_hosts, "sign_up", never)
    with pytest.raises(NeverError), wallet_hosts.two_hosts(tmp_path, postgres_address, monkeypatch):
        pass


def test_each_is_closed_whatever_another_raises() -> None:
    closed: list[str] = []
    with pytest.raises(NeverError):
        close_each((lambda: closed.append("a"), never, lambda: closed.append("b")))
    assert closed == ["a", "b"]
    with closed_again(never):
        closed.append("c")
    assert closed[-1] == "c"
