"""The streams: the whole screen at once, then changes; beats; seats; an end when nobody is signed in."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from altered import altered
from console_visitor import Visitor, app_over, events
from fake_floor import BETTING, DEALING, IDLE, NOW_MS, FakeFloor

from dealer_ui.access.sessions import IDLE_MS
from dealer_ui.frame.screen import Artist, Asked
from dealer_ui.frame.stream import BEAT_S, BURST, RENDERS_PER_S, Stream, StreamPace
from dealer_ui.frame.template import pages_version
from dealer_ui.live.seats import A_SESSION, AN_ADDRESS, Capacity
from dealer_ui.live.telling import Rest
from dealer_ui.pages.dealer.route import SCREEN
from dealer_ui.words.language import Languages


class Clock:
    """A clock that moves when somebody waits."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class SteppedFloor(FakeFloor):
    """`wait` does not block: it makes the next planned change, or lets the time go by."""

    def __init__(self, clock: Clock, *views: object) -> None:
        super().__init__(*views)  # type: ignore[arg-type]
        self.clock = clock
        self.plan: list[object] = []

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int:
        if self.view("knights1").seq > after_seq:
            return self.view("knights1").seq
        if self.plan:
            self.show(self.plan.pop(0))  # type: ignore[arg-type]
        else:
            self.clock.now_s += timeout_s
        return self.view("knights1").seq


class WaitingEvent(threading.Event):
    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock

    def wait(self, timeout: float | None = None) -> bool:
        self.clock.now_s += timeout or 0
        return self.is_set()


def stream_over(floor: SteppedFloor, still: bool = True) -> Stream:
    asked = Asked(floor, "knights1", None, Languages().speak("en"))  # type: ignore[arg-type]
    viewer = Visitor(app_over(FakeFloor(IDLE)), "dora")
    found = viewer.app.extensions["console"].sessions
    (who,) = found._open.values()
    asked = replace(asked, viewer=who)
    return Stream(Artist(), SCREEN, asked, floor.clock, WaitingEvent(floor.clock), lambda: still)


def told(told_by: Stream | Iterator[bytes], count: int) -> list[tuple[str, dict[str, object]]]:
    stream, found = iter(told_by), list[tuple[str, dict[str, object]]]()
    while len(found) < count:
        found += events(next(stream))
    return found


def test_the_whole_screen_comes_at_once_with_its_number() -> None:
    floor = SteppedFloor(Clock(), IDLE)
    beat, view = told(stream_over(floor), 2)
    assert beat == ("beat", {"now_ms": NOW_MS, "seq": 0, "version": pages_version()})
    assert view[0] == "view"
    assert view[1]["seq"] == 41
    assert 'id="live"' in str(view[1]["html"])


def test_a_change_is_told_and_what_looks_the_same_is_only_numbered() -> None:
    floor = SteppedFloor(Clock(), IDLE)
    floor.plan = [DEALING, DEALING]
    seen = [data for name, data in told(stream_over(floor), 4) if name == "view"]
    assert [data["seq"] for data in seen] == [41, 42, 43]
    assert "Player 3, card 2" in str(seen[1]["html"])
    assert "html" not in seen[2]


def rests(stream: Stream, heard: Sequence[int]) -> list[Rest]:
    """What a stream rests for, told these numbers one after another."""
    telling, found, numbers = stream.told(), [], iter(heard)
    said = next(telling)
    while True:
        if isinstance(said, Rest):
            found.append(said)
            number = next(numbers, None)
            if number is None:
                return found
            said = telling.send(number)
        else:
            said = next(telling)


def test_a_screen_drawn_ahead_of_what_was_heard_is_drawn_again_when_it_is_heard() -> None:
    floor = SteppedFloor(Clock(), IDLE)
    stream = stream_over(floor)
    floor.show(replace(IDLE, moves=50))  # seen by whoever looks, before anybody is told
    floor.wait = lambda table, after_seq, timeout_s: IDLE.seq  # type: ignore[method-assign]
    assert rests(stream, ())[-1].after_seq == IDLE.seq


def test_a_stream_that_is_paced_hears_of_its_own_table_alone() -> None:
    stream = stream_over(SteppedFloor(Clock(), IDLE))
    assert {rest.table for rest in rests(stream, range(100, 120))} == {"knights1"}


def test_a_beat_comes_every_two_seconds_of_silence() -> None:
    clock = Clock()
    stream = iter(stream_over(SteppedFloor(clock, IDLE)))
    told(stream, 2)
    start = clock.now_s
    assert [name for name, _ in told(stream, 3)] == ["beat"] * 3
    assert clock.now_s - start == pytest.approx(3 * BEAT_S)


def test_many_changes_are_drawn_twenty_times_a_second() -> None:
    clock = Clock()
    floor = SteppedFloor(clock, IDLE)
    floor.plan = [replace(IDLE, moves=n) for n in range(100, 200)]
    start = clock.now_s
    told(stream_over(floor), 100)
    assert clock.now_s - start == pytest.approx((100 - BURST) / RENDERS_PER_S, abs=1.0)


def test_a_burst_goes_through_without_delay() -> None:
    pace = StreamPace(0.0)
    assert [pace.wait_s(0.0) for _ in range(BURST)] == [0.0] * BURST
    assert pace.wait_s(0.0) > 0


def test_the_stream_ends_when_nobody_is_signed_in_any_more() -> None:
    assert events(b"".join(stream_over(SteppedFloor(Clock(), IDLE), still=False))) == [("leave", {})]


def test_a_display_has_no_stream_left_and_a_dealer_has() -> None:
    app = app_over(FakeFloor(BETTING), room=Capacity(public=1))
    stranger, dealer = Visitor(app), Visitor(app, "dora")
    first = stranger.client.get("/stream/display/knights1", buffered=False)
    assert (first.status_code, first.mimetype) == (200, "text/event-stream")
    second = stranger.client.get("/stream/display/knights1", headers={"Accept": "application/json"})
    assert second.status_code == 503
    assert "Too many screens" in second.json["refused"]
    own = dealer.client.get("/stream/dealer/knights1", buffered=False)
    assert own.status_code == 200
    first.close()
    again = stranger.client.get("/stream/display/knights1", buffered=False)
    assert again.status_code == 200
    again.close()
    own.close()
    lanes = app.extensions["console"].lanes
    assert (lanes.public.seats.taken, lanes.staff.seats.taken) == (0, 0)


def test_one_address_takes_only_its_share_of_the_public_streams() -> None:
    app = app_over(FakeFloor(BETTING))
    stranger = Visitor(app).client
    here, there = ({"REMOTE_ADDR": address} for address in ("192.0.2.7", "192.0.2.8"))
    opened = [stranger.get("/stream/display/knights1", environ_overrides=here) for _ in range(AN_ADDRESS + 1)]
    opened.append(stranger.get("/stream/display/knights1", environ_overrides=there))
    assert [answer.status_code for answer in opened] == [200] * AN_ADDRESS + [503, 200]
    for answer in opened:
        answer.close()


def test_one_session_takes_only_its_share_of_the_staffs_streams() -> None:
    app = app_over(FakeFloor(BETTING))
    dora, other = Visitor(app, "dora").client, Visitor(app, "dora").client
    opened = [dora.get("/stream/dealer/knights1") for _ in range(A_SESSION + 1)]
    opened.append(other.get("/stream/dealer/knights1"))
    assert [answer.status_code for answer in opened] == [200] * A_SESSION + [503, 200]
    for answer in opened:
        answer.close()


@pytest.mark.parametrize(("badge", "status"), [("", 401), ("tom", 403)])
def test_a_stream_asks_for_the_same_right_as_its_page(badge: str, status: int) -> None:
    visitor = Visitor(app_over(FakeFloor(IDLE)), badge)
    assert visitor.client.get("/stream/dealer/knights1").status_code == status


@pytest.mark.parametrize("path", ["/stream/dealer", "/stream/nothing/knights1", "/stream/dealer/nowhere"])
def test_a_stream_of_nothing_is_not_there(path: str) -> None:
    assert Visitor(app_over(FakeFloor(IDLE)), "dora").client.get(path).status_code == 404


def test_a_stream_does_not_keep_an_idle_session_alive() -> None:
    floor = FakeFloor(IDLE)
    visitor = Visitor(app_over(floor), "dora")
    sessions = visitor.app.extensions["console"].sessions
    (who,) = sessions._open.values()
    floor.clock_ms += IDLE_MS - 1
    assert sessions.find(who.token, active=False) is not None
    floor.clock_ms += 2
    assert sessions.find(who.token, active=False) is None


def test_a_page_without_a_stream_gets_the_whole_screen_and_then_only_what_changed() -> None:
    floor = FakeFloor(IDLE, replace(DEALING, table="knights2"))
    visitor = Visitor(app_over(floor), "dora")
    whole = visitor.client.get("/view/dealer/knights1").json
    assert "Start the round" in whole["html"]
    assert (whole["now_ms"], whole["seq"]) == (NOW_MS, 41)
    same = visitor.client.get(f"/view/dealer/knights1?mark={whole['mark']}").json
    assert "html" not in same
    floor.show(replace(DEALING, moves=8))
    moved = visitor.client.get(f"/view/dealer/knights1?mark={whole['mark']}").json
    assert "Player 3, card 2" in moved["html"]


def test_what_changes_without_the_journal_changes_the_mark_of_a_view() -> None:
    floor = FakeFloor(IDLE)
    visitor = Visitor(app_over(floor), "dora")
    before = visitor.client.get("/view/dealer/knights1").json["mark"]
    floor._views["knights1"] = altered(
        IDLE, now={"act": replace(IDLE.now.act, key="act.disk_full")}
    )  # the disk takes no event
    assert visitor.client.get("/view/dealer/knights1").json["mark"] != before


@pytest.mark.parametrize("path", ["/view/dealer/knights1", "/stream/dealer/knights1", "/beat", "/whoami"])
def test_what_a_page_asks_by_itself_keeps_no_idle_session_alive(path: str) -> None:
    floor = FakeFloor(IDLE)
    visitor = Visitor(app_over(floor), "dora")
    by_itself = {"Accept": "application/json"}  # as the pages' scripts do
    floor.clock_ms += IDLE_MS - 1
    with visitor.client.get(path, headers=by_itself) as answer:
        assert answer.status_code == 200
    floor.clock_ms += 2
    with visitor.client.get(path, headers=by_itself) as answer:
        assert answer.status_code == 401


def test_a_page_that_does_not_live_asks_whoever_is_signed_in_whether_he_still_is() -> None:
    app = app_over(FakeFloor(IDLE))
    assert Visitor(app, "tom").client.get("/beat").json == {"now_ms": NOW_MS, "urgent": []}
    assert Visitor(app).client.get("/beat").status_code == 401
    for badge, path in (("dora", "/procedure"), ("anna", "/audit"), ("paul", "/reports")):
        assert 'data-beat="/beat"' in Visitor(app, badge).page(path)
