"""A whole studio for a bench, in a process of its own: `python -m bench.serving_studio …`.

The process prints its port once it serves. With a shoe's path it listens to that line; without one, a table
stands with its bets open.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bench.table import DEALER, Hands
from dealer_ui.assembly.bootstrap import Studio, StudioParts, build_studio
from dealer_ui.assembly.device_parts import configured_parts
from dealer_ui.config.file import (
    DeviceSection,
    OperatorSection,
    ServerSection,
    StudioConfig,
    StudioSection,
    TableSection,
)
from dealer_ui.desk.operator_key import digest_of_key
from dealer_ui.process.evidence import EvidenceFolder
from dealer_ui.rehearsal.demo.staff import give_papers
from dealer_ui.serving.server import Server
from studio.cards import Sealer
from studio.people import Pin
from studio.people.staffing import NewStaff
from studio.ports import Observation
from studio.tables.config import TableConfig
from studio.tables.declaration import Command
from studio.tables.state.table import TableState

API_KEY: Final = "a-key-for-benches"
OPERATOR_KEYS: Final = {"north": API_KEY} | {name: f"{API_KEY}-{name}" for name in ("east", "south", "west", "upper")}
BADGE, PIN = "1001", "4826"
PIT_BADGE, PIT_PIN = "2001", "730162"
TABLE: Final = "t1"
START_WAIT_S: Final = 30
_MOST_MINOR: Final = 10**13
"""Limits that are measured against, and never reached."""


class Spoken:
    """A device that says what it is handed."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.due: deque[Observation] = deque()

    def step(self, now_ms: int) -> Sequence[Observation]:
        return [self.due.popleft() for _ in range(len(self.due))]

    def close(self) -> None:
        self.due.clear()


@contextmanager
def serving(folder: Path, shoe: str = "") -> Iterator[int]:
    """A studio in a process of its own, on a database in `folder`; gives the port."""
    with running(folder, shoe) as (port, _):
        yield port


@contextmanager
def running(folder: Path, shoe: str = "") -> Iterator[tuple[int, int]]:
    """The same; gives the port, and the number of the process."""
    command = [sys.executable, "-m", "bench.serving_studio", str(folder), *([shoe] if shoe else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline()), process.pid
        finally:
            process.terminate()


def main(folder: str, shoe: str = "") -> None:
    studio = _studio(Path(folder), shoe)
    place = studio.config.server
    server = Server(studio.app, place.host, place.port, place.threads, studio.close_streams)
    try:
        studio.start()
        studio.floor.staff.add(NewStaff(DEALER.id, BADGE, DEALER.name, ("dealer",), Pin(PIN)))
        studio.floor.staff.add(NewStaff("p1", PIT_BADGE, "Petra", ("pit_boss",), Pin(PIT_PIN)))
        give_papers(studio.floor.staff, DEALER.id)
        if not shoe:
            open_bets(studio)
        print(place.port, flush=True)
        server.run()
    finally:
        server.stop()
        studio.stop()


def _studio(folder: Path, shoe: str) -> Studio:
    if shoe:
        config = studio_config(folder, shoe)
        return build_studio(config, folder / "studio.db", configured_parts(config))
    return spoken_studio(folder)


def spoken_studio(folder: Path, game: str = "three_knights", window_s: float = 15) -> Studio:
    """A studio of one table whose devices say what they are handed."""
    config = with_window(studio_config(folder, "", game), window_s)
    spoken = {id: Spoken(id) for id in ("shoe", "shuffler", "camera")}

    def devices_of(table: TableConfig, sealer: Sealer, evidence: EvidenceFolder) -> Sequence[Spoken]:
        return list(spoken.values())

    return build_studio(config, folder / "studio.db", StudioParts(devices_of, quick_pins=True))


def open_bets(studio: Studio) -> None:
    hands = hands_at(studio)
    hands.open()
    hands.start_round()


def hands_at(studio: Studio) -> Hands:
    """Hands at the running studio's table, by way of its devices and its own thread."""
    said = {device.id: device for table in studio.tables for device in table.devices}
    worker = studio.workers[0]
    table = worker.runtime.key

    def observe(seen: Sequence[Observation]) -> None:
        for one in seen:
            device = said[one.device]
            assert isinstance(device, Spoken)
            device.due.append(one)
            while device.due or worker.ask(lambda: worker.runtime.seq) < 0:
                studio.floor.wait(table, studio.floor.view(table).seq, 0.05)

    def do(command: Command) -> None:
        worker.ask(lambda: worker.runtime.handle(command, studio.clock.now_ms()))

    def look() -> TableState:
        return worker.ask(lambda: worker.runtime.state)

    return Hands(observe, do, look)


def studio_config(folder: Path, shoe: str = "", game: str = "three_knights") -> StudioConfig:
    """One table with limits that are never reached; with a shoe's path it has that line alone."""
    ids = ("shoe",) if shoe else ("shoe", "shuffler", "camera")
    return StudioConfig(
        studio=StudioSection(database=str(folder / "studio.db"), evidence=str(folder / "evidence")),
        server=ServerSection(port=free_port()),
        devices=tuple(DeviceSection(id=id, driver="angel_eye", url=shoe) for id in ids),
        tables=(
            TableSection(
                key=TABLE, title="Table 1", game=game, window_s=15, max_bets_per_round=1_000_000,
                exposure_most_minor=_MOST_MINOR,
                **{id: id for id in ids},  # type: ignore[arg-type]
            ),
        ),
        operators={
            name: OperatorSection(
                key_sha256=digest_of_key(key),
                max_bets_per_round=1_000_000,
                exposure_most_minor=_MOST_MINOR,
                deposit_most_minor=_MOST_MINOR,
                credit_most_minor=_MOST_MINOR,
            )
            for name, key in OPERATOR_KEYS.items()
        },
    )  # fmt: skip


def with_window(config: StudioConfig, window_s: float) -> StudioConfig:
    """Its bets stay open so long, as far as the rulebook has it: a bench that needs longer sets that, too."""
    tables = tuple(table.model_copy(update={"window_s": window_s}) for table in config.tables)
    return config.model_copy(update={"tables": tables})


def free_port() -> int:
    """A port nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main(*sys.argv[1:])
