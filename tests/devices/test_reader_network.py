"""Whoever runs the reader's network, it says the same: ONNX Runtime where it is installed, OpenCV elsewhere."""

from __future__ import annotations

import json
from importlib import resources

import numpy as np
import pytest

from devices.camera.face import network as running
from devices.camera.face.network import Network, OpenCvNetwork, RuntimeNetwork, load_network
from devices.camera.picture.quadrilateral import halves_of
from devices.sim.picture.deck_art import HOUSE_CASINO, HOUSE_POKER, draw_face
from studio.cards import DECK

FOLDER = resources.files("devices.camera") / "model"
MODEL = (FOLDER / "reader.onnx").read_bytes()
VECTOR = json.loads((FOLDER / "reader.json").read_text())["vector"]


def faces() -> list[np.ndarray]:
    arts = [draw_face(design, card, 2.0)[:, :, :3] for design in (HOUSE_POKER, HOUSE_CASINO) for card in DECK[::5]]
    cards = [np.ascontiguousarray(art[:160, :112]) for art in arts]
    return [half for card in cards for half in halves_of(card)]


@pytest.fixture(params=[lambda: OpenCvNetwork(MODEL), lambda: RuntimeNetwork(MODEL, VECTOR)], ids=["opencv", "runtime"])
def network(request: pytest.FixtureRequest) -> Network:
    made: Network = request.param()
    return made


def test_every_half_has_its_scores_and_the_numbers_before_them(network: Network) -> None:
    rows, vectors = network.forward(faces())
    assert rows.shape == (len(faces()), 20)
    assert vectors.shape == (len(faces()), 128)
    assert (vectors >= 0).all()


def test_no_halves_have_none(network: Network) -> None:
    assert [part.shape for part in network.forward([])] == [(0, 20), (0, 128)]


def test_a_half_is_read_alike_alone_and_among_others(network: Network) -> None:
    halves = faces()
    together = network.forward(halves)[0]
    assert np.abs(np.concatenate([network.forward([half])[0] for half in halves]) - together).max() < 1e-3


def test_both_say_the_same() -> None:
    one, other = (made.forward(faces()) for made in (OpenCvNetwork(MODEL), RuntimeNetwork(MODEL, VECTOR)))
    assert [float(np.abs(a - b).max()) < 1e-3 for a, b in zip(one, other, strict=True)] == [True, True]


@pytest.mark.parametrize(("there", "engine"), [(object(), "onnxruntime"), (None, "opencv")])
def test_a_machine_without_onnx_runtime_reads_by_opencv(
    monkeypatch: pytest.MonkeyPatch, there: object, engine: str
) -> None:
    monkeypatch.setattr(running, "find_spec", lambda _name: there)
    assert load_network(MODEL, VECTOR).engine == engine
