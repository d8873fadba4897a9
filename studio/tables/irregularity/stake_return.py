"""Bets that go back while the round goes on: those of a voided hand, and what was staked by decisions in a deal that is
dealt again.

They go back at once, chunk by chunk, and are then no bets of the round any more: what is settled knows nothing of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from studio.money import Transfer
from studio.settlement import CHUNK_BETS, PlacedBet, Purse, voiding_transfers
from studio.tables.books.book import Book
from studio.tables.event import table as e
from studio.tables.state.box import box_of
from studio.tables.state.part import Parts
from studio.tables.state.round import DECIDED, Round


def next_return(round: Round, book: Book, purse: Purse) -> tuple[tuple[e.AnyEvent, ...], tuple[Transfer, ...]]:
    """The event and the transfers of the next chunk."""
    owed = _bets_owed(round, book)
    chunk = owed[:CHUNK_BETS]
    told = e.BetsReturned(
        bets=tuple(bet.bet_id for bet in chunk), stake_minor=sum(bet.worth for bet in chunk),
        over=len(chunk) == len(owed),
    )  # fmt: skip
    return (told,), returning_transfers(chunk, purse, round.parts)


def returning_transfers(bets: Sequence[e.PlacedBet], purse: Purse, parts: Parts) -> tuple[Transfer, ...]:
    """The transfers of each stake from escrow back to where it came from. Bets that were paid before are left out, as
    their stakes go back with what they were paid.
    """
    named = (
        PlacedBet(bet.bet_id, bet.bet, bet.account, bet.stake_minor, currency=bet.currency)
        for bet in bets
        if bet.bet not in parts.settled_keys
    )
    return voiding_transfers(named, purse, parts.revision)


def _bets_owed(round: Round, book: Book) -> Sequence[e.PlacedBet]:
    """The bets whose stakes still have to go back, in the order of the journal."""
    owed = set(round.stakes.giving_back)
    return [
        bet for bet in book.bets if box_of(bet.bet) in owed or (DECIDED in owed and bet.bet_id in book.of_void_deals)
    ]
