"""The floor of a web node: what the pages and the operators' interface ask, of tables that run elsewhere.

What is on record it reads itself. What must be decided at a table is asked of the table's host; what is the whole
studio's (staff, shifts, pit, decks, bettors) is decided here over the newest rows, and kept by the host of the desk or,
over one record, by any other host while that one is gone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from dealer_ui.config.cluster import TABLE_HOST, ClusterSection
from dealer_ui.config.file import StudioConfig
from dealer_ui.desk.book import FarBook, seen
from dealer_ui.desk.deck import Tables
from dealer_ui.desk.duty import Duty
from dealer_ui.desk.pit import Moved
from dealer_ui.desk.pot import PotMove
from dealer_ui.desk.theory import Theory
from dealer_ui.desk.winners import Winners
from dealer_ui.floor.bet_offer import BetOffer, Choice
from dealer_ui.floor.desks import KINDS, Desks
from dealer_ui.floor.device_port import Bench, NoBench
from dealer_ui.floor.pot_feed import Feeders
from dealer_ui.floor.process_look import ProcessLook
from dealer_ui.process.evidence import EvidenceFolder
from dealer_ui.process.reader import Readers
from dealer_ui.teller.desk import WalletDesk
from dealer_ui.teller.seen_wallet import NOWHERE, CloseElsewhere, SeenWallet
from dealer_ui.teller.tellers import SeenWallets
from dealer_ui.wire import call as calls
from dealer_ui.wire.asking import HostAsking, UnknownError, UnreachableError
from dealer_ui.wire.call import HostCall
from dealer_ui.wire.far_free_bets import FarFreeBets
from dealer_ui.wire.far_tables import FarTables
from dealer_ui.wire.message import asked_of, desk_of, seat_of
from dealer_ui.wire.own_look import NO_PLAY, OwnLook, Who
from dealer_ui.wire.presence import Neighbour, Neighbours
from studio.diagnosis import Unseen
from studio.errors import BadInputError, RefusedError, StorageError, StudioError
from studio.games import find_game
from studio.journal import Reader, Row, Unit
from studio.money import Answer
from studio.operators import BettorTerms
from studio.people import Actor, AnyStaffEvent, PinHasher
from studio.ports import HostCommand
from studio.tables.bets.readiness import Readiness
from studio.tables.config import TableConfig
from studio.tables.declaration import Command
from studio.tables.state.room import SeatRequest
from studio.views import TableView
from studio.views.own import OwnPlay, OwnSeat
from studio.wallets.obligation import Case

CATCH_UP_S: Final = 0.2
SHOWN_S: Final = 0.5
"""So long whoever acts waits for the table as it is then; a host shows one twenty times a second at the most."""
_NO_PICTURE: Final = (RefusedError, BadInputError, StorageError, TimeoutError)
"""What a host may say in place of a picture: it costs its own tables alone."""
Answers = tuple[Answer, ...]
Proved = tuple[Mapping[str, float], Mapping[str, int]]


class Hosts:
    """The hosts of a studio as one process asks them. Any thread."""

    def __init__(self, asking: HostAsking, presence: Neighbours, tables: FarTables, section: ClusterSection) -> None:
        self._asking = asking
        self._presence = presence
        self._tables = tables
        self._section = section

    def at(self, table: str, call: HostCall, *given: Any) -> Any:
        """Ask the host of that table."""
        host = self._tables.host_of(table)
        return self._asking.of(host, asked_of(host.here.name if host else ""), call, *given)

    def command(self, table: str, command: Command) -> int:
        """What has come of it is seen here when it returns, where the table's host shows it in time."""
        seq: int = self.at(table, calls.COMMAND, table, command)
        self._tables.wait_shown(table, seq, SHOWN_S)
        return seq

    def at_desk(self, call: HostCall, *given: Any) -> Any:
        """Ask the host that keeps the desk, of what its own floor does."""
        return self._of_desk(asked_of, call, *given)

    def _of_desk(self, subject: Callable[[str], str], call: HostCall, *given: Any) -> Any:
        """Over one record another host does it as well, where the desk's has done nothing of it."""
        *others, last = self._keepers()
        for host in others:
            with suppress(UnreachableError):
                return self._asking.of(host, subject(self._name(host)), call, *given)
        return self._asking.of(last, subject(self._name(last)), call, *given)

    def _name(self, host: Neighbour | None) -> str:
        return host.here.name if host is not None else self._section.desk

    def _keepers(self) -> Iterator[Neighbour | None]:
        """The host of the desk, then whoever may do what it does."""
        yield self._presence.host(self._section.desk)
        for one in self._presence.neighbours() if self._section.postgres else ():
            if one.there and one.of_our_version and one.here.role == TABLE_HOST and one.here.name != self._section.desk:
                yield one

    def own_seat(self, table: str, who: Who) -> OwnSeat | None:
        """Asked at the seat's own subject: the answer may hold its cards."""
        host = self._tables.host_of(table)
        subject = seat_of(host.here.name if host else "", table, *who)
        found: OwnSeat | None = self._asking.of(host, subject, calls.OWN_SEAT, table, *who)
        return found

    def own_key(self, operator: str, bettor: str, round: str, id: str) -> bytes | None:
        """From whichever host has it."""
        of = (operator, bettor, round, id)
        for host in self._presence.neighbours():
            if host.there and host.here.tables:
                key: bytes | None = self._asking.of(host, asked_of(host.here.name), calls.OWN_KEY, *of)
                if key is not None:
                    return key
        return None

    def processes(self, now_ms: Callable[[], int]) -> tuple[ProcessLook, ...]:
        """Every process that was ever heard."""
        return tuple(one.look(now_ms()) for one in self._presence.neighbours())

    def close_owed(self, operator: str, id: str, case: Case, actor: Actor, reason: str) -> None:
        """Have the host that tells the operator's wallet close a movement, as a person found it."""
        found = (one for one in self._presence.neighbours() if one.there and operator in one.here.tells)
        if (host := next(found, None)) is None:
            raise RefusedError("told_nowhere", NOWHERE)
        try:
            self._asking.of(host, asked_of(host.here.name), calls.CLOSE_OWED, operator, id, case.value, actor, reason)
        except UnknownError as error:
            sentence = "The host that tells this wallet has not answered and may yet do it: look before you repeat it."
            raise RefusedError("told_unknown", sentence) from error

    def show_again(self, host: Neighbour) -> None:
        try:
            self._asking.of(host, asked_of(host.here.name), calls.SHOW_AGAIN)
        except (RefusedError, BadInputError, UnknownError):
            return  # the next beat asks again

    def have_heard(self, book: str) -> None:
        """Have every host that is there read what was just kept; one that cannot be asked reads it a moment later."""
        for host in self._presence.neighbours():
            if host.there and host.here.role == TABLE_HOST and host.here.name != self._section.host:
                with suppress(StudioError, TimeoutError):
                    self._asking.of(host, asked_of(host.here.name), calls.HEAR, book)

    def keep(self, book: str, unit: Unit, after: int) -> int:
        """Add rows to a book of the desk; refused in a sentence where nobody knows whether they were added."""
        if unit.transfers or unit.with_balances:
            sentence = "Money is not moved from here: do it at the console of a host that runs tables."
            raise RefusedError("not_here", sentence)
        rows = tuple((entry.kind, entry.at_ms, entry.body) for entry in unit.entries)
        try:
            seq: int = self._of_desk(desk_of, calls.KEEP, book, after, rows)
        except UnknownError as error:
            raise no_answer_yet() from error
        return seq

    def books(self, record: Callable[[], Reader]) -> Mapping[str, FarBook]:
        """The studio's books, added to by the host of the desk and read from the record."""

        def book(name: str) -> FarBook:
            return FarBook(KINDS[name], lambda unit, after: self.keep(name, unit, after), record)

        return {name: book(name) for name in KINDS}


def no_answer_yet() -> RefusedError:
    sentence = "The table has not answered in time and may yet do it; look at it before you ask again."
    return RefusedError("no_answer_yet", sentence)


def wallets_seen(config: StudioConfig, now_ms: Callable[[], int], close: CloseElsewhere) -> SeenWallets[SeenWallet]:
    """Operators' own wallets, of which a web node asks none."""
    found = SeenWallets[SeenWallet]()
    for name, operator in config.operators.items():
        if operator.wallet is not None:
            wallet = SeenWallet(WalletDesk(name, now_ms), time.monotonic)
            wallet.close_elsewhere = close
            found.see(wallet)
    return found


class WebFloor:
    """What the consoles and the operators' interface need, of whatever host has the table. Any thread."""

    def __init__(
        self, config: StudioConfig, hosts: Hosts, far: FarTables, record: Callable[[], Reader], hasher: PinHasher
    ) -> None:
        self.config = config
        self.bench: Bench = NoBench()
        self.checkpoints = self.program = None
        self.tellers = wallets_seen(config, self.now_ms, hosts.close_owed)
        self._hosts, self._far, self.playing = hosts, far, far.playing
        self._clock: Callable[[], int] = lambda: 0
        self._readers = Readers(record)
        self.reader, self.close_readers = self._readers.mine, self._readers.close
        self.winners = Winners(self.reader, lambda name: self.operators.is_test(name))
        self.deck_tables: Tables = self
        self.pit_moved: Moved = far.nudge
        self.desks = desks = Desks(config, hosts.books(self.reader), self, hasher)
        self.operators, self.operator_desk, self.bettors = desks.keys, desks.operators, desks.bettors
        self.free_bets = FarFreeBets(desks.free_bets, hosts.at_desk)
        self.pit, self.staff, self.shifts, self.decks = desks.pit, desks.staff, desks.shifts, desks.decks
        self.bettors.told = partial(hosts.have_heard, "bettors")
        self._duty = Duty(self.now_ms)
        self._theory = Theory(config.studio.certificates)
        self.evidence_path = EvidenceFolder.path_in(config.studio.evidence)
        self._plays: OwnLook[OwnPlay] = OwnLook(self._fetch_plays, time.monotonic)
        self._seats: OwnLook[OwnSeat | None] = OwnLook(self._fetch_seats, time.monotonic, together=False)
        self._returns: dict[str, tuple[object, Proved]] = {}
        self.own_key, self.processes = hosts.own_key, partial(hosts.processes, self.now_ms)
        self.wait, self.follow, self.is_old = far.wait, far.follow, far.is_old

    def use_clock(self, now_ms: Callable[[], int]) -> None:
        self._clock = now_ms

    def keep_up(self, stopping: threading.Event) -> None:
        """Take what others add to the books; a thread's whole work."""
        while not stopping.wait(CATCH_UP_S):
            self.desks.catch_up()
            self.tellers.follow(self.reader())

    # --- looking ----------------------------------------------------------------------------------------

    @property
    def tables(self) -> tuple[str, ...]:
        return self._far.tables

    def now_ms(self) -> int:
        return self._clock()

    def view(self, table: str) -> TableView:
        return self._far.view(table)

    @property
    def duty(self) -> Duty:
        """Who deals where, as the tables are now."""
        for table in self.tables:
            seat = self.view(table).seat
            self._duty.sits(table, seat.dealer, seat.since_ms)
        return self._duty

    def duty_of_record(self, rows: Iterable[Row]) -> None:
        """Who dealt where, and who rested, as the record has it."""
        self._duty.restore(rows)

    def hear(self, event: AnyStaffEvent) -> None:
        self._duty.hear(event)

    def camera_jpeg(self, table: str) -> tuple[bytes, int] | Unseen:
        try:
            jpeg, at_ms, why = self._hosts.at(table, calls.PICTURE, table)
        except _NO_PICTURE:
            return Unseen.UNREACHABLE
        return (jpeg, at_ms) if why is None else Unseen(why)

    def proved(self, config: TableConfig) -> TableConfig:
        return self._theory.resolved(config)

    def rtp(self, table: str) -> Mapping[str, float]:
        return self._proved_of(table)[0]

    def best_once_in(self, table: str) -> Mapping[str, int]:
        return self._proved_of(table)[1]

    def _proved_of(self, table: str) -> Proved:
        """As the table's host has it certified; asked once a pay table. Without figures while nobody can be asked."""
        game = self.view(table).game
        mark = (game.key, tuple(sorted(game.rules.items())), game.pay_table)
        kept = self._returns.get(table)
        if kept is None or kept[0] != mark:
            try:
                kept = self._returns[table] = (mark, self._hosts.at(table, calls.RETURNS, table))
            except RefusedError:
                return {}, {}
        return kept[1]

    def decks_of(self, table: str) -> int:
        game = self.view(table).game
        return find_game(game.key).shoe.under(game.rules).decks

    def deck_in_shoe(self, table: str) -> str:
        return self.view(table).shoe.deck

    # --- acting -----------------------------------------------------------------------------------------

    def command(self, table: str, command: Command) -> int:
        """Sent again under the same id it is the same act; where no answer comes it is asked after, never sent anew."""
        try:
            return self._hosts.command(table, command)
        except UnknownError as error:
            raise no_answer_yet() from error

    def order(self, device: str, order: HostCommand, *, by: Actor, reason: str, id: str = "") -> int:
        table = next((one.key for one in self.config.tables if device in (one.shoe, one.shuffler, one.camera)), "")
        if table not in self.tables:
            raise RefusedError("no_such_device", f"No device of a table here is called '{device}'; look at the list.")
        try:
            seq: int = self._hosts.at(table, calls.ORDER, device, order, by, reason, id)
        except UnknownError as error:
            raise no_answer_yet() from error
        return seq

    def move_pot(self, asked: PotMove, fed: Feeders, by: Actor, beside: Actor | None) -> int:
        """A host moves it, as it moves any money."""
        try:
            seq: int = self._hosts.at_desk(calls.MOVE_POT, asked, fed, by, beside)
        except UnknownError as error:
            raise no_answer_yet() from error
        seen(self.pit.catch_up)
        return seq

    def need_room(self, table: str, operator: str) -> None:
        """The table's host says it, when it is asked."""

    def knows_bettor(self, operator: str, bettor: str) -> bool:
        """Where his wallet knows him by a session alone, the host of the desk says it."""
        known = self.bettors.knows(operator, bettor)
        if not known and self.tellers.of(operator) is not None:
            known = self._hosts.at_desk(calls.KNOWS, operator, bettor)
        return known

    def launch(self, table: str, operator: str, bettor: str, session: str, terms: BettorTerms | None) -> None:
        self._hosts.at(table, calls.LAUNCH, table, operator, bettor, session, terms)
        seen(self.bettors.catch_up)

    def place_bets(self, table: str, operator: str, offers: Sequence[BetOffer], currency: str = "") -> Answers:
        return self._done(table, calls.PLACE_BETS, table, operator, tuple(offers), currency)

    def take_decisions(self, table: str, operator: str, choices: Sequence[Choice]) -> Answers:
        return self._done(table, calls.TAKE_DECISIONS, table, operator, tuple(choices))

    def take_seats(self, table: str, requests: Sequence[SeatRequest]) -> Answers:
        return self._done(table, calls.TAKE_SEATS, table, tuple(requests))

    def say_ready(self, table: str, operator: str, bettor: str, round: str = "") -> Readiness:
        found: Readiness = self._hosts.at(table, calls.SAY_READY, table, operator, bettor, round)
        self._plays.forget(table)
        return found

    def deposit(self, operator: str, bettor: str, client_id: str, amount_minor: int, currency: str = "") -> Answer:
        return self._move("deposit", operator, bettor, client_id, amount_minor, currency)

    def withdraw(self, operator: str, bettor: str, client_id: str, amount_minor: int, currency: str = "") -> Answer:
        return self._move("withdraw", operator, bettor, client_id, amount_minor, currency)

    def own_play(self, table: str, operator: str, bettor: str) -> OwnPlay:
        """What he may choose; nothing while the table cannot be reached."""
        if self.is_old(table):
            return NO_PLAY
        try:
            return self._plays.of(table, self.view(table).seq, (operator, bettor))
        except RefusedError:
            return NO_PLAY

    def own_seat(self, table: str, operator: str, bettor: str) -> OwnSeat | None:
        """What his seat may know; asked of poker tables alone, the others have no seats."""
        if self.view(table).room is None:
            return None
        return self._seats.of(table, self.view(table).seq, (operator, bettor))

    # --- beneath ----------------------------------------------------------------------------------------

    def _done(self, table: str, call: HostCall, *given: Any) -> Answers:
        try:
            answers: Answers = self._hosts.at(table, call, *given)
            return answers
        finally:
            self._plays.forget(table)
            self._seats.forget(table)

    def _move(self, *given: Any) -> Answer:
        answer: Answer = self._hosts.at_desk(calls.MOVE, *given)
        return answer

    def _fetch_plays(self, table: str, whose: Sequence[Who]) -> Sequence[OwnPlay]:
        found: tuple[OwnPlay, ...] = self._hosts.at(table, calls.OWN_PLAYS, table, tuple(whose))
        return found

    def _fetch_seats(self, table: str, whose: Sequence[Who]) -> Sequence[OwnSeat | None]:
        return [self._hosts.own_seat(table, one) for one in whose]
