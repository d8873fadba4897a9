"""Chips bought with money of an operator's own wallet: whatever is sent again and whenever the studio is started anew,
what the wallet gave and what lies on the table are the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace as replace_fields
from poker_bench import PokerBench

from dealer_ui.config.operator import CreditLimits
from dealer_ui.desk.bettor import BettorDesk
from dealer_ui.desk.free_bet import FreeBetDesk
from dealer_ui.floor.counter import Counter
from dealer_ui.teller.asking import AskingTerms
from dealer_ui.teller.caller import Caller
from dealer_ui.teller.desk import WalletDesk
from dealer_ui.teller.outbox import ToldDebt
from dealer_ui.teller.session import WalletSessions
from dealer_ui.teller.session_wallet import SessionWallet
from dealer_ui.teller.teller import Teller
from dealer_ui.teller.tellers import Tellers
from studio.errors import StorageError
from studio.journal import Entry, Unit
from studio.money import Answer, Offer, bettor_account, suspense_account
from studio.tables.books.taken import TakenStakes
from studio.tables.fold import room
from studio.tables.run.runtime import TableRuntime
from studio.tables.state.room import SeatRequest
from studio.value import replace
from studio.wallets.answer import Said, Word
from studio.wallets.call import Call, Cancel, Credit, Debit
from studio.wallets.id import Facts, transaction_id
from studio.wallets.record import End, WalletAnswered, write_wallet

CHIPS = 5_000


@dataclass
class Till:
    """The operator's: what it has given by its id, and whether what it says gets lost."""

    given: dict[str, int] = field(default_factory=dict)
    asked: list[Call] = field(default_factory=list)
    is_silent: bool = False

    @property
    def out_minor(self) -> int:
        return sum(self.given.values())

    def ask(self, call: Call, wait_s: float, heard: Callable[[Said], None]) -> None:
        self.asked.append(call)
        word = Word.OK
        match call:
            case Debit():
                word = Word.DUPLICATE_OK if call.id in self.given else Word.OK
                self.given.setdefault(call.id, call.amount_minor)
            case Cancel():
                word = Word.OK if self.given.pop(call.undoes, 0) else Word.UNKNOWN_TRANSACTION
            case Credit():
                self.given[call.id] = -call.amount_minor
        heard(Said(word=Word.TEMPORARY if self.is_silent else word))

    def close(self) -> None:
        """Nothing is kept open."""


@dataclass
class Alone:
    runtime: TableRuntime

    def serve(self, operator: str, items: Sequence[Any], take: Callable[[Sequence[Any]], Any]) -> tuple[Any, ...]:
        return tuple(take(items))


class Room:
    """A poker table, and an operator who keeps his bettors' money himself."""

    def __init__(self) -> None:
        self.bench, self.till = PokerBench("").open(), Till()
        self.sessions = WalletSessions()
        for bettor in ("ann", "bob"):
            self.sessions.open("north", bettor, f"{bettor}-s", 0)
        self.seconds = itertools.count()
        self.reader = self.bench.store.reader()
        self.start()

    def start(self) -> None:
        """As a studio does that is started on this record."""
        wallet = SessionWallet("north", self.till, self.sessions)
        caller, desk = Caller("north", wallet, lambda: next(self.seconds)), WalletDesk("north", self.now_ms)
        self.teller = Teller(caller, desk, wallet, self.now_ms, lambda: self.reader, AskingTerms())
        tellers = Tellers(self.sessions)
        tellers.add(self.teller)
        tellers.begin(self.reader)
        tellers.hold_all(lambda unit: self.bench.writer.commit(unit).last_seq, self.reader)
        tellers.table_up("nlh-1", self.bench.writer.commit, self.reader)
        free_bets = FreeBetDesk(self.bench.writer.commit, self.now_ms, lambda name: CreditLimits(1, 1, "EUR"))
        bettors = BettorDesk(self.bench.writer.commit, self.now_ms)
        self.counter = Counter(tellers, bettors, free_bets, self.now_ms)

    def now_ms(self) -> int:
        return self.bench.now

    def ask(self, act: str, id: str, *, seat: str = "", amount_minor: int = 0, bettor: str = "ann") -> Answer:
        request = SeatRequest(act, "north", bettor, id, seat, amount_minor)
        [answer] = self.counter.take_seats(Alone(self.bench.table), "north", (request,))
        return answer

    def sit(self, id: str = "s1", amount_minor: int = CHIPS) -> Answer:
        return self.ask("sit", id, seat="seat3", amount_minor=amount_minor)

    def tell(self) -> None:
        """Until the wallet has heard of everything; then it has given what lies on the table."""
        while self.teller.outbox.step() or self.teller.desk.owed():
            self.bench.now += 60_000
        assert self.till.out_minor == self.chips_minor
        assert not self.reader.balance(suspense_account("north"), "EUR")

    @property
    def chips_minor(self) -> int:
        return self.reader.balance(bettor_account("north", "ann/nlh-1"), "EUR")


@pytest.fixture
def poker() -> Iterator[Room]:
    poker = Room()
    yield poker
    poker.bench.close()


def test_chips_whose_undoing_is_still_owed_are_asked_for_under_another_id(poker: Room) -> None:
    poker.till.is_silent = True
    assert poker.sit().key == "wallet_unknown"
    assert poker.teller.desk.keep()
    poker.start()
    poker.till.is_silent = False
    assert poker.sit().status == "accepted"
    poker.tell()
    assert poker.chips_minor == CHIPS


def test_chips_whose_undoing_is_still_owed_from_the_year_before_are_asked_for_under_another_id(
    poker: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows of the ledger that tell of them lie in an archive."""
    poker.till.is_silent = True
    assert poker.sit().key == "wallet_unknown"
    assert poker.teller.desk.keep()
    poker.start()
    poker.till.is_silent = False
    monkeypatch.setattr("dealer_ui.teller.stake_desk.chips_asked", lambda reader, facts: 0)
    assert poker.sit().status == "accepted"
    poker.tell()
    assert poker.chips_minor == CHIPS


def test_chips_that_were_bought_long_ago_are_not_asked_for_again(poker: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "ASKED_KEPT", 1)
    assert poker.sit().status == "accepted"
    assert poker.ask("buy", "s2", amount_minor=100).status == "accepted"
    assert poker.ask("away", "s3").status == "accepted"
    assert poker.teller.desk.keep()
    poker.start()
    asked = len(poker.till.asked)
    assert poker.ask("buy", "s2", amount_minor=100).status == "duplicate"
    assert poker.ask("buy", "s2", amount_minor=200).key == "client_id_reused"
    assert len(poker.till.asked) == asked
    poker.tell()
    assert poker.chips_minor == CHIPS + 100


def test_of_many_chips_the_newest_are_remembered_and_the_others_looked_up(
    poker: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer_ui.teller.stake_desk.CHIPS_KEPT", 1)
    poker.till.is_silent = True
    assert [poker.sit(id).key for id in ("s1", "s2", "s1", "s2")] == ["wallet_unknown"] * 4
    poker.till.is_silent = False
    assert poker.sit("s1").status == "accepted"
    debits = [call.id for call in poker.till.asked if isinstance(call, Debit)]
    assert len(set(debits)) == len(debits) == 5
    poker.tell()


class DoneAtOnce(TakenStakes):
    """The table is at it when it is looked at, and done with it a moment later."""

    looks: ClassVar[list[bool]] = []

    @property
    def in_use(self) -> bool:  # type: ignore[override]
        self.looks.append(not self.looks)
        return self.looks[-1]

    @in_use.setter
    def in_use(self, is_used: bool) -> None:
        """Decided by how often it was looked at."""


def test_a_stake_that_its_table_is_done_with_while_it_is_looked_at_is_undone_all_the_same(poker: Room) -> None:
    asking, commit = poker.teller._asking, poker.bench.writer.commit
    offer = Offer("north/s1", "north", "s1", "ann", "nlh-1", "room:nlh-1", "chips", CHIPS, "EUR")
    stake = asking._stake(offer)
    poker.teller.stakes.ask([stake], commit)
    poker.till.ask(stake.call, 1.0, lambda said: None)
    taken = DoneAtOnce("north", [replace(offer, taken=stake.id)], {stake.id: Word.OK})
    assert taken.give(offer).taken == stake.id
    asking._doubts.append((taken, {stake.id: (stake, Word.OK)}, commit))
    asking.settle()
    asking.settle()
    poker.tell()
    assert not poker.till.given


def test_what_is_heard_again_because_the_disk_took_nothing_is_one_try(poker: Room) -> None:
    poker.till.is_silent = True
    assert poker.sit().key == "wallet_unknown"
    assert poker.ask("sit", "s2", seat="seat4", amount_minor=CHIPS, bettor="bob").key == "wallet_unknown"
    desk = poker.teller.desk
    ann, bob = desk.owed()
    kept = desk._commit

    def full(unit: Unit) -> int:
        raise StorageError("The disk is full.")

    told = [ToldDebt(ann.call.id, Word.TEMPORARY), ToldDebt(bob.call.id, Word.OK)]
    desk._commit = full
    for _ in range(3):
        with pytest.raises(StorageError):
            desk.heard(told, lambda: 1.0)
    desk._commit = kept
    desk.heard(told, lambda: 1.0)
    assert [(one.call.id, one.tries) for one in desk.owed()] == [(ann.call.id, 1)]


def test_a_studio_starts_though_one_wallets_rows_do_not_fold_and_asks_that_wallet_nothing(poker: Room) -> None:
    told = WalletAnswered(operator="north", at_ms=poker.bench.now, ends=(End(id="nobody asked", word=Word.OK),))
    poker.bench.writer.commit(Unit(entries=(Entry("WalletAnswered", told.at_ms, write_wallet(told)),)))
    poker.start()
    assert poker.sit().key == "wallet_silent"
    assert not poker.till.asked


def test_chips_are_asked_for_under_no_id_of_a_year_that_is_closed(poker: Room) -> None:
    assert poker.sit().status == "accepted"
    asked = Facts(
        operator="north", table="nlh-1", round="room:nlh-1", bettor="ann", bet="north/s1", kind="debit"
    )  # fmt: skip
    before = transaction_id(asked)
    assert poker.till.given == {before: CHIPS}
    desk = poker.teller.stakes
    assert transaction_id(replace_fields(desk.asked_as(asked), attempt=0)) == before
    poker.bench.store.connection.execute("INSERT INTO origin (chain, seq, hash) VALUES ('ledger', 7, ?)", ("a" * 64,))
    assert transaction_id(replace_fields(desk.asked_as(asked), attempt=0)) != before
