"""Certificates meet tables: an exact fit or none, the studio's own folder, and returns for every bet shown."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from dealer_ui.desk.theory import Theory
from studio.errors import BadInputError
from studio.games import HOUSE_GAMES, find_game
from studio.jackpot import PotTerms
from studio.proof.certificate.folder import save_certificate
from studio.proof.certificate.record import certify
from studio.rulebook.game import Game
from studio.tables.config import TableConfig


def table(game: str = "three_knights", **rules: str) -> TableConfig:
    return TableConfig(key="t1", title="T", game=game, rules=dict(rules))


@pytest.mark.parametrize("game", HOUSE_GAMES, ids=lambda game: game.key)
def test_a_default_table_is_proved_without_proving_anything(game: Game) -> None:
    proof = Theory().resolved(table(game.key)).proof
    assert proof is not None
    assert (proof.over, 80 < proof.highest_percent <= 100) == ((), True)


@pytest.mark.parametrize("game", HOUSE_GAMES, ids=lambda game: game.key)
def test_returns_are_told_by_bet(game: Game) -> None:
    percents = Theory().percents(table(game.key))
    decided = {"call", "play", "flop", "turn", "river", "blind"}  # told with the ante they add to
    assert set(percents) == set(game.betting.bets) - decided
    assert all(0 < percent <= 100 for percent in percents.values())


def test_a_changed_pay_table_is_not_proved_until_the_studio_has_its_certificate(tmp_path: Path) -> None:
    changed = table(six="commission")
    assert Theory().resolved(changed).proof is None
    assert Theory().percents(changed) == {}
    save_certificate(certify(find_game("three_knights"), changed.rules, date="2026-01-02"), tmp_path)
    theory = Theory(str(tmp_path))
    assert theory.percents(changed)["player1_win"] == pytest.approx(97.5944, abs=5e-5)
    proof = theory.resolved(changed).proof
    assert proof is not None
    assert proof.highest_bet == "player1_win"


@pytest.mark.long
def test_what_returns_more_than_all_is_named(tmp_path: Path) -> None:
    generous = table("kkclash", draw="25")
    save_certificate(certify(find_game("kkclash"), generous.rules, date="2026-01-02"), tmp_path)
    proof = Theory(str(tmp_path)).resolved(generous).proof
    assert proof is not None
    assert (proof.over, proof.highest_bet) == (("draw",), "draw")
    assert proof.highest_percent == pytest.approx(101.685, abs=1e-3)


@pytest.mark.parametrize(("share_percent", "over"), [(38, ()), (56, ()), (57, ("first5",))])
def test_what_a_table_gives_to_its_pot_counts_as_given_back(share_percent: int, over: tuple[str, ...]) -> None:
    pot = PotTerms(key="p", currency="EUR", seed_minor=0, reset_minor=0, share_percent=share_percent)
    fed = msgspec.structs.replace(table("holdem_bonus"), pot=pot)
    proof = Theory().resolved(fed).proof
    assert proof is not None
    assert proof.over == over


def test_a_folder_that_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no such folder of certificates"):
        Theory(str(tmp_path / "nowhere"))


def test_nothing_is_proved_of_a_game_between_seats() -> None:
    config = TableConfig(key="nlh-1", title="Hold'em", game="nlh")
    assert Theory().certificate(config) is None
    assert Theory().resolved(config).proof is None
