"""Sums up what is left of the free bets an operator has granted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from studio.journal.reader import Reader

_LEFT: Final = """
SELECT currency, sum(amount) FROM balance WHERE account >= ? AND account < ? AND instr(account, '/') > 0 AND amount > 0
GROUP BY currency
"""


def granted_left(reader: Reader, operator: str) -> Mapping[str, int]:
    """What his bettors may still stake of it, in minor units by currency; expired grants count until taken back."""
    return dict(reader.read(_LEFT, (f"promotion:{operator}:", f"promotion:{operator};")))
