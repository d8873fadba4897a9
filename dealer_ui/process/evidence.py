"""Kept pictures: a folder, each under its own SHA-256."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Final

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class EvidenceFolder:
    """Content-addressed pictures; the journal keeps their digests, retention may delete the files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        if folder.stat().st_uid == os.geteuid():
            folder.chmod(0o700)  # pictures of cards in play are for the studio's own eyes

    def keep(self, picture: bytes) -> str:
        """Store an encoded picture, unless it is stored already, and return its digest."""
        digest = hashlib.sha256(picture).hexdigest()
        path = self._path(digest)
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            part = path.with_suffix(f".{os.getpid()}.part")
            part.write_bytes(picture)
            part.replace(path)
        return digest

    def path(self, digest: str) -> Path | None:
        """Where the picture lies; None for anything that is no digest, or no longer there."""
        if not _DIGEST.fullmatch(digest):
            return None
        path = self._path(digest)
        return path if path.exists() else None

    def read(self, digest: str) -> bytes:
        """The picture; nothing where it is no longer there, or cannot be read."""
        path = self.path(digest)
        try:
            return path.read_bytes() if path is not None else b""
        except OSError:
            return b""

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / f"{digest}.img"
