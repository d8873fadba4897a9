"""The supervisor: opening, losing and reopening a link, and raw bytes told before what they say."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from threading import Thread

import pytest
from patience import PATIENCE_S

from devices.catalogue import DriverSpec, build_driver
from devices.driver import HostCommand, LineTalk
from devices.link import LineSettings, Link, LinkLostError, open_link
from devices.shoe.angel_eye_codec import encode_report
from devices.shuffler.generic_codec import encode
from devices.supervisor import READ_BYTES_MAX, LinkPace, Supervisor
from devices.wire import PatchBay, Wire
from studio.cards import Sealer
from studio.errors import RefusedError
from studio.ports import (
    CommandAnswered,
    Device,
    LineBytes,
    LineIdled,
    LinkDown,
    LinkUp,
    Observation,
    ShoeDrewCard,
    ShoeStarted,
    ShufflerState,
    UnreadableFrame,
)

START = encode_report(0x31, "S")
CARD = encode_report(0x32, "D", b"\x81\xb8")
BY_HAND = LinkPace(down_wait_s=0)
T0 = 1_700_000_000_000


class Bench:
    """A supervisor on a wire, stepped by hand."""

    def __init__(self, driver: str = "angel_eye", commands: frozenset[str] = frozenset()) -> None:
        self.wire = Wire()
        self.bay = PatchBay()
        self.bay.plug("dev", self.wire)
        self.opened_at_ms: list[int] = []
        self.now_ms = 0
        self.talk: list[LineTalk] = []
        sealer = Sealer(random.Random(1).randbytes)
        spec = DriverSpec("dev1", sealer, commands=commands)
        self.supervisor = Supervisor(
            "dev1",
            "sim://dev",
            open_link=self.open,
            driver=build_driver(driver, spec),
            sealer=sealer,
            pace=BY_HAND,
            listen=self.talk.append,
        )

    def open(self, url: str, settings: LineSettings) -> Link:
        self.opened_at_ms.append(self.now_ms)
        return partial(open_link, bay=self.bay)(url, settings)

    def step(self, now_ms: int, data: bytes = b"") -> Sequence[Observation]:
        self.now_ms = now_ms
        self.wire.machine_write(data)
        return self.supervisor.step(T0 + now_ms)

    def run(self, from_ms: int, to_ms: int, every_ms: int = 50) -> list[Observation]:
        return [seen for ms in range(from_ms, to_ms, every_ms) for seen in self.step(ms)]


def kinds(seen: Sequence[Observation]) -> list[type[Observation]]:
    return [type(one) for one in seen]


def test_a_supervisor_is_a_device() -> None:
    device: Device = Bench().supervisor
    assert device.id == "dev1"


def test_the_first_step_opens_the_link_and_says_so() -> None:
    bench = Bench()
    assert list(bench.step(0)) == [LinkUp(device="dev1", at_ms=T0, url="sim://dev")]
    assert bench.supervisor.is_up


def test_raw_bytes_are_told_sealed_before_the_card_they_hold() -> None:
    bench = Bench()
    bench.step(0)
    raw, card = bench.step(10, CARD)
    assert isinstance(raw, LineBytes)
    assert (raw.sealed.open(), raw.count) == (CARD, len(CARD))
    assert isinstance(card, ShoeDrewCard)
    assert str(card.card.card()) == "8s"


def test_slow_bytes_are_gathered_into_one_record_before_their_card() -> None:
    bench = Bench()
    bench.step(0)
    seen = [one for tick, byte in enumerate(CARD * 3) for one in bench.step(tick, bytes((byte,)))]
    seen += bench.step(100)
    assert kinds(seen) == [LineBytes, ShoeDrewCard, LineBytes]
    assert b"".join(one.sealed.open() for one in seen if isinstance(one, LineBytes)) == CARD * 3


def test_every_byte_of_a_flood_is_told() -> None:
    bench = Bench()
    bench.step(0)
    flood = random.Random(3).randbytes(5000)
    seen = [*bench.step(1, flood), *bench.step(2), *bench.step(3)]
    told = [one for one in seen if isinstance(one, LineBytes)]
    assert b"".join(one.sealed.open() for one in told) == flood
    assert all(one.count <= 255 for one in told)


def test_a_pulled_cable_is_told_once_and_reopened_after_half_a_second_then_ever_slower() -> None:
    bench = Bench()
    bench.step(0)
    bench.wire.unplug()
    seen = bench.run(50, 30_000)
    assert kinds(seen) == [LinkDown]
    assert [ms - 50 for ms in bench.opened_at_ms[1:]] == [500, 1500, 3500, 7500, 12_500, 17_500, 22_500, 27_500]
    bench.wire.plug()
    assert kinds(bench.run(30_000, 36_000)) == [LinkUp]


def test_after_a_good_frame_the_next_loss_is_reopened_quickly_again() -> None:
    bench = Bench()
    bench.wire.unplug()
    bench.run(0, 20_000)
    bench.wire.plug()
    bench.run(20_000, 26_000)
    bench.step(26_000, START)
    bench.wire.unplug()
    bench.opened_at_ms.clear()
    bench.run(26_050, 26_700)
    assert bench.opened_at_ms == [26_550]


def test_a_replugged_shoe_tells_the_same_card_anew_for_nothing_is_remembered() -> None:
    bench = Bench()
    bench.step(0)
    assert ShoeDrewCard in kinds(bench.step(10, CARD))
    bench.wire.unplug()
    bench.step(20)
    bench.wire.plug()
    bench.run(50, 1000)
    assert ShoeDrewCard in kinds(bench.step(1000, CARD))


def test_half_a_frame_at_the_loss_is_told_before_the_loss() -> None:
    bench = Bench()
    bench.step(0)
    bench.step(10, CARD[:4])
    bench.wire.unplug()
    assert kinds(bench.step(20)) == [LineBytes, UnreadableFrame, LinkDown]


def test_a_missing_device_is_told_with_the_cable_and_tried_again() -> None:
    bench = Bench()
    bench.bay = PatchBay()
    (down,) = bench.run(0, 10_000)
    assert isinstance(down, LinkDown)
    assert "sim://dev" in down.reason
    assert len(bench.opened_at_ms) == 5


def test_another_reason_for_the_same_loss_is_told_too() -> None:
    bench = Bench()
    bench.bay = PatchBay()
    (missing,) = bench.run(0, 2000)
    bench.bay.plug("dev", bench.wire)
    bench.wire.unplug()
    (unplugged,) = bench.run(2000, 9000)
    assert isinstance(missing, LinkDown)
    assert isinstance(unplugged, LinkDown)
    assert missing.reason != unplugged.reason


def test_a_clock_that_jumps_back_neither_raises_nor_stops_the_reopening() -> None:
    bench = Bench()
    bench.wire.unplug()
    bench.run(100_000, 101_000)
    bench.wire.plug()
    assert LinkUp in kinds(bench.run(0, 3000))


def test_a_line_that_must_not_be_opened_says_why_and_is_opened_once_it_may_be() -> None:
    bench, why = Bench(), ["Somebody else has this table."]
    bench.supervisor.open_unless(lambda: why[0])
    (down,) = bench.run(0, 3000)
    assert isinstance(down, LinkDown)
    assert down.reason == "Somebody else has this table."
    assert bench.opened_at_ms == []
    why[0] = ""
    assert LinkUp in kinds(bench.run(3000, 9000))


def test_an_open_line_stays_open_whatever_is_said_of_opening_it() -> None:
    bench, why = Bench(), [""]
    bench.supervisor.open_unless(lambda: why[0])
    bench.step(0)
    why[0] = "Somebody else has this table."
    assert ShoeDrewCard in kinds(bench.step(50, CARD))


def test_closing_lets_go_of_the_link_and_says_nothing() -> None:
    bench = Bench()
    bench.step(0)
    bench.supervisor.close()
    bench.supervisor.close()


class BrokenLink:
    """A link that hears but takes no byte."""

    def read(self, max_bytes: int) -> bytes:
        return encode("01", 1, "W", "idle")

    def wait(self, most_s: float) -> None:
        pass

    def wake(self) -> None:
        pass

    def write(self, data: bytes) -> None:
        raise LinkLostError("The device takes no bytes; check its cable.")

    def close(self) -> None:
        pass


def test_what_was_heard_is_told_even_when_the_answer_cannot_be_written() -> None:
    sealer = Sealer(random.Random(1).randbytes)
    supervisor = Supervisor(
        "dev1",
        "/dev/ttyUSB0",
        open_link=lambda url, settings: BrokenLink(),
        driver=build_driver("generic", DriverSpec("dev1", sealer)),
        sealer=sealer,
        pace=BY_HAND,
    )
    supervisor.step(T0)
    assert kinds(supervisor.step(T0 + 1)) == [LineBytes, ShufflerState, LinkDown]


# --- heartbeats --------------------------------------------------------------------------------------


def beat(seq: int) -> bytes:
    return encode("01", seq % 100, "B")


def beating(bench: Bench, from_s: int, to_s: int) -> list[Observation]:
    """A heartbeat every two seconds, and what was told of them."""
    return [
        one
        for s in range(from_s, to_s, 2)
        for ms, data in ((0, beat(s // 2)), (500, b""), (1000, b""))
        for one in bench.step(s * 1000 + ms, data)
    ]


def test_heartbeats_are_counted_and_told_after_a_minute_and_then_ever_more_rarely() -> None:
    bench = Bench("generic")
    bench.step(0)
    seen = beating(bench, 2, 8 * 3600)
    assert set(kinds(seen)) == {LineIdled}
    told = [one for one in seen if isinstance(one, LineIdled)]
    assert told[0] == LineIdled(
        device="dev1", at_ms=T0 + 62_000, frames=31, count=31 * 9, from_ms=T0 + 2_000, to_ms=T0 + 62_000
    )
    minutes = [round((one.to_ms - one.from_ms) / 60_000) for one in told]
    assert minutes[:8] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert [one.frames for one in told][-1] == 1801
    assert bench.supervisor.is_up


def test_what_is_new_is_sealed_as_it_came_and_the_next_count_is_a_minute_away_again() -> None:
    bench = Bench("generic")
    bench.step(0)
    beating(bench, 2, 600)
    ready = encode("01", 0, "W", "ready")
    counted, raw, state = bench.step(600_000, ready)
    assert isinstance(counted, LineIdled)
    assert isinstance(raw, LineBytes)
    assert isinstance(state, ShufflerState)
    assert raw.sealed.open() == ready
    later = beating(bench, 602, 800)
    assert kinds(later) == [LineIdled, LineIdled]
    assert later[0].at_ms == T0 + 662_000


def test_heartbeats_among_news_are_left_out_of_the_sealed_bytes_and_nothing_else_is() -> None:
    bench = Bench("generic")
    bench.step(0)
    hello = encode("01", 2, "W", "idle")
    seen = bench.step(10, beat(1) + hello + beat(3) + b"?!")
    seen = [*seen, *bench.step(20), *bench.step(2000)]
    raw = [one.sealed.open() for one in seen if isinstance(one, LineBytes)]
    assert b"".join(raw) == hello + b"?!"
    assert kinds(seen)[:2] == [LineBytes, ShufflerState], "bytes come before what is decoded from them"


@pytest.mark.parametrize("cut", range(1, 9))
def test_a_heartbeat_that_comes_in_two_pieces_is_counted_too(cut: int) -> None:
    bench = Bench("generic")
    bench.step(0)
    seen = [*bench.step(10, beat(1)[:cut]), *bench.step(60), *bench.step(110, beat(1)[cut:]), *bench.step(160)]
    assert seen == []
    bench.wire.unplug()
    counted, down = bench.step(200)
    assert isinstance(counted, LineIdled)
    assert (counted.frames, counted.count) == (1, 9)
    assert isinstance(down, LinkDown)


def test_a_frame_that_stays_cut_off_is_sealed_after_a_second_and_its_rest_counts_if_it_comes() -> None:
    bench = Bench("generic")
    bench.step(0)
    first = [*bench.step(10, beat(1)[:4]), *bench.run(60, 1200)]
    assert [one.sealed.open() for one in first if isinstance(one, LineBytes)] == [beat(1)[:4]]
    assert [*bench.step(1300, beat(1)[4:]), *bench.run(1350, 4000)] == []


def test_a_heartbeat_that_shows_that_frames_were_lost_is_no_ordinary_one() -> None:
    bench = Bench("generic")
    bench.step(0)
    bench.step(10, beat(1))
    raw, hole = bench.step(20, beat(5))
    assert isinstance(raw, LineBytes)
    assert raw.sealed.open() == beat(5)
    assert isinstance(hole, UnreadableFrame)
    assert (hole.reason, hole.count) == ("sequence", 3)


# --- silence ------------------------------------------------------------------------------------------


def test_a_silent_shuffler_is_lost_after_six_seconds_and_up_again_with_its_first_frame() -> None:
    bench = Bench("generic")
    bench.step(0)
    bench.step(50, encode("01", 1, "B"))
    seen = bench.run(100, 40_000)
    assert kinds(seen) == [LineIdled, LinkDown], "told once, however often the port is opened in between"
    assert isinstance(seen[1], LinkDown)
    assert seen[1].at_ms == T0 + 6050
    assert len(bench.opened_at_ms) > 3
    bench.run(40_000, 46_000)
    back = [*bench.step(46_000, encode("01", 9, "W", "idle")), *bench.run(46_050, 51_000)]
    assert [kind for kind in kinds(back) if kind is not LineBytes] == [LinkUp, ShufflerState]


# --- listening in -------------------------------------------------------------------------------------


def test_whoever_listens_hears_bytes_and_frames_both_ways_and_sees_no_face() -> None:
    bench = Bench(commands=frozenset({"lock"}))
    bench.step(0)
    bench.step(10, CARD)
    bench.supervisor.command(HostCommand("lock"))
    bench.step(20)
    heard, said = bench.talk
    assert (heard.direction, heard.data, heard.at_ms) == ("in", CARD, T0 + 10)
    assert kinds(heard.frames) == [ShoeDrewCard]
    assert (said.direction, said.data.hex(" "), said.frames) == ("out", "02 4f 50 4c 4b 30 32 03 31 42", ())
    assert "8s" not in repr(heard)
    assert "b8" not in repr(heard).lower()


# --- commands -----------------------------------------------------------------------------------------


def test_a_command_goes_over_the_wire_and_its_answer_comes_back() -> None:
    bench = Bench(commands=frozenset({"lock"}))
    bench.step(0)
    bench.supervisor.command(HostCommand("lock"))
    bench.step(10)
    assert bench.wire.machine_read() == bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
    answer = bench.step(20, b"\x06")[-1]
    assert answer == CommandAnswered(device="dev1", at_ms=T0 + 20, command="lock", accepted=True)


def test_a_command_to_a_device_whose_link_is_down_is_refused() -> None:
    bench = Bench(commands=frozenset({"lock"}))
    with pytest.raises(RefusedError, match="nothing was sent"):
        bench.supervisor.command(HostCommand("lock"))


def test_a_loop_of_steps_without_a_link_pauses_between_them() -> None:
    sealer = Sealer(random.Random(1).randbytes)
    supervisor = Supervisor(
        "dev1",
        "/dev/ttyUSB99",
        open_link=open_link,
        driver=build_driver("angel_eye", DriverSpec("dev1", sealer)),
        sealer=sealer,
        pace=LinkPace(down_wait_s=0.001),
    )
    assert kinds(supervisor.step(T0)) == [LinkDown]
    assert supervisor.step(T0 + 1) == ()
    supervisor.close()


def resting(commands: frozenset[str] = frozenset()) -> tuple[Supervisor, Wire]:
    """A supervisor that would wait for ever at its line, on which nothing goes on."""
    wire, bay, sealer = Wire(), PatchBay(), Sealer(random.Random(1).randbytes)
    bay.plug("dev", wire)
    spec = DriverSpec("dev1", sealer, commands=commands)
    pace = LinkPace(down_wait_s=0, rest_s=20 * PATIENCE_S)
    supervisor = Supervisor(
        "dev1", "sim://dev", open_link=partial(open_link, bay=bay), driver=build_driver("angel_eye", spec),
        sealer=sealer, pace=pace,
    )  # fmt: skip
    supervisor.step(T0)
    supervisor.step(T0 + 20)
    return supervisor, wire


def ends(wait: Thread) -> bool:
    wait.join(PATIENCE_S)
    return not wait.is_alive()


def waiting(supervisor: Supervisor) -> Thread:
    thread = Thread(target=supervisor.wait, daemon=True)
    thread.start()
    return thread


def test_a_line_is_waited_for_only_while_nothing_goes_on_on_it() -> None:
    supervisor, wire = resting()
    wire.machine_write(CARD[:4])
    assert supervisor.wait()
    assert supervisor.step(T0 + 40) == []
    assert not supervisor.wait()
    wire.unplug()
    assert kinds(supervisor.step(T0 + 60)) == [LineBytes, UnreadableFrame, LinkDown]
    assert not supervisor.wait()


@pytest.mark.parametrize("first", ["wait", "command"])
def test_a_command_goes_out_from_a_line_at_rest(first: str) -> None:
    supervisor, wire = resting(frozenset({"lock"}))
    wait = waiting(supervisor) if first == "wait" else None
    supervisor.command(HostCommand("lock"))
    assert ends(wait or waiting(supervisor))
    supervisor.step(T0 + 40)
    assert wire.machine_read()
    assert not supervisor.wait()


def test_a_line_that_came_back_is_read_before_it_is_waited_for() -> None:
    supervisor, wire = resting()
    wire.unplug()
    supervisor.step(T0 + 40)
    wire.plug()
    assert kinds(supervisor.step(T0 + 40 + LinkPace().reopen_ms)) == [LinkUp]
    assert not supervisor.wait()


def test_what_a_started_shoe_says_comes_in_order() -> None:
    bench = Bench()
    bench.step(0)
    seen = [one for one in bench.step(10, START * 3 + CARD * 3) if not isinstance(one, LineBytes)]
    assert kinds(seen) == [ShoeStarted, ShoeDrewCard]


def test_a_flood_of_noise_is_told_in_few_rows_and_no_byte_or_card_of_it_is_lost() -> None:
    bench = Bench()
    bench.step(0)
    noise = random.Random(3).randbytes(1_900)
    said = [*bench.step(50, b"\x03" + noise + CARD + noise), *bench.step(100)]
    broken = [one for one in said if isinstance(one, UnreadableFrame)]
    assert len(broken) <= 12
    told = {
        reason: sum(one.count for one in broken if one.reason == reason)
        for reason in ("bcc", "no_etx", "cut_short", "noise")
    }
    (talk,) = [one for one in bench.talk if one.data]
    each = [one for one in talk.frames if isinstance(one, UnreadableFrame)]
    assert len(each) > 30
    assert told == {reason: sum(one.count for one in each + quiet(bench) if one.reason == reason) for reason in told}
    assert kinds(said).count(ShoeDrewCard) == 1


def quiet(bench: Bench) -> list[UnreadableFrame]:
    """What was told when nothing more came."""
    return [one for talk in bench.talk if not talk.data for one in talk.frames if isinstance(one, UnreadableFrame)]


def test_a_line_that_says_more_than_any_device_is_left_waiting_after_each_full_read() -> None:
    waited: list[float] = []
    bench = Bench()
    bench.supervisor._pace = LinkPace(down_wait_s=0.02)
    bench.supervisor._stopped.wait = lambda timeout=None: bool(waited.append(timeout))  # type: ignore[assignment,arg-type,method-assign]
    bench.step(0)
    bench.step(50, CARD)
    assert waited == []
    bench.step(100, bytes(3 * READ_BYTES_MAX))
    bench.run(150, 300)
    assert waited == [0.02] * 3
