"""`verify` over a whole database: both chains, then every settlement once more from the facts.

No key is needed and nothing is written; a studio may be at work on the file. A round still open is no error.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, get_args

from studio.care.witness import ask_itself
from studio.decks.deck_event import DECK_KINDS
from studio.errors import BadInputError, StudioError
from studio.journal import Posting, Reader
from studio.journal.chain import WrongRow, check
from studio.journal.extract.walk import (
    Extent,
    WalkStep,
    corrected_rounds,
    measure,
    rounds_unsealed,
    walk,
)
from studio.journal.place import Place, Snapshot, snapshot
from studio.money import operator_of
from studio.operators import FREE_BET_KINDS, Seat
from studio.ports import AnyObservation
from studio.proof.audit.account_ledger import AccountLedger, is_repaid_by_deposit
from studio.proof.audit.book import DeckAudit, PeopleAudit, PitAudit, ProgramAudit
from studio.proof.audit.card import NO_SEALS, Seals
from studio.proof.audit.free_bet import GRANTS, FreeBetAudit
from studio.proof.audit.opening import OpeningAudit, need_opened
from studio.proof.audit.pot import PotLedger
from studio.proof.audit.room import ROOM
from studio.proof.audit.table import TableAudit
from studio.proof.audit.wallet import MOVES, WalletAudit
from studio.proof.audit.wrong import WrongError, wrong
from studio.rounds import AnyFact
from studio.side_process import SideProcess
from studio.tables.event import table as e
from studio.tables.event.record import Recorded, kind_of, read_body
from studio.wallets.record import WALLET_KINDS

_KINDS: Final = {kind.__name__ for family in (e.AnyEvent, AnyObservation, AnyFact) for kind in get_args(family)}
_OUTSIDE: Final = {"deposit": ("operator:", "bettor:"), "withdraw": ("bettor:", "operator:")}
BESIDE_FROM: Final = 60_000
"""Rows of both tables from which on the start of another process is paid back."""
TOLD: Final = 500
"""So often, about, it is told how far the sense has come; a pipe takes that many words though nobody listens."""


@dataclass(frozen=True, slots=True)
class AuditVerdict:
    """What was looked through, and the first row that is wrong. `seals`: the cards devices sealed."""

    rounds: int
    events: int
    entries: int
    first_wrong: WrongRow | None
    seals: Seals = NO_SEALS

    @property
    def ok(self) -> bool:
        return self.first_wrong is None

    def plain(self) -> dict[str, Any]:
        """The shape of `studio verify --json`."""
        found = self.first_wrong
        row = {"table": found.table, "seq": found.seq, "sentence": found.sentence} if found else None
        return {
            "rounds": self.rounds,
            "events": self.events,
            "entries": self.entries,
            "uncommitted": self.seals.uncommitted,
            "ok": self.ok,
            "first_wrong": row,
        }


def verify(place: Place, on_step: Callable[[int], None] = lambda seq: None) -> AuditVerdict:
    """Read everything once for the chains and once for its sense: of a large record in two processes at once, where
    there are two cores.

    What is counted and what makes sense is of one moment; the chains are read from that moment on, or a later one.
    `on_step` is told how far the sense has come, by rows of the journal. `BadInputError` when it is no studio's
    database, or where the other process cannot be started or was ended.
    """
    with snapshot(place) as seen:
        extent = measure(seen)
        if extent.events + extent.entries < BESIDE_FROM or len(os.sched_getaffinity(0)) < 2:
            found, seals = check(place), NO_SEALS
            if found is None:
                found, seals = _sense(seen, place, extent, on_step)
            return _verdict(extent, found, seals)
    return _beside(place, extent, on_step)


def _beside(place: Place, extent: Extent, on_step: Callable[[int], None]) -> AuditVerdict:
    """The chains here, which are a bounded work whatever a row says; the sense of rows that nobody has checked yet in
    the other process, which is ended where the chains do not hold, wherever it is.
    """

    def hear(told: Extent | int) -> None:
        nonlocal extent
        if isinstance(told, Extent):
            extent = told
        else:
            on_step(told)

    with SideProcess(make_sense, place, hears=hear) as sense:
        sense.wait_for_word()  # its moment is held now, and what it reads the chains read as well
        found, seals = check(place, sense.listen), NO_SEALS
        if found is None:
            found, seals = sense.answer()
    return _verdict(extent, found, seals)


def make_sense(place: Place, tell: Callable[[Extent | int], None]) -> tuple[WrongRow | None, Seals]:
    """The sense of the record as it stands now. Tells how much that is, and then how far it has come."""
    with snapshot(place) as seen:
        extent = measure(seen)
        tell(extent)
        return _sense(seen, place, extent, tell)


def _verdict(extent: Extent, found: WrongRow | None, seals: Seals) -> AuditVerdict:
    return AuditVerdict(extent.rounds, extent.events, extent.entries, found, seals)


def _sense(
    seen: Snapshot, place: Place, extent: Extent, on_step: Callable[[int], None]
) -> tuple[WrongRow | None, Seals]:
    """The first row that makes no sense, and the cards that were sealed."""
    with Reader.open(place) as reader:
        if (found := ask_itself(reader)) is not None:
            return found, NO_SEALS
    every, steps = max(1, extent.last // TOLD), count(1)

    def step(seq: int) -> None:
        if next(steps) % every == 0:
            on_step(seq)

    try:
        need_opened(seen)
        return None, audit(walk(seen), step, corrected_rounds(seen), rounds_unsealed(seen), hosts=len(seen.books) > 1)
    except WrongError as error:
        return WrongRow(error.table, error.seq, error.sentence), NO_SEALS


def audit(
    steps: Iterable[WalkStep],
    on_step: Callable[[int], None] = lambda seq: None,
    corrected: Container[str] | None = None,
    unsealed: Container[str] | None = None,
    *,
    hosts: bool = False,
) -> Seals:
    """Follow every table through the steps; `WrongError` at the first row that makes no sense. Counts sealed cards.

    `corrected`, `unsealed`: the rounds that are corrected later, or have a sealed card opened, where it is known; else
    every round is kept in mind. `hosts`: several write the record.
    """
    floor = _Floor(corrected, unsealed, hosts=hosts)
    for step in steps:
        floor.take(step)
        on_step(step.seq)
    return floor.close()


class _Floor:
    """All tables of a database."""

    def __init__(self, corrected: Container[str] | None, unsealed: Container[str] | None, *, hosts: bool) -> None:
        self._corrected, self._unsealed = corrected, unsealed
        self._accounts = AccountLedger(hosts=hosts)
        self._tables: dict[str, TableAudit] = {}
        self._of_round: dict[str, TableAudit] = {}
        self._early: list[Posting] = []
        self._opening = OpeningAudit()
        self._pots = PotLedger()
        self._people = PeopleAudit()
        self._decks = DeckAudit()
        self._pit = PitAudit()
        self._program = ProgramAudit()
        self._wallets = WalletAudit()
        self._free_bets = FreeBetAudit()

    def take(self, step: WalkStep) -> None:
        self._pots.next_row()
        self._opening.take(step)
        self._accounts.take(step.postings)
        self._wallets.move(step.postings)
        self._free_bets.move(step)
        for posting in step.postings:
            self._pots.move(posting)
            if step.kind != "BooksOpened":
                self._move(posting)
        self._tell(step)
        self._free_bets.need_told()
        if self._early:
            stray = self._early[0]
            raise WrongError("ledger", stray.seq, f"Money moved in round {stray.transfer.round}, which is not open.")
        self._pots.need_nothing_left()

    def _tell(self, step: WalkStep) -> None:
        if step.kind in DECK_KINDS:
            self._decks.take(step.kind, step.body, step.seq)
        if step.kind in WALLET_KINDS:
            self._wallets.take(step)
        if step.kind in FREE_BET_KINDS:
            self._free_bets.take(step)
        if step.kind not in _KINDS:
            self._people.take(step)
            self._pit.take(step)
            self._pots.take(step)
            self._program.take(step)
            return  # what is no table's and no person's is the chain's affair
        try:
            recorded = read_body(step.body)
        except BadInputError as error:
            wrong(step.seq, f"{error}")
        if kind_of(recorded.event) != step.kind:
            wrong(step.seq, f"The row is called {step.kind} and tells of a {kind_of(recorded.event)}.")
        table = self._tables.get(recorded.table)
        if table is None:
            table = TableAudit(recorded.table, self._pots, self._accounts, self._corrected, self._unsealed)
            self._tables[recorded.table] = table
        try:
            table.take(recorded.event, step.seq, step.at_ms)
        except WrongError:
            raise
        except StudioError as error:
            wrong(step.seq, f"{error}")
        self._keep(recorded, table)
        self._look_at_free_bets(recorded, table, step)

    def _look_at_free_bets(self, recorded: Recorded, table: TableAudit, step: WalkStep) -> None:
        match recorded.event:
            case e.BetsPlaced(bets=bets):
                self._free_bets.stake(bets, Seat(recorded.table, table.game), step)
            case e.DecisionsTaken(bets=bets):
                self._free_bets.need_none(bets, step.seq)

    def close(self) -> Seals:
        self._wallets.need_nothing_left()
        self._accounts.need_covered()
        for table in self._tables.values():
            table.need_nothing_left()
        return sum((table.seals for table in self._tables.values()), NO_SEALS)

    def _move(self, posting: Posting) -> None:
        moved = posting.transfer
        if moved.kind in _OUTSIDE:
            debit, credit = _OUTSIDE[moved.kind]
            if not (moved.debit.startswith(debit) and moved.credit.startswith(credit)):
                raise WrongError("ledger", posting.seq, f"A {moved.kind} goes from {debit}… to {credit}…, not so.")
            if operator_of(moved.debit) != operator_of(moved.credit):
                raise WrongError("ledger", posting.seq, f"A {moved.kind} went to, or from, another operator's bettor.")
            return
        if moved.kind in MOVES:
            return  # the wallets' own affair
        if moved.kind in GRANTS:
            return  # told by the rows about free bets
        if moved.kind in ("seed", "pot_move") or is_repaid_by_deposit(posting):
            return  # the pots' own affair, and that of the accounts
        if moved.kind == "compensate" and (owner := self._tables.get(moved.debit.removeprefix("house:"))) is not None:
            owner.cases.moved.append(posting)
            return
        if moved.round.startswith(ROOM):
            table = self._tables.get(moved.round.removeprefix(ROOM))
        else:
            table = self._of_round.get(moved.round)
        if table is None:
            self._early.append(posting)  # blinds come in one commit with the start of their hand
        else:
            table.move(posting)

    def _keep(self, recorded: Recorded, table: TableAudit) -> None:
        match recorded.event:
            case e.RoundStarted(round=round):
                self._of_round[round] = table
                early, self._early = self._early, []
                for posting in early:
                    self._move(posting)
            case e.CorrectionApproved(round=round):
                self._of_round[round] = table
            case e.RoundSettled() | e.RoundRefunded() | e.RoundResettled():
                self._of_round.pop(recorded.round, None)
