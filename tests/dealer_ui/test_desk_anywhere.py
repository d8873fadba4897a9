"""While the host of the desk is gone the studio's books go on: people sign in, shifts change, decks are brought."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from first_sign_in import code_in, half_in
from flask.testing import FlaskClient
from nats_server import NatsServer, needs_nats
from patience import wait_until
from running_studio import API_KEY, DEALER, PIT
from soft_passkey import SoftKey, asked_in
from wire_house import DESK, WireHouse

from dealer_ui.desk.halfway import DoorStep
from dealer_ui.desk.relying_party import RelyingParty
from studio.journal.chain import check
from studio.money import grant_account
from studio.people import NewStaff, Pin
from studio.people.second_factor import STEP_MS, TotpSecret
from studio.people.signing_in import WRONG_PINS_MAX

pytestmark = needs_nats
DANA = {"badge": "1001", "pin": "4826"}
PETRA = {"badge": "2001", "pin": "730162"}
NORTH = {"Authorization": f"Bearer {API_KEY}"}


@pytest.fixture
def house(tmp_path: Path, postgres_address: str) -> Iterator[WireHouse]:
    """The host of the desk is gone; `b` and the web nodes run on."""
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats, postgres=postgres_address) as made:
        wait_until(lambda: PIT.id in made.hosts["b"].floor.staff.register.people)
        made.stop_host(DESK)
        yield made


def clients(house: WireHouse) -> tuple[FlaskClient, FlaskClient]:
    """A browser at a web node, and one at the host that is left."""
    return house.web.app.test_client(), house.hosts["b"].app.test_client()


def csrf(client: FlaskClient, page: str) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', client.get(page).text)
    assert found is not None
    return found[1]


def test_people_sign_in_at_every_process_and_work(house: WireHouse, postgres_address: str) -> None:
    at_web, at_host = clients(house)
    assert at_web.post("/sign-in", data=DANA).status_code == 303
    assert at_host.post("/sign-in", data=PETRA).status_code == 303
    assert at_web.get("/whoami").json["name"] == DEALER.name  # type: ignore[index]
    assert house.hosts["b"].floor.staff.register.people[DEALER.id].stations
    assert at_host.post("/shift", data={"act": "open", "csrf": csrf(at_host, "/shift")}).status_code == 303
    wait_until(lambda: house.web.floor.shifts.shifts.opened is not None)
    assert check(postgres_address) is None


def test_wrong_pins_are_counted_once_over_all_processes(house: WireHouse) -> None:
    both = clients(house)
    for wrong in range(WRONG_PINS_MAX):
        assert both[wrong % 2].post("/sign-in", data={**DANA, "pin": "9999"}).status_code != 303
    for client in both:
        assert client.post("/sign-in", data=DANA).status_code != 303


def test_a_code_counts_once_over_all_processes(house: WireHouse) -> None:
    at_web, at_host = clients(house)
    assert at_web.post("/sign-in", data=PETRA).status_code == 303
    secret = enrolled(house)
    code = secret.code(house.web.floor.now_ms() // STEP_MS)
    halves = [half(client) for client in (at_web, at_host)]
    assert typed(at_web, halves[0], code) == 303
    assert typed(at_host, halves[1], code) != 303  # used up elsewhere
    assert typed(at_host, halves[1], secret.code(house.web.floor.now_ms() // STEP_MS + 1)) == 303


def enrolled(house: WireHouse) -> TotpSecret:
    """Petra sets up a factor at the web node; gives its secret."""
    second, staff = house.web.floor.staff.second, house.web.floor.staff
    token = second.begin(PIT.with_pin(staff.now_ms()), "s1")
    secret = second.look(token, DoorStep.OWN).secret
    assert secret is not None
    second.enter(token, secret.code(staff.now_ms() // STEP_MS - 1), DoorStep.OWN)
    return secret


def half(client: FlaskClient) -> str:
    found = re.search(r'name="half" value="([^"]+)"', client.post("/sign-in", data=PETRA).text)
    assert found is not None
    return found[1]


def typed(client: FlaskClient, half: str, code: str) -> int:
    return client.post("/sign-in/code", data={"half": half, "code": code, "next": "/whoami"}).status_code


@pytest.mark.long
def test_a_passkey_opens_at_every_process_and_no_answer_does_twice(house: WireHouse) -> None:
    for floor in (house.web.floor, house.hosts["b"].floor):
        floor.staff.second.party = RelyingParty("http://localhost", "Test")
    at_web, at_host = clients(house)
    assert at_web.post("/sign-in", data=PETRA).status_code == 303
    begun = {"act": "begin", "wants": "passkey", "pin": PETRA["pin"], "csrf": csrf(at_web, "/second-factor")}
    page, key = at_web.post("/second-factor", data=begun).text, SoftKey(b"key")
    made = {"act": "passkey", "half": half_in(page), "answer": key.make(asked_in(page)), "name": "Mine"}
    assert at_web.post("/second-factor", data={**made, "csrf": begun["csrf"]}).status_code == 303
    pages = [client.post("/sign-in", data=PETRA).text for client in (at_web, at_host)]
    shown = {"half": half_in(pages[0]), "answer": key.show(asked_in(pages[0])), "next": "/whoami"}
    assert at_host.post("/sign-in/passkey", data=shown).status_code == 303  # begun at the web node
    for client in (at_web, at_host):
        assert client.post("/sign-in/passkey", data=shown).status_code == 401  # answered once
    late = {"half": half_in(pages[1]), "answer": key.show(asked_in(pages[1])), "next": "/whoami"}
    assert at_web.post("/sign-in/passkey", data=late).status_code == 401  # asked before the last one was answered


def test_operators_deposit_launch_and_grant_by_any_node(house: WireHouse, postgres_address: str) -> None:
    def post(client: FlaskClient, path: str, body: dict[str, Any]) -> int:
        return client.post(f"/api/v1/bettors/ann/{path}", json=body, headers=NORTH).status_code

    for client in clients(house):  # sent again elsewhere it is the same
        assert post(client, "deposits", {"client_id": "d1", "amount": 5_000}) == 200
        assert post(client, "pages", {"table": "t3", "plays": True}) == 200
    assert house.hosts["b"].floor.reader().balance("bettor:north:ann") == 5_000
    assert check(postgres_address) is None


@pytest.mark.long
def test_the_host_of_the_desk_knows_all_of_it_when_it_is_back(house: WireHouse) -> None:
    at_web, _ = clients(house)
    assert at_web.post("/sign-in", data=PETRA).status_code == 303
    back = house.start_host(DESK)
    assert back.floor.staff.register.people[PIT.id].stations
    assert at_web.post("/sign-out", data={"csrf": csrf(at_web, "/pit")}).status_code == 303
    wait_until(lambda: not back.floor.staff.register.people[PIT.id].stations)


def test_a_code_and_a_chosen_pin_go_by_any_process(house: WireHouse, postgres_address: str) -> None:
    at_web, at_host = clients(house)
    assert at_web.post("/sign-in", data=PETRA).status_code == 303
    house.web.floor.staff.add(NewStaff("a9", "9009", "Ada", ("admin",), Pin("915374")))
    ada = house.hosts["b"].app.test_client()
    assert ada.post("/sign-in", data={"badge": "9009", "pin": "915374"}).status_code == 303
    asked = {"act": "code", "person": DEALER.id, "pin": "915374", "csrf": csrf(ada, "/staff")}
    code = code_in(ada.post("/staff", data=asked, follow_redirects=True).text)
    wait_until(lambda: house.web.floor.staff.register.people[DEALER.id].has_code)
    carried = half_in(at_web.post("/sign-in", data={**DANA, "pin": code}).text)
    fields = {"half": carried, "new_pin": "8305", "new_pin_again": "8305", "next": "/whoami"}
    assert at_host.post("/sign-in/pin", data=fields).status_code == 303  # begun at the web node
    assert at_host.get("/whoami").json["name"] == DEALER.name  # type: ignore[index]
    assert at_web.post("/sign-in/pin", data=fields).status_code == 401  # used up elsewhere
    assert at_web.post("/sign-in", data={**DANA, "pin": "8305"}).status_code == 303
    assert check(postgres_address) is None


@pytest.mark.long
def test_people_sign_in_at_a_table_host_and_work_while_the_wire_is_stopped(house: WireHouse) -> None:
    _, at_host = clients(house)
    house.nats.stop()
    assert at_host.post("/sign-in", data=PETRA).status_code == 303
    assert at_host.get("/pit").status_code == 200
    assert at_host.post("/shift", data={"act": "open", "csrf": csrf(at_host, "/shift")}).status_code == 303
    assert house.hosts["b"].floor.shifts.shifts.opened is not None
    house.nats.start()
    wait_until(lambda: house.web.floor.shifts.shifts.opened is not None)


@pytest.mark.long
def test_free_bets_are_granted_looked_at_and_taken_back_through_a_web_node(house: WireHouse) -> None:
    assert house.post("/bettors/cleo/deposits", {"client_id": "d1", "amount": 100}).status_code == 200
    wanted, mine = {"client_id": "welcome", "stake": 300, "count": 2}, "/bettors/cleo/free-bets"
    for _ in range(2):
        told = house.post(mine, wanted)
        assert told.status_code == 200, told.text
        assert told.json["left"] == 2, told.text
    assert house.post(mine, {**wanted, "stake": 400}).json["error"]["key"] == "client_id_reused"
    reader, account = house.hosts["b"].floor.reader(), grant_account("north", "cleo", "welcome")
    assert reader.balance(account) == 600
    gone = house.api.delete(f"/api/v1{mine}/welcome", headers=NORTH)
    assert gone.status_code == 200, gone.text
    assert [one["status"] for one in house.get(mine).json["free_bets"]] == ["cancelled"]
    assert reader.balance(account) == 0
