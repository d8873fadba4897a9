"""How tables stood when a period began, found by kinds, is what all their rows since they were opened make of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from correction_bench import approve, ask, dealt
from report_night import play_floor
from table_bench import PIT, Bench
from test_verify_command import _others as others

from studio.journal import Reader
from studio.reports import chips, incident, uptime
from studio.reports.collusion import seating
from studio.reports.kind import KINDS, find_kind
from studio.reports.record import round_log, seen, standing
from studio.reports.record.choice import ReportAsked
from studio.reports.record.period import Period, between
from studio.reports.record.source import RecordedEvent, told
from studio.tables import command as c

CUTS = 6
"""In so many places the floor's record is cut, and everything behind is reported."""
DAY_S = 86_400


def every_row(
    reader: Reader, period: Period, table: str, kinds: Collection[str], since: str = "TableOpened", *, few: bool = False
) -> Iterator[RecordedEvent]:
    """Each row of the table before the period is looked at, from the last of the kind `since` on."""
    rows = [row for row in reader.events(table=table) if row.seq <= period.after_seq]
    begins = max((row.seq for row in rows if row.kind == since), default=0)
    return (told(row) for row in rows if row.seq >= begins and row.kind in kinds)


def every_round(
    reader: Reader, period: Period, table: str, kinds: Collection[str], since: str
) -> Iterator[RecordedEvent]:
    """Every round since the table was opened, not the last alone."""
    return every_row(reader, period, table, kinds)


def all_rows_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (incident, standing, seating):
        monkeypatch.setattr(module, "since_opened", every_row)
    for module in (uptime, seen, chips):
        monkeypatch.setattr(module, "before", every_row)
    monkeypatch.setattr(round_log, "before", every_round)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_floor(tmp_path_factory.mktemp("floor"), ("three_knights", "nlh"), 5)


def days(path: Path) -> Path:
    """A table of four days, opened once for the first three: a correction, a voided round, another dealer, a freeze and
    an incident that last over the end of a day; and a round that is still open.
    """
    table = dealt(Bench(path=str(path)))
    ask(table, void=True)
    approve(table)
    table.pay()
    table.clear()
    table.do(c.ChangeDealer, PIT, dealer="d3", dealer_name="Dirk")
    table.do(c.FreezeTable, PIT)
    table.wait(DAY_S)
    table.do(c.ReleaseTable, table.pin(PIT), reason_code="seen", words="All is well.")
    table.start(others(0)).betting(("player3_lose", 700))
    table.report("malfunction", PIT)
    table.wait(DAY_S)
    table.rule("void_round", PIT)
    table.pay()
    table.clear()
    table.do(c.CloseTable, PIT)
    table.wait(DAY_S)
    table.do(c.OpenTable, PIT, dealer="d1", dealer_name="Dana")
    table.start(others(4)).do(c.OpenBetting)
    table.bet()
    table.close()
    return path


def asked(reader: Reader, after: int) -> ReportAsked:
    head = reader.head().seq
    begin_ms = next(iter(reader.events(after, limit=1))).at_ms
    return ReportAsked(reader, between(reader, after, head, begin_ms=begin_ms, end_ms=reader.newest_ms()))


@pytest.mark.parametrize("key", [kind.key for kind in KINDS])
def test_a_report_says_what_it_says_when_every_row_is_read(
    floor: Path, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Reader.open(floor) as reader:
        cuts = [asked(reader, reader.head().seq * place // (CUTS + 1)) for place in range(1, CUTS + 1)]
        quick = [find_kind(key).make(one) for one in cuts]
        all_rows_read(monkeypatch)
        assert quick == [find_kind(key).make(one) for one in cuts]


@pytest.mark.parametrize("key", ["table", "incident", "dealer", "returns"])
def test_a_table_that_is_opened_closed_and_frozen_over_days_says_the_same_from_any_row(
    tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Reader.open(days(tmp_path / "days.db")) as reader:
        cuts = [asked(reader, seq) for seq in range(1, reader.head().seq, 3)]
        quick = [find_kind(key).make(one) for one in cuts]
        all_rows_read(monkeypatch)
        assert quick == [find_kind(key).make(one) for one in cuts]


def test_what_was_over_before_a_period_is_no_part_of_it(tmp_path: Path) -> None:
    """A hold that was released, a dealer who had gone: neither is counted, nor named for what is open since."""
    with Reader.open(days(tmp_path / "days.db")) as reader:
        [released] = reader.events(kinds=("TableReleased",))
        [table] = standing.standings(asked(reader, released.seq)).values()
        [incident] = table.held
        assert (incident.what, incident.length_ms > 0) == ("malfunction", True)
        assert not any(one.what == standing.FROZEN for one in table.held)
        since = asked(reader, released.seq)
        assert table.dealer_at(since.period.begin_ms) == "d3"
        assert [one.what for one in table.dealt] == ["d3", "d1"]
        assert table.names["d3"] == "Dirk"
        [whole] = standing.standings(asked(reader, 0)).values()
        assert [one.what for one in whole.dealt] == ["d1", "d3", "d1"]
        assert sorted(one.what for one in whole.held)[0] == standing.FROZEN
