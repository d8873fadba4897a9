"""Records rounds of one table for a bench: pictures, bytes of its lines, acts, by time.

Everything is rendered and dealt before anything is measured, on a clock of its own: what is recorded is what the
far ends of a table would send, and what its people do.
"""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import cv2
import numpy as np

from bench.table import OPERATOR, config
from dealer_ui.rehearsal.machine.rig import Rig, RigOptions
from dealer_ui.rehearsal.person.dealer import DealerPace, SimDealer
from dealer_ui.rehearsal.person.pit import SimPit
from devices.camera.picture.frame import PackedPicture
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.source.live import open_source
from devices.camera.watch import Watcher
from devices.catalogue import DriverSpec, build_driver
from devices.driver import LineTalk
from devices.link import open_link
from devices.sim.picture.felt_render import FeltRenderer
from devices.sim.wire.shuffler import ShuffleTimes
from devices.supervisor import LinkPace as LinePace
from devices.supervisor import Supervisor
from studio.cards import Sealer
from studio.errors import RefusedError
from studio.journal import IN_MEMORY, Store, Unit, Writer
from studio.money import Offer, Transfer, bettor_account, operator_account
from studio.people import Actor
from studio.ports import CameraSawCard, ShoeDrewCard
from studio.rulebook.script import OpenBets
from studio.tables.books.book import Book
from studio.tables.command import Tick
from studio.tables.declaration import Command
from studio.tables.run.runtime import TableRuntime
from studio.tables.state.table import TableState, awaited
from studio.views import TableView, view_table

FRAME_MS = 200
STEP_MS = 10
TICK_MS = 200
WINDOW_S = 12
QUALITY = 85
BETTOR, BET = "b1", "player1_win"
DEALER = Actor("d1", "Dana", frozenset({"dealer"}))
PIT = (Actor("p1", "Petra", frozenset({"pit_boss"})), Actor("p2", "Paul", frozenset({"pit_boss"})))
_MARK_PX, _MARK_BITS = 12, 12


@dataclass(slots=True)
class Film:
    """What one table's far ends send and its people do, each with its time from the start in milliseconds."""

    frames: list[bytes] = field(default_factory=list)
    """One every `FRAME_MS`, JPEG; each bears its number, see `number_of`."""
    shoe: list[tuple[int, bytes]] = field(default_factory=list)
    shuffler: list[tuple[int, bytes]] = field(default_factory=list)
    acts: list[tuple[int, Command | None]] = field(default_factory=list)
    """None: the one bettor bets."""
    cards: list[int] = field(default_factory=list)
    """When the shoe's line had carried each card."""
    seen: list[tuple[str, int, str]] = field(default_factory=list)
    """Zone, place and face of each card the camera told of."""
    round_ms: int = 0
    """From one round's begin to the next."""

    @property
    def lasts_ms(self) -> int:
        return len(self.frames) * FRAME_MS


def number_of(frame: Pixels | PackedPicture) -> int:
    """The number that is drawn into a frame's corner, off the felt; of a packed one, at a quarter of its size."""
    pixels, mark_px = (frame.rough, _MARK_PX // 4) if isinstance(frame, PackedPicture) else (frame, _MARK_PX)
    half = mark_px // 2
    bits = pixels[half, half : half + mark_px * _MARK_BITS : mark_px, 1] > 127
    return int(bits.astype(np.int64) @ (1 << np.arange(_MARK_BITS)))


def record(rounds: int = 2, seed: int = 1) -> Film:
    """A table opened and so many rounds dealt at a person's pace, as its far ends would send them."""
    with Store.open(IN_MEMORY) as store:
        made = _Recording(store, seed)
        while not made.over(rounds):
            made.step()
        made.close()
        return made.film


class _Recording:
    """One table on one thread and a clock of its own; what passes its lines is written down."""

    def __init__(self, store: Store, seed: int) -> None:
        self.film = Film()
        self._now_ms = self._start_ms = 1_767_225_600_000
        self._writer = Writer(store)
        self._config = config(window_s=WINDOW_S)
        options = RigOptions(seed, times=ShuffleTimes(loading_ms=800, shuffling_ms=2_500, verifying_ms=1_200))
        self._rig = Rig(self._config, options)
        sealer = Sealer(random.Random(seed).randbytes)
        self._lines = [self._line("shoe", "angel_eye", sealer), self._line("shuffler", "generic", sealer)]
        self._camera = FeltRenderer(self._rig.felt, seed)
        self._watcher = Watcher(open_source("sim://felt", {"felt": self._shown}), self._rig.felt.layout, sealer)
        self._runtime = TableRuntime(self._config, self._writer.commit, self._published)
        self._view: TableView | None = None
        self._began: list[int] = []
        self._bet = ""
        self._dealer = SimDealer(self._rig, self, DEALER, DealerPace(), random.Random(seed))
        self._pit = SimPit(self, PIT, (DEALER.id, DEALER.name), random.Random(seed))
        self._writer.commit(Unit(transfers=(deposit(""),)))
        self._runtime.start(self._config, self._now_ms)
        self._rig.power_on()

    def over(self, rounds: int) -> bool:
        """When one round more begins, the last is off the felt."""
        return len(self._began) > rounds

    def step(self) -> None:
        self._now_ms += STEP_MS
        now = self._now_ms
        self._rig.pump(now)
        for line in self._lines:
            self._runtime.observe(line.step(now), now)
        if (now - self._start_ms) % FRAME_MS == 0:
            seen = self._watcher.step(now)
            self.film.seen += [(one.zone, one.place, str(one.face)) for one in seen if isinstance(one, CameraSawCard)]
            self._runtime.observe(seen, now)
        if (now - self._start_ms) % TICK_MS == 0:
            self._runtime.handle(Tick(), now)
        self._runtime.pay(now)
        self._stake()
        self._dealer.step(now)
        self._pit.step(now)

    def close(self) -> None:
        self.film.round_ms = self._began[1] - self._began[0]
        assert not self._runtime.state.incidents.open, self._runtime.state.incidents.open
        for line in self._lines:
            line.close()
        self._watcher.close()
        self._writer.close()

    # --- what simulated people need -------------------------------------------------------------------

    def view(self) -> TableView:
        if self._view is None:
            self._view = view_table(self._runtime.state, self._runtime.book, self._runtime.seq)
        return self._view

    def command(self, command: Command) -> None:
        self._runtime.handle(command, self._now_ms)
        if type(command).__name__ == "StartRound":
            self._began.append(self._now_ms - self._start_ms)
        self.film.acts.append((self._now_ms - self._start_ms, command))

    # --- the lines ------------------------------------------------------------------------------------

    def _line(self, id: str, driver: str, sealer: Sealer) -> Supervisor:
        return Supervisor(
            id, f"sim://{self._config.key}/{id}", open_link=partial(open_link, bay=self._rig.bay),
            driver=build_driver(driver, DriverSpec(id, sealer)), sealer=sealer, pace=LinePace(down_wait_s=0),
            listen=self._heard,
        )  # fmt: skip

    def _heard(self, talk: LineTalk) -> None:
        if talk.direction == "in" and talk.data:
            line = self.film.shoe if talk.device == "shoe" else self.film.shuffler
            line.append((self._now_ms - self._start_ms, talk.data))
        if any(isinstance(frame, ShoeDrewCard) for frame in talk.frames):
            self.film.cards.append(self._now_ms - self._start_ms)

    def _shown(self, now_ms: int) -> Pixels:
        """The next frame as the camera sends it: numbered, encoded, and decoded again."""
        picture = self._camera.frame(now_ms).copy()
        for bit in range(_MARK_BITS):
            level = 255 * (len(self.film.frames) >> bit & 1)
            picture[:_MARK_PX, bit * _MARK_PX : (bit + 1) * _MARK_PX] = level
        jpeg = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))[1]
        self.film.frames.append(jpeg.tobytes())
        return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8)

    def _stake(self) -> None:
        """One bet in every window."""
        state = self._runtime.state
        now, round = awaited(state), state.round
        if round is None or round.window.closes_at_ms is None or round.id == self._bet:
            return
        if now is not None and isinstance(now.step, OpenBets):
            self._bet = round.id
            offer = Offer("", OPERATOR, f"c{round.id}", BETTOR, "", "", BET, 100, "EUR")
            with suppress(RefusedError):
                self._runtime.place_bets([offer], self._now_ms)
            self.film.acts.append((self._now_ms - self._start_ms, None))

    def _published(self, state: TableState, book: Book, seq: int) -> None:
        self._view = None


def deposit(table: str) -> Transfer:
    """A purse for the one bettor of a table."""
    name = f"{BETTOR}{table}"
    return Transfer(
        "", f"purse-{name}", "deposit", operator_account(OPERATOR), bettor_account(OPERATOR, name), 10**7, "EUR"
    )
