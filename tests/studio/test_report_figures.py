"""Reports say what plain SQL over the same night says, and two spans together what one does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.errors import BadInputError
from studio.journal import Reader
from studio.reports import Money, Report, ReportAsked, ReportChoice, ReportSheet, cut, find_kind
from studio.reports.record.period import seq_before
from tests.studio.report_night import count, play

EVERY = ReportChoice()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("night"))


@pytest.fixture(scope="module")
def reader(database: Path) -> Iterator[Reader]:
    with Reader.open(database) as found:
        yield found


def made(
    reader: Reader, kind: str, choice: ReportChoice = EVERY, begin: int | None = None, end: int | None = None
) -> Report:
    return find_kind(kind).make(ReportAsked(reader, cut(reader, begin, end), choice))


def total(sheet: ReportSheet, column: str) -> int:
    at = sheet.place(column)
    cells = [row[at] for row in sheet.rows]
    return sum(cell.amount_minor if isinstance(cell, Money) else int(cell or 0) for cell in cells)  # type: ignore[arg-type]


LEDGER = "SELECT sum(amount) FROM ledger WHERE kind = ?"


@pytest.mark.parametrize(
    ("column", "kind", "sign"),
    [("deposits", "deposit", 1), ("stakes", "reserve", -1), ("voids", "void", 1), ("returns", "return", 1)],
)
def test_the_close_of_day_is_what_the_ledger_holds(
    reader: Reader, database: Path, column: str, kind: str, sign: int
) -> None:
    assert total(made(reader, "closing").sheet("operators"), column) == sign * count(database, LEDGER, kind)


def test_the_close_of_day_agrees_to_the_last_unit(reader: Reader) -> None:
    report = made(reader, "closing")
    assert not report.loud
    assert total(report.sheet("agreement"), "difference") == 0
    assert [note.key for note in report.sheet("agreement").notes] == ["closing_agrees"]


def test_closing_balances_of_one_span_open_the_next(reader: Reader) -> None:
    middle = (cut(reader, None, None).begin_ms + reader.newest_ms()) // 2
    first, second = made(reader, "closing", end=middle), made(reader, "closing", begin=middle)
    assert total(first.sheet("house"), "closing") == total(second.sheet("house"), "opening") != 0
    assert not first.loud
    assert not second.loud


def test_two_spans_share_no_round_and_lose_none(reader: Reader, database: Path) -> None:
    middle = (cut(reader, None, None).begin_ms + reader.newest_ms()) // 2
    both = [made(reader, "table", begin=None, end=middle), made(reader, "table", begin=middle)]
    rounds = [total(report.sheet("tables"), "rounds") for report in both]
    ended = count(database, "SELECT count(*) FROM journal WHERE kind IN ('RoundSettled', 'RoundRefunded')")
    assert sum(rounds) == ended
    assert min(rounds) > 0


def test_handle_and_hold_of_a_table_are_what_its_account_got(reader: Reader, database: Path) -> None:
    money = made(reader, "table").sheet("money")
    assert total(money, "handle") == count(database, LEDGER, "post")
    assert total(money, "hold") == count(
        database, "SELECT sum(amount) FROM balance WHERE account LIKE 'house:%' AND account NOT LIKE '%/%'"
    )


def test_every_incident_is_in_each_of_its_sheets(reader: Reader, database: Path) -> None:
    report = made(reader, "incident")
    opened = count(database, "SELECT count(*) FROM journal WHERE kind = 'IncidentOpened'")
    assert opened > 0
    assert len(report.sheet("incidents").rows) == opened
    for key in ("by_kind", "by_row", "by_table", "by_dealer", "by_ruler"):
        assert total(report.sheet(key), "count") == opened


def test_a_device_was_up_down_or_unknown_all_the_time(reader: Reader) -> None:
    report = made(reader, "uptime")
    devices = report.sheet("devices")
    at = [devices.place(key) for key in ("up", "down", "not_known")]
    assert {sum(int(row[one] or 0) for one in at) for row in devices.rows} == {report.end_ms - report.begin_ms}  # type: ignore[arg-type]


def test_outages_are_the_lost_links(reader: Reader, database: Path) -> None:
    lost = count(database, "SELECT count(*) FROM journal WHERE kind = 'LinkDown'")
    assert lost > 0
    assert len(made(reader, "uptime").sheet("outages").rows) == lost


def test_a_report_names_the_rows_it_was_made_from(reader: Reader) -> None:
    report = made(reader, "table")
    assert (report.head, report.ledger_head) == (reader.head(), reader.ledger_head())


def test_a_span_cannot_end_before_it_begins(reader: Reader) -> None:
    with pytest.raises(BadInputError, match="ends before it begins"):
        cut(reader, 2_000, 1_000)


def test_a_moment_is_cut_between_two_rows(reader: Reader) -> None:
    head = reader.head().seq
    [[at]] = reader.read("SELECT at FROM journal WHERE seq = 500", ())
    before = seq_before(reader, int(at), head)
    [[newest]] = reader.read("SELECT max(at) FROM journal WHERE seq <= ?", (before,))
    assert newest < at
    assert seq_before(reader, int(at) + 1, head) >= 500


def test_an_unknown_report_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(BadInputError, match="incident"):
        find_kind("gossip")
