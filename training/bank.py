"""The flat things the reader learns from: faces, backs and whatever else a locator may frame.

A bank is drawn once, before training: made-up decks (`deck_art`), other people's decks (`decks`), cards cut out of
photographs of the training list (`photo_faces`), and things that are no card. `crops` then photographs them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import ImageFont

from devices.sim.picture.deck_art import Design, draw_face, random_design
from devices.sim.picture.deck_back import draw_back, draw_cut_card, draw_joker
from devices.sim.picture.suit_shape import ODD, Pixels
from studio.cards import DECK, Card
from training import oddment
from training.decks import CARD_PX, FAMILIES

FACE, BACK, OTHER = 0, 1, 2
NO_LABEL: Final = -1
DRAW_PX_PER_MM: Final = 3.0
_SPOKEN_OTHERWISE: Final = {"gnome-ancient_french": "A1JQK"}
"""Families whose aces or courts carry other letters than A, J, Q, K: those cards are left out."""
_BLACK: Final = tuple(card for card in DECK if card.suit in "cs")
UNREADABLE: Final = ("kde-oxygen", "kde-oxygen-air", "kde-oxygen-white")
"""Families without a suit beside the index; nobody reads them without enrolment."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a half card is: `kind` FACE, BACK or OTHER; rank and suit are NO_LABEL unless it is a face."""

    kind: int
    rank: int = NO_LABEL
    suit: int = NO_LABEL


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """A thing as it lies on the scanner: BGRA, its label, and whether its indices stand right and left on top."""

    picture: Pixels
    label: Label
    casino: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Bank:
    """Groups of flat things, each with how often a thing is taken from it."""

    groups: tuple[tuple[float, tuple[Flat, ...]], ...]

    def draw(self, rng: random.Random) -> Flat:
        group = rng.choices(self.groups, weights=[share for share, _ in self.groups])[0][1]
        return rng.choice(group)


def label_of(card: Card) -> Label:
    return Label(FACE, card.index // 4, card.index % 4)


def training_bank(seed: int, fonts: tuple[str, ...], art: Path, photos: Path | None, drawn: int) -> Bank:
    """Everything the network is taught with; `drawn` made-up faces."""
    rng = random.Random(seed)  # noqa: S311 - synthetic pictures
    families = [list(family_faces(art / f.name)) for f in FAMILIES if not f.held_out and f.name not in UNREADABLE]
    courts = courts_of(families)
    made_up = tuple(made_up_face(rng, fonts, courts) for _ in range(drawn))
    groups = [(0.40, made_up), (0.07, tuple(dark_made_up(rng, fonts, courts) for _ in range(drawn // 6)))]
    share = (0.30 if photos else 0.35) / len(families)
    groups += [(share, tuple(family)) for family in families if family]
    groups.append((0.03, tuple(Flat(darkened(flat.picture, rng), flat.label) for f in families for flat in f[::5])))
    groups.append((0.08, tuple(drawn_backs(rng, art, drawn // 12))))
    groups.append((0.18, tuple(drawn_others(rng, fonts, art, families, drawn // 4))))
    if photos:
        cut = list(cut_out(photos))
        groups.append((0.06, tuple(flat for flat in cut if flat.label.kind == FACE)))
        groups.append((0.03, tuple(flat for flat in cut if flat.label.kind == OTHER)))
    return Bank(tuple(groups))


def held_out_bank(seed: int, fonts: tuple[str, ...], art: Path, drawn: int, only: str = "") -> Bank:
    """Faces whose typefaces and families the training never saw; `only` names one family, or "drawn"."""
    rng = random.Random(seed)  # noqa: S311 - synthetic pictures
    families = [f.name for f in FAMILIES if f.held_out and only in ("", f.name)]
    groups = [(0.5 / max(1, len(families)), tuple(family_faces(art / name))) for name in families]
    if only in ("", "drawn"):
        groups.append((0.5, tuple(made_up_face(rng, fonts, {}) for _ in range(drawn))))
    return Bank(tuple(groups))


def unseen_things(seed: int, fonts: tuple[str, ...], art: Path) -> dict[str, Bank]:
    """What is no face, from another seed and from held-out families: backs, and things that are no card at all."""
    rng = random.Random(seed)  # noqa: S311 - synthetic pictures
    held = [family for family in FAMILIES if family.held_out]
    faces = [list(family_faces(art / family.name)) for family in held]
    backs = [Flat(draw_back(rng.randrange(1 << 30), DRAW_PX_PER_MM), Label(BACK)) for _ in range(600)]
    for family in held:
        path = art / family.name / "back.png"
        if path.exists():
            picture = _with_alpha(cv2.imread(str(path), cv2.IMREAD_UNCHANGED))
            backs += [Flat(_recoloured(picture, rng), Label(BACK)) for _ in range(40)]
    others = tuple(drawn_others(rng, fonts, art, faces, 1_000))
    return {"backs": Bank(((1.0, tuple(backs)),)), "no cards": Bank(((1.0, others),))}


def family_faces(folder: Path) -> Iterator[Flat]:
    """The faces of a rendered family."""
    spared = _SPOKEN_OTHERWISE.get(folder.name, "")
    for card in DECK:
        path = folder / f"{card}.png"
        if card.rank not in spared and path.exists():
            yield Flat(_with_alpha(cv2.imread(str(path), cv2.IMREAD_UNCHANGED)), label_of(card))


def darkened(picture: Pixels, rng: random.Random) -> Pixels:
    """The same card printed on black: what was black ink is pale, what was coloured is gold or bright."""
    bgr = picture[:, :, :3].astype(np.float32) / 255
    ink = np.clip((1 - bgr.min(axis=2)) * 1.05, 0, 1)[:, :, None]
    colour = np.clip((bgr.max(axis=2) - bgr.min(axis=2)) * 1.3, 0, 1)[:, :, None]
    paper = np.array([rng.uniform(0.02, 0.2)] * 3, np.float32) * np.array([rng.uniform(0.8, 1.2) for _ in range(3)])
    pale = np.array([rng.uniform(0.65, 0.95)] * 3, np.float32)
    gold = np.array(rng.choice(((0.2, 0.62, 0.85), (0.35, 0.7, 0.8), (0.15, 0.15, 0.85), (0.3, 0.5, 0.7))), np.float32)
    printed = paper * (1 - ink) + ink * (pale * (1 - colour) + gold * colour)
    return np.dstack((np.clip(printed * 255, 0, 255).astype(np.uint8), picture[:, :, 3]))


@lru_cache
def suit_fonts_of(fonts: tuple[str, ...]) -> tuple[str, ...]:
    """Those typefaces that hold all four suit signs."""
    return tuple(font for font in fonts if font and _has_suits(font))


def _has_suits(font: str) -> bool:
    face = ImageFont.truetype(font, 40)
    missing = bytes(face.getmask("\uffff"))
    return all(bytes(face.getmask(sign)) not in (missing, b"") for sign in "\u2660\u2663\u2665\u2666")


Courts = dict[str, list[Pixels]]


def courts_of(families: list[list[Flat]]) -> Courts:
    """The figures of real court cards, without their indices, by rank and suit."""
    found: Courts = {}
    for family in families:
        for flat in family:
            card = DECK[flat.label.rank * 4 + flat.label.suit]
            if card.rank in "JQK":
                height, width = flat.picture.shape[:2]
                inner = flat.picture[int(0.1 * height) : int(0.9 * height), int(0.19 * width) : int(0.81 * width), :3]
                found.setdefault(str(card), []).append(np.ascontiguousarray(inner))
    return found


def made_up_face(rng: random.Random, fonts: tuple[str, ...], courts: Courts) -> Flat:
    card, design = _any_card(rng), _varied(random_design(rng, fonts), rng, suit_fonts_of(fonts))
    picture = draw_face(design, card, DRAW_PX_PER_MM)
    if design.layout == "poker" and design.rank_mm < 12 and not design.four_indices:
        if str(card) in courts and rng.random() < 0.7:
            _paste(picture, rng.choice(courts[str(card)]), rng)
        elif card.rank == "A" and rng.random() < 0.35:
            oddment.lettering(picture, rng, (0.3, 0.25, 0.7, 0.75))
    return Flat(picture, label_of(card), design.layout == "casino")


def _any_card(rng: random.Random) -> Card:
    """Clubs and spades more often: they are what is hardest to tell apart."""
    return rng.choice(DECK if rng.random() < 0.6 else _BLACK)


def _varied(design: Design, rng: random.Random, suit_fonts: tuple[str, ...]) -> Design:
    """What `random_design` leaves out: the small plain index of an ordinary pack, pale and odd inks, tinted paper."""
    if design.layout == "poker" and rng.random() < 0.3:
        rank_mm = rng.uniform(6.0, 9.0)
        suit_mm, inset = rank_mm * rng.uniform(0.5, 0.8), (rng.uniform(1.6, 4.0), rng.uniform(2.5, 6.0))
        design = replace(design, rank_mm=rank_mm, suit_mm=suit_mm, inset_mm=inset, pips=True, four_indices=False)
    chance = rng.random()
    if chance < 0.3 and suit_fonts:
        design = replace(design, suit_font=rng.choice(suit_fonts))
    elif chance < 0.8:
        design = replace(design, plump=ODD + rng.randrange(1_000_000))
    if rng.random() < 0.5:
        design = replace(design, suit_wide=rng.uniform(0.82, 1.12))
    if rng.random() < 0.12:
        tint = (rng.randint(205, 255), rng.randint(205, 255), rng.randint(190, 255))
        design = replace(design, paper=tint)
    return design


def dark_made_up(rng: random.Random, fonts: tuple[str, ...], courts: Courts) -> Flat:
    if rng.random() < 0.5:
        flat = made_up_face(rng, fonts, courts)
        return Flat(darkened(flat.picture, rng), flat.label, flat.casino)
    card, design = _any_card(rng), random_design(rng, fonts)
    grey = rng.randint(5, 60)
    pale = tuple(rng.randint(170, 255) for _ in range(3))
    gold = rng.choice(((215, 160, 50), (200, 150, 90), (220, 40, 40), (230, 190, 120), (190, 110, 40)))
    colours = (pale, gold, gold, pale) if rng.random() < 0.8 else (gold, gold, gold, gold)
    design = replace(design, paper=(grey, grey, grey), colours=colours, edge=None)
    return Flat(draw_face(design, card, DRAW_PX_PER_MM), label_of(card), design.layout == "casino")


def _paste(picture: Pixels, figure: Pixels, rng: random.Random) -> None:
    """A real figure in a made-up court's frame."""
    height, width = picture.shape[:2]
    left, top = int(width * rng.uniform(0.2, 0.26)), int(height * rng.uniform(0.08, 0.14))
    size = (width - 2 * left, height - 2 * top)
    picture[top : top + size[1], left : left + size[0], :3] = cv2.resize(figure, size, interpolation=cv2.INTER_AREA)


def drawn_backs(rng: random.Random, art: Path, count: int) -> Iterator[Flat]:
    for _ in range(count):
        yield Flat(draw_back(rng.randrange(1 << 30), DRAW_PX_PER_MM), Label(BACK))
    for family in FAMILIES:
        path = art / family.name / "back.png"
        if path.exists() and not family.held_out:
            picture = _with_alpha(cv2.imread(str(path), cv2.IMREAD_UNCHANGED))
            for _ in range(12):
                yield Flat(_recoloured(picture, rng), Label(BACK))


def drawn_others(
    rng: random.Random, fonts: tuple[str, ...], art: Path, families: list[list[Flat]], count: int
) -> Iterator[Flat]:
    jokers = [art / f.name / "joker.png" for f in FAMILIES if not f.held_out]
    real = [_with_alpha(cv2.imread(str(path), cv2.IMREAD_UNCHANGED)) for path in jokers if path.exists()]
    faces = [flat for family in families for flat in family]
    courts = [flat for flat in faces if DECK[flat.label.rank * 4 + flat.label.suit].rank in "JQK"]
    for number in range(count):
        match number % 14:
            case 0:
                picture = draw_joker(rng.randrange(1 << 30), DRAW_PX_PER_MM, rng.choice(fonts))
            case 1:
                picture = _recoloured(rng.choice(real), rng)
                picture = darkened(picture, rng) if rng.random() < 0.2 else picture
            case 2:
                picture = oddment.letter_joker(rng, rng.choice(fonts))
            case 3:
                picture = draw_cut_card(rng.randrange(1 << 30), DRAW_PX_PER_MM)
            case 4 | 5 | 10:
                source = rng.choice(faces).picture if rng.random() < 0.5 else made_up_face(rng, fonts, {}).picture
                picture = oddment.badly_framed(source, rng.choice(faces).picture, rng)
            case 6 | 11 | 12 | 13:
                source = rng.choice(courts if rng.random() < 0.6 else faces).picture
                source = darkened(source, rng) if rng.random() < 0.1 else source
                picture = oddment.inside_of_face(source, rng)
            case _:
                picture = oddment.draw_oddment(rng, rng.choice(fonts))
        yield Flat(picture, Label(OTHER))


def cut_out(folder: Path) -> Iterator[Flat]:
    """Cards cut out of photographs, corners not rounded: their surroundings show there, as in use."""
    named = {str(card): card for card in DECK}
    for path in sorted(folder.glob("*.png")):
        name = path.name.split(".")[0]
        if name in named or name == "other":
            label = label_of(named[name]) if name in named else Label(OTHER)
            yield Flat(_with_alpha(cv2.imread(str(path), cv2.IMREAD_UNCHANGED)), label)


def _recoloured(picture: Pixels, rng: random.Random) -> Pixels:
    """The same print in another ink: the hue turned, the colours stronger or weaker."""
    hsv = cv2.cvtColor(np.ascontiguousarray(picture[:, :, :3]), cv2.COLOR_BGR2HSV).astype(np.int16)
    hsv[:, :, 0] = (hsv[:, :, 0] + rng.randint(0, 179)) % 180
    hsv[:, :, 1] = np.clip(hsv[:, :, 1] * rng.uniform(0.4, 1.3), 0, 255)
    return np.dstack((cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), picture[:, :, 3]))


def _with_alpha(picture: Pixels) -> Pixels:
    if picture.shape[:2] != (CARD_PX[1], CARD_PX[0]):
        picture = cv2.resize(picture, CARD_PX, interpolation=cv2.INTER_AREA)
    if picture.shape[2] == 4:
        return picture
    return np.dstack((picture, np.full(picture.shape[:2], 255, np.uint8)))
