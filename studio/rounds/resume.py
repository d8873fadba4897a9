"""Scripts kept where they stand: the next fact goes on from there, not from the first of the deal.

`play_on` says what `play` says of all the facts together. What is kept only saves time: where nothing is kept, after a
restart, or a correction, the deal is played from its first fact. So it is at each fact of a deal with a card that comes
late: what is given for it later belongs before what came first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from studio.rounds.fact import AnyFact, CardPostponed, PlainFact
from studio.rounds.play import Awaiting, Playing, Standing, begin
from studio.rulebook.script import Script

_KEPT: Final = 512
"""So many standings are kept, the latest ones: some for each table of a studio, and for each reader of its past."""

Played = tuple[tuple[AnyFact, ...], Standing]
"""Facts, and how a script stands after them."""


@dataclass(slots=True)
class _Mark:
    """How a script stands after `facts`: the script itself until it has gone on, by `fact`, to `then`."""

    standing: Standing
    facts: Sequence[AnyFact]
    playing: Playing | None
    fact: AnyFact | None = None
    then: Played | None = None


class _Marks:
    """The marks by the very standing they are of. Any thread may ask; a script is given out once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_standing: OrderedDict[int, _Mark] = OrderedDict()

    def find(self, standing: Standing, facts: Sequence[AnyFact], fact: AnyFact) -> Played | Playing | None:
        """What the same fact led to before, or the script at that point to go on with; None where nothing was kept for
        it.
        """
        with self._lock:
            mark = self._by_standing.get(id(standing))
            if mark is None or mark.standing is not standing or mark.facts is not facts:
                return None
            if mark.fact is fact:
                return mark.then
            playing, mark.playing = mark.playing, None
            return playing

    def put(self, standing: Standing, facts: Sequence[AnyFact], fact: AnyFact, then: Played, playing: Playing) -> None:
        """From `standing` after `facts` the script went by `fact` to `then`, and is there now."""
        after, stands = then
        on = playing if isinstance(stands, Awaiting) else None
        with self._lock:
            self._by_standing[id(standing)] = _Mark(standing, facts, None, fact, then)
            self._by_standing[id(stands)] = _Mark(stands, after, on)
            while len(self._by_standing) > _KEPT:
                self._by_standing.popitem(last=False)


_marks: Final = _Marks()


def play_on(standing: Standing, facts: Sequence[AnyFact], fact: AnyFact, script: Callable[[], Script]) -> Played:
    """The facts with one more, and how a script that stood so after `facts` stands then.

    It is gone on from there where both are the very ones that an earlier call gave.
    """
    kept = _marks.find(standing, facts, fact)
    if isinstance(kept, tuple):
        return kept
    after = (*facts, fact)
    if kept is not None and isinstance(fact, PlainFact):
        then = after, kept.take((fact,))
    else:
        kept, in_turn = begin(script(), after)
        then = after, kept.take(in_turn)
    if not any(isinstance(one, CardPostponed) for one in after):
        _marks.put(standing, facts, fact, then, kept)
    return then
