"""Follows one table through the journal: its rounds, their rules, its rulings, and that nothing went on while held."""

from __future__ import annotations

from collections.abc import Container

from studio.errors import BadInputError
from studio.games import find_game
from studio.journal import Posting
from studio.procedures.record import Records, procedures_kept, version_of
from studio.procedures.rule import rule_by
from studio.proof.audit.account_ledger import AccountLedger
from studio.proof.audit.card import CardAudit, Seals
from studio.proof.audit.case import CaseAudit
from studio.proof.audit.correction import AnyCorrection, CorrectionAudit
from studio.proof.audit.pot import PotLedger
from studio.proof.audit.room import ROOM, RoomAudit
from studio.proof.audit.round.course import RoundAudit
from studio.proof.audit.ruling import RulingAudit
from studio.proof.audit.unsealing import UnsealingAudit
from studio.proof.audit.wrong import WrongError, wrong
from studio.rulebook.game import Game
from studio.rulebook.shoe_terms import house_rules, is_new_shoe, shoe_terms
from studio.tables.config import TableConfig
from studio.tables.event import table as e

_NOT_WHILE_HELD = (e.RoundStarted, e.BetsOpened, e.BetsPlaced, e.BettorReady, e.DecisionsTaken, e.ResultDeclared)
_COMES_UP = (e.TableRestarted, e.TableConfigured, e.TableCarried)
"""A table's time never goes back while it runs; whoever takes it up may not know how late it was."""
_OF_ROUND = (
    e.FactStood, e.CardConfirmed, e.CardDoubted, e.RedealOrdered, e.BetsOpened, e.BetsPlaced, e.DecisionsTaken,
    e.DecisionsClosed, e.ResultDeclared,
    e.BetsSettled, e.RoundSettled, e.RoundVoided, e.BetsVoided, e.RoundRefunded, e.PotFed, e.PotWon, e.PotReturned,
    e.CompensationOpened, e.CompensationAssessed,
    e.BetsReturned, e.TimeBankOpened, e.PartOpened, e.PartSettled, e.BettorReady,
)  # fmt: skip


class TableAudit:
    """One table, followed event by event; `holding` are the open incidents that hold it."""

    def __init__(
        self,
        key: str,
        pots: PotLedger,
        accounts: AccountLedger,
        corrected: Container[str] | None = None,
        unsealed: Container[str] | None = None,
    ) -> None:
        """The rounds to keep in mind, for a correction or for a sealed card; every one, where it is not known which."""
        self.key = key
        self._pots = pots
        self._accounts = accounts
        self._corrected = corrected
        self.corrections = CorrectionAudit(key, accounts, pots)
        self.cases = CaseAudit(key)
        self._unsealings = UnsealingAudit(key, unsealed)
        self._config: TableConfig | None = None
        self._cards = CardAudit()
        self._room = RoomAudit(key)
        self._procedures = ProcedureAudit()
        self._rulings = RulingAudit()
        self._holding: set[str] = set()
        self._frozen = False
        self._at_ms = 0
        self._rounds = self._from_shoe = 0
        self._round: RoundAudit | None = None

    @property
    def game(self) -> str:
        """What is played here; empty before the table was configured."""
        return self._config.game if self._config is not None else ""

    @property
    def seals(self) -> Seals:
        """The cards devices sealed at this table."""
        return self._cards.seals

    def move(self, posting: Posting) -> None:
        """Money of the round that is open or corrected here; an event accounts for it before that is over."""
        if posting.transfer.round == ROOM + self.key:
            self._room.moved.append(posting)
            return
        if posting.transfer.round == self.corrections.round:
            self.corrections.moved.append(posting)
            return
        if self._round is None or self._round.id != posting.transfer.round or self._round.over:
            sentence = f"Money moved in round {posting.transfer.round}, which is not open."
            raise WrongError("ledger", posting.seq, sentence)
        self._round.money.moved.append(posting)

    def need_nothing_left(self) -> None:
        if self._round is not None:
            self._round.money.moved.need_none()
        self.cases.moved.need_none()
        self._room.moved.need_none()
        self.corrections.moved.need_none()
        self._unsealings.need_nothing_left()

    def take(self, event: e.AnyEvent, seq: int, at_ms: int) -> None:
        """Follow one event; `WrongError` where it cannot be so."""
        if at_ms < self._at_ms and not isinstance(event, _COMES_UP):
            wrong(seq, f"{type(event).__name__} is told to have happened at {self.key} before the row before it.")
        self._at_ms = at_ms
        if isinstance(event, _NOT_WHILE_HELD) and (self._frozen or self._holding):
            wrong(seq, f"{type(event).__name__} happened at {self.key} while the table was held.")
        self._procedures.take(event, seq)
        self._rulings.take(event, seq, at_ms, self._is_shown)
        self._unsealings.take(event, seq, at_ms)
        match event:
            case e.ObservationRecorded(observation=seen):
                self._cards.note(seen, seq)
            case e.RoundStarted():
                self._start(event, seq)
            case e.PotSeeded():
                self._pots.seed(event, self._config.pot if self._config else None, seq)
            case e.CompensationDecided():
                self.cases.decide(event, seq)
            case e.CompensationPaid():
                self.cases.pay(event, self._config.currency if self._config else "", seq)
            case e.CardSetAside(card=card):
                self._cards.check_card(card, seq)
            case _ if isinstance(event, AnyCorrection):
                self.corrections.take(event, seq, at_ms, self._config.claw_back if self._config else {})
            case e.ExceptionRecorded(revision=revision) if revision:
                self.corrections.record(event, seq)
            case _ if isinstance(event, e.AnyRoomEvent) and not isinstance(event, e.TimeBankOpened):
                self._room.take(event, self._config.currency if self._config else "", seq)
                if isinstance(event, e.LeaveAsked) and self._round is not None:
                    _end_turn(self._round, event.seat, seq, at_ms)
            case _ if isinstance(event, _OF_ROUND):
                self._follow(event, seq, at_ms)
            case _:
                self._note(event)

    def _is_shown(self) -> bool:
        return self._round is not None and self._round.is_shown

    def _note(self, event: e.AnyEvent) -> None:
        match event:
            case e.TableConfigured(config=config):
                self._config = config
            case e.TableCarried(rounds=rounds):
                self._rounds = rounds
            case e.ShoeLoaded():
                self._cards.new_shoe()
                self._from_shoe = int(self._round is not None and self._round.dealing)
            case e.TableFrozen():
                self._frozen = True
            case e.TableReleased():
                self._frozen = False
            case e.IncidentOpened(id=id, holds=True):
                self._holding.add(id)
            case e.IncidentClosed(id=id):
                self._holding.discard(id)

    def _start(self, event: e.RoundStarted, seq: int) -> None:
        if self._round is not None and not self._round.over:
            wrong(seq, f"Round {event.round} was started before round {self._round.id} was over.")
        if event.number != self._rounds + 1:
            wrong(seq, f"Round {event.round} has number {event.number}; the round before had {self._rounds}.")
        try:
            game = find_game(event.game)
        except BadInputError as error:
            wrong(seq, str(error))
        if self._config is None:
            wrong(seq, f"Round {event.round} was started at a table that was never configured.")
        check_started(game, event, self._config, seq, from_shoe=self._from_shoe)
        self._from_shoe += 1
        if event.pot != (self._config.pot if game.pot.bet else None):
            wrong(seq, f"Round {event.round} was started with another pot than its table's.")
        if event.rates != self._config.rates:
            wrong(seq, f"Round {event.round} was started at other rates than its table's.")
        self._room.start(game, event, seq)
        self._rounds = event.number
        self._round = RoundAudit(event, self._config, game, (self._pots, self._accounts), self.cases)
        self._round.boxes.seen = self._room.seen

    def _follow(self, event: e.AnyEvent, seq: int, at_ms: int) -> None:
        if self._round is None:
            wrong(seq, f"{type(event).__name__} happened at {self.key} without a round.")
        if isinstance(event, e.FactStood):
            self._cards.check_fact(event.fact, self._round.facts, seq)
        if isinstance(event, e.PartOpened):
            self._round.open_part(event, self._config.claw_back if self._config else {}, seq)
        else:
            self._round.take(event, seq, at_ms)
        if isinstance(event, e.BetsPlaced) and self._config is not None:
            self._round.exposure.place(event.bets, self._config, seq)
        if self._round.over:
            self._room.settle(self._round.hand)
        if self._round.over and (self._corrected is None or self._round.id in self._corrected):
            self.corrections.keep(self._round.dossier)


def _end_turn(round: RoundAudit, seat: str, seq: int, at_ms: int) -> None:
    """Who leaves in his own turn has no time any more."""
    if round.closes_at_ms is not None and not round.over and round.boxes.is_turn_of(seat, round.facts, seq):
        round.closes_at_ms = min(round.closes_at_ms, at_ms)


class ProcedureAudit:
    """Holds each ruling against the rows in force when its incident was opened; one older than versions names none."""

    def __init__(self) -> None:
        self._game = ""
        self._version = ""
        self._rows: Records = ()

    def take(self, event: e.AnyEvent, seq: int) -> None:
        match event:
            case e.TableConfigured(config=config):
                self._game = config.game
            case e.ProceduresInForce(version=version, rows=rows):
                if version_of(rows) != version:
                    wrong(seq, f"The rows put in force are not those of version {version}.")
                self._version, self._rows = version, rows
            case e.IncidentOpened() if event.procedures or self._version:
                self._check(event, seq)

    def _check(self, told: e.IncidentOpened, seq: int) -> None:
        if told.procedures != self._version:
            wrong(seq, f"Incident {told.id} was ruled by version {told.procedures}, which was not in force.")
        try:
            procedures = procedures_kept(self._game, self._rows)
            due = rule_by(procedures, told.incident, told.phase, told.circumstances)
        except BadInputError as error:
            wrong(seq, f"The rows of version {self._version} rule on nothing: {error}")
        said = (told.row, told.ruling, told.options, told.approval, told.refund, told.text, told.afterwards)
        if said != (due.row, due.ruling, due.options, due.approval, due.refund, due.text, due.afterwards):
            wrong(seq, f"Incident {told.id} was ruled by row {told.row}; version {self._version} says {due.row}.")


def check_started(game: Game, started: e.RoundStarted, config: TableConfig, seq: int, *, from_shoe: int) -> None:
    """A round starts with the table's own game, each house option as set (or as the game has it), and as the first of a
    new shoe exactly when `from_shoe`, the number of rounds begun from the shoe, says so.

    An option that the program did not have when the round was dealt may be missing; the terms of a hand of the poker
    room are checked with the room.
    """
    if started.game != config.game:
        wrong(seq, f"Round {started.round} was started as {started.game} at a table that deals {config.game}.")
    try:
        due = game.options.check(config.rules)
    except BadInputError as error:
        wrong(seq, str(error))
    if is_new_shoe(started.rules) != bool(shoe_terms(game.shoe.opened, from_shoe)):
        wrong(
            seq, f"Round {started.round} is {'not ' * bool(from_shoe)}the first from its shoe and was begun otherwise."
        )
    told = house_rules(started.rules)
    other = sorted(key for key, value in told.items() if key not in due or due[key] != value)
    if amiss := [*other, *sorted(set(config.rules) - set(told))]:
        wrong(seq, f"Round {started.round} was started with another '{amiss[0]}' than its table was set to.")
