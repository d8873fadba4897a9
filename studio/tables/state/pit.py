"""What the pit has done to a table: frozen it, been called to it, changed its terms."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Freeze:
    """Who froze the table, as an id; empty while nobody has. `floor` is the freeze of the whole floor that did it."""

    by: str = ""
    by_name: str = ""
    floor: str = ""


@dataclass(frozen=True, slots=True)
class PitCall:
    """Who called the pit, as an id; empty while nobody waits for it."""

    by: str = ""
    by_name: str = ""


@dataclass(frozen=True, slots=True)
class Terms:
    """`allowed_by`: the administrator who allowed the pay table as it stands, where one had to. `changed_by`: who of
    the pit changed game or limits, to the `preset` of that name, while they are not those of the file.
    """

    allowed_by: str = ""
    changed_by: str = ""
    preset: str = ""


@dataclass(frozen=True, slots=True)
class Pit:
    freeze: Freeze = field(default_factory=Freeze)
    call: PitCall = field(default_factory=PitCall)
    terms: Terms = field(default_factory=Terms)
