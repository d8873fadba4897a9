"""`read-cards --explain`: every outline is drawn, and says what either half said and why it was refused."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from bench.table_picture import table_picture
from devices.camera.cli import read_cards
from devices.camera.face.explanation import MEANINGS, Explained, ExplainingEye, WhyUnnamed, explained
from devices.camera.face.reader import CardReader
from devices.camera.outline.free_picture import read_free_picture
from devices.camera.outline.line_search import PATIENT
from devices.camera.view.explained_picture import explained_picture, line_of
from devices.sim.picture.felt_render import FeltLook
from studio.cards import DECK, Card
from studio.ports import CardFace

QUAD = np.array([(10, 10), (90, 10), (90, 122), (10, 122)], np.float32)
SMALL = QUAD * np.float32(0.5)


def half(card: str = "8s", *, kind: int = 0, sure: float = 0.999) -> np.ndarray:
    """The scores of a half that says so."""
    index = DECK.index(Card.parse(card))
    scores = np.zeros(20)
    scores[kind], scores[(kind + 1) % 3] = 0.9999, 0.0001
    scores[3 + index // 4], scores[3 + (index // 4 + 1) % 13] = sure, 1 - sure
    scores[16 + index % 4] = 1.0
    return scores


def soft() -> np.ndarray:
    """The scores of a half whose picture is too soft to tell the suits apart."""
    return np.concatenate((half()[:16], np.full(4, 0.25)))


@pytest.mark.parametrize(
    ("upper", "lower", "quad", "says"),
    [
        pytest.param(half(), half(), QUAD, "= 8s", id="named"),
        pytest.param(half(), half("8c"), QUAD, "D", id="halves differ"),
        pytest.param(half(), half(sure=0.93), QUAD, "W 0.930", id="unsure"),
        pytest.param(soft(), soft(), QUAD, "S", id="too soft"),
        pytest.param(half(kind=2), half(), QUAD, "U", id="no face above"),
        pytest.param(half(), half(kind=1), QUAD, "L", id="a back below"),
        pytest.param(half(), half(), SMALL, "H 56", id="too low"),
        pytest.param(half(kind=1), half(kind=1), QUAD, "= #", id="face down"),
    ],
)
def test_an_outline_says_why_it_was_refused(upper: np.ndarray, lower: np.ndarray, quad: np.ndarray, says: str) -> None:
    told = explained(quad, np.stack((upper, lower)))
    assert line_of(1, told).split("   ")[-1] == says
    assert (told.face is CardFace.UNSURE) == (told.refused is not None)


def test_a_line_of_the_list_has_what_both_halves_said() -> None:
    told = explained(QUAD, np.stack((half(), half("8c"))))
    assert line_of(7, told) == "  7  8s 0.999 | 8c 0.999   D"
    assert line_of(1, explained(QUAD, np.stack((half(), half())))) == "  1  8s 0.999 | 8s 0.999   = 8s"
    assert line_of(3, explained(QUAD, np.stack((soft(), soft())))) == "  3  8? 0.250 | 8? 0.250   S"
    assert line_of(2, explained(QUAD, np.stack((half(kind=1), half(kind=2))))) == "  2  # 1.000 | - 1.000   U"


def test_every_sign_has_its_meaning_and_no_two_have_one() -> None:
    assert {one.value for one in WhyUnnamed} < set(MEANINGS)
    assert len(set(MEANINGS.values())) == len(MEANINGS)


def test_who_explains_finds_the_same_cards() -> None:
    reader, picture = CardReader(), table_picture(3, FeltLook(hands=False)).picture
    eye = ExplainingEye(reader)
    found = read_free_picture(picture, eye, PATIENT)
    assert [card.card for card in found] == [card.card for card in reader.read(picture, PATIENT)]
    assert {str(card.card) for card in found if card.card} <= {told.card for told in eye.told}


def test_the_outlines_are_drawn_where_they_lie_and_listed_beside_the_picture() -> None:
    picture = np.full((200, 300, 3), 90, np.uint8)
    drawn = explained_picture(picture, [explained(QUAD, np.stack((half(), half())))])
    assert drawn.shape[1] > 1_280
    grown = 1_280 / 300
    at = drawn[round(66 * grown), round(10 * grown) - 3 : round(10 * grown) + 4]
    assert (at[:, 1].astype(int) - at[:, 0]).max() > 100
    assert explained_picture(picture, []).shape == drawn.shape
    nothing = explained(QUAD, np.stack((half(kind=2), half(kind=2))))
    assert explained_picture(picture, [nothing] * 200).shape == drawn.shape, "what shows no face is counted, not listed"


def test_of_outlines_on_one_spot_one_number_is_written_and_why_it_was_refused() -> None:
    too_soft, weak = (explained(QUAD, np.stack((one, one))) for one in (soft(), half(sure=0.93)))
    once, often, other = (_middle_of_quad(told) for told in ([too_soft], [too_soft] * 9, [weak]))
    assert (once == often).all(), "numbers over each other cannot be read"
    assert (once != other).any(), "the sign stands beside the number"


def _middle_of_quad(told: list[Explained]) -> np.ndarray:
    grown = 1_280 / 300
    x, y = (round(float(at) * grown) for at in QUAD.mean(axis=0))
    return explained_picture(np.full((200, 300, 3), 90, np.uint8), told)[y - 40 : y + 40, x - 60 : x + 100]


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    file = tmp_path / "table.png"
    cv2.imwrite(str(file), table_picture(3, FeltLook(hands=False)).picture)
    return file


def test_a_technician_gets_a_picture_and_the_usual_line(picture: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(read_cards, [str(picture), "--explain", str(tmp_path / "why.png")])
    assert done.exit_code == 0, done.output
    assert "outlines drawn" in done.stderr
    assert all(f"  {sign}  {meaning}" in done.stderr for sign, meaning in MEANINGS.items())
    assert "face down" in done.stdout
    drawn = cv2.imread(str(tmp_path / "why.png"))
    assert drawn is not None
    assert drawn.shape[0] >= 720


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(
            ["{picture}", "{picture}", "--explain", "{folder}/a.png"], "one picture at a time", id="two pictures"
        ),
        pytest.param(["{picture}", "--explain", "{folder}/a.txt"], "is to end in .png", id="no picture's name"),
        pytest.param(["{picture}", "--explain", "{picture}"], "name another file", id="over itself"),
        pytest.param(["{picture}", "--explain", "{folder}/none/a.png"], "cannot be written", id="no such folder"),
    ],
)
def test_what_cannot_be_drawn_is_said(picture: Path, tmp_path: Path, arguments: list[str], says: str) -> None:
    given = [one.format(picture=picture, folder=tmp_path) for one in arguments]
    done = CliRunner().invoke(read_cards, given)
    assert done.exit_code == 1
    assert says in done.output
    assert cv2.imread(str(picture)) is not None
