"""Counts how surely a card of known size is found on the felt: `python -m bench.felt_locating`.

Cards lie as no dealer should lay them: touching, overlapped, under a finger or a chip, on cloth as white as
themselves. What is found is held against where the renderer put it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import click
import cv2
import numpy as np

from devices.camera.face.reader import CardReader, judge
from devices.camera.felt.calibration import calibrate
from devices.camera.felt.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM, layout_for
from devices.camera.picture.gate import thumbnail
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.place.sight import SeenCard, Sight
from devices.sim.felt import LyingCard, SimFelt
from devices.sim.picture.deck_back import draw_back
from devices.sim.picture.felt_render import FeltLook, FeltRenderer
from devices.sim.picture.felt_scene import view_of
from studio.cards import DECK, Card
from studio.games import find_game
from studio.ports import CardFace

_NEAR_MM: Final = 2.0
_UNLIKE_LEVELS: Final = 60.0
_WHITE: Final = (222, 226, 228)
_SKIN: Final = (128, 160, 214)


@dataclass(frozen=True, slots=True)
class Scene:
    """How the cards lie: `lay` moves those of a row, `over` draws what lies on them; how many must be found."""

    title: str
    lay: Callable[[list[LyingCard], random.Random], list[LyingCard]]
    over: Callable[[Pixels, np.ndarray, random.Random], None]
    look: FeltLook
    share: float


@dataclass(slots=True)
class Count:
    """Of the cards shown so many were found within 2 mm, and named; `wrong` were named wrongly."""

    shown: int = 0
    found: int = 0
    named: int = 0
    wrong: int = 0
    ms: float = 0.0


class _LaidFelt(SimFelt):
    """A felt whose cards lie exactly where they are put."""

    def put(self, cards: list[LyingCard]) -> None:
        self.clear()
        for lying in cards:
            self._cards.append(lying)
        self._changed()


def _apart(cards: list[LyingCard], rng: random.Random) -> list[LyingCard]:
    return [
        replace(one, x_mm=one.x_mm + rng.uniform(-3, 3), y_mm=one.y_mm + rng.uniform(-3, 3), turn_deg=_askew(rng, 3))
        for one in cards
    ]


def _touching(over_mm: float) -> Callable[[list[LyingCard], random.Random], list[LyingCard]]:
    """Every second card of a row pushed against the one before, or a little over it; the later lies on top."""

    def lay(cards: list[LyingCard], rng: random.Random) -> list[LyingCard]:
        turn_deg, down_mm = _askew(rng, 2), rng.uniform(-3, 3)
        laid = [replace(one, x_mm=one.x_mm + rng.uniform(5, 6), turn_deg=turn_deg) for one in cards[::2]]
        for before, one in zip(laid[: len(cards[1::2])], cards[1::2], strict=False):
            at_mm = before.x_mm + CARD_WIDTH_MM - rng.uniform(0, over_mm)
            down = down_mm if before.y_mm == one.y_mm else 0.0
            laid.append(replace(one, x_mm=at_mm, y_mm=one.y_mm + down, turn_deg=turn_deg))
        return sorted(laid, key=lambda one: one.serial)

    return lay


def _askew(rng: random.Random, most_deg: float) -> float:
    return rng.uniform(-most_deg, most_deg)


def _nothing(_picture: Pixels, _quad: np.ndarray, _rng: random.Random) -> None:
    pass


def _finger(picture: Pixels, quad: np.ndarray, rng: random.Random) -> None:
    """A finger from outside that ends 10 to 25 % of a card's height within a side that is no index's."""
    side = rng.choice((0, 1, 2, 3))
    start, end = quad[side], quad[(side + 1) % 4]
    on = start + (end - start) * rng.uniform(0.35, 0.65)
    inward = quad.mean(axis=0) - on
    tip, root = on + inward * rng.uniform(0.2, 0.5), on - inward * 2.2
    cv2.line(picture, _px(tip), _px(root), _SKIN, rng.randint(16, 24), cv2.LINE_AA)


def _chip(picture: Pixels, quad: np.ndarray, rng: random.Random) -> None:
    """A chip of 39 mm over a corner, a third of it on the card."""
    corner = quad[rng.randrange(4)]
    middle = corner - (quad.mean(axis=0) - corner) * rng.uniform(0.0, 0.12)
    radius = round(39 / 2 * float(np.linalg.norm(quad[1] - quad[0])) / CARD_WIDTH_MM)
    ink = [rng.randint(20, 200) for _ in range(3)]
    cv2.circle(picture, _px(middle), radius, ink, -1, cv2.LINE_AA)
    cv2.circle(picture, _px(middle), round(radius * 0.7), (235, 235, 235), 2, cv2.LINE_AA)


def _px(point: np.ndarray) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


_GREEN, _PALE = FeltLook(hands=False), FeltLook(hands=False, cloth=_WHITE)
SCENES: Final = (
    Scene("separate cards", _apart, _nothing, _GREEN, 0.995),
    Scene("edge to edge", _touching(0.0), _nothing, _GREEN, 0.95),
    Scene("overlapped by up to 5 mm", _touching(5.0), _nothing, _GREEN, 0.95),
    Scene("a finger on the card", _apart, _finger, _GREEN, 0.95),
    Scene("a chip over a corner", _apart, _chip, _GREEN, 0.95),
    Scene("separate cards on near-white cloth", _apart, _nothing, _PALE, 0.95),
    Scene("edge to edge on near-white cloth", _touching(0.0), _nothing, _PALE, 0.95),
)


def measure(scene: Scene, pictures: int, seed: int) -> Count:
    """Twelve cards face up and four face down in each picture."""
    reader, count = CardReader(), Count()
    layout = layout_for(find_game("three_knights").felt.zones)
    for number in range(pictures):
        rng = random.Random(seed * 1_000 + number)
        felt = _LaidFelt(layout, rng)
        renderer = FeltRenderer(felt, seed * 1_000 + number, replace(scene.look, back=_back(rng, scene.look.cloth)))
        empty = renderer.frame(0)
        calibration = calibrate(empty, layout)
        assert calibration is not None, "The markers of a rendered felt are always found."
        sight = Sight(replace(calibration, empty=empty), thumbnail(empty))
        cards = _scene_of(felt, scene, rng)
        felt.put(cards)
        frame = renderer.frame(1)
        for quad in _quads(cards, view_of(layout)):
            scene.over(frame, quad, rng)
        began = time.process_time()
        for lying in cards:
            _look(count, reader, sight.card_at(layout.slot(*lying.slot or ("", 0)), frame), lying)
        count.ms += (time.process_time() - began) * 1e3
    return count


def _back(rng: random.Random, cloth: tuple[int, int, int]) -> int:
    """A back that is not of the cloth's own colour: no house plays with one its camera cannot see."""
    while True:
        seed = rng.randrange(1_000)
        ink = draw_back(seed, 1.0)[:, :, :3].reshape(-1, 3).mean(axis=0)
        if float(np.abs(ink - np.array(cloth)).max()) > _UNLIKE_LEVELS:
            return seed


def _scene_of(felt: _LaidFelt, scene: Scene, rng: random.Random) -> list[LyingCard]:
    deck = list(DECK)
    rng.shuffle(deck)
    rows: dict[str, list[LyingCard]] = {}
    for serial, slot in enumerate(one for one in felt.layout.slots if not one.pile):
        face = CardFace.DOWN if slot.zone == "burn" else CardFace.UP
        rows.setdefault(slot.zone, []).append(
            LyingCard(serial + 1, deck[serial], face, slot.x_mm, slot.y_mm, 0.0, slot.name)
        )
    return [lying for row in rows.values() for lying in scene.lay(row, rng)]


def _quads(cards: list[LyingCard], view: np.ndarray) -> Iterator[np.ndarray]:
    for lying in cards:
        turn = np.deg2rad(lying.turn_deg)
        spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2)
        yield cv2.perspectiveTransform((half @ spin + (lying.x_mm, lying.y_mm))[None], view)[0]


def _look(count: Count, reader: CardReader, seen: SeenCard | object, lying: LyingCard) -> None:
    count.shown += 1
    if not isinstance(seen, SeenCard):
        return
    count.found += abs(seen.x_mm - lying.x_mm) < _NEAR_MM and abs(seen.y_mm - lying.y_mm) < _NEAR_MM
    said: Card | None = judge(reader.scores([seen.picture])[0], seen.height_px).card
    right = said == lying.card and lying.face is CardFace.UP
    count.named += right
    count.wrong += said is not None and not right


@click.command()
@click.option("--pictures", default=40, show_default=True, help="Pictures of sixteen cards for each scene.")
@click.option("--seed", default=1, show_default=True)
def main(pictures: int, seed: int) -> None:
    """Count, for each scene, the cards found where they lie; exit 1 when a scene misses its share or one is wrong."""
    cv2.setNumThreads(1)
    missed = False
    click.echo("| scene | shown | found | share | wanted | named of the face-up | WRONG | ms a card |")
    click.echo("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for scene in SCENES:
        count = measure(scene, pictures, seed)
        share = count.found / count.shown
        missed |= share < scene.share or count.wrong > 0
        click.echo(
            f"| {scene.title} | {count.shown} | {count.found} | {100 * share:.1f} % | {100 * scene.share:.1f} % "
            f"| {count.named} of {count.shown * 3 // 4} | {count.wrong} | {count.ms / count.shown:.1f} |"
        )
    raise SystemExit(1 if missed else 0)


if __name__ == "__main__":
    main()
