"""A studio that is put together lays its devices out for the technician, and tells them when a table is open."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dealer_ui.felt.face import hidden_zones
from dealer_ui.rehearsal.demo.demo import Demo, DemoOptions, build_demo
from devices.driver import LineTalk
from studio.errors import RefusedError
from studio.tables.state.table import Status

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
        object.__setattr__(runtime.state, "status", status)
        book.listen(LineTalk(book.device, 1, "in", b"\x05\x31\x44"))
        assert book.since(0)[-1].masked
        with pytest.raises(RefusedError, match="close the table first"):
            book.tape.capture()
    assert not book.tape.running


def test_no_screen_gets_the_picture_but_covered(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pit's live picture comes the same way as the technician's."""
    studio = demo.studio
    bench = studio.bench.camera(f"camera-{TABLE}")
    assert bench is not None
    asked: list[object] = []
    monkeypatch.setattr(type(bench), "picture", lambda _self, hidden: asked.append(hidden))
    assert studio.floor.camera_jpeg(TABLE) is None
    assert asked == [hidden_zones(studio.floor.view(TABLE))]
