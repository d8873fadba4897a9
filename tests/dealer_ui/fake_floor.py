# ruff: noqa: E501 - views are laid out as tables
"""A floor of hand-made tables: what the consoles need of the studio, without one."""

from __future__ import annotations

import contextlib
import itertools
import random
import sqlite3
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from altered import altered
from routes_once import keep_routes

from dealer_ui.config.file import DecksSection, StudioConfig, TableSection
from dealer_ui.desk.deck import DeckDesk
from dealer_ui.desk.duty import Duty
from dealer_ui.desk.message import told_at
from dealer_ui.desk.operator_key import OperatorKeys
from dealer_ui.desk.pit import PitDesk
from dealer_ui.desk.shift import ShiftDesk
from dealer_ui.desk.winners import Winners
from dealer_ui.floor.device_port import NoBench
from dealer_ui.teller.tellers import Tellers
from studio import ports
from studio.cards import Card, Sealer
from studio.diagnosis import Unseen
from studio.errors import RefusedError
from studio.journal import Reader
from studio.people import Actor, AnyStaffEvent
from studio.people.refusal_event import AccessRefused
from studio.rounds import CardBurned, CardDealt
from studio.spoken import Places
from studio.tables import command as c
from studio.tables.declaration import Command
from studio.tables.event import table as e
from studio.tables.event.record import kind_of, write_body
from studio.tables.event.table import AnyEvent
from studio.views.shape import (
    BetsView,
    BoxView,
    ButtonView,
    CardView,
    DevicesView,
    GameView,
    HindranceView,
    IncidentView,
    NowView,
    ProcedureView,
    ResultView,
    RowView,
    SeatView,
    ShoeView,
    StepView,
    TableView,
    WhereView,
    Words,
)

keep_routes()

NOW_MS = 1_790_000_000_000
PINS = {"dora": "4826", "paul": "730162", "petra": "590427", "anna": "604718", "tom": "5555", "ada": "6666"}
STAFF = {
    "dora": Actor("dora", "Dora Deal", frozenset({"dealer"})),
    "paul": Actor("paul", "Paul Pit", frozenset({"pit_boss"})),
    "petra": Actor("petra", "Petra Pit", frozenset({"pit_boss"})),
    "anna": Actor("anna", "Anna Audit", frozenset({"auditor"})),
    "tom": Actor("tom", "Tom Tech", frozenset({"technician"})),
    "ada": Actor("ada", "Ada Admin", frozenset({"admin"})),
}
BETS = ("player1_win", "player1_lose", "player1_tie", "player1_three_knights", "player1_pair_plus", "banker_pair_plus")


class FakeRegister:
    people: Mapping[str, Any] = {}

    def with_badge(self, badge: str) -> Actor | None:
        return STAFF.get(badge)

    def with_role(self, role: str) -> tuple[Actor, ...]:
        return tuple(actor for actor in STAFF.values() if role in actor.roles)


class FakeDesk:
    """Badge and id are one here; `signed_in` are who and where. `ended` hears of sign-ins that ended by themselves."""

    register = FakeRegister()

    def __init__(self) -> None:
        self.listeners: list[Any] = []
        self.sweep: Any = lambda: None
        self.ended: list[tuple[str, str, str]] = []
        self.refused: list[AnyStaffEvent] = []

    def change(self, change: Any) -> tuple[AnyStaffEvent, ...]:
        """Keeps what was refused; nothing else of a fake register changes."""
        told = change(self.register, NOW_MS)
        assert isinstance(told, AccessRefused)
        self.refused.append(told)
        return (told,)

    def catch_up(self) -> None:
        """There is no other process."""

    def sign_out(self, staff_id: str, station: str) -> None:
        self.ended.append((staff_id, station, "out"))

    def sign_in_ended(self, staff_id: str, station: str, why: str) -> None:
        self.ended.append((staff_id, station, why))

    def sign_in(self, badge: str, pin: str, now: int, station: str = "", address: str = "") -> Actor:
        if PINS.get(badge) != pin:
            raise RefusedError("wrong_sign_in", "Badge and PIN do not belong together. Try again.")
        return STAFF[badge]

    def confirm_pin(self, staff_id: str, pin: str, station: str = "", address: str = "", *, badge: str = "") -> Actor:
        if PINS[staff_id] != pin:
            raise RefusedError("wrong_pin", "That is not your PIN. Type it again.")
        return STAFF[staff_id].with_pin(NOW_MS)

    def actor(self, staff_id: str) -> Actor:
        if staff_id not in STAFF:
            raise RefusedError("not_staff", "Nobody of the staff has this id.")
        return STAFF[staff_id]


class NoDecks:
    """Tables at which nobody counts a deck."""

    def decks_of(self, table: str) -> int:
        return 1

    def deck_in_shoe(self, table: str) -> str:
        return ""


class FakeFloor:
    """Views are put with `show`; commands are kept in `asked`, once an id, and may be refused by `refuse`.

    What was asked by an older look at the table is refused as a table does, and the tables `obey` who freezes them.
    """

    def __init__(self, *views: TableView, folder: Path | None = None) -> None:
        self._moved = threading.Condition()
        self.followers: list[Callable[[], None]] = []
        self._views = {view.table: view for view in views}
        self._answers: dict[str, int] = {}
        self.staff = FakeDesk()
        self.duty = Duty(self.now_ms)
        self.shifts = ShiftDesk(lambda unit: 1, self.now_ms)
        self.decks = DeckDesk(lambda unit: 1, self.now_ms, NoDecks(), DecksSection())
        self.config = StudioConfig(
            tables=tuple(TableSection(key=view.table, title=view.title, game=view.game.key) for view in views)
        )
        self.operators = OperatorKeys({})
        self.asked: list[Command] = []
        self.refuse: RefusedError | None = None
        self.on_command: Any = None
        self.bench: Any = NoBench()
        self.checkpoints = None
        self.program = None
        self.folder = folder
        self.clock_ms = NOW_MS
        self.journal: list[tuple[str, str, AnyEvent]] = []
        self._reader: Reader | None = None
        self.kept: list[Any] = []
        """What the pit's desk has kept, unit by unit."""
        self.pit = PitDesk(self._keep, self.now_ms, lambda seq, tables: self.wake())
        self.winners = Winners(self.reader)
        self.tellers = Tellers()

    def processes(self) -> tuple[Any, ...]:
        return ()

    def _keep(self, unit: Any) -> int:
        self.kept.append(unit)
        return max(view.seq for view in self._views.values()) + 1

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(self._views)

    def view(self, table: str) -> TableView:
        with self._moved:
            found = self._views[table]
        told = told_at(self.pit, table)
        return altered(found, now={"messages": (*found.now.messages, *told)}) if told else found

    def show(self, view: TableView) -> None:
        with self._moved:
            seq = max(one.seq for one in self._views.values()) + 1
            self._views[view.table] = replace(view, seq=seq)
            self._moved.notify_all()
        for moved in self.followers:
            moved()

    def command(self, table: str, command: Command) -> int:
        if command.id and command.id in self._answers:
            return self._answers[command.id]
        if self.refuse is not None:
            raise self.refuse
        moves = self.view(table).moves
        if command.is_stale(moves, moves):
            raise RefusedError("moved_on", "The table has moved on; look again, then repeat what you still want.")
        self.asked.append(command)
        if self.on_command is not None:
            self.on_command(table, command)
        self._answers[command.id] = self.view(table).seq
        return self._answers[command.id]

    def deal_on(self, table: str) -> None:
        """The table moves on, and no screen has heard of it yet."""
        with self._moved:
            view = self._views[table]
            self._views[table] = replace(view, moves=view.moves + 5)

    def obey(self, table: str, command: Command) -> None:
        """Freeze, release and answer as a table does; for `on_command`."""
        view, who = self.view(table), command.actor
        match command:
            case c.FreezeTable(floor=floor):
                frozen = {"held": True, "frozen_by": who.id, "frozen_by_name": who.name, "frozen_with": floor}
                self.show(altered(view, moves=view.moves + 1, now=frozen))
            case c.ReleaseTable():
                thawed = {"held": False, "frozen_by": "", "frozen_by_name": "", "frozen_with": ""}
                self.show(altered(view, moves=view.moves + 1, now=thawed))
            case c.AnswerCall():
                self.show(altered(view, moves=view.moves + 1, now={"pit_called_by": "", "pit_called_by_name": ""}))

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int:
        def newest() -> int:
            return max(one.seq for key, one in self._views.items() if table in (None, key))

        with self._moved:
            self._moved.wait_for(lambda: newest() > after_seq, timeout_s)
            return newest()

    def follow(self, moved: Callable[[], None]) -> None:
        self.followers.append(moved)

    def wake(self) -> None:
        """Whoever waits looks again at once."""
        for view in tuple(self._views.values()):
            self.show(view)

    def now_ms(self) -> int:
        return self.clock_ms

    def reader(self) -> Reader:
        if self._reader is None:
            self._reader = Reader(_journal_of(self.journal), contextlib.nullcontext(), owns_connection=True)
            weakref.finalize(self, self._reader.close)  # few tests close a floor that has no threads
        return self._reader

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()

    def evidence_path(self, digest: str) -> Path | None:
        if self.folder is None or not (self.folder / digest).is_file():
            return None
        return self.folder / digest

    def camera_jpeg(self, table: str) -> tuple[bytes, int] | Unseen:
        return (b"\xff\xd8\xff\xd9", NOW_MS) if table == "knights1" else Unseen.NONE

    def rtp(self, table: str) -> Mapping[str, float]:
        return {bet: 92.724 if "pair" in bet else 96.944 for bet in BETS}

    def best_once_in(self, table: str) -> Mapping[str, int]:
        return {bet: 42_000 for bet in BETS}


def _journal_of(rows: Sequence[tuple[str, str, AnyEvent]]) -> sqlite3.Connection:
    """A journal and a small ledger, shaped as the reader reads them."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.executescript(
        """
        CREATE TABLE journal (seq INTEGER, at INTEGER, kind TEXT, body TEXT, "table" TEXT, round TEXT, hash BLOB);
        CREATE TABLE ledger (seq INTEGER, at INTEGER, round TEXT, bet TEXT, kind TEXT, debit TEXT, credit TEXT,
                             amount INTEGER, currency TEXT, revision INTEGER, hash BLOB);
        CREATE TABLE bet (seq INTEGER, id TEXT, operator TEXT, bettor TEXT, bet TEXT, round TEXT, stake INTEGER, currency TEXT,
                          free TEXT);
        CREATE TABLE origin (chain TEXT, seq INTEGER, hash TEXT);
        """
    )
    for seq, (table, round, event) in enumerate(rows, 1):
        told = (seq, NOW_MS + seq * 400, kind_of(event), write_body(table, round, event).decode(), table, round)
        connection.execute("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, '')", told)
    moves = (
        ("reserve", "bettor:north:ann", f"escrow:{ROUND}", 5000),
        ("post", f"escrow:{ROUND}", "house:knights1", 5000),
        ("return", "house:knights1", "bettor:north:ann", 10000),
    )
    for seq, (kind, debit, credit, amount) in enumerate(moves if rows else (), 1):
        told = (seq, NOW_MS + 3000 + seq * 100, ROUND, "b1", kind, debit, credit, amount, "EUR")
        connection.execute("INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '')", told)
    return connection


# --- a round in the journal -----------------------------------------------------------------------------

ROUND = "knights1-0000012"
SEALER = Sealer(random.Random(7).randbytes)
BURNED, DEALT = SEALER.card(Card.parse("9s")), SEALER.card(Card.parse("Kh"))


def journal(table: str = "knights1") -> list[tuple[str, str, AnyEvent]]:
    """A round with a burned card that stays sealed, a card dealt face up, an incident, and its money."""
    seen = ports.CameraSawCard(device="camera", at_ms=NOW_MS, zone="player1", place=1, face=ports.CardFace.UP, card=DEALT,
                               confidence=0.987, evidence="a" * 64)  # fmt: skip
    told: tuple[AnyEvent, ...] = (
        e.RoundStarted(round=ROUND, number=12, game="three_knights", version=1, rules={}, dealer="dora"),
        e.ObservationRecorded(observation=ports.ShoeDrewCard(device="shoe", at_ms=NOW_MS, card=BURNED)),
        e.FactStood(fact=CardBurned(card=BURNED, place=1)),
        e.BetsOpened(closes_at_ms=NOW_MS + 15_000),
        e.ObservationRecorded(observation=ports.ShoeDrewCard(device="shoe", at_ms=NOW_MS, card=DEALT)),
        e.FactStood(fact=CardDealt(card=DEALT, box="player1", place=1, face=Card.parse("Kh"), key=DEALT.publish_key())),
        e.ObservationRecorded(observation=seen),
        e.CardConfirmed(id=DEALT.id, confidence=0.987),
        e.PitCalled(by="dora", by_name="Dora Deal"),
        e.RoundSettled(bets=1, stake_minor=5000, returns_minor=10000, digest="d"),
    )
    return [(table, ROUND, event) for event in told]


# --- views ----------------------------------------------------------------------------------------------

_ids = itertools.count(1)


def places(*cards: str, count: int = 3) -> tuple[CardView, ...]:
    """`As` confirmed · `As!` shoe only · `As?` unsure · `As#` contradiction · `>` awaited · `.` empty · `x` unread
    · `*` sealed · `o` sealed, owed."""
    signs = {"!": "shoe", "?": "unsure", "#": "contradiction"}
    words = {">": "awaited", ".": "empty", "x": "unread", "*": "sealed", "o": "sealed_owed"}
    found = []
    for place, text in enumerate((*cards, *("." for _ in range(count - len(cards)))), 1):
        if text in words:
            found.append(CardView(place, words[text], None, "none"))
        else:
            found.append(CardView(place, signs.get(text[2:], "confirmed"), text[:2], "up"))
    return tuple(found)


def box(key: str, *cards: str, ranks_as: str = "", won: str = "", count: int = 3) -> BoxView:
    return BoxView(key, f"box.{key}", places(*cards, count=count), ranks_as, won)


EMPTY = (box("player1"), box("player2"), box("player3"), box("banker"), box("burn", count=4))
BURN = box("burn", "*", "*", "*", "o", count=4)
MID_DEAL = (
    box("player1", "Kh", "7d"),
    box("player2", "Ts", "Ac!"),
    box("player3", "4c", ">"),
    box("banker", "Qd?"),
    BURN,
)
FULL = (
    box("player1", "Kh", "7d", "2s", ranks_as="Single Knight Nine", won="win"),
    box("player2", "Ts", "Ac", "5h", ranks_as="Plain Six", won="lose"),
    box("player3", "4c", "Jc", "4d", ranks_as="Single Knight Eight", won="tie"),
    box("banker", "Qd", "9h", "9c", ranks_as="Single Knight Eight"),
    box("burn", "*", "*", "*", "*", count=4),
)

IDLE = TableView(
    table="knights1",
    title="Knights 1",
    game=GameView(key="three_knights", title="Three Knights", limits={bet: (100, 100_000) for bet in BETS}),
    seq=41,
    moves=7,
    now=NowView(
        status="open",
        phase="shuffling",
        held=False,
        act=Words("act.start_round"),
        primary=ButtonView("start_round", Words("button.start_round"), None, "Space"),
    ),
    seat=SeatView(dealer="dora", dealer_name="Dora Deal"),
    boxes=EMPTY,
    bets=BetsView(False, None, 0, 0, "EUR"),
    shoe=ShoeView(deck="D-0007", number=3, cards_left=52, rounds_left=3),
    devices=DevicesView(links={"shoe": True, "shuffler": True, "camera": True}),
)
_ROUND = {"id": "knights1-0000012", "number": 12, "stage": "dealing", "attempt": 1}
BURNING = altered(
    IDLE,
    round=_ROUND,
    now={"phase": "burning", "act": Words("act.burn", {"count": 4, "done": 2, "left": 2}), "primary": None},
    boxes=(*EMPTY[:4], box("burn", "*", "o", ">", count=4)),
    shoe={"cards_left": 50},
)
BETTING = altered(
    IDLE,
    round=_ROUND,
    now={
        "phase": "betting",
        "act": Words("act.bets_open"),
        "primary": ButtonView("close_betting", Words("button.close_betting"), None, "Space"),
    },
    boxes=(*EMPTY[:4], box("burn", "*", "*", "*", "*", count=4)),
    bets=BetsView(True, NOW_MS + 11_000, 1284, 5_312_000, "EUR", {"player1_win": (700, 3_000_000)}),
)
DEALING = altered(
    IDLE,
    round=_ROUND,
    now={"phase": "dealing", "act": Words("act.deal", {"box": "box.player3", "place": 2}), "primary": None},
    boxes=MID_DEAL,
    bets=BetsView(False, None, 1284, 5_312_000, "EUR"),
    shoe={"cards_left": 41},
)
DECLARED = altered(
    DEALING,
    now={
        "phase": "settled",
        "act": Words("act.clear_felt"),
        "primary": ButtonView("confirm_felt_clear", Words("button.confirm_felt_clear"), None, "Space"),
    },
    boxes=FULL,
    shoe={"cards_left": 36},
    round={"stage": "settled"},
)


def incident(kind: str = "exposed_card", **changes: Any) -> IncidentView:
    made = IncidentView(
        id=f"I-{next(_ids)}",
        kind=kind,
        phase="betting",
        row=RowView(
            id="TK4",
            text="A card seen while bets are open voids the round.",
            ruling="void_round",
            options=("void_round",),
            approval="pit_boss",
            refund="all",
        ),
        reported_by="dora",
        opened_at_ms=NOW_MS - 42_000,
        holds=True,
        where=WhereView(box="player1", place=1),
        circumstances={"revealed": True},
    )
    return altered(made, **changes)


def held(view: TableView = DEALING, *incidents: IncidentView) -> TableView:
    first = incidents[0] if incidents else incident()
    act = Words("act.held", {"incident": f"incident.{first.kind}"})
    if first.ruled:
        act = Words(f"act.carry_out.{first.ruled}", {"places": Places((("player3", 2),))})
    return altered(view, now={"held": True, "act": act, "primary": None}, incidents={"open": incidents or (first,)})


def lost(device: str = "shoe", why: str = "still_lost") -> IncidentView:
    """A device that is gone; `why` nobody can go on yet, empty once all is right."""
    row = "The link to a device is lost and the table is held. It goes on only when the link is back and the cards on "
    keys = ("stop", "mend.link", "mend.felt", "decide.dealer", "do.resume")
    whose = ("dealer", "technician", "dealer", "dealer", "dealer")
    done = keys.index({"still_lost": "mend.link", "felt_differs": "mend.felt", "": "decide.dealer"}[why])
    stands = ["done" if at < done else "now" if at == done else "later" for at in range(len(keys))]
    sentence = {"still_lost": "Still not connected: the shoe. Check the cable and the power.",
                "felt_differs": "Felt and record do not agree at player1 2. Put the cards right, or void the round."}  # fmt: skip
    return incident(
        "device_lost",
        row={
            "ruling": "continue",
            "options": ("continue",),
            "approval": "dealer",
            "id": "EV1",
            "text": f"{row}the felt agree with the record.",
            "hindered": {"continue": HindranceView(sentence[why], why)} if why else {},
        },
        where={"device": device, "box": ""},
        procedure=ProcedureView(tuple(map(StepView, keys, whose, stands)), whose[done], NOW_MS - 9_000),
    )


def outcome(*won: str) -> dict[str, Any]:
    hands = zip(("player1", "player2", "player3", "banker"), (FULL), strict=False)
    found: dict[str, Any] = {}
    for index, (key, drawn) in enumerate(hands):
        found[key] = {
            "cards": [place.face for place in drawn.places],
            "name": drawn.ranks_as,
            "class": "x",
            "points": 1,
        }
        if index < 3:
            found[key]["result"] = won[index]
    return found


def results(count: int) -> tuple[ResultView, ...]:
    words = ("win", "lose", "tie", "lose", "win")
    return tuple(
        ResultView(f"knights1-{n:07d}", n, NOW_MS - (count - n) * 60_000, n % 11 == 10,
                   {} if n % 11 == 10 else outcome(words[n % 5], words[(n * 3) % 5], words[(n * 7 + 1) % 5]))
        for n in range(1, count + 1)
    )  # fmt: skip
