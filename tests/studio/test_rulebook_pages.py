"""The page of each game's rules and the code that cites them hold each other to account."""

import pytest
from rulebook_page import PAGES, cited, defined, page

from studio.games import HOUSE_GAMES
from studio.rulebook.game import Game

KEYS = [game.key for game in HOUSE_GAMES]


@pytest.mark.parametrize("game", HOUSE_GAMES, ids=lambda game: game.key)
def test_every_game_has_its_page_under_its_title_and_key(game: Game) -> None:
    assert page(game.key).startswith(f"# {game.title}\n")
    assert f"`{game.key}`. Rulebook version {game.edition.version}." in page(game.key)


@pytest.mark.parametrize("key", KEYS)
def test_the_rules_are_numbered_from_one_without_a_gap(key: str) -> None:
    _, numbers = defined(key)
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("key", KEYS)
def test_every_cited_rule_stands_on_the_page_and_every_rule_on_the_page_is_cited(key: str) -> None:
    letters, numbers = defined(key)
    assert set(cited(letters)) == set(numbers)


def test_no_two_pages_have_the_same_letters() -> None:
    letters = [defined(path.stem)[0] for path in PAGES.glob("*.md")]
    assert len(set(letters)) == len(letters)
