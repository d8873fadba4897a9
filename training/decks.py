"""Other people's decks as rasters to train on: FOLDER/<family>/<card>.png, nothing shipped.

    python -m training.decks --packages DIR --out FOLDER

`DIR` holds the packages of `PACKAGES`, unpacked one folder each (training/README.md says how they are fetched).
SVG is drawn by librsvg and cairo, PDF by pypdfium2; both are needed only here.
"""

from __future__ import annotations

import argparse
import ctypes
import gzip
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from studio.cards import DECK, Card

CARD_PX: Final = (200, 280)
"""Width and height of a rendered card, about 3.2 px/mm."""

_SUITS: Final = {"c": "club", "d": "diamond", "h": "heart", "s": "spade"}
_RANKS: Final = {"A": "1", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
_FRENCH: Final = {"T": "10", "J": "V", "Q": "D", "K": "R"}
_FRENCH_SUITS: Final = {"c": "T", "d": "K", "h": "C", "s": "P"}
_JOKERS: Final = ("joker", "joker_black", "joker_red", "black_joker", "red_joker", "01_joker")
_BACKS: Final = ("back", "cardback", "card_back")


@dataclass(frozen=True, slots=True)
class Family:
    """One deck: where its art lies and what it is called there; `held_out` is never trained on."""

    name: str
    package: str
    art: str
    naming: str
    licence: str
    held_out: bool = False
    courts: bool = True


def _gnome(name: str, *, held_out: bool = False) -> Family:
    art = f"usr/share/aisleriot/cards/{name}.svgz"
    return Family(f"gnome-{name}", "gnome-cards-data", art, "{suit}_{rank}", "GPL-3+", held_out)


def _kde(folder: str, file: str, licence: str = "LGPL-2+", *, held_out: bool = False) -> Family:
    art = f"usr/share/carddecks/{folder}/{file}.svgz"
    return Family(folder.replace("svg-", "kde-"), "kdegames-card-data-kf5", art, "{rank}_{suit}", licence, held_out)


def _heruka(name: str) -> Family:
    art = f"package/src/images/{name}/{{card}}.svg"
    return Family(f"heruka-{name}", "heruka_urgyen-react-playing-cards", art, "files", "MIT")


def _texlive(version: str, *, held_out: bool = False) -> Family:
    art = f"usr/share/texlive/texmf-dist/tex/latex/jeuxcartes/CaJ-PokeR{version}-{{french}}.pdf"
    return Family(f"texlive-{version}", "texlive-games", art, "files", "LPPL-1.3c, art LGPL/CC0", held_out)


FAMILIES: Final = (
    _gnome("anglo"), _gnome("anglo_bitmap"), _gnome("anglo_modern"), _gnome("anglo_modern_4_color"),
    _gnome("anglo_poker"), _gnome("bellot"), _gnome("dondorf"), _gnome("gnomangelo"), _gnome("gnomangelo_bitmap"),
    _gnome("guyenne-classic"), _gnome("neoclassical"), _gnome("neoclassical_4_color"), _gnome("ornamental"),
    _gnome("paris"), _gnome("plastic", held_out=True), _gnome("simplistic"), _gnome("tango", held_out=True),
    _gnome("tango_nuevo"), _gnome("tigullio"), _gnome("ancient_french"), _gnome("orell"),
    _kde("svg-ancient-egyptians", "Ancient_Egyptians"), _kde("svg-dondorf", "dondorf"), _kde("svg-gm-paris", "paris"),
    _kde("svg-jolly-royal", "jolly-royal"), _kde("svg-nicu-ornamental", "ornamental"), _kde("svg-nicu-white", "white"),
    _kde("svg-oxygen", "oxygen"), _kde("svg-oxygen-air", "oxygen-air"), _kde("svg-oxygen-white", "oxygen-white"),
    _kde("svg-penguins", "penguins"), _kde("svg-standard", "standard"),
    _kde("svg-tigullio-international", "tigullio-international"),
    _heruka("2color"), _heruka("2color-bf"), _heruka("4color"), _heruka("4color-bf"),
    Family("svg-cards", "svg-cards", "package/png/2x/{bellot}.png", "files", "LGPL-2.1"),
    _texlive("v1"), _texlive("v3", held_out=True),
)  # fmt: skip


class _Box(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("x", "y", "width", "height")]


class _Svg:
    """One SVG document; an element is drawn so that what is seen of it fills the card."""

    def __init__(self, path: Path) -> None:
        self._rsvg = _library("librsvg-2.so.2", "rsvg_handle_new_with_flags", "rsvg_handle_write")
        self._cairo = _library("libcairo.so.2", "cairo_image_surface_create_for_data", "cairo_create")
        data = path.read_bytes()
        self.text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        self._handle = ctypes.c_void_p(self._rsvg.rsvg_handle_new_with_flags(1))
        self._rsvg.rsvg_handle_write(self._handle, self.text, ctypes.c_size_t(len(self.text)), None)
        self._rsvg.rsvg_handle_close(self._handle, None)

    def has(self, element: str) -> bool:
        return bool(self._rsvg.rsvg_handle_has_sub(self._handle, f"#{element}".encode()))

    def draw(self, element: str) -> np.ndarray | None:
        """The element (or with "" the document) alone, BGRA; None where nothing of a card's shape is seen."""
        frame = (0.0, 0.0, 1.0)
        side = 1600
        for _ in range(4):
            sheet = self._sheet(element, frame, side)
            ys, xs = np.nonzero(sheet[:, :, 3] > 60)
            if len(ys) < 9:
                return None
            left, right, top, bottom = xs.min(), xs.max() + 1, ys.min(), ys.max() + 1
            grow = 0.96 * side / max(right - left, bottom - top)
            if 0.97 < grow < 1.1:
                break
            frame = ((frame[0] - left + 2) * grow, (frame[1] - top + 2) * grow, frame[2] * grow)
        shown = sheet[top:bottom, left:right]
        tall = shown.shape[0] / shown.shape[1]
        return cv2.resize(shown, CARD_PX, interpolation=cv2.INTER_AREA) if 1.2 < tall < 1.75 else None

    def _sheet(self, element: str, frame: tuple[float, float, float], side: int) -> np.ndarray:
        sheet = np.zeros((side, side, 4), np.uint8)
        surface = ctypes.c_void_p(
            self._cairo.cairo_image_surface_create_for_data(ctypes.c_void_p(sheet.ctypes.data), 0, side, side, side * 4)
        )
        pen = ctypes.c_void_p(self._cairo.cairo_create(surface))
        self._cairo.cairo_translate(pen, ctypes.c_double(frame[0]), ctypes.c_double(frame[1]))
        self._cairo.cairo_scale(pen, ctypes.c_double(frame[2]), ctypes.c_double(frame[2]))
        box = ctypes.byref(_Box(0, 0, 400, 560))
        if element:
            self._rsvg.rsvg_handle_render_element(self._handle, pen, f"#{element}".encode(), box, None)
        else:
            self._rsvg.rsvg_handle_render_document(self._handle, pen, box, None)
        self._cairo.cairo_surface_flush(surface)
        self._cairo.cairo_destroy(pen)
        self._cairo.cairo_surface_destroy(surface)
        return sheet


def _library(name: str, *pointers: str) -> ctypes.CDLL:
    library = ctypes.CDLL(name)
    for function in pointers:
        getattr(library, function).restype = ctypes.c_void_p if "write" not in function else ctypes.c_int
    return library


def draw_family(family: Family, packages: Path) -> Iterator[tuple[str, np.ndarray]]:
    """Every card of a deck that can be drawn, by its name ("As", "back", "joker"), BGRA."""
    root = next(packages.glob(f"{family.package}*"))
    if family.naming == "files":
        yield from _from_files(family, root)
        return
    document = _Svg(root / family.art)
    for card in DECK:
        rank = _RANKS.get(card.rank, card.rank)
        element = family.naming.format(suit=_SUITS[card.suit], rank=rank)
        drawn = document.draw(element) if document.has(element) else None
        if drawn is not None:
            yield str(card), drawn
    for name, elements in (("joker", _JOKERS), ("back", _BACKS)):
        for element in elements:
            drawn = document.draw(element) if document.has(element) else None
            if drawn is not None:
                yield name, drawn
                break


def _from_files(family: Family, root: Path) -> Iterator[tuple[str, np.ndarray]]:
    for card in DECK:
        yield str(card), _of_file(root / family.art.format(**_file_names(card)))
    extra = {
        "svg-cards": (("joker", "joker_black"), ("back", "back")),
        "texlive-v1": (("joker", "JR"), ("back", "Dos")),
        "texlive-v3": (("joker", "JR"), ("back", "DosRouge")),
        "heruka-2color": (("joker", "2J"),),
    }
    for name, file in extra.get(family.name, ()):
        yield name, _of_file(root / family.art.format(card=file, bellot=file, french=file))


def _file_names(card: Card) -> dict[str, str]:
    rank = _RANKS.get(card.rank, card.rank)
    return {
        "card": f"{card.rank}{card.suit.upper()}",
        "bellot": f"{_SUITS[card.suit]}_{rank}",
        "french": f"{_FRENCH.get(card.rank, card.rank)}{_FRENCH_SUITS[card.suit]}",
    }


def _of_file(path: Path) -> np.ndarray:
    readers: dict[str, Callable[[Path], np.ndarray]] = {".svg": _svg_file, ".png": _png_file, ".pdf": _pdf_file}
    return readers[path.suffix](path)


def _svg_file(path: Path) -> np.ndarray:
    drawn = _Svg(path).draw("")
    assert drawn is not None, path
    return drawn


def _png_file(path: Path) -> np.ndarray:
    return cv2.resize(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), CARD_PX, interpolation=cv2.INTER_AREA)


def _pdf_file(path: Path) -> np.ndarray:
    import pypdfium2

    page = pypdfium2.PdfDocument(path)[0].render(scale=4).to_numpy()[:, :, :3]
    whole = cv2.resize(page, CARD_PX, interpolation=cv2.INTER_AREA)
    mask = np.zeros((CARD_PX[1], CARD_PX[0]), np.uint8)
    radius = 11
    cv2.rectangle(mask, (radius, 0), (CARD_PX[0] - radius - 1, CARD_PX[1]), 255, -1)
    cv2.rectangle(mask, (0, radius), (CARD_PX[0], CARD_PX[1] - radius - 1), 255, -1)
    for x in (radius, CARD_PX[0] - radius - 1):
        for y in (radius, CARD_PX[1] - radius - 1):
            cv2.circle(mask, (x, y), radius, 255, -1)
    return np.dstack((whole, mask))


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--packages", type=Path, required=True)
    asked.add_argument("--out", type=Path, required=True)
    asked.add_argument("--only", default="")
    given = asked.parse_args()
    for family in FAMILIES:
        if not re.search(given.only, family.name):
            continue
        folder = given.out / family.name
        folder.mkdir(parents=True, exist_ok=True)
        count = 0
        for name, picture in draw_family(family, given.packages):
            cv2.imwrite(str(folder / f"{name}.png"), picture)
            count += 1
        sys.stderr.write(f"{family.name}: {count}\n")


if __name__ == "__main__":
    main()
