"""Prove a trained reader on what it was never taught, and write its figures; calibrate it first when asked.

    python -m training.prove --fonts DIR --art DIR --out devices/camera/model [--photos DIR] [--accepted 30000]
    python -m training.prove --calibrate …      sets the temperature in the record from held-out cards

It reads with the reader itself, by OpenCV; no torch. Wrong, refused and right are counted by source.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from devices.camera.reader import SURE_FACE, CardReader, Scores, judge
from devices.camera.rectify import Pixels, Quad
from studio.cards import DECK
from studio.ports import CardFace
from training.bank import FACE, Bank, Flat, held_out_bank, unseen_things
from training.crops import Darkroom, Hardness
from training.decks import FAMILIES
from training.typeface import typefaces

HEIGHT_PX: Final = 120.0
HARD: Final = Hardness(blur_mm=0.75, noise=15.0, px_per_mm=(1.15, 2.4), corner_mm=1.0)
_SEED: Final = 77_000
_BATCH: Final = 32
_BINS: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.985, 0.99, 0.995, 0.998, 1.0)
_PHOTO_COUNTS: Final = ("pictures", "labels", "right", "wrong", "unread")

Shown = tuple[Flat, Scores]


@dataclass(slots=True)
class Count:
    """What became of the cards of one source; `wrong` are the confidences of the wrong ones."""

    shown: int = 0
    right: int = 0
    refused: int = 0
    wrong: int = 0

    def add(self, named: str | None, true: str) -> None:
        self.shown += 1
        self.right += named == true
        self.refused += named is None
        self.wrong += named is not None and named != true


def shown_cards(reader: CardReader, bank: Bank, seed: int, hardness: Hardness) -> Iterator[Shown]:
    """Cards of a bank without end, as the reader scores them."""
    room = Darkroom(seed, bank, hardness)
    while True:
        flats = [bank.draw(room.rng) for _ in range(_BATCH)]
        cards = [_card(room, flat) for flat in flats]
        yield from zip(flats, reader.scores(cards), strict=True)


def _card(room: Darkroom, flat: Flat) -> Pixels:
    (upper, _), (lower, _) = room.photographed(flat)
    return np.concatenate((upper, lower[::-1, ::-1]))


def name_of(flat: Flat) -> str:
    return str(DECK[flat.label.rank * 4 + flat.label.suit]) if flat.label.kind == FACE else ""


def tally(shown: Iterator[Shown], until: Callable[[Count], bool], worst: list[float]) -> Count:
    """Count until told; the confidence of each wrong pair that agrees is added to `worst`."""
    count = Count()
    for flat, scores in shown:
        said = judge(scores, HEIGHT_PX)
        true = name_of(flat)
        count.add(str(said.card) if said.card else None, true)
        agreed, sure = agreement(scores)
        if agreed and agreed != true:
            worst.append(sure)
        if until(count):
            return count
    return count


def agreement(scores: Scores) -> tuple[str, float]:
    """What both halves name, whatever their certainty ("" when they do not), and the weaker half's certainty."""
    ranks, suits = scores[:, 3:16], scores[:, 16:20]
    sure = float((scores[:, 0] * ranks.max(axis=1) * suits.max(axis=1)).min())
    names = {DECK[int(ranks[i].argmax()) * 4 + int(suits[i].argmax())] for i in (0, 1)}
    faces = (scores[:, :3].argmax(axis=1) == FACE).all()
    return (str(names.pop()) if len(names) == 1 and faces else ""), sure


def reliability(shown: Iterator[Shown], cards: int) -> list[dict[str, float]]:
    """Of the pairs that agree, by certainty: how many there are, and how many of them are right."""
    seen = [(*agreement(scores), name_of(flat)) for flat, scores in _first(shown, cards)]
    table = []
    for low, high in itertools.pairwise(_BINS):
        here = [agreed == true for agreed, sure, true in seen if agreed and low <= sure < high]
        table.append({"from": low, "to": high, "pairs": len(here), "right": sum(here)})
    return table


def _first(shown: Iterator[Shown], cards: int) -> Iterator[Shown]:
    return (one for one, _ in zip(shown, range(cards), strict=False))


def temperatures(reader: CardReader, bank: Bank, cards: int = 5_000) -> dict[str, object]:
    """The divisors of the scores that make the probabilities honest; the reader must be at 1."""
    flats, scores = zip(*_first(shown_cards(reader, bank, _SEED + 5, replace(HARD, covered=0.0)), cards), strict=True)
    rows = np.log(np.maximum(np.stack(scores), 1e-12)).reshape(2 * cards, -1)
    true = np.repeat([(FACE, flat.label.rank, flat.label.suit) for flat in flats], 2, axis=0)
    suits = rows[:, 16:20]
    said = [suits.argmax(axis=1) == number for number in range(4)]
    return {
        "kind": _honest(rows[:, :3], true[:, 0]),
        "rank": _honest(rows[:, 3:16], true[:, 1]),
        "suits": [_honest(suits[here], true[here, 2]) for here in said],
    }


def _honest(rows: np.ndarray, true: np.ndarray) -> float:
    def loss(divisor: float) -> float:
        grown = rows / divisor
        grown = grown - grown.max(axis=1, keepdims=True)
        return float((np.log(np.exp(grown).sum(axis=1)) - grown[np.arange(len(true)), true]).mean())

    return min((round(float(t), 2) for t in np.arange(0.8, 4.01, 0.1)), key=loss)


def photographs(reader: CardReader, folder: Path, listed: Path) -> dict[str, dict[str, int]]:
    """The labelled pictures of the test list, by kind: a card named is right when a label of its name lies in it."""
    from training.photo_faces import labels_of

    spots, counts = labels_of(folder), {}
    for file in listed.read_text().split():
        count = counts.setdefault(
            file.rsplit("-", 1)[0], {"pictures": 0, "labels": 0, "right": 0, "wrong": 0, "unread": 0}
        )
        count["pictures"] += 1
        count["labels"] += len({name for name, _, _ in spots[file] if name not in ("back", "joker")})
        picture = np.asarray(cv2.imread(str(folder / file)), np.uint8)
        for card in reader.read(picture):
            if card.card is None:
                count["unread"] += card.face is CardFace.UNSURE
                continue
            height, width = picture.shape[:2]
            inside = {
                n for n, x, y in spots[file] if cv2.pointPolygonTest(card.quad, (x * width, y * height), False) >= 0
            }
            count["right" if str(card.card) in inside else "wrong"] += 1
            if str(card.card) not in inside:
                sys.stderr.write(f"wrong: {file} {card.card} {card.confidence:.4f} {inside}\n")
    return counts


def _holds(quad: Quad, point: np.ndarray) -> bool:
    return cv2.pointPolygonTest(quad, (float(point[0]), float(point[1])), False) >= 0


def figures(reader: CardReader, given: argparse.Namespace) -> dict[str, object]:
    fonts = tuple(map(str, typefaces(given.fonts)[1]))
    worst: list[float] = []
    told: dict[str, object] = {"sha256": reader.digest, "sure_face": SURE_FACE}
    sources: dict[str, object] = {}
    for number, only in enumerate(("drawn", *(family.name for family in FAMILIES if family.held_out))):
        bank = held_out_bank(_SEED + number, fonts, given.art, 4_000, only)
        for kind, hardness in (("plain", replace(HARD, blur_mm=0.35, noise=7, corner_mm=0.6)), ("hard", HARD)):
            shown = shown_cards(reader, bank, _SEED + number, hardness)
            sources[f"{only}, {kind}"] = asdict(tally(shown, lambda c: c.shown >= given.cards, worst))
            sys.stderr.write(f"{only}, {kind}: {sources[f'{only}, {kind}']}\n")
    told["held_out"] = sources
    mixed = held_out_bank(_SEED + 9, fonts, given.art, 8_000)
    enough = given.accepted
    told["hard_until_accepted"] = asdict(
        tally(shown_cards(reader, mixed, _SEED + 10, HARD), lambda c: c.right + c.wrong >= enough, worst)
    )
    told["worst_wrong"] = [round(one, 5) for one in sorted(worst, reverse=True)[:12]]
    told["reliability"] = reliability(shown_cards(reader, mixed, _SEED + 11, HARD), 8_000)
    told["things"] = {
        kind: asdict(tally(shown_cards(reader, bank, _SEED + 12, Hardness()), lambda c: c.shown >= given.cards, []))
        for kind, bank in unseen_things(_SEED + 13, fonts, given.art).items()
    }
    if given.photos:
        here = Path(__file__).parent
        told["photographs_test"] = photographs(reader, given.photos, here / "photos_test.txt")
        told["photographs_train"] = photographs(reader, given.photos, here / "photos_train.txt")
    return told


def main() -> None:
    asked = argparse.ArgumentParser()
    for name in ("--fonts", "--art", "--out"):
        asked.add_argument(name, type=Path, required=True)
    asked.add_argument("--photos", type=Path)
    asked.add_argument("--accepted", type=int, default=30_000)
    asked.add_argument("--cards", type=int, default=3_000)
    asked.add_argument("--calibrate", action="store_true")
    given = asked.parse_args()
    cv2.setNumThreads(1)
    reader = CardReader()
    if given.calibrate:
        fonts = tuple(map(str, typefaces(given.fonts)[1]))
        record = json.loads((given.out / "reader.json").read_text())
        record["temperatures"] = temperatures(reader, held_out_bank(_SEED + 4, fonts, given.art, 3_000))
        (given.out / "reader.json").write_text(json.dumps(record, indent=1) + "\n")
        sys.stdout.write(f"{record['temperatures']}\n")
        return
    told = figures(reader, given)
    (given.out / "figures.json").write_text(json.dumps(told, indent=1) + "\n")
    json.dump(told, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
