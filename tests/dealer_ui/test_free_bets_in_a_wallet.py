"""Free bets where the operator keeps the money: his wallet is told that a stake is free, and both books agree."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner
from patience import wait_until
from running_studio import PIT, TABLE, House, impatient
from test_free_bets import LEFT, PROMOTION, bet, grant, granted, play_out
from test_seamless_wallet import (
    MONEY,
    Operator,
    checked,
    held,
    hmac,
    house,
    launch,
    operator,
    owed,
    settled,
    void_settled,
)

from dealer_ui.cli import main
from studio.money import free_suspense_account, operator_account
from studio.tables import command as c

__all__ = ["hmac", "house", "operator"]


def promotion(operator: Operator) -> int:
    return operator.server.till.promotion_minor("ann")


def told(house: House) -> None:
    """Nothing is owed to the wallet, and nothing of free bets is in suspense."""
    settled(house)
    wait_until(lambda: not held(house, free_suspense_account("north")))


def agree(house: House, operator: Operator, folder: Path) -> None:
    """The studio's day against the operator's own file, line by line."""
    rows = operator.server.till.lines()
    path = folder / "theirs.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("kind", "id", "bettor", "amount_minor", "currency"))
        writer.writerows(rows)
    days = ["--from", "2020-01-01", "--to", "2040-01-01"]
    said = CliRunner().invoke(
        main, ["reconcile", str(house.database), "--operator", "north", "--against", str(path), *days]
    )
    assert said.exit_code == 0, said.output
    assert f"{len(rows)} transactions agree, 0 do not." in said.output


def begun(house: House) -> None:
    house.betting()
    launch(house)
    granted(house)


@pytest.mark.parametrize(("key", "won"), [("player2_lose", 300), ("player2_win", 0)], ids=["won", "lost"])
def test_the_wallet_gives_the_stake_of_its_promotion_and_gets_the_win_alone(
    house: House, operator: Operator, key: str, won: int, tmp_path: Path
) -> None:
    begun(house)
    assert bet(house, "b1", key) == "accepted"
    assert bet(house, "b1", key) == "duplicate"
    assert (operator.balance, promotion(operator)) == (MONEY, -300)
    play_out(house)
    told(house)
    assert (operator.balance, promotion(operator)) == (MONEY + won, -300)
    assert held(house, operator_account("north")) == won - 300
    checked(house)
    agree(house, operator, tmp_path)


def test_a_void_round_cancels_the_free_stake(house: House, operator: Operator, tmp_path: Path) -> None:
    begun(house)
    assert bet(house, "b1") == "accepted"
    house.do(c.VoidRound, PIT, reason_code="dealer_error", words="Misread.")
    wait_until(lambda: promotion(operator) == 0)
    told(house)
    assert operator.balance == MONEY
    assert (held(house, LEFT), held(house, PROMOTION)) == (600, -600)
    checked(house)
    agree(house, operator, tmp_path)


@pytest.mark.parametrize("key", ["player2_lose", "player2_win"])
def test_a_correction_is_told_as_a_difference_of_each(
    house: House, operator: Operator, key: str, tmp_path: Path
) -> None:
    begun(house)
    assert bet(house, "b1", key) == "accepted"
    play_out(house)
    told(house)
    void_settled(house)
    wait_until(lambda: (operator.balance, promotion(operator)) == (MONEY, 0))
    told(house)
    assert held(house, LEFT) == 600
    checked(house)
    agree(house, operator, tmp_path)


@pytest.mark.long
def test_what_nobody_is_sure_of_is_not_in_play_and_is_cancelled(hmac: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        begun(house)
        hmac.faults.switch(on=("silent_after",))
        with impatient(house):
            assert bet(house, "b1") == "wallet_unknown"
        assert house.get("/bettors/ann/free-bets").json["free_bets"][0]["left"] == 2
        hmac.faults.switch(off=("silent_after",))
        wait_until(lambda: promotion(hmac) == 0)
        told(house)
        assert bet(house, "b1") == "accepted"
        assert promotion(hmac) == -300
        checked(house)
        agree(house, hmac, tmp_path)


@pytest.mark.long
def test_what_was_asked_before_a_crash_is_undone_after_it(hmac: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        begun(house)
        teller = house.floor.tellers.of("north")
        assert teller is not None
        hmac.faults.switch(on=("silent_after",))
        teller.stakes.strand = lambda ends, commit: None  # type: ignore[method-assign]
        with impatient(house):
            assert bet(house, "b1") == "wallet_unknown"
        assert promotion(hmac) == -300, "it was taken"
        teller.desk.keep = lambda: False  # type: ignore[method-assign]
    hmac.faults.switch(off=("silent_after",))
    with House(tmp_path, wallet=hmac.section, window_s=600) as again:
        wait_until(lambda: promotion(hmac) == 0)
        told(again)
        assert owed(again) == 0
        checked(again)


def test_whoever_has_no_session_is_not_granted_any(house: House) -> None:
    house.betting()
    assert grant(house).status_code == 404
    launch(house)
    assert grant(house).status_code == 200


def test_the_dialect_says_that_it_is_free(house: House, operator: Operator) -> None:
    begun(house)
    heard = house.post(f"/tables/{TABLE}/bets", {
        "bets": [{"client_id": "b1", "bettor": "ann", "bet": "player1_win", "stake": 300, "free_bet": "welcome"}]
    })  # fmt: skip
    assert heard.json["answers"][0]["status"] == "accepted"
    [line] = operator.server.till.lines()
    assert (line[0], line[2], line[3]) == ("free_debit", "ann", -300)
