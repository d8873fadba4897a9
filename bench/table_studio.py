"""A studio of many tables for a bench, in a process of its own: `python -m bench.table_studio …`.

Its devices are real drivers on real links; its dealers are acts read from a film, tried again until they are taken.
It prints its port, then obeys lines of standard input: `deal ZERO` begins the acts, `meter` prints what each thread has
had of a processor, `end` prints what was seen and stops.
"""

from __future__ import annotations

import heapq
import json
import os
import pickle
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from bench.far_ends import begin_s
from bench.film import BET, BETTOR, WINDOW_S, Film, deposit, number_of
from bench.serving_studio import API_KEY, BADGE, PIN, free_port
from bench.table import DEALER, OPERATOR
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
from dealer_ui.floor.bet_offer import BetOffer
from dealer_ui.process.evidence import EvidenceFolder
from dealer_ui.rehearsal.demo.staff import give_papers
from dealer_ui.serving.server import Server
from devices.camera.face.reader import CardReader, Scores
from devices.camera.felt.layout import layout_for
from devices.camera.pace.load import Flow, flow_of, wait_for
from devices.camera.picture.frame import PackedPicture
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.source.live import FrameSource, Gone, open_source
from devices.camera.watch import Watcher, WatchSettings
from studio.cards import Sealer
from studio.errors import RefusedError
from studio.games import find_game
from studio.journal import Unit
from studio.people import Pin
from studio.people.staffing import NewStaff
from studio.ports import Device, Observation
from studio.tables.config import TableConfig
from studio.tables.declaration import Command

AGAIN_S = 0.2
SLACK_S = 3
"""The clock closes bets so much before the film's next card: its ticks are not the film's."""
PARTS = {
    "camera": "decode",
    "table": "table",
    "writer": "writer",
    "web": "web",
    "streams": "web",
    "people": "people",
}
"""Whose a thread is, by how its name begins; a device's by its id."""


class Meter:
    """What each part of the studio has had of a processor, in seconds; `beside` is taken out of watching."""

    def __init__(self) -> None:
        self.beside: defaultdict[str, float] = defaultdict(float)

    def read(self) -> dict[str, float]:
        parts: defaultdict[str, float] = defaultdict(float)
        known = 0.0
        for thread in threading.enumerate():
            if thread.ident is not None:
                spent = time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
                known += spent
                parts[_part(thread.name)] += spent
        parts["decode"] += time.process_time() - known  # threads of OpenCV and FFmpeg
        for part, spent in self.beside.items():
            parts[part] += spent
            parts["watch"] -= spent
        return dict(parts)


def _part(name: str) -> str:
    if name.startswith("device "):
        id = name.partition("/")[2]
        return "watch" if id.startswith("camera") else "shoe"
    return next((part for begin, part in PARTS.items() if name.startswith(begin)), "people")


class Marked:
    """A frame source that reads the number off each frame, and says what fetching it cost."""

    def __init__(self, source: FrameSource, meter: Meter) -> None:
        self.number = -1
        self._source = source
        self._meter = meter

    @property
    def url(self) -> str:
        return self._source.url

    def grab(self, now_ms: int) -> Pixels | PackedPicture | Gone | None:
        began = time.thread_time()
        frame = self._source.grab(now_ms)
        self._meter.beside["decode"] += time.thread_time() - began
        self.number = -1 if frame is None or isinstance(frame, Gone) else number_of(frame)
        return frame

    @property
    def flow(self) -> Flow:
        return flow_of(self._source)

    def wait(self, timeout_s: float) -> bool:
        return wait_for(self._source, timeout_s)

    def close(self) -> None:
        self._source.close()


class TimedReader(CardReader):
    """The network, and what it cost."""

    def __init__(self, meter: Meter) -> None:
        super().__init__()
        self._meter = meter

    def scores(self, cards: Sequence[Pixels]) -> list[Scores]:
        began = time.thread_time()
        said = super().scores(cards)
        self._meter.beside["read"] += time.thread_time() - began
        return said


class Noted:
    """A watcher that notes when it had looked at which frame, and what the table was told with it."""

    def __init__(self, watcher: Watcher, source: Marked) -> None:
        self.id = watcher.id
        self.looked: list[tuple[int, float, int]] = []
        """Frame, when it had been looked at, and the moment its observations bear (0: there were none)."""
        self._watcher = watcher
        self._source = source

    @property
    def flow(self) -> Flow:
        return self._watcher.flow

    def wait(self, timeout_s: float) -> bool:
        return self._watcher.wait(timeout_s)

    def step(self, now_ms: int) -> Sequence[Observation]:
        seen = self._watcher.step(now_ms)
        if self._source.number >= 0:
            self.looked.append((self._source.number, time.monotonic(), now_ms if seen else 0))
            self._source.number = -1
        return seen

    def close(self) -> None:
        self._watcher.close()


def main(folder: str, film_path: str, ports: str) -> None:
    film: Film = pickle.loads(Path(film_path).read_bytes())
    tables: list[list[int]] = json.loads(ports)
    meter, cameras = Meter(), dict[str, Noted]()
    config = _config(Path(folder), tables)
    studio = build_studio(config, Path(folder) / "studio.db", _parts(config, meter, cameras))
    place = config.server
    server = Server(studio.app, place.host, place.port, place.threads, studio.close_streams)
    try:
        studio.start()
        studio.floor.staff.add(NewStaff(DEALER.id, BADGE, DEALER.name, ("dealer",), Pin(PIN)))
        give_papers(studio.floor.staff, DEALER.id)
        studio.floor.commit(Unit(transfers=tuple(deposit(key) for key in studio.floor.tables)))
        print(place.port, flush=True)
        threading.Thread(target=_obey, args=(studio, film, meter, cameras), name="bench", daemon=True).start()
        server.run()
    finally:
        server.stop()
        studio.stop()


def _parts(config: StudioConfig, meter: Meter, cameras: dict[str, Noted]) -> StudioParts:
    without = config.model_copy(update={"tables": tuple(t.model_copy(update={"camera": ""}) for t in config.tables)})
    lines = configured_parts(without)

    def devices_of(table: TableConfig, sealer: Sealer, evidence: EvidenceFolder) -> Sequence[Device]:
        source = Marked(open_source(config.device(table.camera).url), meter)
        layout = layout_for(find_game(table.game).felt.zones)
        settings = WatchSettings(evidence=evidence, reader=TimedReader(meter))
        watcher = Watcher(source, layout, sealer, id=table.camera, settings=settings)
        cameras[table.key] = Noted(watcher, source)
        return [*lines.devices_of(msgspec.structs.replace(table, camera=""), sealer, evidence), cameras[table.key]]

    return StudioParts(devices_of, quick_pins=True)


def _obey(studio: Studio, film: Film, meter: Meter, cameras: dict[str, Noted]) -> None:
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "deal":
            threading.Thread(target=_deal, args=(studio, film, float(rest)), name="people", daemon=True).start()
        elif word == "meter":
            print(json.dumps({"parts": meter.read(), "rss_mb": _rss_mb(), "at_s": time.monotonic()}), flush=True)
        elif word == "end":
            clock = {"now_ms": studio.clock.now_ms(), "now_s": time.monotonic()}
            print(json.dumps({**clock, "looked": {key: one.looked for key, one in cameras.items()}}), flush=True)
            os.kill(os.getpid(), signal.SIGTERM)


def _deal(studio: Studio, film: Film, zero_s: float) -> None:
    """Every table's acts at their times; what is refused is tried again, as a person would."""
    tables, number, pause = studio.floor.tables, count(), threading.Event()
    queue = [
        (zero_s + begin_s(film, at, len(tables)) + at_ms / 1000, next(number), table, act)
        for at, table in enumerate(tables)
        for at_ms, act in film.acts
    ]
    heapq.heapify(queue)
    while queue:
        at_s, _, table, act = heapq.heappop(queue)
        pause.wait(max(0.0, at_s - time.monotonic()))
        if not _done(studio, table, act, next(number)):
            heapq.heappush(queue, (time.monotonic() + AGAIN_S, next(number), table, act))


def _done(studio: Studio, table: str, act: Command | None, number: int) -> bool:
    floor = studio.floor
    try:
        if act is None:
            bet = BetOffer(f"c{number}", f"{BETTOR}{table}", BET, 100)
            return all(answer.status == "accepted" for answer in floor.place_bets(table, OPERATOR, [bet]))
        floor.command(table, replace(act, actor=act.actor.with_pin(floor.now_ms())))
    except RefusedError:
        return False
    return True


def _rss_mb() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def _config(folder: Path, tables: Sequence[Sequence[int]]) -> StudioConfig:
    devices, sections = [], []
    for at, (camera, shoe, shuffler) in enumerate(tables):
        urls = {
            "shoe": ("angel_eye", f"socket://127.0.0.1:{shoe}"),
            "shuffler": ("generic", f"socket://127.0.0.1:{shuffler}"),
            "camera": ("camera", f"http://127.0.0.1:{camera}/felt.mjpg"),
        }
        ids: dict[str, Any] = {part: f"{part}-t{at}" for part in urls}
        devices += [DeviceSection(id=ids[part], driver=driver, url=url) for part, (driver, url) in urls.items()]
        sections.append(
            TableSection(key=f"t{at}", title=f"Table {at}", game="three_knights", window_s=WINDOW_S - SLACK_S, **ids)
        )
    return StudioConfig(
        studio=StudioSection(database=str(folder / "studio.db"), evidence=str(folder / "evidence")),
        server=ServerSection(port=free_port(), threads=min(512, len(tables) + 24)),
        devices=tuple(devices),
        tables=tuple(sections),
        operators={OPERATOR: OperatorSection(key_sha256=digest_of_key(API_KEY))},
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
