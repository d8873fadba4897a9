"""Capture files: what is written is read, what is no capture is named by its line, and replay is the line again."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.driver import LineTalk
from devices.link import LineSettings, LinkLostError
from devices.technician import tape
from devices.technician.capture import CAPTURE_BYTES_MAX, Capture, Piece, head_of, load_capture, read_capture, text_of
from devices.technician.playback import CaptureLink, driver_for, observations, open_line
from devices.technician.tape import Recorder
from devices.technician.telling import told
from studio.cards import Sealer
from studio.errors import BadInputError

CAPTURES = Path(__file__).parents[1] / "captures"
START = bytes.fromhex("05 31 53 03 36 31")
CARD_8S = bytes.fromhex("05 31 44 81 B8 03 34 46")
SEALER = Sealer(random.Random(1).randbytes)
PIECES = st.lists(
    st.builds(Piece, at_ms=st.integers(0, 10**9), data=st.binary(min_size=1, max_size=80), sent=st.booleans()),
    max_size=20,
)


@given(PIECES)
def test_what_is_written_is_read_again_byte_for_byte(pieces: list[Piece]) -> None:
    text = head_of("angel_eye", device="shoe-1", baud=4800, started_ms=1_790_000_000_123)
    capture = read_capture(text + "".join(map(text_of, pieces)))
    assert (capture.protocol, capture.device, capture.baud) == ("angel_eye", "shoe-1", 4800)
    assert capture.started_ms == 1_790_000_000_123
    whole = [(piece.at_ms, byte, piece.sent) for piece in pieces for byte in piece.data]
    assert [(piece.at_ms, byte, piece.sent) for piece in capture.pieces for byte in piece.data] == whole


@pytest.mark.parametrize("path", sorted(CAPTURES.glob("*.capture")), ids=lambda path: path.stem)
def test_the_captures_of_the_tests_are_captures(path: Path) -> None:
    assert load_capture(path).heard


def test_a_clock_that_was_set_right_in_a_recording_is_no_silence_of_decades() -> None:
    """A machine without a battery begins in 1970: the list of every second since then took all memory there is."""
    text = f"protocol angel_eye\nbaud ²\nat 0\n{START.hex()}\nat 1790000000000\n{CARD_8S.hex()}\n"
    capture = read_capture(text)
    assert capture.baud is None
    seen = observations(capture, driver_for(capture, SEALER))
    assert [(type(one).__name__, one.at_ms) for one in seen] == [("ShoeStarted", 0), ("ShoeDrewCard", 1790000000000)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("05 31\n", "no line 'protocol NAME'", id="no protocol"),
        pytest.param("protocol angel_eye\nhello\n", "line 2: This is neither bytes", id="not hex"),
        pytest.param("protocol angel_eye\nat soon\n", "line 2: 'at' wants", id="no moment"),
        pytest.param(f"protocol angel_eye\nat {10**22}\n", "line 2: 'at' wants", id="a moment that never comes"),
        pytest.param(f"protocol angel_eye\nat {'9' * 5000}\n", "line 2: 'at' wants", id="a number of many digits"),
        pytest.param("protocol angel_eye\nat ²\n", "line 2: 'at' wants", id="a digit that is none"),
        pytest.param("protocol angel_eye\nstarted soon\n", "'started' wants", id="no beginning"),
        pytest.param("protocol angel_eye\nstarted 9999-12-31T23:59:59+00:00\n", "'started' wants", id="the last day"),
        pytest.param("protocol a\n" + "00 " * (CAPTURE_BYTES_MAX + 1), "holds more than", id="too long"),
    ],
)
def test_what_is_no_capture_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        read_capture(text)


def test_a_picture_is_no_capture(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(BadInputError, match="not text"):
        load_capture(tmp_path / "a.png")


def test_a_capture_that_an_editor_gave_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    file = tmp_path / "shoe.capture"
    file.write_bytes(b"\xef\xbb\xbf" + f"protocol angel_eye\r\n{START.hex()}\r\n".encode())
    assert load_capture(file) == read_capture(f"protocol angel_eye\n{START.hex()}\n")


def test_no_byte_of_a_line_stands_in_a_repr() -> None:
    piece = Piece(0, CARD_8S)
    assert "B8" not in repr(Capture("angel_eye", (piece,))).upper()
    assert "184" not in repr(piece)


def test_a_recorder_writes_both_directions_and_stops_at_its_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tape, "CAPTURE_BYTES_MAX", 10)
    sink = io.StringIO()
    recorder = Recorder(sink, "generic", device="machine", baud=9600, now_ms=1_000)
    recorder.take(LineTalk("machine", 1_250, "in", b"\x02hello"))
    recorder.take(LineTalk("machine", 1_260, "out", b"\x06"))
    recorder.take(LineTalk("machine", 1_300, "in", b"a good deal more"))
    capture = read_capture(sink.getvalue())
    assert [(piece.at_ms, piece.sent) for piece in capture.pieces] == [(250, False), (260, True), (300, False)]
    assert recorder.full
    assert len(capture.heard) == 9


def test_a_replay_gives_what_the_driver_gave() -> None:
    capture = Capture("angel_eye", (Piece(0, START * 3), Piece(900, CARD_8S * 3)), started_ms=5_000)
    said = [told(seen) for seen in observations(capture, driver_for(capture, SEALER))]
    assert [one["observation"] for one in said] == ["ShoeStarted", "ShoeDrewCard"]
    assert said[1]["card"] == "8s"
    assert said[1]["at"].endswith("05.900+00:00")


def test_a_frame_that_the_end_cuts_off_is_told() -> None:
    capture = Capture("angel_eye", (Piece(0, CARD_8S[:5]),))
    said = [told(seen) for seen in observations(capture, driver_for(capture, SEALER))]
    assert [(one["observation"], one["reason"]) for one in said] == [("UnreadableFrame", "cut_short")]


def test_a_capture_is_a_link_that_keeps_the_recorded_pace() -> None:
    now_s = [0.0]
    capture = Capture("angel_eye", (Piece(0, b"ab"), Piece(5_000, b"\x06", sent=True), Piece(5_000, b"cd")))
    link = CaptureLink("capture://x", capture, lambda: now_s[0])
    assert link.read(1) == b"a"
    assert link.read(9) == b"b"
    assert link.read(9) == b""
    now_s[0] = 5.0
    assert link.read(9) == b"cd"
    with pytest.raises(LinkLostError, match="at its end"):
        link.read(9)
    link.close()


def test_a_line_that_is_no_capture_is_a_lost_link(tmp_path: Path) -> None:
    with pytest.raises(LinkLostError, match="cannot be read"):
        open_line(f"capture://{tmp_path / 'none'}", LineSettings())
    with pytest.raises(LinkLostError, match="No simulated device"):
        open_line("sim://none", LineSettings())
