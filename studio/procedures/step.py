"""What one step of carrying out a procedure is: who does it, and how it is known to be done."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Who(enum.StrEnum):
    """Who owes a step. `second`: the second of two people. `floor`: whoever looks after the machines."""

    DEALER = "dealer"
    PIT_BOSS = "pit_boss"
    SECOND = "second"
    FLOOR = "floor"
    SHUFFLER = "shuffler"


class Sign(enum.StrEnum):
    """What shows the system that a step is done."""

    HELD = "held"
    """The table is held: done as soon as there is an incident."""
    UNSEEN = "unseen"
    """Nothing shows it: it is done with the next step that shows."""
    LINKED = "linked"
    AGREED = "agreed"
    """Felt and record agree."""
    CLEARED = "cleared"
    """The shoe shows no error."""
    FREED = "freed"
    """The shuffler reports no jam."""
    CONFIRMED = "confirmed"
    ASKED = "asked"
    RULED = "ruled"
    PLACED = "placed"
    """Nothing of the ruling is left to do on the felt."""
    FELT_CLEAR = "felt_clear"
    INSERTED = "inserted"
    """The shuffler is at work on a deck."""
    VERIFIED = "verified"
    LOADED = "loaded"
    DEALT = "dealt"
    """A card of the new deal is out."""
    STUB_SHUFFLED = "stub_shuffled"
    """No card lies aside that goes back to the stub."""
    DECIDED = "decided"
    """No case of a lost prize is open."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing somebody does; `key` is stable, `text` is English."""

    key: str
    text: str
    who: Who = Who.DEALER
    sign: Sign = Sign.UNSEEN
