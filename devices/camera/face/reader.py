"""Names a card from its picture, or refuses to.

A small network reads the two half cards independently, and where it neither settles the matter nor rules a card out a
second one too (`half_reader.py`); a card is named only when both halves say the same and both are sure. A wrong card is
far worse than "not sure".
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from devices.camera.face.deck import DeckEye, DeckLooks, Vote, vote_of
from devices.camera.face.half_reader import FACE, HEADS, HalfReader, sureness, together
from devices.camera.outline.free_picture import FoundCard, read_free_picture
from devices.camera.outline.line_search import PROMPT, Effort
from devices.camera.picture.quadrilateral import Pixels, Quad, halves_of, rectify, upper_half
from devices.camera.picture.softness import softness_px
from studio.cards import RANKS, SUITS, Card
from studio.ports import CardFace

Scores = NDArray[np.float64]
"""Probabilities of both halves, `(2, 20)`: face, back, other; ranks 2 to A; suits c d h s; then a deck's votes."""

HEIGHT_PX_MIN: Final = 100.0
"""Below this height of a card in the frame clubs and spades get mixed up: it is refused."""

SURE_FACE: Final = 0.97
"""On a calibrated felt, where a card's size is known and two frames at least are fused."""

SURE_FREE: Final = 0.99
"""Asked for in a picture of anything, where many outlines are tried and each is a chance to be wrong."""

SURE_BACK: Final = 0.90
SURE_ENROLLED: Final = 0.5
"""Enough for a card that an enrolled deck names alike."""

DECK_LIKENESS: Final = 0.72
DECK_BACK_LIKENESS: Final = 0.55
"""Below it the print of a face, or a back, is none of the deck's."""

DECK_MARGIN: Final = 0.03
DECK_MARGIN_ALONE: Final = 0.06
"""By how much the nearest card of the deck must be nearer than the next, beside the network and nearly without it.

The nearest card was the wrong one in 19 of 1,500 bad pictures of five decks, never by more than 0.019.
"""

HALF_SURE: Final = 0.97
"""So sure of one half of an outline, and not of the other, it is a card whose other end lies elsewhere."""

SETTLED: Final = 0.999
"""From here on the first network's word is enough: so sure, it was wrong of 3 of 34,465 hard cards nobody
taught, before it learned on.
"""

HOPELESS: Final = 0.5
"""Below it the first network's doubt stands, of a half that a hand hides for example."""

SOFT_PX: Final = 1.8
VERY_SOFT_PX: Final = 2.2
"""Blurred more than the one a rectified card's clubs and spades are not told apart, blurred more than the other none of
the suits: both networks take clubs for spades there, and at last hearts for diamonds.
"""

_NOT_AGAINST: Final = 0.02
_MUCH_TOO_LOW: Final = 0.9
"""Of the height asked for; a card that is nearly so high may be so in a better outline."""
_BACK, _OTHER = 1, 2
_RANKS, _SUITS = HEADS[1:]
_BLACK: Final = [_SUITS.start, _SUITS.start + 3]
_PLAIN: Final = 20


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is said of a card; `card` is given exactly when `face` is UP."""

    face: CardFace
    card: Card | None
    confidence: float
    foreign: bool = False
    """It is held to an enrolled deck and is no card of it."""


class CardReader:
    """The networks and the rule by which their word counts; not thread-safe, each camera has its own.

    With an enrolled `deck` every card is held to it: its scores carry the deck's vote, and `judge` hears both.
    """

    def __init__(self, deck: DeckLooks | None = None) -> None:
        self._first, self._second = HalfReader("reader"), HalfReader("second")
        self.digest = hashlib.sha256((self._first.digest + self._second.digest).encode()).hexdigest()
        self._eye = DeckEye(deck, self.vectors) if deck else None

    @property
    def deck(self) -> DeckLooks | None:
        """The enrolled deck cards are held to."""
        return self._eye.deck if self._eye else None

    def read(self, picture: Pixels, effort: Effort = PROMPT) -> list[FoundCard]:
        """Every card found in a picture of any size, BGR; things that are no card are left out."""
        return read_free_picture(picture, self, effort)

    def look(self, picture: Pixels, quads: Sequence[Quad]) -> list[FoundCard | None]:
        """The card in each outline, in the same order; None for an outline that holds no card."""
        scores = self.scores([rectify(picture, quad) for quad in quads])
        found: list[FoundCard | None] = []
        for quad, of_card in zip(quads, scores, strict=True):
            said = judge(of_card, card_height_px(quad), SURE_FREE)
            odd = said.face is CardFace.UNSURE and float(of_card[:, _OTHER].max()) > 0.5
            bad = said.face is CardFace.UNSURE and _is_bad_picture(of_card, card_height_px(quad))
            found.append(None if odd else FoundCard(quad, said.face, said.card, said.confidence, bad))
        return found

    def names(self, picture: Pixels, quads: Sequence[Quad]) -> list[FoundCard]:
        """The outlines that are a card it is sure of, and as unsure those of whose first half alone; a second
        half is looked at only where the first may be one.
        """
        quads = [quad for quad in quads if card_height_px(quad) >= HEIGHT_PX_MIN]
        uppers = self._first.hear([upper_half(picture, quad) for quad in quads])
        may = [at for at, half in enumerate(uppers[0]) if self._may_be_named(half)]
        cards = [rectify(picture, quads[at]) for at in may]
        lowers = self._first.hear([halves_of(card)[1] for card in cards])
        rows, vectors = (np.stack((one[may], two), axis=1) for one, two in zip(uppers, lowers, strict=True))
        found: list[FoundCard] = []
        for at, of_card in zip(may, self._said(cards, rows, vectors), strict=True):
            said = judge(of_card, card_height_px(quads[at]), SURE_FREE)
            if said.card is not None:
                found.append(FoundCard(quads[at], said.face, said.card, said.confidence))
            elif (half := float(sureness(of_card[0]))) >= HALF_SURE > float(sureness(of_card[1])):
                found.append(FoundCard(quads[at], CardFace.UNSURE, None, half))
        return found

    def _may_be_named(self, half: NDArray[np.float64]) -> bool:
        """Whether a card can still be named when the first network says this of one of its halves."""
        against = half[_RANKS].max() * half[_SUITS].max() < _NOT_AGAINST
        return bool(sureness(half) >= HOPELESS if self._eye is None else not against)

    def scores(self, cards: Sequence[Pixels]) -> list[Scores]:
        """The probabilities of rectified cards, `(160, 112, 3) uint8` each."""
        return self._said(cards, *self._of_both_halves(cards))

    def _said(self, cards: Sequence[Pixels], rows: NDArray[np.float64], vectors: NDArray[np.float64]) -> list[Scores]:
        """The probabilities of cards of which the first network says this of both halves, and the deck's votes."""
        doubtful = [at for at, halves in enumerate(rows) if HOPELESS <= sureness(halves).min() < SETTLED]
        seconds, _ = self._second.hear([half for at in doubtful for half in halves_of(cards[at])])
        rows[doubtful] = together(rows[doubtful], seconds.reshape(-1, 2, _PLAIN))
        for at, halves in enumerate(rows):
            if at in doubtful or (self._eye is not None and sureness(halves).min() < HOPELESS):
                _mix_suits(halves, softness_px(cards[at]))
        if self._eye is None:
            return list(rows)
        votes = [self._eye.votes(card, vector) for card, vector in zip(cards, vectors, strict=True)]
        return [np.concatenate(both, axis=1) for both in zip(rows, votes, strict=True)]

    def vectors(self, cards: Sequence[Pixels]) -> NDArray[np.float64]:
        """The first network's features of both halves of each card, before it names them: `(cards, 2, n)`."""
        return self._of_both_halves(cards)[1]

    def _of_both_halves(self, cards: Sequence[Pixels]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The first network's probabilities and its vectors before them, `(cards, 2, n)` each."""
        rows, vectors = self._first.hear([half for card in cards for half in halves_of(card)])
        return rows.reshape(-1, 2, rows.shape[1]), vectors.reshape(-1, 2, vectors.shape[1])


def _mix_suits(halves: NDArray[np.float64], soft_px: float) -> None:
    """Give the suits that cannot be told apart in so soft a picture the same probability."""
    alike = [*range(_SUITS.start, _SUITS.stop)] if soft_px > VERY_SOFT_PX else _BLACK if soft_px > SOFT_PX else []
    if alike:
        halves[:, alike] = halves[:, alike].mean(axis=1, keepdims=True)


def _is_bad_picture(scores: Scores, height_px: float) -> bool:
    """Whether both halves surely show a face of one rank, and it is the picture that is too soft, or too small."""
    kinds, ranks, suits = (scores[:, head] for head in HEADS)
    faces = kinds[:, FACE] * ranks.max(axis=1) >= SURE_FACE
    mixed = np.count_nonzero(suits == suits.max(axis=1, keepdims=True), axis=1) > 1
    poor = mixed.all() or height_px < _MUCH_TOO_LOW * HEIGHT_PX_MIN
    return bool(poor and faces.all() and ranks[0].argmax() == ranks[1].argmax())


def judge(scores: Scores, height_px: float, sure_face: float = SURE_FACE) -> Judgement:
    """Name the card only when both halves agree and both are sure, and it is large enough to be read.

    Scores that carry the vote of an enrolled deck are held to it.
    """
    if scores.shape[1] > _PLAIN:
        return _judge_enrolled(scores, vote_of(scores[:, _PLAIN:]), height_px)
    kind = scores[:, :3].argmax(axis=1)
    if (kind == _BACK).all():
        back = float(scores[:, _BACK].min())
        return Judgement(CardFace.DOWN if back >= SURE_BACK else CardFace.UNSURE, None, back)
    card, sure = _named(scores)
    if height_px < HEIGHT_PX_MIN or card is None or not (kind == FACE).all() or sure < sure_face:
        return Judgement(CardFace.UNSURE, None, min(sure, 0.5) if card is None else sure)
    return Judgement(CardFace.UP, card, sure)


def _judge_enrolled(scores: Scores, vote: Vote, height_px: float) -> Judgement:
    """Both the network and the deck must say the same card, and the print must be that card's.

    The deck is seen by the same network, so it parts no suits either that the picture is too soft to tell apart.
    """
    card, sure = _named(scores)
    if vote.likeness < (DECK_LIKENESS if vote.card else DECK_BACK_LIKENESS):
        return Judgement(CardFace.UNSURE, None, min(sure, 0.5), foreign=True)
    if vote.card is None:
        back = float(scores[:, FACE].max()) < 0.5 and vote.margin >= DECK_MARGIN
        return Judgement(CardFace.DOWN if back else CardFace.UNSURE, None, vote.likeness if back else 0.5)
    alone = float((scores[:, _RANKS][:, vote.card.index // 4] * scores[:, _SUITS][:, vote.card.index % 4]).min())
    read = (card == vote.card and sure >= SURE_ENROLLED) or (vote.margin >= DECK_MARGIN_ALONE and alone >= _NOT_AGAINST)
    mixed = np.count_nonzero(scores[:, _SUITS] == scores[:, _SUITS][:, [vote.card.index % 4]], axis=1) > 1
    if height_px < HEIGHT_PX_MIN or not read or vote.margin < DECK_MARGIN or mixed.any():
        return Judgement(CardFace.UNSURE, None, min(sure, 0.5))
    return Judgement(CardFace.UP, vote.card, sure)


def _named(scores: Scores) -> tuple[Card | None, float]:
    """The card both halves name, and the weaker half's probability."""
    ranks, suits, sure = scores[:, _RANKS], scores[:, _SUITS], float(sureness(scores).min())
    agree = ranks[0].argmax() == ranks[1].argmax() and suits[0].argmax() == suits[1].argmax()
    return (Card(RANKS[int(ranks[0].argmax())], SUITS[int(suits[0].argmax())]) if agree else None), sure


def fuse(looks: Sequence[Scores]) -> Scores:
    """One set of probabilities from several frames: the mean, so that one doubtful frame keeps its weight."""
    return np.asarray(np.mean(np.stack(looks), axis=0), dtype=np.float64)


def card_height_px(quad: Quad) -> float:
    """How high the card in an outline is."""
    return float((np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2)
