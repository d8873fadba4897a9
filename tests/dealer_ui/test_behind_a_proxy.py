"""The studio behind the nginx of config/nginx.conf: TLS, the browser's address, cookies bound to the host, streams."""

from __future__ import annotations

import http.client
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest
from made_certificate import NAME, certify
from open_streams import DISPLAY, FEED, KEY, Opened, next_event, opened
from patience import PATIENCE_S, wait_until
from running_studio import PIT, TABLE, House
from studio_process import free_port

from dealer_ui.access.auth import COOKIE, STATION_COOKIE
from dealer_ui.serving.proxy import Origin, Proxies
from studio.tables import command as c

ROOT = Path(__file__).parents[2]
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/sbin")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    ("peer", "headers", "origin"),
    [
        ("127.0.0.1", {"X_FORWARDED_FOR": "192.0.2.7"}, Origin("192.0.2.7")),
        ("127.0.0.1", {"X_FORWARDED_FOR": "6.6.6.6, 192.0.2.7"}, Origin("192.0.2.7")),
        ("127.0.0.1", {"X_FORWARDED_FOR": "192.0.2.7, 10.1.0.4"}, Origin("192.0.2.7")),
        ("127.0.0.1", {"X_FORWARDED_FOR": "192.0.2.7, nonsense"}, Origin("127.0.0.1")),
        ("127.0.0.1", {"X_FORWARDED_FOR": "2001:db8::7"}, Origin("2001:db8::7")),
        ("127.0.0.1", {"X_FORWARDED_FOR": "192.0.2.7:55"}, Origin("192.0.2.7")),
        ("127.0.0.1", {"X_FORWARDED_FOR": "[2001:db8::7]:55"}, Origin("2001:db8::7")),
        ("127.0.0.1", {"X_FORWARDED_FOR": "::ffff:192.0.2.7, 10.1.0.4:9"}, Origin("192.0.2.7")),
        ("::ffff:127.0.0.1", {"X_FORWARDED_FOR": "192.0.2.7"}, Origin("192.0.2.7")),
        ("::ffff:192.0.2.7", {"X_FORWARDED_FOR": "10.1.0.4"}, Origin("192.0.2.7")),
        ("127.0.0.1", {"X_FORWARDED_PROTO": "https", "X_FORWARDED_HOST": NAME}, Origin("127.0.0.1", "https", NAME)),
        ("127.0.0.1", {"X_FORWARDED_PROTO": "gopher"}, Origin("127.0.0.1")),
        ("10.1.2.3", {"X_FORWARDED_FOR": "192.0.2.7"}, Origin("192.0.2.7")),
        ("10.2.0.1", {"X_FORWARDED_FOR": "192.0.2.7", "X_FORWARDED_PROTO": "https"}, Origin("10.2.0.1")),
    ],
)
def test_only_a_trusted_proxy_says_who_asks(peer: str, headers: dict[str, str], origin: Origin) -> None:
    assert Proxies(["127.0.0.1", "10.1.0.0/16"]).origin(peer, headers) == origin


def test_without_a_trusted_proxy_nobody_is_believed(tmp_path: Path) -> None:
    with House(tmp_path) as house, opened(house) as studio:
        asking = http.client.HTTPConnection("127.0.0.1", studio.port.number, PATIENCE_S)
        said = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": NAME}
        asking.request("POST", "/sign-in", urlencode({"badge": "1001", "pin": "4826"}), {**FORM, **said})
        answer = asking.getresponse()
        assert answer.status == 303
        assert answer.headers["Strict-Transport-Security"] is None
        assert all("__Host-" not in one and "Secure" not in one for one in answer.headers.get_all("Set-Cookie", []))
        asking.close()
        assert here(studio) == ["127.0.0.1"]


@dataclass
class Front:
    """The studio, and nginx before it."""

    studio: Opened
    port: int
    trust: ssl.SSLContext
    asked: list[http.client.HTTPSConnection] = field(default_factory=list)

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> http.client.HTTPResponse:
        asking = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE_S, context=self.trust)
        self.asked.append(asking)
        asking.request(method, path, body or None, {"Host": f"{NAME}:{self.port}", **headers})
        return asking.getresponse()

    def hang_up(self) -> None:
        while self.asked:
            self.asked.pop().close()

    def sign_in(self, **headers: str) -> tuple[dict[str, str], list[str]]:
        """The cookies of Dana, signed in, and the lines that set them."""
        form = urlencode({"badge": "1001", "pin": "4826"})
        origin = f"https://{NAME}:{self.port}"
        answer = self.ask("POST", "/sign-in", form, **{**FORM, "Origin": origin, **headers})
        answer.read()
        assert answer.status == 303
        lines = answer.headers.get_all("Set-Cookie", [])
        return dict(line.partition(";")[0].split("=", 1) for line in lines), lines


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    if NGINX is None:
        pytest.skip("nginx is not installed here: apt-get install nginx-light, then run this test again.")
    folder = tmp_path_factory.mktemp("front")
    with House(folder) as house, opened(house, trusted=("127.0.0.1",)) as studio:
        tls, plain = free_port(), free_port()
        conf = example(folder, studio.port.number, tls, plain)
        certify(folder)
        running = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(conf), "-e", str(folder / "error.log")])
        try:
            wait_until(lambda: listens(tls))
            trust = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
            trust.check_hostname = False
            found = Front(studio, tls, trust)
            yield found
            found.hang_up()
        finally:
            running.terminate()
            running.wait(PATIENCE_S)


def example(folder: Path, studio: int, tls: int, plain: int) -> Path:
    """The example as it stands, but for its ports and the place of its certificate, and run by whoever tests."""
    text = (ROOT / "config" / "nginx.conf").read_text()
    for stands, put in (
        ("listen 443", f"listen 127.0.0.1:{tls}"), ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("127.0.0.1:8000", f"127.0.0.1:{studio}"), ("/etc/ssl/studio", str(folder)),
    ):  # fmt: skip
        assert stands in text
        text = text.replace(stands, put)
    conf = folder / "nginx.conf"
    conf.write_text(f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\n{text}")
    return conf


def listens(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def here(studio: Opened) -> list[str]:
    """From where Dana is signed in."""
    return [one.address for one in studio.house.studio.app.extensions["console"].sessions.of("d1")]


def test_behind_tls_the_cookies_are_secure_and_bound_to_the_host(front: Front) -> None:
    cookies, lines = front.sign_in()
    assert set(cookies) == {f"__Host-{COOKIE}", f"__Host-{STATION_COOKIE}"}
    for line in lines:
        assert "Secure" in line
        assert "HttpOnly" in line
        assert "Path=/" in line
        assert "Domain" not in line


def test_behind_tls_the_browser_is_told_to_come_by_tls_alone(front: Front) -> None:
    answer = front.ask("GET", f"/display/{TABLE}")
    assert answer.status == 200
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    answer.close()


def test_who_is_behind_the_proxy_is_known_by_his_own_address_whatever_he_says(front: Front) -> None:
    for one in front.studio.house.studio.app.extensions["console"].sessions.of("d1"):
        front.studio.house.studio.app.extensions["console"].sessions.close(one.token)
    there = ("127.0.0.1", front.port)
    with (
        socket.create_connection(there, PATIENCE_S, source_address=("127.0.1.5", 0)) as line,
        front.trust.wrap_socket(line) as safe,
    ):
        form = urlencode({"badge": "1001", "pin": "4826"}).encode()
        head = (
            f"POST /sign-in HTTP/1.1\r\nHost: {NAME}\r\nX-Forwarded-For: 6.6.6.6\r\nConnection: close\r\n"
            f"Content-Type: {FORM['Content-Type']}\r\nContent-Length: {len(form)}\r\n\r\n"
        )
        safe.sendall(head.encode() + form)
        assert safe.recv(4096).startswith(b"HTTP/1.1 303")
    assert here(front.studio) == ["127.0.1.5"]


def test_a_form_from_another_site_is_refused_behind_the_proxy(front: Front) -> None:
    form = urlencode({"badge": "1001", "pin": "4826"})
    answer = front.ask("POST", "/sign-in", form, **{**FORM, "Origin": "https://elsewhere.example"})
    assert answer.status == 403
    answer.close()


@pytest.mark.parametrize(("path", "who"), [(DISPLAY, ""), (FEED, "operator"), (f"/stream/dealer/{TABLE}", "dealer")])
def test_a_stream_comes_through_the_proxy_as_it_happens(front: Front, path: str, who: str) -> None:
    headers = {"operator": dict([KEY.split(": ")])}.get(who, {})
    if who == "dealer":
        cookies, _ = front.sign_in()
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
    answer = front.ask("GET", path, **headers)
    assert answer.status == 200
    told = b"event: state" if who == "operator" else b"event: view"
    first = next_event(answer, told)
    front.studio.house.do(c.FreezeTable, PIT)
    assert next_event(answer, told)["seq"] > first["seq"]
    answer.close()
    front.studio.house.do(c.ReleaseTable, PIT, reason_code="checked", words="the test has seen it")


def test_strangers_behind_the_proxy_are_counted_apart(front: Front) -> None:
    held = front.studio.lanes.public.seats
    front.hang_up()
    wait_until(lambda: held.taken == 0)
    answer = front.ask("GET", DISPLAY)
    next_event(answer, b"event: view")
    assert list(held._held) == ["127.0.0.1"], "as nginx says it, and not the connection's own"
    answer.close()
    front.hang_up()
    wait_until(lambda: held.taken == 0)
