"""What may be done to an operator and his keys: each refuses, or says what happens."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from studio.errors import RefusedError
from studio.operators.operator_event import (
    OperatorAdded,
    OperatorKeyRotated,
    OperatorKeysRevoked,
    OperatorResumed,
    OperatorSuspended,
)
from studio.operators.register import Operator

KEYS_MAX: Final = 4
"""So many keys of an operator may be good at once."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,30}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_HINT_MIN: Final = 6
_REASON_MAX: Final = 200
_HOURS_MAX: Final = 90 * 24
_HOUR_MS: Final = 3_600_000

InForce = Mapping[str, Operator]


@dataclass(frozen=True, slots=True)
class Why:
    """Who does it, for what reason, when."""

    by: str
    reason: str
    at_ms: int

    @property
    def words(self) -> str:
        words = self.reason.strip()
        if not words.isprintable() or not 0 < len(words) <= _REASON_MAX:
            raise RefusedError("reason", f"Say why in a few words, {_REASON_MAX} characters at most; they are kept.")
        return words


def add_operator(
    there: InForce, name: str, digest: str, why: Why, *, test: bool = False, used: bool = False
) -> OperatorAdded:
    """`used`: the books know money of an operator of this name; he can never become one of test accounts."""
    if not _NAME.fullmatch(name):
        sentence = "A name has small letters, digits, - and _, 31 at most, as north. Choose another one."
        raise RefusedError("name_wrong", sentence)
    if name in there:
        raise RefusedError("name_taken", f"There is an operator {name} already: give him a new key with rotate.")
    if test and used:
        sentence = f"The books know money of an operator {name}: choose a name for the test accounts that nobody had."
        raise RefusedError("name_used", sentence)
    return OperatorAdded(
        operator=name, digest=_new(there, digest), test=test, by=why.by, reason=why.words, at_ms=why.at_ms
    )


def suspend_operator(there: InForce, name: str, why: Why) -> OperatorSuspended:
    if _known(there, name).suspended:
        raise RefusedError("suspended", f"{name} is suspended already: resume lifts that.")
    return OperatorSuspended(operator=name, by=why.by, reason=why.words, at_ms=why.at_ms)


def resume_operator(there: InForce, name: str, why: Why, file: InForce) -> OperatorResumed:
    if not _known(there, name).suspended:
        raise RefusedError("not_suspended", f"{name} is not suspended: there is nothing to lift.")
    if name in file and file[name].suspended:
        sentence = f"The configuration says suspended = true for {name}: change it there and send the studio SIGHUP."
        raise RefusedError("suspended_by_file", sentence)
    return OperatorResumed(operator=name, by=why.by, reason=why.words, at_ms=why.at_ms)


def rotate_key(there: InForce, name: str, digest: str, *, hours: float, why: Why) -> OperatorKeyRotated:
    """A new key; all that are good now go on for so many hours."""
    good = _known(there, name).good(why.at_ms)
    if len(good) >= KEYS_MAX:
        sentence = f"{name} has {KEYS_MAX} good keys: wait until one has ended, or revoke one."
        raise RefusedError("too_many_keys", sentence)
    if not 0 <= hours <= _HOURS_MAX:
        raise RefusedError("hours", f"The old key goes on for 0 to {_HOURS_MAX} hours: say how many.")
    return OperatorKeyRotated(
        operator=name,
        digest=_new(there, digest),
        ending=good,
        ends_at_ms=why.at_ms + round(hours * _HOUR_MS),
        by=why.by,
        reason=why.words,
        at_ms=why.at_ms,
    )


def revoke_keys(there: InForce, name: str, hint: str, why: Why) -> OperatorKeysRevoked:
    """`hint`: the first signs of one key's digest, as the list shows them; without it all of his keys end."""
    good = _known(there, name).good(why.at_ms)
    if hint and len(hint) < _HINT_MIN:
        raise RefusedError("key_short", f"Give {_HINT_MIN} signs of the key's digest at least, as the list shows it.")
    found = tuple(digest for digest in good if digest.startswith(hint))
    if not found or (hint and len(found) > 1):
        raise RefusedError("key_unknown", f"{name} has no such good key: look at the list.")
    return OperatorKeysRevoked(operator=name, digests=found, by=why.by, reason=why.words, at_ms=why.at_ms)


def _known(there: InForce, name: str) -> Operator:
    if name not in there:
        raise RefusedError("operator_unknown", f"There is no operator {name}: look at the list, or add him.")
    return there[name]


def _new(there: InForce, digest: str) -> str:
    if not _DIGEST.fullmatch(digest) or any(digest in one.keys for one in there.values()):
        raise RefusedError("digest_wrong", "The digest of a new key has 64 hexadecimal digits and is nobody's yet.")
    return digest
