"""The talk of a line as a technician sees it: everything at a closed table, no face and no byte at an open one."""

from __future__ import annotations

import dataclasses
import json
import random
import threading
from functools import partial

import pytest

from devices.catalogue import DriverSpec, build_driver
from devices.driver import HostCommand, LineTalk
from devices.link import open_link
from devices.shoe.angel_eye_codec import encode_report
from devices.sim.wire.shoe import SimShoe
from devices.sim.wire.shuffler import SimShuffler
from devices.supervisor import LinkPace, Supervisor
from devices.technician.capture import read_capture
from devices.technician.ladder import sentence_of
from devices.technician.line_book import RING_MAX, LineBook
from devices.technician.workbench import Post, Workbench
from devices.wire import PatchBay, Wire
from studio.cards import DECK, Card, Sealer
from studio.errors import RefusedError
from studio.ports import LinkDown, LinkUp, ShoeDrewCard, UnreadableFrame

SEALER = Sealer(random.Random(3).randbytes)


class Line:
    """A simulated device, its supervisor and its book; `open` is whether the table is open."""

    def __init__(self, driver: str = "angel_eye", role: str = "shoe") -> None:
        self.open = False
        self.wire, bay = Wire(), PatchBay()
        bay.plug("x", self.wire)
        made = SimShoe if role == "shoe" else SimShuffler
        self.machine = made(self.wire, random.Random(5))
        commands = frozenset({"ident", "status"})
        self.supervisor = Supervisor(
            "x-1", "sim://x", open_link=partial(open_link, bay=bay), sealer=SEALER, pace=LinkPace(down_wait_s=0),
            driver=build_driver(driver, DriverSpec("x-1", SEALER, commands=commands)),
        )  # fmt: skip
        self.bench = Workbench()
        self.bench.take(self.supervisor, Post("t1", role, driver, lambda: self.open))
        book = self.bench.line("x-1")
        assert book is not None
        self.book: LineBook = book
        self.now_ms = 1_000_000

    def run(self, turns: int = 40) -> None:
        for _ in range(turns):
            self.now_ms += 20
            self.machine.step(self.now_ms)
            self.bench.note("x-1", self.supervisor.step(self.now_ms))

    def told(self) -> str:
        """Everything a page could be given of this line."""
        lines = [dataclasses.asdict(line) for line in self.book.since(0)]
        return json.dumps(lines) + repr(self.book.since(0)) + repr(self.book.ladder(self.now_ms))


@pytest.fixture
def shoe() -> Line:
    line = Line()
    line.machine.load(list(DECK))
    line.machine.power_on()
    line.run()
    return line


def test_bytes_frames_and_readings_stand_side_by_side_at_a_closed_table(shoe: Line) -> None:
    shoe.machine.draw()
    shoe.run()
    line = next(line for line in shoe.book.since(0) if any("ShoeDrewCard" in told for told in line.readings))
    assert f"card={DECK[0]}" in line.readings[0]
    assert line.hex.startswith("05 ")
    assert line.frames[0] == "D (8)"
    assert (shoe.book.counts(shoe.now_ms).reports, shoe.book.counts(shoe.now_ms).damaged) == (1, 0)
    assert [rung.state for rung in shoe.book.ladder(shoe.now_ms)] == ["good"] * 4
    assert shoe.book.repeats >= 2


def test_no_byte_and_no_face_of_an_open_table_is_kept(shoe: Line) -> None:
    shoe.open = True
    before = shoe.book.number
    for _ in range(52):
        shoe.machine.draw()
        shoe.run(6)
    lines = shoe.book.since(before)
    assert lines
    assert all(line.masked and not line.hex and line.count % 16 == 0 for line in lines)
    assert {told for line in lines for told in line.readings} == {"ShoeDrewCard"}
    told = shoe.told()
    for card in DECK:
        assert f"card={card}" not in told


def test_what_was_masked_stays_masked_when_the_table_closes(shoe: Line) -> None:
    shoe.open = True
    before = shoe.book.number
    shoe.machine.draw()
    shoe.run()
    shoe.open = False
    assert all(line.masked and not line.hex for line in shoe.book.since(before))


@pytest.mark.parametrize("rank", ["4", "10"])
def test_the_length_of_a_masked_line_does_not_tell_a_ten(rank: str) -> None:
    book = LineBook("x", "shoe", "bee_tek", lambda: True)
    data = f" [Game]<Card:{rank}S> ".encode()
    card = ShoeDrewCard(device="x", at_ms=5, card=SEALER.card(Card.parse("4s")), label="Game")
    book.listen(LineTalk("x", 5, "in", data, (card,)))
    assert [(line.count, line.frames, line.readings) for line in book.since(0)] == [(32, ("card",), ("ShoeDrewCard",))]
    assert book.counts(9).bytes == 32


def test_the_ring_is_bounded(shoe: Line) -> None:
    for at in range(RING_MAX + 50):
        shoe.book.listen(LineTalk("x-1", at, "in", b"\x00"))
    assert len(shoe.book.since(0)) == RING_MAX


def test_a_cable_that_is_pulled_and_plugged_in_is_counted(shoe: Line) -> None:
    shoe.wire.unplug()
    shoe.run()
    assert "unplugged" in sentence_of(shoe.book.ladder(shoe.now_ms)[0])
    shoe.wire.plug()
    shoe.run(300)
    assert shoe.book.reconnects == 1
    assert shoe.book.ladder(shoe.now_ms)[0].state == "good"


# --- a recording -------------------------------------------------------------------------------------------


def test_a_line_is_recorded_and_replayed_at_a_closed_table(shoe: Line) -> None:
    shoe.book.tape.start(shoe.now_ms)
    shoe.machine.draw()
    shoe.run()
    shoe.book.tape.stop()
    text = shoe.book.tape.capture()
    assert read_capture(text).protocol == "angel_eye"
    assert any(f"card={DECK[0]}" in words for _, words in shoe.bench.replay("x-1", text))


def test_a_recording_ends_when_the_table_opens_and_is_not_handed_out(shoe: Line) -> None:
    shoe.book.tape.start(shoe.now_ms)
    shoe.open = True
    shoe.machine.draw()
    shoe.run()
    assert not shoe.book.tape.running
    for refused in (shoe.book.tape.capture, partial(shoe.book.tape.start, 0), partial(shoe.bench.replay, "x-1", "")):
        with pytest.raises(RefusedError, match="close the table first"):
            refused()
    shoe.open = False
    assert read_capture(shoe.book.tape.capture()).heard == b""


def test_a_file_that_is_no_capture_is_refused_with_its_reason(shoe: Line) -> None:
    with pytest.raises(RefusedError, match="no line 'protocol NAME'"):
        shoe.bench.replay("x-1", "05 31")
    with pytest.raises(RefusedError, match="There is no driver 'md2'"):
        shoe.bench.replay("x-1", "protocol md2\n05 31\n")


# --- the self-test -----------------------------------------------------------------------------------------


def states(line: Line, ask: object = None) -> dict[str, str]:
    return {one.key: one.state for one in line.bench.test("x-1", line.now_ms, ask)}  # type: ignore[arg-type]


def test_a_shoe_is_tested_up_to_a_test_draw(shoe: Line) -> None:
    assert states(shoe)["draw.none"] == "bad"
    shoe.machine.draw()
    shoe.run()
    assert states(shoe) == {"open.good": "good", "bytes.good": "good", "frames.good": "good", "draw.good": "good"}
    shoe.now_ms += 61_000
    assert states(shoe)["draw.none"] == "bad"
    shoe.open = True
    assert states(shoe)["draw.open"] == "skipped"


def test_a_test_ends_at_the_rung_that_fails() -> None:
    line = Line()
    line.wire.unplug()
    line.run()
    (found,) = line.bench.test("x-1", line.now_ms, None)
    assert (found.key, found.state) == ("open.bad", "bad")
    assert "unplugged" in str(found.values["reason"])


def test_a_shuffler_is_asked_who_it_is_and_how_it_stands() -> None:
    line = Line("generic", "shuffler")
    line.machine.power_on()
    line.run()
    stop = threading.Event()

    def ask(name: str) -> None:
        line.supervisor.command(HostCommand(name))

    def pump() -> None:
        while not stop.wait(0.001):
            line.run(1)

    thread = threading.Thread(target=pump)
    thread.start()
    try:
        found = line.bench.test("x-1", line.now_ms, ask)
    finally:
        stop.set()
        thread.join()
    assert [one.key for one in found][3:] == ["ask.good", "ask.good", "ask.identity"]
    assert "LDS-SIM" in str(found[-1].values["name"])
    assert states(line)["ask.never"] == "skipped"


def test_a_device_without_a_line_has_no_book(shoe: Line) -> None:
    assert shoe.bench.line("camera") is None
    with pytest.raises(RefusedError, match="no line"):
        shoe.bench.test("camera", 0, None)


def test_a_line_that_was_opened_again_is_judged_by_what_comes_now() -> None:
    book = LineBook("shoe", "shoe", "angel_eye", lambda: True)
    good = encode_report(0x31, "D", bytes((0x81, 0xB8)))
    card = ShoeDrewCard(device="shoe", at_ms=2, card=SEALER.card(Card.parse("8s")))
    book.note([LinkUp(device="shoe", at_ms=1, url="")])
    for _ in range(200):
        book.listen(LineTalk("shoe", 2, "in", good, (card,)))
    book.note([LinkDown(device="shoe", at_ms=3, url="", reason="Plug it in."), LinkUp(device="shoe", at_ms=4, url="")])
    assert [rung.state for rung in book.ladder(5)] == ["good"] * 4  # it has said nothing yet: nothing is wrong
    for _ in range(5):
        book.listen(
            LineTalk(
                "shoe", 6, "in", b"\x55" * 64, (UnreadableFrame(device="shoe", at_ms=6, reason="noise", count=64),)
            )
        )
    assert [rung.state for rung in book.ladder(7)] == ["good", "good", "bad", "unknown"]
    assert book.counts(7).frames == 200
