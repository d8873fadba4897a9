"""Amounts as people write them, and the names of the accounts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import BadInputError
from studio.money import (
    AMOUNT_MINOR_MAX,
    bettor_account,
    escrow_account,
    format_minor,
    house_account,
    may_go_below_zero,
    operator_account,
    parse_amount,
)


@pytest.mark.parametrize(
    ("text", "currency", "amount_minor"),
    [
        ("12", "EUR", 1200),
        ("12.5", "EUR", 1250),
        ("12.05", "EUR", 1205),
        (" 0.01 ", "EUR", 1),
        ("0", "EUR", 0),
        ("12.05 EUR", "EUR", 1205),
        ("500", "JPY", 500),
        ("1.005", "KWD", 1005),
    ],
)
def test_an_amount_is_read_into_minor_units(text: str, currency: str, amount_minor: int) -> None:
    assert parse_amount(text, currency) == amount_minor


@pytest.mark.parametrize(
    ("text", "currency", "told"),
    [
        ("", "EUR", "write digits"),
        ("1,000", "EUR", "write digits"),
        ("12,50", "EUR", "write digits"),
        ("-5", "EUR", "write digits"),
        ("1e3", "EUR", "write digits"),
        (".5", "EUR", "write digits"),
        ("5.", "EUR", "write digits"),
        ("٣", "EUR", "write digits"),
        ("5 USD", "EUR", "write digits"),
        ("12.505", "EUR", "too many decimals"),
        ("12.5", "JPY", "as in 1250"),
        ("9999999999999999", "EUR", "too large"),
        ("5", "euro", "three letters"),
        ("5", "EÜR", "three letters"),
    ],
)
def test_a_mistyped_amount_is_refused_with_a_sentence(text: str, currency: str, told: str) -> None:
    with pytest.raises(BadInputError, match=told) as caught:
        parse_amount(text, currency)
    assert caught.value.sentence.endswith(".")


@given(st.integers(0, AMOUNT_MINOR_MAX), st.sampled_from(["EUR", "JPY", "KWD"]))
def test_what_is_formatted_reads_back(amount_minor: int, currency: str) -> None:
    assert parse_amount(format_minor(amount_minor, currency), currency) == amount_minor


@given(st.text(max_size=20))
def test_no_text_does_worse_than_bad_input(text: str) -> None:
    try:
        amount_minor = parse_amount(text, "EUR")
    except BadInputError:
        return
    assert 0 <= amount_minor <= AMOUNT_MINOR_MAX


def test_a_debt_is_written_with_its_sign() -> None:
    assert format_minor(-5, "EUR") == "-0.05 EUR"


def test_accounts_of_two_bettors_never_share_a_name() -> None:
    assert bettor_account("a", "b:c") != bettor_account("ab", "c")
    for operator in ("a:b", ""):
        with pytest.raises(BadInputError, match="colon"):
            bettor_account(operator, "c")


def test_only_the_house_and_the_operators_may_owe() -> None:
    assert may_go_below_zero(house_account("t1"))
    assert may_go_below_zero(operator_account("north"))
    assert not may_go_below_zero(bettor_account("north", "house:"))
    assert not may_go_below_zero(escrow_account("r1"))
