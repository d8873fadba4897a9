"""What tables on other hosts look like from here, while their machines are upgraded one after another."""

from __future__ import annotations

import zlib
from types import SimpleNamespace
from typing import Any, cast

import pytest
from altered import altered
from fake_floor import DEALING
from structlog.testing import capture_logs

from dealer_ui.config.cluster import TABLE_HOST
from dealer_ui.wire.far_tables import UNREACHABLE, FarTables
from dealer_ui.wire.message import VERSION, Here, Shown, read_shown, show
from dealer_ui.wire.presence import Neighbours
from studio.errors import BadInputError

NEWER = zlib.compress(b"\x93 what a later version says of a table")


class Far:
    """Tables of others as a web node knows them; hosts that say they are there."""

    def __init__(self) -> None:
        self.presence = Neighbours(cast(Any, SimpleNamespace(name="web", up=True)), monotonic=lambda: 100.0)
        self.tables = FarTables(cast(Any, SimpleNamespace()), self.presence)
        self.asked: list[str] = []
        self.tables.ask_again = lambda host: self.asked.append(host.here.name)

    def beat(self, host: str, run: str, version: str, **tables: int) -> None:
        here = Here(host, TABLE_HOST, run, version, 0, 0, tables)
        self.presence.take(here)
        self.tables._compare(here)

    def shown(self, host: str, run: str, table: str) -> None:
        self.tables.take(read_shown(show(host, run, altered(DEALING, table=table, title=table))))

    def shown_newer(self, host: str, run: str, table: str) -> None:
        self.tables.take(Shown(host, run, table, 7, NEWER))


def test_a_table_that_a_newer_host_shows_stands_as_it_was_and_grows_old() -> None:
    far = Far()
    far.beat("host-1", "a", VERSION, t1=1)
    far.beat("host-2", "b", VERSION, t2=1)
    far.shown("host-1", "a", "t1")
    far.shown("host-2", "b", "t2")
    far.beat("host-1", "upgraded", "another", t1=7)
    with capture_logs() as logs:
        far.shown_newer("host-1", "upgraded", "t1")
        far.shown_newer("host-1", "upgraded", "t1")
    far.tables.look()
    assert [one["host"] for one in logs] == ["host-1"], "told once"
    assert far.tables.view("t1").now.act.key == UNREACHABLE
    assert far.tables.view("t2").now.act.key != UNREACHABLE
    far.asked.clear()
    for _ in range(3):
        far.beat("host-1", "upgraded", "another", t1=7)
        far.tables.look()
    assert not far.asked, "nobody asks again for what he cannot read"


def test_a_table_that_only_a_newer_host_has_shown_is_not_listed() -> None:
    far = Far()
    far.shown_newer("host-1", "upgraded", "t1")  # before its first beat
    far.beat("host-1", "upgraded", "another", t1=7)
    far.shown_newer("host-1", "upgraded", "t1")
    far.shown("host-2", "b", "t2")
    assert far.tables.tables == ("t2",)
    with pytest.raises(BadInputError, match="There is no table 't1' here"):
        far.tables.view("t1")


def test_a_host_of_another_version_that_can_be_read_is_shown() -> None:
    far = Far()
    far.beat("host-1", "a", "another", t1=1)
    far.shown("host-1", "a", "t1")
    assert far.tables.view("t1").title == "t1"


def test_of_a_host_that_shows_one_table_in_another_form_the_others_are_still_asked_for() -> None:
    far = Far()
    far.shown_newer("host-1", "a", "t1")
    far.shown("host-1", "a", "t2")
    for _ in range(2):
        far.beat("host-1", "a", "another", t1=7, t2=9, t3=1)
    far.tables.look()
    assert far.asked == ["host-1"], "the newest view of t2 was lost, and t3 was never shown"
    far.shown("host-1", "a", "t1")
    assert far.tables.tables == ("t1", "t2"), "one that can be read again is shown"
