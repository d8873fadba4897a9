"""The winners of the round settled last, as the display and bettors' pages show them: looked up once a round."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from studio.journal import Reader
from studio.journal.extract.winners import (
    Winner,
    most_won,
)
from studio.money import Rates
from studio.views.shape import ResultView, TableView

SHOWN: Final = 5
MASK: Final = "•••"


@dataclass(frozen=True, slots=True)
class Won:
    """One line of the winners: as much of a name as others may see. `own`: it is the one who looks."""

    name: str
    currency: str
    won_minor: int
    own: bool = False


class Winners:
    """Keeps the winners of each table's last settled round. Any thread may ask; `reader` is the asking thread's own."""

    def __init__(self, reader: Callable[[], Reader], is_test: Callable[[str], bool] = lambda operator: False) -> None:
        """`is_test`: whether an operator's bettors are test accounts, which nobody is shown as winners."""
        self._reader, self._is_test = reader, is_test
        self._kept: dict[str, tuple[tuple[str, int], tuple[Winner, ...]]] = {}
        self._gates: dict[str, threading.Lock] = {}
        self._gate = threading.Lock()

    def of(self, view: TableView) -> tuple[Winner, ...]:
        """The biggest winners, the biggest first; none where none are to be shown now."""
        result = settled_last(view)
        if result is None:
            return ()
        with self._gate:
            gate = self._gates.setdefault(view.table, threading.Lock())
        with gate:
            named, found = self._kept.get(view.table, (("", 0), ()))
            if named != (asked := (result.round, result.revision)):
                if view.now.held:
                    return ()  # the record may be away; they are shown when the table goes on
                found = _biggest(self._of_bettors(result.round), view)
                self._kept[view.table] = asked, found
        return found

    def _of_bettors(self, round: str) -> Sequence[Winner]:
        return [one for one in most_won(self._reader(), round, SHOWN) if not self._is_test(one.operator)]


def settled_last(view: TableView) -> ResultView | None:
    """The round whose winners are shown: settled, not void nor being corrected, and no bets opened since."""
    result = view.past.results[-1] if view.past.results else None
    if result is None or result.voided or view.room is not None or view.now.status not in ("open", "paused"):
        return None
    if (
        view.aftermath.correction is not None
        and view.aftermath.correction.approved_by
        and view.aftermath.correction.round == result.round
    ):
        return None
    same = view.round.id == result.round
    if view.round.id and not same and (view.round.stage != "dealing" or view.bets.open or view.bets.opened):
        return None
    return result


def masked(bettor: str) -> str:
    """
    >>> masked("ann")
    'a•••'
    """
    return bettor[:1] + MASK


def winner_lines(
    winners: Sequence[Winner], operator: str = "", bettor: str = "", own: Winner | None = None
) -> tuple[Won, ...]:
    """The winners as a screen shows them, names masked. `own` is what the bettor who looks won; it is added at the end
    where he is not among the winners.
    """
    found = [
        Won(masked(one.bettor), one.currency, one.won_minor, (one.operator, one.bettor) == (operator, bettor))
        for one in winners
    ]
    if own is not None and not any(one.own for one in found):
        found.append(Won(masked(own.bettor), own.currency, own.won_minor, own=True))
    return tuple(found)


def _biggest(found: Sequence[Winner], view: TableView) -> tuple[Winner, ...]:
    """Over all currencies, by what each is worth at the table."""
    own = view.bets.currency
    return tuple(sorted(found, key=lambda one: -_worth(one, own, view.game.rates))[:SHOWN])


def _worth(one: Winner, currency: str, rates: Rates | None) -> int:
    if rates is None or not {one.currency, currency} <= rates.worth.keys():
        return one.won_minor
    return rates.convert(one.won_minor, one.currency, currency)
