"""Puts a device to the test: what was looked at, how it stands, and the figures for a sentence.

A finding's `key` names its sentence under `test.<key>`; nothing in it can name a card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from devices.camera.face.reader import HEIGHT_PX_MIN
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.view.fitness import fitness
from devices.technician.camera_bench import OLD_MS, CameraBench
from devices.technician.line_book import LineBook
from studio.diagnosis import Finding, Rung
from studio.errors import RefusedError

DRAW_MS: Final = 60_000
"""A test card must have been drawn within this."""
ANSWER_S: Final = 2.0
_STALE_MS: Final = 10_000
_DARK: Final = 40.0
_BRIGHT: Final = 225.0
_SHARP: Final = 30.0
_MARKER_PX_MAX: Final = 4.0
_MARKERS: Final = 4
_GOOD_PX: Final = 110.0

Ask = Callable[[str], None]
"""Sends a command to the device; `RefusedError` where it may not be sent."""


def line_findings(book: LineBook, now_ms: int, ask: Ask | None) -> list[Finding]:
    """The rungs of the ladder, then what the device is good for: a test draw, or an answer to a question."""
    found = [_of_rung(rung) for rung in book.ladder(now_ms)[:3] if rung.state != "unknown"]
    if any(one.state == "bad" for one in found):
        return found
    if book.role == "shoe":
        return [*found, _test_draw(book, now_ms)]
    return [*found, *_questions(book, ask)]


def _of_rung(rung: Rung) -> Finding:
    """A rung that still waits has not passed the test."""
    state = "bad" if rung.state == "waiting" else rung.state
    return Finding(rung.key, state, {"reason": rung.reason} if rung.reason else {})


def _test_draw(book: LineBook, now_ms: int) -> Finding:
    if book.hides:
        return Finding("draw.open", "skipped")
    fresh = book.card_ms and now_ms - book.card_ms <= DRAW_MS
    return Finding("draw.good", "good") if fresh else Finding("draw.none", "bad")


def _questions(book: LineBook, ask: Ask | None) -> Iterator[Finding]:
    """The device is asked who it is and how it stands, where it may be asked."""
    if ask is None:
        yield Finding("ask.never", "skipped")
        return
    for name in ("ident", "status"):
        number = book.number
        try:
            ask(name)
        except RefusedError as error:
            yield Finding("ask.refused", "skipped", {"command": name, "reason": error.sentence})
            continue
        answered = book.answered(name, number, ANSWER_S)
        yield Finding(f"ask.{'good' if answered else 'none'}", "good" if answered else "bad", {"command": name})
    if told := book.identity:
        yield Finding("ask.identity", "good", {"name": " ".join(word for word in told.values() if word)})


def camera_findings(
    bench: CameraBench, now_ms: int, look: Callable[[Pixels], Mapping[str, int]] | None
) -> list[Finding]:
    """Picture, light, sharpness, markers, calibration, size of the cards; `look` reads each zone, on a closed table."""
    at_ms = bench.picture_ms
    if at_ms is None:
        return [Finding("picture.none", "bad")]
    if now_ms - at_ms > max(OLD_MS, _STALE_MS):
        return [Finding("picture.old", "bad", {"age_s": (now_ms - at_ms) // 1000})]
    try:
        frame = bench.frame()
    except RefusedError:
        return [Finding("picture.none", "bad")]
    height, width = frame.shape[:2]
    found = [Finding("picture.good", "good", {"width": width, "height": height}), *_light(frame)]
    return [*found, *_calibration(bench, frame), *_reads(frame, look)]


def _light(frame: Pixels) -> Iterator[Finding]:
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    light, sharp = float(np.mean(grey)), float(cv2.Laplacian(grey, cv2.CV_32F).var())
    key = "dark" if light < _DARK else "bright" if light > _BRIGHT else "good"
    yield Finding(f"light.{key}", "good" if key == "good" else "bad", {"light": round(light * 100 / 255)})
    clear = sharp >= _SHARP
    yield Finding(f"sharp.{'good' if clear else 'bad'}", "good" if clear else "bad", {"sharpness": round(sharp)})


def _calibration(bench: CameraBench, frame: Pixels) -> Iterator[Finding]:
    calibration = bench.calibration
    if calibration is None:
        yield Finding("felt.lost", "bad")
        return
    found = fitness(calibration, frame)
    all_seen = found.markers_seen == _MARKERS
    yield Finding("markers.all" if all_seen else "markers.some", "good" if all_seen else "poor",
                  {"count": found.markers_seen})  # fmt: skip
    if found.reprojection_px is not None:
        good = found.reprojection_px <= _MARKER_PX_MAX
        yield Finding(f"error.{'good' if good else 'bad'}", "good" if good else "bad",
                      {"px": f"{found.reprojection_px:.1f}"})  # fmt: skip
    least = min(found.zones, key=lambda zone: zone.card_height_px)
    px = round(least.card_height_px)
    state = "good" if px >= _GOOD_PX else "poor" if px >= HEIGHT_PX_MIN else "bad"
    yield Finding(f"size.{state}", state, {"px": px, "zone": least.zone})
    outside = [zone.zone for zone in found.zones if not zone.inside]
    if outside:
        yield Finding("zone.outside", "bad", {"zone": outside[0]})


def _reads(frame: Pixels, look: Callable[[Pixels], Mapping[str, int]] | None) -> Sequence[Finding]:
    if look is None:
        return [Finding("reads.open", "skipped")]
    seen = look(frame)
    if not any(seen.values()):
        return [Finding("reads.bare", "skipped")]
    key = "bad" if not seen["named"] and not seen["down"] else "poor" if seen["unsure"] else "good"
    return [Finding(f"reads.{key}", key, dict(seen))]
