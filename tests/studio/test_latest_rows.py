"""The last rows about a table are found however much others have written since, by whichever host."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.journal.extract.latest import latest, latest_of_few
from studio.journal.place import Place

KINDS = ("LinkDown", "LinkUp")


@pytest.fixture(params=["file", "server"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    return str(request.getfixturevalue("postgres_address")) if request.param == "server" else tmp_path / "studio.db"


def write(place: Place, host: str, *said: tuple[str, str]) -> None:
    """Rows of a host: each a table and a kind."""
    with Store.open(place, host=host) as store:
        writer = Writer(store)
        for table, kind in said:
            body = b'{"table":"%s"}' % table.encode() if table else b"{}"
            writer.commit(Unit(entries=(Entry(kind, 1_700_000_000_000, body),)))
        writer.close()


def test_what_a_device_said_is_found_behind_other_tables_rows(place: Place) -> None:
    write(place, "a", ("t1", "LinkDown"), ("t1", "DeviceServiced"), ("t1", "Noted"), ("t1", "LinkUp"))
    write(place, "b", *[("t2", "LinkUp"), ("", "Noted")] * 300)
    with Reader.open(place) as reader:
        assert [row.kind for row in latest(reader, "t1", KINDS, among=100, limit=12)] == ["LinkUp", "LinkDown"]
        assert [row.kind for row in latest(reader, "t1", KINDS, among=100, limit=1)] == ["LinkUp"]
        assert [row.kind for row in latest(reader, "t1", KINDS, among=3, limit=12)] == ["LinkUp"]
        assert len(latest(reader, "t2", KINDS, among=100, limit=12)) == 12
        [served] = latest_of_few(reader, "t1", ("DeviceServiced", "DeviceOrdered"), limit=12)
        assert bytes(served.body) == b'{"table":"t1"}'
        assert latest_of_few(reader, "t2", ("DeviceServiced",), limit=12) == []
