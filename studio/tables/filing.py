"""The only place where a finished round is put together again from its rows, as a correction needs it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import msgspec

from studio.errors import RefusedError
from studio.games import find_game
from studio.journal import Reader, Row
from studio.tables import event as e
from studio.tables.book import Book
from studio.tables.config import TableConfig
from studio.tables.correction_event import Righting
from studio.tables.dossier import Dossier
from studio.tables.evolve import evolve
from studio.tables.keeping import kept
from studio.tables.paying import with_conduct
from studio.tables.record import read_body
from studio.tables.state import TableState

_OF_ROUND = (
    e.RoundStarted, e.FactStood, e.RedealOrdered, e.BetsOpened, e.BetsPlaced, e.DecisionsTaken, e.DecisionsClosed,
    e.BetsReturned, e.ResultDeclared, e.BetsSettled, e.RoundSettled, e.RoundVoided, e.BetsVoided, e.RoundRefunded,
    e.PotFed, e.PotWon, e.PotReturned,
)  # fmt: skip


def read_dossier(reader: Reader, config: TableConfig, round: str) -> Dossier:
    """The round of that id at this table; `RefusedError` where there is none."""
    return dossier_of(reader.events(table=config.key, round=round), config, round)


def dossier_of(rows: Iterable[Row], config: TableConfig, round: str) -> Dossier:
    """Fold the rows of a round; what else is written beside them is passed over."""
    state, book = TableState(config), Book()
    asked: e.CorrectionApproved | None = None
    revision, void = 0, False
    facts: list[Righting] = []
    for row in rows:
        event = read_body(row.body).event
        match event:
            case e.CorrectionApproved():
                asked = event
            case e.RoundResettled() if asked is not None:
                revision, void = event.revision, event.void
                facts.extend(asked.facts)
            case e.RoundStarted(game=game):
                state = TableState(msgspec.structs.replace(config, game=game))
        if isinstance(event, _OF_ROUND):
            state = evolve(state, event, row.at_ms)
            book = kept(book, state.game, event)
    found = state.round
    if found is None or found.id != round:
        raise RefusedError("no_such_round", "There is no such round at this table; open it from the table's list.")
    found = replace(found, facts=(*found.facts, *facts))
    own = next((bet.currency for bet in book.bets if bet.worth_minor is None), config.currency)
    bets = tuple(with_conduct(book.bets, book.conduct))
    return Dossier(config.key, own, find_game(state.config.game), found, bets, revision, void)
