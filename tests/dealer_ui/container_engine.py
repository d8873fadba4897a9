"""What builds the container file and runs it: Docker or Podman, or, without a registry, Buildah on a Debian of its own.

Buildah works without a daemon and without a kernel that gives out containers (`--isolation chroot`, as root). Where
the image that the file begins from cannot be had, one is made of the same Debian and its Python, and the file is built
on that. Nothing is left on the machine: images lie in a folder of the test.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
CONTAINER: Final = ROOT / "Containerfile"
NAME: Final = "studio-under-test"
BASE: Final = "localhost/python-of-debian"
_OF_THE_INDEX: Final = ("/etc/pip.conf", "/etc/ssl/certs")
"""How this machine reaches the package index, where that has to be said."""
_NO_NETWORK: Final = re.compile("resolve|network|connection|timed out|no such host", re.IGNORECASE)


@dataclass(frozen=True)
class Image:
    """The image that was built; `inside` is said before a command of the studio that is to run in it."""

    inside: Sequence[str]
    uid: str


def built(folder: Path) -> Image:
    """Built by whatever engine there is; a skipped test says why by none."""
    engine = shutil.which("podman") or shutil.which("docker")
    if engine is not None and not _failed([engine, "info"]) and not _failed([engine, "pull", base()]):
        _need([engine, "build", "-q", "-t", NAME, "-f", str(CONTAINER), str(clean(folder))])
        run = [engine, "run", "--rm", "--read-only", "--cap-drop", "ALL", "--network", "host", "--tmpfs", "/tmp", NAME]
        return Image(run, "10001")
    if os.geteuid() or shutil.which("buildah") is None or shutil.which("mmdebstrap") is None:
        pytest.skip(
            "No engine with a registry is here, and no buildah with mmdebstrap for root: the file was read, not built."
        )
    return _built_on_debian(folder)


def base() -> str:
    """What the file begins from."""
    return next(line.split()[1] for line in CONTAINER.read_text().splitlines() if line.startswith("FROM"))


def clean(folder: Path) -> Path:
    """What the repository holds, and nothing of the working folder."""
    context = folder / "context"
    context.mkdir()
    files = subprocess.run(["git", "-C", str(ROOT), "archive", "HEAD"], capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(context)], input=files, check=True)
    return context


def _built_on_debian(folder: Path) -> Image:
    suite = base().rpartition("-")[2]
    root = folder / "root.tar"
    packages = "--include=python3,python3-venv,python-is-python3,ca-certificates"
    _need(["mmdebstrap", "--variant=minbase", packages, suite, str(root)])
    buildah = [
        "buildah",
        "--storage-driver",
        "vfs",
        "--root",
        str(folder / "images"),
        "--runroot",
        str(folder / "runs"),
    ]
    made = _need([*buildah, "from", "scratch"])
    _need([*buildah, "add", made, str(root), "/"])
    _need([*buildah, "commit", "-q", made, BASE])
    file = folder / "Containerfile"
    file.write_text(CONTAINER.read_text().replace(f"FROM {base()}", f"FROM {BASE}"))
    mounts = [part for path in _OF_THE_INDEX if Path(path).exists() for part in ("-v", f"{path}:{path}:ro")]
    how = ["bud", "--isolation", "chroot", *mounts, "-t", NAME, "-f", str(file), str(clean(folder))]
    _need([*buildah, *how])
    lives = _need([*buildah, "from", f"localhost/{NAME}"])
    inside = [*buildah, "run", "--isolation", "chroot", lives, "--"]
    return Image([*inside, "/opt/studio/bin/studio"], _need([*inside, "id", "-u"]))


def _failed(command: Sequence[str]) -> bool:
    return bool(subprocess.run(command, capture_output=True, check=False).returncode)


def _need(command: Sequence[str]) -> str:
    """Its last line; skips where the network was what failed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and _NO_NETWORK.search(done.stderr):
        pytest.skip(f"What the image is made of cannot be had from here: {done.stderr.strip()[-200:]}")
    assert done.returncode == 0, done.stderr[-2000:]
    return (done.stdout.strip().splitlines() or [""])[-1]
