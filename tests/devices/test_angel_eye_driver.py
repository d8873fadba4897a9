"""The Angel Eye driver: one conversation over hostile lines, repeats, and commands."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.driver import HostCommand, Instant
from devices.shoe.angel_eye import AngelEyeDriver
from devices.shoe.angel_eye_codec import card_byte, encode_report
from studio.cards import Card, Sealer
from studio.errors import RefusedError
from studio.ports import (
    CommandAnswered,
    CutCardOut,
    Observation,
    ShoeCardUnread,
    ShoeDrewCard,
    ShoeErrorCleared,
    ShoeErrorRaised,
    ShoeGameResult,
    ShoeLocked,
    ShoePreset,
    ShoeStandby,
    ShoeStarted,
    UnreadableFrame,
)

ALL = frozenset({"lock", "unlock", "cancel_error", "confirm"})


def driver(commands: frozenset[str] = frozenset()) -> AngelEyeDriver:
    return AngelEyeDriver("shoe1", Sealer(random.Random(1).randbytes), commands=commands)


def at(ms: int) -> Instant:
    return Instant(at_ms=1_700_000_000_000 + ms, run_ms=ms)


def word(seen: Observation) -> str:
    """One observation as one short line, its seal opened."""
    match seen:
        case ShoeDrewCard():
            marks = "".join(mark for mark, on in (("outside ", seen.outside_game), ("resent ", seen.resent)) if on)
            return f"{marks}{seen.label} = {seen.card.card()}"
        case ShoeCardUnread():
            return f"{seen.label} unread"
        case ShoeErrorRaised():
            return f"error {seen.error}{' in error mode' if seen.error_mode else ''}"
        case ShoeErrorCleared():
            return f"cleared {seen.error}"
        case ShoeLocked():
            return "locked" if seen.locked else "unlocked"
        case ShoeGameResult():
            return f"result {seen.value}"
        case ShoePreset():
            return f"preset {seen.address}={seen.value}"
        case UnreadableFrame():
            return f"unreadable {seen.reason}"
        case CommandAnswered():
            return f"{seen.command}: {'accepted' if seen.accepted else seen.code}"
        case ShoeStarted() | ShoeStandby() | CutCardOut():
            return type(seen).__name__
    raise AssertionError(f"unexpected {seen}")


def words(seen: Iterable[Observation]) -> list[str]:
    return [word(one) for one in seen]


def heard(chunks: Sequence[bytes], using: AngelEyeDriver | None = None) -> list[str]:
    reader = using or driver()
    seen = [one for tick, chunk in enumerate(chunks) for one in reader.turn(chunk, at(tick)).observations]
    return words([*seen, *reader.turn(b"", at(len(chunks))).observations])


def report(seq: str, code: str, payload: str = "") -> bytes:
    return encode_report(ord(seq), code, bytes.fromhex(payload))


REPORTS = [
    report("1", "S"),
    report("2", "P"),
    report("3", "D", "81 B8"),
    report("4", "D", "91 A5"),
    report("5", "D", "82 80"),
    report("6", "R", "82 C1"),
    report("7", "E", "C1"),
    report("8", "d", "91 BD"),
    report("9", "e", "81"),
    report("1", "L", "81"),
    report("2", "d", "80 9A"),
    report("3", "L", "80"),
    report("4", "G", "82"),
    report("5", "M", "30 31 30 30 34 32"),
    report("6", "C"),
    report("7", "D", "A1 CD"),
]

CONVERSATION = [
    "ShoeStarted",
    "ShoeStandby",
    "Player 1 = 8s",
    "Banker 1 = 5c",
    "Player 2 unread",
    "resent Player 2 = Ah",
    "error unread in error mode",
    "outside Error 1 = Ks",
    "cleared unread",
    "locked",
    "outside Lock = Td",
    "unlocked",
    "result 2",
    "preset 01=0042",
    "CutCardOut",
    "Burn 1 = Kh",
]

TRIPLE = [frame for frame in REPORTS for _ in range(3)]


def byte_by_byte(frames: Sequence[bytes]) -> list[bytes]:
    return [bytes((byte,)) for frame in frames for byte in frame]


def one_copy_lost(frames: Sequence[bytes]) -> list[bytes]:
    return [frame for number, frame in enumerate(frames) if number % 3 != 1]


def one_copy_damaged(frames: Sequence[bytes]) -> list[bytes]:
    return [frame[:-1] + b"?" if number % 3 == 0 else frame for number, frame in enumerate(frames)]


def first_copy_cut(frames: Sequence[bytes]) -> list[bytes]:
    return [frame[:-2] if number % 3 == 0 else frame for number, frame in enumerate(frames)]


def delayed(frames: Sequence[bytes]) -> list[bytes]:
    return [part for frame in frames for part in (frame[:3], b"", b"", frame[3:], b"")]


def split(frames: Sequence[bytes]) -> list[bytes]:
    stream = b"".join(frames)
    return [stream[start : start + 5] for start in range(0, len(stream), 5)]


def merged(frames: Sequence[bytes]) -> list[bytes]:
    return [b"".join(frames[start : start + 7]) for start in range(0, len(frames), 7)]


def noisy(frames: Sequence[bytes]) -> list[bytes]:
    rng = random.Random(5)
    return [rng.randbytes(rng.randint(0, 12)) + frame for frame in frames]


LINES: list[Callable[[Sequence[bytes]], list[bytes]]] = [
    list, byte_by_byte, one_copy_lost, one_copy_damaged, first_copy_cut, delayed, split, merged, noisy,
]  # fmt: skip


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.__name__)
def test_the_conversation_is_heard_whole_over_every_line(line: Callable[[Sequence[bytes]], list[bytes]]) -> None:
    told = heard(line(TRIPLE))
    assert [one for one in told if not one.startswith("unreadable")] == CONVERSATION


@pytest.mark.parametrize(
    "line", [list, byte_by_byte, one_copy_lost, delayed, split, merged], ids=lambda line: line.__name__
)
def test_a_line_that_damages_nothing_makes_nothing_unreadable(line: Callable[[Sequence[bytes]], list[bytes]]) -> None:
    assert heard(line(TRIPLE)) == CONVERSATION


def test_the_conversation_goes_on_after_a_reconnect_and_nothing_is_remembered() -> None:
    reader = driver()
    first = heard(TRIPLE[:7], reader)
    reader.reset(at(100))
    assert first == CONVERSATION[:3]
    assert heard(TRIPLE[7:], reader) == [CONVERSATION[2], *CONVERSATION[3:]]


def test_half_a_frame_at_a_reconnect_is_told_and_does_not_spoil_the_next() -> None:
    reader = driver()
    assert heard([REPORTS[2][:5]], reader) == []
    assert words(reader.reset(at(10))) == ["unreadable cut_short"]
    assert heard([REPORTS[2]], reader) == ["Player 1 = 8s"]


def test_the_same_card_with_the_same_sequence_later_is_another_card() -> None:
    assert heard([REPORTS[2]] * 3 + [REPORTS[3]] * 3 + [REPORTS[2]] * 3) == [
        "Player 1 = 8s",
        "Banker 1 = 5c",
        "Player 1 = 8s",
    ]


def test_a_damaged_copy_between_two_good_ones_makes_no_second_card() -> None:
    good = REPORTS[2]
    assert heard([good, good[:-1] + b"0", good]) == ["Player 1 = 8s", "unreadable bcc"]


def test_start_is_remembered_like_any_report() -> None:
    assert heard([REPORTS[0]] * 3 + [REPORTS[2]] + [REPORTS[0]] * 3) == ["ShoeStarted", "Player 1 = 8s", "ShoeStarted"]


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(report("1", "Z"), id="unknown code"),
        pytest.param(report("1", "D", "81"), id="payload too short"),
        pytest.param(report("1", "C", "81"), id="payload too long"),
        pytest.param(report("1", "D", "81 38"), id="bit 7 missing"),
        pytest.param(report("1", "M", "30 31 80 30 34 32"), id="preset that is no ASCII"),
    ],
)
def test_a_sound_frame_that_the_manual_does_not_know_is_unreadable(frame: bytes) -> None:
    assert heard([frame]) == ["unreadable unknown"]


@pytest.mark.parametrize("byte", ["80", "8D", "B0", "BE", "BF", "D1", "F8"])
def test_a_byte_that_is_no_card_is_an_unread_card_never_a_guess(byte: str) -> None:
    assert heard([report("1", "D", f"81 {byte}")]) == ["Player 1 unread"]


def test_no_observation_shows_a_face_before_its_seal_is_opened() -> None:
    for card in ("8s", "Kh", "Ac"):
        frame = encode_report(0x31, "D", bytes((0x81, card_byte(Card.parse(card)))))
        (seen,) = driver().turn(frame, at(0)).observations
        assert card not in repr(seen).replace(seen.card.id, "")  # type: ignore[attr-defined]


def test_observations_carry_the_time_that_was_given() -> None:
    (seen,) = driver().turn(REPORTS[0], at(5)).observations
    assert (seen.device, seen.at_ms) == ("shoe1", 1_700_000_000_005)


@given(st.lists(st.binary(max_size=60)), st.lists(st.integers(0, 15), max_size=5))
def test_no_card_is_told_that_was_not_sent_in_a_sound_frame(chunks: list[bytes], picks: list[int]) -> None:
    sent = [*chunks, *(REPORTS[pick] for pick in picks)]
    stream = b"".join(sent)
    reader = driver()
    for tick, chunk in enumerate(sent):
        for seen in reader.turn(chunk, at(tick)).observations:
            if isinstance(seen, ShoeDrewCard):
                byte = card_byte(seen.card.card())
                assert bytes((byte, 0x03)) in stream


copy = st.sampled_from(["good", "good", "lost", "damaged", "cut"])
copies = st.tuples(copy, copy, copy).filter(lambda three: "good" in three)


@given(st.lists(copies, min_size=1, max_size=16), st.integers(1, 40))
def test_one_good_copy_in_three_is_enough_and_never_two_cards(fates: list[tuple[str, str, str]], piece: int) -> None:
    sent: dict[str, Callable[[bytes], bytes]] = {
        "good": lambda raw: raw,
        "lost": lambda raw: b"",
        "damaged": lambda raw: raw[:-1] + b"?",
        "cut": lambda raw: raw[:-2],
    }
    stream = b"".join(sent[fate](frame) for frame, three in zip(REPORTS, fates, strict=False) for fate in three)
    told = heard([stream[start : start + piece] for start in range(0, len(stream), piece)])
    assert [one for one in told if not one.startswith("unreadable")] == CONVERSATION[: len(fates)]


# --- commands -----------------------------------------------------------------------------------------

LOCK_IN = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
LOCK_OUT = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 39")


def test_a_driver_is_read_only_unless_commands_are_authorised() -> None:
    with pytest.raises(RefusedError, match="lets nobody send 'lock'"):
        driver().command(HostCommand("lock"))
    with pytest.raises(RefusedError, match="knows no command 'explode'"):
        driver(ALL).command(HostCommand("explode"))
    assert driver().turn(b"", at(0)).write == b""


@pytest.mark.parametrize(
    ("command", "frame"),
    [
        (HostCommand("lock"), "02 4F 50 4C 4B 30 32 03 31 42"),
        (HostCommand("unlock"), "02 4F 50 4C 4B 30 31 03 31 38"),
        (HostCommand("cancel_error", 1), "02 4F 50 45 43 30 31 03 31 39"),
        (HostCommand("confirm"), "02 4F 50 47 50 30 30 03 30 39"),
    ],
    ids=str,
)
def test_a_command_goes_out_with_stx_in_the_checksum(command: HostCommand, frame: str) -> None:
    asking = driver(ALL)
    asking.command(command)
    assert asking.turn(b"", at(0)).write == bytes.fromhex(frame)
    assert words(asking.turn(b"\x06", at(50)).observations) == [f"{command}: accepted"]


def test_one_command_is_outstanding_and_the_next_waits_for_its_answer() -> None:
    asking = driver(ALL)
    asking.command(HostCommand("lock"))
    asking.command(HostCommand("confirm"))
    assert asking.turn(b"", at(0)).write == LOCK_IN
    assert asking.turn(b"", at(100)).write == b""
    assert asking.turn(b"\x06", at(200)).write == bytes.fromhex("02 4F 50 47 50 30 30 03 30 39")


def test_a_refused_checksum_is_tried_once_the_other_way_and_remembered() -> None:
    asking = driver(ALL)
    asking.command(HostCommand("lock"))
    asking.turn(b"", at(0))
    assert asking.turn(b"\x15\x02", at(10)).write == LOCK_OUT
    assert words(asking.turn(b"\x06", at(20)).observations) == ["lock: accepted"]
    asking.command(HostCommand("lock"))
    assert asking.turn(b"", at(30)).write == LOCK_OUT
    asking.reset(at(40))
    asking.command(HostCommand("lock"))
    assert asking.turn(b"", at(50)).write == LOCK_OUT, "remembered for this device, over a reconnect too"


def test_a_checksum_refused_both_ways_is_told_with_its_code() -> None:
    asking = driver(ALL)
    asking.command(HostCommand("lock"))
    asking.turn(b"", at(0))
    asking.turn(b"\x15\x02", at(10))
    assert words(asking.turn(b"\x15\x02", at(20)).observations) == ["lock: 2"]
    asking.command(HostCommand("lock"))
    assert asking.turn(b"", at(30)).write == LOCK_IN


@pytest.mark.parametrize("code", [0x01, 0x03, 0x11, 0x12, 0x13, 0x14, 0x21, 0x22, 0xFF])
def test_every_refusal_is_told_with_its_code_and_a_sentence(code: int) -> None:
    asking = driver(ALL)
    asking.command(HostCommand("lock"))
    asking.turn(b"", at(0))
    (answer,) = asking.turn(bytes((0x15, code)), at(10)).observations
    assert isinstance(answer, CommandAnswered)
    assert (answer.accepted, answer.code) == (False, code)
    assert answer.reason.endswith(".")


def test_a_command_without_an_answer_times_out_and_its_late_answer_accepts_nothing_else() -> None:
    asking = driver(ALL)
    asking.command(HostCommand("lock"))
    asking.command(HostCommand("confirm"))
    asking.turn(b"", at(0))
    gone = asking.turn(b"", at(1000))
    assert words(gone.observations) == ["lock: None"]
    assert gone.write == b"", "the next command waits for the late answer"
    late = asking.turn(b"\x06", at(1500))
    assert words(late.observations) == ["unreadable noise"]
    assert late.write == bytes.fromhex("02 4F 50 47 50 30 30 03 30 39")


def test_without_a_late_answer_the_next_command_goes_after_another_time_out() -> None:
    asking = driver(ALL)
    asking.command(HostCommand("lock"))
    asking.command(HostCommand("confirm"))
    asking.turn(b"", at(0))
    asking.turn(b"", at(1000))
    assert asking.turn(b"", at(1999)).write == b""
    assert asking.turn(b"", at(2000)).write != b""


def test_an_answer_between_the_copies_of_a_report_makes_no_second_report() -> None:
    asking = driver(ALL)
    asking.command(HostCommand("lock"))
    asking.turn(b"", at(0))
    locked = REPORTS[9]
    assert words(asking.turn(locked + b"\x06" + locked + locked, at(10)).observations) == ["locked", "lock: accepted"]


def test_a_lost_link_answers_every_command_that_waits() -> None:
    asking = driver(ALL)
    asking.command(HostCommand("lock"))
    asking.turn(b"", at(0))
    asking.command(HostCommand("confirm"))
    assert words(asking.reset(at(10))) == ["lock: None", "confirm: None"]
    assert asking.turn(b"", at(20)).write == b""


def test_more_commands_than_the_shoe_can_answer_are_refused() -> None:
    asking = driver(ALL)
    for _ in range(8):
        asking.command(HostCommand("confirm"))
    with pytest.raises(RefusedError, match="has not answered yet"):
        asking.command(HostCommand("confirm"))
