"""Holds the bets of one round against the limits on what they could cost the house."""

from __future__ import annotations

from collections.abc import Sequence

from studio.games.rulebook import Game
from studio.proof.audit.wrong import wrong
from studio.tables.books.exposure import Exposed
from studio.tables.config import TableConfig
from studio.tables.event import table as e


class ExposureAudit:
    def __init__(self, started: e.RoundStarted, game: Game) -> None:
        self._round = started.round
        self._exposed = Exposed.of(game, started.rules, started.pot)

    def place(self, bets: Sequence[e.PlacedBet], config: TableConfig, seq: int) -> None:
        """Bets are taken within every limit; where one was lowered below what stood, they make nothing worse."""
        exposed, operators = self._exposed, sorted({bet.operator for bet in bets})
        if exposed.whole is None:
            return
        before_minor, own_minor = exposed.most_minor, {one: exposed.most_minor_of(one) for one in operators}
        exposed.add(bets)
        self._need(config.exposure_most_minor, before_minor, exposed.most_minor, "its table", seq)
        for one in operators:
            limit = config.operator_limit(one)
            self._need(limit.exposure_most_minor, own_minor[one], exposed.most_minor_of(one), one, seq)
            if 0 < limit.bets_most < exposed.bets_of[one]:
                wrong(seq, f"{one} placed {exposed.bets_of[one]} bets in round {self._round}, more than he may.")

    def _need(self, most_minor: int, before_minor: int, after_minor: int, whose: str, seq: int) -> None:
        if 0 < most_minor < after_minor and after_minor > before_minor:
            wrong(seq, f"The bets of round {self._round} could cost {after_minor}, more than {whose} may have out.")
