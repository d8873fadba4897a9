"""A corrected round and the pot it fed: the contribution of a void one comes back."""

from __future__ import annotations

import pytest
from correction_bench import approve, ask, correct, replaced
from holdem_table import Holdem, holdem
from test_table_pot import FED, GAME, NOTHING, POT, ROYAL, STAKES, pot

from studio.rounds import CardReplaced
from studio.tables.event import table as e


def finished(round: Holdem) -> Holdem:
    round.staked(STAKES).decided(ann="fold").decided().decided().finish()
    return round


def card(round: Holdem, box: str, place: int, face: str) -> CardReplaced:
    return replaced(round.table, box, place, face)


def test_voided_after_its_settlement_a_round_takes_its_contribution_out_of_the_pot() -> None:
    with holdem(GAME, NOTHING, pot=POT) as round:
        table = finished(round).table
        assert pot(table) == 100_000 + FED
        correct(table, void=True)
        assert pot(table) == 100_000
        [told] = table.rows("PotTakenBack")
        assert isinstance(told, e.PotTakenBack)
        assert (told.amount_minor, told.short_minor) == (FED, 0)
        assert [table.balance(bettor) for bettor in STAKES] == [10_000] * 3
        assert table.house() == 0


def test_a_kill_before_the_bets_go_back_takes_the_contribution_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.tables.correction.resettlement.CHUNK_BETS", 2)
    with holdem(GAME, NOTHING, pot=POT) as round:
        table = finished(round).table
        ask(table, void=True)
        approve(table)
        while table.table.pay(table.now):
            table.restart()
        assert pot(table) == 100_000
        assert len(table.rows("PotTakenBack")) == 1


def test_a_card_the_dealer_turned_may_be_corrected() -> None:
    with holdem(GAME, NOTHING, pot=POT) as round:
        table = finished(round).table
        correct(table, card(round, "dealer", 1, "Kd"))
        [done] = table.rows("RoundResettled")
        assert isinstance(done, e.RoundResettled)
        assert done.outcome != done.before
        assert pot(table) == 100_000 + FED


def test_a_card_that_leaves_the_prize_as_it_was_is_corrected_beside_it() -> None:
    with holdem(GAME, ROYAL, pot=POT) as round:
        table = finished(round).table
        before = pot(table), table.balance("ann")
        correct(table, card(round, "board", 5, "5d"))
        assert (pot(table), table.balance("ann")) == before


def test_a_fixed_prize_of_the_house_is_a_difference_like_another() -> None:
    with holdem(GAME, NOTHING, rules={"first5_pot": 9_000}) as round:
        table = finished(round).table
        before = table.balance("bob")
        facts = (card(round, "player", 1, "As"), card(round, "board", 2, "Js"), card(round, "board", 3, "Ts"))
        correct(table, *facts)
        assert table.balance("bob") > before + 4_499
        correct(table, void=True)
        assert [table.balance(bettor) for bettor in STAKES] == [10_000] * 3
