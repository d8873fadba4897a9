"""The secrets of second factors: a file beside the database that only its owner reads, each sealed by itself.

`<db>.factors` is one JSON object, by the name of the factor: the secret, encrypted under a key made of the pepper and
bound to the factor's name, and digests of the recovery codes, keyed with the secret. Nothing of it is in the
database; a reset takes it out.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import hmac
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from studio.care.signing import write_secret
from studio.errors import BadInputError, RefusedError, SealedError, not_written
from studio.journal.keys.wrapping import DataKey
from studio.people.second_factor import TotpSecret, as_typed, is_recovery_code

FORM: Final = "studio factors 1"
_CARRIED: Final = "carried by a browser"
"""No factor is called so: their names are hexadecimal."""


class SealedFactor(msgspec.Struct, frozen=True):
    """`secret` is ciphertext, `codes` are digests: neither opens anything without the pepper."""

    secret: str
    codes: tuple[str, ...]

    def __repr__(self) -> str:
        return "SealedFactor(hidden)"


class FactorsKept(msgspec.Struct, frozen=True):
    form: str
    factors: dict[str, SealedFactor]


_FACTORS: Final = msgspec.json.Decoder(FactorsKept)


class FactorFile:
    """The secrets by factor. Without a path they live as long as the program, as a rehearsal's may. Thread-safe."""

    def __init__(self, path: Path | None, *peppers: bytes) -> None:
        """`peppers`: the newest first; it seals, and what one before it sealed opens too. `BadInputError` where the
        file is damaged.
        """
        self._path = path
        self._lock = threading.Lock()
        self._data_keys = tuple(map(_data_key, peppers))
        self._kept, self._seen = self._read(), self._stamp()

    def __repr__(self) -> str:
        return "FactorFile(hidden)"

    def keep(self, factor: str, secret: TotpSecret, codes: Sequence[str]) -> None:
        """On disk when it returns; `RefusedError` where the disk takes nothing."""
        digests = tuple(_digest(secret, code) for code in codes)
        sealed = SealedFactor(self._data_keys[0].close(factor, secret.key()), digests)
        self._change(lambda kept: {**kept, factor: sealed})

    def drop(self, factor: str) -> None:
        """Nobody's any more: its secret is gone for good."""
        self._change(lambda kept: {name: one for name, one in kept.items() if name != factor})

    def secret(self, factor: str) -> TotpSecret:
        """`RefusedError` where the file has it no more, or it was sealed under another pepper."""
        self._look()
        return self._opened(factor)

    def _opened(self, factor: str) -> TotpSecret:
        sealed = self._kept.get(factor)
        for data_key in self._data_keys:
            with contextlib.suppress(SealedError):
                if sealed is None:
                    break
                return TotpSecret(data_key.open(factor, sealed.secret))
        raise RefusedError("factor_lost", "The studio cannot check this code any more: have the second factor reset.")

    def seal(self, plain: bytes) -> str:
        """Something that a browser carries for a moment, so that only the studio can read or make it."""
        return self._data_keys[0].close(_CARRIED, plain)

    def unseal(self, sealed: str) -> bytes:
        """`SealedError` where it was made or changed by somebody else, or under a pepper that is gone."""
        for data_key in self._data_keys:
            with contextlib.suppress(SealedError):
                return data_key.open(_CARRIED, sealed)
        raise SealedError("That was not sealed by this studio.")

    def recovery(self, factor: str, typed: str) -> int:
        """The number of the recovery code that somebody typed, counted from 1; 0 where it is none of his."""
        plain = as_typed(typed)
        if not is_recovery_code(plain):
            return 0
        digest = _digest(self.secret(factor), plain)
        codes = self._kept[factor].codes
        return next((at for at, one in enumerate(codes, 1) if hmac.compare_digest(one, digest)), 0)

    def seal_anew(self, *peppers: bytes) -> None:
        """Under the first of these; codes and devices stay what they are, and so does what no pepper opens any more."""
        with self._lock:
            data_keys = tuple(map(_data_key, peppers))
            kept = dict(self._kept)
            for name, sealed in self._kept.items():
                with contextlib.suppress(RefusedError):
                    secret = data_keys[0].close(name, self._opened(name).key())
                    kept[name] = SealedFactor(secret, sealed.codes)
            self._write(kept)
            self._data_keys, self._kept, self._seen = data_keys, kept, self._stamp()

    def _change(self, change: Callable[[dict[str, SealedFactor]], dict[str, SealedFactor]]) -> None:
        with self._lock, self._alone():
            kept = change(self._kept if self._path is None else self._read())
            self._write(kept)
            self._kept, self._seen = kept, self._stamp()

    def _look(self) -> None:
        """Read it again where another process of the studio has written it since."""
        with self._lock:
            if (stamp := self._stamp()) != self._seen:
                self._kept, self._seen = self._read(), stamp

    def _stamp(self) -> tuple[int, int]:
        """Differs for every file that was put there."""
        try:
            found = self._path.stat() if self._path is not None else None
        except OSError:
            found = None
        return (found.st_ino, found.st_mtime_ns) if found is not None else (0, 0)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process writes it meanwhile."""
        if self._path is None:
            yield
            return
        folder = os.open(self._path.absolute().parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def _write(self, kept: dict[str, SealedFactor]) -> None:
        if self._path is None:
            return
        try:
            write_secret(self._path, msgspec.json.encode(FactorsKept(FORM, kept)))
        except OSError as error:
            raise not_written(error) from error

    def _read(self) -> dict[str, SealedFactor]:
        if self._path is None or not self._path.exists():
            return {}
        try:
            found = _FACTORS.decode(self._path.read_bytes())
        except (OSError, msgspec.MsgspecError) as error:
            sentence = "The secrets of second factors cannot be read: restore this file from a backup."
            raise BadInputError(sentence, where=str(self._path)) from error
        if found.form != FORM:
            sentence = "This file of second factors is of another version: install the newer program."
            raise BadInputError(sentence, where=str(self._path))
        return found.factors


def _data_key(pepper: bytes) -> DataKey:
    return DataKey(hmac.new(pepper, b"second factors", hashlib.sha256).digest())


def _digest(secret: TotpSecret, code: str) -> str:
    return hmac.new(secret.key(), b"recovery code " + code.encode(), hashlib.sha256).hexdigest()
