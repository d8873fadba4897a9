"""The books beside the tables, folded row by row for `verify`: the pit, the people of the house, the decks,
the programs that ran.

Each audit reads the rows of its own book and says which is the first that cannot follow from those before it.
"""

from __future__ import annotations

from typing import Final, get_args

import msgspec

from studio.care.event import ProgramFound, read_care
from studio.care.program import KINDS as PROGRAM_KINDS
from studio.care.program import digest_of, with_changes
from studio.decks import DeckRegister, evolve_decks
from studio.decks.deck_event import DeckDestroyed, DeckReceived, StockCounted, StockReconciled, read_deck_body
from studio.errors import BadInputError, IllegalEventError, RefusedError
from studio.journal.extract.walk import WalkStep
from studio.operators import (
    BETTOR_KINDS,
    OPERATOR_KINDS,
    BettorBook,
    OperatorRegister,
    evolve_operators,
    read_bettor,
    read_operator,
)
from studio.people import SHIFT_KINDS, STAFF_KINDS, StaffRegister, are_two, evolve_staff
from studio.people.factor_event import SecondFactorReset
from studio.people.record import read_shift, read_staff
from studio.people.shift import Shifts, evolve_shifts
from studio.pit import AnyPitEvent, PitBook, evolve_pit
from studio.pit.pit_event import read_row
from studio.proof.audit.wrong import wrong

_KINDS: Final = frozenset(kind.__name__ for kind in get_args(AnyPitEvent))


class PitAudit:
    """Alarms, messages and complaints: each is raised, shown or made once."""

    def __init__(self) -> None:
        self._book = PitBook()

    def take(self, step: WalkStep) -> None:
        if step.kind not in _KINDS:
            return
        try:
            event = read_row(step.body)
            if type(event).__name__ != step.kind:
                wrong(step.seq, f"The row is called {step.kind} and tells of a {type(event).__name__}.")
            self._book = evolve_pit(self._book, event)
        except (BadInputError, msgspec.MsgspecError) as error:
            wrong(step.seq, f"{error}")


class ProgramAudit:
    """The programs that ran: each row's digest is that of the parts as the rows so far tell them."""

    def __init__(self) -> None:
        self._parts: dict[str, str] = {}

    def take(self, step: WalkStep) -> None:
        if step.kind not in PROGRAM_KINDS:
            return
        try:
            event = read_care(step.body)
        except BadInputError as error:
            wrong(step.seq, f"{error}")
        if type(event).__name__ != step.kind:
            wrong(step.seq, f"The row is called {step.kind} and tells of a {type(event).__name__}.")
        if isinstance(event, ProgramFound):
            self._parts = with_changes(self._parts, event)
            if digest_of(self._parts) != event.digest:
                wrong(step.seq, "The program's digest is not that of the parts the record tells of.")


class PeopleAudit:
    """Staff, shifts, operators and their bettors, one register each."""

    def __init__(self) -> None:
        self._register = StaffRegister()
        self._shifts = Shifts()
        self._operators = OperatorRegister()
        self._bettors = BettorBook()

    def take(self, step: WalkStep) -> None:
        try:
            if step.kind in STAFF_KINDS:
                told = read_staff(step.body)
                self._register = evolve_staff(self._register, told)
                if isinstance(told, SecondFactorReset) and not are_two(told.by, told.beside):
                    wrong(step.seq, f"The second factor of {told.id}: two people reset it, and the record names one.")
            elif step.kind in SHIFT_KINDS:
                shift = read_shift(step.body)
                self._shifts = evolve_shifts(self._shifts, shift, step.seq)
            elif step.kind in OPERATOR_KINDS:
                self._operators = evolve_operators(self._operators, read_operator(step.body))
            elif step.kind in BETTOR_KINDS:
                self._bettors.take(read_bettor(step.body))
        except (BadInputError, IllegalEventError, RefusedError) as error:
            wrong(step.seq, f"{error}")


class DeckAudit:
    """The register of decks: nothing happens to a deck that cannot."""

    def __init__(self) -> None:
        self._register = DeckRegister()

    def take(self, kind: str, body: bytes, seq: int) -> None:
        """Follow one row; `WrongError` where it cannot be so."""
        try:
            event = read_deck_body(body)
            self._register = evolve_decks(self._register, event)
        except (BadInputError, IllegalEventError) as error:
            wrong(seq, str(error))
        if type(event).__name__ != kind:
            wrong(seq, f"The row is called {kind} and tells of a {type(event).__name__}.")
        if isinstance(event, DeckReceived | DeckDestroyed | StockCounted | StockReconciled) and not are_two(
            event.by, event.beside
        ):
            wrong(seq, f"Deck {event.deck}: two people do this, and the record names one.")
