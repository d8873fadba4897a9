"""The only place that tells whose API key a request carries.

Keys are long and random, so a plain digest of one is kept and nothing slower is needed; every digest is compared,
each in constant time, so that the time of an answer tells nothing of a key.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

KEY_BYTES: Final = 32
_KEY_LENGTH_MAX: Final = 256
_NO_END: Final = 1 << 62


def digest_of_key(api_key: str) -> str:
    """What the configuration keeps instead of the key: SHA-256, in hexadecimal."""
    return hashlib.sha256(api_key.encode()).hexdigest()


def new_key(prefix: str = "lds") -> str:
    """A key for an operator, shown to him once."""
    return f"{prefix}_{secrets.token_urlsafe(KEY_BYTES)}"


@dataclass(frozen=True, slots=True)
class OperatorKey:
    """`suspended`: the key is known, and every request with it is refused. `more`: his other keys that are good.

    `ends`: until when a key is good, by its digest; one that is not there has no end yet.
    """

    digest: str = field(repr=False)
    suspended: bool = False
    more: tuple[str, ...] = field(default=(), repr=False)
    ends: Mapping[str, int] = field(default_factory=dict, repr=False)

    @property
    def digests(self) -> tuple[str, ...]:
        return (self.digest, *self.more) if self.digest else self.more


class OperatorKeys(Mapping[str, OperatorKey]):
    """Operator to the keys he signs his requests with, as they are now; `put` changes all of them at once."""

    def __init__(self, keys: Mapping[str, OperatorKey], now_ms: Callable[[], int] = lambda: 0) -> None:
        self._keys = dict(keys)
        self._now_ms = now_ms

    def put(self, keys: Mapping[str, OperatorKey]) -> None:
        self._keys = dict(keys)

    def operator_of(self, api_key: str) -> str | None:
        """The operator of that key, suspended or not; None for a key nobody has, or one that has ended."""
        if len(api_key) > _KEY_LENGTH_MAX:
            return None
        digest, now_ms = digest_of_key(api_key), self._now_ms()
        found = None
        for operator, key in self._keys.items():
            for known in key.digests:
                if hmac.compare_digest(known, digest) and now_ms < key.ends.get(known, _NO_END):
                    found = operator
        return found

    def lets_in(self, api_key: str) -> bool:
        """Whether a request with that key would be answered now; a stream that it opened goes on as long."""
        return self.admits(self.operator_of(api_key) or "")

    def admits(self, operator: str) -> bool:
        """Whether there is such an operator, and he is not suspended."""
        found = self._keys.get(operator)
        return found is not None and not found.suspended

    def __getitem__(self, operator: str) -> OperatorKey:
        return self._keys[operator]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)
