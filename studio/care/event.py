"""The journalled facts of care: what was signed, told to the witness, expired, closed, and which program ran.

A body is `{"care": {"type": …, …}}`; it belongs to no table.
"""

from __future__ import annotations

from typing import Final

import msgspec

from studio.errors import BadInputError
from studio.journal import Entry


class CheckpointSigned(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Where both chains stood, signed. `why`: start hour shift asked archive stop.

    `previous` is the digest of the checkpoint before, so that none can be left out; it binds what stands here but
    the key and the signature.
    """

    studio: str
    number: int
    at_ms: int
    why: str
    journal_seq: int
    journal_hash: str
    ledger_seq: int
    ledger_hash: str
    previous: str
    public_key: str
    signature: str


class CheckpointWitnessed(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A witness has taken the checkpoint of that number."""

    number: int
    witness: str
    at_ms: int


class PicturesExpired(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """These pictures were deleted, by their digests. `rule` is the kind of picture, kept for `days` days."""

    rule: str
    days: int
    at_ms: int
    digests: tuple[str, ...]


class YearClosed(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The last fact of a database that is archived whole; what follows stands in the next database."""

    year: int
    at_ms: int
    by: str


class BooksOpened(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The first fact of a database that goes on from an archive; both chains are those of the archive."""

    year: int
    at_ms: int
    journal_seq: int
    journal_hash: str
    ledger_seq: int
    ledger_hash: str
    accounts: int


class CarriedPurse(msgspec.Struct, frozen=True, array_like=True):
    """When money first came into a bettor's purse, and when it last moved there, in the years that are closed."""

    operator: str
    bettor: str
    currency: str
    opened_ms: int
    moved_ms: int


class PursesCarried(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Of some of the balances that `BooksOpened` carried, since when they lie there: being carried moves no purse."""

    at_ms: int
    purses: tuple[CarriedPurse, ...]


class PartFound(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the program with its SHA-256; without one it is gone."""

    part: str
    digest: str


class ProgramFound(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The program was looked at. `why`: start day.

    `changed` are the parts that are not as the row before this told them, the first row tells all; `digest` is that of
    all of them. `damaged` are files of libraries that are not as they were installed, as far as they were looked at.
    """

    at_ms: int
    why: str
    version: str
    digest: str
    changed: tuple[PartFound, ...]
    damaged: tuple[str, ...] = ()


class ProgramAccepted(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Somebody answers for the program of that digest. `by` is who, as he named himself at the machine."""

    at_ms: int
    version: str
    digest: str
    by: str
    reason: str


class KeyRotated(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """Another key counts from now on. `what`: pepper signing wrapping; `retired`: those before open nothing any more.

    `before` and `after` name keys without telling them: generations of the pepper, public keys that sign. `signature`
    is the old signing key's, over what `handing_over` makes of both: who trusts the old one may trust the new one.
    """

    at_ms: int
    what: str
    by: str
    reason: str
    before: str = ""
    after: str = ""
    retired: bool = False
    signature: str = ""


AnyCareEvent = (
    CheckpointSigned
    | CheckpointWitnessed
    | PicturesExpired
    | YearClosed
    | BooksOpened
    | PursesCarried
    | ProgramFound
    | ProgramAccepted
    | KeyRotated
)

CARE_KINDS: Final = frozenset(kind.__name__ for kind in AnyCareEvent.__args__)
"""The journal's kinds that concern the care."""


class _CareRow(msgspec.Struct):
    care: AnyCareEvent


_DECODER: Final = msgspec.json.Decoder(_CareRow)


def entry_of(event: AnyCareEvent) -> Entry:
    return Entry(type(event).__name__, event.at_ms, msgspec.json.encode(_CareRow(event)))


def read_care(body: bytes) -> AnyCareEvent:
    """The fact of a journal body; `BadInputError` when it is none."""
    try:
        return _DECODER.decode(body).care
    except msgspec.MsgspecError as error:
        raise BadInputError(f"A journal row cannot be read as a fact of care: {error}.") from error
