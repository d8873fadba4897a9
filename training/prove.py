"""Prove a trained reader on what it was never taught, and write its figures; calibrate it first when asked.

    python -m training.prove --fonts DIR --art DIR --out devices/camera/model [--accepted 30000]
    python -m training.prove --calibrate …      sets the temperature in the record from held-out cards

It reads with the reader itself, by OpenCV; no torch. Wrong, refused and right are counted by source.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from devices.camera.face.reader import SURE_FACE, SURE_FREE, CardReader, Scores, judge
from devices.camera.picture.quadrilateral import Pixels
from studio.cards import DECK
from training.bank import FACE, Bank, Flat, held_out_bank, unseen_things
from training.crops import Darkroom, Hardness
from training.decks import FAMILIES
from training.typeface import typefaces

HEIGHT_PX: Final = 120.0
HARD: Final = Hardness(blur_mm=0.75, noise=15.0, px_per_mm=(1.15, 2.4), corner_mm=1.0)
PLAIN: Final = Hardness(blur_mm=0.35, noise=7.0, px_per_mm=(1.15, 2.4), corner_mm=0.6)
THRESHOLDS: Final = (0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.993, 0.995, 0.997, 0.998)
_SEED: Final = 77_000
_BATCH: Final = 32
_BINS: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.985, 0.99, 0.995, 0.998, 1.0)

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


def tally(shown: Iterator[Shown], cards: int) -> Count:
    """What became of so many cards, held to the certainty asked for in a picture of anything."""
    count = Count()
    for flat, scores in _first(shown, cards):
        said = judge(scores, HEIGHT_PX, SURE_FREE)
        count.add(str(said.card) if said.card else None, name_of(flat))
    return count


def agreement(scores: Scores) -> tuple[str, float]:
    """What both halves name, whatever their certainty ("" when they do not), and the weaker half's certainty."""
    ranks, suits = scores[:, 3:16], scores[:, 16:20]
    sure = float((scores[:, 0] * ranks.max(axis=1) * suits.max(axis=1)).min())
    names = {DECK[int(ranks[i].argmax()) * 4 + int(suits[i].argmax())] for i in (0, 1)}
    faces = (scores[:, :3].argmax(axis=1) == FACE).all()
    return (str(names.pop()) if len(names) == 1 and faces else ""), sure


def hard_pass(lot: tuple[int, int, argparse.Namespace]) -> list[tuple[float, bool, str]]:
    """Hard pictures until so many are accepted: of each pair that agrees its certainty, whether it is right, and what
    was said of what."""
    seed, enough, given = lot
    cv2.setNumThreads(1)
    fonts = tuple(map(str, typefaces(given.fonts)[1]))
    bank, pairs, accepted = held_out_bank(seed, fonts, given.art, 6_000), [], 0
    for flat, scores in shown_cards(CardReader(), bank, seed, HARD):
        agreed, sure = agreement(scores)
        pairs.append((sure if agreed else 0.0, agreed == name_of(flat), f"{name_of(flat)} named {agreed}"))
        accepted += bool(agreed) and sure >= SURE_FREE
        if accepted >= enough:
            return pairs
    return pairs


def hard_figures(given: argparse.Namespace) -> dict[str, object]:
    """By threshold and by certainty, from two processes."""
    lots = [(_SEED + 20 + lot, given.accepted // 2, given) for lot in range(2)]
    with multiprocessing.Pool(2) as pool:
        pairs = [pair for lot in pool.map(hard_pass, lots) for pair in lot]
    named = [pair for pair in pairs if pair[0] > 0]
    return {
        "shown": len(pairs),
        "at": {
            str(at): {"accepted": sum(sure >= at for sure, _, _ in named), "wrong": _wrong(named, at)}
            for at in THRESHOLDS
        },
        "worst_wrong": [[round(sure, 4), said] for sure, right, said in sorted(named, reverse=True) if not right][:12],
        "reliability": [
            {"from": low, "to": high, "pairs": len(here), "right": sum(here)}
            for low, high in itertools.pairwise(_BINS)
            if (here := [right for sure, right, _ in named if low <= sure < high]) is not None
        ],
    }


def _wrong(named: list[tuple[float, bool, str]], at: float) -> int:
    return sum(sure >= at and not right for sure, right, _ in named)


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


def figures(reader: CardReader, given: argparse.Namespace) -> dict[str, object]:
    fonts = tuple(map(str, typefaces(given.fonts)[1]))
    told: dict[str, object] = {"sha256": reader.digest, "sure_face": SURE_FACE, "sure_free": SURE_FREE}
    told["hard"] = hard_figures(given)
    sources: dict[str, object] = {}
    for number, only in enumerate(("drawn", *(family.name for family in FAMILIES if family.held_out))):
        bank = held_out_bank(_SEED + number, fonts, given.art, 2_000, only)
        for kind, hardness in (("plain", PLAIN), ("hard", HARD)):
            count = tally(shown_cards(reader, bank, _SEED + number, hardness), given.cards)
            sources[f"{only}, {kind}"] = asdict(count)
            sys.stderr.write(f"{only}, {kind}: {count}\n")
    told["held_out"] = sources
    told["things"] = {
        kind: asdict(tally(shown_cards(reader, bank, _SEED + 12, Hardness()), given.cards))
        for kind, bank in unseen_things(_SEED + 13, fonts, given.art).items()
    }
    return told


def main() -> None:
    asked = argparse.ArgumentParser()
    for name in ("--fonts", "--art", "--out"):
        asked.add_argument(name, type=Path, required=True)
    asked.add_argument("--accepted", type=int, default=30_000)
    asked.add_argument("--cards", type=int, default=1_000)
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
