"""Looks at the program that runs: at the start, and once a day, with the files of its libraries, a few at a time.

What it finds is journalled, good or bad. A program that is not the one that was started, or not the one somebody
answers for, stops no table: it is an alarm in the pit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from dealer_ui.care.caretaker import Duty
from studio.care.event import ProgramAccepted, ProgramFound, entry_of
from studio.care.program import Program, changed, known, library_files, look, with_changes
from studio.journal import Row, Unit

DAY_MS: Final = 86_400_000
AT_ONCE: Final = 200
"""So many files of libraries are looked at in one beat of the care."""
DAMAGED_MOST: Final = 50
"""So many damaged files are named in a row; where there are more, the library is to be installed anew anyway."""


@dataclass(frozen=True, slots=True)
class ProgramStanding:
    """How the program stands. `other`: parts that are not as they were at the start; `damaged`: files of libraries.

    `accepted` is who answers for a program, of whatever digest; None where nobody ever did.
    """

    version: str = ""
    digest: str = ""
    looked_at_ms: int = 0
    other: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    accepted: ProgramAccepted | None = None

    @property
    def answered_for(self) -> bool:
        """Somebody answers for this very program."""
        return self.accepted is not None and self.accepted.digest == self.digest


class ProgramDesk:
    """`look` and `library_files` are those of `studio.care.program`; a test has its own."""

    def __init__(
        self,
        commit: Callable[[Unit], object],
        now_ms: Callable[[], int],
        look: Callable[[], Program] = look,
        library_files: Callable[[], Iterable[tuple[str, bool]]] = library_files,
    ) -> None:
        self.standing = ProgramStanding()
        self._commit, self._now_ms = commit, now_ms
        self._look, self._library_files = look, library_files
        self._started: Program | None = None
        self._parts: dict[str, str] = {}

    def restore(self, rows: Iterable[Row]) -> None:
        """Fold what the journal holds of earlier programs."""
        before = known(rows)
        self._parts = dict(before.parts)
        self.standing = ProgramStanding(accepted=before.accepted)

    def look_now(self, why: str, damaged: tuple[str, ...] = ()) -> None:
        """Look, write down what was found, and believe it."""
        now = self._look()
        self._started = self._started or now
        found = ProgramFound(
            at_ms=self._now_ms(), why=why, version=now.version, digest=now.digest,
            changed=changed(self._parts, now.parts), damaged=damaged[:DAMAGED_MOST],
        )  # fmt: skip
        self._commit(Unit(entries=(entry_of(found),)))
        self._parts = with_changes(self._parts, found)
        other = tuple(one.part for one in changed(self._started.parts, now.parts))
        self.standing = ProgramStanding(now.version, now.digest, found.at_ms, other, damaged, self.standing.accepted)

    def duty(self) -> Duty:
        """At the start, then once a day."""
        next_ms, going = 0, _Going()

        def duty() -> None:
            nonlocal next_ms, going
            now = self._now_ms()
            if self._started is None:
                self.look_now("start")
                next_ms = now + DAY_MS
            elif going.on:
                going.on = going.some()
                if not going.on:
                    self.look_now("day", tuple(going.damaged))
            elif now >= next_ms:
                next_ms, going = now + DAY_MS, _Going(iter(self._library_files()), on=True)

        return duty


@dataclass(slots=True)
class _Going:
    """The way through the files of the libraries."""

    files: Iterator[tuple[str, bool]] = field(default_factory=lambda: iter(()))
    damaged: list[str] = field(default_factory=list)
    on: bool = False

    def some(self) -> bool:
        """A few files more; whether there are others."""
        looked_at = 0
        for name, good in islice(self.files, AT_ONCE):
            looked_at += 1
            if not good:
                self.damaged.append(name)
        return looked_at == AT_ONCE
