"""The conditions a row may carry: small data over the circumstances of an incident."""

from __future__ import annotations

from dataclasses import dataclass

from studio.procedures.circumstance import FLAGS, PHASES, WORDS, Circumstances, Value

ANY_BOX = "any_cards"
"""Stands, in samples, for the number of cards of whichever box."""
ANOTHER_BOX = "another_cards"
"""And for that of a second one."""


@dataclass(frozen=True, slots=True)
class Phase:
    """The incident was found in one of these phases."""

    phases: tuple[str, ...]

    def holds(self, found: Circumstances) -> bool:
        return found.phase in self.phases

    def samples(self) -> dict[str, tuple[Value | None, ...]]:
        return {"phase": PHASES}


@dataclass(frozen=True, slots=True)
class Is:
    """The circumstance is known and has this value."""

    name: str
    value: Value

    def holds(self, found: Circumstances) -> bool:
        return found.value(self.name) == self.value

    def samples(self) -> dict[str, tuple[Value | None, ...]]:
        return {self.name: _values(self.name, self.value)}


@dataclass(frozen=True, slots=True)
class IsNot:
    """The circumstance is not known to have this value: unknown will do, for the row's words say so."""

    name: str
    value: Value

    def holds(self, found: Circumstances) -> bool:
        return found.value(self.name) != self.value

    def samples(self) -> dict[str, tuple[Value | None, ...]]:
        return {self.name: _values(self.name, self.value)}


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing is known under this name."""

    name: str

    def holds(self, found: Circumstances) -> bool:
        return found.value(self.name) is None

    def samples(self) -> dict[str, tuple[Value | None, ...]]:
        return {self.name: _values(self.name, 0)}


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The number is known and is this or more."""

    name: str
    number: int

    def holds(self, found: Circumstances) -> bool:
        value = found.value(self.name)
        return value is not None and not isinstance(value, str) and value >= self.number

    def samples(self) -> dict[str, tuple[Value | None, ...]]:
        return {self.name: _around(self.number)}


@dataclass(frozen=True, slots=True)
class Below:
    """The number is known and is less than this."""

    name: str
    number: int

    def holds(self, found: Circumstances) -> bool:
        value = found.value(self.name)
        return value is not None and not isinstance(value, str) and value < self.number

    def samples(self) -> dict[str, tuple[Value | None, ...]]:
        return {self.name: _around(self.number)}


@dataclass(frozen=True, slots=True)
class SomeBoxHas:
    """A box, the dealer's apart, is known to have exactly this many cards."""

    number: int

    def holds(self, found: Circumstances) -> bool:
        return bool(boxes_with(self.number, found))

    def samples(self) -> dict[str, tuple[Value | None, ...]]:
        return {ANY_BOX: (None, self.number, self.number + 1)}


@dataclass(frozen=True, slots=True)
class CardsKnown:
    """A box was named with its cards, and the cards of all named boxes together are so many."""

    at_least: int
    at_most: int

    def holds(self, found: Circumstances) -> bool:
        boxes = found.boxes()
        return bool(boxes) and self.at_least <= sum(boxes.values()) <= self.at_most

    def samples(self) -> dict[str, tuple[Value | None, ...]]:
        return {ANY_BOX: (None, 0, self.at_least, self.at_most, self.at_most + 1)}


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of these holds."""

    conditions: tuple[Condition, ...]

    def holds(self, found: Circumstances) -> bool:
        return any(condition.holds(found) for condition in self.conditions)

    def samples(self) -> dict[str, tuple[Value | None, ...]]:
        return merged(self.conditions)


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of these hold."""

    conditions: tuple[Condition, ...]

    def holds(self, found: Circumstances) -> bool:
        return all(condition.holds(found) for condition in self.conditions)

    def samples(self) -> dict[str, tuple[Value | None, ...]]:
        return merged(self.conditions)


@dataclass(frozen=True, slots=True)
class Not:
    """This does not hold."""

    condition: Condition

    def holds(self, found: Circumstances) -> bool:
        return not self.condition.holds(found)

    def samples(self) -> dict[str, tuple[Value | None, ...]]:
        return self.condition.samples()


Condition = Phase | Is | IsNot | Unknown | AtLeast | Below | SomeBoxHas | CardsKnown | AnyOf | AllOf | Not

BETS_NOT_IN = Is("bets_in", False)
"""Before bets are in: shuffling, burning, betting, or `bets_in` given as no."""

CARDS_OUT = AnyOf((Not(Phase(("shuffling",))), CardsKnown(1, 999)))
"""Cards lie on the felt: any phase but shuffling, or boxes said to have some."""


def phase(*phases: str) -> Phase:
    """`phase("result", "settled")`, so that a row reads like its line in the printed table."""
    return Phase(phases)


def any_of(*conditions: Condition) -> AnyOf:
    return AnyOf(conditions)


def all_of(*conditions: Condition) -> AllOf:
    return AllOf(conditions)


def boxes_with(number: int, found: Circumstances) -> tuple[str, ...]:
    """The boxes, the dealer's and the board apart, known to have exactly this many cards."""
    return tuple(box for box, cards in found.boxes().items() if cards == number and box not in _NOT_A_BETTORS)


def merged(conditions: tuple[Condition, ...]) -> dict[str, tuple[Value | None, ...]]:
    """Values worth trying for every name these conditions look at, `check_rows` walks them all."""
    found: dict[str, tuple[Value | None, ...]] = {}
    for condition in conditions:
        for name, values in condition.samples().items():
            found[name] = tuple(dict.fromkeys((*found.get(name, ()), *values)))
    return found


_NOT_A_BETTORS = frozenset({"dealer", "board", "burn"})


def _values(name: str, value: Value) -> tuple[Value | None, ...]:
    if name in FLAGS:
        return (None, True, False)
    if name in WORDS:
        return (None, *WORDS[name])
    return (None, value) if isinstance(value, str) else _around(value)


def _around(number: int) -> tuple[Value | None, ...]:
    """Unknown, and the numbers on both sides of this one: between two such borders all numbers are alike."""
    return (None, *(one for one in (number - 1, number, number + 1) if one >= 0))
