"""The facts of people, held by `verify`: staff, shifts, operators."""

from __future__ import annotations

from studio.errors import BadInputError, IllegalEventError, RefusedError
from studio.journal.walk import Step
from studio.operators import OPERATOR_KINDS, OperatorRegister, evolve_operators, read_operator
from studio.people import SHIFT_KINDS, STAFF_KINDS, StaffRegister, evolve_staff
from studio.people.record import read_shift, read_staff
from studio.people.shift import Shifts, evolve_shifts
from studio.proof.audit.wrong import wrong


class PeopleAudit:
    """Staff, shifts and operators, folded row by row."""

    def __init__(self) -> None:
        self._register = StaffRegister()
        self._shifts = Shifts()
        self._operators = OperatorRegister()

    def take(self, step: Step) -> None:
        try:
            if step.kind in STAFF_KINDS:
                told = read_staff(step.body)
                self._register = evolve_staff(self._register, told)
            elif step.kind in SHIFT_KINDS:
                shift = read_shift(step.body)
                self._shifts = evolve_shifts(self._shifts, shift, step.seq)
            elif step.kind in OPERATOR_KINDS:
                self._operators = evolve_operators(self._operators, read_operator(step.body))
        except (BadInputError, IllegalEventError, RefusedError) as error:
            wrong(step.seq, f"{error}")
