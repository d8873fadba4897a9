"""The single steps of a recipe: what a person does, as words, and as the form his page sends.

A step of the hands or of the fault menu is the very form of the hands' page; what is said at a console, and a
program started anew, are done elsewhere and have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dealer_ui.rehearsal.repertoire.register import find_wrong
from dealer_ui.rehearsal.repertoire.wrong import Wrong
from studio.views.shape import Words

Form = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Err:
    """Make one of the mistakes of the menu."""

    mistake: str

    @property
    def wrong(self) -> Wrong:
        return find_wrong(self.mistake)

    @property
    def words(self) -> Words:
        return Words("practice.err", {"mistake": self.mistake})

    @property
    def form(self) -> Form:
        return {"act": "mistake", "what": self.mistake}


@dataclass(frozen=True, slots=True)
class Break:
    """Switch a fault on: `<machine>.<fault>`."""

    what: str

    @property
    def wrong(self) -> Wrong:
        return find_wrong(self.what)

    @property
    def words(self) -> Words:
        machine, _, fault = self.what.partition(".")
        return Words("practice.break", {"device": machine, "fault": fault})

    @property
    def form(self) -> Form:
        return {"act": "break", "what": self.what}


@dataclass(frozen=True, slots=True)
class DealStep:
    """Deal the next cards as they are due."""

    cards: int = 1

    @property
    def words(self) -> Words:
        return Words("practice.deal", {"n": self.cards})

    @property
    def form(self) -> Form:
        return {"act": "deal"}


@dataclass(frozen=True, slots=True)
class LayStep:
    """Draw the next card and lay it in the next bare place, due or not; `reader` as the page has it."""

    face: str
    reader: str = "over"

    @property
    def words(self) -> Words:
        return Words("practice.lay", {"face": f"hands.face.{self.face}", "reader": f"hands.reader.{self.reader}"})

    @property
    def form(self) -> Form:
        return {"act": "lay", "face": self.face, "reader": self.reader}


@dataclass(frozen=True, slots=True)
class Say:
    """The dealer reports it from his incident menu; `answer` and `variant` as the menu has them."""

    kind: str
    answer: str = ""
    variant: str = ""

    @property
    def words(self) -> Words:
        incident = f"{self.kind}.{self.variant}" if self.variant else self.kind
        if not self.answer:
            return Words("practice.say", {"incident": incident})
        return Words("practice.say_so", {"incident": incident, "answer": f"answer.{self.kind}.{self.answer}"})

    @property
    def form(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class PitSays:
    """A pit boss reports it."""

    kind: str

    @property
    def words(self) -> Words:
        return Words("practice.pit", {"incident": self.kind})

    @property
    def form(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Restart:
    """Stop the program and start it again on the same database."""

    @property
    def words(self) -> Words:
        return Words("practice.restart")

    @property
    def form(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class GoOn:
    """Deal on as the console asks, round after round, until it shows."""

    @property
    def words(self) -> Words:
        return Words("practice.go_on")

    @property
    def form(self) -> None:
        return None


Step = Err | Break | DealStep | LayStep | Say | PitSays | Restart | GoOn
