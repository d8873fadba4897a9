"""Who gets through which door: every route, every command and every path of the interface, for every role.

The printed page is `role_page.py`, written by hand; the routes and commands are those the application has, so one
without a line there fails. It is asked of a whole running studio, with its real staff register and real tables.

"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from role_page import ASKED, FLOOR_ACTS, ROUTES, STREAMS
from running_studio import API_KEY, DEAL, TABLE, House
from sealed_search import STAFF, sign_up

from dealer_ui.access.auth import COOKIE, VIOLATIONS
from dealer_ui.assembly.app import SCREENS
from dealer_ui.frame.command_form import COMMANDS
from dealer_ui.pages.pit.door import ACTS
from studio.people import Pin
from studio.people.papering import bar_staff
from studio.people.staffing import NewStaff

ROLES = {"D": "dealer", "P": "pit_boss", "A": "auditor", "T": "technician", "X": "admin"}
EVERYBODY = "DPATX"

DENIED = (401, 403)


def _doors() -> dict[tuple[str, str], str]:
    lines = (line.split() for line in ROUTES.splitlines() if line.strip())
    return {(method, rule): who for method, rule, who in lines}


def _cells(page: str) -> dict[str, str]:
    cells = (cell.split() for line in page.splitlines() for cell in line.split("·") if cell.strip())
    return {name: who for name, who in cells}


DOORS, MAY_ASK, MAY_ACT = _doors(), _cells(ASKED), _cells(FLOOR_ACTS)


class Matrix:
    """A running studio with somebody of every role at a station of his own."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.app = house.studio.app
        sign_up(house)
        self.clients = {letter: self.signed_in(role) for letter, role in ROLES.items()}
        self.nobody = self.app.test_client()

    def signed_in(self, role: str) -> FlaskClient:
        client = self.app.test_client()
        [(badge, pin)] = [(badge, pin) for _, badge, pin, held in STAFF if held == role]
        assert client.post("/sign-in", data={"badge": badge, "pin": pin}).status_code == 303
        return client

    def csrf(self, client: FlaskClient) -> str:
        cookie = client.get_cookie(COOKIE)
        viewer = self.app.extensions["console"].sessions.find(cookie.value) if cookie else None
        return viewer.csrf if viewer else "none"

    def status(self, client: FlaskClient, method: str, path: str, **headers: str) -> tuple[int, str]:
        told = {"X-CSRF-Token": self.csrf(client), "Accept": "text/html", **headers}
        with client.open(path, method=method, headers=told, data={} if method == "POST" else None) as answer:
            return answer.status_code, answer.headers.get("Location", "")

    def ask(self, client: FlaskClient, command: str, **fields: Any) -> Any:
        headers = {"X-CSRF-Token": self.csrf(client), "Accept": "application/json"}
        return client.post(f"/table/{TABLE}/command", json={"command": command, **fields}, headers=headers)


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matrix]:
    with House(tmp_path_factory.mktemp("matrix")) as house:
        house.open()
        yield Matrix(house)


def address(rule: str, *, stream: str = "") -> str:
    given = {
        "table": TABLE, "round": f"{TABLE}-0000001", "digest": "a" * 64, "role": "shoe", "token": "no-such-page",
        "bettor": "ann", "client_id": "k1", "bet": "x", "path:filename": "console.css",
        "name": stream, "deck": "deck-1", "kind": "incidents", "sheet": "1", "id": "d1", "part": "shoe",
        "day": "2026-01-31", "movement": "1", "transaction": "none",
    }  # fmt: skip
    for name, value in given.items():
        rule = rule.replace(f"<{name}>", value)
    assert "<" not in rule, f"say what stands for the argument in {rule}"
    return rule


def is_refused(told: tuple[int, str]) -> bool:
    return told[0] in DENIED or (told[0] in (302, 303) and "/sign-in" in told[1])


# --- nothing is missing ---------------------------------------------------------------------------------


def test_every_route_of_the_house_has_its_line_here_and_every_line_its_route(matrix: Matrix) -> None:
    there = {
        (method, rule.rule)
        for rule in matrix.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    streams = {("GET", f"/{of}/<name>{table}") for of in ("stream", "view") for table in ("", "/<table>")}
    assert there - streams - set(DOORS) == set(), "give each of these its line in role_page.py"
    assert set(DOORS) - there == set(), "these are gone: take their lines out of role_page.py"


def test_every_command_has_its_cell_here_and_every_cell_its_command() -> None:
    assert set(MAY_ASK) == set(COMMANDS)


def test_every_act_of_the_floor_has_its_cell_here_and_every_cell_its_act() -> None:
    assert set(MAY_ACT) == set(ACTS)


def test_every_live_stream_has_its_line_here() -> None:
    assert {screen.name for screen in SCREENS} == set(STREAMS)


# --- pages ----------------------------------------------------------------------------------------------

OTHERS = ("all", "key", "own")
STAFF_DOORS = [pytest.param(*door, id=" ".join(door)) for door, who in DOORS.items() if who not in OTHERS]
LEAVING = ("POST", "/sign-out")


@pytest.mark.parametrize(("method", "rule"), STAFF_DOORS)
def test_a_door_opens_for_its_roles_and_for_nobody_else(matrix: Matrix, method: str, rule: str) -> None:
    who, path = DOORS[method, rule], address(rule)
    for letter, client in matrix.clients.items():
        if (method, rule) == LEAVING:
            client = matrix.signed_in(ROLES[letter])
        status, _ = matrix.status(client, method, path)
        assert (status in DENIED) is (letter not in who), f"{ROLES[letter]} got {status}"
        assert status < 500
    assert is_refused(matrix.status(matrix.nobody, method, path))


@pytest.mark.parametrize(("method", "rule"), STAFF_DOORS)
def test_who_has_signed_out_gets_through_no_door(matrix: Matrix, method: str, rule: str) -> None:
    letter = DOORS[method, rule][0]
    left = matrix.signed_in(ROLES[letter])
    token = left.get_cookie(COOKIE)
    assert token is not None
    assert left.post("/sign-out", headers={"X-CSRF-Token": matrix.csrf(left)}).status_code == 303
    left.set_cookie(COOKIE, token.value)
    assert is_refused(matrix.status(left, method, address(rule)))


FORMS = [rule for (method, rule), who in DOORS.items() if method == "POST" and who != "key" and rule != VIOLATIONS]
"""What browsers report of broken policies is counted whoever sends it, and does nothing else."""


@pytest.mark.parametrize("rule", FORMS)
def test_a_form_of_another_site_or_without_its_token_gets_through_no_door(matrix: Matrix, rule: str) -> None:
    who = DOORS["POST", rule]
    client = matrix.signed_in(ROLES[who[0]]) if who != "all" else matrix.nobody
    strangers = [{"Origin": "https://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}]
    for headers in strangers if who == "all" else [*strangers, {"X-CSRF-Token": "wrong"}]:
        assert matrix.status(client, "POST", address(rule), **headers)[0] == 403


@pytest.mark.parametrize("of", ["stream", "view"])
@pytest.mark.parametrize("name", sorted(STREAMS))
def test_a_stream_is_seated_for_its_roles_alone(matrix: Matrix, name: str, of: str) -> None:
    path = f"/{of}/{name}" if name in ("pit", "technician", "complaints", "wallets") else f"/{of}/{name}/{TABLE}"
    for letter, client in matrix.clients.items():
        status, _ = matrix.status(client, "GET", path)
        allowed = STREAMS[name] == "all" or letter in STREAMS[name]
        assert (status in DENIED) is not allowed, f"{ROLES[letter]} got {status}"
    assert is_refused(matrix.status(matrix.nobody, "GET", path)) is (STREAMS[name] != "all")


# --- the operators' interface ---------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "rule"), [door for door, who in DOORS.items() if who == "key"])
def test_the_interface_opens_with_a_key_and_with_no_badge(matrix: Matrix, method: str, rule: str) -> None:
    path = address(rule)
    for client in (matrix.nobody, *matrix.clients.values()):
        assert matrix.status(client, method, path)[0] == 401
        assert matrix.status(client, method, path, Authorization="Bearer another-key")[0] == 401
    assert matrix.status(matrix.nobody, method, path, Authorization=f"Bearer {API_KEY}")[0] not in (*DENIED, 500)


def test_a_key_opens_no_page_of_the_house(matrix: Matrix) -> None:
    for (method, rule), who in DOORS.items():
        if who not in OTHERS:
            told = matrix.status(matrix.nobody, method, address(rule), Authorization=f"Bearer {API_KEY}")
            assert is_refused(told), rule


# --- commands -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", sorted(MAY_ASK))
def test_a_command_is_heard_from_its_roles_alone(matrix: Matrix, command: str) -> None:
    """Heard, and then refused for want of a field or by the state of the table: never because of who asks."""
    for letter, client in matrix.clients.items():
        if letter in MAY_ASK[command] and command in ("freeze_table", "close_table", "pause_table"):
            continue  # these are carried out at once, and the tests beside this one use the table
        answer = matrix.ask(client, command)
        assert (answer.status_code == 403) is (letter not in MAY_ASK[command]), (ROLES[letter], answer.text)
    assert matrix.ask(matrix.nobody, command).status_code in DENIED


@pytest.mark.parametrize("act", sorted(MAY_ACT))
def test_an_act_for_the_floor_is_heard_from_its_roles_alone(matrix: Matrix, act: str) -> None:
    for letter, client in matrix.clients.items():
        if letter in MAY_ACT[act] and act == "freeze_floor":
            continue  # it is carried out at once, and the tests beside this one use the table
        headers = {"X-CSRF-Token": matrix.csrf(client), "Accept": "application/json"}
        answer = client.post("/pit/act", json={"act": act}, headers=headers)
        assert (answer.status_code == 403) is (letter not in MAY_ACT[act]), (ROLES[letter], answer.text)
    assert matrix.nobody.post("/pit/act", json={"act": act}).status_code in DENIED


PIT_ALONE = [name for name, who in MAY_ASK.items() if "D" not in who]


def test_what_a_dealer_may_never_ask_is_all_that_voids_overrides_or_approves() -> None:
    assert {"approve_ruling", "decline_ruling", "release_table", "decide_compensation", "verify_deck"} <= set(PIT_ALONE)
    assert {"withdraw_shoe", "open_table", "change_dealer", "allow_pay_table"} <= set(PIT_ALONE)


@pytest.mark.parametrize("who", ["D", "T", "A", "X"])
def test_nobody_but_a_pit_boss_voids_a_round(tmp_path: Path, who: str) -> None:
    with House(tmp_path) as house:
        house.betting()
        house.bet("c1")
        matrix = Matrix(house)
        assert matrix.ask(matrix.clients["D"], "report_incident", kind="exposed_card").status_code == 200
        [incident] = house.view.incidents.open
        ruled = {"incident": incident.id, "ruling": "void_round", "reason_code": "seen", "words": "As I saw it."}
        pin = next(pin for _, _, pin, role in STAFF if role == ROLES[who])
        assert matrix.ask(matrix.clients[who], "rule_incident", **ruled, pin=pin).status_code in (403, 409)
        assert matrix.ask(matrix.clients[who], "rule_incident", **ruled).status_code in (403, 409)
        assert matrix.ask(matrix.clients["P"], "rule_incident", **ruled).status_code == 409  # his PIN is wanted
        assert (house.view.round.stage, house.view.incidents.open) == ("dealing", (incident,))
        assert matrix.ask(matrix.clients["P"], "rule_incident", **ruled, pin="730162").status_code == 200
        assert house.view.round.stage in ("voiding", "voided")


def test_nobody_approves_what_he_asked_for_and_a_dealer_approves_nothing(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.betting()
        matrix = Matrix(house)
        dealer, pit = matrix.clients["D"], matrix.clients["P"]
        assert matrix.ask(dealer, "close_betting").status_code == 200
        house.until(lambda view: view.now.act.key == "act.deal")
        house.deal("player1", 1, DEAL[0], up=True)
        wanted = {"box": "player1", "place": "1", "card": "Qd", "reason_code": "other", "words": "Misread."}
        assert matrix.ask(dealer, "override_card", **wanted, pin="4826").status_code == 200
        [incident] = house.view.incidents.open
        assert incident.asked.by == "d1"
        assert matrix.ask(dealer, "approve_ruling", incident=incident.id, pin="4826").status_code == 403
        assert matrix.ask(pit, "approve_ruling", incident=incident.id).status_code == 409
        assert matrix.ask(pit, "decline_ruling", incident=incident.id, pin="730162").status_code == 200
        asked = {"incident": incident.id, "ruling": "manual", "argument": "Qd", "reason_code": "o", "words": "Misread."}
        assert matrix.ask(pit, "rule_incident", **asked, pin="730162").status_code == 200
        [mark] = [one.asked.mark for one in house.view.incidents.open]
        own = matrix.ask(pit, "approve_ruling", incident=incident.id, asked=mark, pin="730162")
        assert (own.status_code, own.json["key"]) == (409, "same_person")
        assert [one.asked.by for one in house.view.incidents.open] == ["p1"]


# --- who is barred, and who only looks ------------------------------------------------------------------


@pytest.fixture(scope="module")
def barred(matrix: Matrix) -> FlaskClient:
    """Somebody with every role, signed in, and barred while he was."""
    desk = matrix.house.floor.staff
    desk.add(NewStaff("b1", "5001", "Bea", tuple(ROLES.values()), Pin("5555")))
    client = matrix.app.test_client()
    assert client.post("/sign-in", data={"badge": "5001", "pin": "5555"}).status_code == 303
    assert matrix.status(client, "GET", "/staff")[0] == 200
    admin = desk.actor("a1").with_pin(desk.now_ms())
    desk.change(lambda register, now: (bar_staff(register, "b1", reason="Under inquiry.", by=admin, now_ms=now),))
    return client


@pytest.mark.parametrize(("method", "rule"), STAFF_DOORS)
def test_who_is_barred_gets_through_no_door_though_he_was_in_and_holds_every_role(
    matrix: Matrix, barred: FlaskClient, method: str, rule: str
) -> None:
    assert is_refused(matrix.status(barred, method, address(rule)))


def test_who_is_barred_asks_for_nothing_and_signs_in_nowhere(matrix: Matrix, barred: FlaskClient) -> None:
    for command in MAY_ASK:
        assert matrix.ask(barred, command).status_code in DENIED, command
    for act in MAY_ACT:
        assert barred.post("/pit/act", json={"act": act}).status_code in DENIED, act
    again = matrix.app.test_client()
    assert again.post("/sign-in", data={"badge": "5001", "pin": "5555"}).status_code == 401
    assert is_refused(matrix.status(again, "GET", "/"))


def test_an_auditor_may_stop_the_house_and_call_for_the_pit_and_nothing_else(matrix: Matrix) -> None:
    assert {name for name, who in MAY_ASK.items() if "A" in who} == {"freeze_table", "call_pit"}
    assert {name for name, who in MAY_ACT.items() if "A" in who} == {"freeze_floor"}
    doors = {rule for (method, rule), who in DOORS.items() if method == "POST" and "A" in who}
    assert doors == {
        "/sign-out",
        "/pin",
        "/sign-ins",
        "/second-factor",
        "/audit/verify",
        "/pit/act",
        "/table/<table>/command",
    }


def test_an_auditor_who_tries_every_form_of_the_house_changes_nothing(matrix: Matrix) -> None:
    auditor, before = matrix.clients["A"], _facts(matrix)
    for rule in FORMS:
        if rule not in ("/sign-out", "/sign-in"):
            told = matrix.status(auditor, "POST", address(rule))
            assert told[0] < 500, rule
            heard = rule in ("/audit/verify", "/pit/act", "/table/<table>/command")
            assert heard or told[0] in (*DENIED, 409, 410) or is_refused(told), (rule, told)
    for command in set(MAY_ASK) - {"freeze_table", "call_pit"}:
        assert matrix.ask(auditor, command).status_code == 403, command
    assert _facts(matrix) == before


def _facts(matrix: Matrix) -> list[tuple[int, str]]:
    """What is in the journal; that somebody was refused is no change."""
    return [(row.seq, row.kind) for row in matrix.house.floor.reader().events() if "Refused" not in row.kind]
