"""Cards in pictures of anything: stretched, overlapped, white on white, speckled; and what must not be named."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from devices.camera.face.reader import CardReader
from devices.camera.outline.far_end import far_ends
from devices.camera.outline.free_picture import FoundCard, read_free_picture, without_speckle
from devices.camera.outline.line_search import PATIENT, PROMPT, LineSearch, outlines_in
from devices.camera.outline.spot import are_beside, lies_on
from devices.camera.outline.straight import straight_edges
from devices.camera.outline.support import distinct
from devices.sim.picture.deck_art import HOUSE_POKER, draw_face
from studio.cards import Card
from studio.ports import CardFace

KING, SEVEN, NINE = Card.parse("Ks"), Card.parse("7h"), Card.parse("9c")


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


def laid(picture, card, corners):
    """Card art over a picture, its four corners where these are."""
    art = draw_face(HOUSE_POKER, card, 3.0)
    height, width = art.shape[:2]
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    transform = cv2.getPerspectiveTransform(source, np.array(corners, np.float32))
    over = cv2.warpPerspective(art, transform, (picture.shape[1], picture.shape[0]), flags=cv2.INTER_AREA)
    cover = over[:, :, 3:] / 255.0
    edge = cv2.dilate(cover, np.ones((3, 3)))[:, :, None] * 0.04
    shadowed = picture * (1 - edge)
    return (over[:, :, :3] * cover + shadowed * (1 - cover)).astype(np.uint8)


def ground(colour):
    return np.random.default_rng(1).normal(colour, 2, (640, 640, 3)).clip(0, 255).astype(np.uint8)


def apart_px(outlines, corners):
    """How far the corners of the outline that fits best are from where they should be."""
    turned = [np.roll(np.array(corners, np.float32), turn, axis=0) for turn in range(4)]
    return min(float(np.abs(quad - one).max()) for quad in outlines for one in turned)


UPRIGHT = [(200, 150), (380, 165), (360, 420), (180, 405)]
STRETCHED = [(150, 180), (480, 190), (475, 450), (145, 440)]
OVER_IT = [(290, 260), (470, 230), (510, 485), (330, 515)]


@pytest.mark.parametrize("colour", [(60, 110, 40), (225, 232, 235)], ids=["felt", "a white desk"])
def test_a_cards_corners_are_found_to_the_pixel(colour):
    assert apart_px(outlines_in(laid(ground(colour), SEVEN, UPRIGHT)), UPRIGHT) < 3


def test_a_card_in_a_stretched_picture_is_wider_than_high_and_read(reader):
    found = reader.read(laid(ground((225, 232, 235)), NINE, STRETCHED), PATIENT)
    assert [card.card for card in found if card.card] == [NINE]


def test_the_topmost_of_two_overlapping_cards_is_read(reader):
    found = reader.read(laid(laid(ground((60, 110, 40)), NINE, UPRIGHT), SEVEN, OVER_IT), PATIENT)
    named = [card for card in found if card.card]
    assert [card.card for card in named] == [SEVEN]
    assert apart_px([named[0].quad], OVER_IT) < 5


def test_salt_and_pepper_is_taken_out_and_a_calm_picture_left_alone():
    calm = laid(ground((60, 110, 40)), KING, UPRIGHT)
    assert without_speckle(calm) is calm
    noisy = calm.copy()
    odd = np.random.default_rng(2).random((640, 640))
    noisy[odd < 0.01], noisy[odd > 0.99] = 0, 255
    clean = without_speckle(noisy)
    assert np.abs(clean.astype(int) - calm).mean() < np.abs(noisy.astype(int) - calm).mean() / 4


def test_blank_paper_of_a_cards_shape_is_not_asked_about():
    blank = ground((60, 110, 40))
    cv2.fillConvexPoly(blank, np.array(UPRIGHT, np.int32), (240, 240, 240), cv2.LINE_AA)
    beside = [(x + 210, y) for x, y in UPRIGHT]
    outlines = outlines_in(laid(blank, SEVEN, beside))
    assert apart_px(outlines[:1], beside) < 3
    assert apart_px(outlines, UPRIGHT) > 20


NEAR_PX = 40


class Sure:
    """Sees nothing at the quick looks, and names by turns what lies about where the upright card does."""

    def __init__(self, *names):
        self.cards = names

    def look(self, _picture, quads):
        return [None for _ in quads]

    def names(self, _picture, quads):
        return [
            FoundCard(quad, CardFace.UP, self.cards[i % len(self.cards)], 0.99)
            for i, quad in enumerate(quads)
            if apart_px([quad], UPRIGHT) < NEAR_PX
        ]


def test_outlines_of_one_corner_that_are_named_differently_name_no_card():
    picture = laid(ground((225, 232, 235)), NINE, UPRIGHT)
    fitting = [quad for quad in outlines_in(picture) if apart_px([quad], UPRIGHT) < NEAR_PX]
    assert len(fitting) > 1
    assert not read_free_picture(picture, Sure(SEVEN, KING), PATIENT)


def test_outlines_of_one_corner_that_are_named_alike_name_one_card():
    picture = laid(ground((225, 232, 235)), NINE, UPRIGHT)
    assert [card.card for card in read_free_picture(picture, Sure(SEVEN, SEVEN), PATIENT)] == [SEVEN]


def test_of_a_card_named_several_times_on_one_spot_one_is_told():
    picture = laid(ground((225, 232, 235)), NINE, UPRIGHT)
    assert [card.card for card in read_free_picture(picture, Sure(NINE), PATIENT)] == [NINE]


def told(found):
    return [(str(card.card), card.confidence, card.quad.tolist()) for card in found]


def test_who_looks_at_a_second_half_only_where_the_first_may_be_named_names_the_same_cards(reader):
    picture = laid(laid(ground((60, 110, 40)), NINE, UPRIGHT), SEVEN, OVER_IT)
    quads = [np.roll(quad, turn, axis=0) for quad in outlines_in(picture) for turn in (0, 1)]
    sure = [card for card in reader.look(picture, quads) if card is not None and card.card is not None]
    assert 0 < len(sure) < len(quads)
    named = [card for card in reader.names(picture, quads) if card.card]
    assert [told([card])[0][::2] for card in named] == [told([card])[0][::2] for card in sure]
    assert [card.confidence for card in named] == pytest.approx([card.confidence for card in sure], abs=1e-4)


def test_an_outline_of_which_one_half_alone_is_sure_is_told_as_unsure(reader):
    picture = laid(ground((60, 110, 40)), NINE, UPRIGHT)
    good = np.array(UPRIGHT, np.float32)
    short = good.copy()
    short[2:] = 0.2 * good[[1, 0]] + 0.8 * good[[2, 3]]
    said = reader.names(picture, [good, short, np.roll(short, 2, axis=0)])
    assert [(card.card, card.face) for card in said] == [(NINE, CardFace.UP), (None, CardFace.UNSURE)]
    assert said[1].quad is short
    assert said[1].confidence > 0.97


class OfOneEnd:
    """Sees nothing at the quick looks, is sure of the first half of what begins where the card does, and names what
    ends there too.
    """

    def __init__(self, ends):
        self.ends = ends
        self.asked = []

    def look(self, _picture, quads):
        return [None for _ in quads]

    def names(self, _picture, quads):
        self.asked.append(len(quads))
        said = []
        for quad in quads:
            ways = [way for way in (quad, np.roll(quad, 2, axis=0)) if np.abs(way[:2] - UPRIGHT[:2]).max() < 5]
            if ways and np.abs(ways[0][2:] - np.array(self.ends)).max() < 4:
                said.append(FoundCard(quad, CardFace.UP, NINE, 0.99))
            elif ways and ways[0] is quad:
                said.append(FoundCard(quad, CardFace.UNSURE, None, 0.98))
        return said


@pytest.mark.parametrize("effort", [PATIENT, PROMPT], ids=["patient", "prompt"])
def test_the_other_end_of_a_card_of_which_one_half_is_sure_is_looked_for(effort):
    picture = laid(ground((60, 110, 40)), NINE, UPRIGHT)
    search = LineSearch.of(picture, effort)
    plain = search.of_any_size(effort.outlines)
    elsewhere = [end for end in search.with_other_ends(np.array(UPRIGHT, np.float32)) if apart_px(plain, end) > 8]
    (found,) = read_free_picture(picture, OfOneEnd(elsewhere[0][2:]), effort)
    assert found.card is NINE
    assert read_free_picture(picture, OfOneEnd(elsewhere[0][2:]), replace(effort, ends=0)) == []


def test_on_one_spot_the_other_end_is_looked_for_once():
    picture = laid(ground((60, 110, 40)), NINE, UPRIGHT)
    eye, none = OfOneEnd([(0, 0), (0, 0)]), OfOneEnd([(0, 0), (0, 0)])
    assert read_free_picture(picture, eye, PATIENT) == []
    assert read_free_picture(picture, none, replace(PATIENT, ends=0)) == []
    assert len(eye.asked) == len(none.asked) + 1
    assert 0 < eye.asked[-1] <= 12


def test_outlines_of_one_end_share_its_side_and_are_a_cards():
    ends = far_ends(np.array(UPRIGHT, np.float32))
    assert ends.shape == (231, 4, 2)
    assert (ends[:, :2] == np.array(UPRIGHT[:2], np.float32)).all()
    assert np.abs(ends - np.array(UPRIGHT)).max(axis=(1, 2)).min() < 1e-3
    assert all(cv2.isContourConvex(end) and cv2.contourArea(end, oriented=True) > 0 for end in ends)


def test_of_no_outlines_none_is_named(reader):
    assert reader.names(ground((60, 110, 40)), []) == []


def test_a_picture_without_an_edge_has_no_outline():
    assert outlines_in(np.full((480, 640, 3), 90, np.uint8)) == []


class Shy:
    """Sees a card in each outline at the quick looks, is sure of those left of the middle, and names none later."""

    def __init__(self):
        self.asked = []

    def look(self, _picture, quads):
        left = [quad[:, 0].mean() < 320 for quad in quads]
        faces = [CardFace.DOWN if one else CardFace.UNSURE for one in left]
        return [FoundCard(quad, face, None, 0.9) for quad, face in zip(quads, faces, strict=True)]

    def names(self, _picture, quads):
        self.asked += quads
        return []


BESIDE = [(400, 150), (580, 165), (560, 420), (380, 405)]
FAR_LEFT = [(30, 150), (210, 165), (190, 420), (10, 405)]


def test_only_what_is_unexplained_is_searched_an_unsure_card_where_it_lies():
    eye = Shy()
    found = read_free_picture(laid(laid(ground((60, 110, 40)), NINE, FAR_LEFT), SEVEN, BESIDE), eye, PATIENT)
    assert sorted(card.face.value for card in found) == ["down", "unsure"]
    assert apart_px(eye.asked, BESIDE) < 3
    assert min(quad[:, 0].min() for quad in eye.asked) > 220


def test_no_outline_is_asked_about_twice():
    """What is as large as a known card was weighed before the size was known, too."""
    eye = Shy()
    read_free_picture(laid(laid(ground((60, 110, 40)), NINE, FAR_LEFT), SEVEN, BESIDE), eye, PATIENT)
    asked = np.array(eye.asked)
    apart = np.abs(asked[:, None] - asked[None]).max(axis=(2, 3)) + np.where(np.eye(len(asked)), 1e3, 0)
    assert len(asked) > 10
    assert apart.min() > 2


def test_an_outline_of_a_known_cards_size_is_asked_about_one_way():
    eye = Shy()
    read_free_picture(laid(laid(ground((60, 110, 40)), NINE, FAR_LEFT), SEVEN, BESIDE), eye, PATIENT)
    theirs = [quad for quad in eye.asked if apart_px([quad], BESIDE) < 9]
    assert theirs
    assert all(np.hypot(*(quad[1] - quad[0])) < np.hypot(*(quad[2] - quad[1])) for quad in theirs)


def test_an_outline_on_a_card_that_was_named_takes_no_other_cards_place():
    search = LineSearch.of(laid(laid(ground((60, 110, 40)), NINE, FAR_LEFT), SEVEN, BESIDE), PATIENT)
    left, right = np.array(FAR_LEFT, np.float32), np.array(BESIDE, np.float32)
    for named, other in ((left, BESIDE), (right, FAR_LEFT)):
        assert apart_px(search.as_large_as([left, right], 1, [named], []), other) < 5
        assert apart_px(search.of_any_size(1, [named]), other) < 5


def test_of_outlines_alike_the_best_is_taken_and_none_that_is_known():
    plain, faint = np.array(FAR_LEFT, np.float32), np.array(BESIDE, np.float32)
    quads = np.stack((plain, plain + 2, faint, np.roll(plain, 1, axis=0)))
    worth = np.array([1.0, 1.5, 0.5, 1.2], np.float32)
    assert distinct(quads, worth, 9, quads[:0]).tolist() == [1, 2]
    assert distinct(quads, worth, 9, quads[:1]).tolist() == [2]
    assert distinct(quads[:0], worth[:0], 9, quads[:1]).tolist() == []


def test_outlines_beside_a_card_are_those_that_do_not_lie_on_it():
    rng = np.random.default_rng(8)
    card = np.array(UPRIGHT, np.float32)
    quads = (card + rng.normal(0, 60, (400, 1, 2)) + rng.normal(0, 8, (400, 4, 2))).astype(np.float32)
    free = [not lies_on(quad, card) for quad in quads]
    assert 0 < sum(free) < len(free)
    assert are_beside(quads, [card]).tolist() == free
    assert are_beside(quads[:0], [card]).tolist() == []
    assert are_beside(quads, []).all()


def test_a_picture_whose_cards_are_all_sure_is_searched_no_more():
    eye = Shy()
    read_free_picture(laid(ground((60, 110, 40)), NINE, FAR_LEFT), eye, PATIENT)
    assert eye.asked == []


class Counting:
    """A reader, and how many outlines it was asked to name."""

    def __init__(self, reader):
        self.look, self._reader, self.asked = reader.look, reader, 0

    def names(self, picture, quads):
        self.asked += len(quads)
        return self._reader.names(picture, quads)


@pytest.mark.parametrize(("share", "blur_px"), [(1.0, 6.0), (0.3, 0.3)], ids=["too soft", "much too low"])
def test_a_card_that_no_outline_would_get_named_is_searched_no_more(reader, share, blur_px):
    eye, corners = Counting(reader), [(100 + x * share, y * share) for x, y in UPRIGHT]
    picture = cv2.GaussianBlur(laid(ground((60, 110, 40)), NINE, corners), (0, 0), blur_px)
    (found,) = read_free_picture(picture, eye, PATIENT)
    assert (found.face, found.bad_picture) == (CardFace.UNSURE, True)
    assert eye.asked == 0


@pytest.mark.parametrize("effort", [PATIENT, PROMPT], ids=["patient", "prompt"])
def test_no_more_outlines_are_asked_about_than_the_effort_allows(effort):
    noise = np.random.default_rng(4).integers(0, 255, (40, 40, 3)).astype(np.uint8)
    eye = Shy()
    eye.look = lambda _picture, quads: [None for _ in quads]
    read_free_picture(cv2.resize(noise, (640, 640), interpolation=cv2.INTER_NEAREST), eye, effort)
    assert 0 < len(eye.asked) <= 2 * effort.outlines


def test_pieces_of_one_line_are_one_edge_and_those_beside_it_are_not():
    picture = np.full((480, 640, 3), 90, np.uint8)
    for left in (40, 230, 420):
        cv2.rectangle(picture, (left, 100), (left + 150, 400), (200, 200, 200), -1)
    level = [edge for edge in straight_edges(picture) if abs(edge[1] - edge[3]) < 3]
    assert max(abs(float(edge[2] - edge[0])) for edge in level) == pytest.approx(530, abs=60)
    upright = [edge for edge in straight_edges(picture) if abs(edge[0] - edge[2]) < 3]
    assert max(abs(float(edge[3] - edge[1])) for edge in upright) == pytest.approx(300, abs=60)


def test_a_card_of_which_another_hides_a_side_is_looked_for_by_the_size_of_the_one_that_is_known():
    """Its right side is hidden and most of two others: it has no outline of its own."""
    picture = laid(ground((225, 232, 235)), NINE, UPRIGHT)
    middle = np.mean(UPRIGHT, axis=0)
    over = (np.array(UPRIGHT) - middle) * 1.05 + middle + (60, 0)
    picture = laid(picture, SEVEN, over)
    assert apart_px(outlines_in(picture), UPRIGHT) > 20

    class Knowing(Sure):
        """Names the card on top where it is shown it, and keeps what it was asked."""

        def __init__(self):
            self.asked = []

        def names(self, _picture, quads):
            self.asked += quads
            return [FoundCard(quad, CardFace.UP, SEVEN, 0.99) for quad in quads if apart_px([quad], over) < 5][:1]

    eye = Knowing()
    assert [card.card for card in read_free_picture(picture, eye, PATIENT)] == [SEVEN]
    assert apart_px(eye.asked, UPRIGHT) < 16
