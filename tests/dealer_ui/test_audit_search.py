"""The auditor's search: every question finds its rows and no other, no sealed card is found, nothing can be changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from running_studio import BURNS, DEAL, PIT, TABLE, House

from dealer_ui.audit.search import GROUPS
from dealer_ui.audit.verifying import Verifier
from studio.journal import Reader
from studio.journal.search import Page, Query, search, search_money
from studio.people import Pin
from studio.people.staffing import NewStaff
from studio.tables import command as c


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One settled round of two bets; an auditor who may sign in."""
    with House(tmp_path_factory.mktemp("audit")) as found:
        found.floor.staff.add(NewStaff("a1", "3001", "Aya", ("auditor",), Pin("3333")))
        found.betting()
        found.bet("one", "two")
        found.do(c.CloseBetting)
        found.deal_all()
        found.finish()
        yield found


@pytest.fixture
def auditor(house: House) -> FlaskClient:
    client = house.studio.app.test_client()
    client.post("/sign-in", data={"badge": "3001", "pin": "3333"}, headers={"Origin": "http://localhost"})
    return client


def found(house: House, **query: object) -> Page:
    return search(house.floor.reader(), Query(**query))  # type: ignore[arg-type]


def kinds(page: Page) -> set[str]:
    return {row.kind for row in page.rows}


def test_each_question_finds_its_rows(house: House) -> None:
    round = f"{TABLE}-1" if found(house, round=f"{TABLE}-1").rows else house.view.round
    assert {"RoundStarted", "RoundSettled"} <= kinds(found(house, round=round))
    assert kinds(found(house, kinds=GROUPS["results"])) == {"RoundStarted", "ResultDeclared", "RoundSettled"}
    assert "TableOpened" in kinds(found(house, who=(PIT.id,)))
    assert found(house, who=("nobody",)).rows == []
    assert kinds(found(house, card=str(DEAL[0]))) >= {"CardDealt"}
    assert found(house, table="another").rows == []
    assert kinds(found(house, words="petra")) >= {"StaffAdded"}
    assert found(house, row="TK99").rows == []


def test_a_card_that_was_never_revealed_is_found_by_no_search(house: House) -> None:
    for card in BURNS:
        assert found(house, card=str(card)).rows == []
        assert found(house, words=str(card)).rows == []


def test_a_name_of_ours_is_no_word_of_theirs(house: House) -> None:
    """`stake_minor` and `event` stand in thousands of bodies, as names; somebody who looks for words means values."""
    assert found(house, words="stake_minor").rows == []
    assert found(house, words="ciphertext").rows == []


def test_pages_follow_each_other_without_a_gap(house: House) -> None:
    reader = house.floor.reader()
    whole = [row.seq for row in search(reader, Query(), limit=10_000).rows]
    told: list[int] = []
    before = None
    while True:
        page = search(reader, Query(), before, 17)
        told += [row.seq for row in page.rows]
        if page.before is None:
            break
        before = page.before
    assert told == whole == sorted(whole, reverse=True)


def test_a_time_narrows_it_to_the_moment(house: House) -> None:
    rows = search(house.floor.reader(), Query(), limit=10_000).rows
    at_ms = rows[len(rows) // 2].at_ms
    inside = found(house, from_ms=at_ms, to_ms=at_ms).rows
    assert {row.at_ms for row in inside} == {at_ms}
    assert found(house, from_ms=rows[0].at_ms + 1).rows == []


def test_money_is_found_by_sum_round_and_bettor(house: House) -> None:
    reader = house.floor.reader()
    every = search_money(reader, Query(), limit=1000).postings
    one = next(posting for posting in every if posting.transfer.kind == "reserve")
    assert one in search_money(reader, Query(amount_minor=one.transfer.amount_minor)).postings
    assert {posting.transfer.round for posting in search_money(reader, Query(round=one.transfer.round)).postings} == {
        one.transfer.round
    }
    assert one in search_money(reader, Query(who=(one.transfer.debit,))).postings
    assert search_money(reader, Query(amount_minor=1)).postings == []
    assert found(house, amount_minor=one.transfer.amount_minor).rows


def test_the_page_tells_hits_in_words_with_a_way_to_the_round(house: House, auditor: FlaskClient) -> None:
    page = auditor.get("/audit?kind=results").get_data(as_text=True)
    assert f"/pit/{TABLE}/round/" in page
    assert "State of the chains" in page
    assert "監査" in auditor.get("/audit?language=ja").get_data(as_text=True)
    money = auditor.get("/audit?what=money&language=en").get_data(as_text=True)
    assert f"/pit/{TABLE}/round/" in money


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("card=1x", "is no card: write rank and suit"),
        ("amount=12,50", "is no amount: write it as in 12.50"),
        ("from=yesterday", "is no time: write it as in 2026-01-31"),
    ],
)
def test_what_cannot_be_read_is_answered_with_what_to_type(auditor: FlaskClient, asked: str, sentence: str) -> None:
    assert sentence in auditor.get(f"/audit?language=en&{asked}").get_data(as_text=True)


def test_an_auditor_looks_and_changes_nothing(house: House, auditor: FlaskClient) -> None:
    before = house.floor.reader().head()
    for path in ("/audit", "/audit/state", "/audit?words=x&who=y&before=5", f"/pit/{TABLE}"):
        assert auditor.get(path).status_code == 200
    routes = [rule for rule in house.studio.app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    assert routes
    assert house.floor.reader().head() == before


def test_who_may_not_audit_is_turned_away(house: House) -> None:
    stranger = house.studio.app.test_client()
    assert stranger.get("/audit").status_code in (302, 303, 401)
    assert stranger.post("/audit/verify", headers={"Origin": "http://localhost"}).status_code in (302, 303, 401, 403)
    house.floor.staff.add(NewStaff("d9", "1009", "Didi", ("dealer",), Pin("1111")))
    stranger.post("/sign-in", data={"badge": "1009", "pin": "1111"}, headers={"Origin": "http://localhost"})
    assert stranger.get("/audit").status_code == 403


def test_the_database_is_verified_by_a_process_of_its_own(house: House) -> None:
    verifier = Verifier(house.database, house.floor.now_ms)
    assert verifier.start("Aya")
    assert not verifier.start("Aya")
    for _ in range(1500):
        if not verifier.state.running:
            break
        house.floor.wait(None, 10**9, 0.01)
    assert (verifier.state.ok, verifier.state.rounds, verifier.state.by) == (True, 1, "Aya")


def test_a_database_that_is_not_there_is_told(tmp_path: Path, house: House) -> None:
    verifier = Verifier(tmp_path / "none.db", house.floor.now_ms)
    verifier._run()
    assert verifier.state.ok is None
    assert "There is no such database" in verifier.state.sentence


def test_a_search_looks_back_a_bounded_way_and_says_how_far(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.journal.search.LOOK_MAX", 20)
    monkeypatch.setattr("studio.journal.search.STRETCH", 10)
    with Reader.open(house.database) as reader:
        last = reader.head().seq
        page = search(reader, Query(words="no such words"))
    assert (page.rows, page.before) == ([], last - 19)
    assert page.looked_to_ms > 0
