"""The only place where a table's decisions become durable: decide, commit, then believe it.

One thread at a time drives a runtime. The state after a message is taken over only when its events are
committed; when the disk refuses, nothing is acknowledged, the table holds, and observations wait for the disk.
Our own errors freeze the table and call the pit; they never pass silently.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

import structlog

from studio.cards import Sealed
from studio.errors import InvariantError, RefusedError, SealedError, StorageError, StudioError
from studio.games.script import OpenBets
from studio.journal import Entry, Receipt, Row, Unit
from studio.money import Answer, Offer, Transfer
from studio.ports import Observation
from studio.tables import command as c
from studio.tables import event as e
from studio.tables.book import Book, sift
from studio.tables.config import TableConfig
from studio.tables.decide import Message, decide
from studio.tables.draft import Draft
from studio.tables.evolve import evolve
from studio.tables.incident import UNKNOWN_YET, open_incident
from studio.tables.paying import next_chunk, owes_money
from studio.tables.restoring import with_keys
from studio.tables.state import Round, TableState, awaited

Commit = Callable[[Unit], Receipt]
Publish = Callable[[TableState, Book, int], None]
Tell = Callable[[e.AnyEvent, int], None]
"""Hears every event once it is committed, with its time."""

KeyLookup = Callable[[str], bytes | None]

BACKLOG_MAX = 10_000
_LOG = structlog.get_logger("studio.tables")


class TableRuntime:
    """One table: its state, its book, and the way to the journal. `seq` is its newest journalled event."""

    def __init__(
        self, config: TableConfig, commit: Commit, publish: Publish, tell: Tell = lambda event, at_ms: None
    ) -> None:
        self.state = TableState(config)
        self.book = Book()
        self.seq = 0
        self.at_ms = 0
        self.storage_failed = ""
        self._commit_unit = commit
        self._publish = publish
        self._tell = tell
        self._backlog: deque[Observation] = deque()
        self._lost = 0

    @property
    def key(self) -> str:
        return self.state.config.key

    def restore(self, rows: Iterable[Row], lookup: KeyLookup) -> None:
        """Fold what the journal holds of this table, then give the sealed cards in play their keys again."""
        for row in rows:
            event = e.read_body(row.body).event
            self.state = evolve(self.state, event, row.at_ms)
            self.seq, self.at_ms = row.seq, row.at_ms
            self._keep_book((event,))
        self.state = with_keys(self.state, lookup)

    def start(self, config: TableConfig, at_ms: int) -> None:
        """Come up: configuration on record, links unknown, and a round found open comes back held [EV7]."""
        draft = Draft(self.state, self._now(at_ms))
        if self.seq == 0 or self.state.config != config:
            draft.emit(e.TableConfigured(config=config))
        if self.seq:
            draft.emit(e.TableRestarted())
        if draft.round is not None and draft.round.live:
            open_incident(draft, "restart", by="system")
        if self.seq and self.state.status != "closed":
            for device in config.devices:
                open_incident(draft, "device_lost", by=UNKNOWN_YET, device=device)
        self._commit(tuple(draft.events))
        self._publish(self.state, self.book, self.seq)

    def handle(self, message: Message, at_ms: int) -> int:
        """Carry out one command or tick; gives the newest seq. `RefusedError` and `StorageError` change nothing."""
        now = self._now(at_ms)
        if self.storage_failed:
            self._try_storage(now)
        events = self._decide(self.state, message, now)
        self._commit(events)
        return self.seq

    def observe(self, seen: Sequence[Observation], at_ms: int) -> None:
        """Take what devices said, in order, as one commit; never raises for the world or the disk.

        While the disk takes nothing they wait, and each tick tries again. Of a backlog that is too long the newest
        are lost; the record says how many, and the table is frozen.
        """
        room = BACKLOG_MAX - len(self._backlog)
        self._backlog.extend(seen[:room])
        self._lost += len(seen[room:])
        if not self.storage_failed:
            self._take_backlog(self._now(at_ms))

    def _take_backlog(self, now: int) -> None:
        events: list[e.AnyEvent] = []
        state = self.state
        for message in self._backlog:
            decided = self._decide(state, message, now)
            events.extend(decided)
            for event in decided:
                state = evolve(state, event, now)
        try:
            self._commit(tuple(events))
        except StorageError as error:
            _LOG.error("observations wait for the disk", table=self.key, error=str(error))
            return
        except InvariantError as error:
            self._commit(self._record_only(error))
        self._backlog.clear()

    def _record_only(self, error: InvariantError) -> tuple[e.AnyEvent, ...]:
        """What was decided could not be stored, by an error of our own: the observations alone, and a frozen table."""
        _LOG.error("our own error froze the table", table=self.key, exc_info=error)
        recorded = (e.ObservationRecorded(observation=message) for message in self._backlog)  # type: ignore[arg-type]
        return (*recorded, *self._freezing(self.state, "the system (an error of its own)"))

    def place_bets(self, offers: Sequence[Offer], at_ms: int) -> tuple[Answer, ...]:
        """Take a batch of bets; each is answered, in the order sent. Ids and the round are given here.

        A bet of this round that is sent again is a duplicate, however late and whatever is full by now.
        """
        now = self._now(at_ms)
        answers: dict[int, Answer] = {}
        new: list[tuple[int, Offer]] = []
        for at, offer in enumerate(offers):
            if (again := self.book.again(offer)) is not None:
                answers[at] = again
            else:
                new.append((at, offer))
        if new:
            told = self._new_bets([offer for _, offer in new], now, alone=not answers)
            answers.update((at, answer) for (at, _), answer in zip(new, told, strict=True))
        return tuple(answers[at] for at in range(len(offers)))

    def _new_bets(self, offers: Sequence[Offer], now: int, *, alone: bool) -> Sequence[Answer]:
        """Answers in their order; where nothing can be placed at all, `RefusedError` if these are `alone`."""
        try:
            round, bets = self._betting(now)
        except RefusedError as refused:
            if alone:
                raise
            return [Answer(offer.client_id, "", "refused", refused.key, refused.sentence) for offer in offers]
        sifted = sift([self._named(offer, round) for offer in offers], self.book, self.state.config, bets)
        stored = iter(self._place([one for one in sifted if isinstance(one, Offer)], now))
        return [next(stored) if isinstance(one, Offer) else one for one in sifted]

    def _place(self, offers: Sequence[Offer], now: int) -> tuple[Answer, ...]:
        if not offers:
            return ()
        placed: list[e.PlacedBet] = []

        def entry(accepted: Sequence[Offer]) -> Entry:
            placed.extend(_placed(offer) for offer in accepted)
            return self._entry(e.BetsPlaced(bets=tuple(placed)), now)

        receipt = self._store(Unit(offers=tuple(offers), entry_for_bets=entry))
        if placed:
            self._believe((e.BetsPlaced(bets=tuple(placed)),), now, receipt.last_seq)
        return receipt.answers

    def pay(self, at_ms: int) -> bool:
        """Pay or give back one chunk of a round that owes money; False when there is nothing to do."""
        if self.storage_failed or not owes_money(self.state):
            return False
        events, transfers = next_chunk(self.state, self.book)
        self.at_ms = self._now(at_ms)
        self._commit(events, transfers)
        return True

    def _betting(self, now: int) -> tuple[Round, tuple[str, ...]]:
        state, round, step = self.state, self.state.round, awaited(self.state)
        if round is None or round.closes_at_ms is None or step is None or not isinstance(step.step, OpenBets):
            raise RefusedError("closed", "Bets are closed; wait for the next betting window.")
        if state.held or self.storage_failed:
            raise RefusedError("held", "The table is held and takes no bets until it goes on.")
        if now >= round.closes_at_ms:
            raise RefusedError("closed", "Bets are closed; wait for the next betting window.")
        return round, step.step.bets

    def _named(self, offer: Offer, round: Round) -> Offer:
        id = f"{offer.operator}/{offer.client_id}"
        return Offer(
            id, offer.operator, offer.client_id, offer.bettor, self.key, round.id, offer.bet, offer.stake_minor,
            offer.currency,
        )  # fmt: skip

    def _decide(self, state: TableState, message: Message, now: int) -> tuple[e.AnyEvent, ...]:
        try:
            return decide(state, message, now)
        except RefusedError:
            raise
        except SealedError as error:
            return self._broken(state, message, now, error)
        except (StudioError, AssertionError, LookupError, TypeError, ValueError) as error:
            return self._broken(state, message, now, error)

    def _broken(self, state: TableState, message: Message, now: int, error: Exception) -> tuple[e.AnyEvent, ...]:
        """Our own wrong: the table freezes at once and the pit is called; the message itself is kept if it can be."""
        _LOG.error("our own error froze the table", table=self.key, message=type(message).__name__, exc_info=error)
        events: list[e.AnyEvent] = []
        if isinstance(message, Observation):
            events.append(e.ObservationRecorded(observation=message))  # type: ignore[arg-type]
        events.extend(self._freezing(state, "the system (an error of its own)"))
        if not isinstance(message, Observation | c.Tick):
            self._commit(tuple(events))
            raise RefusedError(
                "our_error", "The system made an error and froze the table; call the pit boss."
            ) from error
        return tuple(events)

    def _freezing(self, state: TableState, by_name: str) -> Iterator[e.AnyEvent]:
        if not state.frozen_by:
            yield e.TableFrozen(by="system", by_name=by_name)
        yield from self._calling(state)

    @staticmethod
    def _calling(state: TableState) -> Iterator[e.AnyEvent]:
        if not state.pit_called_by:
            yield e.PitCalled(by="system", by_name="the system")

    def _commit(self, events: tuple[e.AnyEvent, ...], transfers: tuple[Transfer, ...] = ()) -> None:
        if not events:
            return
        keys = tuple(
            (seal.id, seal.publish_key()) for event in events for seal in e.seals_in(event) if _fresh(event, seal)
        )
        entries = tuple(self._entry(event, self.at_ms) for event in events)
        receipt = self._store(Unit(entries=entries, transfers=transfers, keys=keys))
        self._believe(events, self.at_ms, receipt.last_seq)

    def _store(self, unit: Unit) -> Receipt:
        try:
            receipt = self._commit_unit(unit)
        except StorageError as error:
            if not self.storage_failed:
                self.storage_failed = str(error)
                self._publish(self.state, self.book, self.seq)
            raise
        if self.storage_failed:
            self.storage_failed = ""
        return receipt

    def _believe(self, events: tuple[e.AnyEvent, ...], now: int, seq: int) -> None:
        for event in events:
            self.state = evolve(self.state, event, now)
            self._tell(event, now)
        self._keep_book(events)
        self.seq = seq
        self._publish(self.state, self.book, seq)

    def _keep_book(self, events: Iterable[e.AnyEvent]) -> None:
        for event in events:
            if isinstance(event, e.RoundStarted):
                self.book = Book(event.round)
            elif isinstance(event, e.BetsPlaced):
                self.book.add(event.bets)

    def _try_storage(self, now: int) -> None:
        """The disk failed before: nothing else is tried until it takes the fact that it had failed."""
        lost = f", and {self._lost} observations are lost" if self._lost else ""
        by_name = f"the system (the disk took nothing{lost})"
        self._commit((e.TableFrozen(by="system", by_name=by_name), *self._calling(self.state)))
        self._lost = 0
        self._take_backlog(now)

    def _entry(self, event: e.AnyEvent, now: int) -> Entry:
        round = self.state.round.id if self.state.round else ""
        if isinstance(event, e.RoundStarted):
            round = event.round
        return Entry(e.kind_of(event), now, e.write_body(self.key, round, event))

    def _now(self, at_ms: int) -> int:
        """Time never goes back at a table, whatever the machine's clock does."""
        self.at_ms = max(self.at_ms, at_ms)
        return self.at_ms


def _fresh(event: e.AnyEvent, seal: Sealed) -> bool:
    """Keys are kept with the first record of a seal: the observation that brought it."""
    return isinstance(event, e.ObservationRecorded) and seal.has_key


def _placed(offer: Offer) -> e.PlacedBet:
    return e.PlacedBet(
        bet_id=offer.bet_id,
        operator=offer.operator,
        client_id=offer.client_id,
        bettor=offer.bettor,
        bet=offer.bet,
        stake_minor=offer.stake_minor,
        currency=offer.currency,
    )
