"""The facts of the pit, held by `verify`: alarms, messages and complaints, each once."""

from __future__ import annotations

from typing import Final, get_args

import msgspec

from studio.errors import BadInputError
from studio.journal.walk import Step
from studio.pit import AnyPitEvent, PitBook, evolve_pit
from studio.pit.pit_event import read_row
from studio.proof.audit.wrong import wrong

_KINDS: Final = frozenset(kind.__name__ for kind in get_args(AnyPitEvent))


class PitAudit:
    """The pit's book, folded row by row."""

    def __init__(self) -> None:
        self._book = PitBook()

    def take(self, step: Step) -> None:
        if step.kind not in _KINDS:
            return
        try:
            event = read_row(step.body)
            if type(event).__name__ != step.kind:
                wrong(step.seq, f"The row is called {step.kind} and tells of a {type(event).__name__}.")
            self._book = evolve_pit(self._book, event)
        except (BadInputError, msgspec.MsgspecError) as error:
            wrong(step.seq, f"{error}")
