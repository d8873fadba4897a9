"""The results of a table: the last rounds, and what reaches further back than they do."""

from __future__ import annotations

from typing import Any

from studio.tables.event import table as e
from studio.views import ShoeResults

BETS = ("shark", "king", "draw")


def play(results: ShoeResults, number: int, winner: str, *, void: bool = False) -> None:
    outcome: dict[str, Any] = {"winner": winner, "won": [winner]}
    results.take(e.RoundStarted(round=f"r{number}", number=number, game="kkclash", version=1, rules={}, dealer="d"), 0)
    results.take(e.ResultDeclared(outcome=outcome, by="d"), 0)
    if void:
        results.take(e.RoundRefunded(bets=0, stake_minor=0), 0)
    else:
        results.take(e.RoundSettled(bets=0, stake_minor=0, returns_minor=0, digest=""), 0)


def test_a_miss_count_outlasts_the_rounds_that_are_kept() -> None:
    results = ShoeResults(keep=5, bets=BETS)
    for number in range(12):
        play(results, number, "king")
    assert results.past(9).missed == {"shark": 12, "king": 0, "draw": 12}  # [KK-22]
    assert results.past(9).winners == ("king",) * 5


def test_a_void_round_was_won_by_nobody_and_missed_by_no_bet() -> None:
    results = ShoeResults(bets=BETS)
    play(results, 1, "shark")
    play(results, 2, "king", void=True)
    assert results.past(9).missed == {"shark": 0, "king": 1, "draw": 1}
    assert results.past(9).winners == ("shark",)


def test_a_game_without_one_winner_has_no_past_to_tell() -> None:
    results = ShoeResults(bets=("player1_win",))
    results.take(e.ResultDeclared(outcome={"player1": {"result": "win"}}, by="d"), 0)
    results.take(e.RoundSettled(bets=0, stake_minor=0, returns_minor=0, digest=""), 0)
    assert results.past(9).winners == ()
    assert results.past(9).missed == {"player1_win": 0}


def resettled(number: int, winner: str, before: str, *, void: bool = False) -> e.RoundResettled:
    outcome = {} if void else {"winner": winner, "won": [winner]}
    return e.RoundResettled(
        round=f"r{number}", number=number, revision=1, void=void, outcome=outcome,
        before={"winner": before, "won": [before]}, bets=1, stake_minor=0, returns_minor=0, digest="",
    )  # fmt: skip


def test_a_corrected_round_counts_as_corrected_and_still_says_what_was_told_first() -> None:
    results = ShoeResults(bets=BETS)
    for number, winner in enumerate(("shark", "king", "king"), 1):
        play(results, number, winner)
    results.take(resettled(2, "draw", "king"), 0)
    assert results.past(9).winners == ("shark", "draw", "king")
    assert results.past(9).missed == {"shark": 2, "king": 0, "draw": 1}
    [_, corrected, _] = results.last(3)
    assert (corrected.corrected, corrected.before["winner"], corrected.outcome["winner"]) == (True, "king", "draw")
    results.take(resettled(2, "", "draw", void=True), 0)
    [_, voided, _] = results.last(3)
    assert (voided.voided, voided.before["winner"]) == (True, "king")
    assert results.past(9).missed == {"shark": 1, "king": 0, "draw": 2}
