"""Every field that an operator may send has its rule in words: a wrong one is refused by name, never our mistake."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter

from dealer_ui import api
from dealer_ui.api.answer import AnswerError
from dealer_ui.api.order import _RULES as RULES
from dealer_ui.api.order import read_one, read_whole
from studio.money import Answer

ODD = (None, True, 1.5, -1, 10**30, "", " ", "\x00", "a" * 2_000, [], {}, [[]], [None], [1], {"a": 1}, float("nan"))


def _read() -> Iterator[tuple[str, TypeAdapter[Any]]]:
    """Every adapter of the interface that reads an object with named fields."""
    for module in pkgutil.iter_modules(api.__path__):
        for name, found in vars(importlib.import_module(f"dealer_ui.api.{module.name}")).items():
            if isinstance(found, TypeAdapter) and "properties" in found.json_schema():
                yield f"{module.name}.{name}", found


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
