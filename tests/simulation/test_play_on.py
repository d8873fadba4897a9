"""A deal that goes on from where its script stood stands exactly as one that is played from its first card."""

from __future__ import annotations

from copy import deepcopy

import pytest

from dealer_ui.rehearsal.simulate import SimulationPlan, play_night
from studio.games import GAMES
from studio.rounds import Awaiting, play, play_on
from studio.tables.fold import round as fold_round

QUICK = ("blackjack", "plo", "ofc")


class Watched:
    """In place of `play_on`: what it gives is held against `play`, at once and when all is over."""

    def __init__(self) -> None:
        self.told: list[tuple[object, object]] = []
        self.went_on = 0
        self._held: dict[int, object] = {}
        """What has been held against `play` already: given again it is the very same."""

    def __call__(self, standing, facts, fact, script):  # type: ignore[no-untyped-def]
        def made():  # type: ignore[no-untyped-def]
            self.went_on -= 1  # it was played from its first card
            return script()

        then = after, stands = play_on(standing, facts, fact, made)
        if id(then) in self._held:
            return then
        self._held[id(then)] = then
        self.went_on += 1
        assert after == (*facts, fact)
        assert stands == play(script(), after)
        self.told.append((stands, deepcopy(stands) if isinstance(stands, Awaiting) else stands))
        return then


@pytest.mark.filterwarnings("ignore:A card being dealt:UserWarning")  # of a fouled deck, in which a card lies twice
@pytest.mark.parametrize(
    ("game", "rounds"),
    [
        *((key, 2) for key in QUICK),
        *(pytest.param(game.key, 12, marks=pytest.mark.long) for game in GAMES),
    ],
)
def test_every_fact_of_a_night_with_faults_is_gone_on_from(
    game: str, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched()
    monkeypatch.setattr(fold_round, "play_on", watched)
    report = play_night(SimulationPlan(game=game, rounds=rounds, seed=3, faults="every", frames=0, shoe="angel_eye"))
    assert not report.checker.violations
    assert watched.went_on > len(watched.told) / 3  # a deal of two cards has three facts, of which one is the first
    assert all(stands == then for stands, then in watched.told)
