"""The examples in the docstrings of the rulebook, its hands and its settlement are true."""

import doctest
from types import ModuleType

import pytest

import studio.games
from studio.hands import three_card, three_knights
from studio.settlement import payout, transfers


@pytest.mark.parametrize(
    "module", [studio.games, three_card, three_knights, payout, transfers], ids=lambda module: module.__name__
)
def test_the_examples_of_the_module_are_true(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed
