"""The only place for what can have happened when a settled round is corrected.

Every one of these names the `round` it is about, which is written beside it in the journal: it may have been settled
long before the round that is being dealt. Amounts are minor units.
"""

from __future__ import annotations

from typing import Any

import msgspec

from studio.rounds import CardMoved, CardRemoved, CardReplaced, HandsExchanged
from studio.settlement import CorrectionSum, Short

Righting = CardReplaced | HandsExchanged | CardRemoved | CardMoved
"""The facts that may be corrected after the settlement: which card it was, and whose."""


class CorrectionEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    pass


class CorrectionAsked(CorrectionEvent, frozen=True, kw_only=True, tag=True):
    """The first of two people asks for exactly this: these `facts`, or `void`, with what they change in money.

    `digest` is that of the differences; `bets` is how many there are. `before` and `after` are the round's outcome as
    its game describes it, `said` the change in words: what the record had, and what it shall have. `evidence`: the
    pictures the asking person had before him.
    """

    id: str
    round: str
    number: int
    revision: int
    facts: tuple[Righting, ...]
    void: bool
    bets: int
    sums: tuple[CorrectionSum, ...]
    digest: str
    before: dict[str, Any]
    after: dict[str, Any]
    said: tuple[str, str]
    asked_by: str
    asked_by_name: str
    reason_code: str
    words: str
    expires_at_ms: int
    evidence: tuple[str, ...] = ()


class CorrectionLapsed(CorrectionEvent, frozen=True, kw_only=True, tag=True):
    """Nobody approved it in time, or somebody declined it (`by`)."""

    id: str
    round: str
    by: str = ""


class CorrectionApproved(CorrectionEvent, frozen=True, kw_only=True, tag=True):
    """The second person agrees: from now on the round is resettled. `claw_back`: the policies of the operators."""

    id: str
    round: str
    revision: int
    facts: tuple[Righting, ...]
    void: bool
    digest: str
    asked_by: str
    approved_by: str
    claw_back: dict[str, str] = {}


class PotTakenBack(CorrectionEvent, frozen=True, kw_only=True, tag=True):
    """A settled round is void after all: its contribution has left the pot, in which `pot_minor` had lain.

    What the pot, won meanwhile by another round, did not cover is `short_minor`: the house bears it.
    """

    round: str
    revision: int
    pot: str
    currency: str
    pot_minor: int
    amount_minor: int
    short_minor: int = 0


class BetsResettled(CorrectionEvent, frozen=True, kw_only=True, tag=True):
    """One chunk of the differences is moved; `cursor` of them in all. `shorts`: what purses did not cover of it."""

    round: str
    revision: int
    cursor: int
    shorts: tuple[Short, ...] = ()


class RoundResettled(CorrectionEvent, frozen=True, kw_only=True, tag=True):
    """The correction is done: this is the round's result now, and `before` is what was told until then.

    `stake_minor` and `returns_minor` are those of the whole round as it is now, in the table's own currency; both are
    nothing of a round that is `void`. `digest` is that of its payouts; `bets` of them changed.
    """

    round: str
    number: int
    revision: int
    void: bool
    outcome: dict[str, Any]
    before: dict[str, Any]
    bets: int
    stake_minor: int
    returns_minor: int
    digest: str
