"""The generic profile: its bytes, its records, its acknowledgements and its silence."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.driver import DriverTurn, HostCommand, Instant
from devices.frame import Broken
from devices.shuffler.generic import SILENT_MS, WHO_AGAIN_MS, WHO_MS, GenericDriver
from devices.shuffler.generic_codec import (
    ALARMS,
    FRAME_BYTES_MAX,
    STATES,
    VERDICTS,
    Accepted,
    Frame,
    GenericDecoder,
    GenericRecord,
    Refused,
    card_of,
    card_text,
    encode,
)
from devices.shuffler.generic_record import DECK_ID, Role
from studio.cards import DECK, Sealer
from studio.errors import RefusedError
from studio.ports import (
    CommandAnswered,
    CutCardOut,
    DeckVerified,
    Observation,
    ShoeCardUnread,
    ShoeDrewCard,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeLocked,
    ShoeStarted,
    ShufflerAlarm,
    ShufflerHello,
    ShufflerState,
    UnreadableFrame,
)

ALL = frozenset({"lock", "unlock", "clear", "ident", "eject", "status"})


def driver(role: Role = "shuffler", commands: frozenset[str] = frozenset()) -> GenericDriver:
    return GenericDriver("shuffler1", Sealer(random.Random(1).randbytes), role=role, commands=commands)


def at(ms: int) -> Instant:
    return Instant(at_ms=1_700_000_000_000 + ms, run_ms=ms)


def frames(*records: tuple[str, str]) -> bytes:
    return b"".join(encode("01", seq, kind, data) for seq, (kind, data) in enumerate(records))


def decode(data: bytes) -> list[Frame]:
    decoder = GenericDecoder()
    return [*decoder.feed(data), *decoder.quiet()]


def kinds(seen: Iterable[Observation]) -> list[type[Observation]]:
    return [type(one) for one in seen]


def said(data: bytes, role: Role = "shuffler") -> list[Observation]:
    return list(driver(role).turn(data, at(0)).observations)


STAMP = {"device": "shuffler1", "at_ms": 1_700_000_000_000}

# --- bytes --------------------------------------------------------------------------------------------


def test_a_frame_is_laid_out_as_its_page_says() -> None:
    raw = encode("01", 7, "W", "ready")
    assert raw == bytes.fromhex("02 30 31 30 37 57 72 65 61 64 79 03 33 38")
    assert decode(raw) == [GenericRecord("01", 7, "W", "ready", raw)]


def test_the_device_number_does_not_count_in_the_checksum() -> None:
    assert encode("01", 7, "W", "ready")[-2:] == encode("77", 7, "W", "ready")[-2:]


def test_ack_and_nak_are_single_bytes() -> None:
    assert decode(b"\x06\x15") == [Accepted(), Refused()]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        pytest.param(encode("01", 1, "B")[:-1] + b"?", [Broken("bcc", 9)], id="wrong checksum"),
        pytest.param(b"\x02" + b"x" * 127, [Broken("no_etx", 128)], id="no end"),
        pytest.param(
            encode("01", 1, "B")[:-2] + encode("01", 2, "Z")[:0] + b"\x02", [Broken("cut_short", 7)], id="cut"
        ),
        pytest.param(encode("\x7f1", 1, "B"), [Broken("unknown", 9)], id="not printable"),
    ],
)
def test_what_makes_no_frame_is_told(stream: bytes, expected: list[Frame]) -> None:
    assert decode(stream) == expected


def test_every_card_is_written_and_read() -> None:
    assert [card_of(card_text(card)) for card in DECK] == list(DECK)
    assert [card_of(text) for text in ("??", "1s", "AS", "", "10s", "XX")] == [None] * 6


noise = st.binary(max_size=150) | st.lists(st.sampled_from(b"\x02\x03\x06\x150123KW"), max_size=60).map(bytes)


@given(st.lists(noise))
def test_whatever_comes_the_decoder_neither_raises_nor_hoards(chunks: list[bytes]) -> None:
    decoder = GenericDecoder()
    for chunk in chunks:
        for _ in decoder.feed(chunk):
            pass
        assert decoder.held <= FRAME_BYTES_MAX


@given(noise, st.lists(st.tuples(st.integers(0, 99), st.sampled_from("KWQ"), noise), min_size=1, max_size=5))
def test_no_good_frame_beside_noise_is_lost(before: bytes, parts: list[tuple[int, str, bytes]]) -> None:
    sent = [encode("01", seq, kind, "001,8s") for seq, kind, _ in parts]
    stream = before + b"".join(frame + after for frame, (_, _, after) in zip(sent, parts, strict=True))
    got = iter([frame.raw for frame in decode(stream) if isinstance(frame, GenericRecord)])
    assert all(frame in got for frame in sent)


@given(st.lists(noise))
def test_whatever_comes_the_driver_never_raises(chunks: list[bytes]) -> None:
    reader = driver()
    for tick, chunk in enumerate(chunks):
        reader.turn(chunk, at(tick))
    reader.reset(at(len(chunks)))


# --- records ------------------------------------------------------------------------------------------


def test_hello_names_the_machine() -> None:
    assert said(frames(("H", "MD,77,1.2,52"))) == [
        ShufflerHello(model="MD", serial="77", firmware="1.2", deck_profile="52", **STAMP)
    ]


def test_hello_of_a_shoe_is_also_its_start() -> None:
    assert kinds(said(frames(("H", "MD,77,1.2,52")), "shoe")) == [ShufflerHello, ShoeStarted]


def test_hello_of_a_shoe_that_was_asked_for_it_is_no_start() -> None:
    reader = driver("shoe", ALL)
    reader.command(HostCommand("ident"))
    reader.turn(b"", at(0))
    hello = encode("01", 0, "H", "MD,77,1.2,52")
    assert kinds(reader.turn(b"\x06" + hello, at(1)).observations) == [CommandAnswered, ShufflerHello]
    reader.turn(encode("01", 1, "B"), at(2))
    assert kinds(reader.turn(hello, at(3)).observations) == [ShufflerHello, ShoeStarted]


def test_a_heartbeat_says_nothing() -> None:
    assert said(frames(("B", ""))) == []


@pytest.mark.parametrize("state", STATES)
def test_every_state_is_told(state: str) -> None:
    assert said(frames(("W", state))) == [ShufflerState(state=state, **STAMP)]


@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_verdict_on_a_deck_is_told(verdict: str) -> None:
    assert said(frames(("Q", f"52,D7,{verdict}"))) == [DeckVerified(count=52, deck_id="D7", verdict=verdict, **STAMP)]


@pytest.mark.parametrize("alarm", ALARMS)
def test_every_alarm_is_told_raised_and_cleared(alarm: str) -> None:
    assert said(frames(("A", f"{alarm},1"), ("A", f"{alarm},0"))) == [
        ShufflerAlarm(alarm=alarm, raised=True, **STAMP),
        ShufflerAlarm(alarm=alarm, raised=False, **STAMP),
    ]


@pytest.mark.parametrize("alarm", ALARMS)
def test_every_alarm_of_a_shoe_is_an_error_of_the_shoe(alarm: str) -> None:
    raised, cleared = said(frames(("A", f"{alarm},1"), ("A", f"{alarm},0")), "shoe")
    assert isinstance(raised, ShoeErrorRaised)
    assert isinstance(cleared, ShoeErrorCleared)
    assert raised.code == cleared.code == ALARMS.index(alarm) + 1


def test_cards_of_a_shoe_come_sealed_with_their_draw_number() -> None:
    card, unread, cut = said(frames(("K", "001,8s"), ("K", "002,??"), ("X", "")), "shoe")
    assert isinstance(card, ShoeDrewCard)
    assert (card.label, str(card.card.card())) == ("Draw 1", "8s")
    assert unread == ShoeCardUnread(label="Draw 2", **STAMP)
    assert cut == CutCardOut(**STAMP)


def test_a_lock_is_told() -> None:
    assert said(frames(("L", "1"), ("L", "0"))) == [ShoeLocked(locked=True, **STAMP), ShoeLocked(locked=False, **STAMP)]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("H", "MD"), ("B", "x"), ("K", "8s"), ("K", "x,8s"), ("X", "1"), ("W", "dreaming"), ("Q", "52,D7"),
        ("Q", "many,D7,ok"), ("Q", "52,D7,fine"), ("A", "fire,1"), ("A", "jam,2"), ("L", "2"), ("Z", ""),
    ],
)  # fmt: skip
def test_a_record_that_the_page_does_not_know_is_unreadable(kind: str, data: str) -> None:
    (seen,) = said(frames((kind, data)))
    assert isinstance(seen, UnreadableFrame)
    assert seen.reason == "unknown"


# --- acknowledgement and sequence ---------------------------------------------------------------------


def test_a_good_frame_is_acknowledged_and_a_damaged_one_refused() -> None:
    good = encode("01", 1, "B")
    assert driver().turn(good, at(0)).write == b"\x06"
    assert driver().turn(good[:-1] + b"?", at(0)).write == b"\x15"


def test_noise_is_neither_acknowledged_nor_refused() -> None:
    reader = driver()
    assert reader.turn(b"\xff\xfe", at(0)).write == b""
    assert kinds(reader.turn(b"", at(1)).observations) == [UnreadableFrame]


def test_a_frame_sent_again_is_acknowledged_again_and_told_once() -> None:
    reader = driver()
    frame = encode("01", 5, "W", "idle")
    assert kinds(reader.turn(frame, at(0)).observations) == [ShufflerState]
    again = reader.turn(frame, at(400))
    assert (again.observations, again.write) == ([], b"\x06")


def test_a_hole_in_the_sequence_is_told_with_its_size() -> None:
    reader = driver()
    reader.turn(encode("01", 98, "B"), at(0))
    hole, state = reader.turn(encode("01", 2, "W", "idle"), at(1)).observations
    assert (type(state), hole) == (
        ShufflerState,
        UnreadableFrame(device="shuffler1", at_ms=1_700_000_000_001, reason="sequence", count=3),
    )


def test_a_hole_in_the_draw_numbers_is_told_even_where_the_sequence_fits() -> None:
    reader = driver("shoe")
    seen = reader.turn(frames(("K", "001,8s"), ("K", "004,9s")), at(0)).observations
    assert kinds(seen) == [ShoeDrewCard, UnreadableFrame, ShoeDrewCard]


def test_hello_begins_the_sequence_anew() -> None:
    reader = driver()
    reader.turn(encode("01", 40, "B"), at(0))
    assert kinds(reader.turn(encode("01", 0, "H", "MD,77,1.2,52"), at(1)).observations) == [ShufflerHello]


# --- who is there -------------------------------------------------------------------------------------

HELLO = encode("07", 0, "H", "MD,77,1.2,52")


def test_a_device_that_says_no_hello_is_asked_who_it_is_and_asked_again() -> None:
    reader = driver()
    reader.turn(encode("07", 0, "B"), at(0))
    sent = {ms: reader.turn(b"\x06" if ms in (600, 700) else b"", at(ms)).write for ms in range(100, 4000, 100)}
    assert [ms for ms, data in sent.items() if data] == [WHO_MS, 600, WHO_MS + WHO_AGAIN_MS]
    assert sent[WHO_MS] == encode("07", 1, "C", "IDENT")
    assert sent[600] == encode("07", 2, "C", "STATUS")


def test_the_question_is_told_to_nobody_and_its_answer_is_no_start_of_a_shoe() -> None:
    reader = driver("shoe")
    reader.turn(encode("07", 0, "B"), at(0))
    reader.turn(b"", at(WHO_MS))
    assert kinds(reader.turn(b"\x06" + HELLO, at(WHO_MS + 50)).observations) == [ShufflerHello]
    assert reader.turn(b"", at(WHO_MS + WHO_AGAIN_MS)).write == b""


def test_a_device_that_says_hello_by_itself_is_not_asked() -> None:
    reader = driver()
    reader.turn(HELLO, at(0))
    assert reader.turn(b"", at(5_000)).write == b""


def test_after_a_lost_link_it_is_asked_again() -> None:
    reader = driver()
    reader.turn(HELLO, at(0))
    reader.reset(at(1_000))
    reader.turn(b"", at(2_000))
    assert reader.turn(b"", at(2_000 + WHO_MS)).write == encode("07", 1, "C", "IDENT")
    assert reader.reset(at(3_000)) == []


def test_a_device_that_was_never_heard_is_not_asked_for_nobody_knows_its_address() -> None:
    reader = driver()
    assert [reader.turn(b"", at(ms)).write for ms in (0, WHO_MS, WHO_AGAIN_MS)] == [b""] * 3


# --- the order of cards -------------------------------------------------------------------------------


def _words_of(observation: type) -> set[str]:
    return set(observation.__struct_fields__) - {"device", "at_ms"}


def test_no_observation_of_a_shuffler_has_room_for_the_order_of_its_cards() -> None:
    """Whatever a machine says: one count, short words, flags. A sealed card or a list is nowhere among them."""
    told = {ShufflerHello, ShufflerState, DeckVerified, ShufflerAlarm, ShoeLocked}
    fields = {name: kind for one in told for name, kind in get_type_hints(one).items() if name in _words_of(one)}
    assert set(fields.values()) == {str, int, bool}
    assert _words_of(DeckVerified) == {"count", "deck_id", "verdict"}


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("K", "001,8s"), ("K", "001,??"), ("X", ""),
        ("Q", "52,Js2cKcQs3h3c8dTh6d,ok"), ("Q", "52,,ok"), ("Q", "52,a b,ok"),
        ("H", "Js2cKcQs3h3c8dTh6d7d8h9d4s,77,1.2,52"),
    ],
)  # fmt: skip
def test_a_shuffler_that_tells_cards_or_long_words_is_not_understood(kind: str, data: str) -> None:
    (seen,) = said(frames((kind, data)))
    assert isinstance(seen, UnreadableFrame)
    assert seen.reason == "unknown"


def test_a_deck_id_is_too_short_for_the_order_of_a_deck() -> None:
    assert math.factorial(52) > 65**16
    assert not DECK_ID.fullmatch("x" * 17)


# --- silence ------------------------------------------------------------------------------------------


def test_six_seconds_without_a_frame_are_silence() -> None:
    reader = driver()
    assert reader.turn(encode("01", 1, "B"), at(0)).silent == ""
    assert reader.turn(b"", at(SILENT_MS - 1)).silent == ""
    assert "no sign of life" in reader.turn(b"", at(SILENT_MS)).silent


def test_noise_is_no_sign_of_life() -> None:
    reader = driver()
    reader.turn(encode("01", 1, "B"), at(0))
    assert reader.turn(b"\xff" * 20, at(SILENT_MS)).silent != ""


def test_a_frame_that_comes_in_the_last_moment_breaks_the_silence() -> None:
    reader = driver()
    reader.turn(b"", at(0))
    turn = reader.turn(encode("01", 1, "B"), at(SILENT_MS + 5))
    assert (turn.heard, turn.silent) == (True, "")


# --- commands -----------------------------------------------------------------------------------------


def asked(name: str) -> tuple[GenericDriver, DriverTurn]:
    reader = driver(commands=ALL)
    reader.turn(encode("07", 0, "B"), at(0))
    reader.command(HostCommand(name))
    return reader, reader.turn(b"", at(0))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("lock", "LOCK,1"), ("unlock", "LOCK,0"), ("clear", "CLEAR"),
        ("ident", "IDENT"), ("eject", "EJECT"), ("status", "STATUS"),
    ],
)  # fmt: skip
def test_every_command_goes_out_to_the_device_that_was_heard(name: str, data: str) -> None:
    _, turn = asked(name)
    assert turn.write == encode("07", 1, "C", data)


def test_commands_need_the_leave_of_the_configuration() -> None:
    with pytest.raises(RefusedError, match="lets nobody send"):
        driver().command(HostCommand("eject"))


def test_a_command_is_sent_four_times_half_a_second_apart_and_then_given_up() -> None:
    reader, first = asked("status")
    sent_at = [0] + [ms for ms in range(1, 2500) if reader.turn(encode("07", ms, "B"), at(ms)).write != b"\x06"]
    assert first.write
    assert sent_at == [0, 500, 1000, 1500]


def test_a_command_given_up_is_told_with_a_sentence() -> None:
    reader, _ = asked("status")
    seen = [one for ms in range(0, 2100, 100) for one in reader.turn(b"", at(ms)).observations]
    (answer,) = seen
    assert isinstance(answer, CommandAnswered)
    assert (answer.accepted, answer.code) == (False, None)
    assert "did not answer" in answer.reason


def test_a_refused_command_is_sent_again_at_once() -> None:
    reader, first = asked("status")
    assert reader.turn(b"\x15", at(10)).write == first.write
    (answer,) = reader.turn(b"\x06", at(20)).observations
    assert answer == CommandAnswered(device="shuffler1", at_ms=1_700_000_000_020, command="status", accepted=True)


def test_a_lost_link_answers_the_command_that_waits() -> None:
    reader, _ = asked("status")
    (answer,) = reader.reset(at(10))
    assert isinstance(answer, CommandAnswered)
    assert not answer.accepted
