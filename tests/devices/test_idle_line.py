"""A line on which nothing happens for a day: what its device keeps saying is counted, and what is new is never lost."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from devices.catalogue import DriverSpec, build_driver
from devices.link import open_link
from devices.shoe.angel_eye_codec import encode_report
from devices.shuffler.generic_codec import ACK_BYTES, encode
from devices.supervisor import LinkPace, Supervisor
from devices.wire import PatchBay, Wire
from studio.cards import Sealer
from studio.ports import (
    LineBytes,
    LineIdled,
    LinkDown,
    LinkUp,
    Observation,
    ShoeLocked,
    ShoeStandby,
    ShufflerAlarm,
    ShufflerState,
    UnreadableFrame,
)
from studio.tables.event.record import write_body
from studio.tables.event.table import ObservationRecorded

T0 = 1_700_000_000_000
HOUR_MS = 3_600_000
ROW_BYTES = 350
"""What a row costs beside its body: hash, kind, table, indexes, and the key of what is sealed."""
BYTES_A_DAY_MAX = 50_000
"""Of one line; a table has two."""


class Line:
    """One device's supervisor on a wire, stepped by hand."""

    def __init__(self, driver: str) -> None:
        self.wire, bay = Wire(), PatchBay()
        bay.plug("dev", self.wire)
        sealer = Sealer(random.Random(1).randbytes)
        self.supervisor = Supervisor(
            "dev1", "sim://dev", open_link=lambda url, settings: open_link(url, settings, bay=bay),
            driver=build_driver(driver, DriverSpec("dev1", sealer)), sealer=sealer, pace=LinkPace(down_wait_s=0),
        )  # fmt: skip
        self.now_ms = 0

    def hear(self, data: bytes, then_ms: int = 1_000) -> list[Observation]:
        """What is told of these bytes, and of the quiet after them."""
        if data:
            self.wire.machine_write(data)
        seen = [*self.supervisor.step(T0 + self.now_ms), *self.supervisor.step(T0 + self.now_ms + 100)]
        self.now_ms += then_ms
        return seen


def silent() -> Iterator[bytes]:
    while True:
        yield b""


def talking_shuffler() -> Iterator[bytes]:
    """A heartbeat every two seconds, and every ten how things stand."""
    seq = count(1)
    while True:
        for words in (("W", "ready"), ("B",), (), ("B",), (), ("L", "0"), (), ("B",), (), ("B",)):
            yield encode("01", next(seq) % 100, *words) if words else b""


def talking_shoe() -> Iterator[bytes]:
    """Stand-by and the lock told every five seconds, three times each as all it tells."""
    for number in count():
        seq = 0x31 + number % 9
        yield encode_report(seq, "P") * 3 if number % 5 == 0 else b""
        yield encode_report(seq, "L", b"\x80") * 3 if number % 5 == 2 else b""


LINES: dict[str, tuple[str, Callable[[], Iterator[bytes]]]] = {
    "generic": ("generic", talking_shuffler),
    "generic_shoe": ("generic_shoe", talking_shuffler),
    "angel_eye": ("angel_eye", talking_shoe),
    "angel_eye-silent": ("angel_eye", silent),
    "bee_tek": ("bee_tek", silent),
    "barcode": ("barcode", silent),
}


def idle(name: str, for_ms: int) -> list[Observation]:
    driver, talk = LINES[name]
    line, said = Line(driver), talk()
    seen: list[Observation] = []
    while line.now_ms < for_ms:
        seen += line.hear(next(said))
    return seen


def cost(seen: list[Observation]) -> int:
    """What these come to in the database, about."""
    return sum(len(write_body("table-1", "", ObservationRecorded(observation=one))) + ROW_BYTES for one in seen)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("hours", [2, pytest.param(24, marks=pytest.mark.long)])
def test_a_line_that_says_nothing_new_all_day_writes_a_few_rows(name: str, hours: int) -> None:
    seen = idle(name, hours * HOUR_MS)
    news = [type(one) for one in seen if not isinstance(one, LineIdled)]
    assert LinkDown not in news
    assert len(news) <= 6, news
    counted = sum(one.frames for one in seen if isinstance(one, LineIdled))
    assert counted > hours * 1_000 if LINES[name][1] is not silent else counted == 0
    assert cost(seen) <= BYTES_A_DAY_MAX * hours / 24 + 4_000


def kinds(seen: list[Observation]) -> list[type]:
    return [type(one) for one in seen if not isinstance(one, LineIdled | LineBytes | LinkUp)]


def w(seq: int, state: str) -> bytes:
    return encode("01", seq, "W", state)


def test_the_same_state_is_told_once_and_any_other_at_once() -> None:
    line = Line("generic")
    line.hear(b"")
    assert kinds(line.hear(w(1, "idle"))) == [ShufflerState]
    assert kinds(line.hear(w(2, "idle"))) == []
    assert kinds(line.hear(w(3, "loading"))) == [ShufflerState]
    assert kinds(line.hear(w(4, "idle"))) == [ShufflerState]


def test_a_state_is_told_again_after_a_hole_in_the_numbers_and_after_a_lost_link() -> None:
    line = Line("generic")
    line.hear(b"")
    line.hear(w(1, "ready"))
    assert kinds(line.hear(w(9, "ready"))) == [UnreadableFrame, ShufflerState]
    line.wire.unplug()
    assert kinds(line.hear(b"")) == [LinkDown]
    line.wire.plug()
    line.now_ms += 10_000
    line.hear(b"")
    assert kinds(line.hear(w(10, "ready"))) == [ShufflerState]


def test_an_alarm_that_stands_is_told_once_and_again_where_the_machine_was_in_another_state_since() -> None:
    line = Line("generic")
    line.hear(b"")
    jam = ("A", "jam,1")
    assert kinds(line.hear(encode("01", 1, *jam))) == [ShufflerAlarm]
    assert kinds(line.hear(w(2, "error"))) == [ShufflerState]
    line.hear(encode("01", 3, *jam) + w(4, "error"))
    assert kinds(line.hear(encode("01", 5, *jam) + w(6, "error"))) == []
    assert kinds(line.hear(w(7, "idle"))) == [ShufflerState]
    assert kinds(line.hear(encode("01", 8, *jam))) == [ShufflerAlarm]


def test_a_verified_deck_is_told_each_time() -> None:
    line = Line("generic")
    line.hear(b"")
    told = [len(kinds(line.hear(encode("01", seq, "Q", "52,A-1,ok")))) for seq in (1, 2)]
    assert told == [1, 1]


def test_a_shoe_tells_its_lock_when_it_changes_and_its_stand_by_after_any_news() -> None:
    line = Line("angel_eye")
    line.hear(b"")
    assert kinds(line.hear(encode_report(0x31, "P") * 3)) == [ShoeStandby]
    assert line.hear(encode_report(0x32, "P") * 3) == []
    assert kinds(line.hear(encode_report(0x33, "L", b"\x80") * 3)) == [ShoeLocked]
    assert line.hear(encode_report(0x34, "L", b"\x80") * 3) == []
    assert kinds(line.hear(encode_report(0x35, "L", b"\x81") * 3)) == [ShoeLocked]
    assert kinds(line.hear(encode_report(0x36, "P") * 3)) == [ShoeStandby]


def test_a_counted_report_leaves_no_bytes_and_a_told_one_leaves_them_all() -> None:
    line = Line("angel_eye")
    line.hear(b"")
    line.hear(encode_report(0x31, "P") * 3)
    card = encode_report(0x33, "D", b"\x81\xb8") * 3
    seen = [*line.hear(encode_report(0x32, "P") * 3), *line.hear(card), *line.hear(b"")]
    raw = b"".join(one.sealed.open() for one in seen if isinstance(one, LineBytes))
    assert raw == card


def test_the_answer_to_our_own_question_is_counted_however_often_a_device_owes_us_its_name() -> None:
    line = Line("generic")
    seen = line.hear(encode("01", 1, "B"))
    seq = count(2)
    for _ in range(1_800):
        asked = line.wire.machine_read()
        seen += line.hear(ACK_BYTES if b"IDENT" in asked else b"", 200)
        seen += line.hear(encode("01", next(seq) % 100, "B"), 1_800)
    assert {type(one) for one in seen} == {LinkUp, LineIdled}
