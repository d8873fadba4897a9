"""Bettors who ended their window were all of those who have a bet in the round. [BJ-2]"""

from __future__ import annotations

from collections.abc import Iterable

from studio.games.rulebook import Game
from studio.proof.audit.wrong import wrong
from studio.rounds import WindowClosed
from studio.tables.event import table as e
from studio.tables.state.box import Who


class ReadyAudit:
    """Who has a bet in one round, and who of them has said that he bets no more."""

    def __init__(self, round: str, game: Game) -> None:
        self._round, self._game = round, game
        self._bettors: set[Who] = set()
        self._ready: set[Who] = set()
        self._closes = False

    def place(self, bets: Iterable[e.PlacedBet]) -> None:
        who = {(bet.operator, bet.bettor) for bet in bets}
        self._bettors |= who
        self._ready -= who

    def say(self, event: e.BettorReady, *, open: bool, seq: int) -> None:
        """`open`: the window still runs."""
        who, id = (event.operator, event.bettor), self._round
        if not open or self._game.owned is None:
            wrong(seq, f"A bettor ended his betting in round {id} where nobody waits for him.")
        if who not in self._bettors:
            wrong(seq, f"A bettor without a bet ended his betting in round {id}.")
        self._ready.add(who)
        if event.closes != (self._ready == self._bettors):
            left = len(self._bettors - self._ready)
            wrong(seq, f"The window of round {id} {_ended(event)} by its bettors while {left} of them still could bet.")
        self._closes = event.closes

    def need_close(self, event: e.AnyEvent, seq: int) -> None:
        """What the last of them said ends the window at once; the pot may be fed before."""
        if self._closes and not isinstance(event, e.PotFed):
            self._closes = False
            if not (isinstance(event, e.FactStood) and isinstance(event.fact, WindowClosed)):
                wrong(seq, f"The bettors of round {self._round} ended the window, and it did not close.")


def _ended(event: e.BettorReady) -> str:
    return "was ended" if event.closes else "was not ended"
