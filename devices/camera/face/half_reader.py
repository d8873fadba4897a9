"""What a network says of half cards in honest probabilities, and what two networks say together.

Two networks that were trained apart read the same halves (`model/reader.onnx`, `model/second.onnx`). Where both are
asked their log-probabilities are averaged, so a wrong name needs both to be wrong alike.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Final

import numpy as np
from numpy.typing import NDArray

from devices.camera.face.network import Rows, load_network
from devices.camera.picture.quadrilateral import Pixels
from studio.errors import BadInputError

HEADS: Final = (slice(0, 3), slice(3, 16), slice(16, 20))
"""Where kinds (face, back, other), ranks (2 to A) and suits (c d h s) stand in a row of probabilities."""

FACE: Final = 0
_LEAST: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Temperatures:
    """The divisors of a network's scores, chosen so that its probabilities are honest on decks it never saw.

    Each suit has its own: "spades" is said of clubs far more often than the reverse.
    """

    kind: float
    rank: float
    suits: tuple[float, float, float, float]


class HalfReader:
    """One network of the program; `name` is that of its files. Not thread-safe."""

    def __init__(self, name: str) -> None:
        folder = resources.files("devices.camera") / "model"
        network = (folder / f"{name}.onnx").read_bytes()
        record = json.loads((folder / f"{name}.json").read_text())
        self.digest = hashlib.sha256(network).hexdigest()
        if self.digest != record["sha256"]:
            raise BadInputError("The card reader's network is not the one its record names; install the program anew.")
        self._heat = Temperatures(**record["temperatures"])
        self._network = load_network(network, record["vector"])

    def hear(self, halves: Sequence[Pixels]) -> tuple[Rows, Rows]:
        """The probabilities of half cards, `(halves, 20)`, and the numbers before them, `(halves, 128)`."""
        scores, vectors = self._network.forward(halves)
        kinds, ranks, suits = (scores[:, head] for head in HEADS)
        of_suit = np.asarray(self._heat.suits)[suits.argmax(axis=1)][:, None]
        heads = (_softmax(kinds / self._heat.kind), _softmax(ranks / self._heat.rank), _softmax(suits / of_suit))
        return np.concatenate(heads, axis=1), vectors


def together(one: Rows, other: Rows) -> Rows:
    """What two networks say of the same halves: the geometric mean of their probabilities, head by head."""
    mean = (np.log(np.maximum(one, _LEAST)) + np.log(np.maximum(other, _LEAST))) / 2
    return np.concatenate([_softmax(mean[..., head]) for head in HEADS], axis=-1)


def sureness(halves: Rows) -> NDArray[np.float64]:
    """How sure each half is to be the face that it most likely is, `(…)` of `(…, 20)`."""
    kinds, ranks, suits = (halves[..., head] for head in HEADS)
    return np.asarray(kinds[..., FACE] * ranks.max(axis=-1) * suits.max(axis=-1), dtype=np.float64)


def _softmax(rows: Rows) -> Rows:
    grown = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=-1, keepdims=True), dtype=np.float64)
