"""Two table hosts and web nodes of one studio: pages, commands and the operators' interface for tables anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from nats_server import NatsServer, needs_nats
from patience import wait_until
from running_studio import DEALER, PIT
from wire_house import DESK, TABLES, WireHouse, config

from dealer_ui.access.auth import COOKIE
from dealer_ui.assembly import on_wire
from dealer_ui.assembly.bootstrap import StudioParts, build_studio
from dealer_ui.assembly.web_node import WebNode, build_web_node
from dealer_ui.pages.pit.freeze import freeze_floor
from dealer_ui.wire.far_tables import UNREACHABLE
from dealer_ui.wire.presence import BEAT_S
from studio.diagnosis import Unseen
from studio.errors import BadInputError, RefusedError
from studio.tables import command as c

pytestmark = needs_nats
EVERY = tuple(table for tables in TABLES.values() for table in tables)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WireHouse]:
    """One studio for the tests that stop nothing: any of them may have opened its tables, none leaves one frozen."""
    folder = tmp_path_factory.mktemp("shared")
    with NatsServer(folder) as server, WireHouse(folder, server) as made:
        yield made


@pytest.fixture(scope="module")
def second(shared: WireHouse) -> WebNode:
    """Another web node of the shared studio."""
    return shared.start_web("web-2")


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[NatsServer]:
    with NatsServer(tmp_path) as server:
        yield server


@pytest.fixture
def house(tmp_path: Path, nats: NatsServer) -> Iterator[WireHouse]:
    with WireHouse(tmp_path, nats) as made:
        yield made


def opened(house: WireHouse, table: str) -> None:
    """It is open, whoever opened it."""
    if house.at_host(table).now.status != "open":
        house.open(table)


def release(house: WireHouse, table: str) -> None:
    house.do(table, c.ReleaseTable, PIT, reason_code="checked", words="Looked at it, all in order.")
    wait_until(lambda: not house.web.floor.view(table).now.frozen_by)


def alike(house: WireHouse, table: str) -> bool:
    """The web node shows the table as its host has it; only how often it was drawn may differ."""
    there, here = house.at_host(table), house.web.floor.view(table)
    return replace(here, seq=there.seq) == there


class Station:
    """Somebody signed in at a web node."""

    def __init__(self, node: WebNode, badge: str = "2001", pin: str = "730162") -> None:
        self.node, self.client = node, node.app.test_client()
        answer = self.client.post("/sign-in", data={"badge": badge, "pin": pin})
        assert answer.status_code == 303, answer.text
        cookie = self.client.get_cookie(COOKIE)
        assert cookie is not None
        found = node.app.extensions["console"].sessions.find(cookie.value)
        self.csrf = found.csrf

    def page(self, path: str) -> str:
        answer = self.client.get(path, headers={"Accept": "text/html"})
        assert answer.status_code == 200, (path, answer.status_code, answer.text)
        return answer.get_data(as_text=True)

    def press(self, table: str, command: str, **fields: str) -> Any:
        headers = {"X-CSRF-Token": self.csrf, "Accept": "application/json"}
        return self.client.post(f"/table/{table}/command", json={"command": command, **fields}, headers=headers)


def test_a_web_node_shows_every_table_as_its_own_host_has_it(shared: WireHouse) -> None:
    assert shared.web.floor.tables == EVERY
    for table in EVERY:
        wait_until(lambda table=table: alike(shared, table))  # type: ignore[misc]


def test_a_command_passes_to_whichever_host_has_the_table(shared: WireHouse) -> None:
    for table in EVERY:
        opened(shared, table)
        assert shared.at_host(table).now.status == "open"
        wait_until(lambda table=table: shared.web.floor.view(table).now.status == "open")  # type: ignore[misc]


def test_a_command_sent_twice_under_one_id_is_one_act(shared: WireHouse) -> None:
    opened(shared, "t3")
    assert shared.do("t3", c.CallPit, id="tap-1") == shared.do("t3", c.CallPit, id="tap-1")


def test_what_a_table_refuses_is_refused_with_its_own_sentence(shared: WireHouse) -> None:
    with pytest.raises(RefusedError) as here:
        shared.hosts["b"].floor.command("t3", c.StartRound(actor=DEALER))
    with pytest.raises(RefusedError) as there:
        shared.do("t3", c.StartRound)
    assert (there.value.key, there.value.sentence) == (here.value.key, here.value.sentence)


def test_who_signs_in_at_a_web_node_is_known_to_every_process(shared: WireHouse, second: WebNode) -> None:
    Station(shared.web)
    for floor in (shared.hosts["a"].floor, shared.hosts["b"].floor, second.floor):
        wait_until(lambda floor=floor: floor.staff.register.people[PIT.id].stations)  # type: ignore[misc]


def test_people_sign_in_at_two_web_nodes_at_once_and_each_is_let_in(shared: WireHouse, second: WebNode) -> None:
    for _ in range(3):
        Station(shared.web)
        Station(second, "1001", "4826")
    people = shared.hosts["a"].floor.staff.register.people
    assert people[PIT.id].stations
    assert people[DEALER.id].stations


def test_a_wrong_pin_at_a_web_node_is_refused_and_on_record(shared: WireHouse) -> None:
    answer = shared.api.post("/sign-in", data={"badge": "2001", "pin": "000000"})
    assert answer.status_code in (401, 409)
    assert any(row.kind == "SignInRefused" for row in shared.hosts["a"].floor.reader().events())


def test_the_pages_of_a_web_node_are_drawn_and_its_buttons_work(shared: WireHouse) -> None:
    opened(shared, "t3")
    wait_until(lambda: shared.web.floor.view("t3").now.status == "open")
    pit = Station(shared.web)
    for path in ("/pit", "/pit/t1", "/pit/t3", "/display/t3", "/staff", "/decks", "/shift", "/audit", "/operators"):
        assert pit.page(path)
    assert 'data-host="b"' in pit.page("/pit")
    answer = pit.press("t3", "freeze_table", id="tap-freeze")
    assert answer.status_code == 200, answer.text
    assert shared.at_host("t3").now.frozen_by == PIT.id
    release(shared, "t3")


def test_the_whole_floor_is_frozen_from_a_web_node(shared: WireHouse) -> None:
    opened(shared, "t1")
    opened(shared, "t3")
    wait_until(lambda: all(shared.web.floor.view(table).now.status == "open" for table in ("t1", "t3")))
    freeze_floor(shared.web.floor, PIT, "tap-floor")  # type: ignore[arg-type]
    assert shared.at_host("t1").now.frozen_with == shared.at_host("t3").now.frozen_with == "F-1"
    for table in EVERY:
        if shared.at_host(table).now.frozen_by:
            release(shared, table)


def test_money_and_bets_pass_and_a_bet_sent_again_is_one_bet(shared: WireHouse) -> None:
    deposit = {"client_id": "d1", "amount": 10_000}
    for _ in range(2):
        assert shared.post("/bettors/ann/deposits", deposit).status_code == 200
    assert shared.get("/bettors/ann/balance").json["balance"] == 10_000
    bets = {"bets": [{"client_id": "b1", "bettor": "ann", "bet": "player1_win", "stake": 200}]}
    answer = shared.post("/tables/t1/bets", bets)
    assert answer.status_code == 200, answer.text
    [said] = answer.json["answers"]
    assert said["status"] == "refused"  # no bets are open there, and the table says so over the wire


def test_a_bettor_who_is_blocked_at_a_web_node_is_blocked_at_every_host(shared: WireHouse) -> None:
    assert shared.post("/bettors/bob/blocked", {}).status_code == 200
    for host in shared.hosts.values():
        wait_until(lambda host=host: host.floor.bettors.of("north", "bob").blocked)  # type: ignore[misc]


def test_a_stopped_wire_stops_no_table_and_every_screen_says_that_it_is_old(nats: NatsServer, house: WireHouse) -> None:
    house.open("t3")
    wait_until(lambda: house.web.floor.view("t3").now.status == "open")
    pit = Station(house.web)
    nats.stop()
    wait_until(lambda: house.web.floor.is_old("t3"))
    for path in ("/pit/t3", "/display/t3"):
        assert re.search(r"cannot be reached", pit.page(path)), path
    answer = pit.press("t3", "freeze_table", id="tap-1")
    assert answer.status_code == 409
    assert "cannot be reached" in answer.json["refused"]
    assert not house.at_host("t3").now.frozen_by
    house.hosts["b"].floor.command("t3", c.CallPit(actor=DEALER))  # the host deals on
    nats.start()
    wait_until(lambda: not house.web.floor.is_old("t3") and house.web.floor.view("t3").now.pit_called_by)
    wait_until(lambda: alike(house, "t3"))
    assert pit.press("t3", "freeze_table", id="tap-2").status_code == 200


def test_a_host_that_is_gone_is_told_its_tables_refuse_at_once_and_it_comes_back(house: WireHouse) -> None:
    for table in ("t1", "t3"):
        house.open(table)
    pit = Station(house.web)
    far = house.hosts[DESK].on_wire
    assert far is not None
    wait_until(lambda: far.tables.view("t3").now.status == "open")
    pictures = [house.hosts["b"].floor.camera_jpeg("t3"), house.web.floor.camera_jpeg("t3")]
    assert pictures == [Unseen.ABSENT, Unseen.ABSENT], "it has no camera"
    house.stop_host("b")
    wait_until(lambda: house.web.floor.view("t3").now.act.key == UNREACHABLE)
    wait_until(lambda: not house.web.floor.is_old("t1"))
    wait_until(lambda: [one.state for one in house.web.floor.processes() if one.role == "table"] == ["here", "gone"])
    assert 'class="host gone" data-host="b"' in pit.page("/pit")
    assert house.web.floor.camera_jpeg("t3") is Unseen.UNREACHABLE
    lens = pit.client.get("/pit/pictures?tables=t1,t3").json["pictures"]
    assert lens == {"t1": {"why": "absent"}, "t3": {"why": "unreachable"}}
    with pytest.raises(RefusedError, match="cannot be reached"):
        house.do("t3", c.CallPit)
    bets = {"bets": [{"client_id": "b1", "bettor": "ann", "bet": "dealer", "stake": 200}]}
    assert "cannot be reached" in house.post("/tables/t3/bets", bets).json["answers"][0]["sentence"]
    wait_until(lambda: any(one.cause == "host" for one in house.hosts[DESK].floor.pit.book.alarms.values()))
    house.start_host("b")
    wait_until(lambda: not house.web.floor.is_old("t3"))
    wait_until(lambda: not any(one.cause == "host" for one in house.hosts[DESK].floor.pit.book.alarms.values()))


def test_a_web_node_that_starts_while_a_host_is_away_shows_what_there_is(house: WireHouse) -> None:
    house.stop_host("b")
    node = house.start_web("web-2")
    assert node.floor.tables == TABLES["a"]


def test_two_processes_of_one_name_do_not_both_start(shared: WireHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_wire, "NAMED_S", 1.3 * BEAT_S)
    own = config(shared.folder, shared.nats, "b")
    (shared.folder / "twin").mkdir()
    twin = own.model_copy(
        update={"studio": own.studio.model_copy(update={"database": str(shared.folder / "twin" / "b.db")})}
    )
    studio = build_studio(twin, Path(twin.studio.database), StudioParts(lambda *_: (), quick_pins=True))
    with pytest.raises(BadInputError, match="Another process of this studio is called b"):
        studio.start()
    studio.stop()


def test_a_web_node_without_a_record_says_so(tmp_path: Path, nats: NatsServer) -> None:
    with pytest.raises(BadInputError, match=r"a\.db"):
        build_web_node(config(tmp_path, nats, "web-1", "web"))


def test_a_host_without_tables_says_so(tmp_path: Path, nats: NatsServer) -> None:
    with pytest.raises(BadInputError, match="No table is run by the host c"):
        config(tmp_path, nats, "c")
