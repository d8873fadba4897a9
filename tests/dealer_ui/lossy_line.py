"""Two networks joined by a line that is slow and loses packets, for whoever lets two processes speak over it.

The kernel's own `netem` is not on every machine, so a program stands between: a device of packets (tun) in each of the
two network namespaces, and every packet that is read of the one is written to the other some milliseconds later, or
not at all. What a loss then costs is the kernel's own TCP's to say.

    this namespace                              namespace of its own
    process ── tun ══ [ wait, or lose it ] ══ tun ── engine
"""

from __future__ import annotations

import fcntl
import heapq
import itertools
import os
import random
import select
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

_SET_IFF: Final = 0x400454CA
_TUN_WITHOUT_HEADER: Final = 0x1000 | 0x0001
_LONGEST: Final = 65_536
_SEED: Final = 16
DEVICE: Final = Path("/dev/net/tun")


def why_not() -> str:
    """In a sentence, why there can be no such line on this machine; empty where there can."""
    if shutil.which("ip") is None:
        return "The program ip is not installed: run 'make setup' as root, or 'apt-get install iproute2'."
    if os.geteuid() != 0 or not DEVICE.exists():
        return "A network namespace and a device of packets (/dev/net/tun) are root's to make: run this as root."
    made = subprocess.run(["unshare", "--net", "ip", "link"], check=False, capture_output=True)
    return "" if made.returncode == 0 else "This machine lets nobody make a network namespace of his own."


class LossyLine:
    """`there` is the address of the far namespace, `here` that of this one."""

    def __init__(self, number: int, delay_ms: float, lost_of_100: float) -> None:
        self.here, self.there = f"198.18.{number}.1", f"198.18.{number}.2"
        self._name = f"lossy{number}"
        self._near = _tun(self._name)
        _ip(f"addr add {self.here}/24 dev {self._name}")
        _ip(f"link set {self._name} up mtu 1400")
        told = [str(self._near), self.there, str(delay_ms), str(lost_of_100)]
        self._between = subprocess.Popen(
            ["unshare", "--net", sys.executable, __file__, *told], pass_fds=[self._near], stdout=subprocess.PIPE
        )
        assert self._between.stdout is not None
        assert self._between.stdout.readline() == b"open\n"

    def beyond(self, command: list[str]) -> list[str]:
        """The command, run in the far namespace."""
        return ["nsenter", f"--net=/proc/{self._between.pid}/ns/net", *command]

    def close(self) -> None:
        self._between.kill()
        self._between.wait()
        assert self._between.stdout is not None
        self._between.stdout.close()
        os.close(self._near)


def _tun(name: str) -> int:
    """A device of packets of that name in the namespace of whoever asks; gone when it is closed."""
    opened = os.open(DEVICE, os.O_RDWR)
    fcntl.ioctl(opened, _SET_IFF, struct.pack("16sH", name.encode(), _TUN_WITHOUT_HEADER))
    return opened


def _ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True)


def _carry(near: int, far: int, delay_s: float, lost: float) -> None:
    """Each packet to the other side, later or never; nothing overtakes another."""
    chance, order = random.Random(_SEED), itertools.count()
    waiting: list[tuple[float, int, int, bytes]] = []
    other = {near: far, far: near}
    while True:
        wait_s = max(waiting[0][0] - time.monotonic(), 0.0) if waiting else None
        for side in select.select([near, far], [], [], wait_s)[0]:
            packet = os.read(side, _LONGEST)
            if chance.random() >= lost:
                heapq.heappush(waiting, (time.monotonic() + delay_s, next(order), other[side], packet))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, side, packet = heapq.heappop(waiting)
            os.write(side, packet)


def _stand_between(near: str, there: str, delay_ms: str, lost_of_100: str) -> None:
    far = _tun("far")
    for words in (f"addr add {there}/24 dev far", "link set far up mtu 1400", "link set lo up"):
        _ip(words)
    print("open", flush=True)
    _carry(int(near), far, float(delay_ms) / 1_000, float(lost_of_100) / 100)


if __name__ == "__main__":
    _stand_between(*sys.argv[1:])
