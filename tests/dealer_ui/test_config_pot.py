"""Pots in a configuration: named once, fed by tables whose game has a bet for it, and every mistake with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_ui.config.file import load_config
from studio.errors import BadInputError
from studio.jackpot import PotTerms

GOOD = """\
[pots.main]
seed_minor = 1_000_000
reset_minor = 500_000

[[tables]]
key = "b1"
title = "Bonus"
game = "holdem_bonus"
pot = "main"
"""


def test_a_table_carries_the_terms_of_its_pot(tmp_path: Path) -> None:
    file = tmp_path / "studio.toml"
    file.write_text(GOOD)
    config = load_config(file)
    assert config.table_config(config.tables[0]).pot == PotTerms(
        key="main", currency="EUR", seed_minor=1_000_000, reset_minor=500_000, share_percent=38
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('pot = "main"', 'pot = "mian"', 9, "there is no pot 'mian'; the pots are: main"),
        ('game = "holdem_bonus"', 'game = "kkclash"', 9, "has no bet that feeds a pot"),
        ('pot = "main"', 'pot = "main"\nrules = { first5_pot = 5 }', 10, "no fixed prize beside it"),
        ("seed_minor = 1_000_000", 'seed_minor = 1_000_000\ncurrency = "USD"', 10, "there is no rate for USD"),
        ("reset_minor = 500_000", "reset_minor = -1", 3, "greater than or equal to 0"),
        ("reset_minor = 500_000", "reset_minor = 5\nshare_percent = 101", 4, "less than or equal to 100"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, old: str, new: str, line: int, said: str) -> None:
    file = tmp_path / "studio.toml"
    assert old in GOOD
    file.write_text(GOOD.replace(old, new))
    with pytest.raises(BadInputError) as caught:
        load_config(file)
    assert f"line {line}: " in str(caught.value), str(caught.value)
    assert said in str(caught.value)
