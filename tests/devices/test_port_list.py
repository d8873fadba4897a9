"""What is plugged in, as the system's own folders tell it, and which configured device uses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from devices.technician.port_list import ConfiguredDevice, absent, configured, ports
from studio.errors import BadInputError

BY_ID = "usb-FTDI_FT232R_USB_UART_A9007UX1-if00-port0"
CONFIG = """
[[devices]]
id = "shoe-1"
driver = "angel_eye"
url = "/dev/serial/by-id/*A9007UX1*"
[[devices]]
id = "machine-1"
driver = "generic"
url = "/dev/ttyUSB7"
[[devices]]
id = "camera-1"
driver = "camera"
url = "0"
[[devices]]
id = "far"
driver = "generic"
url = "socket://shuffler:4001"
[[tables]]
key = "t1"
shoe = "shoe-1"
"""


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine with an FTDI adaptor, a socket of its board that has no chip, and one camera with two nodes."""
    root = tmp_path / "root"
    usb = root / "sys/devices/usb1/1-2"
    (usb / "1-2:1.0/ttyUSB0").mkdir(parents=True)
    for name, word in (("manufacturer", "FTDI"), ("product", "FT232R USB UART"), ("serial", "A9007UX1")):
        (usb / name).write_text(word + "\n")
    for name, kind in (("ttyUSB0", ""), ("ttyS0", "0"), ("tty1", "")):
        folder = root / "sys/class/tty" / name
        folder.mkdir(parents=True)
        if kind:
            (folder / "type").write_text(kind)
    (root / "sys/class/tty/ttyUSB0/device").symlink_to("../../../devices/usb1/1-2/1-2:1.0/ttyUSB0")
    (root / "sys/class/tty/ttyS0/device").symlink_to("../../../devices/usb1")
    for index in (0, 1):
        folder = root / f"sys/class/video4linux/video{index}"
        folder.mkdir(parents=True)
        (folder / "name").write_text("Studio Cam\n")
        (folder / "index").write_text(f"{index}\n")
    (root / "dev/serial/by-id").mkdir(parents=True)
    for name in ("ttyUSB0", "video0", "video1"):
        (root / "dev" / name).touch()
    (root / "dev/serial/by-id" / BY_ID).symlink_to("../../ttyUSB0")
    return root


@pytest.fixture
def devices(tmp_path: Path) -> tuple[ConfiguredDevice, ...]:
    (tmp_path / "studio.toml").write_text(CONFIG)
    return configured(tmp_path / "studio.toml")


def test_a_port_is_told_with_its_lasting_name_and_its_adaptors_number(machine: Path) -> None:
    serial = ports(root=machine)[0]
    assert (serial.path, serial.by_id) == ("/dev/ttyUSB0", (f"/dev/serial/by-id/{BY_ID}",))
    assert (serial.adaptor, serial.serial) == ("FTDI FT232R USB UART", "A9007UX1")


def test_a_port_without_a_chip_and_a_cameras_second_node_are_no_devices(machine: Path) -> None:
    assert [(port.kind, port.path) for port in ports(root=machine)] == [
        ("serial", "/dev/ttyUSB0"),
        ("camera", "/dev/video0"),
    ]


def test_each_port_says_which_device_uses_it(machine: Path, devices: tuple[ConfiguredDevice, ...]) -> None:
    assert [port.used_by for port in ports(devices, machine)] == [("shoe-1",), ("camera-1",)]
    assert devices[0].table == "t1"


def test_a_device_whose_port_is_not_there_is_named(machine: Path, devices: tuple[ConfiguredDevice, ...]) -> None:
    assert [one.id for one in absent(devices, machine)] == ["machine-1"]


@pytest.mark.parametrize("url", ["/", "//", "/dev/**x", "/dev/[", "/dev/tty*?["])
def test_an_address_that_names_no_file_is_a_device_that_is_not_there(machine: Path, url: str) -> None:
    device = ConfiguredDevice("odd", "angel_eye", url)
    assert absent([device], machine) == (device,)
    assert all(not port.used_by for port in ports([device], machine))


def test_a_configuration_that_begins_with_a_mark_of_its_byte_order_is_read(tmp_path: Path) -> None:
    """As `studio serve` reads it."""
    path = tmp_path / "studio.toml"
    path.write_bytes(b"\xef\xbb\xbf" + CONFIG.replace("\n", "\r\n").encode())
    assert [one.id for one in configured(path)] == ["shoe-1", "machine-1", "camera-1", "far"]


def test_a_machine_with_nothing_plugged_in_has_no_ports(tmp_path: Path) -> None:
    assert ports(root=tmp_path) == ()


@pytest.mark.parametrize("text", ["[[devices]", "\xff"], ids=["not TOML", "not text"])
def test_a_configuration_that_cannot_be_read_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(BadInputError, match="not valid TOML"):
        configured(tmp_path / "bad.toml")
    with pytest.raises(BadInputError, match="cannot be read"):
        configured(tmp_path / "none.toml")
