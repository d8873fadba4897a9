"""Free bets through the interface: granted once, staked without the bettor's money, and only the win is his."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import wait_until
from running_studio import API_KEY, PIT, TABLE, House
from test_seamless_wallet import void_settled

from dealer_ui.config.operator import CreditLimits
from studio.money import bettor_account, grant_account, house_account, promotion_account
from studio.proof.audit.database import verify
from studio.reports import cut
from studio.reports.statement.movement import lines
from studio.tables import command as c

GRANT = {"client_id": "welcome", "stake": 300, "count": 2}
PURSE = bettor_account("north", "ann")
PROMOTION = promotion_account("north", "ann")
LEFT = grant_account("north", "ann", "welcome")
MONEY = 100_000


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, window_s=600) as house:
        house.betting()
        yield house


def grant(house: House, bettor: str = "ann", **other: Any) -> Any:
    return house.post(f"/bettors/{bettor}/free-bets", {**GRANT, **other})


def granted(house: House, **other: Any) -> dict[str, Any]:
    told = grant(house, **other)
    assert told.status_code == 200, told.text
    return dict(told.json)


def take_back(house: House, id: str = "welcome") -> Any:
    headers = {"Authorization": f"Bearer {API_KEY}"}
    return house.api.delete(f"/api/v1/bettors/ann/free-bets/{id}", headers=headers)


def bet(house: House, id: str, bet: str = "player1_win", stake: int = 300, **other: Any) -> str:
    """What becomes of it: its status, or why it is refused."""
    sent = {"client_id": id, "bettor": "ann", "bet": bet, "stake": stake, "free_bet": "welcome", **other}
    [line] = house.post(f"/tables/{TABLE}/bets", {"bets": [sent]}).json["answers"]
    return str(line["reason"] or line["status"])


def held(house: House, account: str) -> int:
    return house.floor.reader().balance(account, "EUR")


def error(told: Any) -> tuple[int, str]:
    return told.status_code, told.json["error"]["key"]


def play_out(house: House) -> None:
    house.do(c.CloseBetting)
    house.until(lambda view: any(place.state == "awaited" for box in view.boxes for place in box.places))
    house.deal_all()
    house.finish()


def checked(house: House) -> None:
    house.studio.stop()
    found = verify(house.database)
    assert found.ok, found.first_wrong


# --- the life of one -----------------------------------------------------------------------------------


def test_a_win_is_the_bettors_without_the_stake_which_goes_back_to_the_promotion(house: House) -> None:
    assert granted(house)["left"] == 2
    assert held(house, LEFT) == 600
    assert held(house, PROMOTION) == -600
    assert bet(house, "won", "player2_lose") == "accepted"
    assert bet(house, "won", "player2_lose") == "duplicate"
    assert held(house, PURSE) == MONEY
    assert house.get("/bettors/ann/free-bets").json["free_bets"][0]["left"] == 1
    play_out(house)
    line = house.get("/bets/won").json
    assert (line["status"], line["stake"], line["returns"], line["free_bet"]) == ("posted", 300, 300, "welcome")
    assert held(house, PURSE) == MONEY + 300
    assert (held(house, PROMOTION), held(house, LEFT)) == (-300, 300)
    assert held(house, house_account(TABLE)) == -300
    checked(house)


def test_a_lost_one_costs_the_promotion_its_stake_and_the_bettor_nothing(house: House) -> None:
    granted(house)
    assert bet(house, "lost", "player2_win") == "accepted"
    play_out(house)
    assert house.get("/bets/lost").json["returns"] == 0
    assert held(house, PURSE) == MONEY
    assert (held(house, PROMOTION), held(house, LEFT)) == (-600, 300)
    assert held(house, house_account(TABLE)) == 300
    checked(house)


def test_a_void_round_makes_it_good_again_and_gives_the_bettor_nothing(house: House) -> None:
    granted(house, count=1)
    assert bet(house, "b1") == "accepted"
    assert house.get("/bettors/ann/free-bets").json["free_bets"][0]["status"] == "used"
    house.do(c.VoidRound, PIT, reason_code="dealer_error", words="Misread.")
    house.until(lambda view: view.round.stage == "voided")
    line = house.get("/bets/b1").json
    assert (line["status"], line["returns"]) == ("voided", 0)
    assert held(house, PURSE) == MONEY
    assert house.get("/bettors/ann/free-bets").json["free_bets"][0]["left"] == 1
    checked(house)


@pytest.mark.parametrize(("key", "won"), [("player2_lose", 300), ("player2_win", 0)], ids=["won", "lost"])
def test_a_correction_takes_the_win_back_and_makes_the_free_bet_good_again(house: House, key: str, won: int) -> None:
    granted(house)
    assert bet(house, "b1", key) == "accepted"
    play_out(house)
    assert held(house, PURSE) == MONEY + won
    void_settled(house)
    wait_until(lambda: held(house, LEFT) == 600)
    assert held(house, PURSE) == MONEY
    assert held(house, PROMOTION) == -600
    assert held(house, house_account(TABLE)) == 0
    checked(house)


def test_it_is_told_apart_in_every_feed(house: House) -> None:
    granted(house)
    assert bet(house, "won", "player2_lose") == "accepted"
    assert bet(house, "own", "player2_lose", stake=500, free_bet="") == "accepted"
    play_out(house)
    [round] = house.get("/rounds").json["rounds"]
    assert round["sums"] == [{"currency": "EUR", "bets": 2, "stake": 800, "free_stake": 300, "returns": 1300}]
    assert [one["free_bet"] for one in round["bets"]] == ["welcome", None]
    [line] = house.get("/bettors/ann/record").json["rounds"]
    assert (line["stake"], line["free_stake"], line["returns"]) == (800, 300, 1300)
    told = [
        (one["kind"], one["amount"], one["free_bet"]) for one in house.get("/movements?bettor=ann").json["movements"]
    ]
    assert told == [
        ("deposit", MONEY, None), ("free_granted", 600, "welcome"), ("free_debit", -300, "welcome"),
        ("debit", -500, None), ("credit", 300, "welcome"), ("free_credit", 300, "welcome"), ("credit", 1000, None),
    ]  # fmt: skip
    own = sum(amount for kind, amount, _ in told if not kind.startswith("free_"))
    assert own == held(house, PURSE)
    checked(house)


def test_a_deposit_under_the_id_of_a_free_bet_is_none_of_it(house: House) -> None:
    granted(house)
    assert bet(house, "n-1") == "accepted"
    paid = house.post("/bettors/ann/deposits", {"client_id": "n-1", "amount": 50})
    assert paid.json["status"] == "accepted", paid.text
    found = house.get("/movements/by-client-id/n-1").json["movements"]
    assert {(one["kind"], one["free_bet"]) for one in found} == {("free_debit", "welcome"), ("deposit", None)}
    reader = house.floor.reader()
    told = {(one.kind, one.free, one.is_free_win) for one in lines(reader, cut(reader, None, None), "north")}
    assert ("deposit", "", False) in told
    assert not any(win for _, _, win in told)


# --- granting ------------------------------------------------------------------------------------------


def test_a_grant_is_made_once_and_is_still_there_after_a_restart(house: House, tmp_path: Path) -> None:
    assert granted(house)["duplicate"] is False
    assert granted(house)["duplicate"] is True
    assert error(grant(house, stake=400)) == (409, "client_id_reused")
    assert error(grant(house, count=3)) == (409, "client_id_reused")
    assert held(house, LEFT) == 600
    house.studio.stop()
    with House(tmp_path, window_s=600) as again:
        assert granted(again)["duplicate"] is True
        assert again.get("/bettors/ann/free-bets").json["free_bets"][0]["left"] == 2
        checked(again)


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"stake": 0}, (400, "bad_stake")),
        ({"stake": -5}, (400, "bad_stake")),
        ({"stake": "3.00"}, (400, "bad_stake")),
        ({"stake": 1.5}, (400, "bad_stake")),
        ({"count": 0}, (400, "bad_number")),
        ({"count": 1_001}, (400, "bad_number")),
        ({"currency": "euro"}, (400, "bad_currency")),
        ({"currency": "USD"}, (400, "wrong_currency")),
        ({"client_id": "no good"}, (400, "bad_client_id")),
        ({"games": ["bridge"]}, (409, "free_bet_nowhere")),
        ({"games": ["nlh"]}, (409, "free_bet_nowhere")),
        ({"tables": ["t99"]}, (409, "free_bet_nowhere")),
        ({"bets": ["player9_win"]}, (409, "free_bet_nowhere")),
        ({"expires_at_ms": 1}, (409, "free_bet_expired")),
        ({"expires_at_ms": "tomorrow"}, (400, "bad_number")),
        ({"stake": 10**15, "count": 1_000}, (409, "deposit_limit")),
        ({"bonus": True}, (400, "unknown_field")),
    ],
)
def test_what_cannot_be_granted_is_refused_and_moves_nothing(
    house: House, other: dict[str, Any], why: tuple[int, str]
) -> None:
    assert error(grant(house, **other)) == why
    assert house.get("/bettors/ann/free-bets").json["free_bets"] == []
    checked(house)


def test_nobody_grants_to_somebody_the_studio_does_not_know(house: House) -> None:
    assert error(grant(house, "nobody")) == (404, "unknown_bettor")
    assert house.post("/bettors/eve/pages", {"table": TABLE, "terms": {"most": 500}}).status_code == 200
    assert grant(house, "eve").status_code == 200, "a launch is enough"


def test_what_is_left_can_be_taken_back_and_then_is_good_for_nothing(house: House) -> None:
    granted(house)
    assert bet(house, "b1") == "accepted"
    told = take_back(house)
    assert (told.status_code, told.json["status"], told.json["left"]) == (200, "cancelled", 0)
    assert take_back(house).status_code == 200, "taken back before, it is the same act"
    assert bet(house, "b2") == "free_bet_cancelled"
    assert (held(house, LEFT), held(house, PROMOTION)) == (0, -300)
    house.do(c.VoidRound, PIT, reason_code="dealer_error", words="Misread.")
    house.until(lambda view: view.round.stage == "voided")
    assert house.get("/bettors/ann/free-bets").json["free_bets"][0]["left"] == 0
    assert error(take_back(house, "other")) == (404, "free_bets_not_found")
    checked(house)


def test_of_a_used_one_nothing_is_taken_back(house: House) -> None:
    granted(house, count=1)
    assert bet(house, "b1") == "accepted"
    assert error(take_back(house)) == (409, "free_bet_used")


def narrow(house: House, deposit_most_minor: int, credit_most_minor: int) -> None:
    limits = CreditLimits(deposit_most_minor, credit_most_minor, "EUR")
    house.floor.free_bets._credit_of = lambda name: limits


def test_a_grant_beyond_what_may_be_credited_is_refused_in_words_of_grants(house: House) -> None:
    narrow(house, 1_000, MONEY + 700)
    told = grant(house, count=4)
    assert error(told) == (409, "deposit_limit")
    assert told.json["error"]["sentence"].startswith("All bets of one grant are worth 10.00 EUR at most together")
    granted(house)
    told = grant(house, client_id="more", count=1)
    assert error(told) == (409, "credit_limit")
    assert "grant 1.00 EUR at most now, take free bets back" in told.json["error"]["sentence"]


def test_a_grant_that_has_expired_or_was_taken_back_is_counted_no_more(house: House) -> None:
    narrow(house, 1_000, MONEY + 700)
    granted(house, expires_at_ms=house.floor.now_ms() + 200)
    wait_until(lambda: house.get("/bettors/ann/free-bets").json["free_bets"][0]["status"] == "expired")
    granted(house, client_id="second")
    assert error(grant(house, client_id="third")) == (409, "credit_limit")
    assert take_back(house, "second").status_code == 200
    granted(house, client_id="third")


def test_a_deposit_is_not_refused_for_free_bets(house: House) -> None:
    granted(house)
    limits = CreditLimits(10 * MONEY, MONEY + 100, "EUR")
    house.floor._wallet._credit_of = lambda name: limits
    assert house.post("/bettors/ann/deposits", {"client_id": "d2", "amount": 100}).status_code == 200


# --- staking -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("grants", "sent", "why"),
    [
        ({}, {"stake": 200}, "free_bet_stake"),
        ({}, {"free_bet": "another"}, "unknown_free_bet"),
        ({}, {"bettor": "bob"}, "unknown_free_bet"),
        ({"bets": ["player3_win"]}, {}, "free_bet_not_here"),
        ({"games": ["blackjack"]}, {}, "free_bet_not_here"),
        ({}, {"free_bet": "no good"}, "bad_free_bet"),
        ({}, {"free_bet": 7}, "bad_free_bet"),
    ],
)
def test_a_bet_that_is_none_of_them_is_refused_and_stakes_nothing(
    house: House, grants: dict[str, Any], sent: dict[str, Any], why: str
) -> None:
    granted(house, **grants)
    assert bet(house, "b1", **sent) == why
    assert (held(house, LEFT), held(house, PURSE)) == (600, MONEY)
    assert house.view.bets.count == 0


def test_one_that_has_expired_is_refused(house: House) -> None:
    granted(house, expires_at_ms=house.floor.now_ms() + 200)
    wait_until(lambda: house.get("/bettors/ann/free-bets").json["free_bets"][0]["status"] == "expired")
    assert bet(house, "b1") == "free_bet_expired"


def test_the_same_id_with_and_without_a_free_bet_is_two_bets(house: House) -> None:
    granted(house)
    assert bet(house, "b1") == "accepted"
    assert bet(house, "b1", free_bet="") == "client_id_reused"


def test_limits_hold_for_free_bets_too(house: House) -> None:
    granted(house, stake=50_000_000)
    assert bet(house, "b1", stake=50_000_000) == "over_limit"


def test_of_two_pages_that_use_the_last_one_at_once_one_wins(house: House) -> None:
    granted(house, count=1)
    told: list[str] = []
    both = threading.Barrier(2)

    def use(id: str) -> None:
        both.wait()
        told.append(bet(house, id))

    threads = [threading.Thread(target=use, args=(f"b{at}",)) for at in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == ["accepted", "free_bet_used"]
    assert held(house, LEFT) == 0
    play_out(house)
    checked(house)


def test_a_bettor_who_never_had_a_purse_gets_one_in_the_currency_of_his_free_bet(house: House) -> None:
    assert house.post("/bettors/eve/pages", {"table": TABLE, "terms": {"most": 5_000}}).status_code == 200
    assert grant(house, "eve").status_code == 200
    assert bet(house, "b1", "player2_lose", bettor="eve") == "accepted"
    assert house.get("/bettors/eve/balance").json["balance"] == 0
    play_out(house)
    assert house.get("/bettors/eve/balance").json["balance"] == 300
    checked(house)


def test_the_poker_room_takes_none(tmp_path: Path) -> None:
    with House(tmp_path, game="nlh") as house:
        assert house.post("/bettors/ann/deposits", {"client_id": "d1", "amount": MONEY}).status_code == 200
        granted(house)
        sent = {"client_id": "b1", "bettor": "ann", "bet": "seat1", "stake": 300, "free_bet": "welcome"}
        [line] = house.post(f"/tables/{TABLE}/bets", {"bets": [sent]}).json["answers"]
        assert line["reason"] == "free_bet_not_here"
        assert line["sentence"].startswith("At a table of the poker room")
        assert held(house, LEFT) == 600
