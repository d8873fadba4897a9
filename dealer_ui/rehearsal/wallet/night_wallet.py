"""The wallet of the one operator of a simulated night, and the table as his bettors come to it.

bettors ─► NightWallet ─► the real counter, teller and desk ─► the night's journal
                                  └─► NightLine ─► the operator's till
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

from cryptography.hazmat.primitives.asymmetric import rsa

from dealer_ui.config.operator import CreditLimits
from dealer_ui.desk.bettor import BettorDesk
from dealer_ui.desk.free_bet import FreeBetDesk
from dealer_ui.floor.counter import Counter
from dealer_ui.rehearsal.operator.till import Till
from dealer_ui.rehearsal.operator.voice import HmacVoice, OperatorVoice, RsaVoice
from dealer_ui.rehearsal.person.punter import FREE_MINOR
from dealer_ui.rehearsal.wallet.night_line import KilledError, NightLine
from dealer_ui.teller.asking import AskingTerms
from dealer_ui.teller.caller import Caller
from dealer_ui.teller.desk import WalletDesk
from dealer_ui.teller.session import WalletSessions
from dealer_ui.teller.session_wallet import SessionWallet
from dealer_ui.teller.teller import Teller
from dealer_ui.teller.tellers import Tellers
from dealer_ui.wallets.dialect import Dialect, HttpWallet
from dealer_ui.wallets.hmac_dialect import HmacDialect
from dealer_ui.wallets.rsa_dialect import RsaDialect
from studio.errors import RefusedError, StorageError
from studio.journal import Reader, Receipt, Unit
from studio.money import AMOUNT_MINOR_MAX, Answer, Offer
from studio.operators import FREE_BET_KINDS, FreeBetsGranted
from studio.tables.bets.readiness import Readiness
from studio.tables.books.book import Book
from studio.tables.event.table import Decision
from studio.tables.run.runtime import TableRuntime
from studio.tables.state.room import SeatRequest
from studio.tables.state.table import TableState
from studio.wallets.obligation import Debt, Owed

OPENING_MINOR: Final = (10**12, 10**12, 25_000, 10**12, 3_000, 10**12)
"""What bettors have when the night begins, in turn: some not for long."""
DRAIN_STEP_MS: Final = 5_000
DRAINED_MS: Final = 3 * 86_400_000
"""By then everything owed was told; what is left is for people."""


class Running(Protocol):
    """The night the wallet is in."""

    runtime: TableRuntime
    now_ms: int

    def commit(self, unit: Unit) -> Receipt: ...

    def wait(self, ms: int) -> int: ...

    def restart(self) -> None: ...


@dataclass(frozen=True, slots=True)
class WalletTerms:
    """`rate`: the share of calls in which something is wrong; `till`: the database of the operator's balances;
    `free_bets`: whether he grants his bettors some.
    """

    operator: str
    currency: str
    dialect: str
    rate: float
    chance: random.Random
    till: str
    free_bets: bool = False


@dataclass(frozen=True, slots=True)
class _Alone:
    """A table without a thread of its own: a request is served at once. See `floor.wallet_table.Served`."""

    runtime: TableRuntime

    def serve(self, operator: str, items: Sequence[Any], take: Callable[[Sequence[Any]], Any]) -> tuple[Any, ...]:
        return tuple(take(items))


FREE_COUNT: Final = 40
_UNLIMITED: Final = CreditLimits(AMOUNT_MINOR_MAX, AMOUNT_MINOR_MAX, "EUR")


class NightWallet:
    """See `rehearsal.person.at_table.AtTable`."""

    def __init__(self, night: Running, reader: Reader, bettors: Sequence[str], terms: WalletTerms) -> None:
        self._terms = terms
        operator = self.operator = terms.operator
        self.bettors = {name: OPENING_MINOR[at % len(OPENING_MINOR)] for at, name in enumerate(bettors)}
        self.till = Till(Path(terms.till))
        self._night = night
        self._reader = reader
        ours, theirs = _parties(terms.dialect)
        rng = terms.chance
        self.line = NightLine(self.till, theirs, rng, terms.rate, night.wait)
        self._wallet = HttpWallet(ours, self.line, lambda: str(uuid.UUID(int=rng.getrandbits(128), version=4)))
        self._rng = rng
        self._sessions = WalletSessions()
        for name, opening_minor in self.bettors.items():
            self.till.open_account(name, f"session-{name}", "session-over", terms.currency, opening_minor)
            self._sessions.open(operator, name, f"session-{name}", night.now_ms)
        self._counter: Counter | None = None
        self.kills = 0

    def begin(self) -> None:
        """The studio starts on its journal. Where the disk takes nothing, it is tried again at the next step."""
        self._counter = None
        tellers = Tellers(self._sessions)
        tellers.add(self._teller())
        with suppress(StorageError):
            tellers.begin(self._reader)
            tellers.hold_all(lambda unit: self._night.commit(unit).last_seq, self._reader)
            bettors = BettorDesk(self._night.commit, lambda: self._night.now_ms)
            self.free_bets = FreeBetDesk(self._night.commit, lambda: self._night.now_ms, lambda name: _UNLIMITED)
            self.free_bets.restore(self._reader.events(kinds=FREE_BET_KINDS))
            if self._terms.free_bets:
                self._grant()
            self._counter = Counter(tellers, bettors, self.free_bets, lambda: self._night.now_ms)

    def _grant(self) -> None:
        """Each bettor has free bets; granted again after a kill, they are the same."""
        for name in self.bettors:
            grant = FreeBetsGranted(
                at_ms=0, operator=self.operator, bettor=name, grant=f"free-{name}", stake_minor=FREE_MINOR,
                count=FREE_COUNT, currency=self._terms.currency,
            )  # fmt: skip
            try:
                self.free_bets.grant(self._reader, grant)
            except RefusedError as refused:
                raise StorageError(refused.sentence) from refused

    @property
    def free(self) -> Mapping[str, str]:
        """The grant of each bettor who has one."""
        return {} if self.state.game.peers is not None else {name: f"free-{name}" for name in self.bettors}

    def _teller(self) -> Teller:
        night, operator = self._night, self.operator
        wallet = SessionWallet(operator, self._wallet, self._sessions)
        caller = Caller(operator, wallet, lambda: night.now_ms / 1000)
        desk = WalletDesk(operator, lambda: night.now_ms)
        teller = Teller(caller, desk, wallet, lambda: night.now_ms, lambda: self._reader, AskingTerms())
        teller.outbox.chance = self._rng.random
        return teller

    def step(self, now_ms: int) -> None:
        """One turn of the teller's thread."""
        self.line.step(now_ms)
        if self._counter is None:
            self.begin()
        elif (teller := self._counter.tellers.of(self.operator)) is not None:
            try:
                teller.outbox.step()
            except StorageError:
                return  # the disk takes nothing now; what was said is heard again
            except KilledError:
                self._killed()

    def drain(self) -> tuple[Owed[Debt], ...]:
        """Let the night be over and the wallet well: gives what is owed all the same."""
        self.line.mend()
        until_ms = self._night.now_ms + DRAINED_MS
        while self._night.now_ms < until_ms:
            self.step(self._night.now_ms)
            if self._counter is not None and not self.owed():
                break
            self._night.now_ms += DRAIN_STEP_MS
        return self.owed()

    def owed(self) -> tuple[Owed[Debt], ...]:
        teller = self._counter.tellers.of(self.operator) if self._counter else None
        return tuple(teller.desk.owed()) if teller else ()

    # --- what bettors play at -------------------------------------------------------------------------

    @property
    def state(self) -> TableState:
        return self._night.runtime.state

    @property
    def book(self) -> Book:
        return self._night.runtime.book

    def say_ready(self, operator: str, bettor: str, at_ms: int) -> Readiness:
        return self._night.runtime.say_ready(operator, bettor, at_ms)

    def place_bets(self, offers: Sequence[Offer], at_ms: int) -> tuple[Answer, ...]:
        return self._ask(lambda counter, table: counter.place_bets(table, self.operator, offers))

    def take_decisions(self, choices: Sequence[Decision], at_ms: int) -> tuple[Answer, ...]:
        return self._ask(lambda counter, table: counter.take_decisions(table, self.operator, choices))

    def take_seats(self, requests: Sequence[SeatRequest], at_ms: int) -> tuple[Answer, ...]:
        return self._ask(lambda counter, table: counter.take_seats(table, self.operator, requests))

    def _ask(self, act: Callable[[Counter, _Alone], tuple[Answer, ...]]) -> tuple[Answer, ...]:
        if self._counter is None:
            raise StorageError("The studio is not up: its disk takes nothing.")
        try:
            return act(self._counter, _Alone(self._night.runtime))
        except KilledError as error:
            self._killed()
            raise StorageError("The studio was killed before it answered.") from error

    def _killed(self) -> None:
        self.kills += 1
        self._night.restart()


def _parties(dialect: str) -> tuple[Dialect, OperatorVoice]:
    """How the studio speaks, and how the operator hears it."""
    if dialect == "hmac":
        return HmacDialect(b"a secret of this rehearsal"), HmacVoice(b"a secret of this rehearsal")
    key = _rsa_key()
    return RsaDialect(key), RsaVoice(key.public_key())


@cache
def _rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)
