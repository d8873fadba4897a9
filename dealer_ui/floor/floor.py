"""The floor itself: consoles and operators look at tables, command, bet, and wait for a change.

Every method may be called from any thread. What moves money or changes a table is durable when it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from dealer_ui.care.checkpoint_desk import CheckpointDesk
from dealer_ui.care.program_desk import ProgramDesk
from dealer_ui.config.file import StudioConfig
from dealer_ui.desk.book import last_seq_of
from dealer_ui.desk.duty import Duty
from dealer_ui.desk.message import told_at
from dealer_ui.desk.order import OrderDesk
from dealer_ui.desk.theory import Theory
from dealer_ui.desk.wallet import PurseDesk
from dealer_ui.desk.winners import Winners
from dealer_ui.floor.admission import admit, with_key
from dealer_ui.floor.bet_offer import BetOffer, Choice
from dealer_ui.floor.counter import Counter, Launch
from dealer_ui.floor.curtain import Curtains
from dealer_ui.floor.desks import Desks, KeepBooks, own_books
from dealer_ui.floor.device_port import Bench, NoBench
from dealer_ui.floor.done_command import DoneCommands
from dealer_ui.floor.elsewhere import TablesHere, told_elsewhere
from dealer_ui.floor.leaving import leaving_of
from dealer_ui.floor.pot_feed import MovePot, moved_here
from dealer_ui.floor.process_look import ProcessLook
from dealer_ui.process.evidence import EvidenceFolder
from dealer_ui.process.reader import Readers
from dealer_ui.teller.tellers import Tellers
from dealer_ui.worker.notice_board import NoticeBoard
from dealer_ui.worker.thread import TableWorker
from studio.diagnosis import Unseen
from studio.errors import RefusedError, StorageError
from studio.journal import Store, Unit, Writer
from studio.money import Answer
from studio.operators import BettorTerms
from studio.people import PinHasher
from studio.tables.bets.readiness import Readiness
from studio.tables.books.book import Book
from studio.tables.config import TableConfig
from studio.tables.declaration import Command
from studio.tables.event.table import Decision
from studio.tables.state.room import SeatRequest
from studio.tables.state.table import TableState
from studio.views import ShoeResults, TableView, Words
from studio.views.own import OwnPlay, OwnSeat, own_seat

COMMIT_TIMEOUT_S: Final = 30.0

Answers = tuple[Answer, ...]
LiveFrame = Callable[[], tuple[bytes, int] | None]


class Floor:
    """All tables of a studio, their staff and their operators."""

    def __init__(
        self, config: StudioConfig, store: Store, writer: Writer, evidence: EvidenceFolder, hasher: PinHasher,
        keep: KeepBooks = own_books,
    ) -> None:  # fmt: skip
        self.config = config
        self.bench: Bench = NoBench()
        self.checkpoints: CheckpointDesk | None = None
        self.program: ProgramDesk | None = None
        self._writer = writer
        self.evidence_path = evidence.path
        self._own = own = TablesHere()
        self._workers, self._known, self._at_work = own.workers, own.known, own.at_work
        self.orders = OrderDesk(self.command)
        self.order = self.orders.send
        self._board = NoticeBoard(
            lambda account: self.reader().balance(account), lambda table: told_at(self.pit, table)
        )
        self._curtains = Curtains(self.now_ms)
        self.hidden_since = self._curtains.since
        self._done: dict[str, DoneCommands] = {}
        self._theory = Theory(config.studio.certificates)
        self._readers = Readers(store.reader)
        self.reader, self.close_readers = self._readers.mine, self._readers.close
        self.winners = Winners(self.reader, lambda name: self.operators.is_test(name))
        self.key_of = store.keyring.lookup
        self._clock: Callable[[], int] = lambda: 0
        self.processes: Callable[[], tuple[ProcessLook, ...]] = tuple
        self._wallet = PurseDesk(self.commit, self.now_ms, config.currency, lambda name: self.config.credit_of(name))
        self.deck_tables, self.pit_moved, self.playing = self._board, self._board.nudge, self._board.playing
        self.desks = desks = Desks(config, keep(self.commit, self.reader), self, hasher)
        self.operators, self.operator_desk, self.bettors = desks.keys, desks.operators, desks.bettors
        self.pit, self.staff, self.shifts, self.decks = desks.pit, desks.staff, desks.shifts, desks.decks
        self.duty, self.free_bets = Duty(self.now_ms), desks.free_bets
        self.leaving = leaving_of(config, self.pit, lambda: self.processes())
        self.move_pot: MovePot = partial(moved_here, self)
        self._counter = Counter(Tellers(), self.bettors, self.free_bets, self.now_ms, self.operators.is_test)

    @property
    def tellers(self) -> Tellers:
        """Who asks operators' own wallets."""
        return self._counter.tellers

    def use_tellers(self, tellers: Tellers) -> None:
        self._counter.tellers = tellers

    def use_clock(self, now_ms: Callable[[], int]) -> None:
        self._clock = now_ms

    def add_table(self, worker: TableWorker, results: ShoeResults) -> None:
        """Take in a restored table, before it runs."""
        runtime = worker.runtime
        self._curtains.draw(runtime.state)
        self._workers[key := runtime.key] = worker
        self._board.add(runtime.state, runtime.book, runtime.seq, results)
        self._done[key] = DoneCommands()
        self._own.lost.pop(key, None)

    def lose(self, table: str, host: str) -> None:
        """That host runs the table from now on: here it only says so."""
        self._own.lost[table] = host
        self._board.nudge(0, (table,))

    def close(self) -> None:
        """Wake everybody who waits for a change: there will be none."""
        self._board.close()

    def publish(self, state: TableState, book: Book, seq: int) -> None:
        """A table has moved: wake whoever waits for it. Called on the table's thread."""
        self._curtains.draw(state, unstored=self._workers[state.config.key].runtime.unstored)
        self.duty.follow(state)
        self._board.publish(state, book, seq)
        self.tellers.nudge()

    # --- looking --------------------------------------------------------------------------------------

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(self._workers)

    @property
    def tables_here(self) -> tuple[str, ...]:
        return self._own.here

    def now_ms(self) -> int:
        return self._clock()

    def view(self, table: str) -> TableView:
        view = self._board.view(self._known(table))
        if table in self._own.lost:
            return told_elsewhere(view, self._own.lost[table])
        if self._workers[table].runtime.storage_failed:
            return replace(view, now=replace(view.now, held=True, act=Words("act.disk"), primary=None))
        return self.leaving.told(view)

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int:
        """Block until the table (any table) is past `after_seq`, or for that long; gives the newest seq."""
        return self._board.wait(table, after_seq, timeout_s)

    def camera_jpeg(self, table: str) -> tuple[bytes, int] | Unseen:
        """The newest picture of the table's camera; where cards lie face down it is painted over."""
        if not (camera := self._board.state(self._known(table)).config.camera):
            return Unseen.ABSENT
        if table in self._own.lost:
            return Unseen.UNREACHABLE
        return found.picture() if (found := self.bench.camera(camera)) is not None else Unseen.NONE

    def proved(self, config: TableConfig) -> TableConfig:
        """The configuration of a table with what was proved of its pay table."""
        return self._theory.resolved(config)

    def rtp(self, table: str) -> Mapping[str, float]:
        """The theoretical return of every bet in percent, as certified; empty for a pay table that was never proved."""
        return self._theory.percents(self._board.state(self._known(table)).config)

    def best_once_in(self, table: str) -> Mapping[str, int]:
        return self._theory.best_once_in(self._board.state(self._known(table)).config)

    def follow(self, moved: Callable[[], None]) -> None:
        """Have `moved` called from now on whenever those who wait on the floor are woken; it must not block."""
        self._board.follow(moved)

    # --- acting ---------------------------------------------------------------------------------------

    def command(self, table: str, command: Command, then: Callable[[], None] = lambda: None) -> int:
        """Carry a person's command out, and `then` this; sent again under the same id it is the same act."""
        worker = self._at_work(table)

        def act() -> int:
            self.leaving.need_staying(table, command)
            state, now = worker.runtime.state, self.now_ms()
            admitted = with_key(admit(command, state, self.staff, now), state, self.key_of)
            with self.decks.loading(admitted, state):
                seq = worker.runtime.handle(admitted, now)
            then()
            return seq

        try:
            return worker.ask(lambda: self._done[table].once(command, act), first=command.terms.first)
        except StorageError as error:
            raise RefusedError("disk", f"Nothing was done, the table is held: {error}") from error
        except TimeoutError:
            sentence = "The table has not answered in time and may yet do it; look at it before you ask again."
            raise RefusedError("no_answer_yet", sentence) from None

    def own_key(self, operator: str, bettor: str, round: str, id: str) -> bytes | None:
        return self.key_of(id)  # who asks from another process is held to his own cards by `HostEnd`

    def knows_bettor(self, operator: str, bettor: str) -> bool:
        return self._counter.knows(operator, bettor)

    def launch(self, table: str, operator: str, bettor: str, session: str, terms: BettorTerms | None) -> None:
        """The bettor comes to that table, under these terms, or under those he has."""
        self._at_work(table)
        self._counter.launch(self._workers, table, Launch(operator, bettor, session, terms))

    def place_bets(self, table: str, operator: str, offers: Sequence[BetOffer], currency: str = "") -> Answers:
        worker = self._at_work(table)
        currency = currency or worker.runtime.state.config.currency
        full = tuple(offer.whole(operator, table, currency) for offer in offers)
        return self._counter.place_bets(worker, operator, full)

    def need_room(self, table: str, operator: str) -> None:
        """`TooOftenError` while too much of this operator waits at the table; nothing more is taken in then."""
        self._workers[self._known(table)].mailbox.need_room(operator)

    def say_ready(self, table: str, operator: str, bettor: str, round: str = "") -> Readiness:
        worker = self._at_work(table)
        return worker.serve_one(operator, lambda: worker.runtime.say_ready(operator, bettor, self.now_ms(), round))

    def take_decisions(self, table: str, operator: str, choices: Sequence[Choice]) -> tuple[Answer, ...]:
        worker = self._at_work(table)
        full = tuple(_decision(operator, one) for one in choices)
        rounds = {one.client_id: one.round for one in choices if one.round}
        return self._counter.take_decisions(worker, operator, full, rounds)

    def take_seats(self, table: str, requests: Sequence[SeatRequest]) -> tuple[Answer, ...]:
        worker = self._at_work(table)
        operator = requests[0].operator if requests else ""
        return self._counter.take_seats(worker, operator, requests)

    def own_seat(self, table: str, operator: str, bettor: str) -> OwnSeat | None:
        return own_seat(self._board.state(self._known(table)), operator, bettor)

    def own_play(self, table: str, operator: str, bettor: str) -> OwnPlay:
        return self._board.own_play(self._known(table), operator, bettor)

    def deposit(self, operator: str, bettor: str, client_id: str, amount_minor: int, currency: str = "") -> Answer:
        self._counter.need_purses(operator)
        return self._wallet.move("deposit", operator, bettor, client_id, amount_minor, currency)

    def withdraw(self, operator: str, bettor: str, client_id: str, amount_minor: int, currency: str = "") -> Answer:
        self._counter.need_purses(operator)
        return self._wallet.move("withdraw", operator, bettor, client_id, amount_minor, currency)

    def commit(self, unit: Unit) -> int:
        """Make a unit durable; gives its last place in the journal."""
        return last_seq_of(self._writer.submit(unit), COMMIT_TIMEOUT_S)


def _decision(operator: str, one: Choice) -> Decision:
    return Decision(
        operator=operator, bettor=one.bettor, option=one.option, client_id=one.client_id, box=one.box,
        to_minor=one.to_minor,
        rows=one.rows,
    )  # fmt: skip
