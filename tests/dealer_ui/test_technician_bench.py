"""A studio that is put together lays its devices out for the technician, and tells them when a table is open."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from dealer_ui.floor.curtain import TAKEN_MS
from dealer_ui.rehearsal.demo.demo import Demo, DemoOptions, build_demo
from devices.driver import LineTalk
from studio.diagnosis import Unseen
from studio.errors import RefusedError
from studio.tables.state.table import Status
from studio.value import replace

TABLE = "three-knights-1"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """A demo that is put together and does not run."""
    folder = tmp_path_factory.mktemp("demo")
    made = build_demo(DemoOptions(("three_knights",), folder / "demo.db", seed=1))
    yield made
    made.stop()


def test_every_device_of_a_studio_lies_on_its_bench(demo: Demo) -> None:
    bench, studio = demo.studio.floor.bench, demo.studio
    shoe, shuffler, camera = (f"{role}-{TABLE}" for role in ("shoe", "shuffler", "camera"))
    assert {device.id for table in studio.tables for device in table.devices} == {shoe, shuffler, camera}
    line = bench.line(shoe)
    assert line is not None
    assert line.driver == "angel_eye"
    assert "cancel_error" in line.orders
    assert bench.line(shuffler) is not None
    assert bench.camera(camera) is not None
    assert bench.line(camera) is None
    assert studio.config.calibration_path(camera).parent.name == "calibrations"


def test_a_line_is_hidden_from_the_moment_its_table_is_not_closed(demo: Demo) -> None:
    studio = demo.studio
    book = studio.bench.line(f"shoe-{TABLE}")
    assert book is not None
    runtime = studio.workers[0].runtime
    assert runtime.state.status is Status.CLOSED
    book.tape.start(0)
    for status in (Status.OPEN, Status.PAUSED):
        runtime._table.state = replace(runtime.state, status=status)
        book.listen(LineTalk(book.device, 1, "in", b"\x05\x31\x44"))
        assert book.since(0)[-1].masked
        with pytest.raises(RefusedError, match="close the table first"):
            book.tape.capture()
    assert not book.tape.running


def test_no_screen_gets_the_picture_but_covered(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pit's live picture is the technician's, and what is hidden in it is what its table has hidden since."""
    studio = demo.studio
    bench = studio.bench.camera(f"camera-{TABLE}")
    assert bench is not None
    came_ms, frame = studio.floor.now_ms(), cv2.imencode(".jpg", np.zeros((90, 160, 3), np.uint8))[1].tobytes()
    monkeypatch.setattr(bench, "_frame", lambda: (frame, came_ms))
    assert studio.floor.camera_jpeg(TABLE) == (frame, came_ms)
    state, table = studio.workers[0].runtime.state, studio.workers[0].runtime
    studio.floor.publish(replace(state, status=Status.OPEN), table.book, table.seq)
    assert studio.floor.camera_jpeg(TABLE) is Unseen.HIDDEN, "nobody knows where on it the felt lies"
    studio.floor.publish(replace(state, status=Status.CLOSED), table.book, table.seq)
    assert studio.floor.camera_jpeg(TABLE) is Unseen.HIDDEN, "it came before the table was closed"
    came_ms = studio.floor.now_ms() + TAKEN_MS
    assert studio.floor.camera_jpeg(TABLE) == (frame, came_ms)
