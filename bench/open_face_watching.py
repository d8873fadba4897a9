"""Measures how a camera watches hands of Open-Face Chinese: streets dealt down, rows laid open.

Every card is dealt and laid as at a table; each word of the camera is held against what lies there.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import cv2

from bench.figure import Figure
from devices.camera.felt.layout import SlotName, layout_for
from devices.camera.source.live import open_source
from devices.camera.watch import Watcher
from devices.sim.felt import LyingCard, SimFelt
from devices.sim.picture.felt_render import FeltRenderer
from studio.cards import DECK, Card, Sealer
from studio.games import find_game
from studio.games.ofc import SEATS
from studio.games.ofc_hand import FIRST_STREET, LATER_STREET, LATER_STREETS, row_zone
from studio.ports import CameraSawCard, CardFace
from studio.rulebook.open_face import ROWS

HANDS = 3
FANTASY = 17
FRAME_MS = 80
CARD_MS = 400
SETTLE_MS = 1_200


def measure() -> Sequence[Figure]:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        watched = watch_hands(HANDS, seed=1)
    finally:
        cv2.setNumThreads(threads)
    return [
        Figure(
            name=f"{HANDS} hands of three seats, one in fantasy, {watched.told} words of the camera: wrong ones",
            value=watched.wrong, unit="words", target="0", holds=not watched.wrong,
        ),
        Figure(name="cards it was unsure of", value=watched.unsure, unit="cards"),
        Figure(
            name="cards that lay there and were not told as they lay", value=watched.missed, unit="cards", target="0",
            holds=not watched.missed,
        ),
    ]  # fmt: skip


@dataclass(slots=True)
class Watched:
    """What the camera said of cards: `told` right, `wrong`, or `unsure`; `missed` were never told as they lay."""

    told: int = 0
    wrong: int = 0
    unsure: int = 0
    missed: int = 0


def watch_hands(hands: int, seed: int) -> Watched:
    """Hands of three seats, the first of them in fantasy, watched through rendered frames."""
    table = _Table(seed)
    try:
        for _ in range(hands):
            table.hand()
    finally:
        table.close()
    return table.watched


class _Table:
    def __init__(self, seed: int) -> None:
        self.watched = Watched()
        self._rng = random.Random(seed)
        self._felt = SimFelt(layout_for(find_game("ofc").felt.zones), self._rng)
        camera = FeltRenderer(self._felt, seed)
        source = open_source("sim://felt", {"felt": camera.frame})
        self._watcher = Watcher(source, self._felt.layout, Sealer(self._rng.randbytes))
        self._now_ms = 0
        self._last: dict[SlotName, CameraSawCard] = {}
        self._deck: list[Card] = []
        self._look(SETTLE_MS)

    def close(self) -> None:
        self._watcher.close()

    def hand(self) -> None:
        """Three seats: the first is dealt its whole hand at once, the others street by street."""
        fantasy, *others = SEATS
        self._deck = self._rng.sample(DECK, len(DECK))
        rows = {seat: _places(seat) for seat in SEATS}
        for places in rows.values():
            self._rng.shuffle(places)
        self._deal(fantasy, FANTASY)
        for street in range(1 + LATER_STREETS):
            cards = LATER_STREET if street else FIRST_STREET
            for seat in others:
                self._deal(seat, cards)
            for seat in others:
                self._lay(seat, cards, rows[seat], keep=cards - (street > 0))
        self._lay(fantasy, FANTASY, rows[fantasy], keep=sum(ROWS.values()))
        self._felt.clear()
        self._look(SETTLE_MS)

    def _deal(self, seat: str, count: int) -> None:
        for place in range(1, count + 1):
            self._felt.lay(seat, place, self._deck.pop(), CardFace.DOWN)
            self._look(CARD_MS)
        self._settle()

    def _lay(self, seat: str, count: int, places: list[SlotName], *, keep: int) -> None:
        for place in range(1, count + 1):
            target, face = (places.pop(), CardFace.UP) if place <= keep else (("discard", 1), CardFace.DOWN)
            self._felt.lay(*target, self._felt.take(seat, place), face)
        self._settle()

    def _settle(self) -> None:
        """Look until all is told; whatever lies in a place and was not told as it lies is missed."""
        self._look(SETTLE_MS)
        for slot, lying in self._felt.view().top().items():
            seen = self._last.get(slot)
            self.watched.missed += seen is None or seen.face is not lying.face

    def _look(self, for_ms: int) -> None:
        lying = self._felt.view().top()
        for _ in range(for_ms // FRAME_MS):
            self._now_ms += FRAME_MS
            for seen in self._watcher.step(self._now_ms):
                if isinstance(seen, CameraSawCard):
                    self._last[seen.zone, seen.place] = seen
                    self._hold(seen, lying.get((seen.zone, seen.place)))

    def _hold(self, seen: CameraSawCard, there: LyingCard | None) -> None:
        """A word of the camera against what lies there."""
        if seen.face is CardFace.UNSURE:
            self.watched.unsure += 1
        elif there is None or seen.face is not there.face or (seen.card and seen.card.card() is not there.card):
            self.watched.wrong += 1
        else:
            self.watched.told += 1


def _places(seat: str) -> list[SlotName]:
    """Every place of the rows of a seat."""
    return [(row_zone(seat, row), place) for row, most in ROWS.items() for place in range(1, most + 1)]
