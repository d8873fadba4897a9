"""Whose API key a request carries.

Keys are long and random, so a plain digest of one is kept and nothing slower is needed; every digest is compared,
each in constant time, so that the time of an answer tells nothing of a key.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from studio.operators import Operator

KEY_BYTES: Final = 32
_KEY_LENGTH_MAX: Final = 256


def digest_of_key(api_key: str) -> str:
    """What the configuration keeps instead of the key: SHA-256, in hexadecimal."""
    return hashlib.sha256(api_key.encode()).hexdigest()


def new_key(prefix: str = "lds") -> str:
    """A key for an operator, shown to him once."""
    return f"{prefix}_{secrets.token_urlsafe(KEY_BYTES)}"


class OperatorKeys(Mapping[str, Operator]):
    """Operators and the keys they sign their requests with, as they are now; `put` changes all of them at once."""

    def __init__(self, operators: Mapping[str, Operator], now_ms: Callable[[], int] = lambda: 0) -> None:
        self._operators = dict(operators)
        self._now_ms = now_ms

    def put(self, operators: Mapping[str, Operator]) -> None:
        self._operators = dict(operators)

    def operator_of(self, api_key: str) -> str | None:
        """The operator of that key, suspended or not; None for a key nobody has, or one that has ended."""
        if len(api_key) > _KEY_LENGTH_MAX:
            return None
        digest, now_ms = digest_of_key(api_key), self._now_ms()
        found = None
        for name, operator in self._operators.items():
            for known in operator.good(now_ms):
                if hmac.compare_digest(known, digest):
                    found = name
        return found

    def lets_in(self, api_key: str) -> bool:
        """Whether a request with that key would be answered now; a stream that it opened goes on as long."""
        return self.admits(self.operator_of(api_key) or "")

    def admits(self, operator: str) -> bool:
        """Whether there is such an operator, and he is not suspended."""
        found = self._operators.get(operator)
        return found is not None and not found.suspended

    def __getitem__(self, operator: str) -> Operator:
        return self._operators[operator]

    def __iter__(self) -> Iterator[str]:
        return iter(self._operators)

    def __len__(self) -> int:
        return len(self._operators)
