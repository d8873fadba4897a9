"""The Angel Eye codec against the literal bytes of the manual, and against everything a line can do to them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.frame import Broken
from devices.shoe.angel_eye_codec import (
    FRAME_BYTES_MAX,
    AngelEyeDecoder,
    Frame,
    ShoeAccepted,
    ShoeRefused,
    ShoeReply,
    ShoeReport,
    card_byte,
    card_of,
    encode_command,
    encode_report,
    mode_of,
    target_of,
)
from studio.cards import DECK

PLAYER_1_8S = bytes.fromhex("05 31 44 81 B8 03 34 46")

GOLDEN_REPORTS = [
    pytest.param("05 31 53 03 36 31", "1", "S", "", id="start"),
    pytest.param("05 32 50 03 36 31", "2", "P", "", id="stand-by"),
    pytest.param("05 31 44 81 B8 03 34 46", "1", "D", "81 B8", id="player 1 = 8s"),
    pytest.param("05 37 44 91 A5 03 34 34", "7", "D", "91 A5", id="banker 1 = 5c"),
    pytest.param("05 33 44 A1 CD 03 31 38", "3", "D", "A1 CD", id="burn 1 = Kh"),
    pytest.param("05 33 43 03 37 33", "3", "C", "", id="cut card"),
    pytest.param("05 34 45 C1 03 42 33", "4", "E", "C1", id="error mode, code 1"),
    pytest.param("05 35 65 81 03 44 32", "5", "e", "81", id="error 1 cleared"),
    pytest.param("05 35 4C 81 03 46 42", "5", "L", "81", id="locked"),
]

GOLDEN_COMMANDS = [
    pytest.param("LK", "02", "02 4F 50 4C 4B 30 32 03", "31 42", "31 39", id="lock"),
    pytest.param("LK", "01", "02 4F 50 4C 4B 30 31 03", "31 38", "31 41", id="unlock"),
    pytest.param("EC", "01", "02 4F 50 45 43 30 31 03", "31 39", "31 42", id="cancel error 1"),
    pytest.param("GP", "00", "02 4F 50 47 50 30 30 03", "30 39", "30 42", id="confirm"),
]


def decode(data: bytes) -> list[Frame]:
    decoder = AngelEyeDecoder()
    return [*decoder.feed(data), *decoder.quiet()]


@pytest.mark.parametrize(("data", "seq", "code", "payload"), GOLDEN_REPORTS)
def test_every_report_of_the_manual_is_read_and_written_to_the_byte(
    data: str, seq: str, code: str, payload: str
) -> None:
    raw = bytes.fromhex(data)
    assert decode(raw) == [ShoeReport(ord(seq), code, bytes.fromhex(payload), raw)]
    assert encode_report(ord(seq), code, bytes.fromhex(payload)) == raw


@pytest.mark.parametrize(("kind", "data", "body", "bcc_in", "bcc_out"), GOLDEN_COMMANDS)
def test_every_command_of_the_manual_is_written_to_the_byte_with_stx_in_and_out(
    kind: str, data: str, body: str, bcc_in: str, bcc_out: str
) -> None:
    assert encode_command(kind, data) == bytes.fromhex(body + bcc_in)
    assert encode_command(kind, data, stx_in_bcc=False) == bytes.fromhex(body + bcc_out)
    assert decode(bytes.fromhex(body + bcc_in)) == [ShoeReply(f"OP{kind}{data}".encode(), stx_in_bcc=True)]
    assert decode(bytes.fromhex(body + bcc_out)) == [ShoeReply(f"OP{kind}{data}".encode(), stx_in_bcc=False)]


def test_ack_and_every_nak_code_are_read() -> None:
    codes = [0x01, 0x02, 0x03, 0x11, 0x12, 0x13, 0x14, 0x21, 0x22, 0xFF]
    assert decode(b"\x06" + b"".join(bytes((0x15, code)) for code in codes)) == [
        ShoeAccepted(),
        *(ShoeRefused(code) for code in codes),
    ]


def test_the_named_cards_of_the_manual_are_those_cards() -> None:
    assert [str(card_of(byte)) for byte in (0xB8, 0xA5, 0xCD)] == ["8s", "5c", "Kh"]
    assert [target_of(byte) for byte in (0x81, 0x92, 0xA3, 0xC1, 0xD5, 0xB1)] == [
        "Player 1",
        "Banker 2",
        "Burn 3",
        "First 1",
        "Burn count 5",
        "Target 3 1",
    ]
    assert [mode_of(byte) for byte in (0x80, 0x91, 0xA0, 0xF2)] == ["Lock", "Error 1", "Setting", "Mode 7 2"]


def test_every_card_has_its_own_byte_and_no_other_byte_is_a_card() -> None:
    codes = {card_byte(card): card for card in DECK}
    assert len(codes) == 52
    for byte in range(0x80, 0x100):
        assert card_of(byte) == codes.get(byte)
    assert card_of(card_byte(None)) is None


def test_a_frame_in_a_repr_shows_no_face() -> None:
    (frame,) = decode(PLAYER_1_8S)
    assert repr(frame) == "ShoeReport(seq=49, code='D')"


def test_a_wrong_checksum_is_told_once_and_the_next_frame_is_read() -> None:
    assert decode(PLAYER_1_8S[:-1] + b"0" + PLAYER_1_8S) == [
        Broken("bcc", 8),
        ShoeReport(0x31, "D", b"\x81\xb8", PLAYER_1_8S),
    ]


def test_a_frame_cut_short_by_a_new_one_costs_only_itself() -> None:
    for at in range(1, len(PLAYER_1_8S)):
        frames = decode(PLAYER_1_8S[:at] + PLAYER_1_8S)
        assert frames[-1] == ShoeReport(0x31, "D", b"\x81\xb8", PLAYER_1_8S)
        assert len(frames) == 2, f"cut after {at} bytes"


def test_no_end_within_64_bytes_drops_the_buffer() -> None:
    assert decode(b"\x05" + b"\xaa" * 70 + PLAYER_1_8S) == [
        Broken("no_etx", 64),
        Broken("noise", 7),
        ShoeReport(0x31, "D", b"\x81\xb8", PLAYER_1_8S),
    ]


def test_any_byte_may_be_the_sequence() -> None:
    for seq in range(256):
        raw = encode_report(seq, "C")
        assert decode(raw) == [ShoeReport(seq, "C", b"", raw)], f"seq {seq:#04x}"


def test_the_remains_of_a_damaged_frame_acknowledge_nothing() -> None:
    assert decode(bytes.fromhex("05 31 44 06 15 03 30 30")) == [Broken("bcc", 8)]


reports = st.builds(
    encode_report,
    st.integers(0, 255),
    st.sampled_from("SPCDdRGEeL"),
    st.binary(max_size=2).map(lambda data: bytes(byte | 0x80 for byte in data)),
)
noise = st.binary(max_size=80) | st.lists(st.sampled_from(b"\x02\x03\x05\x06\x15\x31\x44\x81"), max_size=40).map(bytes)


@given(st.lists(st.binary(max_size=40) | noise))
def test_whatever_comes_the_decoder_neither_raises_nor_hoards(chunks: list[bytes]) -> None:
    decoder = AngelEyeDecoder()
    for chunk in chunks:
        for _ in decoder.feed(chunk):
            pass
        assert decoder.held <= FRAME_BYTES_MAX


@given(noise, st.lists(st.tuples(reports, noise), min_size=1, max_size=6))
def test_no_good_report_beside_noise_is_lost(before: bytes, parts: list[tuple[bytes, bytes]]) -> None:
    stream = before + b"".join(frame + after for frame, after in parts)
    got = [frame.raw for frame in decode(stream) if isinstance(frame, ShoeReport)]
    rest = iter(got)
    assert all(sent in rest for sent, _ in parts), "every sent frame comes, in its order"


@given(noise, st.lists(st.tuples(reports, noise), max_size=4))
def test_a_report_is_only_what_stands_in_the_stream_with_its_checksum(
    before: bytes, parts: list[tuple[bytes, bytes]]
) -> None:
    stream = before + b"".join(frame + after for frame, after in parts)
    for frame in decode(stream):
        if isinstance(frame, ShoeReport):
            assert frame.raw in stream
            assert encode_report(frame.seq, frame.code, frame.payload) == frame.raw


@given(st.binary(max_size=200) | noise, st.lists(st.integers(0, 200)))
def test_the_frames_do_not_depend_on_how_the_bytes_were_split(stream: bytes, cuts: list[int]) -> None:
    decoder = AngelEyeDecoder()
    edges = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    split = [frame for a, b in pairwise(edges) for frame in decoder.feed(stream[a:b])]
    assert [*split, *decoder.quiet()] == decode(stream)


@given(st.binary(max_size=300) | noise)
def test_no_byte_goes_uncounted(stream: bytes) -> None:
    decoder = AngelEyeDecoder()
    counted = 0
    for frame in (*decoder.feed(stream), *decoder.reset()):
        match frame:
            case ShoeReport(raw=raw):
                counted += len(raw)
            case ShoeReply(body=body):
                counted += len(body) + 4
            case ShoeAccepted():
                counted += 1
            case ShoeRefused():
                counted += 2
            case Broken(count=count):
                counted += count
    # A sound frame inside the remains of a broken one is counted with both.
    assert counted >= len(stream)
