"""A crowd at one Ultimate Texas Hold'em table: what each bettor stakes and decides, and is owed.

Everybody bets, and before the flop everybody decides; later one raises, one checks or folds, and one says nothing,
spread by a seed. What he is owed is worked out here from the outcome and his own decisions alone, by the pay table,
beside the house.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from studio.games.ultimate_holdem import ULTIMATE_HOLDEM as GAME

WINDOWS: Final = (("play_4x", "play_3x", "check"), ("play_2x", "check", ""), ("play_1x", "fold", ""))
TIMES: Final = {"play_4x": 4, "play_3x": 3, "play_2x": 2, "play_1x": 1}
UNIT_MINOR: Final = 100
PURSE_MINOR: Final = 1_000_000


class Crowd:
    """So many bettors. `bets`, then `decisions` of each window in turn, then what each is `owed`."""

    def __init__(self, bettors: int, seed: int = 1) -> None:
        self._rng = random.Random(seed)
        self.bettors = bettors
        self.antes = [UNIT_MINOR * self._rng.randint(1, 5) for _ in range(bettors)]
        self.trips = [UNIT_MINOR if self._rng.random() < 1 / 3 else 0 for _ in range(bettors)]
        self.raised: dict[int, str] = {}

    def name(self, at: int) -> str:
        return f"b{at}"

    def bets(self, most: int) -> Iterator[list[dict[str, Any]]]:
        """Batches in the interface's form, a bettor's bets in one; the blind is placed by the house."""
        batch: list[dict[str, Any]] = []
        for at in range(self.bettors):
            batch.append({"client_id": f"a{at}", "bettor": self.name(at), "bet": "ante", "stake": self.antes[at]})
            if self.trips[at]:
                batch.append({"client_id": f"t{at}", "bettor": self.name(at), "bet": "trips", "stake": self.trips[at]})
            if len(batch) > most - 2 or at == self.bettors - 1:
                yield batch
                batch = []

    def decisions(self, window: int, most: int) -> Iterator[list[dict[str, Any]]]:
        """What those who have still to decide send in this window; some of them nothing."""
        sent = []
        for at in range(self.bettors):
            if at in self.raised:
                continue
            option = self._rng.choice(WINDOWS[window])
            if option:
                sent.append({"client_id": f"w{window}.{at}", "bettor": self.name(at), "option": option})
            if option in TIMES:
                self.raised[at] = option
        return (sent[start : start + most] for start in range(0, len(sent), most))

    def stakes(self, at: int) -> dict[str, int]:
        """All that this bettor has out in the end, by bet key."""
        ante, option = self.antes[at], self.raised.get(at)
        stakes = {"ante": ante, "blind": ante, "play": ante * TIMES[option] if option else 0, "trips": self.trips[at]}
        return {bet: stake for bet, stake in stakes.items() if stake}

    def owed(self, outcome: Any) -> Sequence[Mapping[str, int]]:
        """What every bet of every bettor gives back; who never raised has folded."""
        tables = {conduct: GAME.payment.returns(GAME.options.defaults, outcome, conduct) for conduct in ("", "fold")}
        ratios = {
            conduct: {bet: ret.as_integer_ratio() for bet, ret in table.items()} for conduct, table in tables.items()
        }
        found = []
        for at in range(self.bettors):
            table = ratios["" if at in self.raised else "fold"]
            found.append({bet: stake * table[bet][0] // table[bet][1] for bet, stake in self.stakes(at).items()})
        return found
