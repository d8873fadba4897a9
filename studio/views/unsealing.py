"""A sealed card that somebody wants opened, as the pit's screens show it: where it lay."""

from __future__ import annotations

from dataclasses import dataclass

from studio.tables.correction.unsealing import first_kept
from studio.tables.state.table import TableState


@dataclass(frozen=True, slots=True)
class UnsealingView:
    """A request that waits for its second person; no `zone`: the card was drawn and never dealt. For the pit alone."""

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
    until_ms: int


@dataclass(frozen=True, slots=True)
class SealedView:
    """What the pit may know of sealed cards: the request that waits, and from which round on they all stay sealed."""

    first_kept: int = 1
    asked: UnsealingView | None = None


def view_sealed(state: TableState) -> SealedView:
    one = state.aftermath.unsealings.asked
    if one is None:
        return SealedView(first_kept(state))
    asked = UnsealingView(
        one.id, one.round, one.number, one.card, one.zone, one.place, one.deal, one.asked_by, one.asked_by_name,
        one.reason_code, one.words, one.expires_at_ms,
    )  # fmt: skip
    return SealedView(first_kept(state), asked)
