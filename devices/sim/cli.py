"""`devices sim`: a simulated device that works by itself on a pseudo-terminal."""

from __future__ import annotations

import os
import random
import select
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from devices.sim.wire.fault import UnknownFaultError
from devices.sim.wire.player import PLAYERS, Player
from devices.sim.wire.pty import PtyPort
from devices.stop import until_stopped, wall_ms
from devices.wire import Wire

PUMP_WAIT_S: Final = 0.01
CONTROL_BYTES_MAX: Final = 4096


@dataclass(frozen=True, slots=True)
class _Options:
    interval_s: float
    seed: int
    speed: float
    faults: tuple[str, ...]
    control: bool
    show: bool
    as_json: bool
    link: Path | None


@click.command()
@click.argument("name", type=click.Choice([entry.name for entry in PLAYERS]))
@click.option("--pty", "on_pty", is_flag=True, help="Put it on a pseudo-terminal; the first line is its path.")
@click.option(
    "--link", type=click.Path(path_type=Path), help="A name for the terminal that stays when it is unplugged."
)
@click.option("--interval", "interval_s", default=2.0, type=click.FloatRange(min=0.01), help="Seconds between acts.")
@click.option("--seed", default=1, help="The same seed deals the same cards.")
@click.option("--speed", default=1.0, type=click.FloatRange(min=0.01), help="Divides every wait, the interval too.")
@click.option("--fault", "faults", multiple=True, help="Switch a named fault on from the start; may be repeated.")
@click.option("--control", is_flag=True, help="Take 'on FAULT' and 'off FAULT' from standard input.")
@click.option("--show", is_flag=True, help="Say what it does, cards and all.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def sim(name: str, on_pty: bool, **options: Any) -> None:
    """Simulate a device: it works by itself as soon as somebody listens."""
    if not on_pty:
        raise click.UsageError("Say where the device shall answer: --pty puts it on a pseudo-terminal.")
    chosen = _Options(**options)
    wire = Wire()
    entry = next(entry for entry in PLAYERS if entry.name == name)
    player = entry.build(wire, random.Random(chosen.seed), chosen.speed)  # noqa: S311 - cards of a simulation
    try:
        for fault in chosen.faults:
            player.switch_on(fault)
    except UnknownFaultError as error:
        raise click.BadParameter(str(error), param_hint="--fault") from None
    _Stage(player, wire, chosen).run()


class _Stage:
    """The loop that pumps one simulated device until it is told to stop."""

    def __init__(self, player: Player, wire: Wire, options: _Options) -> None:
        self._player = player
        self._options = options
        self._port = PtyPort(wire, options.link)
        self._told_path = ""
        self._act_at_ms: float | None = None
        self._typed = b""
        self._listening = options.control

    def run(self) -> None:
        try:
            with until_stopped() as stopped:
                while not stopped.is_set():
                    self._tell_path()
                    self._turn(wall_ms())
        finally:
            self._port.close()

    def _turn(self, now_ms: int) -> None:
        if self._port.connected:
            self._act(now_ms)
        if self._listening:
            self._take_orders()
        self._player.step(now_ms)
        self._port.pump(PUMP_WAIT_S)

    def _act(self, now_ms: int) -> None:
        if self._act_at_ms is None:
            self._player.start()
        elif now_ms >= self._act_at_ms:
            self._say("did", self._player.act())
        else:
            return
        self._act_at_ms = now_ms + 1000 * self._options.interval_s / self._options.speed

    def _take_orders(self) -> None:
        if not select.select([sys.stdin], [], [], 0)[0]:
            return
        typed = os.read(sys.stdin.fileno(), CONTROL_BYTES_MAX)
        self._listening = bool(typed)
        *lines, self._typed = (self._typed + typed)[-CONTROL_BYTES_MAX:].split(b"\n")
        for line in lines:
            self._obey(line.decode(errors="replace").split())

    def _obey(self, words: list[str]) -> None:
        try:
            match words:
                case ["on", fault]:
                    self._player.switch_on(fault)
                case ["off", fault]:
                    self._player.switch_off(fault)
                case []:
                    pass
                case _:
                    click.echo("Write 'on FAULT' or 'off FAULT'.", err=True)
        except UnknownFaultError as error:
            click.echo(str(error), err=True)

    def _tell_path(self) -> None:
        """The path is the first line; a cable plugged in again may come back under another."""
        path = self._port.path
        if path != self._told_path:
            self._told_path = path
            click.echo(msgspec.json.encode({"path": path}).decode() if self._options.as_json else path)

    def _say(self, key: str, what: str) -> None:
        if what and self._options.show:
            click.echo(msgspec.json.encode({key: what}).decode() if self._options.as_json else what)
