"""What is plugged into this machine: serial ports and cameras, under the names that last.

A port's `/dev/ttyUSB0` is whatever came first; its name under `by-id` carries the adaptor's serial number and stays.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from studio.errors import BadInputError

ROOT: Final = Path("/")
_UPWARDS: Final = 6
"""An adaptor's name and number stand so many folders above its port, at most."""


@dataclass(frozen=True, slots=True)
class Port:
    """One serial port (`kind` serial) or capture device (`kind` camera), and which configured devices use it."""

    kind: str
    path: str
    by_id: tuple[str, ...] = ()
    adaptor: str = ""
    serial: str = ""
    used_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConfiguredDevice:
    """A device of a configuration file. `table` is where it stands, empty when nowhere."""

    id: str
    driver: str
    url: str
    table: str = ""


def ports(devices: Sequence[ConfiguredDevice] = (), root: Path = ROOT) -> tuple[Port, ...]:
    """Everything plugged in, serial ports before cameras."""
    serial = (_port("serial", root, folder, "dev/serial/by-id", devices) for folder in _serial_folders(root))
    cameras = (_port("camera", root, folder, "dev/v4l/by-id", devices) for folder in _camera_folders(root))
    return (*serial, *cameras)


def absent(devices: Sequence[ConfiguredDevice], root: Path = ROOT) -> tuple[ConfiguredDevice, ...]:
    """The configured devices whose port is not there now; those reached over a network are not looked for."""
    return tuple(one for one in devices if "://" not in one.url and not _fits(one.url, root))


def configured(path: Path) -> tuple[ConfiguredDevice, ...]:
    """The devices a configuration names; `BadInputError` when it cannot be read. `studio serve` checks it whole."""
    plain = read_config(path)
    tables = {
        str(table.get(role)): str(table.get("key", ""))
        for table in _blocks(plain, "tables")
        for role in ("shoe", "shuffler", "camera")
    }
    return tuple(
        ConfiguredDevice(
            str(block.get("id", "")), str(block.get("driver", "")), str(block.get("url", "")),
            tables.get(str(block.get("id", "")), ""),
        )
        for block in _blocks(plain, "devices")
    )  # fmt: skip


def read_config(path: Path) -> dict[str, Any]:
    """A configuration file as it stands there, unchecked."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInputError(f"The configuration cannot be read: {error.strerror}.", where=str(path)) from error
    except (ValueError, RecursionError) as error:  # what is no TOML, no text, or a number of too many digits
        raise BadInputError(f"The configuration is not valid TOML: {error}.", where=str(path)) from error


def _blocks(plain: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = plain.get(name, [])
    return [block for block in found if isinstance(block, dict)] if isinstance(found, list) else []


def _serial_folders(root: Path) -> Iterator[Path]:
    """Ports with something behind them: the console's terminals have none, and boards name sockets they lack."""
    for folder in sorted((root / "sys/class/tty").glob("tty*")):
        if (folder / "device").exists() and _word(folder / "type") != "0":
            yield folder


def _camera_folders(root: Path) -> Iterator[Path]:
    """Each camera once: its second node carries no picture."""
    for folder in sorted((root / "sys/class/video4linux").glob("video*")):
        if _word(folder / "index") in ("", "0"):
            yield folder


def _port(kind: str, root: Path, folder: Path, by_id: str, devices: Sequence[ConfiguredDevice]) -> Port:
    node = root / "dev" / folder.name
    names = sorted(link for link in (root / by_id).glob("*") if link.resolve() == node.resolve())
    told = [_word(folder / "name")] if kind == "camera" else []
    told += [_above(folder / "device", name) for name in ("manufacturer", "product")]
    path = f"/dev/{folder.name}"
    return Port(
        kind=kind,
        path=path,
        by_id=tuple("/" + str(name.relative_to(root)) for name in names),
        adaptor=" ".join(dict.fromkeys(word for word in told if word)),
        serial=_above(folder / "device", "serial"),
        used_by=tuple(one.id for one in devices if _names(one, kind, node, root)),
    )


def _names(device: ConfiguredDevice, kind: str, node: Path, root: Path) -> bool:
    if (device.driver == "camera") != (kind == "camera"):
        return False
    if kind == "camera" and device.url.isdigit():
        return node.name == f"video{device.url}"
    return node.resolve() in _fits(device.url, root)


def _fits(url: str, root: Path) -> tuple[Path, ...]:
    """What a path or a pattern of the configuration leads to."""
    if url.isdigit():
        url = f"/dev/video{url}"
    if not url.startswith("/"):
        return ()
    try:
        return tuple(path.resolve() for path in root.glob(url.lstrip("/")))
    except (ValueError, IndexError, NotImplementedError):  # what names no file, as "/" or "/dev/**x"
        return ()


def _above(folder: Path, name: str) -> str:
    """The word in the nearest file of that name, in this folder or a few above it; empty when there is none."""
    here = folder.resolve()
    for _ in range(_UPWARDS):
        if word := _word(here / name):
            return word
        here = here.parent
    return ""


def _word(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
