"""Something that can go wrong at a table: who does it, what happens, and which incidents it must lead to."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final

from studio.procedures import KIND_BY_KEY
from studio.views.shape import Words

ANY_KIND: Final = tuple(KIND_BY_KEY)
"""Of something that somebody merely says, or that brings whatever was under way to an end."""


class Doer(enum.StrEnum):
    HANDS = "hands"
    SHOE = "shoe"
    SHUFFLER = "shuffler"
    CAMERA = "camera"
    PEOPLE = "people"
    PROGRAM = "program"


MACHINES: Final = (Doer.SHOE, Doer.SHUFFLER, Doer.CAMERA)


@dataclass(frozen=True, slots=True)
class Wrong:
    """One thing that can go wrong.

    `kinds`: it opens an incident of one of these kinds where it shows itself; which, the game and the moment decide,
    and others may follow. Empty: the table bears it without an incident. `what`: what happens on the felt or on the
    wire; empty for what a screen shows, whose words are in the catalogue.
    """

    key: str
    doer: Doer
    kinds: tuple[str, ...] = ()
    what: str = ""

    @property
    def words(self) -> Words | None:
        """The catalogue's words for what happens; None when no screen shows it."""
        return Words(f"mistake_help.{self.key}") if self.doer is Doer.HANDS and not self.what else None
