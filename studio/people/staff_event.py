"""What can happen to the register of staff. None of it holds a PIN; hashes are kept out of reprs."""

from __future__ import annotations

import msgspec

from studio.people.factor_event import PasskeyCopied as PasskeyCopied
from studio.people.factor_event import PasskeyEnrolled as PasskeyEnrolled
from studio.people.factor_event import PasskeyRemoved as PasskeyRemoved
from studio.people.factor_event import PasskeyUsed as PasskeyUsed
from studio.people.factor_event import SecondFactorEnrolled as SecondFactorEnrolled
from studio.people.factor_event import SecondFactorReset as SecondFactorReset
from studio.people.factor_event import SecondFactorUsed as SecondFactorUsed
from studio.people.notice_event import OwnNoticesSeen as OwnNoticesSeen
from studio.people.notice_event import SignInDisowned as SignInDisowned
from studio.people.paper_event import BreakBegun as BreakBegun
from studio.people.paper_event import BreakEnded as BreakEnded
from studio.people.paper_event import PaperIssued as PaperIssued
from studio.people.paper_event import PaperWithdrawn as PaperWithdrawn
from studio.people.paper_event import SignInEnded as SignInEnded
from studio.people.paper_event import StaffBarLifted as StaffBarLifted
from studio.people.paper_event import StaffBarred as StaffBarred
from studio.people.refusal_event import AccessRefused as AccessRefused


class StaffEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    at_ms: int


class StaffAdded(StaffEvent, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """`code_until_ms`: `pin_hash` is that of a one-time code, good until then; 0: it is that of a PIN of his own."""

    id: str
    badge: str
    name: str
    roles: tuple[str, ...]
    pin_hash: str
    by: str
    code_until_ms: int = 0

    def __repr__(self) -> str:
        return f"StaffAdded(id={self.id!r}, name={self.name!r}, roles={self.roles!r})"


class StaffRolesChanged(StaffEvent, frozen=True, kw_only=True, tag=True):
    id: str
    roles: tuple[str, ...]
    by: str


class StaffBadgeChanged(StaffEvent, frozen=True, kw_only=True, tag=True):
    id: str
    badge: str
    by: str


class StaffPinChanged(StaffEvent, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """A new PIN, or in its place a one-time code that is good until `code_until_ms`; it ends a lock-out."""

    id: str
    pin_hash: str
    by: str
    code_until_ms: int = 0

    def __repr__(self) -> str:
        return f"StaffPinChanged(id={self.id!r}, by={self.by!r})"


class StaffPinRehashed(StaffEvent, frozen=True, kw_only=True, tag=True):
    """The same PIN, kept under the newest pepper: the studio did it when the PIN was typed."""

    id: str
    pin_hash: str

    def __repr__(self) -> str:
        return f"StaffPinRehashed(id={self.id!r})"


class StaffRetired(StaffEvent, frozen=True, kw_only=True, tag=True):
    """No longer of the staff: the badge opens nothing. The person stays on record, for what he did."""

    id: str
    by: str


class StaffSignedIn(StaffEvent, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """`new_pin_asked`: the PIN that was typed may not be chosen any more, and a new one was asked for."""

    id: str
    station: str = ""
    new_pin_asked: bool = False


class StaffSignedOut(StaffEvent, frozen=True, kw_only=True, tag=True):
    id: str
    station: str = ""


class SignInRefused(StaffEvent, frozen=True, kw_only=True, tag=True):
    """`id` is empty for an unknown badge; what was typed is not kept, for it may have been a PIN.

    `reason`: unknown_badge wrong_pin locked_out barred; people are told the same sentence for these. `wrong_code` and
    `wrong_passkey`: the PIN was right and what was shown beside it was not; it counts like a wrong PIN. `code_over`: a
    one-time code, right and too late. `wrong_at_work`: typed where somebody is signed in, at `station`; it counts for
    that sign-in and for the badge whose PIN it should have been. `address`: from where.
    """

    id: str
    reason: str
    station: str = ""
    address: str = ""


class StaffLockedOut(StaffEvent, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """Too many wrong PINs: until then this badge opens no door. Who is signed in works on.

    `beside`: at whose sign-in they were typed; empty where people come in. Such a badge stands beside nobody either.
    """

    id: str
    until_ms: int
    station: str = ""
    address: str = ""
    beside: str = ""


class StaffLockOutLifted(StaffEvent, frozen=True, kw_only=True, tag=True):
    """A pit boss or an administrator let the badge open the door again."""

    id: str
    by: str


class PinConfirmed(StaffEvent, frozen=True, kw_only=True, tag=True):
    """Somebody signed in entered the PIN again, for one act."""

    id: str
    station: str = ""


class LanguageChosen(StaffEvent, frozen=True, kw_only=True, tag=True):
    """From now on every station speaks it to this person; `language` is a tag: `ja`."""

    id: str
    language: str


AnyStaffEvent = (
    StaffAdded | StaffRolesChanged | StaffBadgeChanged | StaffPinChanged | StaffRetired
    | StaffPinRehashed
    | StaffSignedIn | StaffSignedOut | SignInRefused | StaffLockedOut | StaffLockOutLifted | PinConfirmed
    | LanguageChosen
    | PaperIssued | PaperWithdrawn | StaffBarred | StaffBarLifted | SignInEnded | BreakBegun | BreakEnded
    | SecondFactorEnrolled | SecondFactorUsed | SecondFactorReset
    | PasskeyEnrolled | PasskeyUsed | PasskeyCopied | PasskeyRemoved
    | OwnNoticesSeen | SignInDisowned
    | AccessRefused
)  # fmt: skip
"""Every event of the register; the closed union the journal decodes."""
