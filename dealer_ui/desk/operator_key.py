"""Whose API key a request carries, and what else his requests need.

Keys are long and random, so a plain digest of each is safe enough and nothing slower is needed. Every digest is
compared, each in constant time, so that the time of an answer tells nothing of a key.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from dealer_ui.desk.operator_call import ANY_CALL, CallTerms, Sent, Signatures
from studio.errors import RefusedError
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
        self._calls: Mapping[str, CallTerms] = {}
        self._signatures = Signatures(now_ms)
        self._now_ms = now_ms

    def put(self, operators: Mapping[str, Operator], calls: Mapping[str, CallTerms]) -> None:
        """`calls`: what the requests of some of them need beside a key."""
        self._calls = dict(calls)
        self._operators = dict(operators)

    def operator_of(self, api_key: str) -> str | None:
        """The operator whose API key this is, even if he is suspended; None for a key that is unknown or has ended."""
        if len(api_key) > _KEY_LENGTH_MAX:
            return None
        digest, now_ms = digest_of_key(api_key), self._now_ms()
        found = None
        for name, operator in self._operators.items():
            for known in operator.good(now_ms):
                if hmac.compare_digest(known, digest):
                    found = name
        return found

    def lets_in(self, api_key: str, address: str | None = None) -> bool:
        """Whether a request with that key from there would be answered now; a stream that it opened goes on as long."""
        operator = self.operator_of(api_key) or ""
        return self.admits(operator) and self._calls_of(operator).lets_in_from(address)

    def need_place(self, operator: str, address: str | None) -> None:
        """`RefusedError` unless this operator asks from there."""
        if not self._calls_of(operator).lets_in_from(address):
            sentence = f"Your requests come from other addresses than {address}: ask the studio to take this one in."
            raise RefusedError("wrong_address", sentence)

    def need_signature(self, operator: str, sent: Callable[[], Sent]) -> None:
        """`RefusedError` unless the request is signed, where this operator's are."""
        if secrets := self._calls_of(operator).secrets:
            self._signatures.need(operator, secrets, sent())

    def _calls_of(self, operator: str) -> CallTerms:
        return self._calls.get(operator, ANY_CALL)

    def admits(self, operator: str) -> bool:
        """Whether there is such an operator, and he is not suspended."""
        found = self._operators.get(operator)
        return found is not None and not found.suspended

    def is_test(self, operator: str) -> bool:
        """Whether this operator's bettors are test accounts."""
        found = self._operators.get(operator)
        return found is not None and found.test

    def __getitem__(self, operator: str) -> Operator:
        return self._operators[operator]

    def __iter__(self) -> Iterator[str]:
        return iter(self._operators)

    def __len__(self) -> int:
        return len(self._operators)
