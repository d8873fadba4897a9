"""Who is signed in at one web node is signed in at every other, and is so nowhere any more once he has left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from nats_server import NatsServer, needs_nats
from patience import wait_until
from running_studio import PIT
from wire_house import DESK, WireHouse

from dealer_ui.access.session_shelf import KeptSession, SessionShelf
from dealer_ui.access.sessions import IDLE_MS, LONGEST_MS, Sessions, SignedInElsewhere
from studio.errors import StorageError
from studio.journal.postgres.session_rows import SessionRows
from studio.people import Actor

PETRA = {"badge": "2001", "pin": "730162"}


@pytest.fixture
def house(tmp_path: Path, postgres_address: str) -> Iterator[WireHouse]:
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats, postgres=postgres_address) as made:
        made.start_web("web-2")
        yield made


def carried(one: FlaskClient, other: FlaskClient) -> FlaskClient:
    """The browser of `one`, as a proxy leads it to another node."""
    for name in ("studio_session", "studio_station"):
        cookie = one.get_cookie(name)
        assert cookie is not None
        other.set_cookie(name, cookie.value)
    return other


def csrf(client: FlaskClient) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', client.get("/pit").text)
    assert found is not None
    return found[1]


@needs_nats
def test_a_browser_that_signed_in_at_one_node_works_at_every_process_and_leaves_at_all_of_them(
    house: WireHouse,
) -> None:
    first, second = (node.app.test_client() for node in house.nodes)
    at_host = house.hosts["b"].app.test_client()
    assert first.post("/sign-in", data=PETRA).status_code == 303
    for client in (carried(first, second), carried(first, at_host)):
        assert client.get("/whoami").json["name"] == PIT.name  # type: ignore[index]
        assert csrf(client) == csrf(first)
    act = {"act": "tell_bettors", "table": "*", "words": "Back soon."}
    assert first.get("/whoami").status_code == 200
    answer = second.post("/pit/act", json=act, headers={"X-CSRF-Token": csrf(first)})
    assert answer.status_code != 403, answer.text

    assert second.post("/sign-out", data={"csrf": csrf(first)}).status_code == 303
    for client in (first, carried(first, at_host)):
        wait_until(lambda client=client: client.get("/whoami").status_code != 200)  # type: ignore[misc]


@pytest.mark.long
@needs_nats
def test_a_session_outlives_the_node_that_opened_it_and_the_host_of_the_desk(house: WireHouse) -> None:
    first, second = (node.app.test_client() for node in house.nodes)
    first.post("/sign-in", data=PETRA)
    house.nodes.pop(0).stop()
    house.stop_host(DESK)
    assert carried(first, second).get("/whoami").json["name"] == PIT.name  # type: ignore[index]
    second.set_cookie("studio_session", "made-up")
    assert second.get("/whoami").status_code != 200


class TwoProcesses:
    """Sessions of two processes over one shelf, at a time of the test's own."""

    def __init__(self, rows: SessionRows) -> None:
        self.now_ms = 10 * LONGEST_MS
        self.ended: list[str] = []
        self.there = True
        tokens = iter(f"token-{number}" for number in range(99))
        self.one, self.other = (
            Sessions(lambda: next(tokens), lambda: self.now_ms, told_over=lambda id, at, why: self.ended.append(why))
            for _ in range(2)
        )
        for sessions in (self.one, self.other):
            sessions.share(SignedInElsewhere(SessionShelf(rows), lambda id, at: PIT if self.there else None))


@pytest.fixture
def two(postgres_address: str) -> Iterator[TwoProcesses]:
    rows = SessionRows(postgres_address)
    yield TwoProcesses(rows)
    rows.close()


def test_a_session_in_use_at_one_process_is_idle_at_none(two: TwoProcesses) -> None:
    viewer = two.one.open(PIT, "s1")
    assert two.other.find(viewer.token) is not None
    for _ in range(5):
        two.now_ms += IDLE_MS // 2
        assert two.other.find(viewer.token) is not None
    two.one.sweep()
    assert two.ended == []
    assert two.one.find(viewer.token, active=False) is not None


def test_a_session_that_is_idle_everywhere_is_over_everywhere(two: TwoProcesses) -> None:
    viewer = two.one.open(PIT, "s1")
    assert two.other.find(viewer.token) is not None
    two.now_ms += IDLE_MS + 1
    assert two.other.find(viewer.token) is None
    two.one.sweep()
    assert two.one.find(viewer.token) is None
    assert set(two.ended) == {"idle"}


def test_the_longest_day_ends_a_session_however_much_it_is_used(two: TwoProcesses) -> None:
    viewer = two.one.open(PIT, "s1")
    until_ms = two.now_ms + LONGEST_MS
    while two.now_ms <= until_ms:
        two.now_ms += IDLE_MS // 2
        two.other.find(viewer.token)
    assert two.other.find(viewer.token) is None
    assert two.one.find(viewer.token) is None


def test_whom_the_record_has_not_there_gets_in_by_no_token(two: TwoProcesses) -> None:
    viewer = two.one.open(PIT, "s1")
    two.there = False
    assert two.other.find(viewer.token) is None
    two.there = True
    two.one.close(viewer.token)
    assert two.other.find(viewer.token) is None


def test_no_token_lies_on_the_shelf(two: TwoProcesses, postgres_address: str) -> None:
    viewer = two.one.open(PIT, "s1")
    rows = SessionRows(postgres_address)
    told = rows._say("SELECT digest, body FROM console_session", ())
    rows.close()
    assert len(told) == 1
    assert viewer.token not in str(told)


class Away:
    """A shelf that cannot be reached."""

    def _refuse(self, *given: object) -> None:
        raise StorageError("The database cannot be reached.")

    keep = find = used = end = lapse = _refuse  # type: ignore[assignment]

    def close(self) -> None:
        """Nothing is open."""


def test_while_the_shelf_is_away_a_session_is_of_the_process_that_opened_it() -> None:
    sessions = Sessions(lambda: "token", lambda: LONGEST_MS)
    sessions.share(SignedInElsewhere(SessionShelf(Away()), lambda id, at: Actor(id, id, frozenset())))  # type: ignore[arg-type]
    viewer = sessions.open(PIT, "s1")
    assert sessions.find(viewer.token) is not None
    assert sessions.find("another") is None
    assert SessionShelf().find("token") is None
    SessionShelf().keep("token", KeptSession("id", "s1", "", 0, "c"), 1)


class Cut:
    """Rows that may be cut off."""

    def __init__(self, rows: SessionRows) -> None:
        self._rows = rows
        self.away = False

    def find(self, digest: str) -> tuple[str, int] | None:
        if self.away:
            raise StorageError("The database cannot be reached.")
        return self._rows.find(digest)

    def __getattr__(self, name: str) -> object:
        return getattr(self._rows, name)


def test_while_nobody_can_be_asked_no_session_is_ended_as_idle_that_may_be_in_use_elsewhere(
    two: TwoProcesses, postgres_address: str
) -> None:
    rows = SessionRows(postgres_address)
    cut = Cut(rows)
    two.one.share(SignedInElsewhere(SessionShelf(cut), lambda id, at: PIT))  # type: ignore[arg-type]
    viewer = two.one.open(PIT, "s1")
    assert two.other.find(viewer.token) is not None
    two.now_ms += IDLE_MS - 1
    assert two.other.find(viewer.token) is not None
    cut.away = True
    two.now_ms += 2
    two.one.sweep()
    assert two.ended == []
    assert two.one.find(viewer.token, active=False) is not None
    cut.away = False
    two.now_ms += IDLE_MS
    two.one.sweep()
    assert two.ended == ["idle"]
    assert two.one.find(viewer.token) is None
    rows.close()


@needs_nats
def test_signing_out_everywhere_ends_what_another_process_opened(house: WireHouse) -> None:
    first, second = (node.app.test_client() for node in house.nodes)
    for client in (first, second):
        assert client.post("/sign-in", data=PETRA).status_code == 303
    wait_until(lambda: 'name="everywhere"' in second.get("/pit").text)
    assert second.post("/sign-out", data={"csrf": csrf(second), "everywhere": "1"}).status_code == 303
    wait_until(lambda: first.get("/whoami").status_code != 200)
