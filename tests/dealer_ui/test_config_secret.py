"""Secrets that a configuration names: from a file, from the environment, and never in the configuration itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError
from test_config_file import DRIVERS, GOOD

from dealer_ui.config.file import DeviceSection, StudioConfig, load_config
from dealer_ui.config.secret import trust_beside, with_secret
from studio.errors import BadInputError

CAMERA = 'driver = "camera"\nurl = "http://10.0.0.9/video.mjpg"'
PASSWORD = "p@ss/wörd 5150"


def written(folder: Path, secret: str = "", url: str = "http://10.0.0.9/video.mjpg") -> Path:
    """A good configuration with such a camera besides."""
    path = folder / "studio.toml"
    key = f'secret = "{secret}"\n' if secret else ""
    path.write_text(f'{GOOD}\n[[devices]]\nid = "eye-9"\ndriver = "camera"\nurl = "{url}"\n{key}')
    return path


def secret_of(config: StudioConfig) -> str:
    return config.device("eye-9").secret


def test_the_file_of_a_cameras_secret_lies_beside_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "eye.secret").write_text(f"studio:{PASSWORD}\n")
    (tmp_path / "eye.secret").chmod(0o600)
    config = load_config(written(tmp_path, "file:eye.secret"), DRIVERS)
    assert secret_of(config) == f"file:{tmp_path / 'eye.secret'}"
    address = with_secret(config.device("eye-9").url, secret_of(config))
    assert address == "http://studio:p%40ss%2Fw%C3%B6rd%205150@10.0.0.9/video.mjpg"
    assert PASSWORD not in repr(config)


def test_it_comes_from_the_environment_too(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, "env:EYE"), DRIVERS)
    assert with_secret("rtsp://eye/video", secret_of(config), {"EYE": "studio:x"}) == "rtsp://studio:x@eye/video"
    assert with_secret("rtsp://eye/video", "") == "rtsp://eye/video"


def test_a_device_by_tls_says_by_what_it_is_known_and_its_files_lie_beside_the_configuration(tmp_path: Path) -> None:
    url = "tls://10.0.0.7:4001#ca=ca.pem&certificate=own.pem&key=own.key"
    device = DeviceSection(id="shoe-7", driver="angel_eye", url=url)
    assert trust_beside(device.url, tmp_path) == (
        f"tls://10.0.0.7:4001#ca={tmp_path}/ca.pem&certificate={tmp_path}/own.pem&key={tmp_path}/own.key"
    )
    for bare in (
        "tls://10.0.0.7:4001", "tls://10.0.0.7:4001#name=shoe-7", "https://10.0.0.9/video.mjpg",
        "HTTPS://10.0.0.9/video.mjpg", "Tls://10.0.0.7:4001",
    ):  # fmt: skip
        with pytest.raises(ValidationError, match="by what the device is known"):
            DeviceSection(id="shoe-7", driver="angel_eye", url=bare)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (f"ca=ca.pem&sha256={'0' * 64}", "by what the device is known"),
        ("sha256=4f1c", "has 64 hexadecimal digits"),
        ("ca=ca.pem&key=own.key", "belong together"),
        ("ca=ca.pem&verify=no", "knows no verify"),
    ],
)
def test_an_address_by_tls_that_no_link_would_take_is_no_configuration(said: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=why) as refused:
        load_config(written(tmp_path, url=f"https://10.0.0.9/video.mjpg#{said}"), DRIVERS)
    assert "studio.toml" in str(refused.value)


@pytest.mark.parametrize(
    ("secret", "url", "why"),
    [
        ("", "rtsp://studio:secret@10.0.0.9/video", "a password stands in the address, and a configuration holds none"),
        ("eye.secret", "rtsp://10.0.0.9/video", "write file:NAME or env:NAME"),
        (
            "file:eye.secret",
            "rtsp://studio@10.0.0.9/video",
            "a secret is for a camera at an address that names no user",
        ),
        ("file:eye.secret", "/dev/video0", "a secret is for a camera at an address that names no user"),
    ],
    ids=["in the address", "no place", "a user in the address", "no address"],
)
def test_a_camera_that_cannot_be_is_refused_without_a_word_of_its_secret(
    tmp_path: Path, secret: str, url: str, why: str
) -> None:
    with pytest.raises(BadInputError, match=why) as caught:
        load_config(written(tmp_path, secret, url), DRIVERS)
    assert "studio:secret" not in str(caught.value)


@pytest.mark.parametrize(
    "section",
    [
        '[care]\nwitness_url = "https://studio:secret@witness.example/north"\n',
        '[cluster]\nnats = ["nats://127.0.0.1:4222"]\nhost = "a"\ndesk = "a"\nshared = "s"\n'
        'postgres = "postgresql://studio:secret@db/floor"\n',
        '[cluster]\nnats = ["nats://127.0.0.1:4222"]\nhost = "a"\ndesk = "a"\nshared = "s"\n'
        'postgres = "postgresql://studio@db/floor?password=secret"\n',
        '[operators.east.wallet]\ndialect = "hmac"\nkey_file = "k"\naddress = "https://studio:secret@east.example/w"\n',
        '[operators.east]\nwebhook = { address = "https://studio:secret@east.example/rounds" }\n',
    ],
    ids=["witness", "database", "database, at its end", "wallet", "webhook"],
)
def test_no_other_address_holds_a_password_either(tmp_path: Path, section: str) -> None:
    path = written(tmp_path)
    path.write_text(f"{path.read_text()}\n{section}")
    with pytest.raises(BadInputError, match="a password stands in the address") as caught:
        load_config(path, DRIVERS)
    assert "secret@" not in str(caught.value)
    assert "=secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "mode", "why"),
    [
        (None, 0o600, "cannot be read: No such file"),
        (b"studio:x", 0o644, r"can be read by others \(644\): chmod 600"),
        (b"studio", 0o600, "is one line, user:password"),
        (b"studio:\xff", 0o600, "is one line, user:password"),
        (b"", 0o600, "is one line, user:password"),
    ],
    ids=["gone", "open to others", "no password", "no text", "empty"],
)
def test_a_secret_that_is_no_good_is_said_and_not_shown(
    tmp_path: Path, text: bytes | None, mode: int, why: str
) -> None:
    if text is not None:
        (tmp_path / "eye").write_bytes(text)
        (tmp_path / "eye").chmod(mode)
    with pytest.raises(BadInputError, match=why) as caught:
        with_secret("rtsp://eye/video", f"file:{tmp_path / 'eye'}")
    assert "studio:x" not in str(caught.value)


def test_a_name_that_the_environment_does_not_have_is_said() -> None:
    with pytest.raises(BadInputError, match="the environment has no such name"):
        with_secret("rtsp://eye/video", "env:NONE", {})
