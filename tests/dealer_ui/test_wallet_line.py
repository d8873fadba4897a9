"""One POST over a real socket, against a far end that does whatever it likes."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest
from patience import PATIENCE_S

from dealer_ui.wallets.dialect import Request
from dealer_ui.wallets.line import ANSWER_BYTES_MAX, Line
from dealer_ui.wallets.reply import NoReply, Reply
from studio.errors import BadInputError

REQUEST = Request("transaction/bet", b'{"a":1}', (("Content-Type", "application/json"), ("X-Sign", "s")))
SHORT_S = 0.3
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
    with _far_end(act) as address, closing(Line(address)) as line:
        return line.send(REQUEST, wait_s)


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
    "nowhere else": (b"HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n", Reply(302, b"")),
}  # fmt: skip
NO_ANSWERS = {
    "closed at once": b"",
    "no HTTP": b"good evening\r\n\r\n",
    "half an answer": b'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"stat',
    "half a piece": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
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
    "said", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"], ids=["silent", "silent in the middle"]
)
def test_whoever_says_nothing_more_is_not_waited_for(said: bytes) -> None:
    assert isinstance(_asked(_saying(said, then_close=False), SHORT_S), NoReply)


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
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with closing(Line(f"http://127.0.0.1:{port}")) as line:
        assert isinstance(line.send(REQUEST, PATIENCE_S), NoReply)


def test_a_failed_call_is_sent_once_and_the_next_one_has_a_fresh_connection() -> None:
    heard: list[bytes] = []
    answers = iter([b"", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"])

    def act(end: socket.socket) -> None:
        heard.append(_heard(end))
        end.sendall(next(answers))
        end.shutdown(socket.SHUT_RDWR)

    with _far_end(act) as address, closing(Line(address)) as line:
        assert isinstance(line.send(REQUEST, PATIENCE_S), NoReply)
        assert len(heard) == 1
        assert line.send(REQUEST, PATIENCE_S) == Reply(200, b"{}")


def test_who_finds_every_line_taken_waits_no_longer_than_he_may() -> None:
    asked, go_on = threading.Event(), threading.Event()

    def act(end: socket.socket) -> None:
        _heard(end)
        asked.set()
        go_on.wait(PATIENCE_S)
        end.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

    with _far_end(act) as address, closing(Line(address, lines=1)) as line:
        first = threading.Thread(target=line.send, args=(REQUEST, PATIENCE_S))
        first.start()
        assert asked.wait(PATIENCE_S)
        assert line.send(REQUEST, SHORT_S) == NoReply("no line was free")
        go_on.set()
        first.join(PATIENCE_S)


@pytest.mark.parametrize(
    "address", ["", "wallet.example", "ftp://x", "http://", "http://a:b@x", "http://x?y=1", "http://[x"]
)
def test_what_is_no_address_is_refused_with_a_sentence(address: str) -> None:
    with pytest.raises(BadInputError, match="no address"):
        Line(address)
