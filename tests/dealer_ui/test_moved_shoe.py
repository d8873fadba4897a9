"""Tables that move between hosts, each a process of its own, while their shoes and dealers stay where they are."""

from __future__ import annotations

import signal
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from nats_server import needs_nats
from patience import PATIENCE_S, wait_until
from private_postgres import NOT_THERE, programs
from running_cluster import free_ports

from dealer_ui.assembly.bootstrap import DRIVERS
from dealer_ui.cli import main
from dealer_ui.config.file import load_config
from dealer_ui.rehearsal.demo.options import OPERATOR
from dealer_ui.rehearsal.floor.floor import SimFloor
from dealer_ui.rehearsal.floor.stand import Stand
from dealer_ui.rehearsal.person.web_bettors import WebBettors
from dealer_ui.verbs.cluster import Cluster
from dealer_ui.verbs.cluster_files import FLOOR, WEB_NODES
from devices.sim.wire.shoe import look_into
from studio.journal import Reader
from studio.rounds import CardDealt
from studio.tables.event.record import read_body

pytestmark = [
    needs_nats, pytest.mark.night, pytest.mark.skipif(programs() is None, reason=NOT_THERE)
]  # fmt: skip
OF_A: tuple[str, ...] = ("three-knights-1", "blackjack-1")
SPEED = 2.0


@dataclass(slots=True)
class Moving:
    """Two hosts and two web nodes as processes; the floor is played here, so that its shoes can be looked into."""

    made: Cluster
    floor: SimFloor
    bettors: WebBettors

    @property
    def address(self) -> str:
        assert self.made.postgres is not None
        return self.made.postgres.address

    def stand(self, table: str) -> Stand:
        return next(one for one in self.floor.stands if one.key == table)

    def shown(self, table: str) -> bool:
        return self.floor.screens.view(table) is not None

    def host_of(self, table: str) -> str:
        with closing(Reader.open(self.address)) as reader:
            return str(next(iter(reader.read('SELECT host FROM lease WHERE "table" = ?', (table,))))[0])

    def left(self, table: str) -> tuple[int, Sequence[str]]:
        """How often the shoe was loaded, and what is in it in the order it will leave."""
        shoe = self.stand(table).rig.shoe
        return shoe.loads, look_into(shoe).cards

    def dealt_open(self, table: str, after_seq: int) -> list[str]:
        """The faces of the cards that the record has as dealt since, in their order."""
        with closing(Reader.open(self.address)) as reader:
            rows = reader.events(after_seq=after_seq, table=table, kinds=("CardDealt",))
            facts = [getattr(read_body(row.body).event, "fact", None) for row in rows]
        return [str(one.face) for one in facts if isinstance(one, CardDealt) and one.face is not None]

    @property
    def newest_seq(self) -> int:
        with closing(Reader.open(self.address)) as reader:
            return int(next(iter(reader.read("SELECT max(seq) FROM journal", ())))[0])

    def in_mid_deal(self, table: str) -> bool:
        """A card of a round lies open, and the shoe has enough left to finish it."""
        view = self.floor.screens.view(table)
        faces = [card.face for box in view.boxes for card in box.places] if view is not None else []
        return any(faces) and len(self.left(table)[1]) > 30

    def goes_on(self, table: str, left: tuple[int, Sequence[str]], after_seq: int) -> None:
        """The cards that come from here on are those that were in the shoe, in their order, and the record has them."""
        loads, cards = left
        wait_until(lambda: self.dealt_open(table, after_seq), look_s=0.1)
        found, (loads_now, cards_now) = self.dealt_open(table, after_seq), self.left(table)
        if loads_now == loads:  # else a deck was loaded within this moment, and the first card alone is of the old one
            assert tuple(cards_now) == tuple(cards[len(cards) - len(cards_now) :])
        of_this_deck, rest = found if loads_now == loads else found[:1], iter(cards)
        assert all(face in rest for face in of_this_deck), (found, cards)


@contextmanager
def moving(folder: Path) -> Iterator[Moving]:
    stopping = threading.Event()
    made = Cluster(folder, port=free_ports(len(WEB_NODES)), speed=SPEED, seed=1, has_floor=False)
    config = load_config(made.files.of_process(FLOOR), DRIVERS)
    floor = SimFloor(config, [f"127.0.0.1:{port}" for port in made.web_ports], seed=1, speed=SPEED)
    try:
        floor.start()
        made.start(stopping)
        bettors = WebBettors(made.web_ports, made.files.api_key, OPERATOR, OF_A, SPEED)
        bettors.start()
        yield Moving(made, floor, bettors)
    finally:
        floor.stop()
        made.stop()


@pytest.fixture
def house() -> Iterator[Moving]:
    """In a folder whose name is short: sockets lie in it."""
    room = tempfile.TemporaryDirectory(prefix="studio-", dir="/tmp", ignore_cleanup_errors=True)
    with room as name, moving(Path(name)) as made:
        yield made


def taken(house: Moving, table: str) -> tuple[int, ...]:
    return tuple(line.taken for line in house.stand(table).lines)


def gone(house: Moving) -> dict[str, tuple[int, Sequence[str]]]:
    """Once the screens say that their host is gone nobody deals; what is left in the shoes then."""
    wait_until(lambda: not any(map(house.shown, OF_A)), look_s=0.05)
    return {table: house.left(table) for table in OF_A}


def at(house: Moving, host: str) -> None:
    """Once that host has the tables, and shows them."""
    try:
        wait_until(lambda: all(house.host_of(table) == host and house.shown(table) for table in OF_A), look_s=0.2)
    except AssertionError:
        told = {name: house.made.process(name).log.read_text()[-2_000:] for name in ("a", "b")}
        raise AssertionError(({table: (house.host_of(table), house.shown(table)) for table in OF_A}, told)) from None


def ordered(house: Moving, verb: str) -> None:
    """At the machine of the host b, of all of its tables."""
    told = ["hosts", verb, "b", "--config", str(house.made.files.folder / "b.toml")]
    done = CliRunner().invoke(main, [*told, "--reason", "a new disk"] if verb == "drain" else told)
    assert done.exit_code == 0, done.output


def test_a_table_goes_on_with_the_same_shoe_card_for_card_wherever_it_is_dealt(house: Moving) -> None:
    a = house.made.process("a")
    for table in OF_A:
        wait_until(lambda table=table: house.in_mid_deal(table), look_s=0.02)  # type: ignore[misc]

    a.send(signal.SIGSTOP)  # it stands still past its lease
    left = gone(house)
    seq = house.newest_seq
    at(house, "b")
    for table in OF_A:
        house.goes_on(table, left[table], seq)
    lines = {table: taken(house, table) for table in OF_A}
    a.send(signal.SIGCONT)
    wait_until(lambda: a.log.read_text().count("another host runs this table now") == len(OF_A), look_s=0.1)
    seq = house.newest_seq
    for table in OF_A:
        wait_until(lambda table=table: len(house.dealt_open(table, seq)) >= 2, look_s=0.2)  # type: ignore[misc]
    assert {table: taken(house, table) for table in OF_A} == lines  # who woke has taken no line

    ordered(house, "drain")
    at(house, "a")
    seq, left = house.newest_seq, {table: house.left(table) for table in OF_A}
    for table in OF_A:
        house.goes_on(table, left[table], seq)
    assert {table: taken(house, table) for table in OF_A} == {
        table: tuple(count + 1 for count in counts) for table, counts in lines.items()
    }
    ordered(house, "return")

    for table in OF_A:
        wait_until(lambda table=table: house.in_mid_deal(table), look_s=0.02)  # type: ignore[misc]
    a.kill()
    left = gone(house)
    seq = house.newest_seq
    at(house, "b")
    for table in OF_A:
        house.goes_on(table, left[table], seq)
    house.bettors.finish(PATIENCE_S)
    verdict = house.made.read_record()
    assert verdict is not None
    assert verdict.ok, verdict
    with closing(Reader.open(house.address)) as reader:
        assert list(house.bettors.wrong(reader)) == []
