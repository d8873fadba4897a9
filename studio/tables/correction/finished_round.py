"""Puts a finished round together again from its rows: for a correction, or for its sealed cards."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from studio.errors import RefusedError
from studio.games import find_game
from studio.journal import Reader, Row, held_at
from studio.money import pot_account
from studio.tables.books.book import Book, kept
from studio.tables.config import TableConfig
from studio.tables.event import table as e
from studio.tables.event.correction import Righting
from studio.tables.event.record import read_body
from studio.tables.fold.table import evolve
from studio.tables.past.dossier import Dossier, to_accounts
from studio.tables.past.sealed_round import SealedFold, SealedRound
from studio.tables.payment.round_payment import with_conduct
from studio.tables.state.pot import PotStanding
from studio.tables.state.table import TableState
from studio.value import replace

OF_ROUND = (
    e.RoundStarted, e.FactStood, e.RedealOrdered, e.BetsOpened, e.BetsPlaced, e.DecisionsTaken, e.DecisionsClosed,
    e.BetsReturned, e.ResultDeclared, e.BetsSettled, e.RoundSettled, e.RoundVoided, e.BetsVoided, e.RoundRefunded,
    e.PotFed, e.PotWon, e.PotReturned, e.PartOpened, e.PartSettled, e.BettorReady,
)  # fmt: skip
"""What a round is folded from; none of it needs anything from before the round."""


def read_dossier(reader: Reader, config: TableConfig, round: str) -> Dossier:
    """The round of that id at this table; `RefusedError` where there is none, or its year is closed."""
    need_open_year(reader, config.key, round)
    return _dossier(reader, reader.events(table=config.key, round=round), config, round)


def read_sealed_round(reader: Reader, table: str, round: str) -> SealedRound:
    """The round of that id at this table; `RefusedError` where there is none, or its year is closed."""
    need_open_year(reader, table, round)
    fold = SealedFold(table)
    for row in reader.events(table=table, round=round):
        fold.take(read_body(row.body).event)
    if fold.round != round:
        raise RefusedError("no_such_round", "There is no such round at this table; open it from the table's list.")
    return fold.made()


def need_open_year(reader: Reader, table: str, round: str) -> None:
    """`RefusedError` where the round lies in the archive of a year that is closed."""
    number = round.removeprefix(f"{table}-")
    for row in reader.events(table=table, kinds=("TableCarried",), rare=True):
        told = read_body(row.body).event
        if isinstance(told, e.TableCarried) and number.isdecimal() and int(number) <= told.rounds:
            raise RefusedError("closed_year", _CLOSED_YEAR)


_CLOSED_YEAR = (
    "This round belongs to a year that is closed: look it up in the archive. Its money is not corrected any more; "
    "settle what is due with the operator, who deposits or withdraws it under the number of the round."
)


def _dossier(reader: Reader, rows: Iterable[Row], config: TableConfig, round: str) -> Dossier:
    """Fold the journal rows of a round into its dossier; rows that say nothing about the round are skipped."""
    state, book = TableState(config), Book()
    asked: e.CorrectionApproved | None = None
    revision, void = 0, False
    facts: list[Righting] = []
    pot: list[e.PotClaimedLate | e.PotClaimUndone] = []
    paid_seq = 0
    for row in rows:
        event = read_body(row.body).event
        match event:
            case e.CorrectionApproved():
                asked = event
            case e.RoundResettled() if asked is not None:
                revision, void = event.revision, event.void
                facts.extend(asked.facts)
            case e.PotClaimedLate() | e.PotClaimUndone():
                pot.append(event)
            case e.BetsSettled():
                paid_seq = paid_seq or row.seq
            case e.RoundStarted(game=game):
                state = TableState(msgspec.structs.replace(config, game=game))
        if isinstance(event, OF_ROUND):
            state = evolve(state, event, row.at_ms)
            book = kept(book, state.game, event)
    found = state.round
    if found is None or found.id != round:
        raise RefusedError("no_such_round", "There is no such round at this table; open it from the table's list.")
    found = replace(found.with_facts(facts), pot=_pot(reader, found.pot, pot, paid_seq))
    own = next((bet.currency for bet in book.bets if bet.worth_minor is None), config.currency)
    rulebook = find_game(state.config.game)
    bets = to_accounts(rulebook, tuple(with_conduct(book.bets, book.conduct)))
    return Dossier(config.key, own, rulebook, found, bets, max(revision, found.parts.revision), void)


def _pot(
    reader: Reader, pot: PotStanding | None, since: Iterable[e.PotClaimedLate | e.PotClaimUndone], paid_seq: int
) -> PotStanding | None:
    """The pot with what lay in it when the round was settled, and what corrections have made of it since."""
    if pot is None:
        return None
    if pot.won is None and paid_seq:
        then_minor = held_at(reader, pot_account(pot.terms.key), pot.terms.currency, paid_seq)
        pot = replace(pot, then_minor=then_minor)
    for event in since:
        pot = pot.after(event)
    return pot
