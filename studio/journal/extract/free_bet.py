"""Sums up what is left of the free bets an operator has granted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from studio.journal.reader import Reader
from studio.money import grant_of

_GRANTS: Final = "FROM balance WHERE account >= ? AND account < ? AND instr(account, '/') > 0 AND amount > 0"
_LEFT: Final = f"SELECT currency, sum(amount) {_GRANTS} GROUP BY currency"
_EACH: Final = f"SELECT account, currency, amount {_GRANTS}"


def granted_left(reader: Reader, operator: str) -> Mapping[str, int]:
    """What his bettors may still stake of it, in minor units by currency; expired grants count until taken back."""
    return dict(reader.read(_LEFT, _within(operator)))


def grants_left(reader: Reader, operator: str) -> Iterator[tuple[str, str, int]]:
    """The same grant by grant: its id, its currency and what is left of it."""
    for account, currency, left_minor in reader.stream(_EACH, _within(operator)):
        yield grant_of(account), currency, left_minor


def _within(operator: str) -> tuple[str, str]:
    return f"promotion:{operator}:", f"promotion:{operator};"
