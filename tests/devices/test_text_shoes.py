"""The two shoes that speak in plain text, bee_tek and barcode: every message, time-out and repeat, and no face told."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.catalogue import DriverSpec, build_driver
from devices.driver import Driver, HostCommand, Instant
from devices.frame import Broken
from devices.shoe import barcode_codec, bee_tek_codec
from devices.shoe.bee_tek_codec import TAIL_BYTES_MAX, BeeTekDecoder
from studio.cards import DECK, Sealer
from studio.errors import RefusedError
from studio.ports import (
    Observation,
    ShoeCardUnread,
    ShoeDrewCard,
    ShoeErrorCleared,
    ShoeErrorRaised,
    UnreadableFrame,
)


def shoe(driver: str, repeat_ms: int = 500) -> Driver:
    spec = DriverSpec("shoe1", Sealer(random.Random(1).randbytes), repeat_ms=repeat_ms)
    return build_driver(driver, spec)


def hear(driver: Driver, data: bytes, at_ms: int = 0) -> Sequence[Observation]:
    return driver.turn(data, Instant(1_000 + at_ms, at_ms)).observations


def told(seen: Sequence[Observation]) -> list[str]:
    """What was seen, in words; a card by its face."""
    words = []
    for one in seen:
        match one:
            case ShoeDrewCard(card=card):
                words.append(str(card.card()))
            case ShoeCardUnread():
                words.append("unread")
            case ShoeErrorRaised(code=code, error=error):
                words.append(f"error {code} {error}")
            case ShoeErrorCleared(code=code):
                words.append(f"cleared {code}")
            case UnreadableFrame(reason=reason, count=count):
                words.append(f"{reason} {count}")
    return words


# --- bee_tek ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "words"),
    [
        pytest.param(" [Game]<Card:4S> ", ["4s"], id="card in a game"),
        pytest.param(" [Manual Burn Cards]<Card:KH> ", ["Kh"], id="card in manual burn mode"),
        pytest.param(" [Game]<Card:10d> ", ["Td"], id="ten in two digits"),
        pytest.param(" [Game]<Card:tD> ", ["Td"], id="ten in one letter, any case"),
        pytest.param(" [Game]<Game> ", ["unread"], id="failed read"),
        pytest.param(" [Manual Burn Cards]<Game> ", ["unread"], id="failed read in manual burn mode"),
        pytest.param(" [Game]<Card:1S> ", ["unread"], id="a card that is none"),
        pytest.param(" [Game]<Card:4X> ", ["unread"], id="a suit that is none"),
        pytest.param(" [Game]<Card:> ", ["unread"], id="no card at all"),
        pytest.param(" [Game]<Card:1010S> ", ["unread"], id="two tens in one"),
        pytest.param(" [Game]<Alarm:E3 Card Not Read> ", ["error 3 unread", "cleared 3"], id="alarm 3"),
        pytest.param(" [GameAlarm]<Alarm:E9 Door> ", ["error 9 other", "cleared 9"], id="alarm of unknown meaning"),
        pytest.param(" [Manual Burn Cards]<Alarm:Jam> ", ["error 0 other", "cleared 0"], id="alarm without a code"),
        pytest.param("<W0x1F>", ["error 31 warning", "cleared 31"], id="warning"),
        pytest.param(" [Game]<Score:4S> ", ["unknown 16"], id="unknown body"),
        pytest.param(" [Gams]<Card:4S> ", ["unknown 15"], id="unknown mode"),
        pytest.param(" <Card:4S> ", ["unknown 9"], id="mode lost"),
    ],
)
def test_a_message_of_the_bee_tek_shoe_is_told(message: str, words: list[str]) -> None:
    assert told(hear(shoe("bee_tek"), message.encode())) == words


def test_every_card_goes_over_both_lines_and_comes_back() -> None:
    for card in DECK:
        assert told(hear(shoe("bee_tek"), bee_tek_codec.encode_card("Game", card))) == [str(card)]
        assert told(hear(shoe("barcode"), barcode_codec.encode(barcode_codec.code_of(card)))) == [str(card)]


def test_the_mode_is_kept_as_the_label_of_a_card() -> None:
    (seen,) = hear(shoe("bee_tek"), b" [Manual Burn Cards]<Card:KH> ")
    assert isinstance(seen, ShoeDrewCard)
    assert (seen.label, seen.outside_game) == ("Manual Burn Cards", False)


def test_two_equal_messages_are_two_cards_for_nothing_tells_a_repeat() -> None:
    assert told(hear(shoe("bee_tek"), b" [Game]<Card:4S>  [Game]<Card:4S> ")) == ["4s", "4s"]


@pytest.mark.parametrize(
    ("driver", "begun", "rest", "whole", "wait_ms"),
    [
        ("bee_tek", b"[Game]<Card:", b"4S>", b"[Game]<Card:5H>", 2000),
        ("barcode", b"11", b"30\r", b"2050\r", 500),
    ],
)
def test_the_rest_of_a_message_may_come_late_but_not_too_late(
    driver: str, begun: bytes, rest: bytes, whole: bytes, wait_ms: int
) -> None:
    in_time, too_late = shoe(driver), shoe(driver)
    assert told([*hear(in_time, begun), *hear(in_time, rest, wait_ms - 1)]) in (["4s"], ["Ks"])
    hear(too_late, begun)
    assert told(hear(too_late, b"", wait_ms)) == [f"cut_short {len(begun)}"]
    assert told(hear(too_late, whole, wait_ms + 1)) == ["5h"]


@pytest.mark.parametrize(("driver", "begun"), [("bee_tek", b"x[Game]<Card:4"), ("barcode", b"\xff113")])
def test_what_was_under_way_when_the_cable_went_is_told_and_forgotten(driver: str, begun: bytes) -> None:
    device = shoe(driver)
    hear(device, begun)
    assert told(device.reset(Instant(9, 9))) == ["noise 1", f"cut_short {len(begun) - 1}"]
    assert device.reset(Instant(9, 9)) == []


def test_a_message_that_never_ends_is_dropped_after_two_thousand_characters() -> None:
    decoder = BeeTekDecoder()
    frames = [*decoder.feed(b"[" + b"a" * (TAIL_BYTES_MAX + 10)), *decoder.quiet()]
    assert [(one.reason, one.count) for one in frames if isinstance(one, Broken)] == [
        ("no_etx", TAIL_BYTES_MAX),
        ("noise", 11),
    ]
    assert decoder.held == 0


# --- barcode ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param(b"1010\r", ["As"], id="1010 is the ace of spades"),
        pytest.param(b"1130\r\n", ["Ks"], id="1130 is the king of spades"),
        pytest.param(b"4130\r", ["Kd"], id="4130 is the king of diamonds"),
        pytest.param(b"]C12100\r\n", ["Th"], id="an AIM identifier before it"),
        pytest.param(b"SHOE:3020\r", ["2c"], id="a text before it"),
        pytest.param(b"5010\r", ["unread"], id="no such suit"),
        pytest.param(b"1140\r", ["unread"], id="no such rank"),
        pytest.param(b"1131\r", ["unread"], id="a last digit that is not 0"),
        pytest.param(b"113\r", ["unread"], id="a digit lost"),
        pytest.param(b"11302010\r", ["unread", "unknown 8"], id="a line end lost"),
        pytest.param(b"NOREAD\r", ["unknown 6"], id="a line without digits"),
        pytest.param(b"\r\n\r", ["unknown 1", "unknown 1"], id="lines whose digits were lost"),
    ],
)
def test_a_line_of_the_scan_engine_is_told(line: bytes, words: list[str]) -> None:
    assert told(hear(shoe("barcode"), line)) == words


def test_equal_scans_are_one_card_until_the_window_after_the_last_of_them_is_over() -> None:
    device = shoe("barcode", repeat_ms=300)
    at = {ms: told(hear(device, b"1130\r", ms)) for ms in (0, 299, 598, 898)}
    assert at == {0: ["Ks"], 299: [], 598: [], 898: ["Ks"]}


def test_another_card_between_two_equal_scans_does_not_make_them_two() -> None:
    device = shoe("barcode")
    assert told(hear(device, b"1130\r1010\r1130\r")) == ["Ks", "As"]


def test_after_a_reconnect_no_scan_is_remembered() -> None:
    device = shoe("barcode")
    hear(device, b"1130\r")
    device.reset(Instant(9, 9))
    assert told(hear(device, b"1130\r", 10)) == ["Ks"]


# --- both ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("driver", ["bee_tek", "barcode"])
def test_a_device_that_is_only_heard_refuses_every_command_with_a_sentence(driver: str) -> None:
    with pytest.raises(RefusedError, match=r"takes no commands.*do it at the device itself\."):
        shoe(driver).command(HostCommand("lock"))


@pytest.mark.parametrize(("driver", "data"), [("bee_tek", b"[Game]<Card:4S>"), ("barcode", b"1040\r")])
def test_no_face_stands_in_the_repr_of_what_a_driver_tells(driver: str, data: bytes) -> None:
    said = repr(shoe(driver).turn(data, Instant(1, 1)))
    assert "ShoeDrewCard" in said
    assert not any(face in said for face in ("4s", "4S", "1040"))


@pytest.mark.parametrize("decoder", [bee_tek_codec.BeeTekDecoder, barcode_codec.BarcodeDecoder])
@given(
    data=st.lists(st.sampled_from([b"[", b"]", b"<", b">", b"Game", b"Card:", b"4S", b"1130", b"\r", b" ", b"\xff"]))
)
def test_a_decoder_never_raises_and_gives_the_same_however_the_bytes_come(
    decoder: type[bee_tek_codec.BeeTekDecoder] | type[barcode_codec.BarcodeDecoder], data: list[bytes]
) -> None:
    stream, whole, pieces = b"".join(data), decoder(), decoder()
    at_once = [*whole.feed(stream), *whole.reset()]
    assert at_once == [*(one for byte in stream for one in pieces.feed(bytes((byte,)))), *pieces.reset()]
