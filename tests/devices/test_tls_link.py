"""A device reached by TLS: who is spoken to and who is not, each with its sentence, over the simulated port."""

from __future__ import annotations

import hashlib
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_certificate import certify
from patience import PATIENCE_S, wait_until
from test_tcp_port import Line, drawn, supervisor_at

from devices import link as link_module
from devices.camera.picture.frame import Gone, PackedPicture
from devices.camera.source.live import StreamSource
from devices.link import LineSettings, LinkLostError, open_link
from devices.sim.picture.mjpeg import MjpegServer
from devices.sim.wire.tcp import TcpPort
from devices.wire import Wire
from studio.cards import parse_cards
from studio.ports import LinkDown, LinkUp

SHOE = "shoe-7"


def served(folder: Path, asks: Path | None = None) -> ssl.SSLContext:
    """What the device server in that folder shows; `asks`: by which it knows whoever calls."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "fullchain.pem", folder / "key.pem")
    if asks is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(asks / "fullchain.pem")
    return context


def digest_of(folder: Path) -> str:
    shown = ssl.PEM_cert_to_DER_cert((folder / "fullchain.pem").read_text())
    return hashlib.sha256(shown).hexdigest()


@contextmanager
def pumped(port: TcpPort) -> Iterator[TcpPort]:
    """The device's port, carried on by a thread of its own: a handshake is said by both."""
    over = threading.Event()

    def carry() -> None:
        while not over.is_set():
            port.pump(0.002)

    thread = threading.Thread(target=carry)
    thread.start()
    try:
        yield port
    finally:
        over.set()
        thread.join(PATIENCE_S)
        port.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of the device server: its certificate and key."""
    certify(tmp_path, name=SHOE)
    return tmp_path


def refused(url: str) -> str:
    with pytest.raises(LinkLostError) as lost:
        open_link(url, LineSettings())
    assert lost.value.sentence.endswith(".")
    return lost.value.sentence


@pytest.mark.parametrize("by", ["ca", "sha256", "sha256 as openssl writes it"])
def test_bytes_go_both_ways_once_the_device_is_known(by: str, folder: Path) -> None:
    wire = Wire()
    digest = digest_of(folder)
    asked = {
        "ca": f"ca={folder}/fullchain.pem&name={SHOE}",
        "sha256": f"sha256={digest}",
        "sha256 as openssl writes it": "sha256=" + ":".join(digest.upper()[at : at + 2] for at in range(0, 64, 2)),
    }[by]
    with (
        pumped(TcpPort(wire, tls=served(folder))) as port,
        closing(open_link(f"{port.url}#{asked}", LineSettings())) as link,
    ):
        link.write(b"lock" * 5_000)
        took = bytearray()
        wait_until(lambda: took.extend(wire.machine_read()) or len(took) == 20_000)
        wire.machine_write(b"card")
        found = bytearray()
        wait_until(lambda: found.extend(link.read(100)) or found == b"card")


def test_what_is_unsealed_already_is_not_waited_for(folder: Path) -> None:
    wire = Wire()
    with (
        pumped(TcpPort(wire, tls=served(folder))) as port,
        closing(open_link(f"{port.url}#sha256={digest_of(folder)}", LineSettings())) as link,
    ):
        wire.machine_write(b"card")
        found = bytearray()
        wait_until(lambda: found.extend(link.read(1)) or found == b"c")
        wait = threading.Thread(target=link.wait, args=(20 * PATIENCE_S,), daemon=True)
        wait.start()
        wait.join(PATIENCE_S)
        assert not wait.is_alive()
        assert link.read(100) == b"ard"


@dataclass
class Elsewhere:
    """A port that somebody else pumps."""

    url: str

    def pump(self, wait_s: float) -> None: ...


def test_a_supervisor_deals_on_over_a_line_that_was_cut(folder: Path) -> None:
    wire = Wire()
    with pumped(TcpPort(wire, tls=served(folder))) as port:
        there: Any = Elsewhere(f"{port.url}#sha256={digest_of(folder)}")
        line, host = Line(wire, there), supervisor_at(there)
        line.shoe.load(parse_cards("2h 6c"))
        up = line.seen(host, LinkUp)
        assert drawn(line, host) == "2h"
        wire.unplug()
        line.seen(host, LinkDown)
        wire.plug()
        line.seen(host, LinkUp)
        assert drawn(line, host) == "6c"
        host.close()
    assert isinstance(up, LinkUp)


@pytest.mark.parametrize(
    ("since", "until", "asked", "said"),
    [
        (2020, 2021, f"ca={{folder}}/fullchain.pem&name={SHOE}", "Its certificate is over"),
        (2110, 2120, f"ca={{folder}}/fullchain.pem&name={SHOE}", "is not good yet"),
        (2020, 2120, "ca={folder}/fullchain.pem", "Its certificate is for another name"),
        (2020, 2120, "ca={folder}/fullchain.pem&name=shoe-8", "Its certificate is for another name"),
        (2020, 2120, f"ca={{other}}/fullchain.pem&name={SHOE}", "was issued by nobody in "),
        (2020, 2120, f"sha256={'0' * 64}", "It shows another certificate than the one that is named: {digest}."),
    ],
    ids=["expired", "not yet", "the host's own name", "another name", "another authority", "another than the pinned"],
)
def test_a_device_that_is_not_known_is_not_spoken_to(
    since: int, until: int, asked: str, said: str, tmp_path: Path
) -> None:
    folder, other = tmp_path / "own", tmp_path / "other"
    for one in (folder, other):
        one.mkdir()
    certify(folder, name=SHOE, since=since, until=until)
    certify(other, name="somebody.else")
    wire = Wire()
    with pumped(TcpPort(wire, tls=served(folder))) as port:
        told = refused(f"{port.url}#{asked.format(folder=folder, other=other)}")
        assert told.startswith(f"The device server at {port.url} is not spoken to. ")
        assert said.format(digest=digest_of(folder)) in told
        assert wire.machine_read() == b""


def test_a_device_that_asks_who_calls_is_shown_the_studios_own_certificate(folder: Path, tmp_path: Path) -> None:
    own = tmp_path / "studio"
    own.mkdir()
    certify(own)
    wire = Wire()
    with pumped(TcpPort(wire, tls=served(folder, asks=own))) as port:
        url = f"{port.url}#sha256={digest_of(folder)}"
        with (
            closing(open_link(url, LineSettings(), read_timeout_s=PATIENCE_S)) as link,
            pytest.raises(LinkLostError, match="it may want a certificate of ours"),
        ):
            wait_until(lambda: link.read(10))
        url += f"&certificate={own}/fullchain.pem&key={own}/key.pem"
        with closing(open_link(url, LineSettings())) as link:
            link.write(b"lock")
            wait_until(lambda: wire.machine_read() == b"lock")


@pytest.mark.parametrize("answers", ["silence", "a card"])
def test_what_speaks_no_tls_is_told(answers: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(link_module, "CONNECT_TIMEOUT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"tls://127.0.0.1:{server.getsockname()[1]}#sha256={digest_of(folder)}"

        def answer() -> None:
            peer, _ = server.accept()
            with peer, suppress(ConnectionResetError):
                if answers == "a card":
                    peer.sendall(b"\x051D\x81\xb8\x034F" * 5)
                peer.settimeout(PATIENCE_S)
                while peer.recv(4_096):
                    pass

        thread = threading.Thread(target=answer)
        thread.start()
        assert "What answers there speaks no TLS" in refused(url)
        thread.join(PATIENCE_S)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("tls://10.0.0.7:4001", "Say by what the device is known"),
        (f"tls://10.0.0.7:4001#ca=a.pem&sha256={'0' * 64}", "Say by what the device is known"),
        ("tls://10.0.0.7:4001#sha256=4f1c", "has 64 hexadecimal digits"),
        ("tls://10.0.0.7:4001#ca=a.pem&verify=no", "knows no verify"),
        ("tls://10.0.0.7:4001#ca=a.pem&key=k.pem", "belong together"),
        ("tls://10.0.0.7#ca=a.pem", "write it as tls://host:port"),
    ],
)
def test_an_address_that_says_too_little_is_told_before_anybody_is_called(url: str, said: str) -> None:
    sentence = refused(url)
    assert said in sentence
    assert "#ca=a.pem" not in sentence, "that names files of this machine"


@pytest.mark.parametrize("content", [None, "no certificate"], ids=["not there", "of no use"])
def test_a_file_that_cannot_be_used_is_named(content: str | None, folder: Path) -> None:
    named = folder / "ca.pem"
    if content is not None:
        named.write_text(content)
    with pumped(TcpPort(Wire(), tls=served(folder))) as port:
        assert f"cannot be read ({named})" in refused(f"{port.url}#ca={named}")


def test_nobody_answers(folder: Path) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"tls://127.0.0.1:{held.getsockname()[1]}#sha256={digest_of(folder)}"
        assert "does not answer" in refused(url)


def test_a_camera_by_tls_is_looked_through_once_it_is_known_and_never_otherwise(folder: Path) -> None:
    grey = np.full((40, 60, 3), 90, np.uint8)
    camera = MjpegServer(lambda: grey, fps=50, tls=served(folder)).start()
    try:
        with closing(StreamSource(f"{camera.url}#sha256={digest_of(folder)}")) as source:
            wait_until(lambda: isinstance(source.grab(0), PackedPicture))
            assert source.url == camera.url
        with closing(StreamSource(f"{camera.url}#ca={folder}/fullchain.pem&name=another")) as source:
            seen: list[object] = []
            wait_until(lambda: seen.append(source.grab(0)) or isinstance(seen[-1], Gone))
            assert seen[-1] == Gone(
                f"The camera at {camera.url} is not looked through. Its certificate is for another name: correct the "
                "address, or write &name= as it stands there."
            )
            assert not any(isinstance(one, PackedPicture) for one in seen)
    finally:
        camera.close()
