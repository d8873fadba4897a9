"""A game is added by its own files and one line in a list: nothing else of the house knows the plain ones by name."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from studio.games import GAMES, HOUSE_GAMES

ROOT = Path(__file__).parents[2]
PLAIN = ("three_card_poker", "ultimate_holdem", "casino_holdem")
"""Games that show nothing of their own beside what every game shows."""
KNOWN = {"studio/games/__init__.py"}
"""The list."""
OWN = ("studio.games", "studio.pay_tables", "studio.proof.returns", "dealer_ui.rehearsal.opinions")


@pytest.mark.parametrize("game", HOUSE_GAMES, ids=lambda game: game.key)
def test_a_house_game_has_its_own_file_in_each_room_that_reads_games(game: object) -> None:
    key = game.key  # type: ignore[attr-defined]
    rulebook, told, proof, opinion = (import_module(f"{room}.{key}") for room in OWN)
    assert game in vars(rulebook).values()
    assert told.METHOD
    assert isinstance(told.CASES, tuple)
    assert all(callable(getattr(told, name)) for name in ("lines", "pays", "worst"))
    assert callable(proof.figures)
    assert callable(opinion.opinion)
    assert (ROOT / f"docs/games/{key}.md").exists()


def test_the_room_of_the_games_holds_the_list_and_one_file_a_game_with_what_only_it_needs_beside_it() -> None:
    files = {path.stem for path in (ROOT / "studio/games").glob("*.py")} - {"__init__"}
    keys = {game.key for game in GAMES}
    assert keys <= files
    assert {name for name in files - keys if not any(name.startswith(f"{key}_") for key in keys)} == set()


@pytest.mark.parametrize("key", PLAIN)
def test_nothing_else_knows_a_plain_game_by_its_name(key: str) -> None:
    named = re.compile(rf"\b{key}\b")
    sources = [path for room in ("studio", "devices", "dealer_ui") for path in (ROOT / room).rglob("*.py")]
    knowing = {
        path.relative_to(ROOT).as_posix()
        for path in sources
        if path.stem != key and named.search(path.read_text(encoding="utf-8"))
    }
    assert knowing <= KNOWN
