"""Makes a table's events durable: it commits first, and believes then.

The state after an event is taken over only when the event is committed. When the disk refuses, nothing changes and
`storage_failed` says why until it takes something again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

import msgspec

from studio.cards import Sealed, SealedCard
from studio.errors import RecordAwayError, StorageError
from studio.journal import Balances, Entry, More, Receipt, Row, Unit
from studio.money import Transfer
from studio.rounds import AnyFact, CardBurned, CardDealt
from studio.spoken import Slot
from studio.tables.books.book import Book, kept
from studio.tables.books.forced_bet import all_of, offers_in
from studio.tables.books.pot_feed import Paid, feeding_of, seed_pot
from studio.tables.config import TableConfig
from studio.tables.event import table as e
from studio.tables.event.record import kind_of, read_body, seals_in, write_body
from studio.tables.fold.table import evolve
from studio.tables.state.felt import Seen
from studio.tables.state.table import TableState
from studio.value import replace

_F = TypeVar("_F", AnyFact, CardDealt | CardBurned)

Commit = Callable[[Unit], Receipt]
Publish = Callable[[TableState, Book, int], None]
Tell = Callable[[e.AnyEvent, int], None]
"""Hears every event once it is committed, with its time."""

KeyLookup = Callable[[str], bytes | None]

Folded = tuple[TableState, int]
"""What the journal folds to up to a row, and that row; between two rounds, when no book is needed."""


class DurableTable:
    """State and book of one table as the journal has them. `seq` is its newest journalled event."""

    def __init__(self, config: TableConfig, commit: Commit, publish: Publish, tell: Tell) -> None:
        self.state = TableState(config)
        self.book = Book()
        self.seq = 0
        self.at_ms = 0
        self.storage_failed = ""
        self.failed_ms = 0
        self.only_away = False
        """Whether what failed is that the database was not there, and nothing else."""
        self._catches_up = False
        self._commit_unit = commit
        self._publish = publish
        self._tell = tell

    def restore(self, rows: Iterable[Row], lookup: KeyLookup, since: Folded | None = None) -> None:
        """Fold what the journal holds of this table, then give the sealed cards in play their keys again."""
        if since is not None:
            self.state, self.seq = since
        for row in rows:
            event = read_body(row.body).event
            self.state = evolve(self.state, event, row.at_ms)
            self.seq, self.at_ms = row.seq, row.at_ms
            self._keep_book((event,))
        self.state = with_keys(self.state, lookup)

    def now(self, at_ms: int) -> int:
        """Time never goes back at a table, whatever the machine's clock does."""
        self.at_ms = max(self.at_ms, at_ms)
        return self.at_ms

    def publish(self) -> None:
        self.book.exposed.tell()
        self._publish(self.state, self.book, self.seq)

    def commit(
        self,
        events: tuple[e.AnyEvent, ...],
        transfers: tuple[Transfer, ...] = (),
        beside: tuple[Entry, ...] = (),
        after: TableState | None = None,
    ) -> None:
        """Make the events and the money they move durable, then take them over; `StorageError` changes nothing.

        `beside` are rows that are no table's; `after` is the state the events lead to, where it is known already.
        """
        if not events:
            return
        keys = tuple(
            (seal.id, seal.publish_key()) for event in events for seal in seals_in(event) if _fresh(event, seal)
        )
        moved = (*transfers, *feeding_of(self.state, events))
        entries, offers = (*self.entries(events), *beside), offers_in(self.state, events)
        if offers:
            unit = Unit(offers=offers, entries_for_bets=all_of(offers, entries), transfers=moved, keys=keys)
        else:
            unit = Unit(entries=entries, transfers=moved, keys=keys)
        receipt = self.store(unit)
        self.believe(events, receipt.last_seq, after)

    def commit_with(self, decided: Callable[[Balances], Paid], may_owe: frozenset[str] = frozenset()) -> None:
        """Commit what only balances at that very instant can tell; `decided` runs inside the writer's transaction.

        `may_owe`: the bettors' accounts that may fall below zero by it.
        """
        told: tuple[e.AnyEvent, ...] = ()

        def inside(balance: Balances) -> More:
            nonlocal told
            told, transfers = decided(balance)
            return self.entries(told), transfers

        receipt = self.store(Unit(with_balances=inside, may_owe=may_owe))
        if told:
            self.believe(told, receipt.last_seq)

    def seed(self) -> None:
        """Put the first money into the table's pot, where it has a pot that nobody has seeded yet."""
        if (pot := self.state.config.pot) is not None:
            self.commit_with(lambda balance: seed_pot(pot, balance))

    def store(self, unit: Unit) -> Receipt:
        try:
            receipt = self._commit_unit(unit)
        except StorageError as error:
            self._hold(str(error), only_away=isinstance(error, RecordAwayError))
            raise
        if self.storage_failed:
            self.storage_failed = ""
            self.publish()
        return receipt

    @property
    def unstored(self) -> bool:
        """Whether cards may lie on the felt that are not on record: the disk takes nothing, or just now what waited."""
        return bool(self.storage_failed) or self._catches_up

    @contextmanager
    def catching_up(self) -> Iterator[None]:
        """While what had to wait for the disk is stored."""
        self._catches_up = True
        try:
            yield
        finally:
            self._catches_up = False
        self.publish()

    def wait_for_disk(self, why: str) -> None:
        """What is being stored is not answered yet: the table is held until it is."""
        self._hold(why, only_away=True)

    def _hold(self, why: str, *, only_away: bool) -> None:
        if self.storage_failed:
            self.only_away &= only_away
            return
        self.storage_failed, self.failed_ms, self.only_away = why, self.at_ms, only_away
        self.publish()

    def believe(self, events: tuple[e.AnyEvent, ...], seq: int, after: TableState | None = None) -> None:
        for event in events:
            if after is None:
                self.state = evolve(self.state, event, self.at_ms)
            self._tell(event, self.at_ms)
        self.state = after or self.state
        self._keep_book(events)
        self.seq = seq
        self.publish()

    def entries(self, events: Iterable[e.AnyEvent]) -> Iterator[Entry]:
        """The journal rows of the events; from `RoundStarted` on they belong to the new round."""
        round = self.state.round.id if self.state.round else ""
        for event in events:
            if isinstance(event, e.RoundStarted):
                round = event.round
            about = getattr(event, "round", "") or round  # a correction names its own
            yield Entry(kind_of(event), self.at_ms, write_body(self.state.config.key, about, event))

    def _keep_book(self, events: Iterable[e.AnyEvent]) -> None:
        for event in events:
            self.book = kept(self.book, self.state.game, event)


def _fresh(event: e.AnyEvent, seal: Sealed) -> bool:
    """Keys are kept with the first record of a seal: the observation that brought it."""
    return isinstance(event, e.ObservationRecorded) and seal.has_key


def with_keys(state: TableState, lookup: KeyLookup) -> TableState:
    """The same state; every sealed card of the shoe, set aside, dealt face down or on the felt has its key where the
    file has it.
    """

    def unlocked(card: SealedCard) -> SealedCard:
        key = None if card.has_key else lookup(card.id)
        return card if key is None else card.with_key(key)

    deck = state.deck and replace(state.deck, sealed=tuple(unlocked(card) for card in state.deck.sealed))
    loose = tuple(replace(one, sealed=unlocked(one.sealed)) for one in state.loose)

    def seen_again(looks: Mapping[Slot, Seen]) -> dict[Slot, Seen]:
        return {
            slot: replace(look, sealed=unlocked(look.sealed)) if look.sealed is not None else look
            for slot, look in looks.items()
        }

    def dealt(fact: _F) -> _F:
        if isinstance(fact, CardDealt) and fact.face is None:
            return msgspec.structs.replace(fact, card=unlocked(fact.card))
        return fact

    round = state.round
    if round is not None:
        facts = tuple(dealt(fact) for fact in round.deal.facts)
        cards = {slot: dealt(fact) for slot, fact in round.deal.cards.items()}
        eyes = replace(round.eyes, ruled=seen_again(round.eyes.ruled))
        round = replace(round, deal=replace(round.deal, facts=facts, cards=cards), eyes=eyes)
    return replace(
        state, deck=deck, loose=loose, felt=replace(state.felt, looks=seen_again(state.felt.looks)), round=round
    )
