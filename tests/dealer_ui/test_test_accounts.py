"""Test accounts: told apart on every screen, funded on record, left out of reports, kept from others' money."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import running_studio
from click.testing import CliRunner
from running_studio import TABLE, House

from dealer_ui.assembly.operators_order import Order, carry_out
from dealer_ui.cli import main
from dealer_ui.config.shape import PotSection, StudioConfig
from dealer_ui.desk.operator_key import digest_of_key
from studio.journal import Reader
from studio.money import bettor_account, house_account
from studio.proof.audit.database import verify
from studio.reports import Money, Regard, Report, ReportAsked, ReportChoice, cut, find_kind
from studio.tables import command as c

KEY, OTHER = "key-of-the-testers", "key-of-another"
REPORTS = ("closing", "purses", "table", "returns", "significant")


def order(house: House, name: str, key: str, *, test: bool = True) -> str:
    given = Order("add", name, "acceptance of a table", digest_of_key(key), test=test)
    return carry_out(house.floor.operator_desk, given, "root at the machine").refused


def bets(house: House, key: str, bettor: str, stake: int, bet: str = "player1_win") -> str:
    line = {"client_id": f"{bettor}-{stake}", "bettor": bettor, "bet": bet, "stake": stake}
    [answer] = house.post(f"/tables/{TABLE}/bets", {"bets": [line]}, key).json["answers"]
    return str(answer["reason"] or answer["status"])


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Ann of north staked 3.00 and Tess, a test account of qa, 7.00; the round is paid."""
    with House(tmp_path) as house:
        assert order(house, "qa", KEY) == ""
        told = house.post("/bettors/tess/deposits", {"client_id": "t1", "amount": 50_000}, KEY)
        assert told.status_code == 200, told.text
        house.betting()
        assert bets(house, KEY, "tess", 700, "player3_pair_plus") == "accepted"
        assert house.bet("one", stake=300).json["answers"][0]["status"] == "accepted"
        house.do(c.CloseBetting)
        house.deal_all()
        house.finish()
        yield house


def report(house: House, kind: str, operator: str = "") -> Report:
    with Reader.open(house.database) as reader:
        regard = Regard(large_minor={"EUR": 1})
        return find_kind(kind).make(
            ReportAsked(reader, cut(reader, None, None), ReportChoice(operator=operator), regard=regard)
        )


def cells(told: Report, sheet: str, key: str, column: str) -> dict[str, int]:
    found = told.sheet(sheet)
    return {
        str(row[found.place(key)]): cell.amount_minor
        for row in found.rows
        if isinstance(cell := row[found.place(column)], Money)
    }


def words(told: Report) -> str:
    return " ".join(note.english for sheet in told.sheets for note in sheet.notes)


def test_test_accounts_are_left_out_and_what_is_left_out_is_told(house: House) -> None:
    made = {kind: report(house, kind) for kind in REPORTS}
    for kind, told in made.items():
        shown = [
            cell
            for sheet in told.sheets
            if sheet.key not in ("tests", "agreement")
            for row in sheet.rows
            for cell in row
        ]
        assert not any("qa" in str(cell) or "tess" in str(cell) for cell in shown), kind
        assert "est accounts" in words(told) or told.sheet("tests").rows, kind
        assert not told.loud or kind == "significant", words(told)
    assert cells(made["table"], "money", "table", "handle") == {TABLE: 300}
    assert "7.00 EUR staked, 14.00 EUR returned" in words(made["table"])
    assert "7.00 EUR staked" in words(made["returns"])
    [north] = cells(made["closing"], "house", "table", "stakes").values()
    assert north == 300


def test_with_the_lines_of_tests_the_close_of_day_is_the_ledger_to_the_last_unit(house: House) -> None:
    told = report(house, "closing")
    tests = cells(told, "tests", "owner", "closing")
    with Reader.open(house.database) as reader:
        table = reader.balance(house_account(TABLE), "EUR")
        tess = reader.balance(bettor_account("qa", "tess"), "EUR")
    assert tests[TABLE] + cells(told, "house", "table", "closing")[TABLE] == table
    sheet = told.sheet("tests")
    of_qa = {str(row[0]): row[-2].amount_minor for row in sheet.rows if row[1] == "qa"}  # type: ignore[union-attr]
    assert of_qa == {"bettor": tess, "operator": -50_000}
    assert tess != 50_000
    agreement = told.sheet("agreement")
    assert [row for row in agreement.rows if row[-1].amount_minor] == []  # type: ignore[union-attr]
    assert verify(house.database).first_wrong is None


def test_a_report_narrowed_to_the_testers_is_theirs_alone(house: House) -> None:
    assert cells(report(house, "table", "qa"), "money", "table", "handle") == {TABLE: 700}
    assert cells(report(house, "closing", "qa"), "operators", "operator", "stakes") == {"qa": -700}
    assert cells(report(house, "purses", "qa"), "by_operator", "operator", "held_here").keys() == {"qa"}
    for operator in ("qa", "north"):
        for kind in ("returns", "table"):
            assert "est accounts" not in words(report(house, kind, operator)), "it agrees with the ledger without them"


def test_nobody_who_had_money_becomes_a_test(house: House) -> None:
    house.floor.operator_desk.take_file({})
    assert "north" not in house.floor.operators
    assert order(house, "north", OTHER).startswith("The books know money of an operator north")
    assert order(house, "north", OTHER, test=False) == ""
    assert order(house, "qa", "one-more", test=False).startswith("There is an operator qa already")


def test_every_page_of_a_test_account_and_the_page_of_operators_say_so(house: House) -> None:
    for key, bettor, says in ((KEY, "tess", True), (None, "ann", False)):
        given = () if key is None else (key,)
        page = house.post(f"/bettors/{bettor}/pages", {"table": TABLE, "plays": True}, *given).json["page"]
        visitor = house.studio.app.test_client()
        for more in ("", "/record", "/rules"):
            text = visitor.get(f"{page}{more}").get_data(as_text=True)
            assert ("test account" in text) is says, more
    house.staff()
    pit = house.studio.app.test_client()
    pit.post("/sign-in", data={"badge": "2001", "pin": "730162"})
    text = pit.get("/operators").get_data(as_text=True)
    assert text.count("test accounts") == 1


def test_a_test_account_is_never_shown_as_a_winner(house: House) -> None:
    round = house.view.past.results[-1].round
    shown = {one.operator for one in house.floor.winners._of_bettors(round)}
    assert shown <= {"north"}
    with Reader.open(house.database) as reader:
        won = reader.balance(bettor_account("qa", "tess"), "EUR") - 50_000
    assert won > 0


def test_a_test_account_makes_no_bet_that_feeds_a_pot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = running_studio.config

    def with_pot(*given: Any, **named: Any) -> StudioConfig:
        found = whole(*given, **named)
        tables = tuple(one.model_copy(update={"pot": "main"}) for one in found.tables)
        return found.model_copy(
            update={"pots": {"main": PotSection(currency="EUR", seed_minor=1_000, reset_minor=1_000)}, "tables": tables}
        )

    monkeypatch.setattr(running_studio, "config", with_pot)
    with House(tmp_path, game="holdem_bonus") as house:
        assert order(house, "qa", KEY) == ""
        house.post("/bettors/tess/deposits", {"client_id": "t1", "amount": 50_000}, KEY)
        house.open()
        house.do(c.StartRound)
        house.do(c.OpenBetting)
        found = [bets(house, KEY, "tess", stake, bet) for stake, bet in ((500, "ante"), (600, "first5"))]
        assert found == ["accepted", "test_pot"]


def test_a_test_account_takes_no_seat_among_players(tmp_path: Path) -> None:
    with House(tmp_path, game="nlh") as house:
        assert order(house, "qa", KEY) == ""
        house.post("/bettors/tess/deposits", {"client_id": "t1", "amount": 50_000}, KEY)
        sit: dict[str, Any] = {"client_id": "s1", "bettor": "tess", "act": "sit", "seat": "seat3", "amount": 5_000}
        answer = house.post(f"/tables/{TABLE}/seats", sit, KEY)
        assert "test_seat" in answer.text


@pytest.mark.long
def test_a_record_on_a_server_leaves_out_the_same(house: House, postgres_address: str) -> None:
    house.studio.stop()
    moved = CliRunner().invoke(main, ["migrate-to-postgres", str(house.database), postgres_address])
    assert moved.exit_code == 0, moved.output
    for kind in REPORTS:
        here, there = (
            CliRunner().invoke(main, ["report", kind, "--json", "--db", str(place)])
            for place in (house.database, postgres_address)
        )
        assert here.exit_code == 0, here.output
        assert there.output == here.output, kind
