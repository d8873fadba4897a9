# ruff: noqa: E501 - rungs are laid out as a table
"""The diagnosis ladder, rung by rung, and the probe that climbs it on an unknown line."""

from __future__ import annotations

import itertools

import pytest

from devices.link import LineSettings, LinkLostError
from devices.shoe.angel_eye_codec import encode_report
from devices.shuffler.generic_codec import encode
from devices.technician.ladder import RUNGS, SENTENCES, CameraCounts, camera_ladder, line_ladder, sentence_of
from devices.technician.line_count import LineTally
from devices.technician.probing import probe, speeds_for
from studio.diagnosis import LineCounts
from studio.ports import LinkDown, LinkUp, ShufflerHello, UnreadableFrame

UP = {"up": True}


@pytest.mark.parametrize(
    ("role", "counts", "states", "says"),
    [
        pytest.param("shoe", LineCounts(), "waiting unknown unknown unknown", "wait a moment", id="not opened"),
        pytest.param("shoe", LineCounts(reason="Plug it in."), "bad unknown unknown unknown", "Plug it in.", id="unplugged"),
        pytest.param("shoe", LineCounts(up=True), "good waiting unknown unknown", "draw a card", id="silent so far"),
        pytest.param("shoe", LineCounts(up=True, open_ms=30_000), "good bad unknown unknown", "check its power", id="silent"),
        pytest.param("shoe", LineCounts(up=True, bytes=5), "good good waiting unknown", "wait for more", id="few bytes"),
        pytest.param("shoe", LineCounts(up=True, bytes=90), "good good bad unknown", "speed", id="wrong speed"),
        pytest.param("shoe", LineCounts(up=True, bytes=40, damaged=3), "good good bad unknown", "speed", id="all damaged"),
        pytest.param("shoe", LineCounts(up=True, bytes=9, frames=1), "good good good waiting", "draw one", id="no card"),
        pytest.param("shoe", LineCounts(up=True, bytes=9, frames=1, unread=1), "good good good bad", "window", id="unread"),
        pytest.param("shoe", LineCounts(up=True, bytes=9, frames=9, reports=5, unread=2), "good good good poor", "Some", id="dirty"),
        pytest.param("shoe", LineCounts(up=True, bytes=9, frames=9, reports=5), "good good good good", "are read", id="well"),
        pytest.param("shoe", LineCounts(up=True, bytes=9, frames=9, damaged=3, reports=5), "good good poor good", "are read", id="bad cable"),
        pytest.param("shuffler", LineCounts(up=True, bytes=9, frames=1), "good good good waiting", "told its state", id="no state"),
        pytest.param("shuffler", LineCounts(up=True, bytes=9, frames=1, reports=1), "good good good good", "tells", id="shuffler well"),
    ],
)  # fmt: skip
def test_the_first_rung_that_fails_says_what_to_do(role: str, counts: LineCounts, states: str, says: str) -> None:
    rungs = line_ladder(role, counts)
    assert tuple(rung.name for rung in rungs) == RUNGS[role]
    assert " ".join(rung.state for rung in rungs) == states
    assert says in [said for rung in rungs if (said := sentence_of(rung))][-1]


@pytest.mark.parametrize(
    "reason", ["dark", "glare", "colourless", "covered", "resized", "unsharp", "frozen", "moved", "no_picture"]
)
def test_a_camera_that_is_blind_says_what_to_do(reason: str) -> None:
    rungs = camera_ladder(CameraCounts(up=True, picture=True, told=True, blind=reason))
    assert [rung.state for rung in rungs] == ["good", "good", "bad", "unknown"]
    assert sentence_of(rungs[2]) == SENTENCES[f"felt.{reason}"]


def test_a_camera_that_works_climbs_to_the_top() -> None:
    rungs = camera_ladder(CameraCounts(up=True, picture=True, told=True, cards=3))
    assert [rung.state for rung in rungs] == ["good"] * 4
    assert sentence_of(camera_ladder(CameraCounts(reason="No camera."))[0]).endswith("No camera.")


def test_a_tally_counts_what_the_link_and_the_driver_say() -> None:
    tally = LineTally()
    hello = ShufflerHello(device="m", at_ms=5, model="M", serial="7", firmware="1.2", deck_profile="poker")
    tally.take(
        [LinkUp(device="m", at_ms=5, url=""), hello, UnreadableFrame(device="m", at_ms=6, reason="bcc", count=8)]
    )
    assert (tally.frames, tally.damaged, tally.states, tally.connects) == (1, 1, 1, 1)
    assert tally.identity == {"model": "M", "serial": "7", "firmware": "1.2"}
    tally.take([LinkDown(device="m", at_ms=9, url="", reason="Gone.")])
    assert (tally.up, tally.counts("shuffler", 10).reason) == (False, "Gone.")


# --- the probe ------------------------------------------------------------------------------------------


class Line:
    """A line on which a device talks at one speed; at others its bytes are something else."""

    def __init__(self, said: bytes, baud: int) -> None:
        self.said, self.baud = said, baud
        self.tried: list[int] = []
        self.written = b""
        self._clock = itertools.count(0, 10)

    def open(self, url: str, settings: LineSettings) -> Line:
        self.tried.append(settings.baud)
        garbled = bytes(byte ^ 0x4D for byte in self.said)
        self._left = self.said if settings.baud == self.baud else garbled
        return self

    def now_ms(self) -> int:
        return next(self._clock)

    def read(self, max_bytes: int) -> bytes:
        data, self._left = self._left[:20], self._left[20:]
        return data

    def wait(self, most_s: float) -> None:
        pass

    def wake(self) -> None:
        pass

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self._left = b""


SHOE = b"".join(encode_report(0x31 + i, "D", bytes((0x81, 0xB8 + i))) * 3 for i in range(4))
BEE_TEK = b" [Manual Burn Cards]<Card:KH>  [Manual Burn Cards]<Card:4S>  [Manual Burn Cards]<Card:7C> "
SHUFFLER = b"".join(encode("01", i, "W", "ready") for i in range(4))


@pytest.mark.parametrize(
    ("said", "baud", "driver", "top"),
    [
        pytest.param(SHOE, 4800, "angel_eye", "cards", id="Angel Eye"),
        pytest.param(SHOE, 9600, "angel_eye", "cards", id="Angel Eye at another speed"),
        pytest.param(SHUFFLER, 9600, "generic", "state", id="generic shuffler"),
        pytest.param(BEE_TEK, 9600, "bee_tek", "cards", id="Bee-Tek"),
    ],
)
def test_the_probe_names_driver_and_speed(said: bytes, baud: int, driver: str, top: str) -> None:
    line = Line(said, baud)
    best = probe("/dev/x", (4800, 9600, 19200), open_link=line.open, now_ms=line.now_ms, listen_ms=300)[0]
    assert (best.driver, best.baud, best.sure) == (driver, baud, "certain")
    assert [(rung.name, rung.state) for rung in best.rungs][-1] == (top, "good")
    assert line.tried[-1] == baud
    assert line.written == b""


def test_a_line_nobody_understands_fails_at_the_frames() -> None:
    line = Line(b"\x55\xaa" * 60, 9600)
    best = probe("/dev/x", (4800, 9600), open_link=line.open, now_ms=line.now_ms, listen_ms=300)[0]
    assert best.sure == "no"
    assert [rung.state for rung in best.rungs] == ["good", "good", "bad", "unknown"]


def test_a_silent_line_fails_at_the_bytes() -> None:
    line = Line(b"", 9600)
    best = probe("/dev/x", (4800,), open_link=line.open, now_ms=line.now_ms, listen_ms=50)[0]
    assert [rung.state for rung in best.rungs][:2] == ["good", "waiting"]


def test_a_line_that_cannot_be_opened_fails_at_the_first_rung() -> None:
    def refuse(url: str, settings: LineSettings) -> Line:
        raise LinkLostError("The port is in use by another program; close that program.")

    best = probe("/dev/x", (4800, 9600), open_link=refuse, now_ms=lambda: 0, listen_ms=50)[0]
    assert (best.sure, best.rungs[0].state) == ("no", "bad")
    assert "close that program" in sentence_of(best.rungs[0])


def test_speeds_are_tried_only_where_there_is_a_speed() -> None:
    assert len(speeds_for("/dev/ttyUSB0")) > 4
    assert speeds_for("socket://host:4001") == (4800,)
    assert speeds_for("/dev/ttyUSB0", (1200,)) == (1200,)
