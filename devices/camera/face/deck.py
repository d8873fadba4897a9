"""An enrolled deck: what was shown of each card, kept in one file, and how a card is held to it.

The file holds the flat pictures of 52 faces and a back as the camera saw them; nothing of it ships with the program.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from devices.camera.face.likeness import Print, face_likeness, likeness, print_of
from devices.camera.picture.quadrilateral import CARD_PX, Pixels
from studio.cards import DECK, Card
from studio.errors import BadInputError

BACK: Final = "back"
NAMES: Final = (*(str(card) for card in DECK), BACK)
"""The 53 things of a deck, the cards in the order of `DECK`, then the back."""

COLUMNS: Final = 2 * len(NAMES)
"""What a deck adds to a card's scores: the network's nearness to each of its 53, then the likeness of the print."""

_FILE_BYTES_MAX: Final = 64_000_000
_LIKELY: Final = 4
_UNSEEN: Final = -1.0

Vectors = NDArray[np.float64]
"""What the network makes of both halves of each card before it names them, `(cards, 2, n)`."""


@dataclass(frozen=True, slots=True, eq=False)
class DeckLooks:
    """An enrolled deck: its name and, for each of `NAMES`, the looks that were taken of it."""

    name: str
    looks: Mapping[str, tuple[Pixels, ...]]

    @property
    def digest(self) -> str:
        """SHA-256 over the name and every picture: what an evidence record names."""
        said = hashlib.sha256(self.name.encode())
        for name in NAMES:
            for look in self.looks[name]:
                said.update(name.encode() + look.tobytes())
        return said.hexdigest()

    def save(self, path: Path) -> None:
        """Write the deck, whole or not at all; `OSError` when the disk does not take it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(path.name + ".new")
        order = [name for name in NAMES for _ in self.looks[name]]
        pictures = np.stack([look for name in NAMES for look in self.looks[name]])
        head = np.frombuffer(json.dumps({"version": 1, "name": self.name, "order": order}).encode(), np.uint8)
        with beside.open("wb") as file:
            np.savez_compressed(file, head=head, pictures=pictures)
        os.replace(beside, path)


def load_deck(path: Path) -> DeckLooks:
    """Read an enrolled deck; `BadInputError` says what is wrong with the file, and what to do."""
    try:
        if path.stat().st_size > _FILE_BYTES_MAX:
            raise _bad(path, "it is far too large")
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            head, pictures = json.loads(kept["head"].tobytes()), np.asarray(kept["pictures"])
    except FileNotFoundError:
        raise BadInputError(
            f"There is no deck {path}; enrol the deck with `studio devices enrol`, or take the key out of the "
            "configuration."
        ) from None
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise _bad(path, f"it cannot be read ({type(error).__name__})") from None
    return _deck(path, head, pictures)


def _deck(path: Path, head: object, pictures: Pixels) -> DeckLooks:
    if not isinstance(head, dict) or head.get("version") != 1:
        raise _bad(path, "it was written by another version")
    order, name = head.get("order"), head.get("name")
    if pictures.dtype != np.uint8 or pictures.shape[1:] != (CARD_PX[1], CARD_PX[0], 3) or not isinstance(name, str):
        raise _bad(path, "its pictures are not those of this version's reader")
    if not isinstance(order, list) or len(order) != len(pictures) or set(order) != set(NAMES):
        raise _bad(path, "it does not hold 52 faces and a back")
    looks = {one: tuple(pictures[i] for i, known in enumerate(order) if known == one) for one in NAMES}
    return DeckLooks(name, looks)


def _bad(path: Path, what: str) -> BadInputError:
    return BadInputError(f"The deck {path} cannot be used: {what}; enrol the deck again.")


class DeckEye:
    """Holds cards to an enrolled deck; `vectors` is the network's view of rectified cards."""

    def __init__(self, deck: DeckLooks, vectors: Callable[[Sequence[Pixels]], Vectors]) -> None:
        self.deck = deck
        known = [np.stack([_unit(one) for one in vectors(deck.looks[name])]) for name in NAMES]
        self._near = np.stack([_unit(looks.mean(axis=0)) for looks in known])
        self._prints: list[list[Print]] = [[print_of(look) for look in deck.looks[name]] for name in NAMES]

    def votes(self, card: Pixels, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
        """`(2, COLUMNS)`: the nearness to each card, and of the likeliest few also the likeness; -1 elsewhere."""
        near = self._nearness(_unit(vectors))
        alike = np.full((2, len(NAMES)), _UNSEEN)
        likely = [int(number) for number in np.argsort(-near.sum(axis=0))[:_LIKELY]]
        seen = print_of(card)
        for how, numbers in (
            (face_likeness, [number for number in likely if NAMES[number] != BACK]),
            (likeness, [number for number in likely if NAMES[number] == BACK]),
        ):
            looks = [(number, known) for number in numbers for known in self._prints[number]]
            found = how(seen, [known for _, known in looks]) if looks else np.zeros((2, 0))
            for (number, _), both in zip(looks, found.T, strict=True):
                if both.sum() > alike[:, number].sum():
                    alike[:, number] = both
        return np.concatenate((near, alike), axis=1)

    def _nearness(self, seen: NDArray[np.float64]) -> NDArray[np.float64]:
        upper, lower = self._near[:, 0], self._near[:, 1]
        straight = np.stack((upper @ seen[0], lower @ seen[1]))
        turned = np.stack((lower @ seen[0], upper @ seen[1]))
        return np.asarray(np.where(straight.sum(axis=0) >= turned.sum(axis=0), straight, turned), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Vote:
    """What a deck says of a card: the nearest of its 53, by how much, and how alike the two are."""

    name: str
    margin: float
    likeness: float

    @property
    def card(self) -> Card | None:
        return None if self.name == BACK else DECK[NAMES.index(self.name)]


def vote_of(columns: NDArray[np.float64]) -> Vote:
    """Read the columns that `DeckEye.votes` made, fused or not; the worse half counts."""
    near, alike = columns[:, : len(NAMES)], columns[:, len(NAMES) :]
    order = np.argsort(-near.sum(axis=0))
    first, second = int(order[0]), int(order[1])
    margin = float((near[:, first] - near[:, second]).min())
    return Vote(NAMES[first], margin, float(alike[:, first].min()))


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9), dtype=np.float64)
