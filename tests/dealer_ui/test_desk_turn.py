"""One act at a desk after another, while the record is slow: who waits is refused in time, and nothing is lost,
doubled or decided over what is not known.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from patience import PATIENCE_S

from dealer_ui.desk.book import DeskLock, FarBook, KeptBook, LateError, MovedError, OwnBook
from dealer_ui.desk.pit import PIT_KINDS, PitDesk
from dealer_ui.desk.staff import FIRST, StaffDesk
from dealer_ui.wire.web_floor import no_answer_yet
from studio.errors import RefusedError, StorageError
from studio.journal import Entry, Reader, Receipt, Row, Store, Unit, Writer
from studio.people import (
    STAFF_KINDS,
    Actor,
    Argon2PinHasher,
    NewStaff,
    Pin,
    Role,
    StaffRegister,
    evolve_staff,
    retire_staff,
)
from studio.people.record import read_staff
from studio.people.staff_event import AnyStaffEvent
from studio.pit import AnyPitEvent
from studio.pit.pit_event import MessageShown, act_of, read_row, write_row

KINDS = frozenset(STAFF_KINDS)
PEOPLE = {f"a{number}": f"90{number}" for number in range(4)}
PIN = "730162"


@dataclass
class SlowRecord:
    """A record whose writer answers when `go_on` is set; `late`: it is not waited for, as after half a minute."""

    folder: Path
    late: bool = False
    go_on: threading.Event = field(default_factory=threading.Event)
    asked: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    held: list[tuple[Unit, Future[Receipt]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.go_on.set()
        self.store = Store.open(self.folder / "studio.db", create=True)
        self.writer = Writer(self.store)
        self.reading = self.store.reader()
        self._one = threading.Lock()

    def commit(self, unit: Unit) -> int:
        if self.late:
            self.held.append((unit, Future()))
            raise LateError(self.held[-1][1])
        self.asked.release()
        assert self.go_on.wait(PATIENCE_S)
        with self._one:
            return self.writer.commit(unit).last_seq

    @contextmanager
    def silent(self) -> Iterator[None]:
        """It answers nobody, until `go_on` is set; at the end in any case, so that nobody is left waiting."""
        self.go_on.clear()
        try:
            yield
        finally:
            self.go_on.set()

    def answer(self, error: Exception | None = None) -> None:
        """What was late is kept now, or is not."""
        (unit, future), self.late = self.held.pop(), False
        if error is not None:
            return future.set_exception(error)
        future.set_result(self.writer.commit(unit))

    def reader(self) -> Reader:
        return self.reading

    @property
    def events(self) -> list[AnyStaffEvent]:
        return [read_staff(row.body) for row in self.reading.events()]


@pytest.fixture
def record(tmp_path: Path) -> Iterator[SlowRecord]:
    made = SlowRecord(tmp_path)
    yield made
    made.reading.close()
    made.writer.close()
    made.store.close()


@pytest.fixture
def desk(record: SlowRecord) -> StaffDesk:
    book = OwnBook(KINDS, record.commit, record.reader)
    made = StaffDesk(book.commit, lambda: 1_000, Argon2PinHasher(cost=1, memory_kib=8))
    made.others = book.others
    for id, badge in PEOPLE.items():
        made.add(NewStaff(id, badge, id.title(), ("admin",), Pin(PIN)))
    while record.asked.acquire(blocking=False):
        pass
    return made


def sign_in(desk: StaffDesk, id: str) -> str:
    return desk.sign_in(PEOPLE[id], PIN, 1_000, f"station {id}").id


def is_the_record(desk: StaffDesk, record: SlowRecord) -> bool:
    """Whether the desk knows what the record holds, and nothing else."""
    register = StaffRegister()
    for event in record.events:
        register = evolve_staff(register, event)
    return register == desk.register


def test_whoever_would_wait_for_anothers_act_is_refused_with_nothing_done(desk: StaffDesk, record: SlowRecord) -> None:
    desk._lock = DeskLock(0.05)
    with ThreadPoolExecutor() as people, record.silent():
        first = people.submit(sign_in, desk, "a0")
        assert record.asked.acquire(timeout=PATIENCE_S)
        others = [people.submit(sign_in, desk, id) for id in ("a1", "a2", "a3")]
        for other in others:
            with pytest.raises(RefusedError, match="cannot write its record now; try again in a moment") as refused:
                other.result(PATIENCE_S)
            assert refused.value.key == "disk"
        assert not first.done()
        record.go_on.set()
        assert first.result(PATIENCE_S) == "a0"
    assert [type(event).__name__ for event in record.events[len(PEOPLE) :]] == ["StaffSignedIn"]
    assert [sign_in(desk, id) for id in ("a1", "a2", "a3")] == ["a1", "a2", "a3"]
    assert is_the_record(desk, record)


def test_acts_that_meet_are_decided_one_over_the_other(desk: StaffDesk, record: SlowRecord) -> None:
    """Four administrators retire one another at once: one stays."""
    start, said = threading.Barrier(len(PEOPLE)), []

    def retire(id: str) -> None:
        start.wait(PATIENCE_S)
        try:
            desk.change(lambda register, now: retire_staff(register, id, by=FIRST, now_ms=now))
        except RefusedError as error:
            said.append(error.key)

    with ThreadPoolExecutor(len(PEOPLE)) as people:
        for done in [people.submit(retire, id) for id in PEOPLE]:
            done.result(PATIENCE_S)
    assert said == ["last_admin"]
    assert len(desk.register.with_role(Role.ADMIN)) == 1
    assert is_the_record(desk, record)


def test_a_hundred_acts_of_many_threads_stand_once_and_in_their_order(desk: StaffDesk, record: SlowRecord) -> None:
    def work(id: str) -> int:
        done = 0
        for number in range(25):
            station = f"station {id} {number}"
            desk.sign_in(PEOPLE[id], PIN, 1_000, station)
            desk.sign_out(id, station)
            done += 2
        return done

    with ThreadPoolExecutor(len(PEOPLE)) as people:
        done = sum(people.map(work, PEOPLE))
    assert len(record.events) == len(PEOPLE) + done
    assert is_the_record(desk, record)
    assert not any(one.stations for one in desk.register.people.values())


@pytest.mark.parametrize("kept", [True, False], ids=["it was kept", "it was not"])
def test_what_is_answered_late_is_known_before_anything_is_decided(
    kept: bool, desk: StaffDesk, record: SlowRecord
) -> None:
    record.late = True
    with pytest.raises(RefusedError, match="may yet be done: look before you ask again"):
        desk.change(lambda register, now: retire_staff(register, "a0", by=FIRST, now_ms=now))
    record.late = False
    with pytest.raises(RefusedError, match="cannot write its record now"):
        sign_in(desk, "a1")
    record.answer(None if kept else StorageError("full"))
    if kept:
        with pytest.raises(RefusedError, match="do not match"):
            sign_in(desk, "a0")
    else:
        assert sign_in(desk, "a0") == "a0"
    assert [type(event).__name__ for event in record.events].count("StaffRetired") == kept
    assert is_the_record(desk, record)


def test_whose_sign_in_was_kept_late_is_not_there(desk: StaffDesk, record: SlowRecord) -> None:
    """He has no session, and nobody counts him among those on the floor."""
    record.late = True
    with pytest.raises(RefusedError, match="may yet be done"):
        sign_in(desk, "a0")
    record.answer()
    desk.catch_up()
    assert not desk.register.people["a0"].stations
    assert sign_in(desk, "a1") == "a1"
    assert [type(event).__name__ for event in record.events[-3:]] == ["StaffSignedIn", "SignInEnded", "StaffSignedIn"]
    assert is_the_record(desk, record)
    assert sign_in(desk, "a0") == "a0"


def shown(id: str = "m1") -> tuple[AnyPitEvent, ...]:
    text = {"text": "", "words": "Back in a minute", "until": "hand", "round": "", "by": "p1", "by_name": "Petra"}
    return (MessageShown(at_ms=1, id=id, table="t1", **text),)


@pytest.mark.parametrize("kept", [True, False], ids=["it was kept", "it was not"])
def test_an_act_of_the_pit_that_was_answered_late_is_the_same_act_when_it_is_sent_again(
    kept: bool, record: SlowRecord
) -> None:
    book = OwnBook(PIT_KINDS, record.commit, record.reader)
    pit, petra = PitDesk(book.commit, lambda: 1_000), Actor("p1", "Petra", frozenset({"pit"}))
    pit.others = book.others
    record.late = True
    with pytest.raises(RefusedError, match="may yet be done: look before you ask again"):
        pit.once(petra, "act 1", shown)
    record.answer(None if kept else StorageError("full"))
    assert pit.once(petra, "act 1", shown) == pit.once(petra, "act 1", shown) == 1
    assert list(pit.book.messages) == ["m1"], "what is said to be done is in the book: a freeze goes on from there"
    assert [row.kind for row in record.reading.events()] == ["MessageShown"]
    assert pit.once(petra, "act 2", lambda: shown("m2")) == 2


def test_an_act_of_the_pit_that_is_kept_while_it_is_sent_again_is_one_act(record: SlowRecord) -> None:
    """Over one record that hosts share it waits in the writer's queue behind itself, and is decided anew."""
    pit, petra = PitDesk(record.commit, lambda: 1_000), Actor("p1", "Petra", frozenset({"pit"}))
    kept: list[Row] = []
    pit.others = lambda: [kept.pop()] if kept else []
    record.late = True
    with pytest.raises(RefusedError, match="may yet be done"):
        pit.once(petra, "act 1", shown)

    def sent_again() -> tuple[AnyPitEvent, ...]:
        if not record.held:
            return shown("m2")
        record.answer()
        kept.extend(record.reading.events())
        raise MovedError

    assert pit.once(petra, "act 1", sent_again) == 1
    assert list(pit.book.messages) == ["m1"]


def test_an_act_of_the_pit_that_was_kept_while_the_next_came_late_is_not_forgotten(record: SlowRecord) -> None:
    book = OwnBook(PIT_KINDS, record.commit, record.reader)
    pit, petra = PitDesk(book.commit, lambda: 1_000), Actor("p1", "Petra", frozenset({"pit"}))
    pit.others = book.others
    record.late = True
    with pytest.raises(RefusedError, match="may yet be done"):
        pit.once(petra, "act 1", shown)

    def next_one() -> tuple[AnyPitEvent, ...]:
        if record.held:
            record.answer()
            record.late = True
        return shown("m2")

    with pytest.raises(RefusedError, match="may yet be done"):
        pit.once(petra, "act 2", next_one)
    record.answer()
    assert [pit.once(petra, f"act {number}", shown) for number in (1, 2)] == [1, 2]
    assert [row.kind for row in record.reading.events()] == ["MessageShown"] * 2


@pytest.mark.parametrize("kept", [True, False], ids=["it was kept", "it was not"])
def test_an_act_of_the_pit_that_another_host_keeps_without_an_answer_is_one_act(kept: bool, record: SlowRecord) -> None:
    """Sent again it is decided anew, at another moment: unless it is known again its message stands there twice."""
    host, answers = KeptBook(PIT_KINDS, record.commit, record.reader), False

    def send(unit: Unit, after: int) -> int:
        if answers or kept:
            seq = host.add(unit, after)
        if not answers:
            raise no_answer_yet()
        return seq

    book = FarBook(PIT_KINDS, send, record.reader)
    pit, petra = PitDesk(book.commit, lambda: 1_000), Actor("p1", "Petra", frozenset({"pit"}))
    pit.others = book.others
    with pytest.raises(RefusedError, match="may yet do it"):
        pit.once(petra, "act 1", shown)
    answers = True
    assert pit.once(petra, "act 1", lambda: shown("m2")) == pit.once(petra, "act 1", lambda: shown("m3")) == 1
    assert list(pit.book.messages) == (["m1"] if kept else ["m2"])
    assert pit.once(petra, "act 2", lambda: shown("m4")) == 2
    assert [row.kind for row in record.reading.events()] == ["MessageShown"] * 2


class JustDone(Future[Receipt]):
    """Kept between two looks: not done at the first, though it is."""

    looks = 0

    def done(self) -> bool:
        self.looks += 1
        return self.looks > 1 and super().done()


@pytest.mark.parametrize("act", [lambda book: book.commit(row()), lambda book: book.add(row(), 0)], ids=["own", "far"])
def test_a_row_that_is_kept_between_two_looks_is_not_passed_over(
    act: Callable[[KeptBook], int], record: SlowRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = KeptBook(KINDS, record.commit, record.reader)
    record.late = True
    monkeypatch.setitem(SlowRecord.commit.__globals__, "Future", JustDone)
    with pytest.raises(LateError):
        book.commit(row())
    record.answer()
    with pytest.raises(MovedError):
        act(book)
    assert [one.seq for one in book.others()] == [1]


def row() -> Unit:
    return Unit(entries=(Entry("StaffSignedOut", 1, b"{}"),))


@pytest.mark.parametrize("act", [lambda book: book.commit(row()), lambda book: book.add(row(), 0)], ids=["own", "far"])
def test_nobody_adds_to_a_kept_book_behind_a_row_that_came_late(
    act: Callable[[KeptBook], int], record: SlowRecord
) -> None:
    book = KeptBook(KINDS, record.commit, record.reader)
    record.late = True
    with pytest.raises(LateError):
        book.commit(row())
    record.late = False
    with pytest.raises(StorageError):
        act(book)
    record.answer()
    with pytest.raises(MovedError):
        act(book)
    assert [one.seq for one in book.others()] == [1]
    assert book.commit(row()) == 2


def test_an_act_of_the_pit_that_is_sent_again_through_another_process_is_one_act(record: SlowRecord) -> None:
    """A pit boss's page sends it again where its web node is gone, and another one answers."""
    host, petra = KeptBook(PIT_KINDS, record.commit, record.reader), Actor("p1", "Petra", frozenset({"pit"}))
    nodes = []
    for _ in range(2):
        book = FarBook(PIT_KINDS, host.add, record.reader)
        pit = PitDesk(book.commit, lambda: 1_000)
        pit.others = book.others
        nodes.append(pit)
    first, second = nodes
    assert first.once(petra, "act 1", shown) == 1
    assert second.once(petra, "act 1", lambda: shown("m2")) == 1
    assert list(second.book.messages) == ["m1"]
    assert second.once(Actor("p2", "Paul", frozenset({"pit"})), "act 1", lambda: shown("m3")) == 2, "another's act"
    assert second.once(petra, "act 2", lambda: shown("m4")) == 3

    began_anew = PitDesk(record.commit, lambda: 1_000)
    began_anew.restore(record.reading.events())
    assert began_anew.once(petra, "act 2", lambda: shown("m5")) == 3, "and after a start"
    assert [row.kind for row in record.reading.events()] == ["MessageShown"] * 3


def test_rows_of_the_pit_from_before_acts_were_told_are_read() -> None:
    (event,) = shown()
    assert (read_row(write_row(event)), act_of(write_row(event))) == (event, "")
    assert (read_row(write_row(event, "3f")), act_of(write_row(event, "3f"))) == (event, "3f")
    assert b"act" not in write_row(event)
    assert list(json.loads(write_row(event, "3f"))) == ["pit"], "whoever reads bodies of desks relies on that"
