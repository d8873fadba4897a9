"""The only place where a round's bets are paid or given back: one chunk at a time, resumable, exactly once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from studio.errors import InvariantError
from studio.money import Transfer, bettor_account
from studio.rounds import Finished
from studio.settlement import (
    CHUNK_BETS,
    UNMERGED,
    PlacedBet,
    Progress,
    Purse,
    merged_stakes,
    settle_bets,
    settle_chunk,
    voiding_transfers,
)
from studio.tables import event as e
from studio.tables.book import Book
from studio.tables.conduct import Conduct
from studio.tables.state import Round, Stage, TableState

Paid = tuple[tuple[e.AnyEvent, ...], tuple[Transfer, ...]]


def owes_money(state: TableState) -> bool:
    return state.round is not None and state.round.stage in (Stage.SETTLING, Stage.VOIDING)


class Cashier:
    """Pays the rounds of one table; what only a whole round tells is worked out once and kept while it is paid."""

    __slots__ = ("_merged", "_round")

    def __init__(self) -> None:
        self._round = ""
        self._merged: Mapping[str, int] = UNMERGED

    def next_chunk(self, state: TableState, book: Book) -> Paid:
        """The events and transfers of the next chunk; the last one closes the round.

        The book holds every bet of the round in the journal's order; `Round.paid` says how many are done.
        """
        round = state.round
        assert round is not None
        if book.round != round.id or len(book.bets) != round.bets:
            raise InvariantError(f"The book holds {len(book.bets)} bets of {book.round}, the round has {round.bets}.")
        chunk = book.bets[round.paid : round.paid + CHUNK_BETS]
        purse = Purse(round.id, state.config.key, state.config.currency)
        if round.stage is Stage.VOIDING:
            return _void(round, chunk, purse)
        if self._round != round.id:
            self._merged = merged_stakes(state.game, with_conduct(book.bets, book.conduct))
            self._round = round.id
        return _settle(state, round, with_conduct(chunk, book.conduct), purse, self._merged)


def _settle(
    state: TableState, round: Round, chunk: Iterable[PlacedBet], purse: Purse, merged: Mapping[str, int]
) -> Paid:
    if not isinstance(round.standing, Finished):
        raise InvariantError(f"Round {round.id} is settled before its deal is finished.")
    payouts = tuple(settle_bets(state.game, round.rules, round.standing.outcome, chunk, merged=merged))
    since = Progress(round.paid, round.paid_stake_minor, round.returns_minor, round.digest)
    done, transfers = settle_chunk(payouts, purse, since)
    events: list[e.AnyEvent] = [
        e.BetsSettled(
            cursor=done.bets, stake_minor=done.stake_minor, returns_minor=done.returns_minor, digest=done.digest
        )
    ]
    if done.bets == round.bets:
        events.append(
            e.RoundSettled(
                bets=done.bets, stake_minor=done.stake_minor, returns_minor=done.returns_minor, digest=done.digest
            )
        )
    return tuple(events), transfers


def _void(round: Round, chunk: Sequence[e.PlacedBet], purse: Purse) -> Paid:
    bets = tuple(with_conduct(chunk, Conduct()))
    cursor = round.paid + len(bets)
    events: list[e.AnyEvent] = [e.BetsVoided(cursor=cursor, stake_minor=sum(bet.stake_minor for bet in bets))]
    if cursor == round.bets:
        events.append(e.RoundRefunded(bets=cursor, stake_minor=round.stake_minor))
    return tuple(events), voiding_transfers(bets, purse)


def with_conduct(chunk: Sequence[e.PlacedBet], conduct: Conduct) -> Iterator[PlacedBet]:
    """The bets as the settlement takes them: each with its account, and how its bettor conducted himself."""
    return (
        PlacedBet(
            bet.bet_id, bet.bet, bettor_account(bet.operator, bet.bettor), bet.stake_minor,
            conduct.of(bet.operator, bet.bettor),
        )
        for bet in chunk
    )  # fmt: skip
