"""Where a table's decks are: in the machine, verified or blocked, in play, used.

Two decks rotate: while one is dealt the other is shuffled, counted and verified. A deck has no name before its
verification gives it one; its order is known to nobody. A deck that is blocked becomes good by another shuffle only.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Final

import msgspec

from studio.ports import DeckVerified
from studio.tables.state.count import Counted, DeckCount


class DeckStage(enum.StrEnum):
    VERIFIED = "verified"
    BLOCKED = "blocked"
    IN_PLAY = "in_play"
    USED = "used"


AT_WORK: Final = frozenset({"loading", "shuffling", "verifying"})
"""States of a machine with a deck under way."""
OK: Final = "ok"
IN_SHOE: Final = "in_shoe"
"""The machine names a deck that lies in the shoe."""
UNEXPECTED: Final = "unexpected"
"""The machine verifies a deck that it was not given."""
RESHUFFLED: Final = "reshuffled"
"""The deck was shuffled again before it came out: what was verified is no more."""
UNHEARD: Final = "unheard"
"""It lay in the machine while that was not heard, and the machine knows nothing of it now."""

_KEPT: Final = 8


class DeckRecord(msgspec.Struct, frozen=True):
    """A deck that was verified. `verdict`: the machine's, an alarm under which it lay there, or one of ours."""

    id: str
    stage: DeckStage
    count: int = 0
    verdict: str = OK


class Machine(msgspec.Struct, frozen=True):
    """The shuffler as it describes itself; `state` is empty until it has. `deck` is the verified or blocked deck in it.

    `owes`: a deck went through it, or may have, whose verification has not come.
    """

    state: str = ""
    since_ms: int = 0
    alarms: frozenset[str] = frozenset()
    deck: str = ""
    owes: bool = True


class Decks(msgspec.Struct, frozen=True):
    """The decks of a table: `records` of those that were verified, the newest last, and in `shoes` how often one was
    loaded.

    `count`: of cards, while one is under way; `counted`: how the last one ended.
    """

    records: tuple[DeckRecord, ...] = ()
    machine: Machine = msgspec.field(default_factory=Machine)
    shoes: int = 0
    count: DeckCount | None = None
    counted: Counted | None = None


def told_state(machine: Machine, state: str, at_ms: int) -> Machine:
    """The machine after it reported this state. From idle straight to ready, it has worked without being heard and owes
    a verification; alarms stand only in the state `error`.
    """
    if state == machine.state:
        return machine
    owes = machine.owes
    if state in AT_WORK or (state == "ready" and machine.state == "idle"):
        owes = True
    elif state == "idle":
        owes = False
    deck = "" if state == "idle" or state in AT_WORK else machine.deck
    alarms = machine.alarms if state == "error" else frozenset()
    return Machine(state, at_ms, alarms, deck, owes)


def verdict_on(machine: Machine, seen: DeckVerified, *, cards: int, in_shoe: str) -> str | None:
    """The verdict that a verification brings; None where it says nothing new. A good verdict on a deck is undone by a
    later bad one, a bad verdict only by another shuffle.
    """
    if not machine.owes and seen.deck_id == machine.deck and seen.deck_id != in_shoe:
        return None if seen.verdict == OK else seen.verdict
    if seen.deck_id == in_shoe:
        return IN_SHOE if machine.owes and machine.state else None
    if not machine.owes:
        return UNEXPECTED
    if seen.verdict != OK:
        return seen.verdict
    return OK if seen.count == cards else "short" if seen.count < cards else "over"


def put(decks: Iterable[DeckRecord], deck: DeckRecord) -> tuple[DeckRecord, ...]:
    """The newest last; of those that are used or blocked only the last are remembered."""
    found = (*(one for one in decks if one.id != deck.id), deck)
    spent = [one for one in found if one.stage in (DeckStage.USED, DeckStage.BLOCKED)]
    forgotten = {one.id for one in spent[:-_KEPT]}
    return tuple(one for one in found if one.id not in forgotten)
