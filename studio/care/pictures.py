"""Holds the folder of pictures against the record: each that a row names lies there as it was kept, or a row says that
it expired.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from studio.care.backup import sha256_of
from studio.errors import BadInputError
from studio.journal import Reader
from studio.journal.chain import WrongRow

_NAMED: Final = re.compile(rb'"(?:other_)?evidence":\s*(?:"[0-9a-f]{64}"|\[[^\]]*\])')
_DIGEST: Final = re.compile(rb"[0-9a-f]{64}")
_EXPIRED: Final = "PicturesExpired"


@dataclass(frozen=True, slots=True)
class Pictures:
    """How many pictures that the journal names are there, how many have expired, and the first row whose picture is
    wrong.
    """

    there: int
    expired: int
    first_wrong: WrongRow | None


def ask_pictures(reader: Reader, folder: Path) -> Pictures:
    """Read the record once and every picture it names; `BadInputError` where there is no such folder."""
    if not folder.is_dir():
        raise BadInputError("There is no folder of pictures: name the one the studio keeps.", where=str(folder))
    named: dict[str, int] = {}
    expired: set[str] = set()
    seq = 0
    for row in reader.events():
        seq = row.seq
        if row.kind == _EXPIRED:
            expired.update(_digests(row.body))
        for found in _NAMED.findall(row.body):
            for digest in _digests(found):
                named.setdefault(digest, row.seq)
    kept = {digest: seq for digest, seq in named.items() if digest not in expired}
    wrong = list(_wrong(folder, kept))
    if wrong:  # a studio at work writes first that a picture has expired, and deletes it then
        late = {one for row in reader.events(seq, kinds=(_EXPIRED,)) for one in _digests(row.body)}
        expired |= late
        kept = {digest: seq for digest, seq in kept.items() if digest not in late}
        wrong = [one for one in wrong if one[2] not in late]
    first = None if not wrong else WrongRow("pictures", wrong[0][0], _said(*wrong[0][:2], len(wrong)))
    return Pictures(len(kept) - len(wrong), len(named) - len(kept), first)


def _digests(text: bytes) -> Iterator[str]:
    return (found.decode() for found in _DIGEST.findall(text))


def _wrong(folder: Path, kept: dict[str, int]) -> Iterator[tuple[int, str, str]]:
    for digest, seq in kept.items():
        try:
            is_kept = sha256_of(folder / digest[:2] / f"{digest}.img") == digest
        except FileNotFoundError:
            yield seq, "is gone, and no row says that it expired", digest
        else:
            if not is_kept:
                yield seq, "is not the picture that was kept", digest


def _said(seq: int, what: str, count: int) -> str:
    return (
        f"A picture that row {seq} names {what}. Of {count} in all this is the first."
        if count > 1
        else (f"A picture that row {seq} names {what}.")
    )
