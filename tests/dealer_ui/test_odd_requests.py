"""Nothing that anybody sends is a mistake of ours: every route of the house, odd requests of everybody, no answer 5xx.

The routes are those the application has. A refusal is whatever it is; that the house failed is never an answer, and
no table may be frozen by what was sent.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from typing import Any

import pytest
from flask import got_request_exception
from flask.testing import FlaskClient
from odd_request import OddRequest, OddRequests
from running_studio import API_KEY, TABLE, House
from sealed_search import STAFF, sign_up

from dealer_ui.access.auth import COOKIE
from studio.people import Pin
from studio.people.staffing import NewStaff

SOME, MANY = 3, 36
SEED, LONG_SEEDS = 1, (2,)
_BADGES = {role: (badge, pin) for _, badge, pin, role in STAFF}
_VISITORS = (*_BADGES, "nobody", "operator")


class Odd:
    """A running studio with bets open, and everybody who may ask something of it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.app = house.studio.app
        sign_up(house)
        house.floor.staff.add(NewStaff("z1", "7001", "Zoe", ("dealer",), Pin("7777")))
        self.clients = {name: self.app.test_client() for name in _VISITORS}
        self.ticket = house.post("/bettors/ann/pages", {"table": TABLE}).json["page"].removeprefix("/play/")
        self.broken: list[str] = []
        got_request_exception.connect(self._note, self.app)

    def _note(self, app: object, exception: BaseException, **_: object) -> None:
        self.broken.append("".join(traceback.format_exception(exception)[-4:]))

    @property
    def doors(self) -> list[tuple[str, str, str]]:
        """Method, rule, and the module that the route lives in."""
        return sorted(
            (method, rule.rule, self.app.view_functions[rule.endpoint].__module__)
            for rule in self.app.url_map.iter_rules()
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        )

    @property
    def given(self) -> dict[str, str]:
        return {
            "table": TABLE, "round": f"{TABLE}-0000001", "digest": "a" * 64, "role": "shoe", "token": self.ticket,
            "bettor": "ann", "client_id": "k1", "bet": "x", "path:filename": "console.css",
            "name": "pit", "deck": "deck-1", "kind": "incidents", "sheet": "1", "id": "d1", "part": "shoe",
            "day": "2026-01-31",
        }  # fmt: skip

    def csrf(self, who: str) -> str:
        """The token of whoever it is, signed in anew where what he sent ended that."""
        if who not in _BADGES:
            return ""
        client = self.clients[who]
        if (found := self._viewer(client)) is None:
            badge, pin = _BADGES[who]
            client.post("/sign-in", data={"badge": badge, "pin": pin})
            found = self._viewer(client)
        return found.csrf if found else ""

    def _viewer(self, client: FlaskClient) -> Any:
        cookie = client.get_cookie(COOKIE)
        return self.app.extensions["console"].sessions.find(cookie.value) if cookie else None

    def send(self, who: str, odd: OddRequest) -> tuple[int, str]:
        if who not in _BADGES:
            self.clients[who].delete_cookie(COOKIE)
        headers = {"X-CSRF-Token": self.csrf(who), **odd.headers}
        if who == "operator":
            headers["Authorization"] = f"Bearer {API_KEY}"
        with self.clients[who].open(
            "/", method=odd.method, data=odd.body or None, content_type=odd.content_type or None, headers=headers,
            environ_overrides=odd.environ,
        ) as answer:  # fmt: skip
            elsewhere = answer.headers.get("Location", "/").removeprefix("http://localhost")
            assert re.match(r"/(?![/\\])", elsewhere), elsewhere
            return answer.status_code, "" if answer.is_streamed else answer.text


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Odd]:
    with House(tmp_path_factory.mktemp("odd")) as house:
        house.betting()
        yield Odd(house)


def failures(odd: Odd, seed: int, count: int) -> list[str]:
    """What went wrong, each with its request; every visitor sends `count` to every door."""
    made, found = OddRequests(seed, odd.given), []
    for method, rule, module in odd.doors:
        for who in _VISITORS:
            for one in made.at(method, rule, module, count, _BADGES.get(who, _BADGES["dealer"])):
                odd.broken.clear()
                try:
                    status, text = odd.send(who, one)
                except Exception:
                    status, text = 500, traceback.format_exc(limit=-4)
                if status >= 500 or "our_error" in text:
                    found.append(f"{who}: {status} {rule}\n  {one}\n{''.join(odd.broken)}{text[:3000]}")
                frozen = odd.house.studio.workers[0].runtime.state.pit.freeze.by
                assert frozen != "system", f"frozen by {who}: {one}"
    return found


@pytest.mark.long
def test_nothing_odd_is_a_mistake_of_ours(odd: Odd) -> None:
    assert failures(odd, SEED, SOME) == []


@pytest.mark.night
@pytest.mark.parametrize("seed", LONG_SEEDS)
def test_nothing_odd_of_many_is_a_mistake_of_ours(odd: Odd, seed: int) -> None:
    assert failures(odd, seed, MANY) == []


# --- one by one -----------------------------------------------------------------------------------------

DEEP = b'{"act":' + b"[" * 100_000


@pytest.mark.parametrize("path", ["/staff", "/decks", "/shift", "/pit/t1/game", "/table/t1/command", "/pit/act"])
@pytest.mark.parametrize("body", [b"[]", b"3", b'{"act": [[]]}', b'{"pin": {"a": 1}}', DEEP, b"\xff"])
def test_a_form_that_is_none_is_refused_in_a_sentence(odd: Odd, path: str, body: bytes) -> None:
    headers = {"X-CSRF-Token": odd.csrf("pit_boss")}
    answer = odd.clients["pit_boss"].post(path, data=body, content_type="application/json", headers=headers)
    assert answer.status_code == 409
    assert answer.is_json is False or answer.json["refused"].endswith((".", "。"))  # some odd request chose a language


@pytest.mark.parametrize("target", ["/pit\r\nX-Odd: 1", "/pit\n", "//[", "http://[", "/\x00"])
def test_who_signs_in_is_led_to_no_address_that_is_none(odd: Odd, target: str) -> None:
    badge, pin = _BADGES["auditor"]
    answer = odd.app.test_client().post("/sign-in", data={"badge": badge, "pin": pin, "next": target})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


@pytest.mark.parametrize("address", ["http://[", "//[::1", "\xff"])
def test_a_page_that_names_no_address_as_its_own_is_a_strangers(odd: Odd, address: str) -> None:
    client, headers = odd.clients["auditor"], {"X-CSRF-Token": odd.csrf("auditor")}
    assert client.post("/table/t1/command", headers={**headers, "Origin": address}).status_code == 403
    assert odd.app.test_client().post("/sign-out", headers={"Referer": address}).status_code == 401


@pytest.mark.parametrize("id", ["a\r\nb", "..", "a/b", "<b>", "z" * 65, "\x00"])
def test_nobody_joins_the_staff_under_an_id_that_no_address_can_hold(odd: Odd, id: str) -> None:
    new = {"act": "add", "id": id, "badge": "8001", "name": "Xu", "role": "dealer"}
    told = {**new, "pin": "915374"}
    answer = odd.clients["admin"].post("/staff", data=told, headers={"X-CSRF-Token": odd.csrf("admin")})
    assert answer.status_code == 409
    assert id not in odd.house.floor.staff.register.people


def test_a_table_there_is_not_is_not_found(odd: Odd) -> None:
    for path in ("/technician/t9/camera/propose", "/technician/t9/camera/save", "/technician/t9/shoe/test"):
        headers = {"X-CSRF-Token": odd.csrf("technician")}
        assert odd.clients["technician"].post(path, json={}, headers=headers).status_code == 404
