"""Holds opened cards of an export against their commitments: with SHA-256 alone, and no cipher.

A card that was opened in its own row names seal, key and face. A reveal names keys and faces only: each pair must fit a
card that its table dealt face down in that round. Where people ruled a face, or the round began before the export, or
a card has no commitment, a reveal that fits none proves nothing and is let be.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeAlias, TypeGuard

_TAG: Final = b"studio-sealed 1\n"
_WITHOUT_COMMITMENT: Final = 3
"""So many parts a sealed card of before commitments has."""

Seal: TypeAlias = list[str]
"""Id, nonce, ciphertext and commitment, as a row has them: all but the id in hexadecimal."""


class WrongCardError(Exception):
    """The sentence says what is wrong with the row."""


@dataclass(slots=True)
class _Round:
    """What one table has dealt face down since its round began. `whole`: the export has seen it begin."""

    whole: bool = False
    down: dict[str, Seal] = field(default_factory=dict)
    ruled: set[str] = field(default_factory=set)


@dataclass(slots=True)
class OpenedCards:
    """The cards of an export as far as its rows have got. `uncommitted`: sealed before cards were bound to a face."""

    opened: int = 0
    uncommitted: int = 0
    _rounds: dict[str, _Round] = field(default_factory=dict)
    _committed: set[str] = field(default_factory=set)

    def take(self, body: str) -> None:
        """`WrongCardError` where the row opens a card to a face it was not committed to."""
        row = json.loads(body)
        event = row.get("event")
        if not isinstance(event, dict):
            return
        table = str(row.get("table", ""))
        if event.get("kind") == "RoundStarted":
            self._rounds[table] = _Round(whole=True)
        if isinstance(seen := event.get("observation"), dict):
            self._sealed(table, seen.get("card"))
        told = event.get("fact") or event
        if isinstance(told, dict):
            self._told(self._rounds.setdefault(table, _Round()), told)

    def _sealed(self, table: str, seal: object) -> None:
        """A device closed a card. Once a table's cards are committed, one that is not is no older row."""
        if not _is_seal(seal) or not seal[2]:
            return
        if _commitment(seal):
            self._committed.add(table)
        elif table in self._committed:
            _wrong(f"The sealed card {seal[0]} is not committed to a face, and cards before it were.")
        else:
            self.uncommitted += 1

    def _told(self, round: _Round, told: dict[str, Any]) -> None:
        seal, key, face = told.get("card"), told.get("key"), told.get("face")
        if _is_seal(seal):
            if key and face:
                self._opens(seal, key, face)
            else:
                round.down[seal[0]] = seal
        if face and not key:
            round.ruled.add(face)
        for shown, as_face in zip(told.get("keys") or (), told.get("faces") or (), strict=True):
            self._reveals(round, shown, as_face)

    def _opens(self, seal: Seal, key: str, face: str) -> None:
        if not _commitment(seal):
            return
        if not _commits(seal, key, face):
            _wrong(f"It opens the sealed card {seal[0]} to a face it was not committed to.")
        self.opened += 1

    def _reveals(self, round: _Round, key: str, face: str) -> None:
        if any(_commits(one, key, face) for one in round.down.values()):
            self.opened += 1
            return
        old = any(one[2] and not _commitment(one) for one in round.down.values())
        if round.whole and face not in round.ruled and not old:
            _wrong("It reveals a card to a face that none dealt in its round was committed to.")


def _is_seal(given: object) -> TypeGuard[Seal]:
    return isinstance(given, list) and len(given) >= _WITHOUT_COMMITMENT


def _commitment(seal: Seal) -> str:
    return seal[3] if len(seal) > _WITHOUT_COMMITMENT else ""


def _commits(seal: Seal, key: str, face: str) -> bool:
    id, nonce = seal[0].encode(), bytes.fromhex(seal[1])
    said = _TAG + base64.b64decode(key) + nonce + bytes((len(id),)) + id + face.encode()
    return hashlib.sha256(said).hexdigest() == _commitment(seal)


def _wrong(sentence: str) -> NoReturn:
    raise WrongCardError(sentence)
