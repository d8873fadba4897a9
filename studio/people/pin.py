"""PINs: what one may be, and how it is hashed. A PIN is in no repr, log or error."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Protocol

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from studio.errors import RefusedError

_DIGITS = re.compile(r"[0-9]{4,8}", re.ASCII)


class Pin:
    """4 to 8 digits as somebody typed them. Only a hasher looks inside."""

    __slots__ = ("_digits",)

    def __init__(self, typed: str) -> None:
        if not _DIGITS.fullmatch(typed):
            raise RefusedError("pin_malformed", "A PIN has 4 to 8 digits. Type it again.")
        self._digits = typed

    def __repr__(self) -> str:
        return "Pin(hidden)"

    def digits(self) -> str:
        """The digits themselves, for the hasher."""
        return self._digits


class PinHasher(Protocol):
    """How PINs are kept: salted, slow, and only comparable."""

    def hash(self, pin: Pin) -> str: ...

    def matches(self, kept: str | None, pin: Pin) -> bool:
        """Whether the PIN fits the hash that is kept. Takes as long for a wrong PIN, and for no hash (None), as for a
        right one.
        """
        ...


class Argon2PinHasher:
    """Argon2id over the peppered PIN.

    A PIN is short: whoever has the hashes tries all of them in minutes. `pepper`, kept beside the database and
    never in it, makes the hashes worthless without it. One check takes about 50 ms; `cost` 1 and `memory_kib` 8
    are for PINs that everybody knows: in tests, and in the demo.
    """

    def __init__(self, *, pepper: bytes = b"", cost: int = 2, memory_kib: int = 32 * 1024) -> None:
        self._pepper = pepper
        self._argon2 = PasswordHasher(time_cost=cost, memory_cost=memory_kib, parallelism=1)
        self._nobodys = self._argon2.hash(b"nobody's PIN, compared when a badge is unknown")

    def __repr__(self) -> str:
        return "Argon2PinHasher(hidden)"

    def hash(self, pin: Pin) -> str:
        return self._argon2.hash(self._peppered(pin))

    def matches(self, kept: str | None, pin: Pin) -> bool:
        try:
            return self._argon2.verify(kept or self._nobodys, self._peppered(pin)) and kept is not None
        except (VerificationError, InvalidHashError):
            return False

    def _peppered(self, pin: Pin) -> bytes:
        return hmac.new(self._pepper, pin.digits().encode(), hashlib.sha256).digest()
