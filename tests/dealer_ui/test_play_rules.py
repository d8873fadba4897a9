"""What a bettor reads of his table: how it is played, what each bet pays and returns, and what he may stake."""

from __future__ import annotations

import msgspec
import pytest
from flask.testing import FlaskClient
from test_play_page import Floor, app, client, clock, floor, look, page_for  # noqa: F401

from dealer_ui.desk.theory import Theory
from dealer_ui.pages.play.rules import told_of
from dealer_ui.words.language import LANGUAGES, Languages
from studio.games import GAMES, find_game
from studio.jackpot import PotTerms
from studio.proof.certificate.page import certificate_page
from studio.tables.config import TableConfig
from studio.views.shape import PotView


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


ROYALS, FIVE_CARDS = 4, 2_598_960


def test_how_rarely_a_pot_is_won_is_what_the_proof_counts() -> None:
    bare = TableConfig(key="t2", title="Table 2", game="holdem_bonus")
    pot = PotTerms(key="main", currency="EUR", seed_minor=1, reset_minor=1)
    with_pot = msgspec.structs.replace(bare, pot=pot)
    assert Theory().best_once_in(with_pot)["first5"] == FIVE_CARDS // ROYALS == 649_740
    straight_flushes = 36
    assert Theory().best_once_in(bare)["first5"] == FIVE_CARDS // straight_flushes, "without a pot a royal wins none"
    certificate = Theory().certificate(with_pot)
    assert certificate is not None
    counted = {one.bet: (one.pot_deals, one.deals) for one in certificate.figures if one.pot_deals is not None}
    assert counted == {"first5": (ROYALS, FIVE_CARDS)}
    assert "The pot is won in 4 of these deals: once in 649,740." in certificate_page(certificate)


def test_a_bettor_reads_how_rarely_the_pot_is_won(client: FlaskClient, floor: Floor) -> None:  # noqa: F811
    game = find_game("holdem_bonus")
    limits = dict.fromkeys(game.betting.bets, (100, 100_000))
    pot = PotView("main", "EUR", 1_000_000)
    shown = {"key": game.key, "title": game.title, "limits": limits, "rules": dict(game.options.defaults), "pot": pot}
    floor.show(game=shown)
    floor.best_once_in = lambda table: {"first5": 649_740, "bonus": 221}  # type: ignore[method-assign]
    page = look(client, page_for(client, language="en") + "/rules")
    assert "the pot once in 649,740 deals" in page
    assert "the best once in 221 deals" in page


def test_a_page_that_has_ended_tells_no_rules(client: FlaskClient, floor: Floor) -> None:  # noqa: F811
    path = page_for(client)
    floor.now += 3_600_000
    look(client, path + "/rules", 410)
