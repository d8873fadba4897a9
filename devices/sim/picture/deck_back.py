"""Everything of a simulated deck that is no face: backs, jokers and cut cards."""

from __future__ import annotations

import math
import random
from typing import Final

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from devices.camera.felt.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM
from devices.sim.picture.deck_art import Colour, cut_out
from devices.sim.picture.suit_shape import Pixels, suit_mask

_PATTERNS: Final = ("lattice", "diamonds", "dots", "rings", "waves", "plain", "words", "suits", "crest")
_INKS: Final[tuple[Colour, ...]] = (
    (170, 30, 40), (30, 50, 140), (20, 20, 24), (20, 100, 60),
    (110, 40, 120), (200, 120, 30), (90, 90, 96), (30, 120, 150),
)  # fmt: skip


def draw_back(seed: int, px_per_mm: float) -> Pixels:
    """The back of a deck, `(height, width, 4) uint8`, BGRA; one design for each seed."""
    art = random.Random(seed)  # noqa: S311 - art, not chance
    width, height = round(CARD_WIDTH_MM * px_per_mm), round(CARD_HEIGHT_MM * px_per_mm)
    ink: Colour = art.choice(_INKS)
    light: Colour = (art.randint(205, 255), art.randint(205, 255), art.randint(205, 255))
    if art.random() < 0.25:
        ink, light = (min(255, ink[0] + 60), min(255, ink[1] + 60), min(255, ink[2] + 60)), ink
    picture = Image.new("RGB", (width, height), light)
    margin = round(art.choice((0.0, 3.0, 4.5, 6.0)) * px_per_mm)
    field = (margin, margin, width - margin - 1, height - margin - 1)
    pattern = art.choice(_PATTERNS)
    inner = Image.new("RGB", (field[2] - field[0], field[3] - field[1]), ink if art.random() < 0.6 else light)
    other = light if inner.getpixel((0, 0)) == ink else ink
    _DRAWERS[pattern](inner, other, art, px_per_mm)
    picture.paste(inner, field[:2])
    if art.random() < 0.5:
        ImageDraw.Draw(picture).rectangle(field, outline=ink, width=max(1, round(px_per_mm * art.uniform(0.5, 1.5))))
    return cut_out(picture, px_per_mm, 3.5)


def draw_cut_card(seed: int, px_per_mm: float) -> Pixels:
    """A cut card: one colour of plastic."""
    art = random.Random(seed)  # noqa: S311 - art, not chance
    size = (round(CARD_WIDTH_MM * px_per_mm), round(CARD_HEIGHT_MM * px_per_mm))
    ink = art.choice(((235, 200, 40), (200, 40, 50), (40, 90, 190), (30, 30, 34), (240, 130, 40), (245, 245, 240)))
    return cut_out(Image.new("RGB", size, ink), px_per_mm, 3.5)


def draw_joker(seed: int, px_per_mm: float, font: str = "") -> Pixels:
    """A joker: the word along both edges or in the corners, a star or a figure in the middle."""
    art = random.Random(seed)  # noqa: S311 - art, not chance
    size = (round(CARD_WIDTH_MM * px_per_mm), round(CARD_HEIGHT_MM * px_per_mm))
    picture = Image.new("RGB", size, (250, 249, 245))
    ink = art.choice(_INKS)
    letter = max(6, round(art.uniform(6, 9) * px_per_mm))
    face = ImageFont.truetype(font, letter) if font else ImageFont.load_default(letter)
    word, upright = art.choice(("JOKER", "Joker", "JOLLY")), art.random() < 0.7
    for _ in range(2):
        draw = ImageDraw.Draw(picture)
        if upright:
            for line, sign in enumerate(word):
                draw.text((3 * px_per_mm, 3 * px_per_mm + line * letter * 0.95), sign, fill=ink, font=face)
        else:
            draw.text((4 * px_per_mm, 4 * px_per_mm), word, fill=ink, font=face)
        picture = picture.transpose(Image.Transpose.ROTATE_180)
    _star(picture, art, px_per_mm)
    return cut_out(picture, px_per_mm, 3.5)


def _star(picture: Image.Image, art: random.Random, px_per_mm: float) -> None:
    points, centre = art.randint(5, 9), (picture.width / 2, picture.height / 2)
    outline = []
    for corner in range(points * 2):
        reach = px_per_mm * (20 if corner % 2 else 8)
        turn = math.pi * corner / points
        outline.append((centre[0] + reach * math.cos(turn), centre[1] + reach * math.sin(turn)))
    ImageDraw.Draw(picture).polygon(outline, fill=art.choice(_INKS))


def _lattice(picture: Image.Image, ink: Colour, art: random.Random, px_per_mm: float) -> None:
    draw, pitch = ImageDraw.Draw(picture), art.uniform(2.5, 8) * px_per_mm
    thick = max(1, round(art.uniform(0.4, 1.6) * px_per_mm))
    slope = art.choice((1.0, 1.4, 0.7))
    reach = picture.height / slope
    at = -reach
    while at < picture.width + reach:
        draw.line((at, 0, at + reach, picture.height), fill=ink, width=thick)
        draw.line((at, picture.height, at + reach, 0), fill=ink, width=thick)
        at += pitch


def _diamonds(picture: Image.Image, ink: Colour, art: random.Random, px_per_mm: float) -> None:
    draw, pitch = ImageDraw.Draw(picture), art.uniform(3, 9) * px_per_mm
    half = pitch * art.uniform(0.25, 0.5)
    for row in range(int(picture.height / pitch) + 2):
        for column in range(int(picture.width / pitch) + 2):
            x, y = (column + (row % 2) / 2) * pitch, row * pitch
            draw.polygon(((x, y - half), (x + half, y), (x, y + half), (x - half, y)), fill=ink)


def _dots(picture: Image.Image, ink: Colour, art: random.Random, px_per_mm: float) -> None:
    draw, pitch = ImageDraw.Draw(picture), art.uniform(3, 8) * px_per_mm
    radius = pitch * art.uniform(0.15, 0.42)
    for row in range(int(picture.height / pitch) + 2):
        for column in range(int(picture.width / pitch) + 2):
            x, y = column * pitch, row * pitch
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink)


def _rings(picture: Image.Image, ink: Colour, art: random.Random, px_per_mm: float) -> None:
    draw, pitch = ImageDraw.Draw(picture), art.uniform(2.5, 6) * px_per_mm
    thick = max(1, round(pitch * art.uniform(0.2, 0.5)))
    for share in (0.25, 0.75):
        x, y, radius = picture.width / 2, picture.height * share, pitch
        while radius < picture.width:
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=ink, width=thick)
            radius += pitch


def _waves(picture: Image.Image, ink: Colour, art: random.Random, px_per_mm: float) -> None:
    draw, pitch = ImageDraw.Draw(picture), art.uniform(2.5, 6) * px_per_mm
    thick, swing = max(1, round(pitch * 0.35)), pitch * art.uniform(0.4, 1.5)
    for row in range(int(picture.height / pitch) + 3):
        line = [(x, row * pitch + swing * math.sin(x / pitch)) for x in range(0, picture.width + 4, 3)]
        draw.line(line, fill=ink, width=thick)


def _plain(picture: Image.Image, ink: Colour, art: random.Random, px_per_mm: float) -> None:
    inset, thick = round(art.uniform(2, 6) * px_per_mm), max(1, round(art.uniform(0.6, 3) * px_per_mm))
    frame = (inset, inset, picture.width - inset, picture.height - inset)
    ImageDraw.Draw(picture).rectangle(frame, outline=ink, width=thick)


def _words(picture: Image.Image, ink: Colour, art: random.Random, px_per_mm: float) -> None:
    size = max(6, round(art.uniform(5, 13) * px_per_mm))
    face, draw = ImageFont.load_default(size), ImageDraw.Draw(picture)
    word = art.choice(("CASINO", "STUDIO", "Royal", "KNIGHTS", "Club 8", "No 7", "ACE", "21"))
    for row in range(int(picture.height / size / 1.3) + 1):
        draw.text((-size * art.random(), row * size * 1.3), f"{word} " * 5, fill=ink, font=face)


def _suits(picture: Image.Image, ink: Colour, art: random.Random, px_per_mm: float) -> None:
    side = max(4, round(art.uniform(4, 10) * px_per_mm))
    suit = art.choice(("c", "d", "h", "s"))
    mask = suit_mask(suit, 2).resize((side, side), Image.Resampling.BOX)
    for row in range(int(picture.height / side / 1.4) + 1):
        for column in range(int(picture.width / side / 1.4) + 1):
            corner = (round(column * side * 1.4), round(row * side * 1.4))
            picture.paste(ink, (*corner, corner[0] + side, corner[1] + side), mask)


def _crest(picture: Image.Image, ink: Colour, art: random.Random, px_per_mm: float) -> None:
    mask = np.asarray(suit_mask(art.choice(("s", "h", "d", "c")), 2))
    side = round(art.uniform(18, 40) * px_per_mm)
    turned = cv2.rotate(mask, cv2.ROTATE_180)
    for share, shape in ((0.3, mask), (0.7, turned)):
        stamp = Image.fromarray(shape).resize((side, side), Image.Resampling.BOX)
        corner = (round(picture.width / 2 - side / 2), round(picture.height * share - side / 2))
        picture.paste(ink, (*corner, corner[0] + side, corner[1] + side), stamp)


_DRAWERS: Final = {
    "lattice": _lattice, "diamonds": _diamonds, "dots": _dots, "rings": _rings, "waves": _waves,
    "plain": _plain, "words": _words, "suits": _suits, "crest": _crest,
}  # fmt: skip
