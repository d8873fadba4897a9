"""How far a procedure is, as screens show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class StepView:
    """One step: `who` owes it, `state` is done, now or later. Its words are `step.<key>`."""

    key: str
    who: str
    state: str


@dataclass(frozen=True, slots=True)
class LayView:
    """A place whose card is laid out or read anew, in the order read; `next` is the one to be laid now."""

    zone: str
    place: int
    done: bool
    next: bool


@dataclass(frozen=True, slots=True)
class ProcedureView:
    """How far a procedure is. `owed` is who owes the next step, since `since_ms`; empty when all is done."""

    steps: tuple[StepView, ...] = ()
    owed: str = ""
    since_ms: int = 0
    places: tuple[LayView, ...] = ()

    @property
    def near(self) -> tuple[StepView, ...]:
        """The steps from the one that is due, as many as a glance takes in."""
        return self.steps[self.before :][:4]

    @property
    def before(self) -> int:
        """How many steps come before the one that is due."""
        return next((number for number, step in enumerate(self.steps) if step.state == "now"), 0)


@dataclass(frozen=True, slots=True)
class RowWords:
    """The words of a row: `key` in the catalogue, empty where it has none; `own` are a studio's, by language."""

    key: str = ""
    own: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FollowView:
    """What is left to do after an incident that is closed."""

    kind: str
    row: str
    ruled: str
    procedure: ProcedureView
