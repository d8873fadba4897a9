"""A rulebook is read part by part, and no part grows into a list of everything."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import pytest

from studio.games import GAMES, find_game
from studio.rulebook.game import BettingRules, Edition, FeltPlan, FullShoe, Game
from studio.rulebook.script import Decide

PART_FIELDS_MAX = 12
NAMES = {"key", "title"}
"""What a game is called by; all else of it is a part."""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_game_is_its_name_and_parts_that_can_be_read_at_a_glance(game: Game) -> None:
    parts = {field.name: getattr(game, field.name) for field in fields(game) if field.name not in NAMES}
    assert len(parts) <= PART_FIELDS_MAX
    for name, part in parts.items():
        assert part is None or is_dataclass(part), name
        assert part is None or len(fields(part)) <= PART_FIELDS_MAX, name


def test_no_part_is_read_past_its_name() -> None:
    own = {name for name, one in vars(Game).items() if isinstance(one, property) or callable(one)}
    assert {name for name in own if not name.startswith("_")} == set()


@pytest.mark.parametrize(
    ("edition", "holds"),
    [
        pytest.param(Edition(version=3), {3}, id="of-itself-alone"),
        pytest.param(Edition(version=3, figures_since=2), {2, 3}, id="of-those-that-pay-alike"),
    ],
)
def test_figures_hold_for_the_editions_that_deal_and_pay_alike(edition: Edition, holds: set[int]) -> None:
    assert {version for version in range(1, 5) if edition.has_figures_of(version)} == holds


def test_a_felt_without_burn_cards_has_no_zone_for_them() -> None:
    assert FeltPlan({"dragon": 1, "tiger": 1}).zones == {"dragon": 1, "tiger": 1}
    assert FeltPlan({"dragon": 1}, burns=2).zones == {"dragon": 1, "burn": 2}


def test_a_full_shoe_counts_the_cards_of_its_decks() -> None:
    assert FullShoe(decks=8, cards_per_round=2, rounds_per_shuffle=None).cards == 416
    assert FullShoe(decks=1, cards_per_round=20, rounds_per_shuffle=1, deck_cards=36).cards == 36


def test_bets_that_may_not_stand_together_are_named() -> None:
    betting = BettingRules(("dragon", "tiger", "tie"), exclusive=(frozenset({"dragon", "tiger"}),))
    assert betting.clashing(["dragon", "tie"]) == frozenset()
    assert betting.clashing(["dragon", "tiger", "tie"]) == {"dragon", "tiger"}


def test_a_game_without_decisions_asks_nobody_and_one_without_a_pot_has_no_prize() -> None:
    game = find_game("three_knights")
    assert not game.decisions.asks(Decide(15, ("play", "fold")), {"player1_win": 100})
    assert not game.pot.bet
    assert game.pot.prize_in({}, {}) is None


@pytest.mark.parametrize(
    ("options", "default"),
    [(("raise", "check"), "check"), (("play", "fold"), "fold"), (("insurance", "even_money", "decline"), "decline")],
    ids=["checks", "folds", "declines"],
)
def test_who_decides_nothing_in_time_does_what_costs_nothing(options: tuple[str, ...], default: str) -> None:
    assert Decide(15, options).default == default
