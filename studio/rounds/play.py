"""The only place where a script meets the facts: `play(script, facts)` is the deal, the restart, the replay,
the audit and the "what if".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from studio.games.script import Burn, Deal, Decide, Lay, OpenBets, Reveal, Script, Shuffle, Step, Turn
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

STAKING: Final = ("bet", "raise")
"""The options that name an amount."""


@dataclass(frozen=True, slots=True)
class Awaiting:
    """The script waits for `step`; of a `Burn`, `done` cards are burned already. `place`: where a `Deal` goes.

    `decided`: the bets it has settled so far, and what a stake of 1 on each comes back as.
    """

    step: Step
    done: int = 0
    place: int = 0
    decided: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finished:
    outcome: Any
    decided: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Misfit:
    """Fact number `at` (of the corrected facts) does not fit: the script awaited `awaited` and got `got`.

    `awaited` is None where the script had already finished. A value, not an exception: the pit's preview.
    """

    at: int
    awaited: Step | None
    got: PlainFact


Standing = Awaiting | Finished | Misfit


def play(script: Script, facts: Sequence[AnyFact]) -> Standing:
    """Play the script over the facts, corrections applied; says what it awaits, what came out, or what misfits."""
    plain = corrected(facts)
    late = frozenset(slot for slot, fact in _slots(facts) if slot is not None and isinstance(fact, CardPostponed))
    slots = [slot for slot, _ in _slots(plain)]
    given = {slot: _answer(fact) for slot, fact in zip(slots, plain, strict=True) if slot is not None and slot in late}
    in_turn = [fact for slot, fact in zip(slots, plain, strict=True) if slot not in given]
    ruled = {fact.number: fact for fact in facts if isinstance(fact, BurnRuled)}
    course = Course(script, late, given, ruled)
    burned = 0
    try:
        step = course.go(None, known=bool(in_turn))
        for at, fact in enumerate(in_turn):
            if not _fits(step, fact, course):
                return Misfit(at, step, fact)
            if isinstance(step, Burn):
                burned += 1
                if burned < step.count:
                    continue
                burned = 0
            try:
                step = course.go(_answer(fact), known=at + 1 < len(in_turn))
            except StopIteration as stop:
                if at + 1 < len(in_turn):
                    return Misfit(at + 1, None, in_turn[at + 1])
                return Finished(stop.value, course.decided)
    finally:
        script.close()
    return Awaiting(step, burned, course.place if isinstance(step, Deal) else 0, course.decided)


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
    """One of its options, or what it does when nobody chooses; with an amount, or rows, where it takes them."""
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
