"""Cuts cards out of real labelled photographs, to train on; neither is kept here.

    python -m training.photo_faces --photos DIR/cardcounter --list training/photos_train.txt --out FOLDER

A card is taken where an outline holds both its labelled indices in opposite corners. Outlines that hold none and yet
look like a face to the present reader are taken as things that are no card.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from bench.photo_label import as_it_lies
from devices.camera.face.reader import CardReader, Scores
from devices.camera.outline.line_search import outlines_in
from devices.camera.outline.search import cards_in_picture
from devices.camera.picture.quadrilateral import Pixels, Quad, rectify
from training.decks import CARD_PX

OTHERS_MAX: Final = 5
_CORNER: Final = (0.02, 0.26)
_LOOKS_LIKE_A_FACE: Final = 0.3
_PX_MIN: Final = 100
"""Smaller cards are not labelled in the photographs."""

Spots = dict[str, list[tuple[str, float, float]]]


def labels_of(photos: Path) -> Spots:
    """Per picture: each labelled index corner and its middle, as fractions of the picture."""
    spots: Spots = defaultdict(list)
    with (photos / "labels.csv").open() as file:
        for row in csv.DictReader(file):
            left, top, right, bottom = (float(row[side]) for side in ("left", "top", "right", "bottom"))
            text = as_it_lies(row["file"], row["card"])
            spots[row["file"]].append((text, (left + right) / 2, (top + bottom) / 2))
    return spots


def cut_out(reader: CardReader, picture: Pixels, spots: list[tuple[str, float, float]]) -> Iterator[tuple[str, Pixels]]:
    """The flattened cards of one picture, and flattened others."""
    outlines = [*(one.quad for one in cards_in_picture(picture)), *outlines_in(picture)]
    quads = [np.roll(quad, turn, axis=0) for quad in outlines for turn in (0, 1)]
    if not quads:
        return
    scores = reader.scores([rectify(picture, quad) for quad in quads])
    held = [_held(quad, picture, spots) for quad in quads]
    for name in sorted({one for one in held if one and one != "none"}):
        best = max((i for i, one in enumerate(held) if one == name), key=lambda i: _face(scores[i]))
        yield name, _flat(picture, quads[best])
    large = [min(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1])) > _PX_MIN for quad in quads]
    odd = [i for i, one in enumerate(held) if one == "none" and large[i] and _face(scores[i]) > _LOOKS_LIKE_A_FACE]
    for i in sorted(odd, key=lambda i: -_face(scores[i]))[:OTHERS_MAX]:
        yield "other", _flat(picture, quads[i])


def _held(quad: Quad, picture: Pixels, spots: list[tuple[str, float, float]]) -> str:
    """The card whose two indices lie in the corners where they belong; "none" when no index lies near a corner."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    flatten = cv2.getPerspectiveTransform(quad, square)
    size = (picture.shape[1], picture.shape[0])
    upper, lower, near = set(), set(), False
    for name, x, y in spots:
        u, v = (float(c) for c in cv2.perspectiveTransform(np.array([[(x * size[0], y * size[1])]]), flatten)[0, 0])
        near |= all(-0.05 < c < 0.35 or 0.65 < c < 1.05 for c in (u, v))
        if all(_CORNER[0] < c < _CORNER[1] for c in (u, v)):
            upper.add(name)
        if all(_CORNER[0] < 1 - c < _CORNER[1] for c in (u, v)):
            lower.add(name)
    both = upper & lower
    if len(both) == 1 and len(upper | lower) == 1:
        return both.pop()
    return "" if near else "none"


def _face(scores: Scores) -> float:
    return float(scores[:, 0].min())


def _flat(picture: Pixels, quad: Quad) -> Pixels:
    target = np.array([(0, 0), (CARD_PX[0], 0), CARD_PX, (0, CARD_PX[1])], np.float32)
    flatten = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(picture, flatten, CARD_PX, flags=cv2.INTER_LINEAR), np.uint8)


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--photos", type=Path, required=True)
    asked.add_argument("--list", type=Path, required=True)
    asked.add_argument("--out", type=Path, required=True)
    given = asked.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    reader, spots, count = CardReader(), labels_of(given.photos), 0
    for file in given.list.read_text().split():
        picture = np.asarray(cv2.medianBlur(cv2.imread(str(given.photos / file)), 3), np.uint8)
        known = [spot for spot in spots[file] if spot[0] not in ("back", "joker")]
        for name, flat in cut_out(reader, picture, known):
            cv2.imwrite(str(given.out / f"{name}.{Path(file).stem}.{count}.png"), flat)
            count += 1
    sys.stderr.write(f"{count} cut out\n")


if __name__ == "__main__":
    main()
