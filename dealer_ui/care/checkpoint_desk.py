"""Makes checkpoints of the journal, by the clock, and tells them to the witnesses.

A checkpoint is journalled before any witness hears of it, and stays due to a witness until that has taken it: also
over a restart. Telling is the caretaker's affair and never a table's.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from dealer_ui.care.witness import Witness, WitnessError
from studio.care.checkpoint import heads, line_of, sign
from studio.care.event import CheckpointSigned, CheckpointWitnessed, entry_of, read_care
from studio.care.signing import Signer
from studio.errors import StorageError, not_written
from studio.journal import Reader, Row, Unit
from studio.people.shift_event import ShiftClosed

FIRST_WAIT_MS: Final = 5_000
WAIT_MS_MAX: Final = 600_000
KINDS: Final = ("CheckpointSigned", "CheckpointWitnessed")


@dataclass(frozen=True, slots=True)
class CheckpointStanding:
    """Where a witness stands. `waiting`: checkpoints it has not taken; `why`: its last refusal, while there are."""

    witness: str
    taken: int = 0
    taken_at_ms: int = 0
    waiting: int = 0
    since_ms: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Backoff:
    wait_ms: int = 0
    not_before_ms: int = 0


class CheckpointDesk:
    """Signs, and keeps what each witness is still owed."""

    def __init__(
        self,
        commit: Callable[[Unit], int],
        reader: Callable[[], Reader],
        now_ms: Callable[[], int],
        *,
        signer: Signer,
        witnesses: Sequence[Witness] = (),
        studio: str = "",
    ) -> None:
        self.last: CheckpointSigned | None = None
        self._commit, self._reader, self._now_ms = commit, reader, now_ms
        self._signer, self._studio = signer, studio
        self._witnesses = {one.name: one for one in witnesses}
        self._owed: dict[str, list[CheckpointSigned]] = {name: [] for name in self._witnesses}
        self._standing = {name: CheckpointStanding(name) for name in self._witnesses}
        self._backoff = dict.fromkeys(self._witnesses, _Backoff())
        self._door = threading.Lock()

    @property
    def public_key(self) -> str:
        """Of the key that signs now."""
        return self._signer.public_key

    def restore(self, rows: Iterable[Row]) -> None:
        """Fold what the journal holds of checkpoints; what a witness never took is owed again."""
        for row in rows:
            match read_care(row.body):
                case CheckpointSigned() as signed:
                    self._take(signed)
                case CheckpointWitnessed(number=number, witness=name, at_ms=at_ms) if name in self._owed:
                    self._taken(name, number, at_ms)

    def sign(self, why: str) -> CheckpointSigned:
        """A new checkpoint, journalled; `RefusedError` when the disk takes nothing."""
        with self._door:
            signed = sign(
                self._signer, heads(self._reader()), self.last, studio=self._studio, at_ms=self._now_ms(), why=why
            )
            try:
                self._commit(Unit(entries=(entry_of(signed),)))
            except (StorageError, TimeoutError) as error:
                raise not_written(error) from error
            self._take(signed)
        return signed

    def on_shift_closed(self, shift: ShiftClosed, seq: int) -> None:
        """The end of a shift has a checkpoint of its own; its heads are printed on the shift's paper."""
        self.sign("shift")

    def is_due(self, every_ms: int) -> bool:
        return self.last is None or self._now_ms() - self.last.at_ms >= every_ms

    def deliver(self) -> None:
        """Tell every witness what it is owed, oldest first; one that fails is left alone, longer each time."""
        for name, witness in self._witnesses.items():
            while (owed := self._owed[name]) and self._now_ms() >= self._backoff[name].not_before_ms:
                try:
                    witness.tell(line_of(owed[0]))
                    self._kept(name, owed[0])
                except (WitnessError, StorageError, TimeoutError) as error:
                    self._failed(name, str(error))
                    break

    @property
    def standings(self) -> tuple[CheckpointStanding, ...]:
        return tuple(self._standing.values())

    @property
    def behind(self) -> tuple[CheckpointStanding, ...]:
        """The witnesses that refused and are owed something: worth a person's look."""
        return tuple(one for one in self.standings if one.why)

    def _take(self, signed: CheckpointSigned) -> None:
        self.last = signed
        for name, owed in self._owed.items():
            owed.append(signed)
            self._count(name)

    def _kept(self, name: str, signed: CheckpointSigned) -> None:
        told = CheckpointWitnessed(number=signed.number, witness=name, at_ms=self._now_ms())
        self._commit(Unit(entries=(entry_of(told),)))
        with self._door:
            self._taken(name, signed.number, told.at_ms)

    def _taken(self, name: str, number: int, at_ms: int) -> None:
        self._owed[name] = [one for one in self._owed[name] if one.number != number]
        self._backoff[name] = _Backoff()
        self._standing[name] = replace(self._standing[name], taken=number, taken_at_ms=at_ms, why="", since_ms=0)
        self._count(name)

    def _failed(self, name: str, why: str) -> None:
        now = self._now_ms()
        wait_ms = min(WAIT_MS_MAX, self._backoff[name].wait_ms * 2 or FIRST_WAIT_MS)
        self._backoff[name] = _Backoff(wait_ms, now + wait_ms)
        before = self._standing[name]
        self._standing[name] = replace(before, why=why, since_ms=before.since_ms or now)

    def _count(self, name: str) -> None:
        self._standing[name] = replace(self._standing[name], waiting=len(self._owed[name]))


def owed_of(standings: Sequence[CheckpointStanding]) -> Mapping[str, int]:
    """How many checkpoints each witness is owed."""
    return {one.witness: one.waiting for one in standings}
