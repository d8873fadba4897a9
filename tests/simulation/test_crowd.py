"""Twenty thousand bettors on one round of Ultimate Texas Hold'em, each paid by what he decided in the windows."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.crowd import PURSE_MINOR, WINDOWS, Crowd
from bench.table import DEALER, OPERATOR, Bare
from dealer_ui.past.game_record import details
from studio.journal import Reader, Store
from studio.money import Offer, bettor_account
from studio.rounds import Finished
from studio.rulebook.holdem import Outcome
from studio.tables import command as c
from studio.tables.event.table import Decision

A_BATCH = 1_000


def play(table: Bare, crowd: Crowd) -> None:
    for batch in crowd.bets(A_BATCH):
        offers = [
            Offer("", OPERATOR, bet["client_id"], bet["bettor"], "", "", bet["bet"], bet["stake"], "EUR")
            for bet in batch
        ]
        assert {answer.status for answer in table.runtime.place_bets(offers, table.now_ms)} == {"accepted"}
    for window in range(len(WINDOWS)):
        assert table.hands.next_window()
        for batch in crowd.decisions(window, A_BATCH):
            choices = [Decision(operator=OPERATOR, **one) for one in batch]
            assert {answer.status for answer in table.runtime.take_decisions(choices, table.now_ms)} == {"accepted"}
    assert not table.hands.next_window()


def decided(crowd: Crowd, at: int, reader: Reader, round: str) -> None:
    """The record says what he chose, and that he folded where he said nothing to the end."""
    found = details(reader, OPERATOR, crowd.name(at), round)
    assert found is not None
    raised = crowd.raised.get(at)
    last = found.decisions[-1]
    assert last.option == (raised or "fold")
    assert raised is None or not last.by_default
    assert (len(found.decisions) == len(WINDOWS)) or raised is not None


@pytest.mark.parametrize("seed", [pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.night)])
def test_every_bettor_of_a_crowd_is_paid_by_his_own_decisions_and_no_cent_is_lost(tmp_path: Path, seed: int) -> None:
    crowd = Crowd(20_000, seed)
    with Store.open(tmp_path / "crowd.db") as store:
        table = Bare(store, "ultimate_holdem", seed=seed)
        table.deposit_all([crowd.name(at) for at in range(crowd.bettors)], PURSE_MINOR)
        table.hands.open()
        table.hands.start_round()
        play(table, crowd)
        round = table.runtime.state.round
        assert round is not None
        assert isinstance(round.deal.standing, Finished)
        outcome: Outcome = round.deal.standing.outcome
        table.runtime.handle(c.DeclareResult(actor=DEALER), table.now_ms)
        table.pay()
        with store.reader() as reader:
            returned = {
                (bettor, bet): amount
                for bettor, bet, amount in reader.read(
                    "SELECT bettor, bet.bet, amount FROM bet JOIN ledger ON ledger.round = bet.round AND ledger.bet = "
                    "bet.id AND ledger.round <> '' AND ledger.kind = 'return'",
                    (),
                )
            }
            placed = dict(
                ((bettor, bet), stake) for bettor, bet, stake in reader.read("SELECT bettor, bet, stake FROM bet", ())
            )
            for at, owed in enumerate(crowd.owed(outcome)):
                name, stakes = crowd.name(at), crowd.stakes(at)
                assert {bet: placed.pop((name, bet)) for bet in stakes} == stakes
                assert {bet: returned.pop((name, bet), 0) for bet in stakes} == owed
                balance = PURSE_MINOR - sum(stakes.values()) + sum(owed.values())
                assert reader.balance(bettor_account(OPERATOR, name)) == balance
            assert (placed, returned) == ({}, {})
            assert reader.read("SELECT sum(amount) FROM balance", ()) == [(0,)]
            assert reader.read("SELECT count(*) FROM balance WHERE account LIKE 'escrow:%'", ()) == [(0,)]
            for at in range(0, crowd.bettors, 997):
                decided(crowd, at, reader, round.id)
        table.writer.close()
