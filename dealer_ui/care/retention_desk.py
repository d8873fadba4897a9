"""Deletes pictures: what retention says is due, journalled first, once a day or when asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from dealer_ui.care.caretaker import Duty
from dealer_ui.config.file import StudioConfig
from studio.care.event import PicturesExpired, entry_of, read_care
from studio.care.retention import DAY_MS, Keep, RetentionPlan, plan
from studio.journal import Reader, Unit

AT_ONCE: Final = 500
"""So many digests stand in one row."""
FIRST_MS: Final = 600_000
"""After a start the studio has better to do."""
_EXPIRED: Final = """
SELECT CAST(body AS BLOB) FROM journal WHERE kind = 'PicturesExpired' AND instr(body, ?) > 0 ORDER BY seq DESC LIMIT 1
"""


class PictureFolder:
    """The pictures that lie in the evidence folder, by their digests."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def digests(self) -> Iterator[str]:
        return (path.stem for path in self._folder.glob("??/*.img"))

    def delete(self, digest: str) -> None:
        (self._folder / digest[:2] / f"{digest}.img").unlink(missing_ok=True)


def keep_of(config: StudioConfig) -> Keep:
    keep = config.care.keep
    return Keep(keep.round_days, keep.incident_days, keep.device_days)


def look(reader: Reader, pictures: PictureFolder, keep: Keep, now_ms: int) -> RetentionPlan:
    """What is due; nothing is deleted."""
    there = frozenset(pictures.digests())
    return plan(reader.events(), there, keep, now_ms) if there else RetentionPlan({}, (), ())


def expire(
    due: RetentionPlan, pictures: PictureFolder, keep: Keep, commit: Callable[[Unit], object], now_ms: int
) -> int:
    """Journal what expires, then delete it; a kill between the two leaves pictures that are deleted the next day."""
    for rule, digests in due.due.items():
        for at in range(0, len(digests), AT_ONCE):
            some = digests[at : at + AT_ONCE]
            told = PicturesExpired(rule=rule, days=keep.days(rule), at_ms=now_ms, digests=some)
            commit(Unit(entries=(entry_of(told),)))
            for digest in some:
                pictures.delete(digest)
    return due.count


def expired_by(reader: Reader, digest: str) -> PicturesExpired | None:
    """The event by which a rule deleted that picture; None when no rule did."""
    for (body,) in reader.read(_EXPIRED, (f'"{digest}"',)):
        event = read_care(body)
        assert isinstance(event, PicturesExpired)
        return event
    return None


def retention_duty(
    reader: Callable[[], Reader], pictures: PictureFolder, keep: Keep, commit: Callable[[Unit], object],
    now_ms: Callable[[], int],
) -> Duty:  # fmt: skip
    """Once a day, and the first time some minutes after the start."""
    next_ms = now_ms() + FIRST_MS

    def duty() -> None:
        nonlocal next_ms
        now = now_ms()
        if now >= next_ms:
            next_ms = now + DAY_MS
            expire(look(reader(), pictures, keep, now), pictures, keep, commit, now)

    return duty
