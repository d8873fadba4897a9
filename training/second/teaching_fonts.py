"""Which typefaces a network is finished with: a few of every package, those with rare figures twice."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from training.typeface import lettered

OF_A_PACKAGE: Final = 5
_PX: Final = 120
_SIGNS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "A", "J", "Q", "K")


def of_packages(folder: Path, seed: int) -> tuple[Path, ...]:
    """At most `OF_A_PACKAGE` typefaces that have all signs, of every package unpacked in a folder of its own."""
    rng, taken = random.Random(seed), []  # noqa: S311 - a choice of typefaces
    for package in sorted(path for path in folder.iterdir() if path.is_dir()):
        files = [path for path in lettered(package) if _has_all_signs(path)]
        taken += sorted(rng.sample(files, min(OF_A_PACKAGE, len(files))))
    return tuple(taken)


def with_rare_ones_twice(files: tuple[Path, ...]) -> tuple[Path, ...]:
    """Once more those whose 3 has a flat top or hangs below the line, for which a 5 is often taken."""
    return files + tuple(path for path in files if has_flat_three(path) or has_old_style_figures(path))


def has_flat_three(path: Path) -> bool:
    three, _ = _ink(path, "3")
    return float(three[1:3].mean(axis=1).min()) > 0.7


def has_old_style_figures(path: Path) -> bool:
    (_, foot), (six, foot_of_six) = _ink(path, "3"), _ink(path, "6")
    return foot - foot_of_six > 0.08 * len(six)


def _has_all_signs(path: Path) -> bool:
    try:
        face = ImageFont.truetype(str(path), 40)
    except OSError:
        return False
    missing = bytes(face.getmask("\uffff"))
    drawn = [bytes(face.getmask(sign)) for sign in _SIGNS]
    there = len({*drawn, missing, b""}) == len(drawn) + len({missing, b""})
    return there and all(_printed(path, sign).any() for sign in "36")


def _ink(path: Path, sign: str) -> tuple[np.ndarray, int]:
    """A sign cropped to its ink, and the row of its foot."""
    ink = _printed(path, sign)
    rows, columns = np.nonzero(ink)
    return ink[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1], int(rows.max())


def _printed(path: Path, sign: str) -> np.ndarray:
    """Where a sign is printed on a sheet; nowhere, by a typeface of hair lines or one whose signs lie far off."""
    sheet = Image.new("L", (4 * _PX, 3 * _PX), 0)
    ImageDraw.Draw(sheet).text((_PX, _PX // 2), sign, fill=255, font=ImageFont.truetype(str(path), _PX))
    return np.asarray(sheet) > 127
