"""A deal that departs from the script: a card that was missed is given after all the others, a burn is of more or fewer
cards than were due, the stub is shuffled.

The script is not told. It is handed a blank for the missed card and goes on as long as it only deals; when it asks for
anything but a card, looks at a blank, or ends, the cards that are owed are due. Of a burn it hears that it is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from fractions import Fraction

from studio.rounds.fact import BurnRuled
from studio.rulebook.script import Burn, Deal, Lay, Script, Settle, Shuffle, Step

Slot = tuple[str, int, int]
"""A place of a box, and how often the box has been laid and dealt to again before."""


class _BlankError(Exception):
    """The script has looked at a card that is not dealt yet."""


class _Blank:
    """Stands for a card that is owed."""

    __slots__ = ()

    def __getattr__(self, name: str) -> object:
        raise _BlankError(name)


class Course:
    """A script on its way. `late` are the places whose card comes late, `given` those cards that have come by now.

    `burns`: what was ruled of a burn, by its number.
    """

    __slots__ = (
        "_burned", "_burns", "_dealt", "_given", "_laid", "_late", "_owed", "_script", "_shuffles", "decided", "place",
    )  # fmt: skip

    def __init__(
        self, script: Script, late: AbstractSet[Slot], given: Mapping[Slot, object], burns: Mapping[int, BurnRuled]
    ) -> None:
        self._script = script
        self._burns = burns
        self._burned = 0
        self._shuffles = False
        self._late = late
        self._given = given
        self._dealt: dict[str, int] = {}
        self._laid: dict[str, int] = {}
        self._owed: list[tuple[Deal, int]] = []
        self.decided: dict[str, Fraction] = {}
        """The bets that the script has settled so far, and what a stake of 1 on each comes back as."""
        self.place = 0
        """Where the card of the step goes that `go` gave last, if that deals one."""

    def dealt(self, box: str) -> int:
        """How many cards the script has dealt to the box, the one it awaits among them."""
        return self._dealt.get(box, 0)

    def go(self, answer: object, *, known: bool) -> Step:
        """Answer the step before, and give the next one; `StopIteration` with the outcome when there is none.

        `known`: what happened then is on record, so it happened before any card that is owed still.
        """
        try:
            step = self._next(answer)
        except (_BlankError, StopIteration):
            if not self._owed:
                raise
            return self._due()
        return self._due() if self._owed and not known and not isinstance(step, Deal) else step

    def _next(self, answer: object) -> Step:
        if self._shuffles:
            self._shuffles = False
            return Shuffle()
        step = self._send(answer)
        while isinstance(step, Burn | Deal):
            if isinstance(step, Burn):
                if (ruled := self._burn(step)) is not None:
                    return ruled
                step = self._send(None)
                continue
            self.place = self._dealt[step.box] = self._dealt.get(step.box, 0) + 1
            slot = (step.box, self.place, self._laid.get(step.box, 0))
            if slot not in self._late:
                return step
            if slot not in self._given:
                self._owed.append((step, self.place))
            step = self._send(self._given.get(slot, _Blank()))
        if isinstance(step, Lay):
            self._dealt[step.box], self._laid[step.box] = 0, self._laid.get(step.box, 0) + 1
        return step

    def _send(self, answer: object) -> Step:
        """The next step that somebody has to do; what the script settles on the way is noted."""
        step = self._script.send(answer)
        while isinstance(step, Settle):
            with suppress(_BlankError):
                self.decided.update(step.returns())
            step = self._script.send(None)
        return step

    def _burn(self, step: Burn) -> Step | None:
        """The step that replaces this burn when a ruling changed it: another number of cards, a shuffle, or None for
        nothing.
        """
        self._burned += 1
        ruled = self._burns.get(self._burned)
        if ruled is None:
            return step
        self._shuffles = bool(ruled.cards) and ruled.shuffled
        if ruled.cards:
            return Burn(ruled.cards)
        return Shuffle() if ruled.shuffled else None

    def _due(self) -> Step:
        step, self.place = self._owed[0]
        return step
