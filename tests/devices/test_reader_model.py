"""The networks that ship are those their records and their figures speak of, and hard light makes them refuse, not
guess.
"""

from __future__ import annotations

import hashlib
import json
import random
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from devices.camera.face.half_reader import HalfReader
from devices.camera.face.reader import SURE_FACE, SURE_FREE, CardReader, judge
from studio.ports import CardFace
from training.bank import Bank, Flat, made_up_face
from training.crops import Darkroom, Hardness
from training.prove import HARD, name_of
from training.risk import HELD_FOR_NOTHING_MAX, STANDS_WRONG_MAX, held_for_nothing, shipped_figures, stands_wrong

FOLDER = resources.files("devices.camera") / "model"
HARDER = Hardness(blur_mm=0.9, noise=18.0, px_per_mm=(1.15, 1.8), corner_mm=1.2)


def made_up_deck(seed: int, count: int) -> list[Flat]:
    rng = random.Random(seed)
    return [made_up_face(rng, ("",), {}) for _ in range(count)]


def photographed(seed: int, flats: list[Flat], hardness: Hardness) -> list[np.ndarray]:
    room = Darkroom(seed, Bank(((1.0, tuple(flats)),)), hardness)
    halves = [room.photographed(flat) for flat in flats]
    return [np.concatenate((upper, lower[::-1, ::-1])) for (upper, _), (lower, _) in halves]


@pytest.mark.parametrize("name", ["reader", "second"])
def test_a_network_and_its_record_belong_together(name):
    digest = hashlib.sha256((FOLDER / f"{name}.onnx").read_bytes()).hexdigest()
    assert digest == json.loads((FOLDER / f"{name}.json").read_text())["sha256"] == HalfReader(name).digest


@pytest.mark.parametrize("name", ["figures", "figures_fresh"])
def test_the_figures_are_those_of_both_networks_and_of_typefaces_that_taught_neither(name):
    figures = json.loads((FOLDER / f"{name}.json").read_text())
    records = [json.loads((FOLDER / f"{name}.json").read_text()) for name in ("reader", "second")]
    assert figures["sha256"] == CardReader().digest
    assert not any(set(record["fonts"].values()) & set(figures["fonts"].values()) for record in records)


def test_the_two_proofs_use_no_typeface_of_each_other():
    one, other = (json.loads((FOLDER / f"{name}.json").read_text())["fonts"] for name in ("figures", "figures_fresh"))
    assert not set(one.values()) & set(other.values())


def test_the_figures_show_the_threshold_that_is_in_force():
    hard = shipped_figures()["hard"]
    accepted, wrong = (hard["at"][str(SURE_FREE)][name] for name in ("accepted", "wrong"))
    assert accepted >= 25_000
    assert wrong <= 4 * accepted / 10_000


def test_hard_pictures_of_decks_nobody_has_seen_name_no_wrong_card():
    reader, flats = CardReader(), made_up_deck(31, 60)
    for seed, hardness in ((1, HARD), (2, HARDER)):
        said = [judge(scores, 120, SURE_FREE) for scores in reader.scores(photographed(seed, flats, hardness))]
        wrong = [flat for flat, one in zip(flats, said, strict=True) if one.card and str(one.card) != name_of(flat)]
        assert not wrong
        assert {one.face for one in said} <= {CardFace.UP, CardFace.UNSURE}


def test_the_gate_at_a_table_keeps_the_stated_risk():
    figures = shipped_figures()
    assert stands_wrong(figures, SURE_FACE) <= STANDS_WRONG_MAX
    assert held_for_nothing(figures, SURE_FACE) <= HELD_FOR_NOTHING_MAX


def test_a_shoe_that_misreads_more_often_lets_more_cards_stand_wrongly():
    figures = {"hard": {"at": {"0.95": {"accepted": 10_000, "wrong": 0}}}}
    assert held_for_nothing(figures, 0.95) == pytest.approx(299.6, abs=0.1)
    assert stands_wrong(figures, 0.95, 1e-4) == pytest.approx(10 * stands_wrong(figures, 0.95, 1e-5))


def test_the_page_tells_the_sum_of_the_gates():
    page = (Path(__file__).parents[2] / "docs" / "devices" / "reader.md").read_text()
    figures = shipped_figures()
    for gate in (0.9, SURE_FACE, SURE_FREE):
        held, wrong = held_for_nothing(figures, gate), stands_wrong(figures, gate)
        assert f"| {gate} | {held:.0f} | {wrong:.4f} |" in page
