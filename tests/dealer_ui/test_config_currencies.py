"""Other currencies in a configuration: dated rates, what bettors may bring to a table, mistakes with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer_ui.config.file import load_config
from studio.errors import BadInputError
from studio.money import Rates

GOOD = """\
[rates]
date = "2026-01-31"
worth = { USD = "0.92", JPY = "0.0061", GBP = "1.17" }

[pots.main]
currency = "GBP"
seed_minor = 1_000_000
reset_minor = 500_000

[[tables]]
key = "b1"
title = "Bonus"
game = "holdem_bonus"
currencies = ["JPY"]
pot = "main"

[[tables]]
key = "k1"
title = "Clash"
game = "kkclash"
"""


def test_a_table_carries_the_rates_of_the_currencies_that_meet_there(tmp_path: Path) -> None:
    file = tmp_path / "studio.toml"
    file.write_text(GOOD)
    config = load_config(file)
    bonus, clash = map(config.table_config, config.tables)
    assert bonus.currencies == ("JPY",)
    assert bonus.rates == Rates(date="2026-01-31", worth={"EUR": "1", "GBP": "1.17", "JPY": "0.0061"})
    assert (clash.currency, clash.currencies, clash.rates) == ("EUR", (), None)
    assert config.currencies == ("EUR", "USD", "JPY", "GBP")


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('currencies = ["JPY"]', 'currencies = ["CHF"]', 14, "there is no rate for CHF"),
        ('currencies = ["JPY"]', 'currencies = ["JPY", "JPY"]', 14, "JPY is named twice"),
        ('currencies = ["JPY"]', 'currencies = ["EUR"]', 14, "EUR is named twice"),
        ('currency = "GBP"', 'currency = "CHF"', 15, "there is no rate for CHF"),
        ('USD = "0.92"', 'EUR = "0.92"', 3, "another than EUR"),
        ('USD = "0.92"', 'USD = "0.00"', 3, "above 0"),
        ('USD = "0.92"', 'USD = "dear"', 3, "an exact number as text"),
        ('date = "2026-01-31"', 'date = "2026-02-30"', 2, "there is no day 2026-02-30: write one as in 2026-01-31"),
        ('date = "2026-01-31"', 'date = "yesterday"', 2, "write a day, as in 2026-01-31"),
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
