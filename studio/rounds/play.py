"""`play(script, facts)` is the deal, the restart, the replay, the audit and the "what if"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec

from studio.ports import CardFace
from studio.rounds.course import Course, Slot
from studio.rounds.fact import (
    AnyFact,
    BurnRuled,
    CardBurned,
    CardDealt,
    CardPostponed,
    Chose,
    Laid,
    PlainFact,
    Revealed,
    Shuffled,
    WindowClosed,
    corrected,
)
from studio.rulebook.script import Burn, Deal, Decide, Lay, OpenBets, Reveal, Script, Shuffle, Step, Turn

STAKING: Final = ("bet", "raise")
"""The options that name an amount."""


class Awaiting(msgspec.Struct, frozen=True):
    """The script waits for `step`; of a `Burn`, `done` cards are burned already. `place`: where a `Deal` goes.

    `decided`: the bets it has settled so far, and what a stake of 1 on each comes back as.
    """

    step: Step
    done: int = 0
    place: int = 0
    decided: Mapping[str, Fraction] = msgspec.field(default_factory=dict)


class Finished(msgspec.Struct, frozen=True):
    outcome: Any
    decided: Mapping[str, Fraction] = msgspec.field(default_factory=dict)


class Misfit(msgspec.Struct, frozen=True):
    """Fact number `at` (of the corrected facts) does not fit: the script awaited `awaited` and got `got`.

    `awaited` is None where the script had already finished. A value, not an exception: the pit's preview.
    """

    at: int
    awaited: Step | None
    got: PlainFact


Standing = Awaiting | Finished | Misfit


def play(script: Script, facts: Sequence[AnyFact]) -> Standing:
    """Play the script over the facts, corrections applied; says what it awaits, what came out, or what misfits."""
    playing, in_turn = begin(script, facts)
    try:
        return playing.take(in_turn)
    finally:
        script.close()


def begin(script: Script, facts: Sequence[AnyFact]) -> tuple[Playing, Sequence[PlainFact]]:
    """The script before anything has happened, and what it is to take of these facts, corrections applied."""
    plain = corrected(facts)
    late = frozenset(slot for slot, fact in _slots(facts) if slot is not None and isinstance(fact, CardPostponed))
    slots = [slot for slot, _ in _slots(plain)]
    given = {slot: _answer(fact) for slot, fact in zip(slots, plain, strict=True) if slot is not None and slot in late}
    in_turn = [fact for slot, fact in zip(slots, plain, strict=True) if slot not in given]
    ruled = {fact.number: fact for fact in facts if isinstance(fact, BurnRuled)}
    return Playing(Course(script, late, given, ruled)), in_turn


class Playing:
    """A script on its way through plain facts. Those that come later may be given to it later."""

    __slots__ = ("_burned", "_course", "_step", "_taken")

    def __init__(self, course: Course) -> None:
        self._course = course
        self._step: Step | None = None
        self._burned = 0
        self._taken = 0

    def take(self, facts: Sequence[PlainFact]) -> Standing:
        """Play these facts and return how the round stands then. It goes on from the step it awaits; after a misfit or
        the end it cannot.
        """
        step = self._step or self._course.go(None, known=bool(facts))
        for at, fact in enumerate(facts):
            if not _fits(step, fact, self._course):
                return Misfit(self._taken, step, fact)
            self._taken += 1
            if isinstance(step, Burn):
                self._burned += 1
                if self._burned < step.count:
                    continue
                self._burned = 0
            try:
                step = self._course.go(_answer(fact), known=at + 1 < len(facts))
            except StopIteration as stop:
                if at + 1 < len(facts):
                    return Misfit(self._taken, None, facts[at + 1])
                return Finished(stop.value, dict(self._course.decided))
        self._step = step
        place = self._course.place if isinstance(step, Deal) else 0
        return Awaiting(step, self._burned, place, dict(self._course.decided))


def _slots(facts: Sequence[AnyFact]) -> Iterator[tuple[Slot | None, AnyFact]]:
    """Each fact with the place it speaks of, told from the same place before the box was laid and dealt to again."""
    laid: Counter[str] = Counter()
    for fact in facts:
        match fact:
            case CardDealt(box=box, place=place) | CardPostponed(box=box, place=place):
                yield (box, place, laid[box]), fact
            case Laid(box=box):
                laid[box] += 1
                yield None, fact
            case _:
                yield None, fact


def _fits(step: Step, fact: PlainFact, course: Course) -> bool:
    match step, fact:
        case Burn(), CardBurned():
            return True
        case Deal(box=box, face=CardFace.UP), CardDealt(face=face, place=place):
            return fact.box == box and place == course.place and face is not None
        case Deal(box=box, face=CardFace.DOWN), CardDealt(place=place):
            return fact.box == box and place == course.place
        case ((OpenBets() | Decide()), WindowClosed()):
            return True
        case Turn(box=box), Chose():
            return fact.box == box and _may_choose(step, fact)
        case Reveal(box=box), Revealed():
            return fact.box == box and len(fact.faces) == course.dealt(box)
        case Lay(), Laid(faces=faces):
            return (fact.box, fact.to, fact.away) == (step.box, step.to, step.away) and len(faces) == len(step.to)
        case Shuffle(), Shuffled():
            return True
    return False


def _may_choose(turn: Turn, chose: Chose) -> bool:
    """Whether this is one of the turn's options, with an amount or rows just where the option takes them, or what
    happens when nobody chooses.
    """
    if chose.option not in turn.options:
        return chose.by_default and chose.option in (turn.default, turn.away) and not (chose.to_minor or chose.rows)
    if turn.placing is not None:
        return turn.placing.refusal(chose.rows) is None and not chose.to_minor
    return not chose.rows and _may_stake(turn, chose.option, chose.to_minor)


def _may_stake(turn: Turn, option: str, to_minor: int) -> bool:
    """A bet or a raise names an amount the seat may have in front of it; nothing else names one."""
    if option not in STAKING:
        return not to_minor
    return turn.to_minor is not None and turn.to_minor[0] <= to_minor <= turn.to_minor[1]


def _answer(fact: PlainFact) -> object:
    match fact:
        case CardDealt(face=None, card=card):
            return card
        case CardDealt(face=face):
            return face
        case Chose(option=option, rows=rows) if rows:
            return option, rows
        case Chose(option=option, to_minor=to_minor):
            return (option, to_minor) if to_minor else option
        case Revealed(faces=faces) | Laid(faces=faces):
            return faces
        case WindowClosed(boxes=boxes):
            return boxes
    return None
