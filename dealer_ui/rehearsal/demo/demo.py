"""The demo studio: a simulated table a game, people, bettors and a server, put together."""

from __future__ import annotations

import random
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from dealer_ui.assembly.bootstrap import Studio, StudioParts, build_studio
from dealer_ui.assembly.device_parts import Tap
from dealer_ui.process.clock import SteadyClock
from dealer_ui.process.evidence import EvidenceFolder
from dealer_ui.rehearsal.demo.deck_store import lay_in_decks
from dealer_ui.rehearsal.demo.options import OPERATOR as OPERATOR
from dealer_ui.rehearsal.demo.options import UNSURE_S, config_of
from dealer_ui.rehearsal.demo.options import DemoOptions as DemoOptions
from dealer_ui.rehearsal.demo.own_operator import (
    LaunchingInterface,
    OwnOperator,
    guest_routes,
    session_of,
)
from dealer_ui.rehearsal.demo.staff import STAFF, give_papers, seat_staff
from dealer_ui.rehearsal.demo.world import World, put_back
from dealer_ui.rehearsal.machine.rig import QUICK_SHUFFLE, Rig, RigOptions
from dealer_ui.rehearsal.own_hands.breakage import Breakage, SimCamera
from dealer_ui.rehearsal.own_hands.hands import Hands
from dealer_ui.rehearsal.own_hands.page import Invitation, Person, Station, routes
from dealer_ui.rehearsal.person.bettors import BettorCrowd, CrowdPlan
from dealer_ui.rehearsal.person.dealer import DealerPace, SimDealer
from dealer_ui.rehearsal.person.interface import Interface
from dealer_ui.rehearsal.person.pit import SimPit
from dealer_ui.rehearsal.person.stagehand import Stagehand
from dealer_ui.rehearsal.poker import PlayerCrowd, PlayersPlan
from devices.camera.felt.layout import Layout, layout_for
from devices.camera.place.zone import WatchTiming
from devices.camera.source.live import open_source
from devices.camera.watch import Watcher, WatchSettings
from devices.sim.picture.felt_render import FeltLook, FeltRenderer
from devices.sim.picture.mjpeg import MjpegServer
from studio.cards import ByteSource, Sealer
from studio.games import find_game
from studio.games.kkclash import KKCLASH
from studio.people import Actor, Role
from studio.ports import Device
from studio.tables.config import TableConfig
from studio.tables.declaration import Command
from studio.tables.state.table import TableState
from studio.views import TableView

_FPS: Final = 12.5
_FPS_MAX: Final = 25.0
_FPS_OF_ALL: Final = 75.0
"""A picture drawn, sent and read takes some 10 ms of one core, one of seven boxes 18 ms."""


@dataclass(slots=True)
class Demo:
    """A demo ready to start. `rigs` are the machines of its tables, on the far side of their wires."""

    options: DemoOptions
    studio: Studio
    rigs: dict[str, Rig]
    cameras: tuple[MjpegServer, ...]
    hands: dict[str, Hands]
    api_key: str
    operator: OwnOperator | None
    """The operator's own server, where he keeps his bettors' money himself."""
    breakages: dict[str, Breakage]
    """What can be broken at each table."""
    _source: ByteSource = field(repr=False)
    closing: threading.Event = field(default_factory=threading.Event)
    """Once it is set the simulated people end what is being dealt, close every table and deal no more."""

    def start(self) -> None:
        """Put the simulated world where it was; start the studio, the machines and, where wanted, simulated people."""
        tables = [worker.runtime.key for worker in self.studio.workers]
        fresh = [key for key in tables if not self._bring_back(key, self._record(key))]
        self.studio.start()
        seat_staff(self.studio.floor.staff)
        self._hand_out_papers()
        if self.operator is not None:
            self.studio.keep("operator", self.operator.keep)
        lay_in_decks(self.studio, STAFF[2][0], STAFF[3][0])
        for key in fresh:
            self.rigs[key].power_on()
        for key in tables:
            self._work(key)

    def _work(self, key: str) -> None:
        self.studio.keep(f"machines {key}", partial(self._pump, self.rigs[key]))
        self.studio.keep(f"people {key}", partial(self._people, key))

    def _bring_back(self, key: str, state: TableState) -> bool:
        """The table's own world as the last run left it; where none is known, one that the record may have left."""
        rig = self.rigs[key]
        world = World(self.options.database, rig, self.hands[key].tidy, self.hands[key].stub)
        known = world.bring_back(state)
        if not known:
            put_back(rig, state)
        rig.keep = world.keep
        return known

    def _hand_out_papers(self) -> None:
        """Give every dealer of the demo the papers for every game; one of them runs out soon, so that a warning is
        seen.
        """
        desk = self.studio.floor.staff
        if "d2" in desk.register.people:
            give_papers(desk, "d2", (KKCLASH.key,), days=20)
        for dealer in desk.register.with_role(Role.DEALER):
            give_papers(desk, dealer.id)

    def start_bettors(self) -> None:
        """The crowd bets over HTTP: the server must be listening."""
        for key in self.rigs:
            self._start_bettors(key)

    def _start_bettors(self, key: str) -> None:
        interface = self._interface(key)
        if find_game(self.rigs[key].config.game).peers is not None:
            players = PlayersPlan(table=key, run=secrets.token_hex(4), speed=self.options.speed)
            table = PlayerCrowd(interface, players, random.Random(self._source(8)))
            self.studio.keep(f"players {key}", table.run)
            return
        plan = CrowdPlan(
            table=key, run=secrets.token_hex(4), bettors=self.options.bettors,
            poll_s=max(0.02, 0.25 / self.options.speed),
        )  # fmt: skip
        crowd = BettorCrowd(interface, plan, random.Random(self._source(8)))
        self.studio.keep(f"bettors {key}", crowd.run)

    def _interface(self, table: str) -> Interface:
        place = (self.options.host, self.options.port, self.api_key)
        has_wallet = self.studio.config.operators[OPERATOR].wallet is not None
        return LaunchingInterface(*place, table) if has_wallet else Interface(*place)

    def _record(self, key: str) -> TableState:
        return next(worker.runtime.state for worker in self.studio.workers if worker.runtime.key == key)

    def stop(self) -> None:
        self.studio.stop()
        for camera in self.cameras:
            camera.close()
        if self.operator is not None:
            self.operator.close()

    def _pump(self, rig: Rig, stop: threading.Event) -> None:
        while not stop.wait(0.004):
            rig.pump(self.studio.clock.now_ms())

    def _people(self, key: str, stop: threading.Event) -> None:
        """With `--auto` a dealer and two pit bosses work the table; else only a pit boss opens it."""
        desk = _FloorDesk(self.studio, key)
        chance = random.Random(self._source(8))
        pace = DealerPace().faster(self.options.speed)
        dealer = SimDealer(self.rigs[key], desk, _actor(0), pace, chance)
        dealer.hand, dealer.stub = self.hands[key].tidy, self.hands[key].stub
        pit = SimPit(desk, (_actor(2), _actor(3)), (STAFF[0][0], STAFF[0][3]), chance)
        pit.wait_ms, pit.unsure_ms = max(20, int(1_500 / self.options.speed)), int(UNSURE_S * 1000)
        pit.sees = self.rigs[key].lies_open
        dealer.closing = pit.closing = self.closing.is_set
        stagehand = Stagehand(self.rigs[key], desk, pit)
        while not stop.wait(max(0.005, 0.05 / self.options.speed)):
            now = self.studio.clock.now_ms()
            view = self.studio.floor.view(key)
            self.rigs[key].follow(view.game.key, view.game.rules)
            if self.options.auto:
                dealer.step(now)
                pit.step(now)
            else:
                stagehand.step(now)
                self.hands[key].step(now)


@dataclass(frozen=True, slots=True)
class _FloorDesk:
    studio: Studio
    table: str

    def view(self) -> TableView:
        return self.studio.floor.view(self.table)

    def command(self, command: Command) -> None:
        self.studio.floor.command(self.table, command)


def build_demo(options: DemoOptions) -> Demo:
    """Put the demo together; nothing runs yet but an operator of his own. `BadInputError` for an unknown game or a
    database that is no good."""
    operator = OwnOperator(_beside(options.database), options.wallet) if options.wallet else None
    try:
        return _build_demo(options, operator)
    except BaseException:
        if operator is not None:
            operator.close()
        raise


def _beside(database: Path) -> Path:
    return database.with_name(f"{database.name}.operator")


def _build_demo(options: DemoOptions, operator: OwnOperator | None) -> Demo:
    source: ByteSource = random.Random(options.seed).randbytes if options.seed is not None else secrets.token_bytes
    api_key = f"demo-{source(12).hex()}"
    wallet = operator.section if operator else None
    config = config_of(options, api_key, wallet)
    rigs: dict[str, Rig] = {}
    lenses: dict[str, SimCamera] = {}
    taps: dict[str, Tap] = {}
    for table in config.tables:
        resolved = config.table_config(table)
        rigs[table.key] = Rig(resolved, _rig_options(options, source))
        lenses[table.key] = _camera(rigs[table.key], options, source)
        taps[table.key] = Tap(open_source(lenses[table.key].server.url))

    def devices_of(table: TableConfig, sealer: Sealer, evidence: EvidenceFolder) -> Sequence[Device]:
        rig = rigs[table.key]
        if table.game != rig.config.game:  # a change of the game that outlived the studio
            rig.follow(table.game, table.rules)
            rig.felt.clear(layout_for(find_game(table.game).felt.zones))
        settings = WatchSettings(evidence=evidence, timing=_timing(options.speed))
        watcher = Watcher(taps[table.key], rig.felt.layout, sealer, id=table.camera, settings=settings)
        return rig.devices(sealer, watcher)

    frames = {key: tap.jpeg for key, tap in taps.items()}
    tick_s = max(0.01, 0.2 / options.speed)

    def laid(camera: str, layout: Layout) -> None:
        """Whoever changes a game lays its cloth, and the camera looks for it."""
        next(rig for rig in rigs.values() if rig.config.camera == camera).felt.clear(layout)

    def let_go() -> None:
        for lens in lenses.values():
            lens.server.close()
        for tap in taps.values():
            tap.close()

    parts = StudioParts(devices_of, frames, tick_s=tick_s, quick_pins=True, let_go=let_go, laid=laid)
    studio = build_studio(config, options.database, parts)
    invitation = Invitation()
    breakages = {key: Breakage(rig, lenses[key]) for key, rig in rigs.items()}
    hands = _lay_hands(studio, rigs, breakages, options, invitation)
    known_by = session_of if wallet else None
    studio.app.register_blueprint(guest_routes(studio.floor, studio.app.extensions["tickets"], OPERATOR, known_by))
    cameras = tuple(lens.server for lens in lenses.values())
    demo = Demo(options, studio, rigs, cameras, hands, api_key, operator, breakages, source)
    if not options.auto:
        invitation.call = demo.start_bettors
    return demo


def _lay_hands(
    studio: Studio,
    rigs: dict[str, Rig],
    breakages: dict[str, Breakage],
    options: DemoOptions,
    invitation: Invitation,
) -> dict[str, Hands]:
    """Give the person at the demo hands at every table, and the page for them."""
    card_ms = max(30, round(900 / options.speed))
    hands = {key: Hands(rig, partial(studio.floor.view, key), card_ms=card_ms) for key, rig in rigs.items()}
    stations = {key: Station(hands[key], breakages[key], options.auto, invitation) for key in rigs}
    people = [Person(name, badge, pin, role) for _, badge, pin, name, role in STAFF]
    studio.app.register_blueprint(routes(studio.app.extensions["console"], stations, people))
    return hands


def _camera(rig: Rig, options: DemoOptions, source: ByteSource) -> SimCamera:
    """The simulated camera over the simulated felt, as a network stream."""
    renderer, clock = FeltRenderer(rig.felt, int.from_bytes(source(4)), FeltLook().faster(options.speed)), SteadyClock()
    fps = _fps(options, larger=bool(rig.felt.layout.fans))
    server = MjpegServer(lambda: renderer.frame(clock.now_ms()), fps=fps)
    return SimCamera(server.start(), renderer)


def _fps(options: DemoOptions, *, larger: bool) -> float:
    """Pictures a second of one table: more at speed, as far as two cores draw and read those of every table."""
    wanted = _FPS if larger else min(_FPS_MAX, _FPS * max(1.0, options.speed / 2))
    return min(wanted, _FPS_OF_ALL / len(options.games))


def _timing(speed: float) -> WatchTiming:
    return WatchTiming() if speed == 1 else WatchTiming().faster(speed)


def _rig_options(options: DemoOptions, source: ByteSource) -> RigOptions:
    seed = options.seed if options.seed is not None else int.from_bytes(source(4))
    return RigOptions(seed, options.speed, read_timeout_s=0.02, times=QUICK_SHUFFLE, shoe=options.shoe, commands=True)


def _actor(at: int) -> Actor:
    id, _, _, name, role = STAFF[at]
    return Actor(id, name, frozenset({role}))
