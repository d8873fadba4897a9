"""Whatever is sent, reading it gives a batch or a sentence, and never anything else."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dealer_ui.api.account.purse import MONEY
from dealer_ui.api.bettor.bet import read_batch
from dealer_ui.api.request.answer import AnswerError
from dealer_ui.floor.bet_offer import BetOffer

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4)
)
IDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._:@~+-]{0,63}", fullmatch=True)
GOOD = st.fixed_dictionaries(
    {"client_id": IDS, "bettor": IDS, "bet": st.just("player1_win"), "stake": st.integers(1, 10**15)}
)
NEAR = st.fixed_dictionaries(
    {}, optional={"client_id": IDS | ANYTHING, "bettor": IDS | ANYTHING, "bet": ANYTHING, "stake": ANYTHING}
)


@given(st.binary(max_size=200) | ANYTHING.map(lambda value: json.dumps(value).encode()))
def test_any_body_is_read_or_refused_with_a_sentence(body: bytes) -> None:
    for read in (read_batch, MONEY.parse):
        refusal = refusal_of(read, body)
        assert refusal is None or (refusal.status == 400 and refusal.sentence.endswith("."))


def refusal_of(read: Callable[[bytes], object], body: bytes) -> AnswerError | None:
    try:
        read(body)
    except AnswerError as error:
        return error
    return None


@given(st.lists(GOOD | NEAR | ANYTHING, min_size=1, max_size=12))
def test_every_bet_has_its_place_and_the_good_ones_are_untouched(bets: list[Any]) -> None:
    read = read_batch(json.dumps({"bets": bets}).encode()).bets
    assert len(read) == len(bets)
    for raw, bet in zip(bets, read, strict=True):
        if isinstance(bet, BetOffer):
            assert raw == {
                "client_id": bet.client_id, "bettor": bet.bettor, "bet": bet.bet, "stake": bet.stake_minor,
            }  # fmt: skip
        else:
            assert bet.status == "refused"
            assert bet.sentence


@given(st.lists(GOOD, min_size=1, max_size=12))
def test_a_batch_of_good_bets_is_read_whole(bets: list[dict[str, Any]]) -> None:
    assert all(isinstance(bet, BetOffer) for bet in read_batch(json.dumps({"bets": bets}).encode()).bets)
