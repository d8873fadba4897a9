"""The desk of the program: looked at when it starts and each day, written down, and an alarm where it is another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from console_visitor import Visitor, app_over
from fake_floor import IDLE, FakeFloor
from patience import wait_until
from running_studio import House

from dealer_ui.care.program_desk import AT_ONCE, DAY_MS, ProgramDesk
from dealer_ui.floor.cause import causes_of
from studio.care.event import ProgramAccepted, ProgramFound, entry_of, read_care
from studio.care.program import KINDS, Program, digest_of, known
from studio.journal import Reader, Store, Unit, Writer
from studio.proof.audit.database import verify


class Machine:
    """A desk on a database; what it looks at is set by hand."""

    def __init__(self, path: Path) -> None:
        self.path, self.now = path, 1_000_000
        self.parts = {"studio": "1" * 64, "devices": "2" * 64}
        self.library = [("lib: lib.py", True)] * (AT_ONCE + 5)
        self.store = Store.open(path)
        self.writer = Writer(self.store)
        self.begin()

    def begin(self) -> None:
        self.desk = ProgramDesk(
            self.writer.commit, lambda: self.now, lambda: Program("1", dict(self.parts)), lambda: self.library
        )
        with self.store.reader() as reader:
            self.desk.restore(reader.events(kinds=KINDS))
        self.duty = self.desk.duty()

    def accept(self, digest: str) -> None:
        told = ProgramAccepted(at_ms=self.now, version="1", digest=digest, by="Mika (root)", reason="approval 17")
        self.writer.commit(Unit(entries=(entry_of(told),)))

    def a_day(self) -> None:
        self.now += DAY_MS
        for _ in range(3):
            self.duty()

    @property
    def rows(self) -> list[ProgramFound]:
        with self.store.reader() as reader:
            found = [read_care(row.body) for row in reader.events(kinds=("ProgramFound",))]
        return [one for one in found if isinstance(one, ProgramFound)]

    def close(self) -> None:
        self.writer.close()
        self.store.close()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path / "studio.db")
    yield made
    made.close()


def words(desk: ProgramDesk) -> list[tuple[str, str]]:
    floor = FakeFloor(IDLE)
    floor.program = desk  # type: ignore[assignment]
    return [(cause.word, cause.about) for cause in causes_of(floor)]  # type: ignore[arg-type]


def test_it_is_looked_at_when_it_starts_and_once_a_day(machine: Machine) -> None:
    machine.duty()
    machine.now += DAY_MS - 1
    machine.duty()
    assert [one.why for one in machine.rows] == ["start"]
    machine.a_day()
    machine.a_day()
    assert [(one.why, len(one.changed)) for one in machine.rows] == [("start", 2), ("day", 0), ("day", 0)]
    assert machine.desk.standing.digest == digest_of(machine.parts)
    assert verify(machine.path).ok


def test_the_files_of_libraries_are_looked_at_a_few_at_a_time(machine: Machine) -> None:
    machine.duty()
    machine.library[-1] = ("lib: edited.py", False)
    machine.now += DAY_MS
    machine.duty()
    machine.duty()
    assert len(machine.rows) == 1, "not through yet"
    machine.duty()
    assert machine.rows[-1].damaged == ("lib: edited.py",)
    assert words(machine.desk) == [("program_other", "lib: edited.py")]


def test_a_file_exchanged_under_a_running_studio_is_an_alarm_until_it_starts_anew(machine: Machine) -> None:
    machine.duty()
    machine.parts["studio"] = "3" * 64
    machine.parts["dealer_ui"] = "4" * 64
    machine.a_day()
    assert words(machine.desk) == [("program_other", "dealer_ui + 1")]
    machine.begin()
    machine.duty()
    assert words(machine.desk) == []
    assert [one.part for one in machine.rows[1].changed] == ["dealer_ui", "studio"]
    assert machine.rows[2].changed == ()
    assert verify(machine.path).ok


def test_a_program_nobody_answers_for_is_an_alarm_once_somebody_did_for_another(machine: Machine) -> None:
    machine.duty()
    assert words(machine.desk) == []
    machine.accept(digest_of(machine.parts))
    machine.begin()
    machine.duty()
    assert machine.desk.standing.answered_for
    assert words(machine.desk) == []
    machine.parts["studio"] = "3" * 64
    machine.begin()
    machine.duty()
    assert words(machine.desk) == [("program_unknown", digest_of(machine.parts)[:12])]


def test_the_auditor_sees_the_digest_and_who_answers_for_it(machine: Machine) -> None:
    machine.accept(digest_of(machine.parts))
    machine.begin()
    machine.duty()
    floor = FakeFloor(IDLE)
    floor.program = machine.desk  # type: ignore[assignment]
    visitor = Visitor(app_over(floor), "paul")
    page = visitor.page("/audit")
    assert digest_of(machine.parts) in page
    assert "Mika (root) answers for it" in page
    machine.parts["studio"] = "3" * 64
    machine.a_day()
    assert "1 parts are not as they were at the start" in visitor.page("/audit")


def test_a_running_studio_writes_down_which_program_it_is(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        desk = house.floor.program
        assert desk is not None
        wait_until(lambda: desk.standing.digest != "")
        stands = desk.standing
    with Reader.open(tmp_path / "studio.db") as reader:
        record = known(reader.events(kinds=KINDS))
    assert record.found is not None
    assert (record.found.why, record.found.digest) == ("start", stands.digest)
    assert digest_of(record.parts) == stands.digest
    assert verify(tmp_path / "studio.db").ok
