"""Measures how many tables two cores carry, each with a shoe, a shuffler and a 720p camera.

One table's rounds are recorded first (`film`). Then a studio runs in one process, and everything beyond its wires in
another (`far_ends`): only the studio's own processor time is counted, part by part. Tables are dealt to without a
pause, all spread over one round.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import IO, Any

import cv2
import numpy as np

from bench.far_ends import begin_s
from bench.figure import Figure
from bench.film import FRAME_MS, Film, record
from studio.journal import Store
from studio.ports import CameraSawCard
from studio.rounds import CardBurned, CardDealt
from studio.tables.event import table as e
from studio.tables.event.record import read_body

CORES = 2
FEW_TABLES = 6
"""Enough that what does not grow with the tables hardly counts."""
LAG_S_MAX = 1.0
SHED_MAX = 0.01
FRAMES_A_S = 1000 / FRAME_MS


@dataclass(frozen=True, slots=True)
class Told:
    """What the processes said: the studio's meter twice, what the far ends sent, what the studio looked at."""

    before: Any
    after: Any
    sent: Any
    seen: Any


@dataclass(frozen=True, slots=True)
class Run:
    """What a studio of so many tables needed, and how late it was. Times in seconds."""

    tables: int
    parts: Mapping[str, float]
    """Seconds of a processor for one second of one table."""
    lag: Sequence[float]
    """From a frame's sending to its observations at the table."""
    card: Sequence[float]
    """From the last byte on the shoe's line to the dealer's screen."""
    frames: int
    shed: int
    lost: int
    rss_mb: float

    @property
    def whole(self) -> float:
        return sum(self.parts.values())

    @property
    def keeps_up(self) -> bool:
        return self.shed <= SHED_MAX * self.frames and p99(self.lag) <= LAG_S_MAX


def measure() -> Sequence[Figure]:
    """A few tables first; what one needs says how many two cores carry, and these, and fewer, are tried."""
    with tempfile.TemporaryDirectory() as name:
        film, film_path = record(), Path(name) / "film.pickle"
        film_path.write_bytes(pickle.dumps(film))
        few = run(film, film_path, FEW_TABLES)
        carried = int(CORES / few.whole)
        many = run(film, film_path, carried * 2 // 3)
        full = run(film, film_path, carried)
    raw = _decoding_s(film)
    kept = max((one.tables for one in (few, many, full) if one.keeps_up), default=0)
    whole = Figure(
        name=f"tables that {CORES} cores carry, by what one needs", value=carried, unit="tables", raw=kept,
        raw_name="kept up here, beside their far ends",
    )  # fmt: skip
    return [*(figure for one in (few, many, full) for figure in _figures(one, raw)), whole]


def p99(values: Sequence[float]) -> float:
    return quantiles(values, n=100)[98] if len(values) > 1 else float("nan")


def run(film: Film, film_path: Path, tables: int) -> Run:
    """The film dealt at so many tables at once."""
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        far = stack.enter_context(_Process("bench.far_ends", str(film_path), str(tables)))
        ports = far.says()
        studio = stack.enter_context(_Process("bench.table_studio", folder, str(film_path), json.dumps(ports)))
        far.told(str(studio.says()))
        zero_s = far.says()
        studio.told(f"deal {zero_s}")
        before, after = (_metered(studio, zero_s + at_s) for at_s in _window_s(film, tables))
        sent = far.says()
        studio.told("end")
        seen = studio.says()
        studio.ended()
        return _judged(film, Path(folder) / "studio.db", Told(before, after, sent, seen))


def _window_s(film: Film, tables: int) -> tuple[float, float]:
    """From when the last table deals its first round until the first has dealt its last."""
    deals_s = (film.lasts_ms - 2 * film.round_ms) / 1000
    return deals_s + begin_s(film, tables - 1, tables), film.lasts_ms / 1000


class _Process:
    """A bench's other process: a line told, a line said, each a value of JSON."""

    def __init__(self, module: str, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> _Process:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.terminate()
        self._process.wait()

    def told(self, line: str) -> None:
        pipe: IO[str] | None = self._process.stdin
        assert pipe is not None
        pipe.write(line + "\n")
        pipe.flush()

    def says(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def ended(self) -> None:
        self._process.wait(60)


def _metered(studio: _Process, at_s: float) -> Any:
    time.sleep(max(0.0, at_s - time.monotonic()))
    studio.told("meter")
    return studio.says()


def _judged(film: Film, database: Path, told: Told) -> Run:
    before, after, seen, tables = told.before, told.after, told.seen, len(told.sent)
    lasted_s = after["at_s"] - before["at_s"]
    parts = {
        part: (spent - before["parts"].get(part, 0)) / lasted_s / tables
        for part, spent in after["parts"].items()
        if part != "people"
    }
    lag, card, frames, looked, lost = [], [], 0, 0, 0
    with Store.open(database) as store, store.reader() as reader:
        for number, far in enumerate(told.sent):
            rows = [(row.seq, row.at_ms, read_body(row.body).event) for row in reader.events(table=f"t{number}")]
            sends = {int(frame): at_s for frame, at_s in far["sent"].items() if int(frame)}
            noted = seen["looked"][f"t{number}"]
            lag += _lags(rows, sends, noted, seen["now_s"] - seen["now_ms"] / 1000)
            card += _card_times(rows, far["cards"], far["drawn"])
            frames += len(film.frames) - 1
            looked += len({frame for frame, *_ in noted if frame})
            lost += _lost(film, rows)
    return Run(tables, parts, lag, card, frames, frames - looked, lost, after["rss_mb"])


Rows = Sequence[tuple[int, int, e.AnyEvent]]


def _lags(rows: Rows, sends: Mapping[int, float], looked: Any, zero_s: float) -> list[float]:
    """For each observation of the camera, how long its picture was under way to the table."""
    frame_of = {at_ms: frame for frame, _, at_ms in looked if at_ms}
    return [
        zero_s + row_ms / 1000 - sends[frame_of[event.observation.at_ms]]
        for _, row_ms, event in rows
        if isinstance(event, e.ObservationRecorded)
        and event.observation.device.startswith("camera")
        and frame_of.get(event.observation.at_ms) in sends
    ]


def _card_times(rows: Rows, sent: Sequence[float], drawn: Sequence[tuple[int, float]]) -> list[float]:
    """For each card of the shoe, how long until the dealer's screen had it."""
    stood = [
        seq
        for seq, _, event in rows
        if isinstance(event, e.FactStood) and isinstance(event.fact, CardDealt | CardBurned)
    ]
    shown = [next((at_s for newest, at_s in drawn if newest >= seq), None) for seq in stood]
    return [at_s - sent_s for sent_s, at_s in zip(sent, shown, strict=False) if at_s is not None]


def _lost(film: Film, rows: Rows) -> int:
    """Readings of the film, of both eyes, that the table was never told, or told otherwise."""
    told = [event.observation for _, _, event in rows if isinstance(event, e.ObservationRecorded)]
    seen = Counter((one.zone, one.place, str(one.face)) for one in told if isinstance(one, CameraSawCard))
    drawn = sum(isinstance(event, e.FactStood) and isinstance(event.fact, CardDealt | CardBurned) for *_, event in rows)
    return (Counter(film.seen) - seen).total() + max(0, len(film.cards) - drawn)


def _decoding_s(film: Film) -> float:
    """What decoding one second of a camera's pictures costs in a plain loop."""
    began = time.thread_time()
    for jpeg in film.frames:
        assert cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) is not None
    return (time.thread_time() - began) / len(film.frames) * FRAMES_A_S


def _figures(one: Run, raw_s: float) -> list[Figure]:
    parts = ", ".join(f"{part} {spent * 1e3:.1f}" for part, spent in sorted(one.parts.items(), key=lambda p: -p[1]))
    name = f"{one.tables} tables"
    return [
        Figure(
            name=f"{name}: processor a second of one table ({parts})", value=one.whole * 1e3, unit="ms",
            raw=raw_s * 1e3, raw_name="decoding the same JPEGs",
        ),
        Figure(name=f"{name}: frame sent → observation at the table, median", value=_median(one.lag) * 1e3, unit="ms"),
        Figure(name=f"{name}: the same, p99", value=p99(one.lag) * 1e3, unit="ms"),
        Figure(name=f"{name}: shoe's byte → live screen, p99", value=p99(one.card) * 1e3, unit="ms"),
        Figure(name=f"{name}: frames shed", value=100 * one.shed / one.frames, unit="%"),
        Figure(name=f"{name}: readings lost", value=one.lost, unit="", target="0", holds=one.lost == 0),
        Figure(name=f"{name}: memory", value=one.rss_mb, unit="MB"),
    ]  # fmt: skip


def _median(values: Sequence[float]) -> float:
    return quantiles(values, n=2)[0] if len(values) > 1 else float("nan")
