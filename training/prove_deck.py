"""Prove enrolment on decks the network was never taught: own cards, foreign designs, own and foreign backs.

    python -m training.prove_deck --art DIR [--cards 1000]

Each deck is shown once, card by card, plainly lit; then it is photographed badly and held to what was shown.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from devices.camera.face.deck import BACK, vote_of
from devices.camera.face.enrolment import Enrolment
from devices.camera.face.reader import CardReader, judge
from devices.camera.picture.quadrilateral import Pixels
from devices.sim.picture.deck_back import draw_back
from studio.cards import DECK
from studio.ports import CardFace
from training.bank import DRAW_PX_PER_MM, Bank, Flat, Label, darkened, family_faces
from training.crops import Darkroom, Hardness
from training.decks import FAMILIES

SHOWN: Final = Hardness(blur_mm=0.2, noise=5.0, px_per_mm=(1.6, 2.6), corner_mm=0.4, covered=0.0, mishap=0.0)
SEEN: Final = Hardness(blur_mm=0.5, noise=10.0, px_per_mm=(1.25, 2.6), corner_mm=0.8, covered=0.0, mishap=0.25)
HEIGHT_PX: Final = 120.0


def photographed(room: Darkroom, flat: Flat) -> Pixels:
    (upper, _), (lower, _) = room.photographed(flat)
    return np.concatenate((upper, lower[::-1, ::-1]))


def shown_deck(reader: CardReader, faces: Iterable[Flat], back: Flat, name: str, seed: int) -> CardReader:
    """A reader held to the deck, each card shown once."""
    room, enrolment = Darkroom(seed, Bank(()), SHOWN), Enrolment(reader, name)
    for flat in faces:
        enrolment.show(photographed(room, flat), str(DECK[flat.label.rank * 4 + flat.label.suit]))
    enrolment.show(photographed(room, back), BACK)
    return CardReader(enrolment.finish())


def told(reader: CardReader, cards: list[tuple[str, Pixels]]) -> dict[str, object]:
    """What is said of cards whose names are given ("" for none of the deck's)."""
    count = {"shown": 0, "right": 0, "wrong": 0, "face_down": 0, "foreign": 0}
    own, margins = [], []
    for (name, _), scores in zip(cards, reader.scores([card for _, card in cards]), strict=True):
        said = judge(scores, HEIGHT_PX)
        count["shown"] += 1
        count["right"] += said.card is not None and str(said.card) == name
        count["wrong"] += said.card is not None and str(said.card) != name
        count["face_down"] += said.face is CardFace.DOWN
        count["foreign"] += said.foreign
        vote = vote_of(scores[:, 20:])
        own.append(vote.likeness)
        margins.append(vote.margin)
    spread = [round(float(v), 3) for v in np.percentile(own, (0.5, 2, 50, 98, 99.5))]
    return {**count, "likeness": spread, "margin": [round(float(v), 3) for v in np.percentile(margins, (0.5, 2, 50))]}


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--art", type=Path, required=True)
    asked.add_argument("--cards", type=int, default=1_000)
    asked.add_argument("--out", type=Path)
    given = asked.parse_args()
    cv2.setNumThreads(1)
    plain, rng = CardReader(), random.Random(5)  # noqa: S311 - synthetic pictures
    held = [family for family in FAMILIES if family.held_out or family.name == "kde-oxygen"]
    decks = {family.name: list(family_faces(given.art / family.name)) for family in held}
    decks["gnome-plastic, dark"] = [Flat(darkened(flat.picture, rng), flat.label) for flat in decks["gnome-plastic"]]
    backs = [Flat(draw_back(9_000 + i, DRAW_PX_PER_MM), Label(1)) for i in range(40)]
    figures = {}
    for number, (name, faces) in enumerate(decks.items()):
        reader, room = shown_deck(plain, faces, backs[number], name, number), Darkroom(90 + number, Bank(()), SEEN)
        mine = [rng.choice(faces) for _ in range(given.cards)]
        others = [rng.choice(flats) for other, flats in decks.items() if other != name for _ in range(given.cards // 5)]
        figures[name] = {
            "own": told(reader, [(_name(flat), photographed(room, flat)) for flat in mine]),
            "foreign": told(reader, [("", photographed(room, flat)) for flat in others]),
            "own back": told(reader, [("", photographed(room, backs[number])) for _ in range(given.cards // 2)]),
            "foreign backs": told(
                reader, [("", photographed(room, rng.choice(backs[10:]))) for _ in range(given.cards // 2)]
            ),
        }
        sys.stderr.write(f"{name}: {json.dumps(figures[name])}\n")
    if given.out:
        (given.out / "deck_figures.json").write_text(json.dumps(figures, indent=1) + "\n")


def _name(flat: Flat) -> str:
    return str(DECK[flat.label.rank * 4 + flat.label.suit])


if __name__ == "__main__":
    main()
