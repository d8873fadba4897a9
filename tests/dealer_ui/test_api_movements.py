"""Movements of money over the interface: page after page, by their ids, and to the cent what the statement says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from api_fake_floor import NORTH, SOUTH, FakeFloor, Seats
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.api.account.movement import FREE_KINDS_TOLD, KINDS_TOLD
from dealer_ui.api.door import blueprint
from studio.journal import Unit
from studio.money import (
    KINDS,
    Offer,
    Transfer,
    bettor_account,
    house_account,
    operator_account,
    receivable_account,
    suspense_account,
)
from studio.reports import cut
from studio.reports.statement.wallet import statement_lines

DAY_MS = 24 * 60 * 60 * 1000
STATED = {
    "debit": "debit", "credit": "credit", "void": "credit", "reversal": "credit", "compensation": "credit",
    "deposit": "deposit", "withdrawal": "withdrawal", "claw_back": "claw_back",
}  # fmt: skip
"""The kind of the statement's line that a movement is gathered in, where the purse lies in the studio."""
STATED_OF_WALLET = {
    "wallet_debit": "debit", "suspense": "debit", "wallet_credit": "credit", "wallet_compensation": "credit",
    "wallet_cancel": "cancel", "suspense_cleared": "cancel", "wallet_recovery": "recovery",
}  # fmt: skip
"""The same of a wallet, whose statement has the opposite sign."""


@pytest.fixture
def floor() -> Iterator[FakeFloor]:
    floor = FakeFloor()
    yield floor
    floor.close()


@pytest.fixture
def client(floor: FakeFloor) -> FlaskClient:
    app = Flask("test")
    app.register_blueprint(blueprint(floor, Seats(4)))
    return app.test_client()


def get(client: FlaskClient, path: str = "/movements", headers: Any = NORTH) -> Any:
    response = client.get(f"/api/v1{path}", headers=headers)
    assert response.status_code == 200, response.get_json()
    return response.get_json()


def error(client: FlaskClient, path: str, headers: Any = NORTH) -> tuple[int, str]:
    response = client.get(f"/api/v1{path}", headers=headers)
    return response.status_code, response.get_json()["error"]["key"]


def everything(client: FlaskClient, headers: Any = NORTH, limit: int = 2, bettor: str = "") -> list[dict[str, Any]]:
    """Page after page, until there is no more."""
    found, path = list[dict[str, Any]](), f"/movements?limit={limit}{bettor and f'&bettor={bettor}'}"
    page = get(client, path, headers)
    while True:
        found += page["movements"]
        if not page["more"]:
            return found
        assert len(page["movements"]) == limit
        page = get(client, f"{path}&after={page['next']}", headers)


def deposit(client: FlaskClient, bettor: str, amount: int = 10_000, headers: Any = NORTH) -> None:
    body = {"client_id": f"d-{bettor}", "amount": amount}
    assert client.post(f"/api/v1/bettors/{bettor}/deposits", headers=headers, json=body).status_code == 200


def place(client: FlaskClient, id: str, bettor: str, headers: Any = NORTH) -> None:
    bets = [{"client_id": id, "bettor": bettor, "bet": "player1_win", "stake": 500}]
    told = client.post("/api/v1/tables/t1/bets", headers=headers, json={"bets": bets}).get_json()
    assert {answer["status"] for answer in told["answers"]} == {"accepted"}, told


def keep(floor: FakeFloor, *moved: tuple[str, str, str, str, str, int], revision: int = 0) -> None:
    """Transfers: round, bet, kind, from, to, minor units."""
    floor._commit(Unit(transfers=tuple(Transfer(*one, "EUR", revision) for one in moved)))


def a_day(floor: FakeFloor, client: FlaskClient) -> None:
    """North's purses lie in the studio; south keeps his bettors' money himself. One round is settled and put right, one
    is void, one of south's stakes is nobody knows where; and a day later more is played."""
    floor.open_bets("t1-r1", 1)
    for bettor in ("ann", "bob"):
        deposit(client, bettor)
    for bettor in ("ann", "bob"):
        place(client, f"n1-{bettor}", bettor)
    stake(floor, "t1-r1", "s1")
    floor.settle({"player1_win": 1_000})
    kim, south = bettor_account("south", "kim"), operator_account("south")
    keep(floor, ("t1-r1", "tx-c1", "wallet_credit", kim, south, 1_000))
    floor.open_bets("t1-r2", 2)
    place(client, "n2-ann", "ann")
    stake(floor, "t1-r2", "s2")
    floor.void()
    suspense = suspense_account("south")
    keep(
        floor,
        ("t1-r2", "tx-v2", "wallet_cancel", kim, south, 500),
        ("t1-r2", "tx-s3", "suspend", south, suspense, 300),
        ("t1-r2", "tx-x3", "clear", suspense, south, 300),
    )
    body = {"client_id": "w-1", "amount": 10_000}
    assert client.post("/api/v1/bettors/ann/withdrawals", headers=NORTH, json=body).status_code == 200
    correct(floor)
    floor.now += DAY_MS
    floor.open_bets("t1-r3", 3)
    deposit(client, "eve")
    place(client, "n3-eve", "eve")
    stake(floor, "t1-r3", "s4")


def stake(floor: FakeFloor, round: str, id: str) -> None:
    """South's wallet gave a stake of kim's."""
    offer = Offer(f"b-{id}", "south", id, "kim", "t1", round, "player1_win", 500, "EUR", taken=f"tx-{id}")
    floor._commit(Unit(offers=(offer,)))


def correct(floor: FakeFloor) -> None:
    """The first round returned too much: 400 of it is taken back, and ann, who has 500, gave all the rest away."""
    house = house_account("t1")
    for bet in floor.reader().bets("t1-r1"):
        purse = bettor_account(bet.operator, bet.bettor)
        lent, back = ("t1-r1", bet.bet_id), ("t1-r1", bet.bet_id, "reverse_return", purse, house, 1_000)
        if bet.bettor != "bob":
            keep(floor, (*lent, "advance", receivable_account(purse), purse, 1_000), back, revision=1)
        else:
            keep(floor, back, revision=1)
        keep(floor, (*lent, "return", house, purse, 600), revision=1)
        if bet.bettor != "bob":
            keep(floor, (*lent, "repay", purse, receivable_account(purse), 600), revision=1)
        if bet.operator == "south":
            owed = receivable_account(purse)
            keep(floor, ("t1-r1", "tx-r1", "wallet_recover", operator_account("south"), owed, 400), revision=1)


def sums(told: list[dict[str, Any]], stated: dict[str, str], sign: int) -> dict[tuple[str, str], int]:
    found = Counter[tuple[str, str]]()
    for one in told:
        if one["kind"] in stated:
            found[stated[one["kind"]], one["currency"]] += sign * one["amount"]
    return {key: amount for key, amount in found.items() if amount}


def stated(floor: FakeFloor, operator: str, day: tuple[int, int]) -> dict[tuple[str, str], int]:
    """What the statement of the day says, by kind."""
    found = Counter[tuple[str, str]]()
    for line in statement_lines(floor.reader(), cut(floor.reader(), *day), operator):
        found[line.kind, line.currency] += line.amount_minor
    return {key: amount for key, amount in found.items() if amount}


def days(floor: FakeFloor) -> list[tuple[int, int]]:
    """The gaming day on which most was played, and the one after it."""
    studio_day = floor.config.studio.gaming_day
    return [studio_day.span_ms(studio_day.of_ms(floor.now - ago_ms)) for ago_ms in (DAY_MS, 0)]


def of_day(told: list[dict[str, Any]], day: tuple[int, int]) -> list[dict[str, Any]]:
    return [one for one in told if day[0] <= one["at_ms"] < day[1]]


def test_a_days_movements_add_up_to_its_statement_in_the_studios_purses(floor: FakeFloor, client: FlaskClient) -> None:
    a_day(floor, client)
    told = everything(client)
    for day in days(floor):
        assert sums(of_day(told, day), STATED, 1) == stated(floor, "north", day)
    assert {one["kind"] for one in of_day(told, days(floor)[0])} == STATED.keys() - {"compensation"}
    assert {one["kind"] for one in of_day(told, days(floor)[1])} == {"deposit", "debit"}
    for bettor in ("ann", "bob", "eve"):
        purse = get(client, f"/bettors/{bettor}/balance")
        assert sum(one["amount"] for one in told if one["bettor"] == bettor) == purse["balance"]


def test_a_days_movements_add_up_to_its_statement_in_an_operators_wallet(floor: FakeFloor, client: FlaskClient) -> None:
    a_day(floor, client)
    told = everything(client, SOUTH)
    for day in days(floor):
        assert sums(of_day(told, day), STATED_OF_WALLET, -1) == stated(floor, "south", day) != {}
    assert {one["kind"] for one in told} & STATED_OF_WALLET.keys() == STATED_OF_WALLET.keys() - {"wallet_compensation"}
    assert {one["transaction"] for one in told} == {
        None, "tx-s1", "tx-c1", "tx-s2", "tx-v2", "tx-s3", "tx-x3", "tx-r1", "tx-s4",
    }  # fmt: skip


def test_each_movement_is_told_whole_and_found_by_its_id(floor: FakeFloor, client: FlaskClient) -> None:
    a_day(floor, client)
    deposited, *_ = told = everything(client)
    assert deposited == {
        "id": deposited["id"], "kind": "deposit", "bettor": "ann", "round": None, "client_id": "d-ann", "bet_id": None,
        "transaction": None, "free_bet": None, "amount": 10_000, "currency": "EUR", "at_ms": floor.now - DAY_MS,
    }  # fmt: skip
    debit = next(one for one in told if one["kind"] == "debit")
    assert (debit["bettor"], debit["round"], debit["bet_id"], debit["amount"]) == ("ann", "t1-r1", "b1", -500)
    for headers in (NORTH, SOUTH):
        for one in everything(client, headers):
            assert get(client, f"/movements/{one['id']}", headers) == one


def test_all_that_moved_under_an_id_is_found_by_it(floor: FakeFloor, client: FlaskClient) -> None:
    a_day(floor, client)
    told = everything(client)
    assert get(client, "/movements/by-client-id/d-ann")["movements"] == told[:1]
    [withdrawn] = get(client, "/movements/by-client-id/w-1")["movements"]
    assert (withdrawn["kind"], withdrawn["amount"]) == ("withdrawal", -10_000)
    for bet in floor.reader().bets("t1-r1"):
        headers = NORTH if bet.operator == "north" else SOUTH
        found = get(client, f"/movements/by-client-id/{bet.client_id}", headers)["movements"]
        assert found == [one for one in everything(client, headers) if one["bet_id"] == bet.bet_id]
    found = get(client, "/movements/by-client-id/n1-ann")["movements"]
    assert [one["kind"] for one in found] == ["debit", "credit", "claw_back", "reversal", "credit", "claw_back"]
    for one in everything(client, SOUTH):
        if one["transaction"]:
            [found] = get(client, f"/movements/by-transaction/{one['round']}/{one['transaction']}", SOUTH)["movements"]
            assert found == one


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("by-client-id/s1", "movement_not_found"), ("by-client-id/x", "movement_not_found"),
        ("by-client-id/a%20b", "bad_client_id"), ("by-transaction/t1-r1/tx-s1", "movement_not_found"),
        ("by-transaction/t1-r1/b1", "movement_not_found"), ("by-transaction/t1-r9/tx-s1", "movement_not_found"),
    ],
    ids=["another operator's", "nobody's", "no id", "another operator's wallet", "no wallet's", "another round"],
)  # fmt: skip
def test_what_is_not_an_operators_is_not_found_by_its_ids(
    floor: FakeFloor, client: FlaskClient, path: str, key: str
) -> None:
    a_day(floor, client)
    assert error(client, f"/movements/{path}") == (404, key)


def test_nobody_reads_another_operators_movement(floor: FakeFloor, client: FlaskClient) -> None:
    a_day(floor, client)
    own = {one["id"] for one in everything(client)}
    others = {one["id"] for one in everything(client, SOUTH)}
    assert own
    assert others
    assert not own & others
    for id in others:
        assert error(client, f"/movements/{id}") == (404, "movement_not_found")
    assert get(client, "/movements?bettor=kim")["movements"] == []
    assert client.get("/api/v1/movements").status_code == 401


@pytest.mark.parametrize("id", ["0", "999", "1" * 40, "-1", "x", "１", "1.0"])
def test_what_is_no_movement_is_a_plain_404(client: FlaskClient, id: str) -> None:
    deposit(client, "ann")
    assert error(client, f"/movements/{id}") == (404, "movement_not_found")


@pytest.mark.parametrize("limit", [1, 3, 500])
def test_no_page_skips_or_repeats_one_of_all_or_of_a_bettor(floor: FakeFloor, client: FlaskClient, limit: int) -> None:
    a_day(floor, client)
    told = everything(client, limit=limit)
    ids = [one["id"] for one in told]
    assert ids == sorted(set(ids))
    assert told == get(client, "/movements?limit=500")["movements"]
    assert everything(client, limit=limit, bettor="bob") == [one for one in told if one["bettor"] == "bob"]


def test_a_cursor_goes_on_after_an_empty_page_and_is_refused_where_it_would_skip(
    floor: FakeFloor, client: FlaskClient
) -> None:
    deposit(client, "ann")
    deposit(client, "kim", headers=SOUTH)
    page = get(client)
    empty = get(client, f"/movements?after={page['next']}")
    assert (empty["movements"], empty["more"], empty["next"]) == ([], False, page["next"])
    deposit(client, "bob")
    [new] = get(client, f"/movements?after={empty['next']}")["movements"]
    assert new["bettor"] == "bob"
    assert error(client, "/movements?after=99") == (409, "cursor_ahead")
    assert error(client, "/movements?limit=501") == (400, "bad_limit")
    assert error(client, "/movements?bettor=a%20b") == (400, "bad_bettor")


def test_every_kind_of_transfer_that_concerns_a_bettor_has_a_word() -> None:
    of_the_house = {
        "post", "reverse_post", "seed", "feed", "unfeed", "claim", "reset", "leftover", "exchange", "exchange_back",
        "unclaim", "unreset", "make_up", "make_up_back", "pot_move", "buy_in", "cash_out",
    }  # fmt: skip
    of_promotions = {"grant", "ungrant", "free_return", "reverse_free_return"}
    assert KINDS_TOLD.keys() == set(KINDS) - of_the_house - of_promotions
    assert set(KINDS) >= FREE_KINDS_TOLD.keys() >= of_promotions
