"""What a released version kept, unpacked beside the program's tests."""

from __future__ import annotations

import json
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scripts.release import ROOT

CASES: Final = sorted((ROOT / "tests/released").glob("*.tar.xz"))


@dataclass(frozen=True, slots=True)
class Case:
    """What a version kept, as it lay when its night was cut off."""

    folder: Path

    @property
    def db(self) -> Path:
        return self.folder / "studio.db"

    @property
    def held(self) -> dict[str, Any]:
        return dict(json.loads((self.folder / "held.json").read_text()))


def unpacked(packed: Path, folder: Path) -> Case:
    """The case in a folder of its own, in `folder`."""
    with tarfile.open(packed) as archive:
        if hasattr(tarfile, "data_filter"):
            archive.extractall(folder, filter="data")
        else:  # Debian's Python 3.11.2 has none
            archive.extractall(folder)
        [top] = {name.split("/")[0] for name in archive.getnames()}
    return Case(folder / top)
