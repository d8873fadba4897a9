"""Things that are no card yet may be framed as one: the network must say "other" to them."""

from __future__ import annotations

import math
import random
import string

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from devices.sim.picture.suit_shape import Pixels, suit_mask

WIDTH, HEIGHT = 189, 264
_LETTERS = string.ascii_letters + string.digits


def draw_oddment(rng: random.Random, font: str) -> Pixels:
    """Lettering, a screen, keys, a business card, chips, dice, a hand, patterned cloth or wood, opaque BGRA."""
    drawers = (_printed, _screen, _keys, _business_card, _chips, _dice, _hand, _cloth, _wood, _shapes, _big_letter)
    picture = np.empty((HEIGHT, WIDTH, 4), np.uint8)
    picture[:] = (*_colour(rng), 255)
    rng.choice(drawers)(picture, rng, font)
    return picture


def badly_framed(face: Pixels, other: Pixels, rng: random.Random) -> Pixels:
    """A face lying across its frame, turned or shifted in it, beside another: no index stands where it belongs."""
    height, width = face.shape[:2]
    picture = np.empty((height, width, 4), np.uint8)
    picture[:] = (*_colour(rng), 255)
    match rng.choice(("lying", "turned", "shifted", "shifted", "beside")):
        case "lying":
            picture = cv2.resize(np.rot90(face, rng.choice((1, 3))), (width, height), interpolation=cv2.INTER_AREA)
        case "turned":
            turn = rng.choice((-1, 1)) * rng.uniform(30, 150)
            moved = cv2.getRotationMatrix2D((width / 2, height / 2), turn, rng.uniform(0.9, 1.7))
            _place(picture, face, moved)
        case "shifted":
            moved = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(-6, 6), rng.uniform(0.75, 1.7))
            away = rng.uniform(0.22, 0.6) * rng.choice((-1, 1))
            moved[:, 2] += (away * width, rng.uniform(-0.2, 0.2) * height)
            _place(picture, face, moved)
        case _:
            split = rng.uniform(-0.4, 0.4) * width
            for one, at in ((face, split - 0.52 * width), (other, split + 0.52 * width)):
                moved = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(-8, 8), rng.uniform(0.9, 1.1))
                moved[:, 2] += (at, rng.uniform(-0.4, 0.4) * height)
                _place(picture, cv2.resize(one, (width, height)), moved)
    picture = np.ascontiguousarray(picture)
    picture[:, :, 3] = 255
    return picture


def _place(picture: Pixels, thing: Pixels, moved: np.ndarray) -> None:
    """Lay a thing with clear corners on a picture."""
    size = (picture.shape[1], picture.shape[0])
    laid = cv2.warpAffine(thing, moved, size, flags=cv2.INTER_LINEAR)
    seen = laid[:, :, 3] > 127
    picture[seen] = laid[seen]


def inside_of_face(face: Pixels, rng: random.Random) -> Pixels:
    """A frame too narrow for the face: a court's figure, an index cut through, a pip, a piece of paper."""
    height, width = face.shape[:2]
    if rng.random() < 0.75:
        x, y = rng.uniform(0.0, 0.28), rng.uniform(0.0, 0.28)
        if x < 0.13 and y < 0.1:
            x += 0.13
        left, right = (max(0.0, x + rng.uniform(-0.03, 0.03)) for _ in range(2))
        top, bottom = (max(0.0, y + rng.uniform(-0.03, 0.03)) for _ in range(2))
        part = face[int(top * height) : int((1 - bottom) * height), int(left * width) : int((1 - right) * width)]
    else:
        side = rng.uniform(0.15, 0.4)
        x, y = rng.uniform(0.17, 0.8 - side), rng.uniform(0.17, 0.8 - side)
        part = face[int(y * height) : int((y + side) * height), int(x * width) : int((x + side) * width)]
    picture = cv2.resize(part, (width, height), interpolation=cv2.INTER_LINEAR)
    picture[:, :, 3] = 255
    return picture


def letter_joker(rng: random.Random, font: str) -> Pixels:
    """A joker whose corner says J, JOKER or a star, with anything but a suit below it."""
    picture = np.empty((HEIGHT, WIDTH, 4), np.uint8)
    white = rng.randint(225, 255)
    picture[:] = (white, white, white, 255) if rng.random() < 0.85 else (*(rng.randint(0, 60) for _ in range(3)), 255)
    ink = _colour(rng) if white else (0, 0, 0)
    sheet = Image.fromarray(picture[:, :, :3].copy())
    sign = rng.choice(("J", "J", "*", "JOKER", "Joker", "W", "X", "JOLLY", "J\nO\nK\nE\nR", "J\no\nk\ne\nr"))
    face = _font(font, rng.randint(14, 40))
    for _ in range(2):
        draw = ImageDraw.Draw(sheet)
        at = (rng.randint(5, 14), rng.randint(5, 16))
        draw.multiline_text(at, sign, fill=ink, font=face, spacing=1)
        if len(sign) == 1 and rng.random() < 0.75:
            _star(draw, (at[0] + 12, at[1] + rng.randint(46, 60)), rng.randint(6, 12), ink)
        sheet = sheet.transpose(Image.Transpose.ROTATE_180)
    for _ in range(rng.randint(1, 5)):
        _star(ImageDraw.Draw(sheet), (rng.randint(60, 130), rng.randint(60, 200)), rng.randint(10, 45), _colour(rng))
    picture[:, :, :3] = np.asarray(sheet)
    return picture


def lettering(picture: Pixels, rng: random.Random, box: tuple[float, float, float, float]) -> None:
    """Lines of small print inside a box given in fractions of the picture, both ways round."""
    height, width = picture.shape[:2]
    ink = tuple(int(v) for v in rng.choice(((20, 20, 20), (60, 60, 60), (40, 40, 160))))
    for line in range(rng.randint(2, 6)):
        words = _words(rng, rng.randint(4, 12))
        x, y = int(box[0] * width), int((box[1] + line * 0.05) * height)
        for turned in (False, True):
            part = np.ascontiguousarray(picture[::-1, ::-1]) if turned else picture
            cv2.putText(part, words, (x, y), rng.randint(0, 4), rng.uniform(0.25, 0.5), (*ink, 255), 1, cv2.LINE_AA)
            if turned:
                picture[:] = part[::-1, ::-1]


def _words(rng: random.Random, count: int) -> str:
    return "".join(rng.choice(_LETTERS + "   ") for _ in range(count))


def _font(font: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.truetype(font, size) if font else ImageFont.load_default(size)


def _colour(rng: random.Random) -> tuple[int, int, int]:
    return (rng.randint(0, 255), rng.randint(0, 255), rng.randint(0, 255))


def _star(draw: ImageDraw.ImageDraw, at: tuple[float, float], reach: float, ink: tuple[int, int, int]) -> None:
    points = [
        (
            at[0] + reach * (0.4 if k % 2 else 1) * math.sin(math.pi * k / 5),
            at[1] - reach * (0.4 if k % 2 else 1) * math.cos(math.pi * k / 5),
        )
        for k in range(10)
    ]
    draw.polygon(points, fill=ink)


def _printed(picture: Pixels, rng: random.Random, font: str) -> None:
    sheet, at = Image.fromarray(picture[:, :, :3].copy()), 4
    ink, size = _colour(rng), rng.randint(8, 60)
    while at < HEIGHT:
        ImageDraw.Draw(sheet).text(
            (rng.randint(-10, 30), at), _words(rng, rng.randint(3, 40)), fill=ink, font=_font(font, size)
        )
        at += int(size * rng.uniform(1.1, 1.8))
    picture[:, :, :3] = np.asarray(sheet)


def _big_letter(picture: Pixels, rng: random.Random, font: str) -> None:
    """One or two letters in the corner, as on a key or a label, without a suit."""
    sheet, ink = Image.fromarray(picture[:, :, :3].copy()), _colour(rng)
    sign = "".join(rng.choice(_LETTERS) for _ in range(rng.randint(1, 3)))
    for _ in range(rng.choice((1, 2))):
        ImageDraw.Draw(sheet).text(
            (rng.randint(4, 60), rng.randint(2, 60)), sign, fill=ink, font=_font(font, rng.randint(25, 110))
        )
        sheet = sheet.transpose(Image.Transpose.ROTATE_180)
    picture[:, :, :3] = np.asarray(sheet)


def _screen(picture: Pixels, rng: random.Random, font: str) -> None:
    picture[:, :, :3] = rng.randint(5, 40)
    for row in range(rng.randint(2, 6)):
        for column in range(rng.randint(1, 4)):
            corner = (12 + column * 44, 20 + row * 40)
            cv2.rectangle(picture, corner, (corner[0] + 32, corner[1] + 32), (*_colour(rng), 255), -1)
            cv2.putText(picture, _words(rng, 2), (corner[0] + 4, corner[1] + 24), 0, 0.6, (255, 255, 255, 255), 1)
    if rng.random() < 0.5:
        cv2.rectangle(picture, (0, 0), (WIDTH - 1, HEIGHT - 1), (*_colour(rng), 255), rng.randint(3, 12))


def _keys(picture: Pixels, rng: random.Random, font: str) -> None:
    dark, pitch = rng.random() < 0.6, rng.randint(30, 70)
    picture[:, :, :3] = 20 if dark else 190
    for y in range(2, HEIGHT, pitch):
        for x in range(2, WIDTH, pitch):
            shade = rng.randint(20, 60) if dark else rng.randint(210, 245)
            cv2.rectangle(picture, (x, y), (x + pitch - 5, y + pitch - 5), (shade, shade, shade, 255), -1)
            ink = (*_colour(rng), 255) if dark else (30, 30, 30, 255)
            sign = rng.choice("QWERTYUIOPASDFGHJKLZXCVBNM1234567890")
            cv2.putText(picture, sign, (x + pitch // 5, y + pitch // 2), 0, pitch / 60, ink, 2, cv2.LINE_AA)


def _business_card(picture: Pixels, rng: random.Random, font: str) -> None:
    white = rng.randint(215, 255)
    picture[:, :, :3] = white
    if rng.random() < 0.6:
        band = rng.randint(30, 120)
        picture[:, : band if rng.random() < 0.5 else WIDTH, :3][: band if rng.random() < 0.5 else HEIGHT] = _colour(rng)
    lettering(picture, rng, (rng.uniform(0.05, 0.4), rng.uniform(0.1, 0.6), 0.9, 0.9))
    sheet = Image.fromarray(picture[:, :, :3].copy())
    ImageDraw.Draw(sheet).text(
        (rng.randint(5, 60), rng.randint(5, 90)),
        _words(rng, 9),
        fill=_colour(rng),
        font=_font(font, rng.randint(14, 36)),
    )
    picture[:, :, :3] = np.asarray(sheet)


def _chips(picture: Pixels, rng: random.Random, font: str) -> None:
    for _ in range(rng.randint(1, 5)):
        at, radius, ink = (rng.randint(0, WIDTH), rng.randint(0, HEIGHT)), rng.randint(20, 110), (*_colour(rng), 255)
        cv2.circle(picture, at, radius, ink, -1, cv2.LINE_AA)
        edge = (*_colour(rng), 255)
        for k in range(rng.choice((6, 8, 12))):
            cv2.ellipse(picture, at, (radius, radius), k * 60, 0, 22, edge, max(2, radius // 5))
        cv2.circle(picture, at, radius * 2 // 3, edge, 2, cv2.LINE_AA)
        value = rng.choice(("5", "10", "25", "100", "500", "1K", "A", "2", "50"))
        cv2.putText(picture, value, (at[0] - radius // 3, at[1] + radius // 5), 0, radius / 45, edge, 2, cv2.LINE_AA)


def _dice(picture: Pixels, rng: random.Random, font: str) -> None:
    side = rng.randint(60, 200)
    x, y = rng.randint(-20, WIDTH - side // 2), rng.randint(-20, HEIGHT - side // 2)
    cv2.rectangle(picture, (x, y), (x + side, y + side), (*_colour(rng), 255), -1)
    dot = (*_colour(rng), 255)
    for u in (0.25, 0.5, 0.75):
        for v in (0.25, 0.5, 0.75):
            if rng.random() < 0.55:
                cv2.circle(picture, (int(x + u * side), int(y + v * side)), side // 9, dot, -1, cv2.LINE_AA)


def _hand(picture: Pixels, rng: random.Random, font: str) -> None:
    skin = (rng.randint(50, 170), rng.randint(80, 190), rng.randint(110, 240), 255)
    for _ in range(rng.randint(2, 5)):
        start, stop = ((rng.randint(0, WIDTH), rng.randint(0, HEIGHT)) for _ in range(2))
        shade = tuple(int(min(255, max(0, v + rng.randint(-25, 25)))) for v in skin[:3])
        cv2.line(picture, start, stop, (*shade, 255), rng.randint(25, 80), cv2.LINE_AA)


def _cloth(picture: Pixels, rng: random.Random, font: str) -> None:
    ink, pitch, kind = (*_colour(rng), 255), rng.randint(8, 60), rng.randrange(4)
    for y in range(0, HEIGHT + pitch, pitch):
        if kind == 0:
            cv2.line(picture, (0, y), (WIDTH, y), ink, max(1, pitch // 3))
        for x in range(0, WIDTH + pitch, pitch):
            if kind == 1:
                cv2.circle(picture, (x + (y // pitch % 2) * pitch // 2, y), pitch // 3, ink, -1, cv2.LINE_AA)
            elif kind == 2 and (x + y) // pitch % 2:
                cv2.rectangle(picture, (x, y), (x + pitch, y + pitch), ink, -1)
    if kind == 3:
        _noise(picture, rng, rng.randint(2, 40), rng.uniform(10, 60))


def _wood(picture: Pixels, rng: random.Random, font: str) -> None:
    picture[:, :, :3] = (rng.randint(40, 140), rng.randint(70, 170), rng.randint(100, 210))
    grain = np.random.default_rng(rng.randrange(1 << 30)).normal(0, 22, (HEIGHT, WIDTH)).astype(np.float32)
    grain = cv2.GaussianBlur(grain, (0, 0), sigmaX=0.8, sigmaY=rng.uniform(8, 30)) * rng.uniform(2, 7)
    picture[:, :, :3] = np.clip(picture[:, :, :3] + grain[:, :, None], 0, 255).astype(np.uint8)


def _shapes(picture: Pixels, rng: random.Random, font: str) -> None:
    """Suit signs where no index is: a pip alone, a logo, a row of suits."""
    for _ in range(rng.randint(1, 6)):
        side = rng.randint(20, 160)
        mask = np.asarray(suit_mask(rng.choice("cdhs"), rng.randint(0, 4)).resize((side, side)))
        mask = mask if rng.random() < 0.5 else mask[::-1]
        x, y = rng.randint(50, WIDTH - 20), rng.randint(50, HEIGHT - 20)
        part = picture[y : y + side, x : x + side, :3]
        cover = mask[: part.shape[0], : part.shape[1], None] / 255
        part[:] = (part * (1 - cover) + np.array(_colour(rng)) * cover).astype(np.uint8)


def _noise(picture: Pixels, rng: random.Random, grain_px: int, strength: float) -> None:
    source = np.random.default_rng(rng.randrange(1 << 30))
    rough = source.normal(0, strength, (max(2, HEIGHT // grain_px), max(2, WIDTH // grain_px), 1)).astype(np.float32)
    spread = cv2.resize(rough, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    picture[:, :, :3] = np.clip(picture[:, :, :3] + spread[:, :, None], 0, 255).astype(np.uint8)
