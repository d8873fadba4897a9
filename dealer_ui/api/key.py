"""The only place that tells whose API key a request carries.

Keys are long and random, so a plain digest of one is kept and nothing slower is needed; every digest is compared,
each in constant time, so that the time of an answer tells nothing of a key.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

KEY_BYTES: Final = 32
_KEY_LENGTH_MAX: Final = 256


def digest_of_key(api_key: str) -> str:
    """What the configuration keeps instead of the key: SHA-256, in hexadecimal."""
    return hashlib.sha256(api_key.encode()).hexdigest()


def new_key(prefix: str = "lds") -> str:
    """A key for an operator, shown to him once."""
    return f"{prefix}_{secrets.token_urlsafe(KEY_BYTES)}"


@dataclass(frozen=True, slots=True)
class OperatorKey:
    """`suspended`: the key is known, and every request with it is refused."""

    digest: str = field(repr=False)
    suspended: bool = False


class OperatorKeys(Mapping[str, OperatorKey]):
    """Operator to the key he signs his requests with."""

    def __init__(self, keys: Mapping[str, OperatorKey]) -> None:
        self._keys = dict(keys)

    def operator_of(self, api_key: str) -> str | None:
        """The operator of that key, suspended or not; None for a key nobody has."""
        if len(api_key) > _KEY_LENGTH_MAX:
            return None
        digest = digest_of_key(api_key)
        found = None
        for operator, key in self._keys.items():
            if hmac.compare_digest(key.digest, digest):
                found = operator
        return found

    def __getitem__(self, operator: str) -> OperatorKey:
        return self._keys[operator]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)
