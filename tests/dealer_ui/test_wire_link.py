"""The connection to NATS: nothing is queued, it comes back by itself, and each role says and hears what it may."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from nats_server import NatsServer, needs_nats
from patience import PATIENCE_S, wait_until

from dealer_ui.config.cluster import ClusterSection
from dealer_ui.wire import link
from dealer_ui.wire.link import NatsWire, NoAnswerError, NobodyThereError
from dealer_ui.wire.message import asked_of, here, view_of
from dealer_ui.wire.terms import MESSAGE_BYTES_MAX, WireTerms
from studio.errors import BadInputError

pytestmark = needs_nats


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path) as server:
        yield server


def section(nats: NatsServer, name: str, role: str) -> ClusterSection:
    return ClusterSection.model_validate(
        {"nats": (nats.address,), "host": name, "desk": "a", "role": role, "secret_file": str(nats.secret_of(role))}
    )


def test_a_wire_that_no_server_answers_ends_without_another_try(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "_AGAIN_S", 600)
    wire = NatsWire(WireTerms.of(section(nats, "a", "table")))
    nats.stop()
    tried = threading.Event()
    monkeypatch.setattr(wire, "_tell", lambda what: tried.set())
    wire.start()
    assert tried.wait(PATIENCE_S)
    wire.stop()
    assert not any(thread.is_alive() for thread in wire._threads)


def test_a_mistake_of_our_own_on_the_wires_thread_is_told(nats: NatsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    wire, told = NatsWire(WireTerms.of(section(nats, "a", "table"))), threading.Event()

    async def torn() -> None:
        raise ImportError("no such library")

    monkeypatch.setattr(wire, "_connect", torn)
    monkeypatch.setattr(threading, "excepthook", lambda given: told.set())
    wire.start()
    assert told.wait(PATIENCE_S)
    wire.stop()
    assert not any(thread.is_alive() for thread in wire._threads)


class Two:
    """A table host that says a word back, and a web node that hears what is shown."""

    def __init__(self, nats: NatsServer) -> None:
        self.host, self.web = (NatsWire(WireTerms.of(section(nats, *one))) for one in (("a", "table"), ("w", "web")))
        self.heard: list[tuple[str, bytes]] = []
        self.at_host: list[bytes] = []
        self.host.serve(asked_of("a"), lambda message: message[::-1], threads=2, busy=b"busy")
        self.host.hear(here("*"), lambda subject, message: self.at_host.append(message))
        self.web.hear(view_of("*", "*"), lambda subject, message: self.heard.append((subject, message)))
        for wire in (self.host, self.web):
            wire.start()
        self.come_up()

    def come_up(self) -> None:
        wait_until(lambda: self.host.up and self.web.up and self.answers())

    def answers(self) -> bool:
        try:
            return self.web.ask(asked_of("a"), b"abc", PATIENCE_S) == b"cba"
        except NobodyThereError:
            return False

    def stop(self) -> None:
        self.web.stop()
        self.host.stop()


@pytest.fixture
def two(nats: NatsServer) -> Iterator[Two]:
    made = Two(nats)
    yield made
    made.stop()


def test_what_is_shown_is_heard_and_what_is_asked_is_answered(two: Two) -> None:
    assert two.host.say(view_of("a", "t1"), b"a view")
    wait_until(lambda: two.heard == [(view_of("a", "t1"), b"a view")])


def test_no_program_waits_at_its_end_for_a_question_that_hangs(nats: NatsServer) -> None:
    host, web = (NatsWire(WireTerms.of(section(nats, *one))) for one in (("a", "table"), ("w", "web")))
    answering, answered = list[threading.Thread](), threading.Event()

    def hangs(message: bytes) -> bytes:
        answering.append(threading.current_thread())
        answered.wait(PATIENCE_S)
        return message

    host.serve(asked_of("a"), hangs, threads=1, busy=b"busy")
    for wire in (host, web):
        wire.start()
    wait_until(lambda: host.up and web.up)
    while not answering:
        with suppress(NoAnswerError, NobodyThereError):
            web.ask(asked_of("a"), b"abc", 0.5)
    host.stop()
    assert [thread.daemon for thread in answering if thread.is_alive()] == [True], "the interpreter joins all others"
    web.stop()
    answered.set()
    answering[0].join()


def test_who_is_not_there_is_known_at_once(two: Two) -> None:
    with pytest.raises(NobodyThereError):
        two.web.ask(asked_of("b"), b"abc", PATIENCE_S)


def test_a_message_that_is_too_long_is_not_sent(two: Two) -> None:
    long = b"x" * (MESSAGE_BYTES_MAX + 1)
    assert not two.host.say(view_of("a", "t1"), long)
    with pytest.raises(NobodyThereError):
        two.web.ask(asked_of("a"), long, PATIENCE_S)


def test_a_wire_that_is_down_says_so_keeps_nothing_and_comes_back(nats: NatsServer, two: Two) -> None:
    nats.stop()
    wait_until(lambda: not two.host.up and not two.web.up)
    assert not two.host.say(view_of("a", "t1"), b"lost")
    with pytest.raises(NobodyThereError):
        two.web.ask(asked_of("a"), b"abc", PATIENCE_S)
    nats.start()
    two.come_up()
    assert two.host.say(view_of("a", "t1"), b"new")
    wait_until(lambda: (view_of("a", "t1"), b"new") in two.heard)
    assert two.heard == [(view_of("a", "t1"), b"new")]


def test_a_process_starts_before_the_server_does(tmp_path: Path) -> None:
    nats = NatsServer(tmp_path)
    wire = NatsWire(WireTerms.of(section(nats, "a", "table")))
    wire.start()
    assert not wire.up
    nats.start()
    wait_until(lambda: wire.up)
    wire.stop()
    nats.stop()


def test_a_web_node_shows_no_table_and_answers_for_none(nats: NatsServer, two: Two) -> None:
    two.web.say(view_of("a", "t1"), b"a lie")
    other = NatsWire(WireTerms.of(section(nats, "w2", "web")))
    other.serve(asked_of("b"), lambda message: b"a lie", threads=1, busy=b"")
    other.start()
    wait_until(lambda: other.up)
    with pytest.raises(NobodyThereError):
        two.web.ask(asked_of("b"), b"abc", PATIENCE_S)
    two.host.say(view_of("a", "t1"), b"the truth")
    wait_until(lambda: two.heard)
    assert two.heard == [(view_of("a", "t1"), b"the truth")]
    other.stop()


def test_nobody_comes_in_without_the_secret(nats: NatsServer, tmp_path: Path) -> None:
    nats.secret_of("web").write_text("web:another\n", encoding="utf-8")
    stranger = NatsWire(WireTerms.of(section(nats, "w", "web")))
    stranger.start()
    log = tmp_path / "nats-server.log"
    wait_until(lambda: "authentication error" in log.read_text(encoding="utf-8"))
    assert not stranger.up
    with pytest.raises(NobodyThereError):
        stranger.ask(asked_of("a"), b"abc", PATIENCE_S)
    stranger.stop()


@pytest.mark.parametrize(
    ("text", "sentence"), [("", "one line"), ("a:b\nc:d\n", "one line"), (None, "cannot be read")], ids=repr
)
def test_a_secret_that_is_none_is_told_in_a_sentence(
    nats: NatsServer, tmp_path: Path, text: str | None, sentence: str
) -> None:
    file = tmp_path / "bad.secret"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    bad = section(nats, "w", "web").model_copy(update={"secret_file": str(file)})
    with pytest.raises(BadInputError, match=sentence) as told:
        WireTerms.of(bad)
    assert told.value.where == str(file)


def test_a_password_is_in_no_repr(nats: NatsServer) -> None:
    assert "password" not in repr(WireTerms.of(section(nats, "w", "web")))


def test_certificates_that_cannot_be_read_are_told_in_a_sentence(nats: NatsServer, tmp_path: Path) -> None:
    bad = section(nats, "w", "web").model_copy(update={"ca_file": str(tmp_path / "none.pem")})
    with pytest.raises(BadInputError, match="certificates that the wire is checked by cannot be read"):
        WireTerms.of(bad)
