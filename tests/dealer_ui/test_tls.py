"""The studio that speaks TLS itself: what browsers get, what strangers do not, and a certificate renewed at work."""

from __future__ import annotations

import http.client
import os
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from made_certificate import NAME, certify, keep_key
from open_streams import DISPLAY, FEED, KEY, Opened, next_event, opened
from patience import PATIENCE_S, wait_until
from running_studio import PIT, House

from dealer_ui.access.auth import COOKIE, STATION_COOKIE
from dealer_ui.config.file import load_config
from dealer_ui.serving.tls import ServedTls
from studio.errors import BadInputError
from studio.proof.machine.served_certificate import certificate_findings
from studio.tables import command as c

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
DANA = urlencode({"badge": "1001", "pin": "4826"})


@dataclass
class Direct:
    """The studio, and who comes to it by TLS."""

    studio: Opened
    folder: Path
    tls: ServedTls
    asked: list[http.client.HTTPSConnection] = field(default_factory=list)

    @property
    def trust(self) -> ssl.SSLContext:
        found = ssl.create_default_context(cafile=str(self.folder / "fullchain.pem"))
        found.check_hostname = False
        return found

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> http.client.HTTPResponse:
        port = self.studio.port.number
        asking = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE_S, context=self.trust)
        self.asked.append(asking)
        asking.request(method, path, body or None, {"Host": f"{NAME}:{port}", **headers})
        return asking.getresponse()

    def shown(self) -> int:
        """The serial number of the certificate that somebody who comes now is shown."""
        with socket.create_connection(("127.0.0.1", self.studio.port.number), PATIENCE_S) as line:
            anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
            with anybody.wrap_socket(line) as safe:
                shown = safe.getpeercert(binary_form=True)
                assert shown is not None
                return x509.load_der_x509_certificate(shown).serial_number


@pytest.fixture(scope="module")
def direct(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Direct]:
    folder = tmp_path_factory.mktemp("direct")
    certify(folder)
    tls = ServedTls(folder / "fullchain.pem", folder / "key.pem", NAME)
    with House(folder) as house, opened(house, tls=tls) as studio:
        found = Direct(studio, folder, tls)
        yield found
        for one in found.asked:
            one.close()


def test_a_sign_in_by_tls_gets_cookies_that_are_secure_and_bound_to_the_host(direct: Direct) -> None:
    origin = f"https://{NAME}:{direct.studio.port.number}"
    answer = direct.ask("POST", "/sign-in", DANA, **FORM, Origin=origin)
    assert answer.status == 303
    lines = answer.headers.get_all("Set-Cookie", [])
    assert {line.partition("=")[0] for line in lines} == {f"__Host-{COOKIE}", f"__Host-{STATION_COOKIE}"}
    assert all("Secure" in line and "HttpOnly" in line for line in lines)
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_whoever_comes_by_tls_is_known_by_his_own_address(direct: Direct) -> None:
    sessions = direct.studio.house.studio.app.extensions["console"].sessions
    for one in sessions.of("d1"):
        sessions.close(one.token)
    there = ("127.0.0.1", direct.studio.port.number)
    with (
        socket.create_connection(there, PATIENCE_S, source_address=("127.0.1.5", 0)) as line,
        direct.trust.wrap_socket(line) as safe,
    ):
        head = (
            f"POST /sign-in HTTP/1.1\r\nHost: {NAME}\r\nX-Forwarded-For: 6.6.6.6\r\nConnection: close\r\n"
            f"Content-Type: {FORM['Content-Type']}\r\nContent-Length: {len(DANA)}\r\n\r\n"
        )
        safe.sendall((head + DANA).encode())
        assert safe.recv(4096).startswith(b"HTTP/1.1 303")
    assert [one.address for one in sessions.of("d1")] == ["127.0.1.5"]


@pytest.mark.parametrize(("path", "told"), [(DISPLAY, b"event: view"), (FEED, b"event: state")])
def test_a_stream_comes_by_tls_as_it_happens(direct: Direct, path: str, told: bytes) -> None:
    answer = direct.ask("GET", path, **dict([KEY.split(": ")]))
    assert answer.status == 200
    first = next_event(answer, told)
    direct.studio.house.do(c.FreezeTable, PIT)
    assert next_event(answer, told)["seq"] > first["seq"]
    answer.close()
    direct.studio.house.do(c.ReleaseTable, PIT, reason_code="checked", words="the test has seen it")


def test_a_stream_whose_reader_has_gone_gives_its_seat_back(direct: Direct) -> None:
    held = direct.studio.lanes.public.seats
    wait_until(lambda: not held.taken)
    answer = direct.ask("GET", DISPLAY)
    next_event(answer, b"event: view")
    assert held.taken == 1
    answer.close()
    direct.asked.pop().close()
    wait_until(lambda: not held.taken)


def test_an_answer_of_many_bytes_and_a_body_of_many_come_whole(direct: Direct) -> None:
    document = direct.ask("GET", "/api/v1/openapi.json")
    assert len(document.read()) == int(document.headers["Content-Length"]) > 30_000
    refused = direct.ask("POST", "/sign-in", f"badge={'9' * 60_000}&pin=1234", **FORM)
    assert refused.status in (401, 303, 409, 400, 403)
    assert refused.read()
    refused = direct.ask("POST", "/sign-in", f"badge={'9' * 300_000}&pin=1234", **FORM)
    assert refused.status == 413
    assert refused.read()


@pytest.mark.parametrize(
    ("version", "cipher"),
    [(ssl.TLSVersion.TLSv1_1, "ALL:@SECLEVEL=0"), (ssl.TLSVersion.TLSv1_2, "AES128-SHA:ECDHE-ECDSA-AES128-SHA")],
    ids=["TLS 1.1", "no forward secrecy, or not authenticated"],
)
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated:DeprecationWarning")
def test_what_is_too_old_to_be_safe_is_not_spoken(direct: Direct, version: ssl.TLSVersion, cipher: str) -> None:
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.minimum_version = min(version, old.minimum_version)
    old.maximum_version = version
    old.set_ciphers(cipher)
    there = ("127.0.0.1", direct.studio.port.number)
    with socket.create_connection(there, PATIENCE_S) as line, pytest.raises((ssl.SSLError, ConnectionError)):
        old.wrap_socket(line)


def test_who_speaks_plainly_to_it_is_told_nothing_and_leaves_nothing_open(direct: Direct) -> None:
    for one in direct.asked:
        one.close()
    wait_until(lambda: direct.studio.port.connections == 0)
    with socket.create_connection(("127.0.0.1", direct.studio.port.number), PATIENCE_S) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: studio.example\r\n\r\n")
        heard = b""
        while more := line.recv(4096):
            heard += more
    assert b"HTTP" not in heard
    wait_until(lambda: direct.studio.port.connections == 0)


def test_a_renewed_certificate_is_shown_to_whoever_comes_next_and_streams_go_on(direct: Direct) -> None:
    answer = direct.ask("GET", DISPLAY)
    before = next_event(answer, b"event: view")
    assert direct.shown() == 1
    assert direct.tls.renew() == "", "nothing is new"
    certify(direct.folder, serial=2)
    assert direct.tls.renew().startswith("A renewed certificate counts from now on")
    assert direct.shown() == 2
    direct.studio.house.do(c.FreezeTable, PIT)
    assert next_event(answer, b"event: view")["seq"] > before["seq"]
    answer.close()
    direct.studio.house.do(c.ReleaseTable, PIT, reason_code="checked", words="the test has seen it")


def test_a_renewal_that_cannot_be_used_changes_nothing_and_is_told_once(
    direct: Direct, capfd: pytest.CaptureFixture[str]
) -> None:
    was = direct.shown()
    chain = (direct.folder / "fullchain.pem").read_bytes()
    (direct.folder / "fullchain.pem").write_bytes(b"half a certif")
    direct.tls.look()
    direct.tls.look()
    assert direct.shown() == was
    (direct.folder / "fullchain.pem").write_bytes(chain)
    direct.tls.look()
    assert direct.shown() == was
    said = capfd.readouterr()
    assert (said.out + said.err).count("was not renewed") == 1


def test_what_a_renewal_was_refused_for_is_set_right_and_it_counts(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """As the sentence says: neither the mode of a file nor the day leaves a mark on the file itself."""
    today = [datetime(2026, 11, 29, tzinfo=UTC)]
    certify(tmp_path)
    chain, key = tmp_path / "fullchain.pem", tmp_path / "key.pem"
    tls = ServedTls(chain, key, NAME, now=lambda: today[0])
    certify(tmp_path, serial=2)
    key.chmod(0o644)
    tls.look()
    with pytest.raises(BadInputError, match="chmod 600"):
        tls.renew()
    key.chmod(0o600)
    tls.look()
    certify(tmp_path, serial=3, since=2027)
    tls.look()
    tls.look()
    today[0] = datetime(2027, 1, 2, tzinfo=UTC)
    tls.look()
    said = capfd.readouterr()
    told = [line for line in (said.out + said.err).splitlines() if "ertificate" in line]
    assert ["was not renewed" in line for line in told] == [True, False, True, False], told
    assert tls.renew() == ""


def test_the_watch_ends_with_the_studio(direct: Direct) -> None:
    stopping = threading.Event()
    stopping.set()
    direct.tls.watch(stopping)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        ("gone", "The certificate cannot be read: No such file or directory."),
        ("nonsense", "This is no certificate in PEM: name the file that begins with BEGIN CERTIFICATE."),
        ("over", "The certificate was good until 2021-01-01 only: renew it."),
        ("early", "The certificate is good from 2119-01-01 on only: wait, or set this machine's clock right."),
        ("other key", "This key does not belong to the certificate"),
        ("other name", "The certificate speaks for elsewhere.example and not for studio.example"),
        ("open to all", "can be read by everybody on this machine (644): chmod 600"),
        ("passphrase", "The key of the certificate has a passphrase, which nobody types here"),
        ("no key", "This is no private key in PEM"),
        ("short", "The key has 1024 bits and could be found"),
        ("unknown kind", "Browsers know RSA and elliptic curve keys only"),
    ],
)
def test_a_certificate_that_cannot_be_used_is_told_in_a_sentence(tmp_path: Path, spoil: str, sentence: str) -> None:
    certify(tmp_path)
    chain, key = tmp_path / "fullchain.pem", tmp_path / "key.pem"
    match spoil:
        case "gone":
            chain.unlink()
        case "nonsense":
            chain.write_text("nonsense")
        case "over":
            certify(tmp_path, until=2021)
        case "early":
            certify(tmp_path, since=2119)
        case "other key":
            keep_key(tmp_path, ec.generate_private_key(ec.SECP256R1()))
        case "other name":
            certify(tmp_path, name="elsewhere.example")
        case "open to all":
            key.chmod(0o644)
        case "passphrase":
            keep_key(tmp_path, ec.generate_private_key(ec.SECP256R1()), b"a passphrase")
        case "no key":
            key.write_bytes(chain.read_bytes())
        case "short":
            certify(tmp_path, key=rsa.generate_private_key(65537, 1024))
        case "unknown kind":
            keep_key(tmp_path, ed25519.Ed25519PrivateKey.generate())  # type: ignore[arg-type]
    with pytest.raises(BadInputError) as refused:
        ServedTls(chain, key, NAME)
    assert sentence in str(refused.value)
    assert os.fspath(tmp_path) in str(refused.value)


@pytest.mark.parametrize(
    ("year", "verdict", "words"),
    [(2026, "ok", "is good until 2120-01-01"), (2119, "missing", "renew it"), (2121, "missing", "was good until")],
)
def test_the_doctor_says_how_long_the_certificate_is_good(tmp_path: Path, year: int, verdict: str, words: str) -> None:
    certify(tmp_path)
    day = datetime(year, 12, 20, tzinfo=UTC)
    (found,) = certificate_findings(tmp_path / "fullchain.pem", tmp_path / "key.pem", day)
    assert found.verdict == verdict
    assert words in found.sentence


SERVED = """
[studio]
database = "studio.db"

[server]
{server}

[[devices]]
id = "s"
driver = "angel_eye"
url = "/dev/ttyUSB0"

[[tables]]
key = "t1"
title = "One"
game = "three_knights"
shoe = "s"
"""


@pytest.mark.parametrize(
    ("server", "sentence"),
    [
        ('host = "127.0.0.1"', ""),
        ('host = "::1"', ""),
        ('host = "localhost"', ""),
        ('host = "0.0.0.0"', "0.0.0.0 is reached from other machines, and nothing encrypts what they send"),
        ('host = "studio.example"', "is reached from other machines"),
        ('host = "0.0.0.0"\ntrusted_proxy = ["10.0.0.1"]', "is reached from other machines"),
        ('host = "0.0.0.0"\nencrypted_by = "proxy"', "the proxy that does it has to be named in trusted_proxy"),
        ('host = "0.0.0.0"\nencrypted_by = "proxy"\ntrusted_proxy = ["10.0.0.1"]', ""),
        ('host = "0.0.0.0"\ntls = { certificate = "c.pem", key = "k.pem" }', ""),
        (
            'encrypted_by = "proxy"\ntrusted_proxy = ["10.0.0.1"]\ntls = { certificate = "c.pem", key = "k.pem" }',
            "the studio speaks TLS itself",
        ),
    ],
)
def test_nothing_is_served_to_other_machines_in_the_clear(tmp_path: Path, server: str, sentence: str) -> None:
    path = tmp_path / "studio.toml"
    path.write_text(SERVED.format(server=server))
    if not sentence:
        config = load_config(path)
        if config.server.tls is not None:
            assert config.server.tls.certificate == str(tmp_path / "c.pem"), "it lies beside the configuration"
        return
    with pytest.raises(BadInputError) as refused:
        load_config(path)
    assert sentence in str(refused.value)
    assert "line" in str(refused.value)


@pytest.mark.parametrize(
    ("server", "origin"),
    [
        ("", "http://localhost:8000"),
        ('public = "https://studio.example"', "https://studio.example"),
        ('public = "https://studio.example:8443"', "https://studio.example:8443"),
        ('trusted_proxy = ["127.0.0.1"]', ""),
        ('tls = { certificate = "c.pem", key = "k.pem" }', ""),
        ('tls = { certificate = "c.pem", key = "k.pem", name = "10.0.0.7" }', ""),
        (
            'port = 443\ntls = { certificate = "c.pem", key = "k.pem", name = "studio.example" }',
            "https://studio.example",
        ),
    ],
)
def test_passkeys_are_bound_to_the_name_that_browsers_know(tmp_path: Path, server: str, origin: str) -> None:
    path = tmp_path / "studio.toml"
    path.write_text(SERVED.format(server=server))
    assert load_config(path).server.origin == origin
    path.write_text(SERVED.format(server=server) + '\n[people]\npasskey_only = ["admin"]\n')
    if origin:
        assert load_config(path).people.passkey_only == ("admin",)
        return
    with pytest.raises(BadInputError, match="a passkey is bound to the name of the consoles"):
        load_config(path)


@pytest.mark.parametrize("public", ["http://studio.example", "https://10.0.0.7", "https://studio.example/", "studio"])
def test_no_passkey_is_bound_to_a_bare_address_or_one_in_the_clear(tmp_path: Path, public: str) -> None:
    path = tmp_path / "studio.toml"
    path.write_text(SERVED.format(server=f'public = "{public}"'))
    with pytest.raises(BadInputError):
        load_config(path)
