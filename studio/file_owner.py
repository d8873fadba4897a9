"""Whose a file is that root makes where the studio runs under an account of its own: that account's, or it could not be
opened at the next start.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def give_to_owner(made: int | Path, like: Path) -> None:
    """Give what root has just made the owner of `like`: of what it replaces, or of the folder it lies in.

    Whoever else makes it owns it. Where the disk knows no owners, or lets nobody change them, it stays root's.
    """
    if os.geteuid() == 0:
        with contextlib.suppress(OSError):
            found = like.stat()
            os.chown(made, found.st_uid, found.st_gid)
