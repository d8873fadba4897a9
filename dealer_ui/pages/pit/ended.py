"""How what the first of two people asked has ended: who agreed, who said no, or that nobody did within the minute."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from dealer_ui.floor.house import House, name_of
from studio.journal import Row
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.views.shape import TableView

_CORRECTIONS: Final = ("CorrectionAsked", "CorrectionApproved", "CorrectionLapsed", "RoundResettled")
_UNSEALINGS: Final = ("UnsealingAsked", "CardUnsealed", "UnsealingLapsed")
_RULINGS: Final = ("RulingAsked", "RulingLapsed", "IncidentRuled")


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of something that needs two people: who asked, and who answered; names, not ids.

    `how`: `asked` while it waits, then `approved`, `declined`, `taken_back` or `lapsed`. `what` and `arguments` are
    those of the ruling, if it was one. `done`: all money that it moves has moved.
    """

    id: str
    asked_by: str
    how: str = "asked"
    by: str = ""
    at_ms: int = 0
    round: str = ""
    number: int = 0
    done: bool = True
    what: str = ""
    arguments: tuple[str, ...] = ()


def last_correction(house: House, table: str) -> Ended | None:
    """How the newest correction at this table ended; None when none was asked for, or it still waits."""
    return _last(house, table, "", _CORRECTIONS)


def last_unsealing(house: House, table: str) -> Ended | None:
    """The same of the sealed card that was to be opened."""
    return _last(house, table, "", _UNSEALINGS)


def last_ruling(house: House, view: TableView) -> Ended | None:
    """The same of the ruling asked last in the round on the felt."""
    return _last(house, view.table, view.round.id, _RULINGS) if view.round.id else None


def _last(house: House, table: str, round: str, kinds: tuple[str, ...]) -> Ended | None:
    found: Ended | None = None
    for row in house.reader().events(table=table, round=round or None, kinds=kinds):
        found = _after(house, found, row)
    return found if found is not None and found.how != "asked" else None


def _after(house: House, found: Ended | None, row: Row) -> Ended | None:
    match read_body(row.body).event:
        case e.CorrectionAsked() | e.UnsealingAsked() as one:
            return Ended(one.id, one.asked_by, round=one.round, number=one.number)
        case e.RulingAsked() as one:
            return Ended(one.id, one.asked_by, what=one.ruling, arguments=one.arguments)
        case e.CorrectionApproved(id=id, approved_by=by) if found and found.id == id:
            return replace(_by(house, found, "approved", by, row.at_ms), done=False)
        case e.CardUnsealed(id=id, approved_by=by) if found and found.id == id:
            return _by(house, found, "approved", by, row.at_ms)
        case e.IncidentRuled(id=id, approved_by=by) if found and found.id == id and by:
            return _by(house, found, "approved", by, row.at_ms)
        case e.RoundResettled() if found and found.how == "approved":
            return replace(found, done=True)
        case e.CorrectionLapsed(id=id, by=by) | e.UnsealingLapsed(id=id, by=by) | e.RulingLapsed(id=id, by=by):
            if found and found.id == id:
                how = "lapsed" if not by else "taken_back" if by == found.asked_by else "declined"
                return _by(house, found, how, by, row.at_ms)
    return found


def _by(house: House, found: Ended, how: str, by: str, at_ms: int) -> Ended:
    return replace(found, how=how, by=name_of(house, by), asked_by=name_of(house, found.asked_by), at_ms=at_ms)
