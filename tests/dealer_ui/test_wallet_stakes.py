"""A stake that a bettor's wallet has not given: nothing that lies in the studio pays for it, and no bet is asked for
without an end.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import PATIENCE_S, wait_until
from running_studio import PIT, TABLE, House
from test_seamless_wallet import (  # noqa: F401 - a fixture
    MONEY,
    PURSE,
    Operator,
    answer,
    checked,
    held,
    hmac,
    launch,
    owed,
    play_out,
    settled,
)

from dealer_ui.desk.book import LateError
from studio import ports
from studio.cards import parse_cards
from studio.journal import Unit
from studio.tables import command as c


@pytest.fixture
def house(
    hmac: Operator,  # noqa: F811
    tmp_path: Path,
) -> Iterator[House]:
    """Bets are open, and a bettor of the wallet's operator is launched."""
    with House(tmp_path, wallet=hmac.section, window_s=600) as made:
        made.betting()
        launch(made)
        yield made


def void(house: House) -> None:
    house.do(c.FreezeTable)
    house.do(c.VoidRound, PIT, reason_code="machine")
    house.until(lambda view: view.round.stage == "voided")


def test_a_bet_that_its_wallet_has_refused_twenty_times_is_asked_for_under_another_id(
    hmac: Operator,  # noqa: F811
    house: House,
) -> None:
    hmac.faults.switch(on=("wrong_signature",))
    assert {answer(house, "b1")["reason"] for _ in range(20)} == {"wallet_refused"}
    hmac.faults.switch(off=("wrong_signature",))
    assert answer(house, "b1")["reason"] == "cancelled"
    assert answer(house, "b2")["status"] == "accepted"
    void(house)
    settled(house)
    assert hmac.balance == MONEY
    assert [cancelled for _, cancelled in hmac.server.till.bets()] == [True]
    checked(house)


def test_a_yes_that_the_record_keeps_late_is_taken_in_once(
    hmac: Operator,  # noqa: F811
    house: House,
) -> None:
    teller = house.floor.tellers.of("north")
    assert teller is not None
    in_time, late = teller.desk._commit, list[str]()
    assert in_time is not None

    def kept_late(unit: Unit) -> int:
        kinds = {entry.kind for entry in unit.entries}
        if not kinds & {"WalletOwed", "WalletTold"} or kinds & set(late):
            return in_time(unit)
        late.extend(kinds)
        writing = house.studio.writer.submit(unit)
        writing.result()
        raise LateError(writing)

    teller.desk._commit = kept_late
    assert answer(house, "b1")["status"] == "accepted"
    void(house)
    wait_until(lambda: "WalletTold" in late)
    settled(house)
    assert late == ["WalletOwed", "WalletTold"]
    assert hmac.balance == MONEY
    rows = house.floor.reader().events(kinds=("WalletOwed", "WalletTold"))
    assert [row.kind for row in rows] == ["WalletOwed", "WalletTold"]
    checked(house)


def test_a_studio_stops_in_time_though_the_record_does_not_answer(
    hmac: Operator,  # noqa: F811
    tmp_path: Path,
) -> None:
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        teller = house.floor.tellers.of("north")
        assert teller is not None
        keep, answered, asked = teller.desk.keep, threading.Event(), threading.Event()

        def waits_for_the_record() -> bool:
            asked.set()
            answered.wait(PATIENCE_S)
            return keep()

        teller.desk.keep = waits_for_the_record
        stopping = threading.Thread(target=house.studio.stop)
        stopping.start()
        stopping.join(30.0)
        late = stopping.is_alive()
        answered.set()
        assert asked.is_set()
        assert not late
        stopping.join()


def next_round(house: House) -> None:
    lain = [("burn", place) for place in range(1, 5)]
    lain += [(box.key, one.place) for box in house.view.boxes for one in box.places if box.key != "burn"]
    for zone, place in lain:
        house.say("camera", ports.CameraSawEmpty, zone=zone, place=place)
    house.until(lambda view: view.now.act.key == "act.start_round")
    house.burn(parse_cards("5s 5h 5d 5c"))
    house.do(c.OpenBetting)


def test_a_bet_is_never_paid_with_a_win_that_its_wallet_has_not_been_told_of(
    hmac: Operator,  # noqa: F811
    house: House,
) -> None:
    teller = house.floor.tellers.of("north")
    assert teller is not None
    due, teller.desk.due = teller.desk.due, list
    won = {"client_id": "b1", "bettor": "ann", "bet": "player2_lose", "stake": 500}
    assert house.post(f"/tables/{TABLE}/bets", {"bets": [won]}).json["answers"][0]["status"] == "accepted"
    play_out(house)
    wait_until(lambda: held(house, PURSE) == 1000)
    next_round(house)
    hmac.faults.switch(on=("wrong_signature",))
    told = house.bet("b2", "b2").json["answers"]
    hmac.faults.switch(off=("wrong_signature",))
    assert [line["reason"] for line in told] == ["wallet_refused", "wallet_busy"]
    assert held(house, PURSE) == 1000
    assert [line["status"] for line in house.bet("b3", "b3").json["answers"]] == ["accepted", "duplicate"]
    teller.desk.due = due
    wait_until(lambda: not held(house, PURSE) and not owed(house))
    assert hmac.balance == MONEY + 500 - 200
    checked(house)


def test_a_bet_of_an_earlier_round_that_is_sent_again_is_not_asked_for_again(
    hmac: Operator,  # noqa: F811
    house: House,
) -> None:
    assert answer(house, "b1")["status"] == "accepted"
    play_out(house)
    settled(house)
    next_round(house)
    assert answer(house, "b1")["status"] == "duplicate"
    assert answer(house, "b1", stake=300)["reason"] == "client_id_reused"
    assert len(hmac.server.till.bets()) == 1
    assert [line["status"] for line in house.bet("b1", "b2").json["answers"]] == ["duplicate", "accepted"]
    assert len(hmac.server.till.bets()) == 2
    checked(house)
