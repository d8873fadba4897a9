"""One POST over a real socket, against a far end that does whatever it likes."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from patience import PATIENCE_S
from round_receiver import Receiver

from dealer_ui.wallets.connection import ANSWER_BYTES_MAX, Exchange, LineConnection
from dealer_ui.wallets.dialect import NoReply, Reply, Request
from dealer_ui.wallets.line import WalletLine, _Switchboard
from studio.errors import BadInputError

REQUEST = Request("transaction/bet", b'{"a":1}', (("Content-Type", "application/json"), ("X-Sign", "s")))
SHORT_S = 2.0
"""What a test waits for an answer that never comes."""

FarEnd = Callable[[socket.socket], None]


@contextmanager
def _far_end(act: FarEnd) -> Iterator[str]:
    """An address at which every connection is given to `act`, one after the other."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        ends: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    end, _ = server.accept()
                except OSError:
                    return
                ends.append(end)
                act(end)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/wallet/"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join(PATIENCE_S)
            for end in ends:
                end.close()


def _heard(end: socket.socket) -> bytes:
    """The whole request: the tests' bodies end with a brace."""
    heard = b""
    while not heard.endswith(b"}"):
        heard += end.recv(4096)
    return heard


def _saying(answer: bytes, *, then_close: bool = True) -> FarEnd:
    def act(end: socket.socket) -> None:
        _heard(end)
        end.sendall(answer)
        if then_close:
            end.shutdown(socket.SHUT_RDWR)

    return act


def _asked(act: FarEnd, wait_s: float = PATIENCE_S) -> Reply | NoReply:
    with _far_end(act) as address, closing(WalletLine(address)) as line:
        return line.reply(REQUEST, wait_s)


def test_what_is_written_arrives_byte_for_byte_below_the_address() -> None:
    heard: list[bytes] = []

    def act(end: socket.socket) -> None:
        heard.append(_heard(end))
        end.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

    assert _asked(act) == Reply(200, b"{}")
    head, _, body = heard[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /wallet/transaction/bet HTTP/1.1\r\n")
    assert b"X-Sign: s" in head
    assert body == REQUEST.body


ANSWERS = {
    "an error with a body is an answer": (
        b"HTTP/1.1 412 No\r\nContent-Length: 12\r\n\r\n" + b'{"code":100}', Reply(412, b'{"code":100}'),
    ),
    "in pieces": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", Reply(200, b"{}"),
    ),
    "until the connection ends": (b"HTTP/1.1 200 OK\r\n\r\n{}", Reply(200, b"{}")),
    "announced": (
        b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", Reply(200, b"{}"),
    ),
    "nowhere else": (b"HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n", Reply(302, b"")),
}  # fmt: skip
NO_ANSWERS = {
    "closed at once": b"",
    "no HTTP": b"good evening\r\n\r\n",
    "half an answer": b'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"stat',
    "half a piece": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    "another protocol": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    "too long": b"HTTP/1.1 200 OK\r\n\r\n" + b" " * (ANSWER_BYTES_MAX + 1),
    "a false packing": b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
}


@pytest.mark.parametrize(("said", "reply"), ANSWERS.values(), ids=ANSWERS)
def test_whatever_comes_whole_is_a_reply(said: bytes, reply: Reply) -> None:
    assert _asked(_saying(said)) == reply


@pytest.mark.parametrize("said", NO_ANSWERS.values(), ids=NO_ANSWERS)
def test_whatever_does_not_come_whole_is_no_reply(said: bytes) -> None:
    assert isinstance(_asked(_saying(said)), NoReply)


@pytest.mark.parametrize(
    "said",
    [pytest.param(b"", marks=pytest.mark.long), b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"],
    ids=["silent", "silent in the middle"],
)
def test_whoever_says_nothing_more_is_not_waited_for(said: bytes) -> None:
    assert isinstance(_asked(_saying(said, then_close=False), SHORT_S), NoReply)


ENDLESS = {
    "a header": (b"X: ", b"a"),
    "headers": (b"", b"X: a\r\n"),
    "trailers": (b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n", b"X: a\r\n"),
}


@pytest.mark.parametrize(("begins", "goes_on"), ENDLESS.values(), ids=ENDLESS)
def test_a_head_that_goes_on_and_on_is_not_kept_until_the_deadline(begins: bytes, goes_on: bytes) -> None:
    def act(end: socket.socket) -> None:
        _heard(end)
        with suppress(OSError):
            end.sendall(b"HTTP/1.1 200 OK\r\n" + begins)
            while True:
                end.sendall(goes_on * 1_000)

    assert _asked(act, SHORT_S) == NoReply("the answer is longer than any wallet's")


@pytest.mark.long
def test_a_body_that_drips_ends_with_the_deadline() -> None:
    def act(end: socket.socket) -> None:
        _heard(end)
        end.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        pause = threading.Event()
        try:
            while not pause.wait(SHORT_S / 10):
                end.sendall(b" ")
        except OSError:
            return

    assert _asked(act, SHORT_S) == NoReply("the answer did not end in time")


def test_nobody_at_the_address_is_no_reply() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # nobody listens there, and nobody else can
        with closing(WalletLine(f"http://127.0.0.1:{held.getsockname()[1]}")) as line:
            assert isinstance(line.reply(REQUEST, PATIENCE_S), NoReply)


def test_a_failed_call_is_sent_once_and_the_next_one_has_a_fresh_connection() -> None:
    heard: list[bytes] = []
    answers = iter([b"", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"])

    def act(end: socket.socket) -> None:
        heard.append(_heard(end))
        end.sendall(next(answers))
        end.shutdown(socket.SHUT_RDWR)

    with _far_end(act) as address, closing(WalletLine(address)) as line:
        assert isinstance(line.reply(REQUEST, PATIENCE_S), NoReply)
        assert len(heard) == 1
        assert line.reply(REQUEST, PATIENCE_S) == Reply(200, b"{}")


@pytest.mark.long
def test_who_finds_every_line_taken_waits_no_longer_than_he_may() -> None:
    asked, go_on = threading.Event(), threading.Event()

    def act(end: socket.socket) -> None:
        _heard(end)
        asked.set()
        go_on.wait(PATIENCE_S)
        end.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

    with _far_end(act) as address, closing(WalletLine(address, lines=1)) as line:
        first = threading.Thread(target=line.reply, args=(REQUEST, PATIENCE_S))
        first.start()
        assert asked.wait(PATIENCE_S)
        assert line.reply(REQUEST, SHORT_S) == NoReply("no line was free", sent=False)
        go_on.set()
        first.join(PATIENCE_S)


@pytest.mark.parametrize(
    "address", ["", "wallet.example", "ftp://x", "http://", "http://a:b@x", "http://x?y=1", "http://[x"]
)
def test_what_is_no_address_is_refused_with_a_sentence(address: str) -> None:
    with pytest.raises(BadInputError, match="no address"):
        WalletLine(address)


# --- many calls -----------------------------------------------------------------------------------------

YES = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


def _many(line: WalletLine, count: int) -> list[Reply | NoReply]:
    """So many at once, from one thread."""
    futures: list[Future[Reply | NoReply]] = [Future() for _ in range(count)]
    for future in futures:
        line.send(REQUEST, PATIENCE_S, future.set_result)
    return [future.result(PATIENCE_S) for future in futures]


def test_one_connection_carries_call_after_call() -> None:
    served: list[int] = []

    def act(end: socket.socket) -> None:
        served.append(0)
        for _ in range(20):
            _heard(end)
            served[-1] += 1
            end.sendall(YES)

    with _far_end(act) as address, closing(WalletLine(address, lines=1)) as line:
        assert _many(line, 20) == [Reply(200, b"{}")] * 20
    assert served == [20]


def test_more_calls_than_lines_go_out_as_lines_come_free() -> None:
    with closing(Receiver()) as receiver, closing(WalletLine(receiver.address, lines=3)) as line:
        told = _many(line, 40)
        assert [reply.status for reply in told if isinstance(reply, Reply)] == [200] * 40
        assert len(receiver.heard) == 40


def test_what_nobody_asked_for_is_taken_for_no_answer() -> None:
    answers = iter([YES + YES.replace(b"{}", b"[]"), YES])
    ends = []

    def act(end: socket.socket) -> None:
        ends.append(end)
        _heard(end)
        end.sendall(next(answers))

    with _far_end(act) as address, closing(WalletLine(address, lines=1)) as line:
        assert [line.reply(REQUEST, PATIENCE_S) for _ in range(2)] == [Reply(200, b"{}")] * 2
    assert len(ends) == 2


def test_a_line_that_is_closed_sends_nothing() -> None:
    with _far_end(_saying(YES)) as address, closing(WalletLine(address)) as line:
        assert line.reply(REQUEST, PATIENCE_S) == Reply(200, b"{}")
        line.close()
        assert line.reply(REQUEST, PATIENCE_S) == NoReply("the line is closed", sent=False)


def test_a_line_whose_time_is_over_the_moment_it_opens_is_counted_as_closed_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opens = LineConnection.connection_made
    late = [True, True]

    def too_late(connection: LineConnection, transport: asyncio.BaseTransport) -> None:
        opens(connection, transport)
        if late:
            late.pop()
            board = connection._lines
            assert isinstance(board, _Switchboard)
            board._expire(waits[-1])

    waits: list[Exchange] = []
    begins = _Switchboard.begin
    monkeypatch.setattr(_Switchboard, "begin", lambda board, one: (waits.append(one), begins(board, one)))
    monkeypatch.setattr(LineConnection, "connection_made", too_late)
    with closing(Receiver()) as receiver, closing(WalletLine(receiver.address, lines=1)) as line:
        told = [line.reply(REQUEST, SHORT_S) for _ in range(3)]
        assert told[:2] == [NoReply("nobody answered in time")] * 2
        assert isinstance(told[2], Reply)
        [thread] = [one for one in threading.enumerate() if one.name == f"line {receiver.address.split('/')[2]}"]
    thread.join(SHORT_S)
    assert not thread.is_alive()  # it ends with the last of its connections


# --- TLS -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["localhost", "wallet.example"])
def test_only_the_server_of_that_name_is_asked(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pem = tmp_path / "server.pem"
    pem.write_bytes(_certified(name))
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as serving:

        def serve() -> None:
            end, _ = server.accept()
            with suppress(OSError), context.wrap_socket(end, server_side=True) as safe:
                _heard(safe)
                safe.sendall(YES)

        serving.submit(serve)
        with closing(WalletLine(f"https://localhost:{server.getsockname()[1]}/v1")) as line:
            reply = line.reply(REQUEST, PATIENCE_S)
    assert isinstance(reply, Reply if name == "localhost" else NoReply)


def _certified(name: str) -> bytes:
    """A key, and a certificate that it signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = x509.CertificateBuilder(who, who, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(datetime(2020, 1, 1, tzinfo=UTC)).not_valid_after(datetime(2100, 1, 1, tzinfo=UTC))
    signed = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False).sign(key, SHA256())
    written = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return written + signed.public_bytes(Encoding.PEM)
