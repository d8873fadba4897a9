"""How a simulated deck's faces look: poker and casino layouts, drawn by Pillow.

A `Design` is everything that differs between two decks. `HOUSE_POKER` and `HOUSE_CASINO` are the decks of
the simulated felt; `random_design` draws the many others the reader is trained and tested on.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from devices.camera.felt.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM
from devices.sim.picture.suit_shape import Pixels, suit_mask, suit_width
from studio.cards import Card

Colour = tuple[int, int, int]
"""Red, green, blue."""

_GLYPH_PX: Final = 110
_SIGNS: Final = {"c": "\u2663", "d": "\u2666", "h": "\u2665", "s": "\u2660"}
_HALF_PIPS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "A": (),
    "2": ((0.5, 0.2),),
    "3": ((0.5, 0.2),),
    "4": ((0.32, 0.2), (0.68, 0.2)),
    "5": ((0.32, 0.2), (0.68, 0.2)),
    "6": ((0.32, 0.2), (0.68, 0.2)),
    "7": ((0.32, 0.2), (0.68, 0.2)),
    "8": ((0.32, 0.2), (0.68, 0.2), (0.5, 0.35)),
    "9": ((0.32, 0.2), (0.68, 0.2), (0.32, 0.4), (0.68, 0.4)),
    "T": ((0.32, 0.2), (0.68, 0.2), (0.32, 0.4), (0.68, 0.4), (0.5, 0.3)),
}
_SINGLE_PIPS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "A": ((0.5, 0.5),),
    "3": ((0.5, 0.5),),
    "5": ((0.5, 0.5),),
    "6": ((0.32, 0.5), (0.68, 0.5)),
    "7": ((0.32, 0.5), (0.68, 0.5), (0.5, 0.35)),
    "8": ((0.32, 0.5), (0.68, 0.5)),
    "9": ((0.5, 0.5),),
}


@dataclass(frozen=True, slots=True)
class Design:
    """One deck's look; lengths in millimetres on a card of 63 × 88. `font` is a file, or "" for Pillow's own."""

    layout: Literal["poker", "casino"]
    font: str = ""
    heavy: int = 3
    rank_mm: float = 13.0
    rank_wide: float = 0.62
    suit_mm: float = 9.5
    inset_mm: tuple[float, float] = (3.4, 4.2)
    gap_mm: float = 1.8
    pip_mm: float = 13.0
    pips: bool = True
    plump: int = 2
    colours: tuple[Colour, Colour, Colour, Colour] = ((24, 24, 26), (196, 26, 34), (196, 26, 34), (24, 24, 26))
    """Clubs, diamonds, hearts, spades."""
    paper: Colour = (250, 249, 245)
    edge: Colour | None = None
    corner_mm: float = 3.5
    ten: str = "10"
    four_indices: bool = False
    art_seed: int = 7
    suit_font: str = ""
    """A typeface whose suit signs are printed instead of our own outlines."""
    suit_wide: float = 1.0


HOUSE_POKER: Final = Design("poker")
FELT_POKER: Final = Design("poker", suit_mm=11.0)
"""The deck that lies on simulated felts: the reader is sure of all its cards. Of `HOUSE_POKER`, whose suit signs are
smaller, it is unsure of one ace of hearts in ten unless the deck is enrolled.
"""

HOUSE_CASINO: Final = Design(
    "casino", rank_mm=25.0, rank_wide=0.72, suit_mm=22.0, inset_mm=(4.5, 5.0), heavy=4, pips=False
)


def draw_face(design: Design, card: Card, px_per_mm: float) -> Pixels:
    """The face of a card, `(height, width, 4) uint8`, BGRA, its rounded corners transparent."""
    sheet = _Sheet(design, px_per_mm)
    _middle(sheet, card)
    for _ in range(2):
        _half(sheet, card)
        sheet.picture = sheet.picture.transpose(Image.Transpose.ROTATE_180)
    return sheet.cut_out()


class _Sheet:
    """A card under the pen."""

    def __init__(self, design: Design, px_per_mm: float) -> None:
        self.design = design
        self.px_per_mm = px_per_mm
        size = (round(CARD_WIDTH_MM * px_per_mm), round(CARD_HEIGHT_MM * px_per_mm))
        self.picture = Image.new("RGB", size, design.paper)

    def stamp(self, mask: Image.Image, at_mm: tuple[float, float], size_mm: tuple[float, float], ink: Colour) -> None:
        """Print a mask with its top left corner there."""
        size = (max(1, round(size_mm[0] * self.px_per_mm)), max(1, round(size_mm[1] * self.px_per_mm)))
        place = (round(at_mm[0] * self.px_per_mm), round(at_mm[1] * self.px_per_mm))
        self.picture.paste(
            ink, (*place, place[0] + size[0], place[1] + size[1]), mask.resize(size, Image.Resampling.BOX)
        )

    def suit(self, suit: str, centre_mm: tuple[float, float], height_mm: float) -> None:
        design = self.design
        width_mm = height_mm * suit_width(suit, design.plump) * design.suit_wide
        corner = (centre_mm[0] - width_mm / 2, centre_mm[1] - height_mm / 2)
        sign = _glyph(design.suit_font, _SIGNS[suit], 0) if design.suit_font else suit_mask(suit, design.plump)
        self.stamp(sign, corner, (width_mm, height_mm), self.ink(suit))

    def ink(self, suit: str) -> Colour:
        return self.design.colours["cdhs".index(suit)]

    def box(self, corners_mm: tuple[float, float, float, float], ink: Colour, *, fill: Colour | None = None) -> None:
        corners = [round(corner * self.px_per_mm) for corner in corners_mm]
        ImageDraw.Draw(self.picture).rectangle(
            corners, outline=ink, fill=fill, width=max(1, round(self.px_per_mm * 0.4))
        )

    def cut_out(self) -> Pixels:
        return cut_out(self.picture, self.px_per_mm, self.design.corner_mm, self.design.edge)


def cut_out(picture: Image.Image, px_per_mm: float, corner_mm: float, edge: Colour | None = None) -> Pixels:
    """An RGB picture of a whole card as BGRA, with round corners and, when given, a printed edge line."""
    over = 2
    corners = (picture.width * over - 1, picture.height * over - 1)
    mask = Image.new("L", (picture.width * over, picture.height * over), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, *corners), radius=corner_mm * px_per_mm * over, fill=255)
    if edge is not None:
        last = (picture.width - 1, picture.height - 1)
        ImageDraw.Draw(picture).rounded_rectangle((0, 0, *last), radius=corner_mm * px_per_mm, outline=edge, width=1)
    alpha = np.asarray(mask.resize(picture.size, Image.Resampling.BOX))
    return np.dstack((np.asarray(picture)[:, :, ::-1], alpha))


def _half(sheet: _Sheet, card: Card) -> None:
    """What stands upright in the upper half and, turned, in the lower one."""
    (_casino_corner if sheet.design.layout == "casino" else _poker_corner)(sheet, card)
    if sheet.design.layout == "poker" and sheet.design.pips:
        for x, y in _HALF_PIPS.get(card.rank, ()):
            sheet.suit(card.suit, _pip_mm(x, y), sheet.design.pip_mm)


def _poker_corner(sheet: _Sheet, card: Card) -> None:
    design = sheet.design
    glyph = _glyph(design.font, design.ten if card.rank == "T" else card.rank, design.heavy)
    wide_mm = design.rank_mm * design.rank_wide * (1.25 if card.rank == "T" and design.ten == "10" else 1.0)
    column_mm = design.inset_mm[0] + design.rank_mm * design.rank_wide * 0.55
    under_mm = design.inset_mm[1] + design.rank_mm + design.gap_mm + design.suit_mm / 2
    for centre_mm in (column_mm, CARD_WIDTH_MM - column_mm) if design.four_indices else (column_mm,):
        corner = (max(1.0, centre_mm - wide_mm / 2), design.inset_mm[1])
        sheet.stamp(glyph, corner, (wide_mm, design.rank_mm), sheet.ink(card.suit))
        sheet.suit(card.suit, (centre_mm, under_mm), design.suit_mm)


def _casino_corner(sheet: _Sheet, card: Card) -> None:
    design = sheet.design
    glyph = _glyph(design.font, design.ten if card.rank == "T" else card.rank, design.heavy)
    wide_mm = min(28.0, design.rank_mm * design.rank_wide * (1.3 if card.rank == "T" and design.ten == "10" else 1.0))
    sheet.stamp(glyph, design.inset_mm, (wide_mm, design.rank_mm), sheet.ink(card.suit))
    suit_mm = min(
        design.suit_mm, (CARD_WIDTH_MM - wide_mm - 2 * design.inset_mm[0] - 1.5) / suit_width(card.suit, design.plump)
    )
    across_mm = CARD_WIDTH_MM - design.inset_mm[0] - suit_mm * suit_width(card.suit, design.plump) / 2
    sheet.suit(card.suit, (across_mm, design.inset_mm[1] + design.rank_mm / 2), suit_mm)


def _middle(sheet: _Sheet, card: Card) -> None:
    """What is printed once: the middle pips, a court's figure, a casino card's small picture."""
    art = random.Random(f"{sheet.design.art_seed}{card.rank}{card.suit}")  # noqa: S311 - art, not chance
    if sheet.design.layout == "casino":
        _emblem(sheet, card, art)
    elif card.rank in "JQK":
        _court(sheet, card, art)
    elif card.rank == "A":
        sheet.suit(card.suit, _pip_mm(0.5, 0.5), sheet.design.pip_mm * art.uniform(1.0, 2.2))
    elif sheet.design.pips:
        for x, y in _SINGLE_PIPS.get(card.rank, ()):
            sheet.suit(card.suit, _pip_mm(x, y), sheet.design.pip_mm)


def _emblem(sheet: _Sheet, card: Card, art: random.Random) -> None:
    kind = art.choice(("bars", "small rank", "figure", "nothing"))
    left, top = CARD_WIDTH_MM / 2 - 7, CARD_HEIGHT_MM / 2 - 5
    if kind == "bars":
        for bar in range(9):
            if art.random() < 0.6:
                sheet.box((left + bar * 1.6, top, left + bar * 1.6 + 0.9, top + 10), (40, 40, 40), fill=(40, 40, 40))
    elif kind == "small rank":
        sheet.stamp(_glyph("", card.rank, 1), (left + 4, top + 1), (5, 8), sheet.ink(card.suit))
    elif kind == "figure":
        _figure(sheet, art, (left, top, left + 14, top + 10))


def _court(sheet: _Sheet, card: Card, art: random.Random) -> None:
    frame = (14.5, 10.0, CARD_WIDTH_MM - 14.5, CARD_HEIGHT_MM - 10.0)
    _figure(sheet, art, frame)
    if sheet.design.art_seed % 3:
        sheet.box(frame, (70, 70, 110))
    for _ in range(2):
        sheet.suit(card.suit, (frame[0] + 6, frame[1] + 7), sheet.design.pip_mm * 0.7)
        sheet.picture = sheet.picture.transpose(Image.Transpose.ROTATE_180)


def _figure(sheet: _Sheet, art: random.Random, frame: tuple[float, float, float, float]) -> None:
    """A made-up figure: patches of colour that look the same from both sides of the table."""
    left, top, right, bottom = frame
    for _ in range(art.randint(5, 11)):
        ink = art.choice(((200, 40, 40), (240, 200, 60), (40, 70, 160), (30, 30, 34), (240, 220, 190), (40, 120, 70)))
        centre = (art.uniform(left, right), art.uniform(top, (top + bottom) / 2))
        reach = art.uniform(0.1, 0.45) * min(right - left, bottom - top) + 1
        around = [(centre[0] + art.uniform(-reach, reach), centre[1] + art.uniform(-reach, reach)) for _ in range(5)]
        for turned in (False, True):
            points = [(left + right - x, top + bottom - y) if turned else (x, y) for x, y in around]
            kept = [
                (min(max(x, left), right) * sheet.px_per_mm, min(max(y, top), bottom) * sheet.px_per_mm)
                for x, y in points
            ]
            ImageDraw.Draw(sheet.picture).polygon(kept, fill=ink)


def _pip_mm(x: float, y: float) -> tuple[float, float]:
    return x * CARD_WIDTH_MM, y * CARD_HEIGHT_MM


@lru_cache(maxsize=8192)
def _glyph(font: str, text: str, heavy: int) -> Image.Image:
    """Text as a mask cropped to its ink; `heavy` is the width of an added outline."""
    face = ImageFont.truetype(font, _GLYPH_PX) if font else ImageFont.load_default(_GLYPH_PX)
    sheet = Image.new("L", (_GLYPH_PX * (2 + len(text)), _GLYPH_PX * 2), 0)
    ImageDraw.Draw(sheet).text((_GLYPH_PX // 2, _GLYPH_PX // 4), text, fill=255, font=face, stroke_width=heavy)
    return sheet.crop(sheet.getbbox() or (0, 0, 1, 1))


def random_design(rng: random.Random, fonts: tuple[str, ...] = ("",)) -> Design:
    """A deck nobody has seen: layout, typeface, sizes, colours and art drawn from `rng`."""
    black: Colour = (rng.randint(0, 60), rng.randint(0, 60), rng.randint(0, 60))
    red: Colour = (rng.randint(150, 240), rng.randint(0, 60), rng.randint(0, 70))
    clubs, diamonds = black, red
    if rng.random() < 0.2:
        clubs = (rng.randint(0, 50), rng.randint(90, 150), rng.randint(20, 80))
        diamonds = rng.choice(((20, 60, 200), (30, 110, 220), (230, 120, 20)))
    deck = Design(
        "poker",
        font=rng.choice(fonts),
        heavy=rng.choice((0, 0, 1, 2, 3, 5)),
        plump=rng.randint(0, 4),
        colours=(clubs, diamonds, red, black),
        paper=_paper(rng),
        edge=rng.choice((None, None, (150, 150, 150), (60, 60, 60))),
        corner_mm=rng.uniform(2.0, 5.0),
        ten=rng.choice(("10", "10", "10", "10", "T")),
        art_seed=rng.randrange(1 << 30),
    )
    return _casino_sizes(deck, rng) if rng.random() < 0.42 else _poker_sizes(deck, rng)


def _paper(rng: random.Random) -> Colour:
    white = rng.randint(232, 252)
    return (white, white - rng.randint(0, 6), white - rng.randint(0, 16))


def _poker_sizes(deck: Design, rng: random.Random) -> Design:
    rank_mm = rng.choice((rng.uniform(7.5, 11.0), rng.uniform(10.0, 15.0), rng.uniform(14.0, 22.0)))
    return replace(
        deck,
        rank_mm=rank_mm,
        rank_wide=rng.uniform(0.5, 0.85),
        suit_mm=rank_mm * rng.uniform(0.55, 0.95),
        inset_mm=(rng.uniform(2.0, 5.0), rng.uniform(2.5, 6.5)),
        gap_mm=rng.uniform(0.8, 2.8),
        pip_mm=rng.uniform(8.0, 14.0) if rank_mm < 14 else rng.uniform(7.0, 10.0),
        pips=rng.random() < (0.9 if rank_mm < 14 else 0.6),
        four_indices=rank_mm < 11 and rng.random() < 0.15,
    )


def _casino_sizes(deck: Design, rng: random.Random) -> Design:
    return replace(
        deck,
        layout="casino",
        rank_mm=rng.uniform(20.0, 31.0),
        rank_wide=rng.uniform(0.55, 0.9),
        suit_mm=rng.uniform(16.0, 27.0),
        inset_mm=(rng.uniform(3.0, 6.5), rng.uniform(3.5, 7.0)),
        pips=False,
    )
