"""Every field that an operator may send has its rule in words: a wrong one is refused by name, never our mistake."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter

from dealer_ui import api
from dealer_ui.api.account.purse import MONEY
from dealer_ui.api.bettor.bet import read_batch
from dealer_ui.api.request.answer import AnswerError
from dealer_ui.api.request.body import Asked, Body
from dealer_ui.api.request.order import RULES, read_one, read_whole
from dealer_ui.floor.bet_offer import BetOffer
from studio.money import Answer

ODD = (None, True, 1.5, -1, 10**30, "", " ", "\x00", "a" * 2_000, [], {}, [[]], [None], [1], {"a": 1}, float("nan"))


def _read() -> Iterator[tuple[str, TypeAdapter[Any]]]:
    """Every adapter of the interface that reads an object with named fields."""
    for module in pkgutil.walk_packages(api.__path__, "dealer_ui.api."):
        for name, found in vars(importlib.import_module(module.name)).items():
            adapter = found.adapter if isinstance(found, Body | Asked) else found
            if isinstance(adapter, TypeAdapter) and "properties" in adapter.json_schema():
                yield f"{module.name}.{name}", adapter


READERS = dict(_read())


@pytest.mark.parametrize("reader", READERS)
def test_every_field_has_its_rule_in_words(reader: str) -> None:
    assert set(READERS[reader].json_schema()["properties"]) <= set(RULES)


@pytest.mark.parametrize("reader", READERS)
def test_each_field_is_checked_by_its_type_whatever_comes(reader: str) -> None:
    schema = READERS[reader].json_schema()
    for field in schema["properties"]:
        for odd in ODD:
            told = read_one(READERS[reader].validate_json, {field: odd})
            if isinstance(told, Answer):
                assert (told.status, told.sentence[-1]) == ("refused", ".")


@pytest.mark.parametrize("body", [b"", b"[" * 100_000, b'{"bets":' + b"[" * 100_000, b"\xff", b'"\\ud800"', b"NaN"])
@pytest.mark.parametrize("reader", READERS)
def test_a_body_that_is_no_object_is_refused_whole(reader: str, body: bytes) -> None:
    with pytest.raises(AnswerError) as refused:
        read_whole(READERS[reader], body)
    assert refused.value.status == 400


@pytest.mark.parametrize("amount", ["500", "500.0", "5e2"])
def test_a_whole_number_is_one_however_it_is_written(amount: str) -> None:
    assert MONEY.parse(f'{{"client_id": "d-1", "amount": {amount}}}'.encode()).amount_minor == 500
    bet = f'{{"client_id": "n-1", "bettor": "ann", "bet": "player1_win", "stake": {amount}}}'
    [read, _] = read_batch(f'{{"bets": [{bet}, {{}}]}}'.encode()).bets
    assert isinstance(read, BetOffer)
    assert read.stake_minor == 500


@pytest.mark.parametrize("amount", ["500.5", "1e400", '"500"', "true", "0.0"])
def test_what_is_no_whole_number_is_refused(amount: str) -> None:
    with pytest.raises(AnswerError, match="whole number"):
        MONEY.parse(f'{{"client_id": "d-1", "amount": {amount}}}'.encode())
