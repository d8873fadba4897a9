"""A device that is moved to another table is one device: its time is joined by its serial."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from table_bench import CONFIG, Bench

from studio.reports import ReportAsked, cut
from studio.reports.uptime import make
from studio.tables.event import table as e

MINUTE_MS = 60_000
OTHER = msgspec.structs.replace(CONFIG, key="t2", title="Table 2", shoe="shoe2", shuffler="shuffler2", camera="camera2")


@pytest.fixture
def tables() -> Iterator[tuple[Bench, Bench]]:
    one = Bench(CONFIG)
    other = Bench(OTHER, beside=one)
    yield one, other
    one.close()


def connect(table: Bench, now: int, serial: str) -> None:
    """A shuffler comes up here and is accepted, or known, as the one with this serial."""
    table.now = now
    device = table.config.shuffler
    table.links(only=(device,))
    table.table._table.commit(
        (e.DeviceProved(device=device, name=serial, plug="", serial=serial, model="MD", by="p1"),)
    )


def lose(table: Bench, now: int) -> None:
    table.now = now
    table.links(up=False, only=(table.config.shuffler,))


def test_a_shuffler_that_was_moved_counts_once_and_was_away_only_between_the_tables(
    tables: tuple[Bench, Bench],
) -> None:
    one, other = tables
    begin = one.now
    connect(one, begin, "S-77")
    connect(other, begin, "S-88")
    lose(other, begin + 10 * MINUTE_MS)
    lose(one, begin + 20 * MINUTE_MS)
    connect(other, begin + 25 * MINUTE_MS, "S-77")
    connect(one, begin + 40 * MINUTE_MS, "S-99")
    lose(one, begin + 50 * MINUTE_MS)
    with one.store.reader() as reader:
        sheet = make(ReportAsked(reader, cut(reader, None, None))).sheet("by_serial")
    place = {key: sheet.place(key) for key in ("serial", "stood_at", "down", "outages", "up")}
    rows = {row[place["serial"]]: row for row in sheet.rows}
    moved = rows["S-77"]
    assert moved[place["stood_at"]] == "shuffler @ t1, shuffler2 @ t2"
    assert (moved[place["outages"]], int(moved[place["down"]]) // MINUTE_MS) == (1, 5)
    assert int(moved[place["up"]]) // MINUTE_MS == 20 + 25
    taken_away = rows["S-88"]
    assert taken_away[place["stood_at"]] == "shuffler2 @ t2"
    assert (int(taken_away[place["up"]]) // MINUTE_MS, int(taken_away[place["down"]]) // MINUTE_MS) == (10, 15)
