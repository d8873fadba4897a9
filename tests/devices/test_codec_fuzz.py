"""Millions of hostile bytes through each codec: it never raises, never hoards, and reads on when the line is good."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from devices.shoe import angel_eye_codec as angel_eye
from devices.shoe import barcode_codec as barcode
from devices.shoe import bee_tek_codec as bee_tek
from devices.shuffler import generic_codec as generic
from studio.cards import DECK

PIECE_BYTES_MAX = 4096


@dataclass(frozen=True, slots=True)
class Codec:
    """`rest`: after so many harmless bytes nothing of the garbage before is under way any more."""

    build: Callable[[], Any]
    frames: tuple[bytes, ...]
    held_max: int
    rest: bytes


def _reports() -> tuple[bytes, ...]:
    cards = (angel_eye.encode_report(0x31, "D", bytes((0x81, angel_eye.card_byte(card)))) for card in DECK)
    return (*cards, angel_eye.encode_report(0x32, "M", b"010203"), angel_eye.encode_command("LK", "02"), b"\x06")


def _messages() -> tuple[bytes, ...]:
    cards = (bee_tek.encode_card("Game", card) for card in DECK)
    return (*cards, bee_tek.encode("Game", "Alarm:E3 x"), b"<W0x01>")


def _scans() -> tuple[bytes, ...]:
    return tuple(barcode.encode(barcode.code_of(card)) for card in DECK)


def _records() -> tuple[bytes, ...]:
    cards = (generic.encode("01", at, "K", f"{at},{card}") for at, card in enumerate(DECK))
    return (*cards, b"\x06", b"\x15")


CODECS = {
    "angel_eye": Codec(angel_eye.AngelEyeDecoder, _reports(), angel_eye.FRAME_BYTES_MAX, b"\x80" * 64),
    "bee_tek": Codec(bee_tek.BeeTekDecoder, _messages(), bee_tek.TAIL_BYTES_MAX, b"\x80"),
    "barcode": Codec(barcode.BarcodeDecoder, _scans(), barcode.LINE_BYTES_MAX, b"\r"),
    "generic": Codec(generic.GenericDecoder, _records(), generic.FRAME_BYTES_MAX, b"\x80" * 128),
}


def pieces(codec: Codec, rng: random.Random) -> Iterator[bytes]:
    """Without end: noise, noise of the codec's own bytes, whole frames, and frames cut, changed and run into."""
    alphabet = bytes(sorted({byte for frame in codec.frames for byte in frame}))
    while True:
        match rng.randrange(4):
            case 0:
                yield rng.randbytes(rng.randint(1, PIECE_BYTES_MAX))
            case 1:
                yield bytes(rng.choices(alphabet, k=rng.randint(1, PIECE_BYTES_MAX)))
            case 2:
                yield b"".join(rng.choices(codec.frames, k=rng.randint(1, 60)))
            case _:
                frames = bytearray(b"".join(rng.choices(codec.frames, k=rng.randint(1, 60))))
                for _ in range(rng.randint(1, 40)):
                    at = rng.randrange(len(frames))
                    frames[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
                    frames = frames or bytearray(b"\x80")
                yield bytes(frames)


def fuzz(name: str, size: int) -> None:
    codec, rng = CODECS[name], random.Random(name)
    decoder, sent, asked = codec.build(), 0, 0
    for piece in pieces(codec, rng):
        for _ in decoder.feed(piece):
            pass
        assert decoder.held <= codec.held_max
        sent += len(piece)
        if sent > asked:
            asked = sent + size // 200
            list(decoder.feed(codec.rest * 2))
            frame = codec.frames[asked % 52]
            told = [
                one for one in decoder.feed(frame) if not type(one).__name__.endswith(("Broken", "Accepted", "Refused"))
            ]
            assert told == [one for one in codec.build().feed(frame) if type(one).__name__ != "Broken"]
        if sent >= size:
            break
    list(decoder.reset())
    assert decoder.held == 0


@pytest.mark.parametrize("name", CODECS)
def test_hostile_bytes_neither_raise_nor_pile_up(name: str) -> None:
    fuzz(name, 30_000)


@pytest.mark.night
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("name", CODECS)
def test_ten_million_hostile_bytes_neither_raise_nor_pile_up(name: str) -> None:
    fuzz(name, 10_000_000)


@pytest.mark.parametrize("name", CODECS)
def test_hostile_bytes_come_to_the_same_however_they_are_split(name: str) -> None:
    codec, rng = CODECS[name], random.Random(name)
    stream = b"".join(next(source) for source in [pieces(codec, rng)] for _ in range(4))
    whole, bytewise = codec.build(), codec.build()
    at_once = [*whole.feed(stream), *whole.reset()]
    assert at_once == [*(one for byte in stream for one in bytewise.feed(bytes((byte,)))), *bytewise.reset()]
