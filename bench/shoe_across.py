"""Measures how long a card takes from the last byte on a shoe's TCP line at a table host to a screen of a web node.

Beside it stand the same bytes over TCP, a bare row in PostgreSQL, a bare message over NATS and a word to a socket. The
shoe and the screen are this process; host and node are processes of their own, and so are PostgreSQL and NATS.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

import nats
import psycopg

from bench.cluster_betting import PASSWORDS, nats_running, process_running, wait_for, write_cluster
from bench.cluster_process import HOSTS
from bench.figure import Figure
from bench.server_append import server
from bench.shoe_latency import PAUSE_S, LiveScreen, live_screen, loopback_pair
from dealer_ui.verbs.cluster import nats_program
from devices.shoe.angel_eye_codec import card_byte, encode_report
from studio.cards import DECK

CARDS = 100
WARM = 10
_HOST = next(iter(HOSTS))
_WORD = b"x" * 200
"""Of the length of what a screen is told at the least."""


@dataclass(frozen=True, slots=True)
class Across:
    """A shoe's line at its far end, and a screen of a node that has the table from another process."""

    line: socket.socket
    screen: LiveScreen
    address: str
    """Of the record."""
    wire: str

    def card_ms(self, number: int) -> float:
        """From the byte to the drawing."""
        self.screen.quiet()
        frame = encode_report(0x31 + number % 9, "D", bytes((0x81, card_byte(DECK[number % len(DECK)]))))
        began = time.perf_counter()
        self.line.sendall(frame)
        self.screen.next_seq()
        return (time.perf_counter() - began) * 1e3


def measure(cards: int = CARDS) -> Sequence[Figure]:
    """Nothing where PostgreSQL or NATS is not installed."""
    with across() as found:
        if found is None:
            return ()
        took = [found.card_ms(number) for number in range(cards + WARM)][WARM:]
        hop = asyncio.run(_hops_ms(found.wire, cards, lambda: None))
        with psycopg.connect(found.address, autocommit=True) as raw:
            raw.execute("CREATE TABLE bare_card (seq bigserial PRIMARY KEY, body bytea)")
            row = b"INSERT INTO bare_card (body) VALUES ('x')"
            whole = asyncio.run(_hops_ms(found.wire, cards, lambda: raw.execute(row)))
    return [
        Figure(
            name=f"shoe's byte → screen of another node, {what}", value=of(took), unit="ms", raw=of(bare), raw_name=name
        )
        for name, bare in (("TCP and NATS", hop), ("TCP, one row, NATS", whole))
        for what, of in (("median", median), ("95 of 100", _95))
    ]


def _95(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[18]


@contextlib.contextmanager
def across() -> Iterator[Across | None]:
    """A host whose table's shoe is at a TCP port of this process, and a web node; None where an engine is missing."""
    program = nats_program()
    with tempfile.TemporaryDirectory(prefix="studio-bench-", dir="/tmp") as name, contextlib.ExitStack() as opened:
        folder = Path(name)
        address = opened.enter_context(server(folder))
        if not address or program is None:
            yield None
            return
        opened.enter_context(nats_running(folder, program))
        shoe = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        write_cluster(folder, address, shoe=f"socket://127.0.0.1:{shoe.getsockname()[1]}")
        opened.enter_context(process_running(folder, _HOST))
        line = opened.enter_context(shoe.accept()[0])
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        port = opened.enter_context(process_running(folder, "web-1"))
        wait_for(port, (HOSTS[_HOST],))
        screen = opened.enter_context(live_screen(port))
        yield Across(line, screen, address, (folder / "nats.address").read_text())


async def _hops_ms(wire: str, count: int, keep: Callable[[], object]) -> list[float]:
    """A frame over loopback, `keep`, a message over NATS, a word over loopback, each answered by nobody."""
    ends = [await nats.connect(wire, user=role, password=password) for role, password in PASSWORDS.items()]
    table, web = ends
    heard = await web.subscribe("studio.view.bare.t1")
    await web.flush()
    took: list[float] = []
    with loopback_pair() as (shoe, host), loopback_pair() as (node, screen):
        for _ in range(count):
            await asyncio.sleep(PAUSE_S)
            began = time.perf_counter()
            shoe.sendall(b"x" * 9)
            host.recv(9)
            keep()
            await table.publish("studio.view.bare.t1", _WORD)
            await heard.next_msg(10)
            node.sendall(_WORD)
            screen.recv(len(_WORD))
            took.append((time.perf_counter() - began) * 1e3)
    for end in ends:
        await end.close()
    return took
