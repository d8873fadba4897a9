"""PINs: what one may be, and how it is hashed. A PIN is in no repr, log or error."""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from studio.errors import RefusedError

_DIGITS = re.compile(r"[0-9]{4,8}", re.ASCII)


class Pin:
    """4 to 8 digits as somebody typed them. Only a hasher looks inside."""

    __slots__ = ("_digits",)

    def __init__(self, typed: str) -> None:
        digits = unicodedata.normalize("NFKC", typed)  # wide ones of a Japanese keyboard are the same PIN
        if not _DIGITS.fullmatch(digits):
            raise RefusedError("pin_malformed", "A PIN has 4 to 8 digits. Type it again.")
        self._digits = digits

    def __repr__(self) -> str:
        return "Pin(hidden)"

    def digits(self) -> str:
        """The digits themselves, for the hasher."""
        return self._digits


@dataclass(frozen=True, slots=True)
class Peppers:
    """Secrets that PINs are mixed with, by generation: the newest for new hashes, those before while hashes of theirs
    are kept.
    """

    by_generation: Mapping[int, bytes] = field(repr=False)

    @property
    def newest(self) -> int:
        return max(self.by_generation)

    @property
    def newest_first(self) -> tuple[bytes, ...]:
        return tuple(self.by_generation[number] for number in sorted(self.by_generation, reverse=True))

    def with_fresh(self, pepper: bytes) -> Peppers:
        return Peppers({**self.by_generation, self.newest + 1: pepper})

    def newest_alone(self) -> Peppers:
        return Peppers({self.newest: self.by_generation[self.newest]})


def generation_of(kept: str) -> int:
    """Of the pepper that a kept hash is mixed with.

    >>> generation_of("$argon2id$v=19$..."), generation_of("p3$argon2id$v=19$...")
    (1, 3)
    """
    said = kept.partition("$")[0].removeprefix("p")
    return int(said) if said.isdecimal() else 1


class PinHasher(Protocol):
    """How PINs are kept: salted, slow, and only comparable."""

    def hash(self, pin: Pin) -> str: ...

    def is_current(self, kept: str) -> bool:
        """Whether a PIN would be kept so today; else it is hashed anew at the next chance."""
        ...

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

    def __init__(
        self, *, pepper: bytes = b"", peppers: Peppers | None = None, cost: int = 2, memory_kib: int = 32 * 1024
    ) -> None:
        """`pepper`: the one there is, where there was never another."""
        self._peppers = peppers or Peppers({1: pepper})
        self._argon2 = PasswordHasher(time_cost=cost, memory_cost=memory_kib, parallelism=1)
        self._nobodys = _nobodys(cost, memory_kib)

    def __repr__(self) -> str:
        return "Argon2PinHasher(hidden)"

    @property
    def peppers(self) -> Peppers:
        return self._peppers

    def take(self, peppers: Peppers) -> None:
        """Mix new hashes with the newest of these from now on; hashes of generations that are not among them fit no
        PIN.
        """
        self._peppers = peppers

    def hash(self, pin: Pin) -> str:
        peppers = self._peppers
        kept = self._argon2.hash(_peppered(peppers.by_generation[peppers.newest], pin))
        return kept if peppers.newest == 1 else f"p{peppers.newest}{kept}"

    def is_current(self, kept: str) -> bool:
        return generation_of(kept) == self._peppers.newest

    def matches(self, kept: str | None, pin: Pin) -> bool:
        pepper = self._peppers.by_generation.get(generation_of(kept)) if kept else None
        plain = kept[kept.index("$") :] if kept and pepper is not None and "$" in kept else None
        try:
            return self._argon2.verify(plain or self._nobodys, _peppered(pepper or b"", pin)) and plain is not None
        except (VerificationError, InvalidHashError):
            return False


@cache
def _nobodys(cost: int, memory_kib: int) -> str:
    """A hash that no PIN fits, compared when a badge is unknown."""
    return PasswordHasher(time_cost=cost, memory_cost=memory_kib, parallelism=1).hash(b"nobody's PIN")


def _peppered(pepper: bytes, pin: Pin) -> bytes:
    return hmac.new(pepper, pin.digits().encode(), hashlib.sha256).digest()
