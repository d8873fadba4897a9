"""What a bettor reads of his table: how it is played, what each bet pays and returns, and what he may stake."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from test_play_page import Floor, app, client, clock, floor, look, page_for  # noqa: F401

from dealer_ui.desk.theory import Theory
from dealer_ui.pages.play.rules import told_of
from dealer_ui.words.language import LANGUAGES, Languages
from studio.games import GAMES
from studio.tables.config import TableConfig


@pytest.mark.parametrize("game", [*(game.key for game in GAMES), "all"])
def test_every_game_is_told_in_every_language(game: str) -> None:
    told = list(told_of(game, Languages().speak("en")))
    assert told != []
    assert [(tag, key) for tag in LANGUAGES for key in told if key not in Languages().speak(tag).keys()] == []  # noqa: SIM118


def test_a_bettor_reads_the_rules_the_returns_and_his_limits(client: FlaskClient, floor: Floor) -> None:  # noqa: F811
    floor.rtp = lambda table: {"shark": 96.8919}  # type: ignore[method-assign]
    page = look(client, page_for(client, language="ja") + "/rules")
    assert "シャークとキングに2枚ずつ" in page
    assert "96.89 %" in page
    assert "x2.02" in page
    assert "ルール</a>" in page


def test_he_reads_how_rarely_the_best_prize_of_a_bet_comes(client: FlaskClient, floor: Floor) -> None:  # noqa: F811
    floor.best_once_in = lambda table: {"shark": 2, "full_house": 12_345}  # type: ignore[method-assign]
    page = look(client, page_for(client, language="en") + "/rules")
    assert "the best once in 2 deals" in page


def test_how_rarely_a_prize_comes_is_what_the_certificate_counts() -> None:
    table = TableConfig(key="t1", title="Table 1", game="three_card_poker")
    once_in = Theory().best_once_in(table)
    assert once_in["pair_plus"] == 22_100 // 4
    assert once_in["six_card"] == 122_151_120 // 1_128
    assert "main" not in once_in, "where bettors decide nothing is counted"
    assert "first5" not in Theory().best_once_in(TableConfig(key="t2", title="Table 2", game="holdem_bonus"))


def test_a_page_that_has_ended_tells_no_rules(client: FlaskClient, floor: Floor) -> None:  # noqa: F811
    path = page_for(client)
    floor.now += 3_600_000
    look(client, path + "/rules", 410)
