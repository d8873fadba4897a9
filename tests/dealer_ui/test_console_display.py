"""The public display: no sign-in, no controls, nothing that is not due; statistics and the pay table."""

from __future__ import annotations

from fractions import Fraction

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import BETS, BETTING, DEALING, DECLARED, IDLE, FakeFloor, held, results
from hypothesis import given
from hypothesis import strategies as st

from dealer_ui.public.pay_table import pay_table
from dealer_ui.public.statistic import SHOWN, marks, shares
from studio.pay_tables.odds import odds_of
from studio.views.shape import ResultView, TableView


def page_of(view: TableView) -> str:
    return Visitor(app_over(FakeFloor(view))).page("/display/knights1")


@pytest.mark.parametrize(
    ("view", "words"),
    [(BETTING, "Place your bets"), (DEALING, "No more bets"), (DECLARED, "The result"), (held(), "One moment, please"),
     (altered(IDLE, now={"status": "closed"}), "The table is closed"),
     (altered(IDLE, now={"status": "paused"}), "We will be right back"),
     (altered(DECLARED, round={"stage": "voided"}), "Round void: all bets returned")],
)  # fmt: skip
def test_the_public_is_told_how_things_stand(view: TableView, words: str) -> None:
    assert words in page_of(view)


def test_there_is_nothing_to_press_and_nothing_of_the_inside() -> None:
    page = page_of(held(DEALING))
    page = page[page.index("<body") :]
    for inside in ("<form", "<button", "csrf", "TK4", "camera is unsure", "unsure", "Dora", "says-"):
        assert inside not in page[page.index("<main") :], inside


def test_a_result_names_hands_and_winners() -> None:
    page = page_of(DECLARED)
    assert "Single Knight Nine" in page
    assert "WIN" in page


def test_the_last_results_are_marks_newest_first() -> None:
    page = page_of(altered(DECLARED, past={"results": results(30)}))
    assert page.count('<td><span class="dot') == SHOWN * 3
    assert page.index('title="Round 30"') < page.index('title="Round 29"')


def test_the_pay_table_says_odds_limits_and_theoretical_return() -> None:
    page = page_of(IDLE)
    for words in ("8:1", "16:1", "40:1", "1:2", "€1.00 – €1,000.00", "96.94 %", "92.72 %"):
        assert words in page


def test_a_table_of_several_currencies_says_its_limits_in_each() -> None:
    shared = altered(IDLE, game={"currencies": {"JPY": dict.fromkeys(IDLE.game.limits, (160, 160_000))}})
    for words in ("€1.00 – €1,000.00", "¥160 – ¥160,000"):
        assert page_of(shared).count(words) == 1
    page = page_of(altered(shared, game={"limits": {**IDLE.game.limits, "player1_tie": (100, 50_000)}}))
    assert "Player wins, Player loses, 3 Knights, Pair Plus</th>" in page
    assert "Tie</th>" in page
    assert page.count("¥160 – ¥160,000") == page.count('scope="col" class="number"') == 2


@pytest.mark.parametrize(
    ("six", "odds"), [("six_pays_half", ["1:1", "1:2"]), ("commission", ["0.95:1"]), ("even", ["1:1"])]
)
def test_the_odds_follow_the_house_option(six: str, odds: list[str]) -> None:
    limits = dict.fromkeys(BETS, (100, 1000))
    first = pay_table("three_knights", {"six": six}, {}, limits)[0]
    assert [pays.odds for pays in first.pays] == odds


def test_a_game_without_a_written_pay_table_still_shows_limits_and_return() -> None:
    (line,) = pay_table("other", {}, {"ante": 97.5}, {"ante": (100, 200)})
    assert (line.kind, line.pays, line.rtp_least, line.most_minor) == ("ante", (), 97.5, 200)


@given(st.integers(1, 200))
def test_odds_are_the_gain_beside_the_stake(gain: int) -> None:
    assert odds_of(Fraction(gain + 1)) == f"{gain}:1"


@given(st.lists(st.sampled_from(["win", "lose", "tie"]), max_size=60))
def test_shares_add_up_to_a_hundred(won: list[str]) -> None:
    rounds = [ResultView("r", n, 0, False, {"player1": {"result": one}}) for n, one in enumerate(won)]
    for share in shares(rounds, ["player1"]):
        assert share.win + share.tie + share.lose == 100
        assert min(share.win, share.tie, share.lose) >= -1
        assert share.rounds == len(won)


def test_a_void_round_counts_in_no_share_and_keeps_its_mark() -> None:
    rounds = [ResultView("r", 1, 0, True, {})]
    assert shares(rounds, ["player1"]) == ()
    assert marks(rounds, ["player1"])[0][1] == ("",)
