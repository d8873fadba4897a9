"""What is plugged in at an address: the adaptor's own number, its socket, the machine's port, or nobody knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from devices.plug import plug_at
from studio.ports import NO_PLUG


@pytest.fixture
def sys(tmp_path: Path) -> Path:
    """A machine with three USB adaptors and one port of its own."""
    _usb(tmp_path, "ttyUSB0", "1-2", serial="A50285BI", maker=("0403", "6001"))
    _usb(tmp_path, "ttyUSB1", "1-3.1", serial="", maker=("1a86", "7523"))
    _usb(tmp_path, "video0", "2-1", serial="C920", maker=("046d", "082d"), kind="video4linux", ported=False)
    own = tmp_path / "devices/pnp0"
    own.mkdir(parents=True)
    _linked(tmp_path, "tty", "ttyS0", own)
    return tmp_path


def _usb(
    root: Path, name: str, socket: str, *, serial: str, maker: tuple[str, str], kind: str = "tty", ported: bool = True
) -> None:
    usb = root / "devices" / socket
    line = usb / f"{socket}:1.0"
    device = line / name if ported else line
    device.mkdir(parents=True)
    for file, text in (("idVendor", maker[0]), ("idProduct", maker[1]), ("serial", serial)):
        if text:
            (usb / file).write_text(f"{text}\n")
    if ported:
        (device / "port_number").write_text("0\n")
    _linked(root, kind, name, device)


def _linked(root: Path, kind: str, name: str, device: Path) -> None:
    (root / kind / name).mkdir(parents=True)
    (root / kind / name / "device").symlink_to(device)


@pytest.mark.parametrize(
    ("url", "plug"),
    [
        ("/dev/ttyUSB0", "usb 0403:6001 A50285BI line 0"),
        ("/dev/ttyUSB1", "usb 1a86:7523 in 1-3.1 line 0"),
        ("/dev/ttyS0", "port ttyS0"),
        ("/dev/video0", "usb 046d:082d C920 line 0"),
        ("0", "usb 046d:082d C920 line 0"),
        ("/dev/ttyUSB7", NO_PLUG),
        ("/dev/serial/by-id/usb-FTDI_FT232R_A50285BI-if00-port0", "by name usb-FTDI_FT232R_A50285BI-if00-port0"),
        ("/dev/pts/3", ""),
        ("socket://10.0.0.7:4001", ""),
        ("sim://shoe", ""),
        ("http://camera/stream", ""),
        ("", ""),
    ],
)
def test_what_the_machine_says_is_plugged_in_there(sys: Path, url: str, plug: str) -> None:
    assert plug_at(url, sys) == plug


def test_an_adaptor_with_a_number_is_the_same_in_any_socket(sys: Path, tmp_path: Path) -> None:
    _usb(tmp_path / "later", "ttyUSB5", "1-4", serial="A50285BI", maker=("0403", "6001"))
    assert plug_at("/dev/ttyUSB5", tmp_path / "later") == plug_at("/dev/ttyUSB0", sys)
