"""The auditor's search: every question finds its rows and no other, no sealed card is found, nothing can be changed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from flask.testing import FlaskClient
from patience import wait_until
from running_studio import BURNS, DEAL, PIT, TABLE, House

from dealer_ui.pages.audit import search_route
from dealer_ui.pages.audit.search import GROUPS, moment_of, read_query
from dealer_ui.pages.audit.search_route import Verifier
from dealer_ui.past.timeline import RowNarrator, line_of
from dealer_ui.words.language import Languages
from studio.journal import Reader, Row
from studio.journal.extract.search import (
    FoundPage,
    Query,
    search,
    search_money,
)
from studio.people import Pin
from studio.people.staffing import NewStaff
from studio.tables import command as c


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One settled round of two bets; an auditor who may sign in."""
    with House(tmp_path_factory.mktemp("audit")) as found:
        found.floor.staff.add(NewStaff("a1", "3001", "Aya", ("auditor",), Pin("590427")))
        found.floor.staff.add(NewStaff("z7", "7001", "Zoë Müller-Łoś", ("pit_boss",), Pin("7777")))
        found.betting()
        found.bet("one", "two")
        found.do(c.CloseBetting)
        found.deal_all()
        found.finish()
        yield found


@pytest.fixture
def auditor(house: House) -> FlaskClient:
    client = house.studio.app.test_client()
    client.post("/sign-in", data={"badge": "3001", "pin": "590427"}, headers={"Origin": "http://localhost"})
    return client


def found(house: House, **query: object) -> FoundPage:
    return search(house.floor.reader(), Query(**query))  # type: ignore[arg-type]


def kinds(page: FoundPage) -> set[str]:
    return {row.kind for row in page.rows}


def test_each_question_finds_its_rows(house: House) -> None:
    assert {"RoundStarted", "RoundSettled"} <= kinds(found(house, rounds=(house.view.round.id,)))
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
    assert {
        posting.transfer.round for posting in search_money(reader, Query(rounds=(one.transfer.round,))).postings
    } == {one.transfer.round}
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


@pytest.mark.parametrize("before", ["²", "9" * 30, "-1", "x"])
def test_a_place_to_go_on_from_that_is_none_is_no_error(auditor: FlaskClient, before: str) -> None:
    assert auditor.get("/audit", query_string={"kind": "results", "before": before}).status_code == 200


def test_an_auditor_looks_and_changes_nothing(house: House, auditor: FlaskClient) -> None:
    before = house.floor.reader().head()
    for path in ("/audit", "/audit/state", "/audit?words=x&who=y&before=5", f"/pit/{TABLE}"):
        assert auditor.get(path).status_code == 200
    routes = [rule for rule in house.studio.app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    assert routes
    assert house.floor.reader().head() == before


def text_of(client: FlaskClient, path: str) -> str:
    page = client.get(path).get_data(as_text=True)
    return re.sub(r"<[^>]+>", " ", page[page.index('class="record-found"') :])


def test_it_opens_on_what_people_did(house: House, auditor: FlaskClient) -> None:
    page = auditor.get("/audit?language=en").get_data(as_text=True)
    assert '<option value="acts" selected>' in page
    text = text_of(auditor, "/audit?language=en")
    assert "Aya signed in." in text
    assert "declared" in text
    assert "bytes" not in text
    assert not {"LineBytes", "LineIdled", "CameraSawCard", "LedgerBound"} & set(GROUPS["acts"])
    everything = auditor.get("/audit?language=en&kind=").get_data(as_text=True)
    assert "acts" in GROUPS
    assert '<option value="acts" selected>' not in everything


@pytest.mark.parametrize("typed", ["1", "#1", "0000001", "{round}", "round 1", "{table}-1"])
def test_a_round_is_found_by_its_number_however_it_is_written(house: House, auditor: FlaskClient, typed: str) -> None:
    asked = typed.format(round=house.view.round.id, table=TABLE)
    query = read_query(house.floor, {"round": asked})
    assert {"RoundStarted", "RoundSettled"} <= kinds(search(house.floor.reader(), query))


def test_a_round_that_was_not_dealt_is_not_found(house: House) -> None:
    for typed in ("2", "11", f"{TABLE}-2", "none"):
        assert search(house.floor.reader(), read_query(house.floor, {"round": typed})).rows == []


@pytest.mark.parametrize("typed", ["Js", "js", "JS", "J♠", "♠J", "J ♠", "j♤", "J♠\ufe0f"])
def test_a_card_is_found_by_its_letters_or_its_sign(house: House, typed: str) -> None:
    assert read_query(house.floor, {"card": typed}).card == "Js"
    assert "CardDealt" in kinds(search(house.floor.reader(), read_query(house.floor, {"card": typed})))


def test_ten_is_written_both_ways_and_a_sign_among_words_is_a_card(house: House) -> None:
    assert [read_query(house.floor, {"card": typed}).card for typed in ("10h", "Th", "10♥", "th")] == ["Th"] * 4
    query = read_query(house.floor, {"words": "J♠"})
    assert (query.card, query.words) == ("Js", "")
    assert read_query(house.floor, {"words": "as it was"}).words == "as it was"


@pytest.mark.parametrize(
    "typed", ["Zoë Müller-Łoś", "zoe", "MULLER", "loś zoë", "muller-los", "müll", "z7", "Z7", "7001"]
)
def test_a_person_is_found_in_any_spelling_of_the_name(house: House, typed: str) -> None:
    who = read_query(house.floor, {"who": typed}).who
    assert {"z7", "Zoë Müller-Łoś"} <= set(who)
    assert "p1" not in who
    assert "StaffAdded" in kinds(found(house, who=who))


def test_nobody_else_is_meant_by_the_middle_of_a_name(house: House) -> None:
    assert not {"z7", "p1", "a1"} & set(read_query(house.floor, {"who": "uller"}).who)


def test_what_a_person_reads_names_people_tables_and_alarms_and_no_ids(house: House, auditor: FlaskClient) -> None:
    for path in ("/audit?language=en", "/audit?language=en&kind=people", "/audit?language=en&kind="):
        text = text_of(auditor, path)
        assert not re.search(r"\b(p1|a1|z7|d1|A-[0-9]+)\b", text), path
    assert "Zoë Müller-Łoś" in text_of(auditor, "/audit?language=en&kind=people")
    assert "Table 1 · 1" in text_of(auditor, "/audit?language=en&kind=results")


def test_an_alarm_is_told_by_what_it_was_raised_for(house: House) -> None:
    language = Languages().speak("en")

    def row(seq: int, kind: str, **told: object) -> Row:
        return Row(seq, 1, kind, json.dumps({"pit": {"kind": kind, "at_ms": 1, **told}}).encode())

    begun = row(1, "AlarmRaised", id="A-13", cause="called:t1:d1", word="called", tables=["t1"], about="Dana")
    teller = RowNarrator(
        language, raised=lambda id, seq: begun if (id, seq) == ("A-13", 2) else None, titles={"t1": "Table 1"}
    )
    seen = line_of(row(2, "AlarmAcknowledged", id="A-13", by="p1", by_name="Petra"), teller).sentence
    assert seen == "Petra sees to the alarm: Dana calls the pit (Table 1)."
    assert line_of(begun, teller).sentence == "Alarm: Dana calls the pit (Table 1)."


def test_dates_are_picked_in_the_studios_own_zone(house: House, auditor: FlaskClient) -> None:
    page = auditor.get("/audit?language=en&from=2026-01-31&to=2026-02-01").get_data(as_text=True)
    assert '<input type="datetime-local" id="f-from" name="from" value="2026-01-31T00:00">' in page
    assert '<input type="datetime-local" id="f-to" name="to" value="2026-02-01T23:59">' in page
    assert "From (Asia/Makassar)" in page


def test_a_time_is_that_of_the_studios_zone() -> None:
    makassar = ZoneInfo("Asia/Makassar")
    assert moment_of("2026-01-31T08:00", makassar) == moment_of("2026-01-31T00:00", ZoneInfo("UTC"))
    midnight, last = moment_of("2026-01-31", makassar), moment_of("2026-01-31", makassar, last=True)
    assert midnight is not None
    assert last == midnight + 86_400_000 - 1


def test_who_may_not_audit_is_turned_away(house: House) -> None:
    stranger = house.studio.app.test_client()
    assert stranger.get("/audit").status_code in (302, 303, 401)
    assert stranger.post("/audit/verify", headers={"Origin": "http://localhost"}).status_code in (302, 303, 401, 403)
    house.floor.staff.add(NewStaff("d9", "1009", "Didi", ("dealer",), Pin("4826")))
    stranger.post("/sign-in", data={"badge": "1009", "pin": "4826"}, headers={"Origin": "http://localhost"})
    assert stranger.get("/audit").status_code == 403


def test_the_database_is_verified_by_a_process_of_its_own(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_route, "NICE", 0)  # it gives way to tables, not to other tests
    verifier = Verifier(str(house.database), house.floor.now_ms)
    assert verifier.start("Aya")
    assert not verifier.start("Aya")
    wait_until(lambda: not verifier.state.running)
    assert (verifier.state.ok, verifier.state.rounds, verifier.state.by) == (True, 1, "Aya")


def test_a_database_that_is_not_there_is_told(tmp_path: Path, house: House) -> None:
    verifier = Verifier(str(tmp_path / "none.db"), house.floor.now_ms)
    verifier._run()
    assert verifier.state.ok is None
    assert "There is no such database" in verifier.state.sentence


@pytest.mark.parametrize("last", ["\n", '\n{"rounds": 4, "ev'], ids=["a word", "half a word"])
def test_a_verification_that_was_ended_on_its_way_is_told(
    house: House, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    """Its last word was how far it had come."""
    monkeypatch.setattr(search_route, "NICE", 0)
    words = '{"percent": 40}' + last
    killed = f"import os; print({words!r}, end='', flush=True); os.kill(os.getpid(), 9)"
    started = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda command, **how: started([sys.executable, "-c", killed], **how))
    verifier = Verifier(str(house.database), house.floor.now_ms)
    verifier._run()
    assert (verifier.state.ok, verifier.state.running) == (None, False)
    assert verifier.state.sentence == "The verification ended without an answer: try it again."


def test_a_search_looks_back_a_bounded_way_and_says_how_far(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.journal.extract.search.LOOK_MAX", 20)
    monkeypatch.setattr("studio.journal.extract.search.STRETCH", 10)
    with Reader.open(house.database) as reader:
        last = reader.head().seq
        page = search(reader, Query(words="no such words"))
    assert (page.rows, page.before) == ([], last - 19)
    assert page.looked_to_ms > 0
