"""A studio whose operator keeps his bettors' money: real HTTP, a real till of his own, and what he does wrong."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any

import pytest
from patience import wait_until
from running_studio import HEALTHY_S, PIT, TABLE, House, impatient

from dealer_ui.config.shape import WalletSection
from dealer_ui.rehearsal.operator.fault import Faults
from dealer_ui.rehearsal.operator.server import OperatorServer
from dealer_ui.rehearsal.operator.setting_up import open_operator
from dealer_ui.teller.stake_desk import Commit
from studio.errors import IllegalEventError, StorageError
from studio.journal import Reader
from studio.money import bettor_account, operator_account, suspense_account
from studio.people import Actor, Pin
from studio.people.staffing import NewStaff
from studio.proof.audit.database import verify
from studio.tables import command as c
from studio.tables.correction.finished_round import read_dossier
from studio.wallets.answer import Word
from studio.wallets.record import Movement

PURSE = bettor_account("north", "ann")
SUSPENSE = suspense_account("north")
MONEY = 100_000


class Operator:
    """North: his server, his till, and the studio's configuration of him."""

    def __init__(self, folder: Path, dialect: str) -> None:
        self.faults = Faults(slow_s=5.0)
        self.server: OperatorServer = open_operator(folder, dialect, self.faults)
        self.server.till.open_account("ann", "ann-s", "ann-old", "EUR", MONEY)
        self.server.start()
        self.section = WalletSection(
            dialect=dialect, address=self.server.address, key_file=str(folder / f"studio.{dialect}"), wait_s=HEALTHY_S
        )

    @property
    def balance(self) -> int:
        return self.server.till.look("ann", "ann-s").balance_minor

    def close(self) -> None:
        self.server.close()
        self.server.till.close()


@pytest.fixture(params=["rsa", "hmac"])
def operator(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Operator]:
    with ExitStack() as stack:
        operator = Operator(tmp_path / "north", request.param)
        stack.callback(operator.close)
        yield operator


@pytest.fixture
def house(operator: Operator, tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, wallet=operator.section) as house:
        yield house


def launch(house: House) -> None:
    told = house.post("/bettors/ann/pages", {"table": TABLE, "session": "ann-s"})
    assert told.status_code == 200, told.text


def held(house: House, account: str) -> int:
    return house.floor.reader().balance(account, "EUR")


def owed(house: House) -> int:
    teller = house.floor.tellers.of("north")
    assert teller is not None
    return len(teller.desk.owed())


def play_out(house: House) -> None:
    house.do(c.CloseBetting)
    house.until(lambda view: any(place.state == "awaited" for box in view.boxes for place in box.places))
    house.deal_all()
    house.finish()


def settled(house: House) -> None:
    """Nothing of Ann's lies in the studio, and nothing is owed."""
    wait_until(lambda: not held(house, PURSE) and not held(house, SUSPENSE) and not owed(house))


def test_a_bet_is_taken_from_the_wallet_and_what_it_returns_goes_there(house: House, operator: Operator) -> None:
    house.betting()
    launch(house)
    [answer] = house.bet("b1").json["answers"]
    assert answer["status"] == "accepted", answer
    assert operator.balance == MONEY - 200
    assert house.bet("b1").json["answers"][0]["status"] == "duplicate"
    assert operator.balance == MONEY - 200
    play_out(house)
    settled(house)
    returned = house.floor.reader().bet_status("north", "b1")
    assert returned is not None
    assert operator.balance == MONEY - 200 + returned.returned_minor
    assert held(house, operator_account("north")) == operator.balance - MONEY
    house.studio.stop()
    found = verify(house.database)
    assert found.ok, found.first_wrong


@pytest.fixture
def hmac(tmp_path: Path) -> Iterator[Operator]:
    with ExitStack() as stack:
        operator = Operator(tmp_path / "north", "hmac")
        stack.callback(operator.close)
        yield operator


def checked(house: House) -> None:
    house.studio.stop()
    found = verify(house.database)
    assert found.ok, found.first_wrong


def answer(house: House, id: str, stake: int = 200) -> dict[str, Any]:
    told = house.bet(id, stake=stake)
    assert told.status_code == 200, told.text
    [line] = told.json["answers"]
    return dict(line)


def test_what_nobody_is_sure_of_is_not_in_play_and_goes_back(hmac: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        house.betting()
        launch(house)
        for fault in ("silent_after", "half", "nonsense", "error_after"):
            hmac.faults.switch(on=(fault,))
            with impatient(house) if fault == "silent_after" else nullcontext():
                told = answer(house, f"b-{fault}")
            assert (told["status"], told["reason"]) == ("refused", "wallet_unknown")
            assert house.view.bets.count == 0
            assert held(house, SUSPENSE) == 200
            hmac.faults.switch(off=(fault,))
            settled(house)
            assert hmac.balance == MONEY
        assert answer(house, "b-half")["status"] == "accepted", "the same bet is asked for anew"
        assert hmac.balance == MONEY - 200
        house.do(c.FreezeTable)
        house.do(c.VoidRound, PIT, reason_code="machine")
        house.until(lambda view: view.round.stage == "voided")
        settled(house)
        assert hmac.balance == MONEY, "it was asked for twice, and each time undone under an id of its own"
        checked(house)


def test_a_stake_without_a_bet_is_written_once_though_it_cannot_be_read_at_once(hmac: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        house.betting()
        launch(house)
        teller = house.studio.floor.tellers.of("north")
        read_on, away, asking = teller.read_on, [True], threading.current_thread()

        def fails_once(reader: Reader) -> None:
            if away and threading.current_thread() is asking:
                away.clear()
                raise StorageError("The database cannot be reached.")
            read_on(reader)

        hmac.faults.switch(on=("nonsense",))
        strand, stranded = teller.stakes.strand, list[str]()

        def counted(ends: Sequence[tuple[Movement, Word]], commit: Commit) -> None:
            stranded.extend(stake.facts.bet for stake, _ in ends)
            strand(ends, commit)

        teller.read_on, teller.stakes.strand = fails_once, counted
        assert answer(house, "b1")["reason"] == "wallet_unknown"
        assert not away
        hmac.faults.switch(off=("nonsense",))
        settled(house)
        assert stranded == ["north/b1"]
        assert len(list(house.studio.floor.reader().events(kinds=("WalletAnswered",)))) == 1
        assert (hmac.balance, held(house, SUSPENSE)) == (MONEY, 0)
        checked(house)


def test_a_row_that_does_not_fold_stops_this_wallet_and_no_screen(hmac: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        house.betting()
        launch(house)
        teller = house.studio.floor.tellers.of("north")
        assert answer(house, "b1")["status"] == "accepted"
        teller.desk.hear = lambda row, event: (_ for _ in ()).throw(IllegalEventError("it is over already"))
        answer(house, "b2")
        wait_until(lambda: not teller.desk.known)
        assert answer(house, "b3")["reason"] == "wallet_silent"


def test_a_no_moves_nothing(hmac: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        house.betting()
        assert answer(house, "b0")["reason"] == "no_session"
        assert house.post("/bettors/ann/pages", {"table": TABLE}).json["error"]["key"] == "session_missing"
        assert house.post("/bettors/ann/deposits", {"client_id": "d", "amount": 5}).json["error"]["key"] == "own_wallet"
        launch(house)
        hmac.server.till.open_account("poor", "poor-s", "poor-old", "EUR", 100)
        house.post("/bettors/poor/pages", {"table": TABLE, "session": "poor-s"})
        bets = [{"client_id": "p1", "bettor": "poor", "bet": "player1_win", "stake": 200}]
        [line] = house.post(f"/tables/{TABLE}/bets", {"bets": bets}).json["answers"]
        assert (line["status"], line["reason"]) == ("refused", "insufficient_balance")
        assert (held(house, SUSPENSE), owed(house)) == (0, 0)
        assert answer(house, "b1", stake=1)["status"] == "refused", "the table refuses before anybody is asked"
        assert hmac.balance == MONEY
        checked(house)


def test_a_round_that_is_void_cancels_each_stake(hmac: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        house.betting()
        launch(house)
        assert answer(house, "b1")["status"] == "accepted"
        assert hmac.balance == MONEY - 200
        house.do(c.FreezeTable)
        house.do(c.VoidRound, PIT, reason_code="machine")
        house.until(lambda view: view.round.stage == "voided")
        settled(house)
        assert hmac.balance == MONEY
        kinds = [kind for (kind,) in house.floor.reader().read("SELECT kind FROM ledger WHERE bet <> ''", ())]
        assert kinds == ["wallet_debit", "reserve", "void", "wallet_cancel"]
        checked(house)


def test_what_was_asked_before_a_crash_is_undone_after_it(hmac: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        house.betting()
        launch(house)
        teller = house.floor.tellers.of("north")
        assert teller is not None
        hmac.faults.switch(on=("silent_after",))
        teller.stakes.strand = lambda ends, commit: None  # type: ignore[method-assign]
        with impatient(house):
            assert answer(house, "b1")["reason"] == "wallet_unknown"
        wait_until(lambda: hmac.balance == MONEY - 200)  # it was taken
        teller.desk.keep = lambda: False  # type: ignore[method-assign]
    hmac.faults.switch(off=("silent_after",))
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        settled(house)
        assert hmac.balance == MONEY
        checked(house)


def test_a_yes_that_comes_too_late_is_not_played(hmac: Operator, tmp_path: Path) -> None:
    section = hmac.section.model_copy(update={"wait_s": 20.0})
    with House(tmp_path, wallet=section, window_s=600) as house:
        house.betting()
        launch(house)
        hmac.faults.switch(on=("slow",))
        with ThreadPoolExecutor() as pool:
            told = pool.submit(answer, house, "b1")
            wait_until(lambda: hmac.balance == MONEY - 200)
            house.do(c.CloseBetting)
            hmac.faults.switch(off=("slow",))
            assert (told.result()["status"], told.result()["reason"]) == ("refused", "closed")
        settled(house)
        assert hmac.balance == MONEY
        checked(house)


def test_a_bet_sent_twice_at_once_is_asked_for_once(hmac: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        house.betting()
        launch(house)
        with ThreadPoolExecutor() as pool:
            told = list(pool.map(lambda _: answer(house, "b1")["status"], range(4)))
        assert sorted(told) == ["accepted", "duplicate", "duplicate", "duplicate"]
        twice = [{"client_id": "b2", "bettor": "ann", "bet": "player1_win", "stake": 200}] * 2
        lines = house.post(f"/tables/{TABLE}/bets", {"bets": twice}).json["answers"]
        assert [line["status"] for line in lines] == ["accepted", "duplicate"]
        assert hmac.balance == MONEY - 400
        play_out(house)
        settled(house)
        checked(house)


def test_a_silent_wallet_is_left_alone_and_tables_go_on(hmac: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        house.betting()
        launch(house)
        hmac.faults.switch(on=("down",))
        told = [answer(house, f"b{number}")["reason"] for number in range(8)]
        assert told[0] == "wallet_unknown"
        assert set(told) == {"wallet_unknown", "wallet_silent"}
        teller = house.floor.tellers.of("north")
        assert teller is not None
        assert teller.pulse.silent
        house.do(c.CloseBetting)
        hmac.faults.switch(off=("down",))
        settled(house)
        assert hmac.balance == MONEY
        checked(house)


def void_settled(house: House) -> None:
    """The last round is voided after all, by two people."""
    too = Actor("p2", "Paula", frozenset({"pit_boss"}))
    house.floor.staff.add(NewStaff(too.id, "2002", too.name, ("pit_boss",), Pin("730163")))
    with house.studio.store.reader() as reader:
        dossier = read_dossier(reader, house.studio.workers[0].runtime.state.config, house.view.round.id)
    house.do(c.AskCorrection, PIT, dossier=dossier, void=True, reason_code="dealer_error", words="Misread.")
    asked = house.studio.workers[0].runtime.state.aftermath.corrections.current
    assert asked is not None
    house.do(c.ApproveCorrection, too, correction=asked.id, dossier=dossier)
    wait_until(lambda: house.studio.workers[0].runtime.state.aftermath.corrections.current is None)


def test_what_a_correction_changes_is_told_as_a_difference(hmac: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        house.betting()
        launch(house)
        bets = [
            {"client_id": f"b{box}", "bettor": "ann", "bet": f"player{box}_win", "stake": 100 * box}
            for box in (1, 2, 3)
        ]
        lines = house.post(f"/tables/{TABLE}/bets", {"bets": bets}).json["answers"]
        assert {line["status"] for line in lines} == {"accepted"}
        play_out(house)
        settled(house)
        before = hmac.balance
        void_settled(house)
        settled(house)
        assert hmac.balance == MONEY
        assert before != MONEY
        checked(house)


def test_a_bettor_sees_what_his_wallet_says_he_has(hmac: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=hmac.section, window_s=600) as house:
        house.betting()
        told = house.post("/bettors/ann/pages", {"table": TABLE, "session": "ann-s", "plays": True})
        page, client = told.json["page"], house.api

        def shown() -> str:
            said = client.get(page).text.partition('id="balance"')[2].partition("</b>")[0]
            return said.partition('data-minor="')[2].partition('"')[0]

        wait_until(lambda: shown() == str(MONEY))
        assert answer(house, "b1")["status"] == "accepted"
        wait_until(lambda: shown() == str(MONEY - 200))
        hmac.faults.switch(on=("down",))
        assert answer(house, "b2")["reason"] == "wallet_unknown"
        assert shown() == str(MONEY - 200), "the last that was said"
        house.post("/bettors/zoe/pages", {"table": TABLE, "session": "zoe-s"})
        assert house.floor.tellers.of("north").balance_of("zoe") is None  # type: ignore[union-attr]
