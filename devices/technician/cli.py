"""What a technician types: `devices list | probe | monitor | record | replay`.

`monitor` is for closed tables: every seal is opened and the card is shown.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from devices.catalogue import DRIVERS, DriverSpec, build_driver
from devices.link import open_link
from devices.stop import say_json, until_stopped, wall_ms
from devices.supervisor import Supervisor
from devices.technician.capture import load_capture
from devices.technician.ladder import sentence_of
from devices.technician.playback import driver_for, observations, open_line
from devices.technician.port_list import ConfiguredDevice, Port, absent, configured, ports, read_config
from devices.technician.probing import Heard, probe, speeds_for
from devices.technician.tape import FULL, Recorder
from devices.technician.telling import in_words, told
from studio.cards import Sealer
from studio.errors import BadInputError
from studio.ports import LineBytes, LineIdled, LinkDown, Observation

CLOSED_ONLY: Final = (
    "This is for a closed table: the bytes of a shoe are the faces of its cards. Shuffle the deck before it deals."
)
_DRIVER_NAMES: Final = ", ".join(entry.name for entry in DRIVERS)
_FILE: Final = click.Path(dir_okay=False, path_type=Path)


@click.command("list")
@click.option("--config", type=_FILE, help="Say which device of this configuration uses what.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def list_ports(config: Path | None, as_json: bool) -> None:
    """List the serial ports and cameras of this machine."""
    devices = _configured(config)
    found, missing = ports(devices), absent(devices)
    if as_json:
        for port in found:
            say_json({"kind": port.kind, "path": port.path, "by_id": port.by_id, "adaptor": port.adaptor,
                  "serial": port.serial, "used_by": port.used_by})  # fmt: skip
        for one in devices:
            say_json({"kind": "configured", "id": one.id, "driver": one.driver, "url": one.url, "table": one.table,
                  "found": one not in missing})  # fmt: skip
        return
    for port in found:
        click.echo(_port_line(port))
    if not found:
        click.echo("No serial port and no camera is plugged in: plug one in, and look whether its driver is loaded.")
    for one in missing:
        click.echo(f"{one.id}: nothing is plugged in at {one.url}; plug it in, or correct the path.")


def _port_line(port: Port) -> str:
    use = f"used by {', '.join(port.used_by)}" if port.used_by else "not in the configuration"
    name = port.by_id[0] if port.by_id else port.path
    words = [f"{port.kind:<6}", port.path, name if name != port.path else "", port.adaptor]
    words += [f"number {port.serial}" if port.serial else "", use]
    return "  ".join(word for word in words if word)


def _configured(config: Path | None) -> tuple[ConfiguredDevice, ...]:
    try:
        return configured(config) if config else ()
    except BadInputError as error:
        raise click.BadParameter(str(error), param_hint="--config") from None


@click.command("probe")
@click.argument("url")
@click.option("--baud", "bauds", multiple=True, type=click.IntRange(50, 4_000_000), help="Only this speed; repeatable.")
@click.option("--listen", "listen_s", default=3.0, type=click.FloatRange(0.1, 600), help="Seconds at each speed.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per driver and speed that was tried.")
def probe_line(url: str, bauds: tuple[int, ...], listen_s: float, as_json: bool) -> None:
    """Find out what speaks at URL, and how far it comes. Nothing is sent to it; for a closed table."""
    speeds = speeds_for(url, bauds)
    if not as_json:
        click.echo(f"Listening at {url}, {listen_s:g} s at each speed. Draw a card, or switch the device off and on.")
    found = probe(url, speeds, open_link=open_link, now_ms=wall_ms, listen_ms=round(listen_s * 1000))
    if as_json:
        for one in found:
            say_json(_probe_fields(one))
    else:
        _tell_probe(found)
    sys.exit(0 if found and found[0].sure != "no" else 1)


def _probe_fields(one: Heard) -> dict[str, Any]:
    rungs = [{"rung": rung.name, "state": rung.state, "says": sentence_of(rung)} for rung in one.rungs]
    return {"driver": one.driver or None, "baud": one.baud, "sure": one.sure, "bytes": one.counts.bytes,
            "frames": one.counts.frames, "damaged": one.counts.damaged, "cards": one.counts.reports,
            "ladder": rungs}  # fmt: skip


def _tell_probe(found: Sequence[Heard]) -> None:
    if not found:
        return
    best = found[0]
    if best.sure != "no":
        title = next(entry.title for entry in DRIVERS if entry.name == best.driver)
        click.echo(f"{title} (driver {best.driver}) at {best.baud} baud: {best.sure}.")
    elif best.counts.bytes:
        click.echo("Something speaks, and no driver understands it: it runs at another speed, or speaks otherwise.")
    else:
        click.echo("Nothing was heard.")
    for rung in best.rungs:
        if says := sentence_of(rung):
            click.echo(f"  {rung.name:<8} {rung.state:<8} {says}")


@click.command("record")
@click.argument("url")
@click.argument("file", type=_FILE)
@click.option("--driver", required=True, help=f"One of {_DRIVER_NAMES}.")
@click.option("--baud", type=click.IntRange(50, 4_000_000), help="The speed of the line, if not the protocol's own.")
@click.option("--for", "for_s", type=click.FloatRange(min=0.1), help="Stop after so many seconds.")
@click.option("--config", type=_FILE, help="Refuse a port that a running studio of this configuration uses.")
@click.option("--json", "as_json", is_flag=True, help="Say what came of it as one JSON object.")
def record(  # noqa: PLR0913 - one parameter an option
    url: str, file: Path, driver: str, baud: int | None, for_s: float | None, config: Path | None, as_json: bool
) -> None:
    """Record what a line says into FILE, until stopped. For a closed table: a shoe's bytes are its cards."""
    if config is not None:
        _refuse_in_use(url, config)
    try:
        sink = os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8")
    except FileExistsError:
        raise click.ClickException(f"{file} is there already; name another file.") from None
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from None
    click.echo(CLOSED_ONLY, err=True)
    with sink:
        written, reason = _record(url, driver, baud, for_s, sink)
    if not written and reason:
        file.unlink()
        raise click.ClickException(reason)
    if as_json:
        say_json({"file": str(file), "bytes": written, "ended": reason})
    else:
        click.echo(f"{written} bytes recorded in {file}. {reason}".rstrip())


def _record(url: str, driver: str, baud: int | None, for_s: float | None, sink: Any) -> tuple[int, str]:
    """How many bytes were written, and why it ended by itself; a link that is lost ends it."""
    sealer = Sealer(secrets.token_bytes)
    try:
        built = build_driver(driver, DriverSpec(driver, sealer, baud))
    except BadInputError as error:
        raise click.BadParameter(error.sentence, param_hint="--driver") from None
    start_ms = wall_ms()
    speed = baud or built.settings.baud
    recorder = Recorder(sink, driver, device=driver, baud=speed, now_ms=start_ms)
    line = Supervisor(driver, url, open_link=open_link, driver=built, sealer=sealer, listen=recorder.take)
    with until_stopped() as stopped:
        try:
            while not stopped.is_set() and (for_s is None or wall_ms() - start_ms < 1000 * for_s):
                seen = line.step(wall_ms())
                sink.flush()
                if recorder.full:
                    return recorder.bytes, FULL
                for one in seen:
                    if isinstance(one, LinkDown):
                        return recorder.bytes, one.reason
        finally:
            line.close()
    return recorder.bytes, ""


def _refuse_in_use(url: str, config: Path) -> None:
    """A studio that runs holds its lock; the device servers it talks to do not tell."""
    device = next((one for one in _configured(config) if one.url == url), None)
    lock = _lock_of(config)
    if device is None or not lock.exists():
        return
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            sentence = f"A studio that is running uses {url} as {device.id}; stop it first, or record from its console."
            raise click.ClickException(sentence) from None


def _lock_of(config: Path) -> Path:
    section = read_config(config).get("studio", {})
    database = Path(str(section.get("database", "studio.db")) if isinstance(section, dict) else "studio.db")
    return database.with_name(f"{database.name}.lock")


@click.command("replay")
@click.argument("file", type=_FILE)
@click.option("--driver", default="", help="Another driver than the file names.")
@click.option("--hide", is_flag=True, help="Name no card: only what kind of report each was.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def replay(file: Path, driver: str, hide: bool, as_json: bool) -> None:
    """Read a recorded line through its driver, at once. `monitor capture://FILE` plays it at its own pace."""
    try:
        capture = load_capture(file)
        built = driver_for(capture, Sealer(secrets.token_bytes), driver)
    except BadInputError as error:
        raise click.ClickException(str(error)) from None
    for seen in observations(capture, built):
        if as_json:
            say_json({"observation": type(seen).__name__, "at_ms": seen.at_ms} if hide else told(seen))
        else:
            click.echo(f"{(seen.at_ms - capture.started_ms) / 1000:10.3f}  {in_words(seen, faces=not hide)}")


@click.command()
@click.argument("url")
@click.option("--driver", required=True, help=f"One of {', '.join(entry.name for entry in DRIVERS)}.")
@click.option("--baud", type=click.IntRange(50, 4_000_000), help="The speed of the line, if not the protocol's own.")
@click.option("--raw", is_flag=True, help="Also show the bytes of the line.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def monitor(url: str, driver: str, baud: int | None, raw: bool, as_json: bool) -> None:
    """Show what a device says, as it comes. URL: a device path, socket://host:port, tls://…, capture://FILE."""
    sealer = Sealer(secrets.token_bytes)
    try:
        built = build_driver(driver, DriverSpec(driver, sealer, baud))
    except BadInputError as error:
        raise click.BadParameter(error.sentence, param_hint="--driver") from None
    supervisor = Supervisor(driver, url, open_link=open_line, driver=built, sealer=sealer)
    with until_stopped() as stopped:
        try:
            while not stopped.is_set():
                for seen in supervisor.step(wall_ms()):
                    if not raw and isinstance(seen, LineBytes | LineIdled):
                        continue
                    if as_json:
                        say_json(told(seen))
                    else:
                        click.echo(_as_text(seen))
        finally:
            supervisor.close()


def _as_text(seen: Observation) -> str:
    at = str(told(seen)["at"])[11:23]
    name, _, said = in_words(seen, faces=True).partition("  ")
    return f"{at}  {name:<18} {said}"
