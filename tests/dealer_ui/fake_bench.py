"""A bench of hand-made devices: what the technician's pages need of the devices behind them, without any."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from fake_floor import IDLE, NOW_MS, FakeFloor

from dealer_ui.config.file import DeviceSection, StudioConfig, TableSection
from devices.driver import LineTalk
from devices.technician.ladder import CameraCounts, camera_ladder
from devices.technician.line_book import LineBook
from studio.cards import Card, Sealer
from studio.diagnosis import CalibrationProposal, Finding, Outline, Rung, Unseen
from studio.errors import RefusedError
from studio.ports import LinkUp, Observation, ShoeDrewCard, ShufflerHello
from studio.views.shape import TableView

SEALER = Sealer(random.Random(11).randbytes)
ZONES = {"player1": 3, "player2": 3, "player3": 3, "banker": 3, "burn": 4}
PICTURE = b"\xff\xd8a picture\xff\xd9"
CORNERS = ((0.1, 0.1), (0.9, 0.1), (0.95, 0.9), (0.05, 0.9))


class FakeCamera:
    """A camera whose picture is `PICTURE`."""

    def __init__(self) -> None:
        self.picture_ms: int | None = NOW_MS
        self.corners: tuple[tuple[float, float], ...] = CORNERS
        self.outlines = _outlines()
        self.warnings: tuple[str, ...] = ()
        self.saved: list[Sequence[tuple[float, float]]] = []

    def ladder(self, now_ms: int) -> tuple[Rung, ...]:
        return camera_ladder(CameraCounts(up=True, picture=self.picture_ms is not None, told=True, cards=1))

    def picture(self) -> tuple[bytes, int] | Unseen:
        return Unseen.NONE if self.picture_ms is None else (PICTURE, self.picture_ms)

    def explained(self) -> tuple[bytes, int] | Unseen:
        return self.picture()

    def marked(self) -> tuple[tuple[float, float], ...]:
        return CORNERS

    def propose(self, corners: Sequence[tuple[float, float]]) -> CalibrationProposal:
        if corners[0][0] > corners[1][0]:
            raise RefusedError("corners_wrong", "These corners do not go round the felt.")
        return CalibrationProposal(tuple(corners), self.outlines, self.warnings, 128.4, 0.53)

    def calibrate(self, corners: Sequence[tuple[float, float]]) -> CalibrationProposal:
        proposal = self.propose(corners)
        self.saved.append(corners)
        return proposal


class FakeBench:
    """A shoe with a real line book, and a camera; `findings` is what every test finds."""

    def __init__(self, hides: Callable[[], bool]) -> None:
        self.lines = {
            "shoe-1": LineBook("shoe-1", "shoe", "angel_eye", hides),
            "machine-1": LineBook("machine-1", "shuffler", "generic", hides),
        }
        self.cameras = {"camera-1": FakeCamera()}
        self.findings = [Finding("open.good", "good"), Finding("draw.none", "bad")]
        self.asked: list[str] = []

    def line(self, device: str) -> LineBook | None:
        return self.lines.get(device)

    def camera(self, device: str) -> FakeCamera | None:
        return self.cameras.get(device)

    def replay(self, device: str, text: str) -> list[tuple[int, str]]:
        return self.lines[device].tape.replay(text, SEALER)

    def test(self, device: str, now_ms: int, ask: Callable[[str], None] | None) -> list[Finding]:
        if ask is not None and device == "machine-1":
            ask("ident")
        return self.findings

    def say(self, device: str, data: bytes, *seen: Observation) -> None:
        self.lines[device].listen(LineTalk(device, NOW_MS, "in", data, seen))

    def draw(self, card: str) -> None:
        """The shoe says a card, as its line carries it."""
        drew = ShoeDrewCard(device="shoe-1", at_ms=NOW_MS, card=SEALER.card(Card.parse(card)), label="Player 1")
        self.say("shoe-1", bytes.fromhex("05 31 44 81 B8 03 34 46"), drew)


class TechnicianFloor(FakeFloor):
    """A floor with one table and its shoe, shuffler and camera on a bench; orders are kept in `orders`."""

    def __init__(self, view: TableView = IDLE, **options: Any) -> None:
        super().__init__(view, **options)
        section = TableSection(
            key=view.table, title=view.title, game=view.game.key, shoe="shoe-1", shuffler="machine-1", camera="camera-1"
        )
        devices = (
            DeviceSection(id="shoe-1", driver="angel_eye", url="/dev/serial/by-id/usb-FTDI"),
            DeviceSection(id="machine-1", driver="generic", url="socket://shuffler:4001"),
            DeviceSection(id="camera-1", driver="camera", url="http://camera/felt.mjpg"),
        )
        self.config = StudioConfig(tables=(section,), devices=devices)
        self.bench = FakeBench(lambda: self.view(view.table).now.status != "closed")
        up = [LinkUp(device="x", at_ms=NOW_MS, url="", plug="usb FTDI A9007UX1")]
        for line in self.bench.lines.values():
            line.note(up)
        hello = ShufflerHello(
            device="machine-1", at_ms=NOW_MS, model="MD-9", serial="S-77", firmware="2.1", deck_profile="p"
        )
        self.bench.say("machine-1", b"\x02", hello)
        self.orders: list[tuple[str, str, int, str]] = []

    def camera_jpeg(self, table: str) -> tuple[bytes, int] | Unseen:
        return self.bench.cameras["camera-1"].picture()

    def order(self, device: str, order: Any, *, by: Any, reason: str, id: str = "") -> int:
        self.orders.append((device, order.name, order.value, reason))
        return 7


def _outlines() -> tuple[Outline, ...]:
    places = [(zone, place) for zone, count in ZONES.items() for place in range(1, count + 1)]
    return tuple(
        Outline(zone, place, tuple((x + at / 20, y) for x, y in ((0.05, 0.2), (0.09, 0.2), (0.09, 0.4), (0.05, 0.4))))
        for at, (zone, place) in enumerate(places)
    )
