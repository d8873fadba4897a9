"""Which free bets operators have granted, and on what a bettor may use one."""

from __future__ import annotations

from typing import NamedTuple

from studio.errors import IllegalEventError
from studio.money import Offer, format_minor
from studio.operators.free_bet_event import AnyFreeBetEvent, FreeBetsCancelled, FreeBetsGranted


class Seat(NamedTuple):
    """Where a bet is placed: a table, and the game that is played there."""

    table: str
    game: str


class FreeBetBook:
    """All grants, by operator and id. There may be very many, so the book is changed in place."""

    def __init__(self) -> None:
        self._grants: dict[tuple[str, str], FreeBetsGranted] = {}
        self._of: dict[tuple[str, str], list[FreeBetsGranted]] = {}
        self._cancelled: set[tuple[str, str]] = set()

    def find(self, operator: str, grant: str) -> FreeBetsGranted | None:
        return self._grants.get((operator, grant))

    def of(self, operator: str, bettor: str) -> list[FreeBetsGranted]:
        """Those of one bettor, the newest first."""
        return self._of.get((operator, bettor), [])[::-1]

    def is_cancelled(self, granted: FreeBetsGranted) -> bool:
        return (granted.operator, granted.grant) in self._cancelled

    def is_usable(self, granted: FreeBetsGranted, now_ms: int) -> bool:
        """Whether it may be bet with now, if any is left."""
        return not self.is_cancelled(granted) and not granted.has_expired(now_ms)

    def take(self, event: AnyFreeBetEvent) -> None:
        """Follow what happened; `IllegalEventError` where it cannot have."""
        id = (event.operator, event.grant)
        known = self._grants.get(id)
        match event:
            case FreeBetsGranted():
                if known is not None:
                    raise IllegalEventError(f"the free bets {event.operator}/{event.grant} were granted twice")
                self._grants[id] = event
                self._of.setdefault((event.operator, event.bettor), []).append(event)
            case FreeBetsCancelled():
                if known is None or known.bettor != event.bettor or id in self._cancelled:
                    raise IllegalEventError(f"the free bets {event.operator}/{event.grant} were not there to cancel")
                self._cancelled.add(id)

    def refusal(self, offer: Offer, seat: Seat, now_ms: int) -> tuple[str, str] | None:
        """Key and sentence, where this bet cannot be one of the free bets it names; None where it can, if any is left.

        Whether any is left is the writer's to say.
        """
        granted = self._grants.get((offer.operator, offer.free))
        if granted is None or granted.bettor != offer.bettor:
            return "unknown_free_bet", f"{offer.bettor} has no free bets called {offer.free}: look at the list of his."
        if self.is_cancelled(granted):
            return "free_bet_cancelled", f"The free bets {offer.free} were taken back: bet without them."
        if granted.has_expired(now_ms):
            return "free_bet_expired", f"The free bets {offer.free} have expired: bet without them."
        if (offer.stake_minor, offer.currency) != (granted.stake_minor, granted.currency):
            each = format_minor(granted.stake_minor, granted.currency)
            return "free_bet_stake", f"Each of the free bets {offer.free} is a stake of {each}: stake just that."
        return _elsewhere(granted, offer, seat)


def _elsewhere(granted: FreeBetsGranted, offer: Offer, seat: Seat) -> tuple[str, str] | None:
    key = offer.bet.rpartition(":")[2]
    for kept, here, what in (
        (granted.games, {seat.game}, "games"),
        (granted.tables, {seat.table}, "tables"),
        (granted.bets, {offer.bet, key}, "bets"),
    ):
        if kept and not here & set(kept):
            good = " or ".join(kept)
            return "free_bet_not_here", f"The free bets {offer.free} are for these {what}: {good}."
    return None
