"""Kept pictures: a folder, each under its own SHA-256."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

_LOG = structlog.get_logger("dealer_ui.process.evidence")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class EvidenceFolder:
    """Content-addressed pictures; the journal keeps their digests, retention may delete the files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._told = False
        folder.mkdir(parents=True, exist_ok=True)
        if folder.stat().st_uid == os.geteuid():
            folder.chmod(0o700)  # pictures of cards in play are for the studio's own eyes

    def keep(self, picture: bytes) -> str:
        """Store an encoded picture, unless it is stored already, and return its digest; empty when the disk takes none.

        What was seen is told without its picture rather than not at all.
        """
        digest = hashlib.sha256(picture).hexdigest()
        path = self._path(digest)
        if not path.exists():
            part = path.with_suffix(f".{os.getpid()}.part")
            try:
                path.parent.mkdir(exist_ok=True)
                part.write_bytes(picture)
                part.replace(path)
            except OSError as error:
                self._lost(part, error)
                return ""
        self._told = False
        return digest

    def _lost(self, part: Path, error: OSError) -> None:
        """Leave nothing of it behind, and say so once for as long as it lasts."""
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        if not self._told:
            _LOG.error("pictures cannot be kept; cards are told without them", why=str(error))
        self._told = True

    @classmethod
    def path_in(cls, folder: str) -> Callable[[str], Path | None]:
        """Where pictures lie that another process keeps there: nothing is made."""
        found = cls.__new__(cls)
        found._folder = Path(folder)
        return found.path

    def path(self, digest: str) -> Path | None:
        """The file of the picture with this digest; None when it is no digest, or the picture no longer exists."""
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
