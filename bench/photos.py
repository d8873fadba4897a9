"""Counts what the reader makes of labelled photographs: `python -m bench.photos FOLDER`.

FOLDER holds folders of photographs with a `labels.csv` each (`bench/photo_label.py`); none are in the repository.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
import cv2
import numpy as np

from bench.photo_label import LabelledCard, Photo, photos_in
from devices.camera.face.reader import CardReader
from devices.camera.outline.free_picture import FoundCard, read_free_picture
from devices.camera.outline.line_search import PATIENT, PROMPT, Effort
from devices.camera.picture.quadrilateral import Pixels, Quad

HEADINGS = (
    "kind",
    "pictures",
    "labelled",
    "counted",
    "located",
    "named",
    "of the rest",
    "WRONG",
    "ms",
    "median",
    "p99",
    "worst",
)


@dataclass(frozen=True, slots=True)
class WrongCard:
    """A name that no label bears out; the label may be what is wrong: look at the crop."""

    file: Path
    name: str
    confidence: float
    crop: Pixels


@dataclass(slots=True)
class Count:
    """What became of one kind: of the cards that count, of the others, and of the processor's time."""

    pictures: int = 0
    labelled: int = 0
    counted: int = 0
    located: int = 0
    named: int = 0
    others_named: int = 0
    wrong: list[WrongCard] = field(default_factory=list)
    missed: list[tuple[Path, str]] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)

    def row(self, kind: str) -> tuple[str, ...]:
        share = f"{self.named} ({100 * self.named / self.counted:.1f} %)" if self.counted else "0"
        ms = self.ms or [0.0]
        times = (np.mean(ms), np.median(ms), np.percentile(ms, 99), np.max(ms))
        figures = (self.pictures, self.labelled, self.counted, self.located, share, self.others_named, len(self.wrong))
        return (kind, *(str(figure) for figure in figures), *(f"{took:.0f}" for took in times))

    def add(self, other: Count) -> None:
        for name in ("pictures", "labelled", "counted", "located", "named", "others_named"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.wrong += other.wrong
        self.missed += other.missed
        self.ms += other.ms


class _Noting:
    """The reader, and every outline it was shown."""

    def __init__(self, reader: CardReader) -> None:
        self._reader = reader
        self.shown: list[Quad] = []

    def look(self, picture: Pixels, quads: Sequence[Quad]) -> list[FoundCard | None]:
        self.shown += quads
        return self._reader.look(picture, quads)

    def names(self, picture: Pixels, quads: Sequence[Quad]) -> list[FoundCard]:
        self.shown += quads
        return self._reader.names(picture, quads)


def count(reader: CardReader, photo: Photo, picture: Pixels, effort: Effort) -> Count:
    """What the reader makes of one photograph, and the processor's time for it."""
    eye = _Noting(reader)
    began = time.thread_time()
    found = read_free_picture(picture, eye, effort)
    took_ms = (time.thread_time() - began) * 1e3
    cards = photo.cards(picture.shape[1], picture.shape[0])
    named = [card for card in cards if any(_names(one, card) for one in found)]
    must = [card for card in cards if card.counts]
    return Count(
        pictures=1,
        labelled=len(cards),
        counted=len(must),
        located=sum(any(card.is_outlined_by(quad) for quad in eye.shown) for card in must),
        named=sum(card in named for card in must),
        others_named=sum(not card.counts for card in named),
        wrong=[_wrong(photo, picture, one) for one in found if one.card and not any(_names(one, c) for c in cards)],
        missed=[(photo.file, card.text) for card in must if card not in named],
        ms=[took_ms],
    )


def _names(found: FoundCard, card: LabelledCard) -> bool:
    return found.card is not None and card.is_named_by(found.card) and card.lies_in(found.quad)


def _wrong(photo: Photo, picture: Pixels, found: FoundCard) -> WrongCard:
    left, top = np.maximum(found.quad.min(axis=0) - 40, 0).astype(int)
    right, bottom = (found.quad.max(axis=0) + 40).astype(int)
    shown = picture.copy()
    cv2.polylines(shown, [np.rint(found.quad).astype(np.int32)], True, (0, 0, 255), 2)
    return WrongCard(photo.file, str(found.card), found.confidence, shown[top:bottom, left:right])


def table(counts: dict[str, Count]) -> str:
    """The figures as a table in Markdown, with what they mean."""
    whole = Count()
    for one in counts.values():
        whole.add(one)
    rows = [HEADINGS, ("---",) * len(HEADINGS), *(one.row(kind) for kind, one in counts.items()), whole.row("all")]
    return "\n".join(["| " + " | ".join(row) + " |" for row in rows] + ["", *_NOTES])


_NOTES = (
    "Counted: both indices labelled and 1.05 times their distance at least 110 px; of cards labelled whole, the box in",
    "the picture, under no other, and 110 px long or more. Cards whose middle lies under another card are counted too.",
    "Located: an outline that the reader was shown has both labels in opposite corners, or is the labelled box.",
    "Named: rightly. Of the rest: rightly named among those not counted. WRONG: named as a card of which no label lies",
    "in the outline. ms: processor time for a picture, decoding left out.",
)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--every", default=1, show_default=True, help="Only every n-th photograph.")
@click.option("--crops", type=click.Path(path_type=Path), help="Write a crop of each wrong card into this folder.")
@click.option("--missed", is_flag=True, help="List the cards that were not named.")
@click.option("--prompt", is_flag=True, help="With the effort of a frame, not of a still.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the table into this file too.")
def main(folder: Path, every: int, crops: Path | None, out: Path | None, *, missed: bool, prompt: bool) -> None:
    """Read every labelled photograph in FOLDER and count; exit 1 when a card was named wrongly."""
    cv2.setNumThreads(1)
    counts = measure(list(photos_in(folder))[::every], PROMPT if prompt else PATIENT)
    text = table(counts)
    click.echo(text)
    if out:
        out.write_text(text + "\n")
    wrong = [card for one in counts.values() for card in one.wrong]
    for number, card in enumerate(wrong):
        click.echo(f"WRONG: {card.file.name} named {card.name} ({card.confidence:.4f})")
        if crops:
            crops.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(crops / f"{number:03}-{card.file.stem}-{card.name}.png"), card.crop)
    if missed:
        for file, name in (pair for one in counts.values() for pair in one.missed):
            click.echo(f"missed: {file.name} {name}")
    raise SystemExit(1 if wrong else 0)


def measure(photos: Iterable[Photo], effort: Effort) -> dict[str, Count]:
    """The counts of each kind, in the order the kinds come."""
    reader = CardReader()
    counts: defaultdict[str, Count] = defaultdict(Count)
    for photo in photos:
        picture = cv2.imread(str(photo.file))
        if picture is not None:
            counts[photo.kind].add(count(reader, photo, np.asarray(picture, dtype=np.uint8), effort))
    return dict(counts)


if __name__ == "__main__":
    main()
