"""Typefaces that hold old-style figures, or a 3 with a flat top, as a choice of theirs: such cuts in their own files.

    python -m training.second.rare_figures --fonts DIR

`DIR` holds packages of typefaces, each unpacked in a folder of its own; what is made of PACKAGE lies in PACKAGE-frozen.
Needs fontTools and pyftfeatfreeze (opentype-feature-freezer), in the training's environment.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fontTools.ttLib import TTFont, TTLibError
from PIL import ImageFont

OF_A_PACKAGE: Final = 4
_SEED: Final = 3
_BYTES_MAX: Final = 900_000
_OLD_STYLE: Final = ("onum", "OldStyle")
_FLAT_THREE: Final = {"fonts-inter": ("cv09", "FlatThree")}
"""A choice that has a number only is known by its package."""


def frozen(package: Path, rng: random.Random) -> Iterator[Path]:
    """The cuts made of a package's typefaces, at most `OF_A_PACKAGE`; a cut whose 3 is as before is none."""
    files, made = sorted(package.rglob("*.[to]tf")), 0
    rng.shuffle(files)
    for path in files:
        for feature, name in (_OLD_STYLE, *filter(None, (_FLAT_THREE.get(package.name),))):
            cut = package.with_name(f"{package.name}-frozen") / f"{path.stem}-{name}{path.suffix}"
            if made < OF_A_PACKAGE and feature in _features(path) and _frozen(path, cut, feature):
                made += 1
                yield cut


def _features(path: Path) -> set[str]:
    if path.stat().st_size > _BYTES_MAX:
        return set()
    try:
        font = TTFont(path, lazy=True)
    except TTLibError:
        return set()
    features = font["GSUB"].table.FeatureList if "GSUB" in font else None
    return {one.FeatureTag for one in features.FeatureRecord} if features else set()


def _frozen(path: Path, cut: Path, feature: str) -> bool:
    cut.parent.mkdir(exist_ok=True)
    program = Path(sys.executable).with_name("pyftfeatfreeze")
    subprocess.run([program, "-f", feature, path, cut], check=False, capture_output=True)  # noqa: S603 - our own files
    if not cut.exists():
        return False
    before, after = (bytes(ImageFont.truetype(str(one), 40).getmask("3")) for one in (path, cut))
    if before == after:
        cut.unlink()
    return before != after


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--fonts", type=Path, required=True)
    given = asked.parse_args()
    rng = random.Random(_SEED)  # noqa: S311 - a choice of typefaces
    packages = [path for path in sorted(given.fonts.iterdir()) if path.is_dir() and not path.name.endswith("-frozen")]
    for package in packages:
        for cut in frozen(package, rng):
            sys.stdout.write(f"{cut}\n")


if __name__ == "__main__":
    main()
