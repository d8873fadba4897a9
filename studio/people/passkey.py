"""Passkeys: what the studio keeps of a key that lies in somebody's device, and whether one that was shown opens.

The device signs what the studio asked, for the name that the console is reached by and for no other; whoever gives a
`ShownPasskey` has checked the signature. Nothing that is kept opens anything: it is in the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from studio.people.factor_event import (
    FactorEvent,
    PasskeyCopied,
    PasskeyEnrolled,
    PasskeyRemoved,
    PasskeyUsed,
    SecondFactorReset,
)

PASSKEYS_MAX: Final = 10
PASSKEY_NAME_MAX: Final = 40


@dataclass(frozen=True, slots=True)
class Passkey:
    """One key of somebody's. `credential` and `public_key`: base64url, the key as COSE. `count`: what it said last of
    how often it has signed; 0: it does not count. `copied`: it counted backwards, and opens nothing any more.
    """

    credential: str
    public_key: str
    name: str
    since_ms: int
    count: int = 0
    uses: int = 0
    used_ms: int = 0
    copied: bool = False

    def is_behind(self, count: int) -> bool:
        """Whether another device has signed with the same key since: a count that was kept goes on (WebAuthn 7.2)."""
        return bool(count or self.count) and count <= self.count


@dataclass(frozen=True, slots=True)
class NewPasskey:
    """A key that a device has just made, for one person and one name of the studio."""

    credential: str
    public_key: str
    count: int


@dataclass(frozen=True, slots=True)
class ShownPasskey:
    """A key whose signature of what was asked is right."""

    credential: str
    count: int

    def used(self, staff_id: str, station: str, now_ms: int) -> PasskeyUsed:
        return PasskeyUsed(at_ms=now_ms, id=staff_id, credential=self.credential, count=self.count, station=station)

    def copied(self, staff_id: str, station: str, now_ms: int) -> PasskeyCopied:
        return PasskeyCopied(at_ms=now_ms, id=staff_id, credential=self.credential, count=self.count, station=station)


def usable(passkeys: Iterable[Passkey]) -> tuple[Passkey, ...]:
    """Those that open something."""
    return tuple(one for one in passkeys if not one.copied)


def evolve_passkeys(passkeys: Mapping[str, Passkey], event: FactorEvent) -> Mapping[str, Passkey]:
    """One person's keys after an event of his, by credential."""
    match event:
        case PasskeyEnrolled(credential=credential, public_key=public_key, name=name, count=count, at_ms=at_ms):
            return {**passkeys, credential: Passkey(credential, public_key, name, at_ms, count)}
        case PasskeyUsed(credential=credential, count=count, at_ms=at_ms) if own := passkeys.get(credential):
            return {**passkeys, credential: replace(own, count=count, uses=own.uses + 1, used_ms=at_ms)}
        case PasskeyCopied(credential=credential) if own := passkeys.get(credential):
            return {**passkeys, credential: replace(own, copied=True)}
        case PasskeyRemoved(credential=credential):
            return {key: one for key, one in passkeys.items() if key != credential}
        case SecondFactorReset():
            return {}
    return passkeys
