"""Transfers: every stake leaves escrow once, a correction moves only what changed, and a digest covers it all."""

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import InvariantError
from studio.money import Transfer
from studio.settlement import (
    CHUNK_BETS,
    Payout,
    PlacedBet,
    Progress,
    Purse,
    chunks,
    payouts_digest,
    resettling_transfers,
    settle_chunk,
    settling_transfers,
    unsettling_transfers,
    voiding_transfers,
)

PURSE = Purse("r7", "tk1", "EUR")
ANN = "bettor:north:ann"
WON = Payout("b1", "player1_win", ANN, 100, 150)
LOST = Payout("b2", "player1_tie", ANN, 40, 0)
PUSHED = Payout("b3", "player2_win", ANN, 60, 60)

payout_lists = st.lists(
    st.builds(
        Payout,
        st.uuids().map(str),
        st.just("player1_win"),
        st.sampled_from([ANN, "bettor:north:bob"]),
        st.integers(1, 10**6),
        st.integers(0, 10**7),
    ),
    max_size=40,
)


def moved(transfers: Iterable[Transfer]) -> Counter[str]:
    """What every account has more or less after the transfers."""
    balance: Counter[str] = Counter()
    for each in transfers:
        assert each.amount_minor > 0
        balance[each.debit] -= each.amount_minor
        balance[each.credit] += each.amount_minor
    return Counter({account: amount for account, amount in balance.items() if amount})


def test_a_settled_bet_is_posted_to_the_house_which_pays_what_it_returns() -> None:
    assert settling_transfers((WON, LOST), PURSE) == (
        Transfer("r7", "b1", "post", "escrow:r7", "house:tk1", 100, "EUR", 0),
        Transfer("r7", "b1", "return", "house:tk1", ANN, 150, "EUR", 0),
        Transfer("r7", "b2", "post", "escrow:r7", "house:tk1", 40, "EUR", 0),
    )


def test_a_voided_bet_goes_back_from_escrow() -> None:
    assert voiding_transfers((PlacedBet("b1", "player1_win", ANN, 100),), PURSE) == (
        Transfer("r7", "b1", "void", "escrow:r7", ANN, 100, "EUR", 0),
    )


def test_a_resettlement_reverses_and_pays_again_only_what_changed() -> None:
    after = (Payout("b1", "player1_win", ANN, 100, 0), Payout("b2", "player1_tie", ANN, 40, 360), PUSHED)
    assert resettling_transfers((WON, LOST, PUSHED), after, PURSE, revision=1) == (
        Transfer("r7", "b1", "reverse_return", ANN, "house:tk1", 150, "EUR", 1),
        Transfer("r7", "b2", "return", "house:tk1", ANN, 360, "EUR", 1),
    )


def test_a_settled_round_that_is_voided_gives_the_stake_back_and_takes_the_return() -> None:
    assert unsettling_transfers((WON,), PURSE, revision=1) == (
        Transfer("r7", "b1", "reverse_return", ANN, "house:tk1", 150, "EUR", 1),
        Transfer("r7", "b1", "reverse_post", "house:tk1", "escrow:r7", 100, "EUR", 1),
        Transfer("r7", "b1", "void", "escrow:r7", ANN, 100, "EUR", 1),
    )


def test_a_correction_without_a_revision_or_of_other_bets_is_our_own_mistake() -> None:
    with pytest.raises(InvariantError, match="revision"):
        resettling_transfers((WON,), (WON,), PURSE, revision=0)
    with pytest.raises(InvariantError, match="revision"):
        unsettling_transfers((WON,), PURSE, revision=0)
    with pytest.raises(InvariantError, match="b2"):
        resettling_transfers((WON,), (LOST,), PURSE, revision=1)


@given(payout_lists)
def test_settling_then_voiding_a_round_leaves_every_account_as_before_the_bets(payouts: list[Payout]) -> None:
    staked = [
        Transfer("r7", each.id, "reserve", each.account, "escrow:r7", each.stake_minor, "EUR") for each in payouts
    ]
    settled = settling_transfers(payouts, PURSE)
    assert moved([*staked, *settled])["escrow:r7"] == 0
    assert not moved([*staked, *settled, *unsettling_transfers(payouts, PURSE, revision=1)])
    assert not moved([*staked, *voiding_transfers(payouts, PURSE)])


@settings(deadline=None)
@given(payout_lists, st.data())
def test_a_resettled_round_stands_as_if_it_had_been_settled_right_at_once(
    before: list[Payout], data: st.DataObject
) -> None:
    after = [Payout(old.id, old.bet, old.account, old.stake_minor, data.draw(st.integers(0, 10**7))) for old in before]
    corrected = (*settling_transfers(before, PURSE), *resettling_transfers(before, after, PURSE, revision=1))
    assert moved(corrected) == moved(settling_transfers(after, PURSE))
    keys = [(each.round, each.bet, each.kind, each.revision) for each in corrected]
    assert len(keys) == len(set(keys))


@given(payout_lists, st.integers(1, 7))
def test_a_settlement_in_chunks_makes_the_same_transfers_and_the_same_digest(payouts: list[Payout], size: int) -> None:
    progress, made = Progress(), list[Transfer]()
    for chunk in chunks(payouts, size):
        progress, transfers = settle_chunk(chunk, PURSE, progress)
        made.extend(transfers)
    assert tuple(made) == settling_transfers(payouts, PURSE)
    assert progress == Progress(
        bets=len(payouts),
        stake_minor=sum(each.stake_minor for each in payouts),
        returns_minor=sum(each.returns_minor for each in payouts),
        digest=payouts_digest(payouts),
    )


def test_the_digest_is_a_chain_anyone_can_make_again_from_the_lines() -> None:
    first = sha256(b'["b1","player1_win","bettor:north:ann",100,150]').digest()
    second = sha256(first + b'["b2","player1_tie","bettor:north:ann",40,0]')
    assert payouts_digest((WON, LOST)) == second.hexdigest()
    assert payouts_digest(()) == ""


def test_a_chunk_holds_five_thousand_bets_at_most() -> None:
    assert [len(chunk) for chunk in chunks(range(2 * CHUNK_BETS + 1))] == [5_000, 5_000, 1]
