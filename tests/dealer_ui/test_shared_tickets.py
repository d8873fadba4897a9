"""A bettor's page opens at every web node, is his browser's at all of them, and is over at all of them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from nats_server import NatsServer, needs_nats
from patience import wait_until
from running_studio import API_KEY
from wire_house import WireHouse

from dealer_ui.assembly.web_node import WebNode
from dealer_ui.desk.ticket import A_BETTOR_MAX, Ticket, Tickets
from dealer_ui.desk.ticket_shelf import TicketShelf
from dealer_ui.pages.play.player import COOKIE, KEY_HEADER
from studio.errors import StorageError
from studio.journal.postgres.ticket_rows import TicketRow, TicketRows

NORTH = {"Authorization": f"Bearer {API_KEY}"}
HOUR_S = 3_600
ANN, BOB = "ann-s-browser", "bob-s-browser"


@pytest.fixture
def house(tmp_path: Path, postgres_address: str) -> Iterator[WireHouse]:
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats, postgres=postgres_address) as made:
        made.start_web("web-2")
        yield made


def page_of(node: WebNode, bettor: str = "ann") -> str:
    body = {"table": "t1", "plays": True}
    answer = node.app.test_client().post(f"/api/v1/bettors/{bettor}/pages", headers=NORTH, json=body)
    assert answer.status_code == 200, answer.text
    return str(answer.get_json()["page"])


def opened(client: FlaskClient, page: str) -> str:
    """The key of a browser that has opened its page and plays there."""
    with client.get(page, headers={"Accept": "text/html"}) as answer:
        assert answer.status_code == 200, answer.text
        found = re.search(r'data-play-key="([0-9a-f]{32})"', answer.text)
    assert found is not None
    return found[1]


def acts(client: FlaskClient, page: str, key: str) -> int:
    with client.post(f"{page}/goes-on", headers={KEY_HEADER: key}) as answer:
        return answer.status_code


def carried(one: FlaskClient, other: FlaskClient, page: str) -> FlaskClient:
    """The browser of `one`, as a proxy leads it to another node."""
    cookie = one.get_cookie(COOKIE, path=page)
    assert cookie is not None
    other.set_cookie(COOKIE, cookie.value, path=page)
    return other


@needs_nats
def test_a_bettors_browser_plays_on_at_another_node_when_its_own_is_killed(house: WireHouse) -> None:
    dies, lives = house.nodes
    page = page_of(dies)
    browser = dies.app.test_client()
    key = opened(browser, page)
    assert acts(browser, page, key) == 200
    dies.stop()
    house.nodes.remove(dies)
    browser = carried(browser, lives.app.test_client(), page)
    assert opened(browser, page) == key
    assert acts(browser, page, key) == 200
    assert acts(lives.app.test_client(), page, key) == 403


@needs_nats
def test_the_first_browser_at_any_node_has_the_page_and_any_node_takes_it_back(house: WireHouse) -> None:
    first, second = house.nodes
    page = page_of(first)
    ann, other = second.app.test_client(), first.app.test_client()
    key = opened(ann, page)
    assert acts(ann, page, key) == 200
    with other.get(page) as answer:
        assert answer.status_code == 200
        assert "data-play-key" not in answer.text
    told = first.app.test_client().delete("/api/v1/bettors/ann/pages", headers=NORTH).get_json()
    assert told["closed"] == 1
    for client in (ann, other):
        wait_until(lambda client=client: client.get(page).status_code == 410)  # type: ignore[misc]


class TwoProcesses:
    """The tickets of two processes over one database, at a time of the test's own."""

    def __init__(self, address: str) -> None:
        self.now_ms = 1_700_000_000_000
        tokens = itertools.count(1)
        self.rows = TicketRows(address)
        self.one, self.other = (
            Tickets(lambda: f"token-{next(tokens)}", self.now, lambda: 0.0, TicketShelf(TicketRows(address), self.now))
            for _ in range(2)
        )

    def now(self) -> int:
        return self.now_ms

    def close(self) -> None:
        self.one.let_go()
        self.other.let_go()
        self.rows.close()


@pytest.fixture
def two(postgres_address: str) -> Iterator[TwoProcesses]:
    made = TwoProcesses(postgres_address)
    yield made
    made.close()


def issue(tickets: Tickets, bettor: str = "ann") -> tuple[str, Ticket]:
    return tickets.issue(
        "north", bettor, "t1", language="ja", valid_s=HOUR_S, plays=True, returns_to="https://n.example"
    )


def test_a_ticket_is_the_same_wherever_it_is_brought(two: TwoProcesses) -> None:
    token, ticket = issue(two.one)
    assert two.other.look(token) is None
    assert two.other.find(token) == ticket
    assert two.other.look(token) == ticket
    two.now_ms += HOUR_S * 1_000
    assert (two.one.find(token), two.other.find(token)) == (None, None)


def test_of_two_browsers_at_two_processes_one_has_the_page(two: TwoProcesses) -> None:
    token, ticket = issue(two.one)
    found = two.other.find(token)
    assert found is not None
    assert two.other.bind(found, BOB).is_played_by(BOB)
    bound = two.one.bind(ticket, ANN)
    assert (bound.is_played_by(ANN), bound.is_played_by(BOB)) == (False, True)


def test_what_one_process_ends_another_opens_no_more_and_binds_no_more(two: TwoProcesses) -> None:
    (first, ticket), (second, _) = issue(two.one), issue(two.one)
    assert two.other.find(first) is not None
    assert two.other.revoke("north", "ann") == 2
    assert (two.other.find(first), two.other.find(second)) == (None, None)
    assert not two.one.bind(ticket, ANN).player
    two.one.look_again()
    assert (two.one.find(first), two.one.find(second)) == (None, None)


def test_a_bettor_has_no_more_pages_over_all_processes_than_at_one(two: TwoProcesses) -> None:
    tokens = [issue(tickets)[0] for tickets, _ in zip(itertools.cycle((two.one, two.other)), range(A_BETTOR_MAX + 1))]
    two.one.look_again()
    two.other.look_again()
    for tickets in (two.one, two.other):
        assert [tickets.find(token) is not None for token in tokens] == [False, *[True] * A_BETTOR_MAX]


def test_a_play_that_began_at_one_process_goes_on_at_another(two: TwoProcesses) -> None:
    _, first = issue(two.one)
    two.now_ms += 60_000
    _, second = issue(two.other)
    assert second.since_ms == first.since_ms
    two.now_ms += 60_000
    assert two.one.go_on(first).went_on_ms == two.now_ms
    two.other.look_again()
    assert issue(two.other)[1].went_on_ms == two.now_ms


def test_no_token_lies_in_the_database_and_what_is_over_goes(two: TwoProcesses) -> None:
    token, ticket = issue(two.one)
    told = two.rows.find([ticket.digest])
    assert [row.digest for row in told] == [ticket.digest]
    assert token not in str(told)
    two.rows.lapse(two.now_ms + HOUR_S * 1_000 + 1)
    assert two.rows.find([ticket.digest]) == ()


class Away(TicketRows):
    """Rows that cannot be reached."""

    def __init__(self) -> None:
        self.there: list[TicketRow] = []
        self.away = False

    def keep(self, row: TicketRow) -> None:
        self.there.append(row)

    def lapse(self, before_ms: int) -> None:
        """Nothing is over."""

    def _refuse(self, *given: object) -> None:
        if self.away:
            raise StorageError("The database cannot be reached.")

    def find(self, digests: object) -> tuple[TicketRow, ...]:
        self._refuse()
        return tuple(self.there)

    def of(self, operator: str, bettor: str) -> tuple[TicketRow, ...]:
        return self.find(())


class Between(Away):
    """Something is done between the reading of rows and what is made of them."""

    def __init__(self) -> None:
        super().__init__()
        self.then: Callable[[], object] | None = None

    def find(self, digests: object) -> tuple[TicketRow, ...]:
        found = super().find(digests)
        if (then := self.then) is not None:
            self.then = None
            then()
        return found

    def end(self, digests: Iterable[str]) -> None:
        over = set(digests)
        self.there = [row for row in self.there if row.digest not in over]


def test_what_is_ended_while_others_look_does_not_come_back() -> None:
    rows = Between()
    tickets = Tickets(lambda: "token", lambda: 1_000, lambda: 0.0, TicketShelf(rows, lambda: 1_000))
    token, ticket = issue(tickets)
    rows.then = lambda: tickets.revoke("north", "ann")
    tickets.look_again()
    assert tickets.look(token) is None
    assert tickets.newest(ticket) == ticket
    assert tickets.look(token) is None

    other = Tickets(lambda: "token", lambda: 1_000, lambda: 0.0, TicketShelf(rows, lambda: 1_000))
    issue(other)
    rows.then = lambda: tickets.revoke("north", "ann")
    assert tickets.find(token) is None


def test_while_the_database_is_away_a_page_that_is_known_stays_and_no_other_is_said_to_be_over() -> None:
    rows = Away()
    tickets = Tickets(lambda: "token", lambda: 1_000, lambda: 0.0, TicketShelf(rows, lambda: 1_000))
    token, ticket = issue(tickets)
    rows.away = True
    with pytest.raises(StorageError):
        tickets.look_again()
    assert tickets.find(token) == ticket
    with pytest.raises(StorageError):
        tickets.find("another")
    with pytest.raises(StorageError):
        tickets.revoke("north", "ann")
    assert tickets.find(token) == ticket
