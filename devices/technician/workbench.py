"""The devices of a running studio, laid out for its technician by their ids."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from devices.camera.face.reader import CardReader
from devices.camera.felt.layout import Layout
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.watch import Watcher
from devices.supervisor import Supervisor
from devices.technician.camera_bench import CameraBench, HiddenSince, LiveFrame
from devices.technician.line_book import LineBook
from devices.technician.self_test import camera_findings, line_findings
from studio.cards import Sealer
from studio.diagnosis import Finding
from studio.errors import RefusedError
from studio.ports import CardFace, Device, Observation


@dataclass(frozen=True, slots=True)
class Post:
    """Where a device stands. `hides`: its table is open; `frame`: its camera's newest picture, `hidden`: what of it
    must not be seen.
    """

    table: str
    role: str
    driver: str
    hides: Callable[[], bool]
    baud: int | None = None
    frame: LiveFrame | None = None
    hidden: HiddenSince | None = None
    calibration: Path = Path("calibration.json")


class Workbench:
    """Filled before the devices run; afterwards `note` comes from their threads and everything else from any."""

    def __init__(self) -> None:
        self._lines: dict[str, LineBook] = {}
        self._cameras: dict[str, CameraBench] = {}
        self._posts: dict[str, Post] = {}
        self._sealer = Sealer(secrets.token_bytes)

    def take(self, device: Device, post: Post) -> None:
        """Lay a device out; what is neither a line nor a camera of ours is left alone."""
        self._posts[device.id] = post
        if isinstance(device, Supervisor):
            book = LineBook(device.id, post.role, post.driver, post.hides, post.baud)
            device.listen_with(book.listen)
            self._lines[device.id] = book
        elif isinstance(device, Watcher) and post.frame is not None and post.hidden is not None:
            self._cameras[device.id] = CameraBench(
                device.id, device.layout, device, frame=post.frame, hidden=post.hidden, path=post.calibration
            )

    def lay_out(self, device: str, layout: Layout) -> None:
        """This camera has another felt before it from now on."""
        if (bench := self._cameras.get(device)) is not None:
            bench.lay_out(layout)

    def note(self, device: str, seen: Sequence[Observation]) -> None:
        """What a device said, on the thread that owns it."""
        if device in self._lines:
            self._lines[device].note(seen)
        elif device in self._cameras:
            self._cameras[device].note(seen)

    def line(self, device: str) -> LineBook | None:
        return self._lines.get(device)

    def camera(self, device: str) -> CameraBench | None:
        return self._cameras.get(device)

    def replay(self, device: str, text: str) -> list[tuple[int, str]]:
        """What a capture says; at a closed table only."""
        return self._book(device).tape.replay(text, self._sealer)

    def test(self, device: str, now_ms: int, ask: Callable[[str], None] | None) -> Sequence[Finding]:
        """Put a device to the test; takes a few seconds at most."""
        if (bench := self._cameras.get(device)) is not None:
            return camera_findings(bench, now_ms, None if self._posts[device].hides() else faces_in)
        return line_findings(self._book(device), now_ms, ask)

    def _book(self, device: str) -> LineBook:
        if device not in self._lines:
            raise RefusedError("no_line", f"{device} has no line that could be listened to.")
        return self._lines[device]


def faces_in(frame: Pixels) -> Mapping[str, int]:
    """How many cards in a picture are named, face down and unsure, without saying which cards. For closed tables."""
    found = [card.face for card in CardReader().read(frame)]
    return {
        "named": found.count(CardFace.UP),
        "down": found.count(CardFace.DOWN),
        "unsure": found.count(CardFace.UNSURE),
    }
