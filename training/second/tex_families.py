"""Put the families of Debian's texlive-fonts-extra beside the packages of typefaces, a folder for each.

    python -m training.second.tex_families --tree PACKAGES/texlive-fonts-extra --fonts MORE

Left out are those that stand in a package of their own among MORE, KEPT or FRESH (training/README.md), their sisters,
and what prints no figures.
"""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path
from typing import Final

FONTS: Final = Path("usr/share/texlive/texmf-dist/fonts")
ELSEWHERE: Final = (
    "anonymouspro", "cabin", "carlito", "cm-unicode", "comicneue", "droid", "fira", "firamath", "gofonts",
    "inconsolata", "junicode", "lexend", "libertine", "librecaslon", "noto", "noto-emoji", "oldstandard", "opensans",
    "quattrocento", "roboto",
)  # fmt: skip
NO_FIGURES: Final = (
    "texlive-aboensis", "texlive-countriesofeurope", "texlive-fourier", "texlive-missaali", "texlive-semaphor",
)  # fmt: skip
DINGBATS: Final = "QTDingBits"
PROVED_BY: Final = re.compile(
    "goudy|casl|quicksand|dosis|karla|vollkorn|gentium|opensans|inconsol|yanone|cantarell|comfortaa|spartan|fira", re.I
)
_CUT: Final = re.compile("(-.*|Bold|Italic|Ital|Light|Heavy|Medium|Black|Demi|Cond.*|Wide|Extra|Rounded)")


def folder_of(file: Path) -> str:
    """The folder of a typeface: its family's, and in the one collection of many its own."""
    family = file.parent.name
    return f"texlive-{family}-{_CUT.sub('', file.stem)}" if family == "qualitype" else f"texlive-{family}"


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--tree", type=Path, required=True)
    asked.add_argument("--fonts", type=Path, required=True)
    given = asked.parse_args()
    for kind in ("opentype", "truetype"):
        for file in sorted((given.tree / FONTS / kind).glob("*/*/*.[to]tf")):
            elsewhere = file.parent.name in ELSEWHERE or PROVED_BY.search(file.name) or DINGBATS in file.name
            if file.exists() and not elsewhere and folder_of(file) not in NO_FIGURES:
                (given.fonts / folder_of(file)).mkdir(exist_ok=True)
                shutil.copy(file.resolve(), given.fonts / folder_of(file) / file.name)


if __name__ == "__main__":
    main()
