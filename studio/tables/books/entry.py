"""How the events of a round become entries of its book of bets."""

from __future__ import annotations

from studio.games import find_game
from studio.games.rulebook import Game
from studio.games.script import Decide
from studio.tables.books.book import Book
from studio.tables.books.exposure import Exposed
from studio.tables.event import table as e


def kept(book: Book, game: Game, event: e.AnyEvent) -> Book:
    """The book after the event: a new one for a new round, else the same."""
    match event:
        case e.RoundStarted(round=round):
            return Book(round, before=book, exposed=Exposed.of(find_game(event.game), event.rules, event.pot))
        case e.BetsPlaced(bets=bets):
            book.add(bets)
        case e.RedealOrdered():
            book.deal_again()
        case e.BetsReturned(bets=ids):
            book.give_back(ids)
        case e.DecisionsTaken(bets=bets, decisions=decisions):
            book.add(bets, by_decision=True)
            book.decide(decisions)
        case e.DecisionsClosed(options=options):
            book.conduct.close(game, Decide(0, options))
    return book
