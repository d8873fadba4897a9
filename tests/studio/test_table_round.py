"""A whole round of Three Knights at a table, from the burn to the money, and the doors that are shut on the way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import BURNS, DEAL, DEALER, PIT, Bench, bench

from studio import ports
from studio.cards import Card
from studio.errors import RefusedError
from studio.rounds import Finished
from studio.tables import command as c
from studio.tables.decide import can
from studio.tables.event import table as e
from studio.tables.state.round import Stage
from studio.tables.state.table import Status, phase_of
from studio.views.table import view_table

AUDITOR = type(PIT)("a1", "Aldo", frozenset({"auditor"}))


@pytest.fixture
def table() -> Iterator[Bench]:
    with bench() as made:
        yield made.open()


def test_a_round_goes_from_the_burn_to_the_money(table: Bench) -> None:
    table.deposit(10_000)
    table.do(c.StartRound)
    assert phase_of(table.state) == "burning"
    table.burn()
    assert phase_of(table.state) == "betting"
    table.betting(("player1_tie", 1000), ("player2_win", 500))
    assert phase_of(table.state) == "dealing"
    assert table.balance() == 8500
    table.deal(*DEAL)
    assert phase_of(table.state) == "result"
    assert isinstance(table.round.deal.standing, Finished)
    table.do(c.DeclareResult)
    assert table.round.stage is Stage.SETTLING
    table.pay()
    assert phase_of(table.state) == "settled"
    assert table.balance() == 8500 + 9000
    assert table.house() == 1500 - 9000


def test_four_cards_are_burned_before_every_hand(table: Bench) -> None:
    """TK1."""
    table.do(c.StartRound)
    for number, card in enumerate(BURNS[:3], 1):
        table.draw(card)
        table.lay("burn", number)
    assert table.refused(c.OpenBetting) == "not_now"
    table.draw(BURNS[3])
    assert table.refused(c.OpenBetting) == "burn_not_seen"
    table.lay("burn", 4)
    table.do(c.OpenBetting)


def test_a_round_without_a_bet_is_settled_with_nothing(table: Bench) -> None:
    table.start().betting().deal(*DEAL).finish()
    assert table.round.stage is Stage.SETTLED
    [settled] = table.rows("RoundSettled")
    assert (settled.bets, settled.stake_minor) == (0, 0)


def test_three_rounds_come_out_of_one_shuffle_and_no_fourth(table: Bench) -> None:
    for first in range(3):
        cards = [Card.parse(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"][first * 16 : first * 16 + 16]
        table.start(cards[:4]).betting().deal(*cards[4:]).finish()
    assert table.refused(c.StartRound) == "shoe_short"
    table.load("deck-2")
    table.do(c.StartRound)
    assert table.round.number == 4


@pytest.mark.parametrize(
    ("command", "key"),
    [(c.OpenBetting, "no_round"), (c.CloseBetting, "not_open"), (c.DeclareResult, "no_round"),
     (c.ResumeTable, "not_paused")],
)  # fmt: skip
def test_what_has_no_place_before_a_round_is_refused(table: Bench, command: type[c.Command], key: str) -> None:
    assert table.refused(command, PIT) == key


def test_no_round_starts_on_cards_that_still_lie_there(table: Bench) -> None:
    table.start().betting().deal(*DEAL)
    table.do(c.DeclareResult)
    assert table.refused(c.StartRound) == "round_open"
    table.pay()
    assert table.refused(c.StartRound) == "felt_not_clear"
    table.clear()
    table.do(c.StartRound)


def test_the_dealers_word_does_not_clear_a_felt_on_which_the_camera_sees_cards(table: Bench) -> None:
    table.start().betting().deal(*DEAL)
    table.do(c.DeclareResult)
    table.pay()
    assert table.refused(c.ConfirmFeltClear) == "cards_seen"
    sentence = can(table.state, c.ConfirmFeltClear(actor=DEALER), table.now)
    assert sentence is not None
    assert "player1 1" in sentence
    assert view_table(table.state, table.table.book, 0).now.primary is None
    table.do(c.ConfirmFeltClear, PIT)
    table.do(c.StartRound)


@pytest.mark.parametrize("blind", [True, False])
def test_the_dealers_word_clears_the_felt_where_the_camera_cannot_tell(table: Bench, *, blind: bool) -> None:
    table.start().betting().deal(*DEAL)
    table.do(c.DeclareResult)
    table.pay()
    if blind:
        table.say(ports.CameraBlind(device=table.config.camera, at_ms=table.now, reason="dark"))
    else:
        table.links(up=False, only=(table.config.camera,))
    table.do(c.ConfirmFeltClear)
    assert table.state.felt.clear


def test_a_paused_table_starts_no_round(table: Bench) -> None:
    table.do(c.PauseTable, PIT)
    assert table.refused(c.StartRound) == "paused"
    table.do(c.ResumeTable, PIT)
    table.do(c.StartRound)
    assert table.refused(c.PauseTable, PIT) == "round_open"


def test_a_closed_table_does_nothing_until_a_pit_boss_opens_it() -> None:
    with bench() as table:
        table.links()
        table.verify_deck()
        assert table.refused(c.StartRound) == "closed"
        assert table.refused(c.OpenTable, dealer="d1", dealer_name="Dana") == "not_allowed"
        table.draw("As")
        table.lay("player1", 1, "As")
        assert table.state.incidents.open == ()


def test_a_table_is_closed_between_rounds_only(table: Bench) -> None:
    table.do(c.StartRound)
    assert table.refused(c.CloseTable, PIT) == "round_open"
    table.burn()
    table.betting().deal(*DEAL).finish()
    table.do(c.CloseTable, PIT)
    assert table.state.status is Status.CLOSED


def test_an_auditor_may_look_and_freeze_and_nothing_else(table: Bench) -> None:
    assert table.refused(c.StartRound, AUDITOR) == "not_allowed"
    table.do(c.FreezeTable, AUDITOR)
    assert table.state.held


def test_a_command_that_saw_an_older_table_is_refused(table: Bench) -> None:
    seen = table.state.moves.count
    table.do(c.PauseTable, PIT)
    table.do(c.ResumeTable, PIT)
    assert table.refused(c.StartRound, seen=seen) == "moved_on"
    assert table.refused(c.StartRound, seen=table.state.moves.count + 1) == "moved_on"
    table.do(c.StartRound, seen=table.state.moves.count)


def test_an_act_of_the_deal_is_not_too_late_because_of_what_happened_beside_it(table: Bench) -> None:
    """The shuffler verifies the next deck, the pit is called and comes: the dealer's press counts as it was meant."""
    seen = table.state.moves.count
    table.verify_deck("deck-2")
    table.do(c.CallPit)
    table.do(c.AnswerCall, PIT)
    assert table.state.moves.count == seen + 3
    assert table.refused(c.LoadShoe, seen=seen) == "moved_on"
    table.do(c.StartRound, seen=seen)
    assert table.refused(c.OpenBetting, seen=seen) == "moved_on"


def test_a_press_that_was_meant_for_an_earlier_card_is_too_late(table: Bench) -> None:
    table.start()
    seen = table.state.moves.count
    table.do(c.OpenBetting)
    assert table.refused(c.CloseBetting, seen=seen) == "moved_on"


def test_a_frozen_table_stands_still_until_it_is_released_with_reason_and_pin(table: Bench) -> None:
    table.deposit()
    table.start().do(c.OpenBetting)
    table.do(c.FreezeTable)
    table.wait(20)
    assert phase_of(table.state) == "betting"
    with pytest.raises(RefusedError, match="held"):
        table.bet()
    assert table.refused(c.ReleaseTable, reason_code="x", words="y") == "not_allowed"
    assert table.refused(c.ReleaseTable, PIT, reason_code="x", words="y") == "pin_needed"
    assert table.refused(c.ReleaseTable, table.pin(PIT), reason_code="", words="y") == "reason_needed"
    assert table.refused(c.ReleaseTable, table.pin(PIT), reason_code="other", words=" ") == "words_needed"
    table.do(c.ReleaseTable, table.pin(PIT), reason_code="drill", words="")
    table.tick()
    assert phase_of(table.state) == "dealing"


def test_the_window_ends_by_the_clock_and_no_bet_comes_after_it(table: Bench) -> None:
    table.deposit()
    table.start().do(c.OpenBetting)
    table.now += 15_000
    with pytest.raises(RefusedError, match="closed"):
        table.bet()
    table.tick()
    assert table.kinds().count("WindowClosed") == 1


def test_the_dealer_may_close_the_window_early(table: Bench) -> None:
    table.start().do(c.OpenBetting)
    assert table.refused(c.OpenBetting) == "open_already"
    table.do(c.CloseBetting)
    assert phase_of(table.state) == "dealing"


def test_the_clock_going_back_takes_no_time_back(table: Bench) -> None:
    table.start().do(c.OpenBetting)
    table.now -= 3_600_000
    table.tick()
    table.draw("2s")
    with table.store.reader() as reader:
        times = [row.at_ms for row in reader.events()]
    assert times == sorted(times)


@pytest.mark.parametrize(
    ("bet", "stake_minor", "key"),
    [("player1_win", 99, "below_limit"), ("player1_win", 100_001, "over_limit"), ("player9_win", 100, "unknown_bet"),
     ("player1_win", 60_000, "insufficient_balance")],
)  # fmt: skip
def test_a_bet_the_table_cannot_take_is_answered_with_a_reason(
    table: Bench, bet: str, stake_minor: int, key: str
) -> None:
    table.deposit(50_000)
    table.start().do(c.OpenBetting)
    answer = table.bet(bet, stake_minor)
    assert (answer.status, answer.key) == ("refused", key)
    assert answer.sentence.endswith(".")
    assert table.round.stakes.bets == 0


def test_a_result_is_declared_by_no_console_before_every_card_is_seen(table: Bench) -> None:
    table.start().betting().deal(*DEAL[:11])
    table.draw(DEAL[11])
    assert table.refused(c.DeclareResult) == "unconfirmed"
    table.lay("banker", 3, DEAL[11])
    table.do(c.DeclareResult)


def test_a_sealed_card_is_in_no_event_of_the_burn(table: Bench) -> None:
    table.start()
    with table.store.reader() as reader:
        bodies = b"".join(row.body for row in reader.events())
    assert not any(f'"{card}"'.encode() in bodies for card in BURNS)
    assert all(str(card) not in repr(table.state) for card in BURNS)


def test_a_mistake_of_our_own_freezes_the_table_and_calls_the_pit(
    table: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise LookupError("a bug")

    monkeypatch.setattr("studio.tables.decide.read_shoe", broken)
    table.draw("2s")
    assert table.state.pit.freeze.by
    assert table.state.pit.call.by
    assert table.kinds()[-3:] == ["ShoeDrewCard", "TableFrozen", "PitCalled"]


def test_words_nobody_knows_are_a_refusal_and_no_mistake_of_ours(table: Bench) -> None:
    table.start()
    assert table.refused(c.ReportIncident, kind="earthquake") == "not_reported"
    told = (("colour", "red"),)
    assert table.refused(c.ReportIncident, kind="extra_card", circumstances=told) == "bad_input"
    assert not table.state.held


def test_a_change_of_dealer_is_a_pit_bosss(table: Bench) -> None:
    assert table.refused(c.ChangeDealer, dealer="d2", dealer_name="Dora") == "not_allowed"
    table.do(c.ChangeDealer, PIT, dealer="d2", dealer_name="Dora")
    assert table.state.seat.dealer_name == "Dora"
    assert isinstance(table.rows("DealerChanged")[0], e.DealerChanged)


def test_the_shoe_is_withdrawn_with_reason_and_pin_and_not_in_a_deal(table: Bench) -> None:
    assert table.refused(c.WithdrawShoe, reason_code="worn") == "not_allowed"
    assert table.refused(c.WithdrawShoe, PIT, reason_code="worn") == "pin_needed"
    assert table.refused(c.WithdrawShoe, table.pin(PIT), reason_code="") == "reason_needed"
    table.do(c.StartRound)
    assert table.refused(c.WithdrawShoe, table.pin(PIT), reason_code="worn") == "round_open"
    table.burn()
    table.betting().deal(*DEAL).finish()
    table.do(c.WithdrawShoe, table.pin(PIT), reason_code="worn")
    assert table.refused(c.StartRound) == "shoe_short"
