"""The machines of one table where hosts reach them: shoe and shuffler each behind a TCP port, the camera's pictures
over HTTP, at the addresses that the configuration names.
"""

from __future__ import annotations

import ssl
import threading
from typing import Final
from urllib.parse import urlsplit

from dealer_ui.config.file import StudioConfig, TableSection
from dealer_ui.process.clock import SteadyClock
from dealer_ui.rehearsal.machine.rig import QUICK_SHUFFLE, Rig, RigOptions
from devices.camera.felt.layout import layout_for
from devices.sim.picture.felt_render import FeltLook, FeltRenderer
from devices.sim.picture.mjpeg import Grab, MjpegServer
from devices.sim.wire.shoe_voice import SHOES
from devices.sim.wire.tcp import TcpPort
from studio.errors import BadInputError
from studio.games import find_game
from studio.views.shape import TableView

FPS: Final = 12.5
PUMP_S: Final = 0.002
_HERE: Final = ("127.0.0.1", "localhost")


class Stand:
    """`pump` is one thread's whole work; hands reach the machines through `rig`, from any thread."""

    def __init__(
        self, config: StudioConfig, table: TableSection, seed: int, speed: float, clock: SteadyClock,
        tls: ssl.SSLContext | None = None,
    ) -> None:  # fmt: skip
        """Opens the ports; `BadInputError` where an address is none of this machine's, or is taken. With `tls`
        they are reached by TLS.
        """
        self._clock = clock
        line, pictures = ("tls", "https") if tls else ("socket", "http")
        ports = {
            id: _port_of(config, table, id, scheme)
            for id, scheme in ((table.shoe, line), (table.shuffler, line), (table.camera, pictures))
        }
        shoe, shuffler = config.device(table.shoe).driver, config.device(table.shuffler).driver
        if shoe not in SHOES or shuffler != "generic":
            raise BadInputError(f"No simulated machine speaks {shoe} as a shoe and {shuffler} as a shuffler.")
        options = RigOptions(seed, speed, times=QUICK_SHUFFLE, shoe=shoe)
        self.rig = Rig(config.table_config(table), options)
        renderer = FeltRenderer(self.rig.felt, seed, FeltLook().faster(speed))
        self.camera = _camera(ports[table.camera], lambda: renderer.frame(clock.now_ms()), tls)
        self.lines: tuple[TcpPort, ...] = ()
        try:
            for id in (table.shoe, table.shuffler):
                self.lines += (TcpPort(self.rig.board.own(id), ports[id], tls),)
        except BadInputError:
            self.close()
            raise

    @property
    def key(self) -> str:
        return self.rig.config.key

    def start(self) -> None:
        self.camera.start()
        self.rig.power_on()

    def pump(self, stopping: threading.Event) -> None:
        """Let the machines go on and carry their bytes, until told to stop."""
        while not stopping.is_set():
            self.rig.pump(self._clock.now_ms())
            for line in self.lines:
                line.pump(PUMP_S)

    def close(self) -> None:
        """Hang up, once nobody pumps any more."""
        for line in self.lines:
            line.close()
        self.camera.close()

    def follow(self, view: TableView) -> None:
        """The table deals another game: its machines are set for it, and its cloth is laid."""
        if view.game.key != self.rig.config.game:
            self.rig.felt.clear(layout_for(find_game(view.game.key).felt.zones))
        self.rig.follow(view.game.key, view.game.rules)


def _camera(port: int, grab: Grab, tls: ssl.SSLContext | None) -> MjpegServer:
    try:
        return MjpegServer(grab, fps=FPS, port=port, tls=tls)
    except OSError as error:
        sentence = f"No camera can answer at port {port}: {error.strerror}. Stop what has it, or name another."
        raise BadInputError(sentence) from error


def _port_of(config: StudioConfig, table: TableSection, id: str, scheme: str) -> int:
    """The port of this machine at which the configuration looks for that device."""
    if not id:
        raise BadInputError(
            f"The table {table.key} names no shoe, no shuffler or no camera: here all three are played."
        )
    url = config.device(id).url
    parts = urlsplit(url)
    if parts.scheme != scheme or parts.hostname not in _HERE or not parts.port:
        sentence = f"The device {id} is looked for at {url}, and is played at {scheme}://127.0.0.1:PORT alone."
        raise BadInputError(sentence, where=f"[[devices]] {id}")
    return parts.port
