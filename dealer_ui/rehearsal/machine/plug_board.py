"""What is plugged in where at a simulated table: adaptors with their numbers, and port names.

Each device hangs on an adaptor of its own. The studio finds it by the adaptor's number, as it does with a
`/dev/serial/by-id` pattern, so a device may come back under another name; and somebody may put another machine, with
another adaptor, in its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from devices.link import LineSettings, Link, LinkLostError, open_link
from devices.wire import PatchBay, Wire

SPARE: Final = "spare"


class PlugBoard:
    """The ports of the simulated table `key`. `device` is always the table's own name for it."""

    def __init__(self, key: str, devices: Iterable[str], read_timeout_s: float) -> None:
        self.bay = PatchBay()
        self._key = key
        self._read_timeout_s = read_timeout_s
        self._own = {device: Wire() for device in devices}
        self._port: dict[str, str] = {}
        self._adaptor: dict[str, str] = {}
        self._renamed = 0
        for device, wire in self._own.items():
            self._plug(device, wire, device, device)

    def own(self, device: str) -> Wire:
        """The wire of the table's own device, wherever it is plugged in."""
        return self._own[device]

    def rename(self, device: str) -> None:
        """Plug the device in at another port, so that the machine gives it another name."""
        self._renamed += 1
        self._plug(device, self._bay_wire(device), self._adaptor[device], f"ttySIM{self._renamed}")

    def put_instead(self, device: str) -> Wire:
        """Another machine is put in its place; gives the wire of that one."""
        self._bay_wire(device).unplug()
        wire = Wire()
        self._plug(device, wire, f"{SPARE} {device}", f"{SPARE}-{device}")
        return wire

    def put_back(self, device: str) -> None:
        """The table's own device is plugged in again, where another stood."""
        self._bay_wire(device).unplug()
        self._own[device].plug()
        self._plug(device, self._own[device], device, device)

    def others(self, device: str) -> frozenset[str]:
        """`other` while another machine stands in the place of the table's own."""
        return frozenset() if self._adaptor[device] == device else frozenset({"other"})

    # --- the studio's side ----------------------------------------------------------------------------

    def open(self, url: str, settings: LineSettings) -> Link:
        """Open what stands for this device now, by whatever name it goes."""
        device = _device(url)
        if device not in self._port:
            raise LinkLostError(f"The link {url} cannot be opened: no such device is on the plug board.")
        return open_link(f"sim://{self._port[device]}", settings, bay=self.bay, read_timeout_s=self._read_timeout_s)

    def plug_at(self, url: str) -> str:
        """The adaptor of what stands for this device now."""
        return f"usb simulated {self._adaptor[_device(url)]} line 0"

    # --- how ------------------------------------------------------------------------------------------

    def _plug(self, device: str, wire: Wire, adaptor: str, port: str) -> None:
        self._port[device], self._adaptor[device] = f"{self._key}/{port}", adaptor
        self.bay.plug(self._port[device], wire)

    def _bay_wire(self, device: str) -> Wire:
        wire = self.bay.wire(self._port[device])
        assert wire is not None
        return wire


def _device(url: str) -> str:
    return url.rpartition("/")[2]
