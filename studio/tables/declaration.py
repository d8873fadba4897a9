"""What every command of a person has, and what each declares of itself: who may ask, how it is said, when it is late.

Doors, forms and `decide` follow from what is declared here and in `command`; none of them lists commands of its own.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, Literal, get_type_hints

from studio.people import Actor


class Late(enum.Enum):
    """What makes a press too late that was meant for an older table."""

    MOVED = enum.auto()
    """Any move of the table since."""
    DEALT = enum.auto()
    """Whatever happened to the deal since."""
    NEVER = enum.auto()
    """It is right whatever has happened since."""


About = Literal["table", "round", "deck", "freeze", "terms", "request", "ruling", "plan"]
"""What an act is about beside what its form says: whatever stands at the table when it is done, or the round that was
on the felt, the shoe as it was loaded, the freeze of somebody, the game with its pay table and limits, what
waits for a second person at an incident, what was ruled there (`UNRULED` until somebody has), who is planned to deal.
"""


class FieldKind(enum.Enum):
    """How a form says a field."""

    TEXT = enum.auto()
    NEEDED_TEXT = enum.auto()
    NUMBER = enum.auto()
    NEEDED_NUMBER = enum.auto()
    YES = enum.auto()
    CARD = enum.auto()
    BOX = enum.auto()
    """Of a place on the felt: by itself, or in `at` together with the number."""
    PLACE = enum.auto()
    SEAT = enum.auto()
    """In `seat`, which may name the bettor too."""
    BETTOR = enum.auto()
    DEALER_NAME = enum.auto()
    """As the staff register has it; no screen is asked."""
    TURNS = enum.auto()
    ARGUMENTS = enum.auto()
    CIRCUMSTANCES = enum.auto()


Text = Annotated[str, FieldKind.TEXT]
Needed = Annotated[str, FieldKind.NEEDED_TEXT]
Number = Annotated[int, FieldKind.NUMBER]
Yes = Annotated[bool, FieldKind.YES]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandTerms:
    """The terms on which a command is taken. `door` lists the rights of which a form's sender needs one; a command
    without a door cannot come from a form.
    """

    door: tuple[str, ...] = ()
    late: Late = Late.MOVED
    about: About = "table"
    first: bool = False
    """Done before everything that waits at a table: whoever asks for it has seen something nobody else has."""
    own_table: bool = False
    """A dealer does it at his own table only."""
    counting: bool = False
    """It may be done while cards are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """`id` is made by the asking screen, so that a double tap is one act; `seen` is the table's `moves` the person was
    looking at. `pit_bosses`: how many are on the floor when it is asked; the floor says so, never a screen.

    `about`: the id of what its form was about when it was drawn. A screen leaves a form alone that somebody types in,
    while the page around it, and `seen` with it, is of the newest table.
    """

    terms: ClassVar[CommandTerms] = CommandTerms()

    actor: Actor
    id: str = ""
    seen: int | None = None
    pit_bosses: int = 1
    about: str = ""

    def is_stale(self, moves: int, dealt: int) -> bool:
        """The person looked at an older table."""
        if self.seen is None or self.terms.late is Late.NEVER:
            return False
        return not (dealt if self.terms.late is Late.DEALT else moves) <= self.seen <= moves


_WORD: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def name_of(made: type[Command]) -> str:
    """What a form calls the command, and what the function is called that carries it out: `start_round`."""
    return _WORD.sub("_", made.__name__).lower()


def said_in(made: type[Command]) -> Mapping[str, FieldKind]:
    """The fields that a form says, in their order; the others are nobody's to send."""
    hints = get_type_hints(made, include_extras=True)
    marks = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
    return {name: mark for name, given in marks.items() for mark in given if isinstance(mark, FieldKind)}


def commands_in(file: Mapping[str, object]) -> tuple[type[Command], ...]:
    """The commands that a module declares, given its `vars`, in the order they stand there."""
    return tuple(one for one in file.values() if isinstance(one, type) and Command in one.__bases__)
