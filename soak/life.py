"""One life of the studio: started, bet at, struck, looked at, and ended."""

from __future__ import annotations

import heapq
import random
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

from dealer_ui.rehearsal.person.bettors import BettorCrowd, CrowdPlan
from dealer_ui.rehearsal.person.interface import Interface, InterfaceError
from dealer_ui.rehearsal.poker import PlayerCrowd, PlayersPlan
from soak.blow import Blows
from soak.books import Extent, by_kind, cards_since, extent, tables_with_rounds
from soak.figure import FigureBook, Life, Sample
from soak.line_file import LineFile
from soak.process import Holding, RunningStudio, StudioGoneError
from soak.studio import BLOCKS, IN_USE, SoakOptions
from soak.tester import Promise, Screen, Tester
from studio.games import find_game
from studio.journal import Reader

SAMPLE_S: Final = 5.0
STRIKES_S: Final = (2.0, 14.0)
BETTORS: Final = 6
SETTLES_S: Final = 60.0
"""An idle studio's rows are counted once it has come up, or after a third of a short life."""
STUCK_S: Final = 1_800.0
"""A table that ends no round in so long a life is stuck."""
CLOSES_S: Final = 120.0
"""So long the people have to end what is dealt and to close every table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LifePlan:
    """One life to be lived. `kind`: `quiet`, `killed`, `idle` or `long`."""

    kind: str
    lasts_s: float
    clock_s: float = 0.0

    @property
    def works(self) -> bool:
        return self.kind != "idle"

    @property
    def struck(self) -> bool:
        return self.kind in ("killed", "long")


@dataclass(slots=True)
class Place:
    """Where a soak lives: its folder, its figures, and what was promised to the tester."""

    folder: Path
    games: tuple[str, ...]
    speed: float
    port: int
    rng: random.Random
    book: FigureBook = field(init=False)
    promises: LineFile[Promise] = field(init=False)

    def __post_init__(self) -> None:
        self.folder = self.folder.resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.book = FigureBook(self.folder)
        self.promises = LineFile(self.folder / "promises.jsonl", Promise)

    @property
    def database(self) -> Path:
        return self.folder / "studio" / "studio.db"

    @property
    def log(self) -> Path:
        return self.folder / "studio.log"


class Living:
    """The studio while it lives; everything here happens on the soak's own thread, but bettors and the screen."""

    def __init__(self, place: Place, plan: LifePlan) -> None:
        self._place, self._plan = place, plan
        self._number = len(place.book.lives)
        self._began_s = place.book.spent_s
        self._due: list[tuple[float, int, Callable[[], object]]] = []
        self._order = count()
        self._over = threading.Event()
        self._beside: list[threading.Thread] = []
        self._zero_s = time.monotonic()
        self._told_seq = 0
        self._tables: tuple[str, ...] = ()
        self._counted: tuple[Extent, float] = (Extent(0, 0), 0.0)
        """From where on, and since when, rows are counted."""

    def live(self, meanwhile: Callable[[], list[str]] | None = None) -> Life:
        """Live it to its end; `meanwhile` is done once in its middle, and says what it saw."""
        place, plan = self._place, self._plan
        place.database.parent.mkdir(exist_ok=True)
        notes = list[str]()
        self._count_from_here()
        with place.log.open("a") as log:
            options = SoakOptions(str(place.database), place.port, place.games, place.speed, plan.works, plan.clock_s)
            studio = RunningStudio(options, log)
            self._tables = studio.tables
            screen = Screen(place.port, studio.tables[0])
            tester = Tester(studio, studio.tables[0], place.promises, f"life{self._number}-{time.time_ns()}")
            blows = Blows(studio, screen, place.rng, self._later)
            try:
                self._gather(studio, tester, screen)
                if plan.struck:
                    self._strike_again(blows)
                if not plan.works:
                    self._later(min(SETTLES_S, plan.lasts_s / 3), self._count_from_here)
                self._later(0.0, lambda: self._sample_again(studio, tester, screen))
                if meanwhile is not None:
                    self._later(plan.lasts_s / 2, lambda: notes.extend(meanwhile()))
                if plan.kind == "long":
                    self._weigh(studio, notes)
                self._until(plan.lasts_s)
                notes += self._end(studio)
            finally:
                self._over.set()
                screen.close()
                studio.kill()
        for thread in self._beside:
            thread.join()
        if plan.kind == "long" and not any(one.screen_ms for one in place.book.samples if one.life == self._number):
            notes.append("no card was seen on a dealer's screen")
        told = ", ".join(f"{what} {often}x" for what, often in sorted(blows.told.items()))
        return self._lived([*notes, *([told] if told else [])])

    # --- what happens in it ---------------------------------------------------------------------------------

    def _later(self, after_s: float, act: Callable[[], object]) -> None:
        heapq.heappush(self._due, (time.monotonic() + after_s, next(self._order), act))

    def _until(self, lasts_s: float) -> None:
        ends_s = time.monotonic() + lasts_s
        while self._due and self._due[0][0] < ends_s:
            due_s, _, act = heapq.heappop(self._due)
            self._over.wait(max(0.0, due_s - time.monotonic()))
            act()
        self._over.wait(max(0.0, ends_s - time.monotonic()))

    def _weigh(self, studio: RunningStudio, notes: list[str]) -> None:
        """What Python holds after a quarter of this life, and what it holds more of shortly before its end."""
        early: dict[str, int] = {}
        self._later(self._plan.lasts_s / 4, lambda: early.update(studio.ask("memory")))
        self._later(0.95 * self._plan.lasts_s, lambda: notes.append(grown(early, studio.ask("memory"))))

    def _strike_again(self, blows: Blows) -> None:
        def strike() -> None:
            blows.strike()
            self._strike_again(blows)

        self._later(self._place.rng.uniform(*STRIKES_S), strike)

    def _sample_again(self, studio: RunningStudio, tester: Tester, screen: Screen) -> None:
        self._place.book.samples.add(self._sample(studio, tester, screen))
        self._later(SAMPLE_S, lambda: self._sample_again(studio, tester, screen))

    def _gather(self, studio: RunningStudio, tester: Tester, screen: Screen) -> None:
        """Bettors and players come to every table, and those who measure."""
        works: list[Callable[[threading.Event], None]] = [screen.run]
        if self._plan.works:
            works += [tester.run, *(self._crowd(studio, table) for table in studio.tables)]
        self._beside = [threading.Thread(target=work, args=(self._over,), daemon=True) for work in works]
        for thread in self._beside:
            thread.start()

    def _crowd(self, studio: RunningStudio, table: str) -> Callable[[threading.Event], None]:
        interface = Interface("127.0.0.1", self._place.port, studio.api_key)
        run, chance = f"{self._number}{time.time_ns():x}", random.Random(self._place.rng.random())
        game = self._place.games[studio.tables.index(table)]
        if find_game(game).peers is not None:
            return PlayerCrowd(interface, PlayersPlan(table=table, run=run, speed=self._place.speed), chance).run
        return BettorCrowd(interface, CrowdPlan(table=table, run=run, bettors=BETTORS, poll_s=0.5), chance).run

    # --- its end ---------------------------------------------------------------------------------------------

    def _end(self, studio: RunningStudio) -> list[str]:
        if self._plan.kind == "killed":
            studio.kill()
            return ["ended by kill -9"]
        studio.disk_takes(None)
        studio.ask("mend")
        self._over.set()
        said = self._close(studio) if self._plan.kind == "quiet" else []
        code = studio.stop()
        return [*said, *([] if code == 0 else [f"WRONG: it was told to stop and ended with {code}"])]

    def _close(self, studio: RunningStudio) -> list[str]:
        """The house closes; what cannot be closed in time is noted, for a year ends only with every table closed."""
        studio.ask("close")
        ends_s, pause = time.monotonic() + CLOSES_S, threading.Event()
        with closing(Interface("127.0.0.1", self._place.port, studio.api_key)) as interface:
            while open_ := [table for table in studio.tables if _is_open(interface, table)]:
                if time.monotonic() > ends_s:
                    return [f"not closed in time: {', '.join(open_)}"]
                pause.wait(0.5)
        return []

    def _lived(self, notes: list[str]) -> Life:
        before, since_s = self._counted
        with closing(Reader.open(self._place.database)) as reader:
            after, kinds = extent(reader), by_kind(reader, before.seq)
            stuck = sorted(set(self._tables) - tables_with_rounds(reader, before.seq))
        if self._plan.kind == "long" and stuck:
            ours = "WRONG: " if self._plan.lasts_s >= STUCK_S else ""
            notes = [*notes, f"{ours}no round was ended at {', '.join(stuck)}"]
        wrong = [note for note in notes if note.startswith("WRONG")]
        return Life(
            number=self._number, kind=self._plan.kind, lasted_s=time.monotonic() - self._zero_s,
            counted_s=time.monotonic() - since_s,
            rounds=after.rounds - before.rounds, rows=after.seq - before.seq, bytes=sum(size for *_, size in kinds),
            kinds=kinds[:12], wrong=wrong, notes=[note for note in notes if note not in wrong],
        )  # fmt: skip

    # --- what is looked at ------------------------------------------------------------------------------------

    def _count_from_here(self) -> None:
        here = Extent(0, 0)
        if self._place.database.exists():
            with closing(Reader.open(self._place.database)) as reader:
                here = extent(reader)
        self._counted = here, time.monotonic()

    def _sample(self, studio: RunningStudio, tester: Tester, screen: Screen) -> Sample:
        holds, looked = studio.holding(), studio.ask("look")
        drawn = screen.take()
        with closing(Reader.open(self._place.database)) as reader:
            far = extent(reader)
            cards = cards_since(reader, studio.tables[0], self._told_seq or far.seq)
        self._told_seq = max((seq for seq, _ in drawn), default=self._told_seq or far.seq)
        shown = (
            next((at_ms + looked["ahead_ms"] - card_ms for newest, at_ms in drawn if newest >= seq), None)
            for seq, card_ms in cards
        )
        bets = [tester.times_ms.popleft() for _ in range(len(tester.times_ms))]
        return self._noted(holds, far, looked["acts_ms"], bets, [ms for ms in shown if ms is not None])

    def _noted(self, holds: Holding, far: Extent, acts: list[float], bets: list[float], shown: list[float]) -> Sample:
        return Sample(
            life=self._number, at_s=round(self._began_s + time.monotonic() - self._zero_s, 1), rss_mb=holds.rss_mb,
            files=holds.files, threads=holds.threads, seq=far.seq, rounds=far.rounds, sizes=sizes(self._place),
            act_ms=_rounded(acts), bet_ms=_rounded(bets), screen_ms=_rounded(shown),
        )  # fmt: skip


MORE: Final = 10_000
"""So many more blocks are worth a word."""


def grown(early: Mapping[str, int], late: Mapping[str, int]) -> str:
    """Whether Python holds many more blocks, and what the allocator has given out.

    >>> grown({BLOCKS: 500_000, IN_USE: 90_000_000}, {BLOCKS: 700_000, IN_USE: 95_000_000})
    'Python held more of: blocks of memory 500,000 to 700,000; malloc: 90 to 95 MB in use'
    """
    before, now = early.get(BLOCKS, 0), late.get(BLOCKS, 0)
    told = f"{BLOCKS} {before:,} to {now:,}" if now - before >= MORE else "nothing"
    in_use = f"malloc: {early.get(IN_USE, 0) // 10**6} to {late.get(IN_USE, 0) // 10**6} MB in use"
    return f"Python held more of: {told}; {in_use}"


def _rounded(times: list[float]) -> list[float]:
    return [round(ms, 1) for ms in times]


def _is_open(interface: Interface, table: str) -> bool:
    with suppress(InterfaceError):
        return interface.table(table).status != "closed"
    return True


def sizes(place: Place) -> dict[str, int]:
    """What the studio has on its disk, in bytes: the database, what lies beside it, and the pictures."""
    folder, found = place.database.parent, {"log": place.log.stat().st_size}
    for path in folder.rglob("*"):
        with suppress(OSError):
            if path.is_file():
                named = path.relative_to(folder).parts[0].removeprefix("studio.db")
                part = named.lstrip(".-") or "database"
                found[part] = found.get(part, 0) + path.stat().st_size
    return found


__all__ = ["LifePlan", "Living", "Place", "StudioGoneError", "sizes"]
