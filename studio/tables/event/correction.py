"""What can have happened when a settled round is corrected, or two people open a card that nobody had turned.

Every one of these names the `round` it is about, which is written beside it in the journal: it may have been settled
long before the round that is being dealt. Amounts are minor units.
"""

from __future__ import annotations

from typing import Any

import msgspec

from studio.cards import Card, SealedCard
from studio.rounds import CardMoved, CardRemoved, CardReplaced, HandsExchanged, HandVoided
from studio.settlement import CorrectionSum, Short
from studio.tables.event.situation import AnySituation

Righting = CardReplaced | HandsExchanged | CardRemoved | CardMoved | HandVoided
"""What may be corrected after the settlement: which card it was, and whose; and that a hand does not count."""


class CorrectionEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    pass


class CorrectionAsked(CorrectionEvent, frozen=True, kw_only=True, tag=True):
    """The first of two people asks for exactly this: these `facts`, or `void`, with what they change in money.

    A round that is void may pay some bets all the same: `pays` is the game's word for which (`Game.paid_though_void`).

    `digest` is that of the differences; `bets` is how many there are. `before` and `after` are the round's outcome as
    its game describes it, `said` what the record had, and what it shall have. `evidence`: the
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
    said: tuple[AnySituation, AnySituation]
    asked_by: str
    asked_by_name: str
    reason_code: str
    words: str
    expires_at_ms: int
    evidence: tuple[str, ...] = ()
    pays: str = ""


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
    pays: str = ""
    approved_by_name: str = ""


class PotClaimedLate(CorrectionEvent, frozen=True, kw_only=True, tag=True):
    """The round won its pot after all: `sharers` have shares of `then_minor`, what lay there when it was settled.

    Of the prize `from_pot_minor` came out of the pot, in which `pot_minor` had lain, and `made_up_minor` from the
    house; the pot begins anew with `reset_minor`.
    """

    round: str
    revision: int
    pot: str
    currency: str
    then_minor: int
    pot_minor: int
    sharers: int
    share_minor: int
    from_pot_minor: int
    made_up_minor: int
    reset_minor: int


class PotClaimUndone(CorrectionEvent, frozen=True, kw_only=True, tag=True):
    """The round did not win its pot after all, and every share is back in its prize.

    `to_pot_minor` of it lies in the pot again, in which `pot_minor` had lain, and the house has the `made_up_minor`
    that it had made up. It also has `reset_back_minor` of what the pot had begun anew with; `short_minor` of that the
    pot did not cover.
    """

    round: str
    revision: int
    pot: str
    currency: str
    pot_minor: int
    to_pot_minor: int
    made_up_minor: int
    reset_back_minor: int
    short_minor: int = 0


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
    """One chunk of a correction's differences is moved, `cursor` in all so far. `shorts`: what purses did not cover."""

    round: str
    revision: int
    cursor: int
    shorts: tuple[Short, ...] = ()


class RoundResettled(CorrectionEvent, frozen=True, kw_only=True, tag=True):
    """The correction is done: this is the round's result now, and `before` is what was told until then.

    `stake_minor` and `returns_minor` are those of the whole round as it is now, in the table's own currency, but for
    the stakes that went back. `digest` is that of its payouts; `bets` of them changed.
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
