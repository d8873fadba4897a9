"""What may be asked of a demo: house options of the games it deals."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_ui.rehearsal.demo.asked import rules_named
from dealer_ui.rehearsal.demo.demo import DemoOptions, build_demo
from studio.errors import BadInputError
from studio.games import find_game
from studio.proof.certificate.folder import SHIPPED, Certificates


def test_a_house_option_goes_to_the_tables_whose_game_has_it_and_they_may_open(tmp_path: Path) -> None:
    games = ("dragon_tiger", "baccarat")
    demo = build_demo(DemoOptions(games, tmp_path / "demo.db", seed=1, rules=rules_named(games, ("squeeze=on",))))
    try:
        assert {table.game: table.rules for table in demo.studio.config.tables} == {
            "dragon_tiger": {},
            "baccarat": {"squeeze": "on"},
        }
        proved = Certificates.of(SHIPPED)
        assert all(proved.find(find_game(table.game), table.rules) for table in demo.studio.config.tables)
    finally:
        demo.stop()


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [("squeeze", "The house option squeeze cannot be ''"), ("sqeeze=on", "has a house option 'sqeeze'")],
)
def test_a_house_option_that_no_game_has_is_refused(asked: str, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        rules_named(("baccarat",), (asked,))
