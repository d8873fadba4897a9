"""What the manager of a poker room looks for: hands, pots, rake by table and hour, chips, and that the books agree."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from correction_bench import correct
from poker_bench import CHIPS, NLH, PokerBench

from dealer_ui.words.language import LANGUAGES, read_catalogue
from studio.journal import Reader
from studio.reports import Money, Report, ReportAsked, ReportChoice, between, find_kind

SHOWDOWN = "Ah Kh 2c Ad Kd 7d 4s As 9c 3d 5h 8h 6h Jc"
RAKED = msgspec.structs.replace(NLH, rules={"rake_percent": "5", "rake_cap": 30})
EVERY = ReportChoice()


def played(path: Path) -> PokerBench:
    """A hand without a flop, one with a rake, one that is open; Cy has left."""
    bench = PokerBench(config=RAKED, path=str(path)).open()
    bench.hand()
    bench.acts("fold", "fold")
    bench.end_hand()
    bench.hand(SHOWDOWN)
    bench.acts("raise 300", "call", "fold", *["check"] * 6, "show")
    bench.end_hand()
    assert bench.ask("leave", "cy").status == "accepted"
    bench.hand()
    return bench


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PokerBench]:
    bench = played(tmp_path_factory.mktemp("room") / "studio.db")
    yield bench
    bench.close()


def made(reader: Reader, kind: str, choice: ReportChoice = EVERY, end_ms: int = 10**13) -> Report:
    period = between(reader, 0, reader.head().seq, begin_ms=0, end_ms=end_ms)
    return find_kind(kind).make(ReportAsked(reader, period, choice))


def told(report: Report, key: str) -> list[dict[str, Any]]:
    """The rows of a sheet by their columns; money in minor units."""
    sheet = report.sheet(key)
    names = [column.key for column in sheet.columns]
    return [
        dict(zip(names, (cell.amount_minor if isinstance(cell, Money) else cell for cell in row), strict=True))
        for row in sheet.rows
    ]


def test_the_table_report_tells_hands_pots_and_rake(night: PokerBench) -> None:
    with night.store.reader() as reader:
        report = made(reader, "table")
    [room] = told(report, "poker_room")
    assert (room["hands"], room["void"], room["dealt_again"], room["seats_dealt_in"]) == (2, 0, 0, 3.0)
    assert (room["pots_paid_in"], room["average_pot"], room["rake"]) == (150 + 700, 425, 30)
    assert sum(row["rake"] for row in told(report, "rake_hours")) == 30


def test_what_an_hour_brings_is_by_the_time_the_table_was_open(night: PokerBench) -> None:
    with night.store.reader() as reader:
        report = made(reader, "table", end_ms=night.now)
    [room], [table] = told(report, "poker_room"), told(report, "tables")
    open_ms = table["open_for"]
    assert room["rake_an_hour"] == 30 * 3_600_000 // open_ms > 0
    assert room["hands_an_hour"] == 2 * 3_600_000 / open_ms


def test_the_rake_of_a_hand_is_not_told_of_one_operator(night: PokerBench) -> None:
    with night.store.reader() as reader:
        report = made(reader, "table", ReportChoice(operator="north"))
    [room] = told(report, "poker_room")
    assert (room["hands"], room["rake"], room["pots_paid_in"]) == (2, None, None)
    assert "room_operator" in [note.key for note in report.sheet("poker_room").notes]


def test_the_close_of_day_tells_the_chips_at_each_table(night: PokerBench) -> None:
    with night.store.reader() as reader:
        [chips] = told(made(reader, "closing"), "chips")
    assert chips["bought"] == 3 * CHIPS
    assert chips["closing"] == sum(night.stack(bettor) for bettor in ("ann", "bob"))
    assert chips["put_in"] == -(150 + 700 + 150)
    assert chips["taken"] == 150 + 700 - 30
    assert chips["paid_out"] == chips["closing"] - 3 * CHIPS + 180
    assert chips["difference"] == 0


def test_rake_and_chips_are_held_against_what_seats_and_hands_told(night: PokerBench) -> None:
    with night.store.reader() as reader:
        report = made(reader, "closing")
    assert not report.loud
    checks = {row["check"]: (row["one"], row["other_book"]) for row in told(report, "agreement")}
    assert checks["rake"] == (30, 30)
    assert checks["chips_bought"] == (3 * CHIPS, 3 * CHIPS)
    assert checks["chips_paid"][0] == checks["chips_paid"][1] != 0


@pytest.mark.parametrize(
    ("check", "kind", "name"), [("chips_paid", "SeatLeft", "stack_minor"), ("rake", "ResultDeclared", "outcome.rake")]
)
def test_a_seat_or_hand_that_tells_otherwise_is_told_loudly(
    night: PokerBench, tmp_path: Path, check: str, kind: str, name: str
) -> None:
    [source] = [row[2] for row in night.store.connection.execute("PRAGMA database_list") if row[1] == "main"]
    night.store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(source, tmp_path / "studio.db")
    with closing(sqlite3.connect(tmp_path / "studio.db")) as connection:
        connection.execute("DROP TRIGGER journal_refuses_update")
        path = f"$.event.{name}"
        connection.execute(
            "UPDATE journal SET body = json_set(body, ?1, json_extract(body, ?1) + 1) WHERE kind = ?2", (path, kind)
        )
        connection.commit()
    with Reader.open(tmp_path / "studio.db") as reader:
        report = made(reader, "closing")
    assert [note.key for note in report.loud] == ["closing_wrong"]
    assert [row["check"] for row in told(report, "agreement") if row["difference"]] == [check]


def test_a_hand_that_is_void_after_all_has_no_rake(tmp_path: Path) -> None:
    bench = PokerBench(config=RAKED, path=str(tmp_path / "studio.db")).open()
    bench.hand(SHOWDOWN)
    bench.acts("raise 300", "call", "fold", *["check"] * 6, "show")
    bench.end_hand()
    correct(bench, void=True)
    with bench.store.reader() as reader:
        report, tables = made(reader, "closing"), made(reader, "table")
    assert not report.loud
    assert told(tables, "poker_room")[0]["rake"] == 0
    assert {row["check"]: row["one"] for row in told(report, "agreement")}["rake"] == 0
    bench.close()


def test_chips_are_told_when_everybody_has_left(tmp_path: Path) -> None:
    bench = PokerBench(config=RAKED, path=str(tmp_path / "studio.db")).open()
    for bettor in bench.seats:
        assert bench.ask("leave", bettor).status == "accepted"
    with bench.store.reader() as reader:
        report = made(reader, "closing")
    assert not report.loud
    [chips] = told(report, "chips")
    assert (chips["bought"], chips["paid_out"], chips["closing"]) == (3 * CHIPS, -3 * CHIPS, 0)
    bench.close()


@pytest.mark.parametrize("tag", LANGUAGES)
def test_all_of_it_has_words(night: PokerBench, tag: str) -> None:
    known = set(read_catalogue(tag))
    with night.store.reader() as reader:
        reports = [made(reader, kind) for kind in ("table", "closing", "shift")]
    sheets = [sheet for report in reports for sheet in report.sheets]
    wanted = {f"report.sheet.{sheet.key}" for sheet in sheets}
    wanted |= {f"report.column.{column.key}" for sheet in sheets for column in sheet.columns}
    wanted |= {f"report.check.{row['check']}" for row in told(reports[1], "agreement")}
    assert wanted - known == set()


def test_wherever_the_night_is_cut_the_books_agree_and_two_spans_tell_what_one_does(night: PokerBench) -> None:
    with night.store.reader() as reader:
        head = reader.head().seq
        for seq in range(20, head, 9):
            spans = between(reader, 0, seq, begin_ms=0, end_ms=1), between(reader, seq, head, begin_ms=1, end_ms=2)
            asked = [ReportAsked(reader, span) for span in spans]
            first, second = (find_kind("closing").make(one) for one in asked)
            assert (first.loud, second.loud) == ((), ()), seq
            begun = sum(row["opening"] for row in told(second, "chips"))
            ended = sum(row["closing"] for row in told(first, "chips")) if _has(first, "chips") else 0
            assert begun == ended, seq
            tables = [find_kind("table").make(one) for one in asked]
            rooms = [row for table in tables if _has(table, "poker_room") for row in told(table, "poker_room")]
            assert sum(row["rake"] or 0 for row in rooms) == 30
            assert sum(row["hands"] for row in rooms) == 2


def _has(report: Report, key: str) -> bool:
    return any(sheet.key == key for sheet in report.sheets)


def test_of_a_hand_only_the_board_is_a_sample_of_the_deck(night: PokerBench) -> None:
    """Ann's ace and Bob's pair of aces were shown, by choice."""
    with night.store.reader() as reader:
        report = made(reader, "cards")
    [whole] = [row for row in told(report, "frequency") if row["part"] == "all"]
    assert (whole["deck_of"], whole["passes"], whole["seen"]) == (52, 1, 5)
    faces = {row["card"]: row["seen"] for row in told(report, "faces")}
    assert {card for card, seen in faces.items() if seen} == {"As", "9c", "3d", "8h", "Jc"}
