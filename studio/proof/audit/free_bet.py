"""Free bets, held against the ledger: each was granted to its bettor, for such a bet, and was left to him then."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from studio.errors import BadInputError, IllegalEventError
from studio.games import find_game
from studio.journal import Posting
from studio.journal.extract.walk import WalkStep
from studio.money import is_promotion
from studio.operators import FreeBetBook, FreeBetsGranted, Seat, read_free_bets
from studio.proof.audit.wrong import WrongError, wrong
from studio.tables.event.table import PlacedBet

GRANTS: Final = frozenset({"grant", "ungrant"})
"""What moves a grant beside every round."""


class FreeBetAudit:
    """All grants of a database, row by row. Those that came from an archive were paid there, and are carried."""

    def __init__(self) -> None:
        self._book = FreeBetBook()
        self._left: dict[str, int] = {}
        self._moved: list[Posting] = []
        self._opened_ms = -1

    def move(self, step: WalkStep) -> None:
        """The transfers of one row of the journal."""
        self._moved = [one for one in step.postings if one.transfer.kind in GRANTS]
        if step.kind == "BooksOpened":
            self._opened_ms = step.at_ms
        for posting in step.postings:
            moved = posting.transfer
            for account, change in ((moved.debit, -moved.amount_minor), (moved.credit, moved.amount_minor)):
                if "/" in account and is_promotion(account):
                    self._left[account] = self._left.get(account, 0) + change
            if moved.kind == "reserve" and self._left.get(moved.debit, 0) < 0:
                raise WrongError("ledger", posting.seq, f"The free bet {moved.bet} was staked, and none was left.")

    def take(self, step: WalkStep) -> None:
        """A row about free bets."""
        try:
            event = read_free_bets(step.body)
            if type(event).__name__ != step.kind:
                wrong(step.seq, f"The row is called {step.kind} and tells of a {type(event).__name__}.")
            self._book.take(event)
        except (BadInputError, IllegalEventError) as error:
            wrong(step.seq, f"{error}")
        found = [one.transfer for one in self._moved]
        self._moved = []
        carried = event.at_ms <= self._opened_ms and not found
        if isinstance(event, FreeBetsGranted):
            if event.stake_minor <= 0 or event.count <= 0 or (found != [event.funded()] and not carried):
                wrong(step.seq, f"The free bets {event.grant} were granted, and the ledger has another sum for them.")
            return
        granted = self._book.find(event.operator, event.grant)
        assert granted is not None
        left_minor = sum(one.amount_minor for one in found)
        if not carried and (found != [granted.taken_back(left_minor)] or self._left.get(granted.account, 0)):
            wrong(step.seq, f"The free bets {event.grant} were taken back, and not just what was left of them.")

    def need_told(self) -> None:
        """Every transfer of the row has been told."""
        if self._moved:
            stray = self._moved[0]
            raise WrongError("ledger", stray.seq, f"Free bets moved as {stray.transfer.kind}, and no row tells of it.")

    def stake(self, bets: Iterable[PlacedBet], seat: Seat, step: WalkStep) -> None:
        """Bets that were placed: a free one is just what its grant allows."""
        for bet in bets:
            if not bet.free:
                continue
            offer = bet.offer(seat.table, "")
            if bet.bet == find_game(seat.game).pot.bet or self._book.refusal(offer, seat, step.at_ms) is not None:
                wrong(step.seq, f"The bet {bet.bet_id} was none of the free bets {bet.free}.")

    def need_none(self, bets: Iterable[PlacedBet], seq: int) -> None:
        """Bets that a decision stakes, or the table by itself: none of them is free."""
        if any(bet.free for bet in bets):
            wrong(seq, "A decision staked a free bet: only a bettor's own money is staked so.")
