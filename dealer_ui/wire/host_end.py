"""A table host's end of the wire: its tables are shown, and whoever may ask of them is answered.

A question comes to the same floor that serves the host's own pages: who may do what is decided there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import structlog

from dealer_ui.desk.book import KeptBook, SharedBook, seen
from dealer_ui.desk.pot import PotMove
from dealer_ui.floor.floor import Floor
from dealer_ui.floor.own_card import own_cards
from dealer_ui.teller.desk import NOT_HERE
from dealer_ui.wire import call as calls
from dealer_ui.wire.call import CALLS, HostCall
from dealer_ui.wire.form import RoundNamed
from dealer_ui.wire.link import NatsWire
from dealer_ui.wire.memory import Memory
from dealer_ui.wire.message import (
    BUSY,
    Ask,
    Told,
    asked_of,
    desk_of,
    pack,
    read_ask,
    refusal,
    seats_of,
    show,
    view_of,
)
from dealer_ui.wire.terms import MESSAGE_BYTES_MAX
from studio.diagnosis import Unseen
from studio.errors import BadInputError, RefusedError, StudioError
from studio.journal import Entry, Unit
from studio.money import Answer
from studio.operators import FreeBetsGranted
from studio.people import Actor
from studio.ports import HostCommand
from studio.tables.config import TableConfig
from studio.tables.correction.finished_round import read_dossier, read_sealed_round
from studio.tables.declaration import Command
from studio.views.own import OwnPlay
from studio.wallets.obligation import Case

_LOG: Final = structlog.get_logger("dealer_ui.wire")
ASKED_THREADS: Final = 24
_DESK_THREADS: Final = 4
_SEAT_THREADS: Final = 4
_SHOW_S: Final = 0.05
"""A table is shown no more often than that."""
_LOOK_S: Final = 1.0
OWN_MOST: Final = 2_000
"""So many bettors may be asked for at once."""


@dataclass(slots=True, eq=False)
class HostEnd:
    """`books` are those that this host adds to for the studio, by name; empty where another host does. `run` tells
    this run of the host from every other.
    """

    wire: NatsWire
    floor: Floor
    run: str
    books: Mapping[str, KeptBook | SharedBook] = field(default_factory=dict)
    _memory: Memory = field(default_factory=Memory)
    _moved: threading.Event = field(default_factory=threading.Event)
    _shown: dict[str, int] = field(default_factory=dict)

    def open(self) -> None:
        """Take questions once the wire starts, and show every change of a table from then on."""
        host, ask = self.wire.name, self.answer
        self.wire.serve(asked_of(host), ask, threads=ASKED_THREADS, busy=BUSY)
        self.wire.serve(seats_of(host), ask, threads=_SEAT_THREADS, busy=BUSY)
        if self.books:
            self.wire.serve(desk_of(host), ask, threads=_DESK_THREADS, busy=BUSY)
        self.floor.follow(self._moved.set)
        self.wire.follow(self._show_all)

    # --- what is shown ----------------------------------------------------------------------------------

    def keep_showing(self, stopping: threading.Event) -> None:
        """Show each table as it moves; a thread's whole work."""
        while not stopping.is_set():
            self._moved.wait(_LOOK_S)
            self._moved.clear()
            for table in self.floor.tables_here:
                self._show(table)
            stopping.wait(_SHOW_S)

    def _show_all(self) -> None:
        self._shown.clear()
        self._moved.set()

    def _show(self, table: str) -> None:
        view = self.floor.view(table)
        mark = hash((view.seq, view.now.act.key, view.now.goes_to))
        if self._shown.get(table) == mark or not self.wire.up:
            return
        message = show(self.wire.name, self.run, view)
        if len(message) > MESSAGE_BYTES_MAX:
            _LOG.error("a table's view is longer than the wire takes, and is not shown", table=table)
        elif not self.wire.say(view_of(self.wire.name, table), message):
            return
        self._shown[table] = mark

    # --- what is asked ----------------------------------------------------------------------------------

    def answer(self, message: bytes) -> bytes:
        """The answer to a question as it came; what is wrong with it is an answer too."""
        try:
            ask = read_ask(message)
        except BadInputError as error:
            return pack(refusal(error))
        return self._bounded(ask, self._told(ask))

    def _bounded(self, ask: Ask, told: Told) -> bytes:
        if len(packed := pack(told)) <= MESSAGE_BYTES_MAX:
            return packed
        _LOG.error("an answer is longer than the wire takes", what=ask.what, bytes=len(packed))
        sentence = "The answer is too long to be sent here: ask for less at once."
        return pack(refusal(RefusedError("answer_too_long", sentence)))

    def _told(self, ask: Ask) -> Told:
        if ask.to != self.run:
            return Told("lost" if ask.what == calls.FATE.name else "never")
        if ask.what == calls.FATE.name:
            return self._memory.fate(str(ask.of))
        if (call := CALLS.get(ask.what)) is None or (call is calls.KEEP and not self.books):
            return refusal(BadInputError("Another process asks what this host does not know: are they of one version?"))
        return self._memory.once(ask.id, lambda: self._done(call, ask.of)) if call.acts else self._done(call, ask.of)

    def _done(self, call: HostCall, of: Any) -> Told:
        try:
            act: Callable[..., Any] = getattr(self, f"_{call.name}")
            return Told("done", call.pack_answer(act(*_unpacked(call, of))))
        except (StudioError, TimeoutError) as error:
            return self._refused(call, error)
        except Exception as error:
            return self._wrong(call, error)

    def _refused(self, call: HostCall, error: Exception) -> Told:
        try:
            return refusal(error)
        except Exception as ours:
            return self._wrong(call, ours)

    def _wrong(self, call: HostCall, error: Exception) -> Told:
        _LOG.error("what another process asked failed by an error of our own", what=call.name, exc_info=error)
        return Told("refused", kind="wrong", sentence="The table's host made a mistake over this and noted it.")

    # --- one for each call ------------------------------------------------------------------------------

    def _command(self, table: str, command: Command) -> int:
        return self.floor.command(table, self._filled(table, command))

    def _order(self, device: str, order: HostCommand, by: Actor, reason: str, id: str) -> int:
        return self.floor.order(device, order, by=by, reason=reason, id=id)

    def _place_bets(self, table: str, operator: str, offers: Any, currency: str) -> tuple[Answer, ...]:
        self.floor.need_room(table, operator)
        return self.floor.place_bets(table, operator, offers, currency)

    def _take_decisions(self, table: str, operator: str, choices: Any) -> tuple[Answer, ...]:
        self.floor.need_room(table, operator)
        return self.floor.take_decisions(table, operator, choices)

    def _take_seats(self, table: str, requests: Any) -> tuple[Answer, ...]:
        return self.floor.take_seats(table, requests)

    def _say_ready(self, table: str, operator: str, bettor: str, round: str) -> Any:
        return self.floor.say_ready(table, operator, bettor, round)

    def _launch(self, table: str, operator: str, bettor: str, session: str, terms: Any) -> None:
        self.floor.launch(table, operator, bettor, session, terms)

    def _move(self, kind: str, operator: str, bettor: str, client_id: str, minor: int, currency: str) -> Answer:
        act = self.floor.deposit if kind == "deposit" else self.floor.withdraw
        return act(operator, bettor, client_id, minor, currency)

    def _grant(self, wanted: FreeBetsGranted) -> bool:
        return self.floor.free_bets.grant(self.floor.reader(), wanted)

    def _cancel_grant(self, operator: str, bettor: str, grant: str) -> None:
        self.floor.free_bets.cancel(operator, bettor, grant)

    def _close_owed(self, operator: str, id: str, case: str, actor: Actor, reason: str) -> None:
        wallet = self.floor.tellers.of(operator)
        if wallet is None or not wallet.desk.holds:
            raise RefusedError("told_elsewhere", NOT_HERE)
        wallet.close(id, Case(case), actor, reason)

    def _knows(self, operator: str, bettor: str) -> bool:
        return self.floor.knows_bettor(operator, bettor)

    def _move_pot(self, asked: PotMove, fed: Any, by: Actor, beside: Actor | None) -> int:
        return self.floor.move_pot(asked, fed, by, beside)

    def _keep(self, book: str, after: int, rows: Any) -> int:
        if book not in self.books:
            raise BadInputError(f"There is no book '{book}' here.")
        entries = tuple(Entry(kind, at_ms, body) for kind, at_ms, body in rows)
        seq = self.books[book].add(Unit(entries=entries), after)
        seen(lambda: self.floor.desks.catch_up(book))
        return seq

    def _own_plays(self, table: str, whose: Any) -> tuple[OwnPlay, ...]:
        return tuple(self.floor.own_play(table, *one) for one in whose[:OWN_MOST])

    def _own_seat(self, table: str, operator: str, bettor: str) -> Any:
        return self.floor.own_seat(table, operator, bettor)

    def _own_key(self, operator: str, bettor: str, round: str, id: str) -> bytes | None:
        """A process that somebody has taken over opens no card with it that lies face down still, or is nobody's."""
        own = own_cards(self.floor.reader(), operator, bettor, round)
        return self.floor.own_key(operator, bettor, round, id) if id in own else None

    def _picture(self, table: str) -> tuple[bytes, int, Unseen | None]:
        seen = self.floor.camera_jpeg(table)
        return (b"", 0, seen) if isinstance(seen, Unseen) else (*seen, None)

    def _returns(self, table: str) -> tuple[Mapping[str, float], Mapping[str, int]]:
        return self.floor.rtp(table), self.floor.best_once_in(table)

    def _hear(self, book: str) -> None:
        self.floor.desks.catch_up(book)

    def _show_again(self) -> None:
        self._show_all()

    def _filled(self, table: str, command: Command) -> Command:
        """The command with what this host reads in its own record: no other process sends a round."""
        given: dict[str, Any] = {}
        if isinstance(named := getattr(command, "dossier", None), RoundNamed):
            view = self.floor.view(table)
            config = TableConfig(key=table, title=view.title, game=view.game.key, currency=view.bets.currency)
            given["dossier"] = read_dossier(self.floor.reader(), config, named.id)
        if isinstance(named := getattr(command, "sealed", None), RoundNamed):
            given["sealed"] = read_sealed_round(self.floor.reader(), table, named.id)
        if getattr(command, "key", None) is not None:
            given["key"] = None  # the key of a sealed card comes from this host's key file alone
        return replace(command, **given) if given else command


def _unpacked(call: HostCall, of: Any) -> list[Any]:
    try:
        return call.unpack(of)
    except (TypeError, ValueError, LookupError, StudioError) as error:
        raise BadInputError("What another process asks cannot be read: are they of one version?") from error
