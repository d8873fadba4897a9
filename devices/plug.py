"""What this machine says is plugged in at an address: an adaptor's own number, or its socket.

For a line that tells no serial number, this proves that the same device came back. An address that is no hardware, or
says by itself what it is, has no plug: then only the address can be compared.

| at | is told by |
|---|---|
| a USB adaptor or camera with a number | maker, number and line, in any socket: `usb 0403:6001 A50285BI line 0` |
| one without | maker and socket: `usb 1a86:7523 in 1-2.3 line 0` |
| a port of the machine | its name: `port ttyS0` |
| a device server, a stream, a simulator | nothing: the address says it |
"""

from __future__ import annotations

import glob
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from studio.ports import NO_PLUG

PlugAt = Callable[[str], str]
"""What is plugged in at a link's address, now."""

SYS: Final = Path("/sys/class")
_CLASSES: Final = ("tty", "video4linux")
_BY_NAME: Final = re.compile(r"/dev/(?:serial|v4l)/by-(?:id|path)/")
_LINE: Final = re.compile(r":\d+\.(\d+)$")


def plug_at(url: str, sys: Path = SYS) -> str:
    """What is plugged in there; empty where the address says it, `NO_PLUG` where nobody can tell."""
    url = f"/dev/video{url}" if url.isdigit() else url
    if not url.startswith("/dev/"):
        return ""
    found = glob.glob(url) or [url]
    path = Path(found[0]).resolve()
    if path.parts[:3] == ("/", "dev", "pts"):
        return ""
    for kind in _CLASSES:
        device = sys / kind / path.name / "device"
        if device.exists():
            return _of_device(device.resolve(), path.name)
    return f"by name {Path(found[0]).name}" if _BY_NAME.match(found[0]) else NO_PLUG


def _of_device(device: Path, name: str) -> str:
    usb = next((one for one in (device, *device.parents) if (one / "idVendor").is_file()), None)
    if usb is None:
        return f"port {name}"
    maker = f"usb {_read(usb / 'idVendor')}:{_read(usb / 'idProduct')}"
    number = _read(usb / "serial")
    lines = (match[1] for part in reversed(device.parts) if (match := _LINE.search(part)))
    line = _read(device / "port_number") or next(lines, "0")
    return f"{maker} {number or f'in {usb.name}'} line {line}"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
