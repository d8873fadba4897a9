"""A live picture on a machine with too much to do: it is shown as old as it is, and `no signal` is said of a camera."""

from __future__ import annotations

import re
import socket
import struct
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_bench import PICTURE
from fake_floor import DEALING, NOW_MS, FakeFloor
from patience import wait_until
from structlog.testing import capture_logs
from test_technician_pages import TechnicianFloor, technician
from test_technician_pages import floor as bench_floor  # noqa: F401 - a fixture

from dealer_ui.assembly.device_parts import LOOKED_S, Tap
from dealer_ui.floor.full_machine import FullMachine, full_machines
from dealer_ui.floor.process_look import GONE, HERE, ProcessLook
from dealer_ui.frame.picture_rack import OLD_MS, PictureRack
from dealer_ui.wire.far_tables import _aged
from devices.camera.pace.load import Flow
from devices.camera.picture.frame import Gone, PackedPicture, ShownFrame, decoded, whole_of
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.source.live import open_source
from devices.sim.picture.mjpeg import MjpegServer
from studio.diagnosis import Unseen
from studio.views import TableView, Words

JPEG = cv2.imencode(".jpg", np.full((180, 320, 3), 120, np.uint8))[1].tobytes()
LINKS = dict(DEALING.devices.links)


def table(key: str, *, late_s: int = 0, up: bool = True) -> TableView:
    late = Words("camera.behind", {"s": late_s, "percent": 60}) if late_s else None
    return altered(DEALING, table=key, title=key, devices={"camera_late": late, "links": {**LINKS, "camera": up}})


class Source:
    """A camera; `shown` is its newest frame, `due` what a watcher takes next."""

    url = "http://camera"

    def __init__(self) -> None:
        self.flow = Flow()
        self.due: Pixels | PackedPicture | Gone | None = None
        self.shown: ShownFrame | None = None

    def come(self, picture: bytes, at_s: float) -> None:
        self.due = PackedPicture(picture)
        self.shown = ShownFrame(self.due, at_s)

    def grab(self, now_ms: int) -> Pixels | PackedPicture | Gone | None:
        due, self.due = self.due, None
        return due

    def newest(self) -> ShownFrame | None:
        return self.shown

    def close(self) -> None: ...


class Tapped:
    """A tap over it; the studio's clock is an hour ahead of the steady one."""

    def __init__(self) -> None:
        self.source, self.now_s = Source(), 100.0
        self.tap = Tap(self.source, lambda: self.now_s)

    @property
    def now_ms(self) -> int:
        return round(self.now_s * 1000) + 3_600_000

    def age_ms(self) -> tuple[bytes, int]:
        found = self.tap.jpeg()
        assert found is not None
        return found[0], self.now_ms - found[1]


@pytest.fixture
def tapped() -> Tapped:
    made = Tapped()
    made.source.come(b"first", 99.9)
    made.tap.grab(made.now_ms)
    return made


# --- where it comes from --------------------------------------------------------------------------------


def test_the_picture_does_not_wait_for_the_watchers_turn(tapped: Tapped) -> None:
    tapped.now_s += 1
    tapped.source.come(b"second", 100.8)
    assert tapped.age_ms() == (b"second", 200)
    tapped.now_s += 0.5  # nothing has come since
    assert tapped.age_ms() == (b"second", 700)


def test_a_stream_whose_pictures_have_no_age_is_told_once_and_is_not_late(tapped: Tapped) -> None:
    tapped.source.flow = Flow(taken=5, age_ms=30_000, dated=False)
    with capture_logs() as logs:
        for _ in range(3):
            tapped.source.come(b"second", tapped.now_s - 30)
            tapped.tap.grab(tapped.now_ms)
    assert [(one["camera"], "nobody can tell" in one["event"]) for one in logs] == [("http://camera", True)]
    assert tapped.age_ms() == (b"second", 30_000)
    assert tapped.tap.flow.late_ms == 0
    assert Flow(taken=5, age_ms=30_000).late_ms == 30_000


def test_no_picture_is_shown_for_long_that_no_watcher_has_looked_at(tapped: Tapped) -> None:
    """A camera that was moved shows cards beside what is painted over: it is the watcher that notices."""
    tapped.now_s += LOOKED_S
    tapped.source.come(b"second", tapped.now_s)
    assert tapped.age_ms()[0] == b"second"
    tapped.now_s += 0.1
    assert tapped.age_ms() == (b"first", 2_100)
    assert tapped.tap.came_ms() == tapped.now_ms - 100, "the camera and its cable are well"
    tapped.tap.grab(tapped.now_ms)
    assert tapped.age_ms()[0] == b"second"


def test_before_the_watcher_has_asked_for_any_nobody_knows_when_a_frame_came() -> None:
    fresh = Tapped()
    fresh.source.come(b"first", 99.9)
    assert (fresh.tap.came_ms(), fresh.tap.jpeg()) == (None, None), "the studio's clock is not that of the source"
    fresh.tap.grab(fresh.now_ms)
    assert fresh.tap.came_ms() == fresh.now_ms - 100


def test_a_source_that_is_gone_gives_no_picture(tapped: Tapped) -> None:
    tapped.source.shown = None
    assert (tapped.tap.jpeg(), tapped.tap.came_ms()) == (None, None), "before the watcher's next turn"
    tapped.source.come(b"second", 100.0)
    tapped.source.due = Gone("The cable is out.")
    tapped.tap.grab(tapped.now_ms)
    assert tapped.tap.jpeg() is None  # until the watcher has looked at it


@pytest.fixture
def streaming() -> Iterator[MjpegServer]:
    server = MjpegServer(lambda: np.full((90, 160, 3), 90, np.uint8), fps=20)
    server.start()
    yield server
    server.close()


def test_of_two_cameras_the_one_that_is_watched_late_is_shown_and_the_other_is_not(streaming: MjpegServer) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        taps = [Tap(open_source(url)) for url in (streaming.url, f"http://127.0.0.1:{nobody.getsockname()[1]}/")]
        try:
            wait_until(lambda: taps[0].grab(1_000) is not None)
            first = taps[0].jpeg()
            wait_until(lambda: isinstance(taps[1].grab(1_000), Gone))
            assert first is not None
            wait_until(lambda: (taps[0].jpeg() or first)[1] > first[1] + 500)  # nobody has grabbed since
            assert taps[1].jpeg() is None
        finally:
            for tap in taps:
                tap.close()


# --- what the pit is given ------------------------------------------------------------------------------


def looks(**taken: int | Unseen) -> dict[str, Any]:
    """What the rack gives for a table watched late, for one that is down, and for one with nothing to say."""
    floor = FakeFloor(table("late", late_s=3), table("down", up=False), table("calm"))
    ages = {"late": 5_000, "down": 5_000, "calm": 100, **taken}

    def camera_jpeg(key: str) -> tuple[bytes, int] | Unseen:
        told = ages[key]
        return told if isinstance(told, Unseen) else (JPEG, NOW_MS - told)

    floor.camera_jpeg = camera_jpeg  # type: ignore[method-assign]
    rack = PictureRack(floor)  # type: ignore[arg-type]
    return {key: rack.look(key, "small") for key in floor.tables}


def test_an_old_picture_is_given_with_its_age_where_the_link_is_up() -> None:
    found = looks()
    assert (found["late"]["age_ms"], found["late"]["full"]) == (5_000, True)
    assert found["down"] == {"why": "none"}
    assert (found["calm"]["age_ms"], found["calm"]["full"]) == (100, False)
    assert looks(down=OLD_MS)["down"]["age_ms"] == OLD_MS  # it comes again, and the watcher has not looked yet


@pytest.mark.parametrize("why", list(Unseen), ids=str)
def test_the_pit_and_the_technician_are_told_why_there_is_no_picture(
    bench_floor: TechnicianFloor,  # noqa: F811
    why: Unseen,
) -> None:
    """Whatever the record says of the link: whoever has the camera knows."""
    assert [looks(late=why)["late"], looks(down=why)["down"]] == [{"why": why}] * 2
    bench_floor.camera_jpeg = lambda table: why  # type: ignore[method-assign]
    answer = technician(bench_floor).client.get("/technician/knights1/camera.jpg")
    assert (answer.status_code, answer.headers["X-Why"]) == (404, why)
    assert technician(bench_floor).client.get("/technician/nowhere/camera.jpg").status_code == 404


def test_every_reason_has_its_words_on_the_page(bench_floor: TechnicianFloor) -> None:  # noqa: F811
    for tag in ("en", "ja", "id"):
        page = technician(bench_floor).page(f"/technician?language={tag}")
        assert all(re.search(f'data-{why}="[^"]+"', page) for why in Unseen)


def test_a_broken_picture_costs_only_its_own() -> None:
    """One that says it is larger than any picture raises an error where it is unpacked."""
    at = JPEG.find(b"\xff\xc0") + 5
    frames = {"t1": JPEG, "t2": JPEG[:at] + struct.pack(">HH", 60_000, 60_000) + JPEG[at + 4 :], "t3": b"", "t4": b"no"}
    floor = FakeFloor(*map(table, frames))
    floor.camera_jpeg = lambda key: (frames[key], NOW_MS)  # type: ignore[method-assign]
    answer = Visitor(app_over(floor), "paul").client.get("/pit/pictures?tables=t1,t2,t3,t4")
    assert answer.status_code == 200
    found = answer.json["pictures"]
    assert found["t1"]["jpeg"]
    assert [found[key] for key in ("t2", "t3", "t4")] == [{"why": "broken"}] * 3
    rack = PictureRack(floor)  # type: ignore[arg-type]
    assert [bool(rack.live(key, "small")) for key in frames] == [True, False, False, False]


def test_a_few_bytes_that_say_they_are_a_picture_of_a_thousand_times_more_are_not_unpacked() -> None:
    at = JPEG.find(b"\xff\xc0") + 5
    found = {}
    for side in (4_000, 9_000):
        picture = JPEG[:at] + struct.pack(">HH", side, side) + JPEG[at + 4 :]
        floor = FakeFloor(table("t1"))
        floor.camera_jpeg = lambda key, picture=picture: (picture, NOW_MS)  # type: ignore[method-assign,misc]
        small = PictureRack(floor).live("t1", "small")  # type: ignore[arg-type]
        found[side] = (bool(small), decoded(picture) is not None, whole_of(PackedPicture(picture)) is not None)
    assert found == {4_000: (True, True, True), 9_000: (False, False, False)}


def test_the_technician_sees_an_old_picture_with_its_age_unless_the_link_is_down(
    bench_floor: TechnicianFloor,  # noqa: F811
) -> None:
    visitor = technician(bench_floor)
    bench_floor.bench.cameras["camera-1"].picture_ms = NOW_MS - 5_000
    answer = visitor.client.get("/technician/knights1/camera.jpg")
    assert (answer.status_code, answer.data, answer.headers["X-Age-Ms"]) == (200, PICTURE, "5000")
    view = bench_floor.view("knights1")
    bench_floor.show(altered(view, devices={"links": {**view.devices.links, "camera": False}}))
    answer = visitor.client.get("/technician/knights1/camera.jpg")
    assert (answer.status_code, answer.headers["X-Why"]) == (404, "none")


# --- a full machine -------------------------------------------------------------------------------------


def host(name: str, *runs: str, state: str = HERE) -> ProcessLook:
    return ProcessLook(name, "table", state, runs, runs, 1.0, 0, 0)


def test_a_machine_is_told_once_by_its_latest_table() -> None:
    views = [table("t1", late_s=2), table("t2", late_s=4), table("t3"), table("t4")]
    assert full_machines(views, ()) == (FullMachine("", 4, 2, 4),)
    assert full_machines(views[2:], ()) == ()
    hosts = [host("a", "t1", "t3"), host("b", "t2"), host("c", "t4")]
    assert full_machines(views, hosts) == (FullMachine("b", 1, 1, 4), FullMachine("a", 2, 1, 2))


def test_a_machine_that_is_gone_is_not_full_and_has_no_tables() -> None:
    """Not those it ran that another runs now, and of the others nobody says how late they are."""
    views = [table("t1", late_s=2), table("t2"), table("t3", late_s=9)]
    gone = host("z", "t1", "t3", state=GONE)
    for hosts in ([host("a", "t1", "t2"), gone], [gone, host("a", "t1", "t2")]):
        assert full_machines(views, hosts) == (FullMachine("a", 2, 1, 2),)
    assert full_machines(views, [gone]) == ()


def test_a_table_that_cannot_be_reached_says_no_more_that_it_is_late() -> None:
    old = _aged(table("t1", late_s=9))
    assert (old.now.act.key, old.devices.camera_late) == ("act.unreachable", None)
    assert old.devices.links == table("t1").devices.links


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("en", "This machine is full.</b> It looks at 1 of its 2 tables late, by up to 3 s. No camera and no cable"),
        ("ja", "2 テーブル中 1 テーブルの画像処理が最大 3 秒遅れています。 カメラやケーブルの故障ではありません。"),
        ("id", "Mesin ini penuh.</b> 1 dari 2 mejanya dilihat terlambat, sampai 3 d. Kamera dan kabel tidak"),
    ],
)
def test_the_pit_is_told_that_the_machine_is_full_and_of_no_camera(tag: str, words: str) -> None:
    page = Visitor(app_over(FakeFloor(table("t1", late_s=3), table("t2"))), "paul").page(f"/pit?language={tag}")
    assert page.count(words) == 1
    assert 'data-alarm=""' in page
    calm = Visitor(app_over(FakeFloor(table("t1"), table("t2"))), "paul").page(f"/pit?language={tag}")
    assert "full-machines" not in calm
