"""Conditions as text: written and read, so that a row can stand in a file and in the journal.

    phase in dealing, deciding; revealed = no; count >= 2
    any(refused = yes | dealer_total is unknown); not(some box has 0)

Terms are separated by `;` and all of them must hold. `=` needs the circumstance to be known, `!=` holds of an unknown
one too. `any` holds when one of its parts does, parted by `|`; `not` when its terms do not all hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from studio.errors import BadInputError
from studio.procedures.circumstance import FLAGS, NUMBERS, PHASES, WORDS, Value
from studio.procedures.condition import (
    AllOf,
    AnyOf,
    AtLeast,
    Below,
    CardsKnown,
    Condition,
    Is,
    IsNot,
    Not,
    Phase,
    SomeBoxHas,
    Unknown,
)

_TOKEN: Final = re.compile(r"\s*(?:(?P<word>[A-Za-z0-9_]+)|(?P<sign>>=|<=|!=|[=<>();|,])|(?P<odd>\S))")
_COMPARES: Final = ("=", "!=", ">=", "<=", ">", "<")
_YES_NO: Final = {"yes": True, "true": True, "no": False, "false": False}


def written(conditions: Iterable[Condition]) -> str:
    """The text of conditions that must all hold; empty where there are none."""
    return "; ".join(map(_written, conditions))


def _written(one: Condition) -> str:
    match one:
        case Phase(phases):
            return f"phase in {', '.join(phases)}"
        case Is(name, value):
            return f"{name} = {_value(value)}"
        case IsNot(name, value):
            return f"{name} != {_value(value)}"
        case Unknown(name):
            return f"{name} is unknown"
        case AtLeast(name, number):
            return f"{name} >= {number}"
        case Below(name, number):
            return f"{name} < {number}"
        case SomeBoxHas(number):
            return f"some box has {number}"
        case CardsKnown(least, most):
            return f"cards from {least} to {most}"
        case AnyOf(parts):
            return f"any({' | '.join(map(_written, parts))})"
        case AllOf(parts):
            return f"all({written(parts)})"
        case Not(inner):
            return f"not({_written(inner)})"


def _value(value: Value) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def read_conditions(text: str) -> tuple[Condition, ...]:
    """The conditions of a text; `BadInputError` says what cannot be read, and what could stand there."""
    return _Reader(text).whole() if text.strip() else ()


class _Reader:
    """Reads from left to right, one token ahead."""

    def __init__(self, text: str) -> None:
        self._tokens = [found[found.lastgroup or 0] for found in _TOKEN.finditer(text.strip())]
        self._at = 0

    def whole(self) -> tuple[Condition, ...]:
        found = self._terms()
        if self._peek():
            raise BadInputError(f"'{self._peek()}' cannot stand here: part two conditions with ';'.")
        return found

    def _terms(self) -> tuple[Condition, ...]:
        found = [self._term()]
        while self._peek() == ";":
            self._next()
            if self._peek() in ("", ")", "|"):
                break
            found.append(self._term())
        return tuple(found)

    def _term(self) -> Condition:
        word = self._next()
        match word:
            case "any":
                return AnyOf(self._parts())
            case "all":
                return AllOf(self._inside())
            case "not":
                return Not(_one(self._inside()))
            case "phase":
                return self._phase()
            case "some":
                self._need("box")
                self._need("has")
                return SomeBoxHas(self._number())
            case "cards":
                self._need("from")
                least = self._number()
                self._need("to")
                return CardsKnown(least, self._number())
        return self._compared(word)

    def _phase(self) -> Condition:
        sign = self._next()
        if sign not in ("=", "in", "!=", "not"):
            raise BadInputError(f"After 'phase' comes 'in' or '=', not '{sign}'.")
        if sign == "not":
            self._need("in")
        phases = [self._one_phase()]
        while self._peek() == ",":
            self._next()
            phases.append(self._one_phase())
        return Phase(tuple(phases)) if sign in ("=", "in") else Not(Phase(tuple(phases)))

    def _one_phase(self) -> str:
        word = self._next()
        if word not in PHASES:
            raise BadInputError(f"There is no phase '{word}'. The phases are: {', '.join(PHASES)}.")
        return word

    def _compared(self, name: str) -> Condition:
        if not (name in FLAGS or name in NUMBERS or name in WORDS or name.endswith("_cards")):
            known = ", ".join((*FLAGS, *NUMBERS, *WORDS, "<box>_cards"))
            raise BadInputError(f"There is no circumstance '{name}'. The names are: {known}, and phase.")
        sign = self._next()
        if sign == "is":
            self._need("unknown")
            return Unknown(name)
        if sign not in _COMPARES:
            raise BadInputError(f"After '{name}' comes one of {' '.join(_COMPARES)} or 'is unknown', not '{sign}'.")
        value = _read_value(name, self._next())
        if sign in ("=", "!="):
            return Is(name, value) if sign == "=" else IsNot(name, value)
        if isinstance(value, bool | str):
            raise BadInputError(f"'{name}' is not a number: compare it with = or !=.")
        match sign:
            case ">=":
                return AtLeast(name, value)
            case ">":
                return AtLeast(name, value + 1)
            case "<":
                return Below(name, value)
        return Below(name, value + 1)

    def _parts(self) -> tuple[Condition, ...]:
        self._need("(")
        found = [_one(self._terms())]
        while self._peek() == "|":
            self._next()
            found.append(_one(self._terms()))
        self._need(")")
        return tuple(found)

    def _inside(self) -> tuple[Condition, ...]:
        self._need("(")
        found = self._terms()
        self._need(")")
        return found

    def _number(self) -> int:
        word = self._next()
        if not re.fullmatch(r"[0-9]{1,4}", word):
            raise BadInputError(f"A whole number, 0 or more, stands here, not '{word}'.")
        return int(word)

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        found = self._peek()
        if not found:
            raise BadInputError("The condition ends too early.")
        self._at += 1
        return found

    def _need(self, wanted: str) -> None:
        found = self._next()
        if found != wanted:
            raise BadInputError(f"'{wanted}' stands here, not '{found}'.")


def _one(conditions: tuple[Condition, ...]) -> Condition:
    return conditions[0] if len(conditions) == 1 else AllOf(conditions)


def _read_value(name: str, word: str) -> Value:
    if name in FLAGS:
        if word not in _YES_NO:
            raise BadInputError(f"'{name}' is yes or no, not '{word}'.")
        return _YES_NO[word]
    if name in WORDS:
        if word not in WORDS[name]:
            raise BadInputError(f"'{name}' cannot be '{word}'. It can be: {', '.join(WORDS[name])}.")
        return word
    if not re.fullmatch(r"[0-9]{1,4}", word):
        raise BadInputError(f"'{name}' is a whole number, 0 or more, not '{word}'.")
    return int(word)
