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
    """Two people took somebody's factor away, as when the device is lost: the next sign-in asks for a new one."""

    factor: str
    by: str
    beside: str
    reason: str
