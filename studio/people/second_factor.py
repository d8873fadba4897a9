"""The code beside the PIN: time-based one-time passwords (RFC 6238), recovery codes, and what a typed code leads to.

Pure: clock and random bytes are given. A code is good once. Secrets are in no event, repr, log or error.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import struct
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NoReturn
from urllib.parse import quote, urlencode

from studio.errors import RefusedError, SealedError
from studio.people.actor import Actor
from studio.people.approval import need_witness
from studio.people.factor_event import SecondFactorEnrolled, SecondFactorReset, SecondFactorUsed
from studio.people.papering import all_sign_ins
from studio.people.staff import RECOVERY_CODES, Staff, StaffRegister
from studio.people.staff_event import AnyStaffEvent
from studio.people.staffing import person_of

STEP_MS: Final = 30_000
SLACK_STEPS: Final = 1
"""A device's clock may be off by half a minute or so, and typing takes time."""
SECRET_BYTES: Final = 20
_DIGITS: Final = 6
_RECOVERY: Final = re.compile(r"[0-9a-hjkmnp-tv-z]{10}")
_SIGNS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's, without what is mistaken for another: 50 bits in ten of them."""


class TotpSecret:
    """What a person's device and the studio both know. Only codes and its own enrolment come out of it."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        self._key = key

    def __repr__(self) -> str:
        return "TotpSecret(hidden)"

    def __reduce__(self) -> NoReturn:
        raise SealedError("A secret is not pickled.")

    def key(self) -> bytes:
        """For whoever keeps it, sealed."""
        return self._key

    def typed(self) -> str:
        """As a person types it into his device, in groups of four."""
        text = base64.b32encode(self._key).decode()
        return " ".join(text[at : at + 4] for at in range(0, len(text), 4))

    def address(self, studio: str, person: str) -> str:
        """What the QR code says, for any authenticator."""
        label = f"{quote(studio, safe='')}:{quote(person, safe='')}"
        told = {"secret": base64.b32encode(self._key).decode(), "issuer": studio}
        return f"otpauth://totp/{label}?{urlencode(told, quote_via=quote)}"

    def code(self, step: int) -> str:
        """The six digits of one step of 30 s since 1970."""
        digest = hmac.new(self._key, struct.pack(">Q", step), hashlib.sha1).digest()
        at = digest[-1] & 0x0F
        number = struct.unpack(">I", digest[at : at + 4])[0] & 0x7FFF_FFFF
        return f"{number % 10**_DIGITS:0{_DIGITS}}"

    def step_of(self, typed: str, now_ms: int) -> int | None:
        """The step around now whose code this is, the newest where two have the same; None where none has."""
        now = now_ms // STEP_MS
        fits = [
            step
            for step in range(now - SLACK_STEPS, now + SLACK_STEPS + 1)
            if hmac.compare_digest(self.code(step).encode(), typed.encode())
        ]
        return max(fits, default=None)


def fresh_recovery_codes(random_bytes: Callable[[int], bytes]) -> tuple[str, ...]:
    """Codes for a day without the device, each good once."""
    return tuple("".join(_SIGNS[byte % len(_SIGNS)] for byte in random_bytes(10)) for _ in range(RECOVERY_CODES))


def as_typed(text: str) -> str:
    """What somebody typed, without the gaps and as one writes it; wide digits of a Japanese keyboard are digits.

    >>> as_typed(" 123 456 "), as_typed("K7QF2-M2XWO"), as_typed("１２３４５６")
    ('123456', 'k7qf2m2xw0', '123456')
    """
    plain = re.sub(r"[\s-]", "", unicodedata.normalize("NFKC", text).lower())
    return plain.replace("o", "0").replace("i", "1").replace("l", "1") if len(plain) == 10 else plain


def is_recovery_code(plain: str) -> bool:
    return bool(_RECOVERY.fullmatch(plain))


@dataclass(frozen=True, slots=True)
class ProvedCode:
    """Which code of which factor somebody typed: a step of time, or the number of a recovery code, counted from 1."""

    factor: str
    step: int = 0
    recovery: int = 0

    def opens(self, person: Staff) -> bool:
        """Whether it is his factor's still, and was not taken before."""
        own = person.factor
        if own is None or own.id != self.factor:
            return False
        return self.recovery not in own.used if self.recovery else self.step > own.last_step

    def used(self, person: Staff, station: str, now_ms: int) -> SecondFactorUsed:
        return SecondFactorUsed(
            at_ms=now_ms, id=person.id, factor=self.factor, step=self.step, recovery=self.recovery, station=station
        )


def enrol(person: Staff, proved: ProvedCode, now_ms: int) -> SecondFactorEnrolled:
    """From now on that factor is asked for. The code that showed it is used up."""
    return SecondFactorEnrolled(at_ms=now_ms, id=person.id, factor=proved.factor, step=proved.step)


def reset_factor(
    register: StaffRegister, staff_id: str, *, by: Actor, beside: Actor | None, reason: str, now_ms: int
) -> tuple[AnyStaffEvent, ...]:
    """Two people take away all that somebody shows beside his PIN; his sign-ins end. Neither of them is he."""
    person = person_of(register, staff_id)
    two = need_witness(by, beside, now_ms, rights=("reset_second_factor",), witness="witness_reset")
    if person.id in (two.asked_by, two.approved_by):
        raise RefusedError("not_oneself", "Nobody does this to himself. Ask another administrator.")
    if person.factor is None and not person.passkeys:
        raise RefusedError("no_factor", "This person has no second factor: there is nothing to reset.")
    if not reason.strip():
        raise RefusedError("reason_needed", "Write a few words why: they are kept.")
    factor = person.factor.id if person.factor is not None else ""
    away = SecondFactorReset(
        at_ms=now_ms, id=person.id, factor=factor, by=two.asked_by, beside=two.approved_by, reason=reason.strip()
    )
    return away, *all_sign_ins(person, "changed", now_ms=now_ms, by=two.asked_by)
