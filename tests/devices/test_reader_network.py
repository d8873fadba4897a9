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
NAMES = ("reader", "second")
MODELS = {name: (FOLDER / f"{name}.onnx").read_bytes() for name in NAMES}
VECTORS = {name: json.loads((FOLDER / f"{name}.json").read_text())["vector"] for name in NAMES}


def faces() -> list[np.ndarray]:
    arts = [draw_face(design, card, 2.0)[:, :, :3] for design in (HOUSE_POKER, HOUSE_CASINO) for card in DECK[::5]]
    cards = [np.ascontiguousarray(art[:160, :112]) for art in arts]
    return [half for card in cards for half in halves_of(card)]


def made(engine: str, name: str) -> Network:
    return OpenCvNetwork(MODELS[name]) if engine == "opencv" else RuntimeNetwork(MODELS[name], VECTORS[name])


@pytest.fixture(params=[(engine, name) for engine in ("opencv", "onnxruntime") for name in NAMES], ids=" ".join)
def network(request: pytest.FixtureRequest) -> Network:
    return made(*request.param)


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


@pytest.mark.parametrize("name", NAMES)
def test_both_say_the_same(name: str) -> None:
    one, other = (made(engine, name).forward(faces()) for engine in ("opencv", "onnxruntime"))
    assert [float(np.abs(a - b).max()) < 1e-3 for a, b in zip(one, other, strict=True)] == [True, True]


@pytest.mark.parametrize(("there", "engine"), [(object(), "onnxruntime"), (None, "opencv")])
def test_a_machine_without_onnx_runtime_reads_by_opencv(
    monkeypatch: pytest.MonkeyPatch, there: object, engine: str
) -> None:
    monkeypatch.setattr(running, "find_spec", lambda _name: there)
    assert load_network(MODELS["reader"], VECTORS["reader"]).engine == engine
