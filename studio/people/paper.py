"""Licences and game certificates: what one is, how it stands on a day, and who may deal what.

Days are UTC days. A paper is good from its first day to its last, both included.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from studio.errors import RefusedError
from studio.people.paper_event import LICENCE

SOON_DAYS: Final = 30
"""So long before its last day a paper is told of."""
NUMBER_CHARACTERS_MAX: Final = 60


class PaperStanding(enum.StrEnum):
    CURRENT = "current"
    SOON = "soon"
    EXPIRED = "expired"
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class Paper:
    """`paper` is `licence`, or the key of the game a certificate is for."""

    paper: str
    number: str
    valid_from: date
    valid_until: date

    def days_left(self, today: date) -> int:
        return (self.valid_until - today).days

    def standing(self, today: date) -> PaperStanding:
        """
        >>> one = Paper("licence", "L-1", date(2026, 1, 1), date(2026, 12, 31))
        >>> [str(one.standing(date(*day))) for day in ((2025, 12, 31), (2026, 5, 1), (2026, 12, 31), (2027, 1, 1))]
        ['future', 'current', 'soon', 'expired']
        """
        if today < self.valid_from:
            return PaperStanding.FUTURE
        if today > self.valid_until:
            return PaperStanding.EXPIRED
        return PaperStanding.SOON if self.days_left(today) <= SOON_DAYS else PaperStanding.CURRENT


def day_of(at_ms: int) -> date:
    """The UTC day of a moment."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).date()


def read_day(text: str) -> date:
    """A day as people and the journal write it; `RefusedError` for anything else."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise RefusedError("not_a_day", "Write a day as year-month-day, for example 2027-01-31.") from None


def need_papers(name: str, papers: Mapping[str, Paper], game: str, title: str, today: date) -> None:
    """Refuse unless the licence and the certificate for the game are current on that day."""
    for paper in (LICENCE, game):
        _need(name, papers.get(paper), paper, title, today)


def _need(name: str, held: Paper | None, paper: str, title: str, today: date) -> None:
    called = "dealing licence" if paper == LICENCE else f"certificate for {title}"
    kind = "licence" if paper == LICENCE else "certificate"
    if held is None:
        why = f"{name} has no {called}. {_ASK}"
        raise RefusedError(f"{kind}_missing", why, name=name, title=title)
    match held.standing(today):
        case PaperStanding.EXPIRED:
            why, day = f"The {called} of {name} ran out on {held.valid_until}. {_ASK}", str(held.valid_until)
            raise RefusedError(f"{kind}_expired", why, name=name, title=title, day=day)
        case PaperStanding.FUTURE:
            why, day = f"The {called} of {name} is good only from {held.valid_from}. {_ASK}", str(held.valid_from)
            raise RefusedError(f"{kind}_not_yet", why, name=name, title=title, day=day)


_ASK: Final = "Ask an administrator, or let another one deal."
