"""Judges a simulated night while it runs: after each round everything committed is checked.

It reads what the journal and the ledger hold, not what the program remembers, and each row once: cards, faces,
money, nothing while held, and the fold of the journal against the live state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import msgspec

from dealer_ui.rehearsal.check.card import CardCheck, FaceCheck
from dealer_ui.rehearsal.check.misdeal import MisdealCheck
from dealer_ui.rehearsal.check.money import MoneyCheck
from dealer_ui.rehearsal.check.wallet import WALLET_MOVES, WalletCheck
from studio.care.signing import Signer
from studio.errors import StudioError
from studio.games import find_game
from studio.jackpot import seeding_unit_of
from studio.journal import Row
from studio.journal.extract.walk import steps
from studio.operators import FREE_BET_KINDS
from studio.ports import CardFace
from studio.proof.audit.database import audit
from studio.proof.audit.wrong import WrongError
from studio.rounds import CardDealt
from studio.tables.books.snapshot import read_snapshot, write_snapshot
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.felt.camera_look import place_of
from studio.tables.fold.table import evolve
from studio.tables.state.round import Stage
from studio.tables.state.table import TableState
from studio.wallets.record import WALLET_KINDS

if TYPE_CHECKING:
    from dealer_ui.rehearsal.night import Night

REPLAY_EVERY: Final = 50
_SIGNER: Final = Signer.of(bytes(32))
_NOT_WHILE_HELD: Final = (e.RoundStarted, e.BetsOpened, e.BetsPlaced, e.DecisionsTaken, e.ResultDeclared)


@dataclass(frozen=True, slots=True)
class Violation:
    """Something that must never be, and the round in which it was."""

    round: str
    sentence: str


class HoldCheck:
    """Nothing goes on while the table is held; a fact then stands by a ruling alone."""

    def __init__(self) -> None:
        self._frozen = False
        self._holding: set[str] = set()
        self._ruled: set[str] = set()

    def take(self, event: e.AnyEvent) -> str:
        """Follow one event; gives what is wrong with it, or nothing."""
        match event:
            case e.TableFrozen():
                self._frozen = True
            case e.TableReleased():
                self._frozen = False
            case e.IncidentOpened(id=id, holds=True):
                self._holding.add(id)
            case e.IncidentRuled(id=id):
                self._ruled.add(id)
            case e.IncidentClosed(id=id):
                self._holding.discard(id)
                self._ruled.discard(id)
            case _ if not (self._frozen or self._holding):
                return ""
            case _ if isinstance(event, _NOT_WHILE_HELD):
                return f"{type(event).__name__} happened while the table was held."
            case e.FactStood(fact=fact) if not self._ruled:
                return f"{type(fact).__name__} stood while the table was held, and nobody had ruled so."
        return ""


class Checker:
    """All checks of one night. `violations` are found in the order of the journal."""

    def __init__(self, night: Night) -> None:
        self.violations: list[Violation] = []
        self.settled = 0
        self.voided = 0
        self.incidents: Counter[tuple[str, str]] = Counter()
        """Incidents by kind and row."""
        self._night = night
        self._reader = night.reader()
        config = night.config
        self._cards = CardCheck(config.shoe, find_game(config.game).shoe.under(config.rules).rounds_after_cut)
        self._faces = FaceCheck(night.store.keyring.lookup)
        self._hold = HoldCheck()
        self._misdeal = MisdealCheck()
        self._money = MoneyCheck(config.key, config.game, config.currency)
        self._wallet = WalletCheck(night.wallet, self._reader) if night.wallet else None
        if self._wallet is None:
            self._money.deposit(night.punters.deposits())
        if (pot := config.pot) is not None:
            seeded = tuple(self._reader.transfers(seeding_unit_of(pot.key)))
            self._wrong_all(self._money.begin_pot(pot, night.state.game.pot.bet, seeded))
        self._replayed = TableState(config)
        self._digest = sha256()
        self._seq = 0
        self._at_ms = 0
        self._round = ""
        self._declared = ""
        self._ruled_cards: set[str] = set()
        """Cards of which a person said what they are, or that they may lie where they lie."""

    @property
    def rounds(self) -> int:
        return self.settled + self.voided

    @property
    def digest(self) -> str:
        """SHA-256 over the kinds and bodies of the journal so far."""
        return self._digest.hexdigest()

    def watch(self) -> bool:
        """Look at the live table, after every step; True when a round is over and everything was checked."""
        round = self._night.state.round
        if round is None:
            return False
        if round.stage is Stage.SETTLING and round.id != self._declared:
            self._declared = round.id
            self.look()
            self._compare_with_felt()
        if not round.over or round.id == self._round:
            return False
        self._round = round.id
        self.look()
        self._night.keep(self._replayed, self._seq)
        if self.rounds % REPLAY_EVERY == 0:
            self.compare(self._night.state)
        return True

    def look(self) -> None:
        """Take in everything committed since the last look."""
        for row in self._reader.events(after_seq=self._seq):
            self._take(row)
        if self._wallet is not None:
            self._money.deposit(self._wallet.look())
        if (rows := self._reader.ledger_head().seq) != self._money.rows and self._round:
            round = self._night.state.round
            if round is None or round.over:
                self.wrong(f"The ledger has {rows} rows; the rounds account for {self._money.rows}.")

    def compare(self, live: TableState) -> None:
        """Hold the fold of the journal, a snapshot of it, and the fold of the ledger against what is live."""
        if self._replayed != live:
            self.wrong(f"The journal folds to another state than the live one: {_differ(self._replayed, live)}.")
        (snapped, _), _, _ = read_snapshot(
            write_snapshot((self._replayed, self._seq), "", _SIGNER), live.config.key, _SIGNER.public_key
        )
        if snapped != live:
            self.wrong(f"A snapshot holds another state than the live one: {_differ(snapped, live)}.")
        if live.round is None or live.round.over:
            self._wrong_all(self._money.compare(self._reader.balance, live.room.players))

    def end(self) -> None:
        """Let what is owed to the operator's wallet be told, and hold both their books against each other."""
        if self._wallet is not None and self._night.wallet is not None:
            owed = self._night.wallet.drain()
            self.look()
            self._wrong_all(self._wallet.ended(owed))

    def verify(self) -> None:
        """Prove the whole night again as `studio verify` does: by its rows alone, without keys."""
        try:
            audit(steps(self._night.store.connection))
        except WrongError as error:
            self.wrong(f"The night does not verify: row {error.seq} of the {error.table}: {error.sentence}")

    def stuck(self, waited_ms: int) -> None:
        """The table has not come to the end of its round."""
        view = self._night.view()
        self.wrong(f"The table has been stuck for {waited_ms} ms: {view}")

    def _take(self, row: Row) -> None:
        if row.at_ms < self._at_ms:
            self.wrong(f"Row {row.seq} of the journal is earlier than the one before it.")
        self._seq, self._at_ms = row.seq, row.at_ms
        self._digest.update(b"%b\n%b\n" % (row.kind.encode(), row.body))
        if row.kind in WALLET_KINDS | FREE_BET_KINDS:
            return
        event = read_body(row.body).event
        self._wrong_all(self._cards.take(event))
        self._wrong_all(self._faces.take(event, row.kind, row.body))
        self._wrong_all(self._misdeal.take(event))
        if sentence := self._hold.take(event):
            self.wrong(sentence)
        self._money.take(event)
        try:
            self._replayed = evolve(self._replayed, event, row.at_ms)
        except StudioError as error:
            self.wrong(f"Row {row.seq} of the journal cannot be replayed: {error}")
        self._count(event)

    def _count(self, event: e.AnyEvent) -> None:
        match event:
            case e.CardConfirmed(id=id, by=by) if by != "camera":
                self._ruled_cards.add(id)
            case e.PlaceAccepted(id=id):
                self._ruled_cards.add(id)
            case e.TableFrozen(by="system", by_name=name) if "error" in name:
                self.wrong(f"The table was frozen by {name}.")
            case e.IncidentOpened(incident=kind, row=row):
                self.incidents[kind, row or "no row"] += 1
            case e.RoundSettled():
                self.settled += 1
                self._close(self._money.settled)
            case e.RoundRefunded():
                self.voided += 1
                self._close(self._money.voided)

    def _close(self, check: Callable[..., Iterable[str]]) -> None:
        round = self._replayed.round
        assert round is not None
        transfers = self._reader.transfers(round.id)
        self._wrong_all(check(tuple(one for one in transfers if one.kind not in WALLET_MOVES)))

    def _compare_with_felt(self) -> None:
        """A result counts the cards that lie on the felt; what a person ruled otherwise is the person's."""
        round = self._night.state.round
        assert round is not None
        lying = self._night.rig.felt.view().top()
        for fact in round.deal.cards.values():
            there = lying.get(place_of(round, fact.card.id) or ("", 0))
            if there is None or not isinstance(fact, CardDealt) or fact.card.id in self._ruled_cards:
                continue
            if fact.box in round.deal.folded:
                continue  # nothing of a hand that was given up counts, wherever the dealer takes it
            if there.face is CardFace.UP and there.card is not fact.face:
                self.wrong(f"{fact.box} {fact.place} counts as {fact.face}, and {there.card} lies there.")

    def _wrong_all(self, sentences: Iterable[str]) -> None:
        for sentence in sentences:
            self.wrong(sentence)

    def wrong(self, sentence: str) -> None:
        """Keep a violation of the round at hand."""
        round = self._night.state.round
        self.violations.append(Violation(round.id if round else "", sentence))


def _differ(one: object, other: object) -> str:
    """The names of what is not the same, with the parts it is in: `seat.dealer`, `round.eyes.missed`."""
    return ", ".join(_unequal(one, other))


def _unequal(one: object, other: object, name: str = "") -> tuple[str, ...]:
    """The fields in which two values differ, down to what is no value of parts, or is of another kind."""
    if one == other:
        return ()
    if not isinstance(one, msgspec.Struct) or type(one) is not type(other):
        return (name,)
    within = f"{name}." if name else ""
    return tuple(
        part
        for field in one.__struct_fields__
        for part in _unequal(getattr(one, field), getattr(other, field), within + field)
    )
