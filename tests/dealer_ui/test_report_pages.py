"""The report pages: who may see them, what they show, what a file holds, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest
from console_visitor import Visitor, app_over
from fake_floor import DEALING, NOW_MS, FakeFloor
from flask import Flask

import studio.reports
from dealer_ui.pages.report import route
from dealer_ui.pages.report.cell import Speaker
from dealer_ui.pages.report.drawing import drawing_of
from dealer_ui.words.language import LANGUAGES, Languages, read_catalogue
from studio.journal import IN_MEMORY, Entry, Store, Unit, Writer
from studio.reports import KINDS, ReportAsked, cut
from studio.reports.sheet.csv_sheet import MARK
from studio.reports.sheet.shape import Chart, Column, Drawing, ReportSheet, Sort
from studio.tables.event import table as e
from studio.tables.event.record import write_body


@pytest.fixture
def app() -> Iterator[Flask]:
    store = Store.open(IN_MEMORY)
    told = (e.TableOpened(dealer="d1", dealer_name="Dana", by="p1"), e.TablePaused(by="=cmd"))
    entries = [Entry(type(one).__name__, NOW_MS + 1, write_body("knights1", "", one)) for one in told]
    Writer(store).commit(Unit(entries=tuple(entries)))
    floor = FakeFloor(DEALING)
    floor._reader = store.reader()
    yield app_over(floor)
    floor.close()
    store.close()


@pytest.mark.parametrize("badge", ["petra", "anna", "ada"])
def test_pit_auditor_and_admin_see_every_report(app: Flask, badge: str) -> None:
    visitor = Visitor(app, badge)
    index = visitor.page("/reports")
    for kind in KINDS:
        assert f"/reports/{kind.key}?" in index
        assert "@page" not in visitor.page(f"/reports/{kind.key}")


@pytest.mark.parametrize("badge", ["dora", "tom"])
def test_a_dealer_and_a_technician_see_none(app: Flask, badge: str) -> None:
    visitor = Visitor(app, badge)
    assert {visitor.status(path) for path in ("/reports", "/reports/table", "/reports/table/tables.csv")} == {403}


def test_nobody_sees_one_who_is_not_signed_in(app: Flask) -> None:
    assert Visitor(app).status("/reports/closing") == 302


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("span=year", "no such span"),
        ("day=yesterday", "no day"),
        ("day=0001-01-01", "no day"),
        ("day=9999-12-31", "no day"),
        ("span=range&from=soon", "no moment"),
        ("span=range&from=0001-01-01T00:00%2B14:00", "no moment"),
        ("span=range&to=9999-12-31T23:59", "no moment"),
        ("span=range&from=2026-01-02T00:00&to=2026-01-01T00:00", "ends before it begins"),
        ("span=shift&shift=77", "no such shift"),
        ("span=shift&shift=x", "no such shift"),
        ("game=chess", "There is no game &#39;chess&#39; here"),
        ("table=t99", "There is no table &#39;t99&#39; in this record. It has: "),
        ("dealer=nobody", "There is no dealer &#39;nobody&#39; in this record."),
        ("operator=east", "There is no operator &#39;east&#39; in this record."),
        ("span=range&game=chess&table=knights1", "There is no game"),
    ],
)
def test_what_is_no_span_is_answered_with_what_to_do(app: Flask, query: str, sentence: str) -> None:
    with Visitor(app, "anna").client.get(f"/reports/table?{query}") as answer:
        assert answer.status_code == 400
        assert sentence in answer.get_data(as_text=True)


def test_a_file_of_what_there_is_not_is_refused_too(app: Flask) -> None:
    with Visitor(app, "anna").client.get("/reports/table/tables.csv?game=chess") as answer:
        assert answer.status_code == 400
        assert "There is no game 'chess'" in answer.get_data(as_text=True)


@pytest.mark.parametrize("query", ["game=blackjack", "table=knights1", "dealer=d1"])
def test_what_the_house_or_its_record_knows_is_reported_on(app: Flask, query: str) -> None:
    assert Visitor(app, "anna").status(f"/reports/table?span=range&{query}") == 200


@pytest.mark.parametrize(("tag", "word"), [("ja", "ゲーム"), ("id", "Permainan")])
def test_the_refusal_is_said_in_the_language(app: Flask, tag: str, word: str) -> None:
    with Visitor(app, "anna").client.get(f"/reports/table?game=chess&language={tag}") as answer:
        assert word in answer.get_data(as_text=True)


@pytest.mark.parametrize("path", ["/reports/gossip", "/reports/table/gossip.csv", "/reports/foot.css?seq=1&hash=xyz"])
def test_what_there_is_not_is_not_found(app: Flask, path: str) -> None:
    assert Visitor(app, "anna").status(path) == 404


def test_a_file_is_marked_csv_with_formulas_defused(app: Flask) -> None:
    answer = Visitor(app, "anna").client.get("/reports/exception/acts.csv?span=range")
    text = answer.get_data().decode()
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer.headers["Content-Disposition"]
    assert text.startswith(f"{MARK}at,table,round,act,")
    assert ",'=cmd," in text
    assert text.endswith("\r\n")


def test_the_foot_of_the_print_names_the_last_row(app: Flask) -> None:
    visitor = Visitor(app, "anna")
    found = re.search(r'href="(/reports/foot\.css\?[^"]*)"', visitor.page("/reports/table?span=range"))
    assert found is not None
    with visitor.client.get(found[1].replace("&amp;", "&")) as answer:
        [head] = re.findall(r"[0-9a-f]{64}", answer.get_data(as_text=True))
        assert head in visitor.page("/reports/table?span=range")


def test_only_so_many_rows_stand_on_a_page(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route, "ROWS_SHOWN", 1)
    assert "1 of 2 rows" in Visitor(app, "anna").page("/reports/exception?span=range")


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_column_sheet_and_note_has_its_words(app: Flask, tag: str) -> None:
    told = read_catalogue(tag)
    reader = app.extensions["console"].house.reader()
    reports = [kind.make(ReportAsked(reader, cut(reader, None, None))) for kind in KINDS]
    wanted = {f"report.{family}.{kind.key}" for kind in KINDS for family in ("kind", "about")}
    wanted |= {f"report.sheet.{sheet.key}" for report in reports for sheet in report.sheets}
    wanted |= {f"report.column.{one.key}" for report in reports for sheet in report.sheets for one in sheet.columns}
    sources = "".join(path.read_text() for path in Path(studio.reports.__file__).parent.glob("*.py"))
    wanted |= {f"report.note.{key}" for key in re.findall(r'Note\(\s*"([a-z_]+)"', sources)}
    assert wanted - set(told) == set()


def test_a_second_report_waits_its_turn_and_is_then_sent_away(app: Flask) -> None:
    from dealer_ui.pages.report.desk import ReportDesk
    from studio.errors import RefusedError
    from studio.reports import GamingDay, ReportChoice, cut, find_kind
    from studio.reports.record.choice import CALENDAR_DAY

    floor: FakeFloor = app.extensions["console"].house
    assert isinstance(CALENDAR_DAY, GamingDay)
    desk = ReportDesk(floor, CALENDAR_DAY, wait_s=0.01)  # type: ignore[arg-type]
    period = cut(floor.reader(), None, None)
    with desk._turn, pytest.raises(RefusedError, match="Another report"):
        desk.make(find_kind("table"), floor.reader(), period, ReportChoice())
    assert desk.make(find_kind("table"), floor.reader(), period, ReportChoice()).kind == "table"


def test_what_is_not_known_is_not_drawn_as_nothing() -> None:
    columns = (Column("device"), Column("up_share", Sort.SHARE))
    chart = Chart(Drawing.BARS, "device", "up_share")
    speaker = Speaker(Languages().speak("en"), UTC)
    known = drawing_of(ReportSheet("devices", columns, [("shoe", None), ("camera", 0.5)], chart=chart), speaker)
    assert known is not None
    assert [point["device"] for point in known["points"]] == ["camera"]
    assert drawing_of(ReportSheet("devices", columns, [("shoe", None)], chart=chart), speaker) is None
