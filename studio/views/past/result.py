"""The last results and the statistics of a display, from finished rounds."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from studio.games import find_game
from studio.journal import Row
from studio.rulebook.shoe_terms import is_new_shoe
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.event.table import AnyEvent
from studio.views.past.kkclash import missed_after
from studio.views.shape import PastView, ResultView, RoadMark

RESULT_KINDS: Final = (
    "TableConfigured", "RoundStarted", "ResultDeclared", "RoundSettled", "RoundRefunded", "RoundResettled",
)  # fmt: skip
"""The events that results are folded from."""


class ShoeResults:
    """The last rounds of one table, newest last; a fold of its events, bounded.

    How long each of `bets` was not won is counted over all rounds it was ever given, kept or not. Where a shoe is
    opened, its rounds are told apart from those of the shoe before.
    """

    def __init__(self, keep: int = 240, bets: Iterable[str] = ()) -> None:
        self._keep = keep
        self._finished: tuple[ResultView, ...] = ()
        self._missed: Mapping[str, int] = dict.fromkeys(bets, 0)
        self._missed_before: Mapping[str, int] = self._missed
        self._number = self._shoe = 0
        self._round = ""
        self._outcome: Mapping[str, Any] = {}
        self._game = ""

    def after(self, rows: Iterable[Row]) -> ShoeResults:
        """The results further rows of the table lead to, of `RESULT_KINDS`; these stay as they are."""
        found = copy.copy(self)
        for row in rows:
            found.take(read_body(row.body).event, row.at_ms)
        return found

    def take(self, event: AnyEvent, at_ms: int) -> None:
        match event:
            case e.TableConfigured(config=config):
                self._deal_another(config.game)
            case e.RoundStarted(round=round, number=number, rules=rules):
                self._round, self._number, self._outcome = round, number, {}
                self._shoe += is_new_shoe(rules)
            case e.ResultDeclared(outcome=outcome):
                self._outcome = outcome
            case e.RoundSettled():
                self._finish(at_ms, voided=False)
            case e.RoundRefunded():
                self._finish(at_ms, voided=True)
            case e.RoundResettled():
                self._correct(event)

    def _deal_another(self, game: str) -> None:
        """Start the statistics anew when the table begins to deal another game, or its first."""
        if game != self._game:
            self._finished = ()
            self._missed = self._missed_before = dict.fromkeys(find_game(game).betting.bets, 0)
        self._game = game

    def last(self, count: int) -> tuple[ResultView, ...]:
        """The newest `count` rounds, newest last."""
        return self._finished[-count:]

    def past(self, shown: int) -> PastView:
        """The newest `shown` rounds; and who won the kept rounds of this shoe that count, and the bets long not won, of
        a game that tells them.
        """
        told = (one.outcome for one in self._finished if one.shoe == self._shoe and "winner" in one.outcome)
        marks = tuple(RoadMark(str(outcome["winner"]), _pairs(outcome)) for outcome in told)
        return PastView(tuple(mark.winner for mark in marks), self._missed, marks, self.last(shown))

    def _finish(self, at_ms: int, *, voided: bool) -> None:
        outcome = {} if voided else self._outcome
        result = ResultView(self._round, self._number, at_ms, voided, outcome, shoe=self._shoe)
        self._finished = (*self._finished, result)
        self._missed = _missed(self._missed, outcome)
        if len(self._finished) > self._keep:
            oldest, *_ = self._finished
            self._finished = self._finished[1:]
            self._missed_before = _missed(self._missed_before, oldest.outcome)

    def _correct(self, told: e.RoundResettled) -> None:
        """A round that is still kept says its corrected result from now on, and beside it what it had said first."""
        self._finished = tuple(_corrected(one, told) if one.round == told.round else one for one in self._finished)
        self._missed = self._missed_before
        for one in self._finished:
            self._missed = _missed(self._missed, one.outcome)


def _pairs(outcome: Mapping[str, Any]) -> tuple[str, ...]:
    """The hands whose description says that they began with a pair."""
    return tuple(box for box, hand in outcome.items() if isinstance(hand, Mapping) and hand.get("pair"))


def _corrected(result: ResultView, told: e.RoundResettled) -> ResultView:
    first = result.before if result.corrected else result.outcome
    return replace(result, voided=told.void, outcome=told.outcome, corrected=True, before=first, revision=told.revision)


def _missed(missed: Mapping[str, int], outcome: Mapping[str, Any]) -> Mapping[str, int]:
    return missed_after(missed, outcome) if "won" in outcome else missed


def tally(results: Iterable[ResultView], box: str) -> Mapping[str, int]:
    """How often a box won, lost or tied in rounds that count.

    >>> tally([ResultView("r", 1, 0, False, {"player1": {"result": "win"}})], "player1")
    {'win': 1}
    """
    found: dict[str, int] = {}
    for result in results:
        hand = result.outcome.get(box)
        if not result.voided and isinstance(hand, Mapping) and "result" in hand:
            found[hand["result"]] = found.get(hand["result"], 0) + 1
    return found
