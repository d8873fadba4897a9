"""What can have happened when two people open a card that nobody had turned.

Every one of these names the `round` the card lay in, which is written beside it in the journal: it is over by then.
"""

from __future__ import annotations

import msgspec

from studio.cards import Card, SealedCard


class UnsealingEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    pass


class UnsealingAsked(UnsealingEvent, frozen=True, kw_only=True, tag=True):
    """The first of two people asks that the sealed card `card` (an id) be opened.

    It lay at `zone`, `place` in the `deal` of the round that is counted so; no zone: it was drawn and never dealt.
    """

    id: str
    round: str
    number: int
    card: str
    zone: str
    place: int
    deal: int
    asked_by: str
    asked_by_name: str
    reason_code: str
    words: str
    expires_at_ms: int


class UnsealingLapsed(UnsealingEvent, frozen=True, kw_only=True, tag=True):
    """Nobody approved it in time, or somebody declined it (`by`)."""

    id: str
    round: str
    by: str = ""


class CardUnsealed(UnsealingEvent, frozen=True, kw_only=True, tag=True):
    """The second person agreed: the sealed bytes as a device reported them, the published `key`, and what it opens to.

    No fact of the deal: the round stays what it was, and so does what a bettor is told of it.
    """

    id: str
    round: str
    card: SealedCard
    key: bytes
    face: Card
    zone: str
    place: int
    deal: int
    asked_by: str
    approved_by: str


AnyUnsealing = UnsealingAsked | UnsealingLapsed | CardUnsealed
