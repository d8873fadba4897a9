"""What a call to a wallet is, and what an answer to it comes to."""

from __future__ import annotations

import uuid

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wallet_call import BALANCE, CALLS, CANCEL, CREDIT, DEBIT

from studio.wallets.answer import WalletOutcome, Word, outcome_of
from studio.wallets.call import digest_of, kind_of
from studio.wallets.id import Facts, transaction_id

FACTS = Facts(operator="north", table="t1", round="t1-7", bettor="ann", bet="north/n-1", kind="debit")


def test_every_call_has_a_name_of_its_own() -> None:
    assert sorted({kind_of(call) for call in CALLS}) == [
        "adjust", "authenticate", "balance", "cancel", "credit", "debit", "end_round", "status",
    ]  # fmt: skip


@pytest.mark.parametrize("field", ["operator", "table", "round", "bettor", "bet", "kind", "generation", "attempt"])
def test_an_id_changes_with_every_fact_and_with_nothing_else(field: str) -> None:
    other = msgspec.structs.replace(FACTS, **{field: 1 if field in ("generation", "attempt") else "other"})
    assert transaction_id(FACTS) == transaction_id(msgspec.structs.replace(FACTS))
    assert transaction_id(FACTS) != transaction_id(other)


@given(st.text(), st.text())
def test_facts_that_read_alike_when_strung_together_have_different_ids(one: str, other: str) -> None:
    first, second = (msgspec.structs.replace(FACTS, round=a, bettor=b) for a, b in ((one, other), (one + other, "")))
    assert (transaction_id(first) == transaction_id(second)) is (first == second)


def test_an_id_is_a_uuid_as_wallets_want_it() -> None:
    found = uuid.UUID(transaction_id(FACTS))
    assert (found.version, found.variant) == (8, uuid.RFC_4122)


def test_the_same_id_with_other_contents_is_another_call() -> None:
    assert digest_of(DEBIT) == digest_of(msgspec.structs.replace(DEBIT))
    assert digest_of(DEBIT) != digest_of(msgspec.structs.replace(DEBIT, amount_minor=1206))


OUTCOMES = {
    "debit": (DEBIT, {"ok", "duplicate_ok"}, {"temporary", "unknown_transaction", "conflict"}),
    "credit": (CREDIT, {"ok", "duplicate_ok"}, {"temporary", "unsent"}),
    "cancel": (CANCEL, {"ok", "duplicate_ok", "unknown_transaction", "after_cancel"}, {"temporary", "unsent"}),
    "balance": (BALANCE, {"ok", "duplicate_ok"}, {"temporary"}),
}


@pytest.mark.parametrize("kind", OUTCOMES)
def test_an_answer_is_a_yes_a_no_or_neither(kind: str) -> None:
    call, yes, neither = OUTCOMES[kind]
    found = {word: outcome_of(call, word) for word in Word}
    assert {word for word, outcome in found.items() if outcome is WalletOutcome.ACCEPTED} == yes
    assert {word for word, outcome in found.items() if outcome is WalletOutcome.UNKNOWN} == neither
