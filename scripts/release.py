"""Builds the wheel and the sdist of a release; `make release`.

They are made of what the repository holds, whatever else lies in the checkout: the sdist first, and the wheel from it,
so that whoever has only the sdist comes to the same wheel. Beside them lies `SHA256SUMS`. A version that
the changelog does not tell of is refused.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
SUMS: Final = "SHA256SUMS"


def version_of(root: Path) -> str:
    return str(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def is_told(version: str, changelog: str) -> bool:
    """Whether the changelog has a part of this version, with its day.

    >>> is_told("1.0.0", "## Unreleased\\n\\n## 1.0.0 (2026-11-26)\\n")
    True
    """
    return re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$", changelog, re.MULTILINE) is not None


def held(root: Path) -> Iterator[Path]:
    """What the repository holds, by name."""
    said = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True)  # noqa: S607
    for name in said.stdout.decode().split("\0"):
        if name and (root / name).is_file():
            yield Path(name)


def copied(root: Path, to: Path) -> Path:
    """A checkout without anything that was made in it."""
    for name in held(root):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, to / name)
    return to


def build(root: Path, out: Path) -> tuple[Path, Path]:
    """The wheel and the sdist of the checkout, in `out`; `CalledProcessError` with what was said where it fails."""
    with tempfile.TemporaryDirectory(prefix="studio-release-") as folder:
        source = copied(root, Path(folder))
        command = [sys.executable, "-m", "build", "--outdir", str(out), str(source)]
        subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    version = version_of(root)
    [wheel], [sdist] = out.glob(f"*-{version}-*.whl"), out.glob(f"*-{version}.tar.gz")
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in (sdist, wheel))
    (out / SUMS).write_text(sums, encoding="utf-8")
    return wheel, sdist


def main(out: Path) -> int:
    version = version_of(ROOT)
    if not is_told(version, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")):
        sys.stderr.write(f"CHANGELOG.md does not tell of {version}: cut it as '## {version} (YYYY-MM-DD)' first.\n")
        return 1
    out.mkdir(parents=True, exist_ok=True)
    try:
        for made in build(ROOT, out):
            sys.stdout.write(f"{made}\n")
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"{error.stderr or error.stdout}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
