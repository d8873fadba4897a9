"""What can happen to somebody's second factor. No secret and no code stands in any of it."""

from __future__ import annotations

import msgspec


class FactorEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    at_ms: int
    id: str


class SecondFactorEnrolled(FactorEvent, frozen=True, kw_only=True, tag=True):
    """Somebody showed, by the code of one `step`, that his device has the secret of this `factor`; the one before is
    over.
    """

    factor: str
    step: int


class SecondFactorUsed(FactorEvent, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """A code was taken, and opens nothing again: that of a `step` of time, or the recovery code of that number."""

    factor: str
    step: int = 0
    recovery: int = 0
    station: str = ""


class SecondFactorReset(FactorEvent, frozen=True, kw_only=True, tag=True):
    """Two people took somebody's factor and all his passkeys away, as when a device is lost: the next sign-in asks for
    a new one. `factor`: the name of the device that showed codes, empty where he had passkeys alone.
    """

    factor: str
    by: str
    beside: str
    reason: str


class PasskeyEnrolled(FactorEvent, frozen=True, kw_only=True, tag=True):
    """Somebody's device has made a key for him, which he calls `name`. `credential` and `public_key`: base64url."""

    credential: str
    public_key: str
    count: int
    name: str


class PasskeyUsed(FactorEvent, frozen=True, kw_only=True, tag=True):
    """A key signed what the studio asked; `count`: how often it has, as it says. What was asked opens nothing again."""

    credential: str
    count: int
    station: str


class PasskeyCopied(FactorEvent, frozen=True, kw_only=True, tag=True):
    """The signature was right, and the count went backwards: two devices have the key. It opens nothing any more."""

    credential: str
    count: int
    station: str


class PasskeyRemoved(FactorEvent, frozen=True, kw_only=True, tag=True):
    """Somebody took a key of his own away."""

    credential: str
    station: str
