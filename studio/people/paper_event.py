"""What can happen to a person's papers and to his right to be here: issued, withdrawn, barred.

Rows of the staff register, `{"staff": {"kind": …}}`. Dates are days in UTC, `2026-12-31`, both included.
"""

from __future__ import annotations

import msgspec

LICENCE = "licence"
"""The paper that lets somebody deal at all; every other paper is a certificate, called by the key of its game."""


class PaperIssued(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """A person was given a licence or a certificate; it replaces an earlier one of the same kind."""

    at_ms: int
    id: str
    paper: str
    number: str
    valid_from: str
    valid_until: str
    by: str


class PaperWithdrawn(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    at_ms: int
    id: str
    paper: str
    reason: str
    by: str


class StaffBarred(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """At once, everywhere: nothing opens for this person until the bar is lifted."""

    at_ms: int
    id: str
    reason: str
    by: str


class StaffBarLifted(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    at_ms: int
    id: str
    reason: str
    by: str


class SignInEnded(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """A sign-in that its owner did not end. `by` is a person's id, or empty.

    `why`: ended (by a person) · next (somebody else signed in there) · idle · limit (longer than a day's work)
    · restart · changed (PIN or badge) · barred · retired · wrong_pins.
    """

    at_ms: int
    id: str
    station: str
    why: str
    by: str = ""


class BreakBegun(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    at_ms: int
    id: str
    by: str


class BreakEnded(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    at_ms: int
    id: str
    by: str
