"""Messages drive a table: each is decided, made durable, and answered.

One thread at a time drives a runtime. When the disk refuses, nothing is acknowledged, the table holds, and
observations wait. Our own errors freeze the table and call the pit; they never pass silently.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

import structlog

from studio.errors import InvariantError, RefusedError, StorageError, StudioError
from studio.journal import Row
from studio.money import Answer, Offer
from studio.ports import Observation
from studio.tables import command as c
from studio.tables.bets.decision import is_by_box, take_decisions, weigh_decisions
from studio.tables.bets.placement import place_bets, weigh_bets
from studio.tables.bets.readiness import Readiness, say_ready
from studio.tables.books.book import Book
from studio.tables.books.commit import Commit, DurableTable, Folded, KeyLookup, Publish, Tell
from studio.tables.books.taken import TakenStakes, Weighed
from studio.tables.config import TableConfig
from studio.tables.deal.change import as_changed
from studio.tables.decide import Message, decide
from studio.tables.decks.count import Tally, break_off
from studio.tables.draft import Decided, Draft
from studio.tables.event import table as e
from studio.tables.incident import UNKNOWN_YET, open_incident
from studio.tables.irregularity.remedy import resume
from studio.tables.past.dossier import DossierOf
from studio.tables.run.treasury import Treasury
from studio.tables.seats.request import take_seats, weigh_seat
from studio.tables.state.room import SeatRequest
from studio.tables.state.table import TableState

BACKLOG_MAX = 10_000
_LOG = structlog.get_logger("studio.tables")


class TableRuntime:
    """One table: messages in, durable events out. `commit` blocks until the unit is on disk.

    `dossier_of` reads a finished round back, for a correction that was cut off.
    """

    def __init__(
        self,
        config: TableConfig,
        commit: Commit,
        publish: Publish,
        tell: Tell = lambda event, at_ms: None,
        dossier_of: DossierOf | None = None,
    ) -> None:
        self.commit = commit
        self._table = DurableTable(config, commit, publish, tell)
        self._treasury = Treasury(self._table, dossier_of)
        self._backlog: deque[Observation] = deque()
        self._lost, self._tally = 0, Tally()

    @property
    def key(self) -> str:
        return self.state.config.key

    @property
    def state(self) -> TableState:
        return self._table.state

    @property
    def book(self) -> Book:
        return self._table.book

    @property
    def seq(self) -> int:
        return self._table.seq

    @property
    def at_ms(self) -> int:
        """The newest time the table has heard of; its own never goes back."""
        return self._table.at_ms

    @property
    def storage_failed(self) -> str:
        """Why the disk takes nothing, in a sentence; empty while it does."""
        return self._table.storage_failed

    @property
    def unstored(self) -> bool:
        return self._table.unstored

    def wait_for_disk(self, why: str) -> None:
        """Hold the table, on its own thread in the middle of a commit, until the commit is answered."""
        self._table.wait_for_disk(why)

    def restore(self, rows: Iterable[Row], lookup: KeyLookup, since: Folded | None = None) -> None:
        """Fold what the journal holds of this table, or what came `since` an earlier fold of it; before `start`."""
        self._table.restore(rows, lookup, since)

    def start(self, config: TableConfig, at_ms: int) -> None:
        """Come up: configuration on record, links unknown, and a round found open comes back held [EV7]."""
        config = as_changed(config, self.state)
        draft = Draft(self.state, self._table.now(at_ms))
        if self.seq == 0 or self.state.config != config:
            draft.emit(e.TableConfigured(config=config))
        if self.seq:
            draft.emit(e.TableRestarted())
        break_off(draft)
        if draft.round is not None and draft.round.live:
            open_incident(draft, "restart", by="system")
        if self.seq and self.state.status != "closed":
            for device in config.devices:
                open_incident(draft, "device_lost", by=UNKNOWN_YET, device=device)
        self._table.commit(tuple(draft.events))
        self._table.seed()
        self._table.publish()

    def handle(self, message: Message, at_ms: int) -> int:
        """Carry out one command or tick; gives the newest seq. `RefusedError` and `StorageError` change nothing."""
        now = self._table.now(at_ms)
        if self.storage_failed:
            self._try_storage(now)
        events, after = self._decide(self.state, message, now)
        self._table.commit(events, after=after)
        if isinstance(message, c.ApproveCorrection):
            self._treasury.remember(message.dossier)
        if isinstance(message, c.ChangeTable):
            self._table.seed()
        return self.seq

    def observe(self, seen: Sequence[Observation], at_ms: int) -> None:
        """Take what devices said, in order, as one commit; never raises for the world or the disk: while that takes
        nothing they wait. Of a backlog that is too long the newest are lost, and the table is frozen."""
        room = BACKLOG_MAX - len(self._backlog)
        self._backlog.extend(seen[:room])
        self._lost += len(seen[room:])
        if not self.storage_failed:
            self._take_backlog(self._table.now(at_ms))

    def place_bets(self, offers: Sequence[Offer], at_ms: int, taken: TakenStakes | None = None) -> tuple[Answer, ...]:
        """Take a batch of bets; each is answered, in the order sent."""
        return place_bets(self._table, offers, at_ms, taken)

    def take_decisions(
        self, choices: Sequence[e.Decision], at_ms: int, taken: TakenStakes | None = None
    ) -> tuple[Answer, ...]:
        """Take a batch of bettors' decisions; each is answered, in the order sent."""
        return take_decisions(self._table, choices, at_ms, taken)

    def weigh_bets(self, offers: Sequence[Offer], at_ms: int) -> tuple[Answer | Weighed, ...]:
        """What would become of these bets now; nothing is placed."""
        return weigh_bets(self._table, offers, at_ms)

    def weigh_decisions(self, choices: Sequence[e.Decision], at_ms: int) -> tuple[Answer | Weighed, ...]:
        """What would become of these decisions now; nothing is taken."""
        return weigh_decisions(self._table, choices, at_ms)

    @property
    def decides_by_box(self) -> bool:
        """Whether boxes or seats decide, in turn."""
        return is_by_box(self._table)

    def say_ready(self, operator: str, bettor: str, at_ms: int, round: str = "") -> Readiness:
        return say_ready(self._table, (operator, bettor), at_ms, round)

    def take_seats(
        self, requests: Sequence[SeatRequest], at_ms: int, taken: TakenStakes | None = None
    ) -> tuple[Answer, ...]:
        """Take what bettors ask of their seats at a poker table; each is answered, in the order sent."""
        return take_seats(self._table, requests, at_ms, taken)

    def weigh_seats(self, requests: Sequence[SeatRequest], at_ms: int) -> tuple[Answer | Weighed, ...]:
        """What would become of each of these requests now, and the chips it buys; nothing is done."""
        return tuple(weigh_seat(self._table, request, at_ms) for request in requests)

    @property
    def owes(self) -> bool:
        """Whether `pay` has a step to take now."""
        return self._treasury.owes

    def pay(self, at_ms: int) -> bool:
        """Pay or give back one chunk of a round that owes money; False when there is nothing to do."""
        return self._treasury.pay(at_ms)

    def _take_backlog(self, now: int) -> None:
        events: list[e.AnyEvent] = []
        state = self.state
        for message in self._backlog:
            decided = self._decide(state, message, now)
            events.extend(decided.events)
            state = decided.after
        try:
            self._table.commit(tuple(events), after=state)
        except StorageError as error:
            _LOG.error("observations wait for the disk", table=self.key, error=str(error))
            return
        except InvariantError as error:
            _LOG.error("our own error froze the table", table=self.key, exc_info=error)
            self._table.commit(_recorded_only(self.state, [self._tally.take(self.state, one) for one in self._backlog]))
        self._backlog.clear()

    def _decide(self, state: TableState, message: Message, now: int) -> Decided:
        message = self._tally.take(state, message)
        try:
            return decide(state, message, now)
        except RefusedError:
            raise
        except (StudioError, AssertionError, LookupError, TypeError, ValueError) as error:
            return self._broken(state, message, error, now)

    def _broken(self, state: TableState, message: Message, error: Exception, now: int) -> Decided:
        """Our own wrong: the table freezes at once and the pit is called; the message itself is kept if it can be."""
        _LOG.error("our own error froze the table", table=self.key, message=type(message).__name__, exc_info=error)
        events: list[e.AnyEvent] = []
        if isinstance(message, Observation):
            events.append(e.ObservationRecorded(observation=message))  # type: ignore[arg-type]
        events.extend(_freezing(state, "the system (an error of its own)"))
        if not isinstance(message, Observation | c.Tick):
            self._table.commit(tuple(events))
            raise RefusedError(
                "our_error", "The system made an error and froze the table; call the pit boss."
            ) from error
        broken = Draft(state, now)
        broken.emit(*events)
        return broken.decided

    def _try_storage(self, now: int) -> None:
        """The disk failed before: nothing else is tried until it takes the fact that it had failed.

        A table whose record was only away goes on; where anything is lost, or it was a disk, the pit looks first.
        """
        with self._table.catching_up():
            if self._table.only_away and not self._lost and not self.state.pit.freeze.by:
                self._table.commit(_held_meanwhile(self.state, now, now - self._table.failed_ms))
            else:
                lost = f", and {self._lost} observations are lost" if self._lost else ""
                by_name = f"the system (the disk took nothing{lost})"
                self._table.commit((e.TableFrozen(by="system", by_name=by_name), *_calling(self.state)))
            self._lost = 0
            self._take_backlog(now)


def _held_meanwhile(state: TableState, now: int, away_ms: int) -> tuple[e.AnyEvent, ...]:
    """The table was held while its record was away, and goes on: nothing was dealt that the table has not heard of."""
    draft = Draft(state, now)
    draft.emit(
        e.TableFrozen(by="system", by_name=f"the system (the record was away for {away_ms // 1000} s)"),
        e.TableReleased(by="system", reason_code="record", words="The record is there again."),
    )
    resume(draft)
    return tuple(draft.events)


def _recorded_only(state: TableState, seen: Sequence[Observation]) -> tuple[e.AnyEvent, ...]:
    """What was decided could not be stored, by an error of our own: the observations alone, and a frozen table."""
    recorded = (e.ObservationRecorded(observation=one) for one in seen)  # type: ignore[arg-type]  # as in `_broken`
    return (*recorded, *_freezing(state, "the system (an error of its own)"))


def _freezing(state: TableState, by_name: str) -> Iterator[e.AnyEvent]:
    if not state.pit.freeze.own:
        yield e.TableFrozen(by="system", by_name=by_name)
    yield from _calling(state)


def _calling(state: TableState) -> Iterator[e.AnyEvent]:
    if not state.pit.call.by:
        yield e.PitCalled(by="system", by_name="the system")
