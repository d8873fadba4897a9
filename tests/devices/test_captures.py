"""The captures in tests/captures: literal bytes of a line, good and broken, each with the frames it must give.

A line of hex is bytes, a line that starts with `=` is the next frame they must give, `#` is a remark.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from devices.frame import Broken
from devices.shoe import angel_eye_codec as angel_eye
from devices.shoe import barcode_codec as barcode
from devices.shoe import bee_tek_codec as bee_tek
from devices.shuffler import generic_codec as generic

CAPTURES = sorted((Path(__file__).parents[1] / "captures").glob("*.capture"))
DECODERS: dict[str, Callable[[], Any]] = {
    "angel_eye": angel_eye.AngelEyeDecoder,
    "bee_tek": bee_tek.BeeTekDecoder,
    "barcode": barcode.BarcodeDecoder,
    "generic": generic.GenericDecoder,
}


def load(path: Path) -> tuple[str, bytes, list[str]]:
    protocol, stream, frames = "", b"", []
    for line in path.read_text().splitlines():
        if line.startswith("protocol "):
            protocol = line.removeprefix("protocol ")
        elif line.startswith("= "):
            frames.append(line.removeprefix("= "))
        elif not line.startswith("#"):
            stream += bytes.fromhex(line)
    return protocol, stream, frames


def written(frame: Any) -> str:
    match frame:
        case angel_eye.ShoeReport(seq=seq, code=code, payload=payload):
            name = chr(seq) if 0x20 <= seq < 0x7F else f"{seq:02X}"
            return f"report {name} {code} {payload.hex(' ').upper()}".rstrip()
        case angel_eye.ShoeReply(body=body):
            return f"reply {body.decode()}"
        case generic.GenericRecord(dev=dev, seq=seq, kind=kind, data=data):
            return f"record {dev} {seq:02d} {kind} {data}".rstrip()
        case bee_tek.BeeTekMessage(mode=mode, body=body):
            return f"message {mode} | {body}"
        case barcode.Scan(digits=digits):
            return f"scan {digits}"
        case angel_eye.ShoeAccepted() | generic.Accepted():
            return "ack"
        case angel_eye.ShoeRefused(code):
            return f"nak {code:02X}"
        case generic.Refused():
            return "nak"
        case Broken(reason=reason, count=count):
            return f"broken {reason} {count}"
    raise AssertionError(f"unexpected {frame}")


def decode(protocol: str, stream: bytes, piece_bytes: int) -> list[str]:
    decoder = DECODERS[protocol]()
    pieces = [stream[at : at + piece_bytes] for at in range(0, len(stream), piece_bytes)]
    frames = [frame for piece in pieces for frame in decoder.feed(piece)]
    return [written(frame) for frame in (*frames, *decoder.quiet())]


@pytest.mark.parametrize("piece_bytes", [1, 3, 4096], ids=["byte by byte", "by threes", "whole"])
@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
def test_a_capture_gives_its_frames_however_the_bytes_come(path: Path, piece_bytes: int) -> None:
    protocol, stream, frames = load(path)
    assert decode(protocol, stream, piece_bytes) == frames


def test_the_captures_are_there() -> None:
    assert {load(path)[0] for path in CAPTURES} == set(DECODERS)
    assert len(CAPTURES) >= 10
