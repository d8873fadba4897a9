"""Draws a picture with every outline the reader was asked about, and beside it what either half said and why not.

Green is a card that was named, blue one that lies face down, yellow a face that was refused, grey what shows no face.
It has no words, only signs: whoever shows the picture says in his language what they mean (`explanation.MEANINGS`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.face.explanation import BACK, Explained, WhyUnnamed
from devices.camera.picture.quadrilateral import Pixels
from studio.ports import CardFace

_GREEN: Final = (60, 200, 60)
_BLUE: Final = (230, 140, 40)
_YELLOW: Final = (0, 200, 240)
_GREY: Final = (150, 150, 150)
_PAPER: Final = (32, 32, 32)
_SIDE_PX: Final = 1_280
"""A picture is drawn so large that letters on it can be read."""

_ROW_PX: Final = 17
_COLUMN_PX: Final = 320
_NUMBER_PX: Final = (70, 22)
"""What a number in the picture takes up, wide and high."""

_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_NO_FACE: Final = (WhyUnnamed.UPPER, WhyUnnamed.LOWER)


def explained_picture(picture: Pixels, told: Sequence[Explained]) -> Pixels:
    """The picture, its outlines numbered, and a list of them to its right: the cards first, what is no face last."""
    grown = max(1.0, _SIDE_PX / max(picture.shape[:2]))
    left = np.asarray(cv2.resize(picture, None, fx=grown, fy=grown, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    ranked = sorted(told, key=_rank)
    numbered = list(enumerate(ranked, start=1))
    for _, one in reversed(numbered):
        colour = _colour(one)
        cv2.polylines(left, [_corners(one, grown)], True, colour, 1 if colour == _GREY else 2, cv2.LINE_AA)
    _write_numbers(left, [(number, one) for number, one in numbered if _colour(one) != _GREY], grown)
    return np.asarray(np.hstack((left, _list(numbered, left.shape[0]))), dtype=np.uint8)


def _rank(one: Explained) -> int:
    colours = (_GREEN, _BLUE, _YELLOW, _GREY)
    return colours.index(_colour(one))


def _colour(one: Explained) -> tuple[int, int, int]:
    if one.face is CardFace.UP:
        return _GREEN
    if one.face is CardFace.DOWN:
        return _BLUE
    return _GREY if one.refused in _NO_FACE else _YELLOW


def _write_numbers(picture: Pixels, numbered: Sequence[tuple[int, Explained]], grown: float) -> None:
    """The number of each in its middle, with its card or why it was refused; one number only where several lie on one
    spot, the first, for nobody can read them over each other.
    """
    taken: list[tuple[int, int]] = []
    for number, one in numbered:
        x, y = (int(v) for v in _corners(one, grown).mean(axis=0))
        if any(abs(x - left) < _NUMBER_PX[0] and abs(y - top) < _NUMBER_PX[1] for left, top in taken):
            continue
        taken.append((x, y))
        sign = one.card or (one.refused.value if one.refused else BACK)
        for ink, wide in (((0, 0, 0), 4), (_colour(one), 1)):
            cv2.putText(picture, f"{number} {sign}", (x - 20, y), _FONT, 0.6, ink, wide, cv2.LINE_AA)


def _corners(one: Explained, grown: float) -> NDArray[np.int32]:
    return np.asarray(np.rint(one.quad * np.float32(grown)), dtype=np.int32)


def _list(numbered: Sequence[tuple[int, Explained]], height: int) -> Pixels:
    """As many columns as cards and faces need; what shows no face fills up the last of them, and is counted beyond."""
    rows = max(2, height // _ROW_PX - 1)
    wanted = sum(_colour(one) != _GREY for _, one in numbered)
    columns = max(1, -(-wanted // (rows - 1)))
    shown = numbered[: columns * rows - (len(numbered) > columns * rows)]
    lines = [(line_of(number, one), _colour(one)) for number, one in shown]
    if beyond := len(numbered) - len(shown):
        lines.append((f"  + {beyond}", _GREY))
    if not numbered:
        lines.append(("  0", _GREY))
    paper = np.full((height, columns * _COLUMN_PX, 3), _PAPER, np.uint8)
    for at, (line, colour) in enumerate(lines):
        x, y = at // rows * _COLUMN_PX + 8, (at % rows + 1) * _ROW_PX
        cv2.putText(paper, line, (x, y), _FONT, 0.42, colour, 1, cv2.LINE_AA)
    return paper


def line_of(number: int, one: Explained) -> str:
    """One line of the list: number, what the upper half said, the lower, and what came of it."""
    became = f"{one.refused.value} {one.figure}" if one.refused else f"= {one.card or BACK}"
    return f"{number:>3}  {one.halves[0]} | {one.halves[1]}   {became}".rstrip()
