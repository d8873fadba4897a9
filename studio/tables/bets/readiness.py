"""Bettors who say that they bet no more: when every bettor with a bet has said so, the window is over. [BJ-2]"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from studio.errors import RefusedError
from studio.rulebook.script import OpenBets
from studio.tables.bets.placement import need_window
from studio.tables.books.book import Book
from studio.tables.books.commit import DurableTable
from studio.tables.deal.course import end_betting
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.state.box import Who
from studio.tables.state.round import Round


@dataclass(frozen=True, slots=True)
class Readiness:
    """How many of the round's bettors have said so; `closed`: they were the last, and betting is over."""

    round: str
    ready: int
    bettors: int
    closed: bool = False


NOBODY: Final = Readiness("", 0, 0)


def say_ready(table: DurableTable, who: Who, at_ms: int, meant: str = "") -> Readiness:
    """Note that this bettor bets no more in this window; on disk when the call returns. Saying it again changes
    nothing. `meant`: the round that it is said of, where one is named.
    """
    now = table.now(at_ms)
    round, _ = need_window(table, now, OpenBets)
    if meant and meant != round.id:
        raise RefusedError("round_over", f"This was said of round {meant}, which takes no more bets: say it anew.")
    if table.state.game.owned is None:
        raise RefusedError("waits_for_nobody", "At this game the betting window runs to its end; wait for the cards.")
    if who not in bettors_of(table.book):
        raise RefusedError("no_bet", "This bettor has no bet in this round: place one first, or let the window pass.")
    if who in round.window.ready:
        return readiness(round, table.book)
    draft = Draft(table.state, now)
    closes = bettors_of(table.book) <= round.window.ready | {who}
    draft.emit(e.BettorReady(operator=who[0], bettor=who[1], closes=closes))
    assert draft.round is not None
    told = replace(readiness(draft.round, table.book), closed=closes)
    if closes:
        end_betting(draft)
    table.commit(tuple(draft.events))
    return told


def readiness(round: Round, book: Book) -> Readiness:
    every = bettors_of(book) if book.round == round.id else frozenset()
    return Readiness(round.id, len(round.window.ready & every), len(every))


def bettors_of(book: Book) -> frozenset[Who]:
    """Who has a bet in the round: the game has few boxes, so there are few."""
    return frozenset(_who(book.bets))


def _who(bets: Iterable[e.PlacedBet]) -> Iterable[Who]:
    return ((bet.operator, bet.bettor) for bet in bets)
