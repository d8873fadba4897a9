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
_OUT_OF_REACH: Final = re.compile(
    r"Temporary failure (in name resolution|resolving)|Could not resolve"
    r"|lookup \S+.*: (no such host|server misbehaving)"
    r"|Could not connect to \S+:\d+|Failed to establish a new connection|Network is unreachable"
    r"|dial tcp \S+: (i/o timeout|connect: (connection refused|network is unreachable|no route to host))"
)
"""What apt, pip and the engines say where what they fetch from cannot be reached at all."""


@dataclass(frozen=True)
class Image:
    """The image that was built; `inside` is said before a command of the studio that is to run in it."""

    inside: Sequence[str]
    uid: str


def built(folder: Path) -> Image:
    """Built by whatever engine there is; a skipped test says why by none."""
    engine = shutil.which("podman") or shutil.which("docker")
    if engine is not None and not _failed([engine, "info"]) and _has_registry(engine):
        _fetch([engine, "build", "-q", "-t", NAME, "-f", str(CONTAINER), str(clean(folder))])
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
    _fetch(["mmdebstrap", "--variant=minbase", packages, suite, str(root)])
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
    _fetch([*buildah, *how])
    lives = _need([*buildah, "from", f"localhost/{NAME}"])
    inside = [*buildah, "run", "--isolation", "chroot", lives, "--"]
    return Image([*inside, "/opt/studio/bin/studio"], _need([*inside, "id", "-u"]))


def _failed(command: Sequence[str]) -> bool:
    return bool(subprocess.run(command, capture_output=True, check=False).returncode)


def _has_registry(engine: str) -> bool:
    """Whether the image that the file begins from was fetched; that a registry refuses it is a mistake of the file."""
    done = subprocess.run([engine, "pull", base()], capture_output=True, text=True, check=False)
    assert done.returncode == 0 or is_out_of_reach(done.stderr), done.stderr[-2000:]
    return done.returncode == 0


def is_out_of_reach(said: str) -> bool:
    """Whether a command failed for want of what it fetches from, and of nothing else."""
    return _OUT_OF_REACH.search(said) is not None


def _fetch(command: Sequence[str]) -> None:
    """A step that fetches; skips where there is nothing to fetch from, and fails of anything else."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and is_out_of_reach(done.stderr):
        pytest.skip(f"What the image is made of cannot be had from here: {done.stderr.strip()[-200:]}")
    assert done.returncode == 0, done.stderr[-2000:]


def _need(command: Sequence[str]) -> str:
    """Its last line."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return (done.stdout.strip().splitlines() or [""])[-1]
