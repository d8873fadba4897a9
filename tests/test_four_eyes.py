"""Every act that takes two people, held to the one rule: two different people, each with the right, both on record."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from correction_bench import ask as ask_correction
from correction_bench import dealt
from table_bench import DEAL, PIT, PIT_TOO, Bench, bench
from unsealing_bench import approving, asking

from dealer_ui.config.file import DecksSection
from dealer_ui.desk.deck import DeckDesk
from dealer_ui.desk.pit import PitDesk
from dealer_ui.desk.pot import KeptPot, PotMove, move_pot
from studio.decks.deck_event import (
    AnyDeckEvent,
    DeckDestroyed,
    DeckReceived,
    StockCounted,
    StockReconciled,
    read_deck_body,
)
from studio.decks.keeping import NewDeck
from studio.errors import InvariantError, RefusedError
from studio.journal import Unit
from studio.people import Actor, StaffAdded, StaffRegister, TwoPeople, evolve_staff
from studio.people.factor_event import SecondFactorEnrolled, SecondFactorReset
from studio.people.second_factor import reset_factor
from studio.pit.pit_event import PotMoved, read_row
from studio.tables import command as c

ROOT: Final = Path(__file__).parent.parent
NOBODY: Final = Actor("t9", "Tom", frozenset({"technician"}))
"""Somebody who may neither approve nor stand by."""


class FourEyes(ABC):
    """An act that PIT began on a table; the second person is yet to come."""

    def __init__(self, table: Bench) -> None:
        self.table = table

    @abstractmethod
    def agree(self, second: Actor) -> None:
        """The second person, the PIN just entered, approves it or stands by."""

    @abstractmethod
    def record(self) -> Iterator[tuple[str, str]]:
        """The two people as the journal's rows of this act have them."""

    def rows(self, kind: str, first: str = "asked_by", second: str = "approved_by") -> Iterator[tuple[str, str]]:
        for row in self.table.rows(kind):
            yield getattr(row, first), getattr(row, second)


class Ruling(FourEyes):
    def __init__(self, table: Bench) -> None:
        super().__init__(table)
        table.open().deposit(10_000)
        table.start().betting(("player1_win", 1000)).draw("8s")
        table.lay("player1", 1, DEAL[0])
        table.rule("manual", PIT, "Js")

    def agree(self, second: Actor) -> None:
        self.table.approve(second)

    def record(self) -> Iterator[tuple[str, str]]:
        yield from self.rows("IncidentRuled")
        yield from self.rows("ExceptionRecorded")


class Correction(FourEyes):
    def __init__(self, table: Bench) -> None:
        super().__init__(table)
        dealt(table)
        ask_correction(table, void=True)

    def agree(self, second: Actor) -> None:
        asked = self.table.state.aftermath.corrections.current
        assert asked is not None
        actor = self.table.pin(second)
        self.table.do(c.ApproveCorrection, actor, correction=asked.id, dossier=self.table.dossier())

    def record(self) -> Iterator[tuple[str, str]]:
        yield from self.rows("CorrectionApproved")
        yield from self.rows("ExceptionRecorded")


class Unsealing(FourEyes):
    def __init__(self, table: Bench) -> None:
        super().__init__(table)
        dealt(table)
        table.do(c.WithdrawShoe, table.pin(PIT), reason_code="worn")
        table.do(c.AskUnsealing, **asking(table, "burn", 1))  # type: ignore[arg-type]

    def agree(self, second: Actor) -> None:
        given: dict[str, Any] = {**approving(self.table), "actor": self.table.pin(second)}
        self.table.do(c.ApproveUnsealing, **given)

    def record(self) -> Iterator[tuple[str, str]]:
        yield from self.rows("CardUnsealed")
        yield from self.rows("ExceptionRecorded")


class TypedCount(FourEyes):
    def __init__(self, table: Bench) -> None:
        super().__init__(table)
        table.open()

    def agree(self, second: Actor) -> None:
        self.table.do(c.TypeCount, self.table.pin(PIT), left=52, beside=self.table.pin(second))

    def record(self) -> Iterator[tuple[str, str]]:
        yield from self.rows("CountEnded", "by", "typed_by")


class _NoTables:
    def decks_of(self, table: str) -> int:
        raise AssertionError(f"nobody asks for table {table} here")

    def deck_in_shoe(self, table: str) -> str:
        raise AssertionError(f"nobody asks for table {table} here")


class DeckAct(FourEyes):
    """Acts of the desk of decks; what it commits is kept here."""

    DECK: Final = NewDeck("RED-1", "casino", "red", 1, "S1", "cage", "A")

    def __init__(self, table: Bench) -> None:
        super().__init__(table)
        self.committed: list[AnyDeckEvent] = []
        self.desk = DeckDesk(self._commit, lambda: table.now, _NoTables(), DecksSection())

    def _commit(self, unit: Unit) -> int:
        self.committed.extend(read_deck_body(entry.body) for entry in unit.entries)
        return len(self.committed)

    def record(self) -> Iterator[tuple[str, str]]:
        for event in self.committed:
            assert isinstance(event, DeckReceived | DeckDestroyed | StockCounted | StockReconciled)
            yield event.by, event.beside


class Receiving(DeckAct):
    def agree(self, second: Actor) -> None:
        self.desk.receive(self.DECK, self.table.pin(PIT), self.table.pin(second))


class Destroying(DeckAct):
    def __init__(self, table: Bench) -> None:
        super().__init__(table)
        self.desk.receive(self.DECK, table.pin(PIT), table.pin(PIT_TOO))
        self.desk.withdraw(self.DECK.id, ("safe", "other", "worn"), table.pin(PIT))
        self.committed.clear()

    def agree(self, second: Actor) -> None:
        self.desk.destroy(self.DECK.id, "drilled", self.table.pin(PIT), self.table.pin(second))


class Counting(DeckAct):
    def agree(self, second: Actor) -> None:
        self.desk.count((), "", self.table.pin(PIT), self.table.pin(second))


class Reconciling(DeckAct):
    def __init__(self, table: Bench) -> None:
        super().__init__(table)
        self.desk.receive(self.DECK, table.pin(PIT), table.pin(PIT_TOO))
        self.desk.count((), "", table.pin(PIT), table.pin(PIT_TOO))
        self.committed.clear()

    def agree(self, second: Actor) -> None:
        self.desk.reconcile(self.DECK.id, "behind the drawer", self.table.pin(PIT), self.table.pin(second))


class MovingPot(FourEyes):
    def __init__(self, table: Bench) -> None:
        super().__init__(table)
        self.committed: list[PotMoved] = []
        self.desk = PitDesk(self._commit, lambda: table.now)

    def _commit(self, unit: Unit) -> int:
        self.committed.extend(row for entry in unit.entries if isinstance(row := read_row(entry.body), PotMoved))
        return len(self.committed)

    def agree(self, second: Actor) -> None:
        known = (KeptPot("old", "EUR", 1, ()), KeptPot("new", "EUR", 1, ("Table 1",)))
        asked = PotMove("old", "new", "It ended.")
        move_pot(self.desk, known, asked, self.table.pin(PIT), self.table.pin(second))

    def record(self) -> Iterator[tuple[str, str]]:
        for event in self.committed:
            yield event.by, event.beside


class Resetting(FourEyes):
    """The second factor of somebody who lost his device; PIT is an administrator too here."""

    def __init__(self, table: Bench) -> None:
        super().__init__(table)
        self.done: list[SecondFactorReset] = []
        self.register = StaffRegister()
        for event in (
            StaffAdded(at_ms=1, id="lost", badge="1", name="Lo", roles=("pit_boss",), pin_hash="#", by="system"),
            SecondFactorEnrolled(at_ms=2, id="lost", factor="f1", step=1),
        ):
            self.register = evolve_staff(self.register, event)

    def agree(self, second: Actor) -> None:
        by = replace(self.table.pin(PIT), roles=PIT.roles | {"admin"})
        beside, now = self.table.pin(second), self.table.now
        away, *_ = reset_factor(self.register, "lost", by=by, beside=beside, reason="lost", now_ms=now)
        assert isinstance(away, SecondFactorReset)
        self.done.append(away)

    def record(self) -> Iterator[tuple[str, str]]:
        for event in self.done:
            yield event.by, event.beside


ACTS: Final = (
    Ruling,
    Correction,
    Unsealing,
    TypedCount,
    Receiving,
    Destroying,
    Counting,
    Reconciling,
    MovingPot,
    Resetting,
)
WHERE: Final = {
    "approve_ruling": Ruling, "approve_correction": Correction, "approve_unsealing": Unsealing,
    "type_count": TypedCount, "receive": Receiving, "destroy": Destroying, "count": Counting,
    "reconcile": Reconciling, "move_pot": MovingPot,
    "reset_factor": Resetting,
}  # fmt: skip
"""Each function that takes a second person, and the act here that goes through it."""


@pytest.fixture(params=ACTS, ids=lambda act: act.__name__)
def act(request: pytest.FixtureRequest) -> Iterator[FourEyes]:
    with bench() as table:
        yield request.param(table)


def refused(act: FourEyes, second: Actor) -> str:
    with pytest.raises(RefusedError) as told:
        act.agree(second)
    assert list(act.record()) == []
    return told.value.key


def test_the_same_person_twice_is_refused(act: FourEyes) -> None:
    assert refused(act, PIT) == "same_person"


def test_a_second_person_without_the_right_is_refused(act: FourEyes) -> None:
    assert refused(act, NOBODY) == "not_allowed"


def test_both_people_stand_in_the_record(act: FourEyes) -> None:
    act.agree(PIT_TOO)
    record = list(act.record())
    assert record
    assert set(record) == {(PIT.id, PIT_TOO.id)}


def test_two_people_who_are_one_cannot_be_written_down() -> None:
    for second in (PIT.id, ""):
        with pytest.raises(InvariantError):
            TwoPeople(PIT.id, PIT.name, second, PIT.name)


def test_every_function_that_takes_a_second_person_is_held_to_it_here() -> None:
    rule = {"need_approver", "need_witness"}
    takes: set[str] = set()
    for path in (one for room in ("studio", "dealer_ui") for one in (ROOT / room).rglob("*.py")):
        text = path.read_text()
        if path.name != "approval.py" and any(word in text for word in rule):
            takes |= {node.name for node in ast.walk(ast.parse(text)) if _calls(node, rule)}
    assert takes == set(WHERE)
    assert set(WHERE.values()) == set(ACTS)


def _calls(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in names for one in ast.walk(node)
    )
