"""Draws the simulated felt as camera frames: perspective, light, lens, noise, passing hands.

Frames are `(height, width, 3) uint8`, BGR, of the layout's `frame_px`. A felt that does not change is drawn once;
after that a frame costs one copy and its noise. Everything random comes from the seed, everything timed from the
caller's clock.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.felt.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM, Layout
from devices.sim.felt import FeltView, LyingCard, SimFelt
from devices.sim.picture.deck_art import FELT_POKER, Design, draw_face
from devices.sim.picture.deck_back import draw_back
from devices.sim.picture.felt_scene import CLOTH, bare_felt, draw_hand, light_over, view_of
from devices.sim.picture.suit_shape import Pixels
from studio.ports import CardFace

_SPRITE_PX_PER_MM: Final = 3.0
_SLIDE_PX_PER_MM: Final = 1.34
_NOISE_SPARE_PX: Final = 64

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FeltLook:
    """How the simulated camera and its deck look. `noise` is in grey levels, `blur_px` a Gaussian's sigma."""

    design: Design = FELT_POKER
    back: int = 5
    noise: float = 3.0
    blur_px: float = 0.45
    light: float = 1.0
    cloth: tuple[int, int, int] = CLOTH
    hands: bool = True
    hand_ms: int = 320
    slide_ms: int = 400

    def faster(self, speed: float) -> FeltLook:
        """The same camera above a dealer that much faster: hands pass and cards slide more quickly."""
        return replace(self, hand_ms=round(self.hand_ms / speed), slide_ms=max(160, round(self.slide_ms / speed)))


@dataclass(slots=True)
class _Sprite:
    """A card as it appears in the frame: its place, its colours times its cover, and what shows through."""

    x: int
    y: int
    ink: NDArray[np.float32]
    through: NDArray[np.float32]


@dataclass(slots=True)
class _Seen:
    """When the renderer first met what is moving now, by serial."""

    arrivals: dict[int, int] = field(default_factory=dict)
    departures: dict[int, int] = field(default_factory=dict)
    newest: int = 0


class FeltRenderer:
    """A camera above one simulated felt. Not thread-safe: whoever grabs frames owns it.

    `spoil` switches a fault of the picture: dark, unsharp, moved or frozen; empty for a good one.
    """

    def __init__(self, felt: SimFelt, seed: int, look: FeltLook | None = None) -> None:
        self.spoil = ""
        self._felt = felt
        self._look = look or FeltLook()
        self._rng = random.Random(seed)  # noqa: S311 - a picture's noise
        self._seed = seed
        self._art: dict[str, Pixels] = {}
        self._lay(felt.layout)

    def _lay(self, layout: Layout) -> None:
        """The cloth below the camera."""
        self._laid = layout
        self._view = view_of(layout)
        self._frame_px = layout.frame_px
        self._light = light_over(self._rng, self._frame_px) * np.float32(self._look.light)
        self._bare = bare_felt(layout, self._view, self._light, self._seed, self._look.cloth)
        self._noise = _noise_pair(self._seed, self._look.noise, self._frame_px)
        self._sprites: dict[int, _Sprite] = {}
        self._still: tuple[int, Pixels] = (-1, self._bare)
        self._seen = _seen_of(self._felt.view())
        self._last = self._bare

    def over(self, felt: SimFelt) -> FeltRenderer:
        """The same camera above another felt of the same layout; what was drawn for this one is drawn no more."""
        other = copy.copy(self)
        other._felt, other._sprites, other._rng = felt, {}, random.Random(1)  # noqa: S311 - a picture's noise
        other.spoil, other._still, other._last = "", (-1, self._bare), self._bare
        other._seen = _seen_of(felt.view())
        return other

    @property
    def layout(self) -> Layout:
        return self._laid

    def frame(self, now_ms: int) -> Pixels:
        """What the camera sees now."""
        if self.spoil == "frozen":
            return self._last
        if self._felt.layout is not self._laid:
            self._lay(self._felt.layout)
        view = self._felt.view()
        picture = self._stand(view)
        moving = self._moving(view, now_ms)
        if moving:
            picture = picture.copy()
            for draw in moving:
                draw(picture)
        self._last = self._spoiled(self._noisy(picture))
        return self._last

    def _stand(self, view: FeltView) -> Pixels:
        """The felt with everything that lies still on it."""
        version, picture = self._still
        if version != view.version:
            picture = self._bare.copy()
            for lying in view.cards:
                _paste(picture, self._sprite(lying))
            for zone, place in sorted(view.hands):
                draw_hand(picture, self._view, self.layout, self.layout.slot(zone, place), 0.0)
            lie = {lying.serial for lying in view.cards}
            self._sprites = {serial: sprite for serial, sprite in self._sprites.items() if serial in lie}
            self._still = (view.version, picture)
        return picture

    def _moving(self, view: FeltView, now_ms: int) -> list[Callable[[Pixels], None]]:
        """What passes at this moment: hands that have just laid a card, cards that slide out of the view."""
        return [*self._passing_hands(view, now_ms), *self._sliding_cards(view, now_ms)]

    def _passing_hands(self, view: FeltView, now_ms: int) -> Iterator[Callable[[Pixels], None]]:
        seen, look = self._seen, self._look
        fresh = {c.serial: now_ms for c in view.cards if c.serial > seen.newest}
        seen.newest = max((seen.newest, *fresh))
        seen.arrivals = {serial: at for serial, at in (seen.arrivals | fresh).items() if now_ms - at < look.hand_ms}
        for lying in view.cards:
            if look.hands and lying.slot is not None and lying.serial in seen.arrivals:
                away = (now_ms - seen.arrivals[lying.serial]) / look.hand_ms
                yield partial(
                    draw_hand, view=self._view, layout=self.layout, slot=self.layout.slot(*lying.slot), away=away
                )

    def _sliding_cards(self, view: FeltView, now_ms: int) -> Iterator[Callable[[Pixels], None]]:
        for gone in view.departures:
            age_ms = now_ms - self._seen.departures.setdefault(gone.serial, now_ms)
            if 0 <= age_ms < self._look.slide_ms:
                share = age_ms / self._look.slide_ms
                yield partial(_paste, sprite=self._drawn(_slid(gone.lying, gone.direction, share, self.layout)))

    def _noisy(self, picture: Pixels) -> Pixels:
        if self._look.noise <= 0:
            return picture.copy()
        x, y = self._rng.randrange(_NOISE_SPARE_PX), self._rng.randrange(_NOISE_SPARE_PX)
        width, height = self._frame_px
        more, less = (part[y : y + height, x : x + width] for part in self._noise)
        return np.asarray(cv2.subtract(cv2.add(picture, more), less), dtype=np.uint8)

    def _spoiled(self, picture: Pixels) -> Pixels:
        match self.spoil:
            case "dark":
                return (picture // 16).astype(np.uint8)
            case "unsharp":
                return np.asarray(cv2.GaussianBlur(picture, (0, 0), 7.0), dtype=np.uint8)
            case "moved":
                shift = np.array([[1.0, 0.02, 46.0], [-0.02, 1.0, -31.0]])
                return np.asarray(cv2.warpAffine(picture, shift, self._frame_px), dtype=np.uint8)
            case _:
                return picture

    def _sprite(self, lying: LyingCard) -> _Sprite:
        if lying.serial not in self._sprites:
            self._sprites[lying.serial] = self._drawn(lying)
        return self._sprites[lying.serial]

    def _drawn(self, lying: LyingCard) -> _Sprite:
        """The card's picture put where it lies, through the camera's perspective."""
        art = self._picture_of(lying)
        height, width = art.shape[:2]
        corners = cv2.perspectiveTransform(_corners_mm(lying)[None], self._view)[0]
        x, y = (int(v) - 2 for v in corners.min(axis=0))
        right, bottom = (int(v) + 3 for v in corners.max(axis=0))
        source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        target = (corners - (x, y)).astype(np.float32)
        transform = cv2.getPerspectiveTransform(source, target)
        laid = cv2.warpPerspective(art, transform, (right - x, bottom - y), flags=cv2.INTER_LINEAR)
        if self._look.blur_px > 0:
            laid = cv2.GaussianBlur(laid, (0, 0), self._look.blur_px)
        return _clipped(x, y, laid.astype(np.float32), self._light)

    def _picture_of(self, lying: LyingCard) -> Pixels:
        name = str(lying.card) if lying.face is CardFace.UP else "back"
        if name not in self._art:
            sharp = (
                draw_face(self._look.design, lying.card, _SPRITE_PX_PER_MM)
                if name != "back"
                else draw_back(self._look.back, _SPRITE_PX_PER_MM)
            )
            cover = sharp[:, :, 3:].astype(np.float32) / np.float32(255)
            softened = sharp * np.concatenate((cover, cover, cover, np.ones_like(cover)), axis=2)
            sigma = 0.42 * _SPRITE_PX_PER_MM / _SLIDE_PX_PER_MM
            self._art[name] = np.asarray(cv2.GaussianBlur(softened, (0, 0), sigma), dtype=np.uint8)
        return self._art[name]


def _seen_of(view: FeltView) -> _Seen:
    """The renderer's memory at the start: cards on the felt have not just arrived, and departures so far are old."""
    seen = _Seen(newest=max((card.serial for card in view.cards), default=0))
    seen.departures = {gone.serial: -(1 << 60) for gone in view.departures}
    return seen


def _corners_mm(lying: LyingCard) -> NDArray[np.float64]:
    turn = np.deg2rad(lying.turn_deg)
    spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2)
    return np.asarray(half @ spin + (lying.x_mm, lying.y_mm), dtype=np.float64)


def _slid(lying: LyingCard, direction: str, share: float, layout: Layout) -> LyingCard:
    """The card on its way over an edge of the view; it is gone when `share` is one."""
    reach = {
        "left": (-lying.x_mm - CARD_HEIGHT_MM, 0.0),
        "right": (layout.width_mm - lying.x_mm + CARD_HEIGHT_MM, 0.0),
        "top": (0.0, -lying.y_mm - CARD_HEIGHT_MM),
        "bottom": (0.0, layout.height_mm - lying.y_mm + CARD_HEIGHT_MM),
    }[direction]
    x_mm, y_mm = lying.x_mm + reach[0] * share, lying.y_mm + reach[1] * share
    return LyingCard(lying.serial, lying.card, lying.face, x_mm, y_mm, lying.turn_deg + 6 * share, None)


def _clipped(x: int, y: int, laid: NDArray[np.float32], light: NDArray[np.float32]) -> _Sprite:
    """The part of a picture (colours already times their cover) that lies inside the frame, lit."""
    left, top = max(0, -x), max(0, -y)
    right, bottom = min(laid.shape[1], light.shape[1] - x), min(laid.shape[0], light.shape[0] - y)
    if right <= left or bottom <= top:
        return _Sprite(0, 0, np.zeros((0, 0, 3), np.float32), np.zeros((0, 0, 1), np.float32))
    x, y, laid = x + left, y + top, laid[top:bottom, left:right]
    lit = light[y : y + laid.shape[0], x : x + laid.shape[1], None]
    return _Sprite(x, y, laid[:, :, :3] * lit, 1.0 - laid[:, :, 3:] / np.float32(255))


def _paste(picture: Pixels, sprite: _Sprite) -> None:
    height, width = sprite.ink.shape[:2]
    under = picture[sprite.y : sprite.y + height, sprite.x : sprite.x + width]
    under[:] = np.minimum(under * sprite.through + sprite.ink, 255).astype(np.uint8)


def _noise_pair(seed: int, noise: float, frame_px: tuple[int, int]) -> tuple[Pixels, Pixels]:
    drawn = np.random.default_rng(seed).normal(
        0, max(noise, 1e-6), (frame_px[1] + _NOISE_SPARE_PX, frame_px[0] + _NOISE_SPARE_PX, 3)
    )
    return np.clip(drawn, 0, 255).astype(np.uint8), np.clip(-drawn, 0, 255).astype(np.uint8)
