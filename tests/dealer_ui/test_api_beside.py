"""Over the operators' interface the ante's answer tells of its blind, which can be asked after like any other bet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running_studio import TABLE, House

from studio.tables import command as c


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, game="ultimate_holdem") as house:
        house.staff()
        house.open()
        house.do(c.StartRound)
        house.do(c.OpenBetting)
        house.post("/bettors/ann/deposits", {"client_id": "d1", "amount": 1_000})
        yield house


def place(house: House, *bets: tuple[str, str, int]) -> list[dict[str, Any]]:
    sent = [{"client_id": id, "bettor": "ann", "bet": bet, "stake": stake} for id, bet, stake in bets]
    told: list[dict[str, Any]] = house.post(f"/tables/{TABLE}/bets", {"bets": sent}).get_json()["answers"]
    return told


BLIND = {"client_id": "n-1/blind", "bet_id": "north/n-1/blind", "bet": "blind", "stake": 300}


def test_the_answer_to_an_ante_tells_of_its_blind_each_time_it_is_sent(house: House) -> None:
    for status in ("accepted", "duplicate"):
        ante, trips = place(house, ("n-1", "ante", 300), ("n-2", "trips", 100))
        assert (ante["status"], ante["beside"]) == (status, [BLIND])
        assert "beside" not in trips
    assert house.get("/bettors/ann/balance").get_json()["balance"] == 300


def test_a_refused_ante_has_nothing_beside_it(house: House) -> None:
    [ante] = place(house, ("n-1", "ante", 501))
    assert (ante["reason"], "beside" in ante) == ("insufficient_balance", False)
    assert house.get("/bets/n-1/blind").status_code == 404


def test_a_blind_is_found_under_the_id_of_its_ante(house: House) -> None:
    place(house, ("n-1", "ante", 300))
    found = house.get("/bets/n-1/blind").get_json()
    assert (found["bet"], found["stake"], found["status"]) == ("blind", 300, "pending")
    assert house.get("/bets/n-1/ante").status_code == 404
    assert [bet["bet"] for bet in house.get("/bettors/ann/bets").get_json()["bets"]] == ["blind", "ante"]


def test_the_state_says_who_places_each_bet(house: House) -> None:
    state = house.get(f"/tables/{TABLE}").get_json()
    assert {bet["bet"]: bet["placed_by"] for bet in state["bets"]} == {
        "ante": "bettor",
        "blind": "house",
        "play": "decision",
        "trips": "bettor",
    }
