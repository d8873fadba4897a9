"""The only place where a script meets the facts: `play(script, facts)` is the deal, the restart, the replay,
the audit and the "what if".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from studio.games.script import Burn, Deal, Decide, OpenBets, Reveal, Script, Shuffle, Step, Turn
from studio.ports import CardFace
from studio.rounds.fact import (
    AnyFact,
    CardBurned,
    CardDealt,
    Chose,
    PlainFact,
    Revealed,
    Shuffled,
    WindowClosed,
    corrected,
)


@dataclass(frozen=True, slots=True)
class Awaiting:
    """The script waits for `step`; of a `Burn`, `done` cards are burned already. `place`: where a `Deal` goes."""

    step: Step
    done: int = 0
    place: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    outcome: Any


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
    dealt: dict[str, int] = {}
    burned = 0
    try:
        step: Step = next(script)
        for at, fact in enumerate(plain):
            if not _fits(step, fact, dealt):
                return Misfit(at, step, fact)
            if isinstance(fact, CardDealt):
                dealt[fact.box] = dealt.get(fact.box, 0) + 1
            if isinstance(step, Burn):
                burned += 1
                if burned < step.count:
                    continue
                burned = 0
            try:
                step = script.send(_answer(fact))
            except StopIteration as stop:
                if at + 1 < len(plain):
                    return Misfit(at + 1, None, plain[at + 1])
                return Finished(stop.value)
    finally:
        script.close()
    place = dealt.get(step.box, 0) + 1 if isinstance(step, Deal) else 0
    return Awaiting(step, burned, place)


def _fits(step: Step, fact: PlainFact, dealt: dict[str, int]) -> bool:
    match step, fact:
        case Burn(), CardBurned():
            return True
        case Deal(box=box, face=CardFace.UP), CardDealt(face=face, place=place):
            return fact.box == box and place == dealt.get(box, 0) + 1 and face is not None
        case Deal(box=box, face=CardFace.DOWN), CardDealt(place=place):
            return fact.box == box and place == dealt.get(box, 0) + 1
        case ((OpenBets() | Decide()), WindowClosed()):
            return True
        case Turn(box=box, options=options), Chose(option=option):
            return fact.box == box and option in options
        case Reveal(box=box), Revealed():
            return fact.box == box and len(fact.faces) == dealt.get(box, 0)
        case Shuffle(), Shuffled():
            return True
    return False


def _answer(fact: PlainFact) -> object:
    match fact:
        case CardDealt(face=None, card=card):
            return card
        case CardDealt(face=face):
            return face
        case Chose(option=option):
            return option
        case Revealed(faces=faces):
            return faces
        case WindowClosed(boxes=boxes):
            return boxes
    return None
