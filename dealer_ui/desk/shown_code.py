"""Somebody's one-time code as the browser that shows it carries it: a reload shows the same and makes no other.

What is carried is ciphertext under a key of the pepper, for whoever gave the code and nobody else, for three minutes
and while it is that person's code still.
"""

from __future__ import annotations

import contextlib
from typing import Final

import msgspec

from dealer_ui.process.factor_file import FactorFile
from studio.errors import SealedError
from studio.people.pin import Pin
from studio.people.staff import Staff

SHOWN_MS: Final = 3 * 60_000


class _Shown(msgspec.Struct, frozen=True):
    by: str
    digits: str
    kept: str
    until_ms: int

    def __repr__(self) -> str:
        return "_Shown(hidden)"


_SHOWN: Final = msgspec.json.Decoder(_Shown)


def carried_code(code: Pin, person: Staff, by: str, file: FactorFile, now_ms: int) -> str:
    """`by`: the id of whoever gave it."""
    return file.seal(msgspec.json.encode(_Shown(by, code.digits(), person.pin.hash, now_ms + SHOWN_MS)))


def code_carried(token: str, person: Staff, by: str, file: FactorFile, now_ms: int) -> str | None:
    """The digits; None where it was shown too long ago, to another, or opens nothing any more."""
    with contextlib.suppress(SealedError, msgspec.MsgspecError):
        read = _SHOWN.decode(file.unseal(token))
        if read.by == by and read.kept == person.pin.hash and person.has_code and now_ms <= read.until_ms:
            return read.digits
    return None
