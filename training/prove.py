"""Prove the reader on what no network of it was taught, and write its figures; calibrate a network first when asked.

    python -m training.prove --fonts DIR --art DIR --out devices/camera/model [--accepted 30000]
    python -m training.prove --name figures_fresh …    a file of that name, for typefaces of other packages
    python -m training.prove --calibrate reader …      sets the temperatures in that network's record from such cards

DIR holds typefaces of packages that taught none (training/README.md). It reads with the reader itself; no torch. Wrong,
refused and right are counted by source.
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

from bench.photo_label import HIGH_ENOUGH_PX
from devices.camera.face.half_reader import HEADS, HalfReader, sureness
from devices.camera.face.reader import SURE_FACE, SURE_FREE, CardReader, Scores, judge
from devices.camera.picture.quadrilateral import Pixels, halves_of
from studio.cards import DECK
from training.bank import FACE, Bank, Flat, Label, held_out_bank, unseen_things
from training.crops import Darkroom, Hardness
from training.decks import FAMILIES
from training.typeface import digests, lettered

HEIGHT_PX: Final = 120.0
HARD: Final = Hardness(blur_mm=0.75, noise=15.0, px_per_mm=(1.15, 2.4), corner_mm=1.0)
PLAIN: Final = Hardness(blur_mm=0.35, noise=7.0, px_per_mm=(1.15, 2.4), corner_mm=0.6)
ACROSS: Final = replace(HARD, covered=0.0, across=1.0)
"""Hard, and with other cards across it that leave its indices in sight."""

THRESHOLDS: Final = (0.9, 0.93, 0.95, 0.96, 0.97, 0.975, 0.98, 0.985, 0.99, 0.995, 0.998, 0.999)
_SEED: Final = 77_000
_BATCH: Final = 32
_LOTS: Final = 4
_BINS: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.985, 0.99, 0.995, 0.998, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A card of a bank as the camera gave it, rectified; `legible` when it is high enough and no index is covered."""

    name: str
    label: Label
    card: Pixels
    legible: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """What both halves of a card say: how sure the weaker one is (0 where they differ), whether it is right, what was
    said of what.
    """

    sure: float
    right: bool
    legible: bool
    said: str


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


def shown_cards(bank: Bank, seed: int, hardness: Hardness) -> Iterator[Shown]:
    """Cards of a bank without end, photographed."""
    room = Darkroom(seed, bank, hardness)
    while True:
        flat = bank.draw(room.rng)
        (upper, one), (lower, other) = room.photographed(flat)
        legible = room.height_px >= HIGH_ENOUGH_PX and one.kind == other.kind == FACE
        yield Shown(name_of(flat), flat.label, np.concatenate((upper, lower[::-1, ::-1])), legible)


def scored(reader: CardReader, shown: Iterator[Shown]) -> Iterator[tuple[Shown, Scores]]:
    """The same with what the reader says of each."""
    while batch := list(itertools.islice(shown, _BATCH)):
        yield from zip(batch, reader.scores([one.card for one in batch]), strict=True)


def name_of(flat: Flat) -> str:
    return str(DECK[flat.label.rank * 4 + flat.label.suit]) if flat.label.kind == FACE else ""


def tally(reader: CardReader, shown: Iterator[Shown], cards: int) -> Count:
    """What became of so many cards, held to the certainty asked for in a picture of anything."""
    count = Count()
    for one, scores in scored(reader, itertools.islice(shown, cards)):
        said = judge(scores, HEIGHT_PX, SURE_FREE)
        count.add(str(said.card) if said.card else None, one.name)
    return count


def pair_of(one: Shown, scores: Scores) -> Pair:
    """What both halves name, whatever their certainty."""
    names = {str(DECK[int(half[HEADS[1]].argmax()) * 4 + int(half[HEADS[2]].argmax())]) for half in scores}
    named = names.pop() if len(names) == 1 and (scores[:, HEADS[0]].argmax(axis=1) == FACE).all() else ""
    sure = float(sureness(scores).min()) if named else 0.0
    return Pair(sure, named == one.name, one.legible, f"{one.name} named {named}")


def hard_pass(lot: tuple[int, int, argparse.Namespace]) -> list[Pair]:
    """Hard pictures until so many are accepted."""
    seed, enough, given = lot
    cv2.setNumThreads(1)
    fonts = tuple(map(str, lettered(given.fonts)))
    bank, pairs, accepted = held_out_bank(seed, fonts, given.art, 3_000), [], 0
    for one, scores in scored(CardReader(), shown_cards(bank, seed, HARD)):
        pairs.append(pair_of(one, scores))
        accepted += pairs[-1].sure >= SURE_FREE
        if accepted >= enough:
            break
    return pairs


def hard_figures(given: argparse.Namespace) -> dict[str, object]:
    """By threshold and by certainty, from as many processes as lots."""
    lots = [(_SEED + 20 + lot, given.accepted // _LOTS, given) for lot in range(_LOTS)]
    with multiprocessing.Pool(_LOTS) as pool:
        pairs = [pair for lot in pool.map(hard_pass, lots) for pair in lot]
    legible, named = [pair for pair in pairs if pair.legible], [pair for pair in pairs if pair.sure > 0]
    wrong = sorted(((round(pair.sure, 4), pair.said) for pair in named if not pair.right), reverse=True)
    return {
        "shown": len(pairs),
        "at": {
            str(at): {"accepted": sum(pair.sure >= at for pair in named), "wrong": sum(sure >= at for sure, _ in wrong)}
            for at in THRESHOLDS
        },
        "legible": {"shown": len(legible), "at": {str(at): sum(p.sure >= at for p in legible) for at in THRESHOLDS}},
        "worst_wrong": [list(one) for one in wrong[:12]],
        "reliability": [
            {"from": low, "to": high, "pairs": len(here), "right": sum(here)}
            for low, high in itertools.pairwise(_BINS)
            if (here := [pair.right for pair in named if low <= pair.sure < high]) is not None
        ],
    }


def temperatures(half_reader: HalfReader, bank: Bank, cards: int = 5_000) -> dict[str, object]:
    """The divisors of a network's scores that make its probabilities honest; its record must have them at 1."""
    shown = list(itertools.islice(shown_cards(bank, _SEED + 5, replace(HARD, covered=0.0)), cards))
    rows = np.log(np.maximum(half_reader.hear([half for one in shown for half in halves_of(one.card)])[0], 1e-12))
    true = np.repeat([(FACE, one.label.rank, one.label.suit) for one in shown], 2, axis=0)
    kinds, ranks, suits = (rows[:, head] for head in HEADS)
    said = [suits.argmax(axis=1) == number for number in range(4)]
    return {
        "kind": _honest(kinds, true[:, 0]),
        "rank": _honest(ranks, true[:, 1]),
        "suits": [_honest(suits[here], true[here, 2]) for here in said],
    }


def _honest(rows: np.ndarray, true: np.ndarray) -> float:
    def loss(divisor: float) -> float:
        grown = rows / divisor
        grown = grown - grown.max(axis=1, keepdims=True)
        return float((np.log(np.exp(grown).sum(axis=1)) - grown[np.arange(len(true)), true]).mean())

    return min((round(float(t), 2) for t in np.arange(0.8, 4.01, 0.1)), key=loss)


def figures(reader: CardReader, given: argparse.Namespace) -> dict[str, object]:
    files = lettered(given.fonts)
    fonts = tuple(map(str, files))
    told: dict[str, object] = {"sha256": reader.digest, "sure_face": SURE_FACE, "sure_free": SURE_FREE}
    told["fonts"] = digests(files)
    told["hard"] = hard_figures(given)
    sources: dict[str, object] = {}
    for number, only in enumerate(("drawn", *(family.name for family in FAMILIES if family.held_out))):
        bank = held_out_bank(_SEED + number, fonts, given.art, 2_000, only)
        for kind, hardness in (("plain", PLAIN), ("hard", HARD), ("across", ACROSS)):
            count = tally(reader, shown_cards(bank, _SEED + number, hardness), given.cards)
            sources[f"{only}, {kind}"] = asdict(count)
            sys.stderr.write(f"{only}, {kind}: {count}\n")
    told["held_out"] = sources
    told["things"] = {
        kind: asdict(tally(reader, shown_cards(bank, _SEED + 12, Hardness()), given.cards))
        for kind, bank in unseen_things(_SEED + 13, fonts, given.art).items()
    }
    return told


def main() -> None:
    asked = argparse.ArgumentParser()
    for name in ("--fonts", "--art", "--out"):
        asked.add_argument(name, type=Path, required=True)
    asked.add_argument("--accepted", type=int, default=30_000)
    asked.add_argument("--cards", type=int, default=1_000)
    asked.add_argument("--calibrate", choices=("reader", "second"))
    asked.add_argument("--name", default="figures")
    given = asked.parse_args()
    cv2.setNumThreads(1)
    if given.calibrate:
        record = json.loads((given.out / f"{given.calibrate}.json").read_text())
        bank = held_out_bank(_SEED + 4, tuple(map(str, lettered(given.fonts))), given.art, 3_000)
        record["temperatures"] = temperatures(HalfReader(given.calibrate), bank)
        (given.out / f"{given.calibrate}.json").write_text(json.dumps(record, indent=1) + "\n")
        sys.stdout.write(f"{record['temperatures']}\n")
        return
    told = figures(CardReader(), given)
    (given.out / f"{given.name}.json").write_text(json.dumps(told, indent=1) + "\n")
    json.dump(told, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
