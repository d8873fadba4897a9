"""Two networks read a card apart; the second is asked only where the first leaves the matter open."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from devices.camera.face.half_reader import HEADS, sureness, together
from devices.camera.face.reader import HOPELESS, SETTLED, SOFT_PX, VERY_SOFT_PX, CardReader, judge
from devices.camera.picture.quadrilateral import CARD_PX, Pixels, halves_of
from devices.camera.picture.softness import softness_px
from devices.sim.picture.deck_art import HOUSE_POKER, draw_face
from studio.cards import DECK

SPADES, CLUBS = 3, 0


def half(rank: int, suit: int, sure: float) -> np.ndarray:
    """A half card that is a face for certain, and of this rank; of its suit it is only so sure."""
    row = np.zeros(20)
    row[0] = row[3 + rank] = 1.0
    row[16:] = (1 - sure) / 3
    row[16 + suit] = sure
    return row


def photographed(index: int, blur_px: float = 0.6) -> Pixels:
    art = draw_face(HOUSE_POKER, DECK[index], 2.0)
    cover = art[:, :, 3:] / 255.0
    flat = art[:, :, :3] * cover + np.array([60, 110, 40]) * (1 - cover)
    card = cv2.resize(np.clip(flat, 0, 255).astype(np.uint8), CARD_PX, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(index).normal(0, 4, card.shape)
    return np.clip(cv2.GaussianBlur(card, (0, 0), blur_px) + noise, 0, 255).astype(np.uint8)


class Counted:
    """The second network, and how many halves it was asked about."""

    def __init__(self, reader: CardReader, monkeypatch: pytest.MonkeyPatch) -> None:
        self.halves = 0
        self._hear = reader._second.hear
        monkeypatch.setattr(reader._second, "hear", self)

    def __call__(self, halves: list[Pixels]) -> object:
        self.halves += len(halves)
        return self._hear(halves)


def test_together_they_are_sure_only_of_what_both_say() -> None:
    agreed = together(half(5, SPADES, 0.99)[None], half(5, SPADES, 0.99)[None])
    torn = together(half(5, SPADES, 0.99)[None], half(5, CLUBS, 0.99)[None])
    assert sureness(agreed)[0] == pytest.approx(0.99)
    assert sureness(torn)[0] < 0.5
    assert all(torn[0, head].sum() == pytest.approx(1.0) for head in HEADS)


def test_a_certainty_of_nought_is_no_veto_without_end() -> None:
    assert np.isfinite(together(half(1, SPADES, 1.0)[None], half(1, CLUBS, 1.0)[None])).all()


def test_the_second_network_is_asked_only_of_cards_that_the_first_leaves_open(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = CardReader()
    cards = [photographed(i, blur) for i in range(0, 52, 5) for blur in (0.6, 2.8)]
    first = np.stack([sureness(reader._first.hear(list(halves_of(card)))[0]).min() for card in cards])
    still_open = int(((first >= HOPELESS) & (first < SETTLED)).sum())
    second = Counted(reader, monkeypatch)
    scores = reader.scores(cards)
    assert second.halves == 2 * still_open
    assert 0 < still_open < len(cards)
    assert {judge(one, 120).card for one in scores} <= {*(DECK[i] for i in range(0, 52, 5)), None}


def test_a_picture_of_nothing_does_not_trouble_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = CardReader()
    second = Counted(reader, monkeypatch)
    reader.scores([np.full((CARD_PX[1], CARD_PX[0], 3), 90, np.uint8)])
    assert second.halves == 0


@pytest.mark.parametrize(("blur_px", "least_px", "apart"), [(2.4, SOFT_PX, "dh"), (4.2, VERY_SOFT_PX, "")])
def test_suits_that_a_soft_picture_mixes_up_are_not_told_apart(blur_px: float, least_px: float, apart: str) -> None:
    reader, cards = CardReader(), [card for card in DECK if card.rank in "2468TQ"]
    soft = [photographed(card.index, blur_px) for card in cards]
    assert min(softness_px(art) for art in soft) > least_px
    for card, art, scores in zip(cards, soft, reader.scores(soft), strict=True):
        named = judge(scores, 120).card
        settled = sureness(reader._first.hear(list(halves_of(art)))[0]).min() >= SETTLED
        assert named in (card, None)
        assert settled or card.suit in apart or named is None


def test_softness_grows_with_the_blur_whatever_the_light() -> None:
    blurs = (0.6, 1.2, 2.0, 2.8, 3.6)
    sharp_to_soft = [softness_px(photographed(24, blur)) for blur in blurs]
    assert sharp_to_soft == sorted(sharp_to_soft)
    dark = (photographed(24, 2.8).astype(np.float32) * 0.4).astype(np.uint8)
    assert softness_px(dark) == pytest.approx(softness_px(photographed(24, 2.8)), rel=0.2)


def test_where_nothing_is_printed_nothing_is_sharp() -> None:
    assert softness_px(np.full((CARD_PX[1], CARD_PX[0], 3), 200, np.uint8)) == float("inf")
