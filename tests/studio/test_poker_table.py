"""A betting hand of the poker room at a table: seats, blinds, acts, showdown, chips."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from poker_bench import CHIPS, NLH, PokerBench
from table_bench import PIT

from studio.money import Answer
from studio.rulebook.script import Turn
from studio.tables import command as c
from studio.tables.books.taken import Weighed
from studio.tables.config import TableConfig
from studio.tables.event.table import Decision
from studio.tables.state.table import awaited


@pytest.fixture
def bench() -> Iterator[PokerBench]:
    bench = PokerBench().open()
    yield bench
    bench.check()
    bench.close()


def test_a_hand_is_dealt_bet_and_shown(bench: PokerBench) -> None:
    """Ann has the button; Bob posts the small blind, Cy the big one."""
    bench.hand("Ah Kh 2c Ad Kd 7d 4s As 9c 3d 5h 8h 6h Jc")
    assert bench.state.room.button == "seat1"
    assert bench.stacks() == {"ann": CHIPS, "bob": CHIPS - 50, "cy": CHIPS - 100}
    assert bench.turn.box == "seat1"
    assert bench.turn.owed_minor == 100
    bench.acts("raise 300", "call", "fold", "check", "bet 500", "call", "check", "check", "check", "check", "show")
    bench.end_hand()
    bench.check_chips()
    assert sum(bench.stacks().values()) == 3 * CHIPS
    assert bench.stacks()["cy"] == CHIPS - 100


def test_everybody_folds_and_no_card_is_shown(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("fold", "fold")
    bench.end_hand()
    assert bench.stacks() == {"ann": CHIPS, "bob": CHIPS - 50, "cy": CHIPS + 50}
    [declared] = bench.rows("ResultDeclared")
    assert "cards" not in str(declared)


def test_the_button_moves_and_hands_go_on(bench: PokerBench) -> None:
    for button in ("seat1", "seat2", "seat3", "seat1"):
        bench.hand()
        assert bench.state.room.button == button
        bench.acts("fold", "fold")
        bench.end_hand()
    assert sum(bench.stacks().values()) == 3 * CHIPS


def test_a_hand_needs_two_seats() -> None:
    bench = PokerBench("ann").open()
    assert bench.refused(c.StartRound) == "few_seats"


# --- time, and those who are away ---------------------------------------------------------------------------


def test_a_turn_has_its_time_then_the_time_bank_then_the_default(bench: PokerBench) -> None:
    bench.hand()
    bench.wait(20)
    assert bench.turn.box == "seat1"
    assert [row.seat for row in bench.rows("TimeBankOpened")] == ["seat1"]  # type: ignore[union-attr]
    bench.now += 10_000
    bench.acts("call")
    assert bench.state.room.players["seat1"].bank_ms == 30_000 - 10_500
    bench.wait(20)
    bench.wait(30)
    assert bench.turn.box == "seat3"
    assert bench.state.room.players["seat2"].bank_ms == 0
    bench.acts("check")
    bench.wait(20)
    bench.wait(20)
    bench.wait(10)
    assert not bench.state.held


def test_who_lets_the_clock_decide_twice_gets_no_cards_until_he_is_back(bench: PokerBench) -> None:
    for _ in range(2):
        bench.hand()
        while (turn := awaited(bench.state)) and isinstance(turn.step, Turn):
            if turn.step.box == "seat3":
                bench.wait(20)
                bench.wait(60)
                bench.go_on()
            elif "muck" in turn.step.options:
                bench.acts("show")
            else:
                bench.acts("check" if "check" in turn.step.options else "call")
        bench.end_hand()
    bench.tick()
    assert bench.state.room.players["seat3"].away
    bench.hand()
    assert bench.state.room.dealt_in == ("seat2", "seat1") or bench.state.room.dealt_in == ("seat1", "seat2")
    bench.acts("fold")
    bench.end_hand()
    assert bench.ask("back", "cy").status == "accepted"
    bench.hand()
    assert "seat3" in bench.state.room.dealt_in  # with two others only, nobody waits for a blind


def test_who_leaves_in_a_hand_has_no_time_and_is_paid_out_when_it_is_over(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("call", "call", "check")
    assert bench.turn.box == "seat2"
    assert bench.ask("leave", "bob").status == "accepted"
    assert bench.balance("bob") == 100_000 - CHIPS
    bench.wait(20)
    assert bench.turn.box == "seat3"
    bench.acts("bet 200", "call")
    bench.wait(0)
    assert "seat2" in bench.round.deal.mucked
    bench.go_on()
    bench.acts("check", "check", "check", "check", "show")
    bench.end_hand()
    assert bench.balance("bob") == 100_000 - 100
    assert "seat2" not in bench.state.room.players
    assert bench.stack("bob") == 0


# --- chips --------------------------------------------------------------------------------------------------


def test_buying_chips(bench: PokerBench) -> None:
    assert bench.ask("buy", "ann", amount_minor=10_001).key == "buy_in"
    assert bench.ask("buy", "ann", amount_minor=5_000, id="more").status == "accepted"
    assert bench.ask("buy", "ann", amount_minor=5_000, id="more").status == "duplicate"
    assert bench.stack("ann") == CHIPS + 5_000
    bench.hand()
    assert bench.ask("buy", "ann", amount_minor=5_000).key == "in_hand"
    bench.acts("fold", "fold")
    bench.end_hand()
    assert bench.ask("buy", "ann", amount_minor=5_000).status == "accepted"
    assert bench.ask("buy", "ann", amount_minor=1).key == "stack_full"
    bench.check_chips()


def test_an_act_between_the_end_of_a_turn_and_the_clock_finds_the_time_bank_open(bench: PokerBench) -> None:
    bench.hand()
    bench.now += 20_000  # nobody has ticked
    assert bench.act("call").status == "accepted"
    assert bench.state.room.players["seat1"].bank_ms == 30_000
    bench.wait(20)
    bench.wait(29)
    bench.now += 2_000
    assert bench.act("call").key == "late"


def test_such_an_act_of_a_bettor_whose_wallet_is_his_operators_is_weighed_as_it_is_taken(bench: PokerBench) -> None:
    bench.hand()
    call = Decision(operator="north", bettor="ann", option="call", client_id="w", box="seat1")
    bench.now += 20_000  # nobody has ticked
    [weighed] = bench.table.weigh_decisions((call,), bench.now)
    assert isinstance(weighed, Weighed)
    assert bench.rows("TimeBankOpened") == []
    bench.wait(0)
    bench.now += 30_000
    [late] = bench.table.weigh_decisions((call,), bench.now)
    assert isinstance(late, Answer)
    assert late.key == "late"


def test_an_id_stands_for_one_request_however_late_it_comes_again(bench: PokerBench) -> None:
    for act, given in (("away", {}), ("back", {}), ("buy", {"amount_minor": 500}), ("leave", {})):
        assert bench.ask(act, "cy", id=act, **given).status == "accepted"
        assert bench.ask(act, "cy", id=act, **given).status == "duplicate"
    assert bench.ask("sit", "cy", id="in", seat="seat4", amount_minor=CHIPS).status == "accepted"
    before = bench.state.room
    for act in ("away", "back", "leave"):
        assert bench.ask(act, "cy", id=act).status == "duplicate"
    assert bench.ask("buy", "cy", id="buy", amount_minor=600).key == "client_id_reused"
    assert bench.ask("buy", "ann", id="buy", amount_minor=500).key == "client_id_reused"
    assert bench.ask("sit", "cy", id="in", seat="seat5", amount_minor=CHIPS).key == "client_id_reused"
    assert bench.state.room == before
    bench.restart()
    assert bench.state.room == before
    bench.check_chips()


def test_a_choice_that_comes_again_three_hands_later_chooses_nothing(bench: PokerBench) -> None:
    bench.hand()
    assert bench.act("fold", id="fold").status == "accepted"  # ann's, who had the button
    bench.acts("fold")
    bench.end_hand()
    for _ in range(2):
        bench.hand()
        bench.acts("fold", "fold")
        bench.end_hand()
    bench.hand()
    assert bench.turn.box == "seat1"
    assert bench.act("fold", id="fold").status == "duplicate"
    assert bench.turn.box == "seat1"


def test_leaving_in_a_hand_is_asked_once(bench: PokerBench) -> None:
    bench.hand()
    assert bench.ask("leave", "bob", id="out").status == "accepted"
    assert bench.ask("leave", "bob", id="out").status == "duplicate"
    bench.acts("fold")
    bench.wait(0)
    bench.end_hand()
    assert bench.ask("sit", "bob", seat="seat2", amount_minor=CHIPS).status == "accepted"
    assert bench.ask("leave", "bob", id="out").status == "duplicate"
    assert "seat2" in bench.state.room.players


def test_who_left_with_chips_brings_them_back_for_a_while() -> None:
    bench = PokerBench("ann bob", config=msgspec.structs.replace(NLH, rules={"return_s": 1_800})).open()
    bench.hand("Ah 2c Ad 7h 3c Kd Qs 9h 4c 8d 5c Js")
    bench.acts("raise 10000", "call")
    bench.end_hand()
    [rich] = (name for name, chips in bench.stacks().items() if chips)
    seat = bench.seats[rich]
    assert bench.ask("leave", rich).status == "accepted"
    assert bench.ask("sit", rich, seat=seat, amount_minor=20_001).key == "buy_in"
    assert bench.ask("sit", rich, seat=seat, amount_minor=4_000).key == "brings_less"
    assert bench.ask("sit", rich, seat=seat, amount_minor=20_000).status == "accepted"
    assert bench.ask("leave", rich).status == "accepted"
    bench.now += 1_800_000
    assert bench.ask("sit", rich, seat=seat, amount_minor=4_000).status == "accepted"
    bench.check()
    bench.close()


def test_who_is_away_and_back_between_two_hands_has_missed_nothing() -> None:
    bench = PokerBench("ann bob cy dee").open()
    bench.hand()
    for act in ("away", "back"):
        assert bench.ask(act, "dee").status == "accepted"
    bench.acts("fold", "fold", "fold")
    bench.end_hand()
    assert bench.ask("away", "cy").status == "accepted"
    assert bench.ask("back", "cy").status == "accepted"
    bench.hand()
    assert len(bench.state.room.dealt_in) == 4
    bench.check()
    bench.close()


def test_who_was_out_of_chips_for_a_hand_waits_like_anybody_who_missed_one() -> None:
    """Ann, all-in on the button, loses everything; the next hand is dealt without her."""
    bench = PokerBench("ann bob cy dee").open()
    bench.hand("2c Kc 4c 7h 3d Kd 5d 2h 9s As Ks Kh 9h 8s 7s 6s")
    bench.acts("fold", "raise 10000", "call", "fold")
    bench.end_hand()
    [poor] = (name for name, chips in bench.stacks().items() if not chips)
    assert bench.ask("post", poor).key == "no_chips"
    bench.hand()
    bench.acts("fold", "fold")
    bench.end_hand()
    assert bench.ask("buy", poor, amount_minor=CHIPS).status == "accepted"
    assert bench.state.room.players[bench.seats[poor]].waits
    assert bench.ask("post", poor).status == "accepted"
    bench.check()
    bench.close()


def test_who_is_dealt_no_cards_for_too_long_loses_his_seat_and_nothing_else() -> None:
    bench = PokerBench("ann bob cy dee", config=msgspec.structs.replace(NLH, rules={"away_hands": 3})).open()
    assert bench.ask("away", "dee").status == "accepted"
    for _ in range(2):
        bench.hand()
        bench.acts("fold", "fold")
        bench.end_hand()
    assert bench.state.room.players["seat4"].missed == 2
    bench.hand()
    assert "seat4" in bench.state.room.players  # no chips move while a hand is open
    bench.acts("fold", "fold")
    bench.end_hand()
    assert "seat4" not in bench.state.room.players
    assert bench.balance("dee") == 100_000
    assert bench.rows("SeatLeft")[-1].missed == 3
    assert bench.ask("back", "dee").key == "not_seated"
    bench.restart()
    bench.check()
    bench.close()


def test_waiting_for_the_big_blind_is_no_reason_to_lose_a_seat() -> None:
    bench = PokerBench("ann bob cy dee", config=msgspec.structs.replace(NLH, rules={"away_hands": 1})).open()
    bench.deposit(100_000, "eve")
    bench.hand()
    bench.acts("fold", "fold", "fold")
    bench.end_hand()
    assert bench.ask("sit", "eve", seat="seat9", amount_minor=CHIPS).status == "accepted"
    bench.hand()
    assert "seat9" not in bench.state.room.dealt_in
    bench.acts("fold", "fold", "fold")
    bench.end_hand()
    assert "seat9" in bench.state.room.players
    bench.check()
    bench.close()


def test_taking_a_seat_is_refused_with_what_to_do(bench: PokerBench) -> None:
    bench.deposit(3_000, "dee")
    assert bench.ask("sit", "dee", seat="seat1", amount_minor=4_000).key == "seat_taken"
    assert bench.ask("sit", "dee", seat="seat10", amount_minor=4_000).key == "no_such_seat"
    assert bench.ask("sit", "dee", seat="seat4", amount_minor=3_999).key == "buy_in"
    assert bench.ask("sit", "dee", seat="seat4", amount_minor=4_000).key == "insufficient_balance"
    assert bench.ask("sit", "ann", seat="seat4", amount_minor=4_000).key == "seated"
    assert bench.ask("buy", "dee", amount_minor=4_000).key == "not_seated"
    assert bench.ask("dance", "dee").key == "no_such_act"
    assert "seat4" not in bench.state.room.players


def test_a_late_retry_of_a_buy_in_moves_nothing(bench: PokerBench) -> None:
    bench.deposit(100_000, "dee")
    assert bench.ask("sit", "dee", id="in", seat="seat4", amount_minor=4_000).status == "accepted"
    assert bench.ask("sit", "dee", id="in", seat="seat4", amount_minor=4_000).status == "duplicate"
    assert bench.ask("leave", "dee").status == "accepted"
    assert bench.ask("sit", "dee", id="in", seat="seat4", amount_minor=4_000).status == "duplicate"
    assert bench.balance("dee") == 100_000
    assert "seat4" not in bench.state.room.players


def test_who_comes_to_a_running_table_waits_for_the_big_blind_or_posts_one(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("fold", "fold")
    bench.end_hand()  # the button was at seat1
    for name, seat in (("dee", "seat4"), ("eve", "seat5")):
        bench.deposit(100_000, name)
        bench.seats[name] = seat
        assert bench.ask("sit", name, seat=seat, amount_minor=CHIPS).status == "accepted"
    assert bench.ask("post", "eve").status == "accepted"
    bench.hand()
    assert bench.state.room.dealt_in == ("seat3", "seat4", "seat5", "seat1", "seat2")
    assert bench.stacks()["dee"] == CHIPS - 100
    assert bench.stacks()["eve"] == CHIPS - 100
    assert bench.turn.box == "seat5"
    bench.acts("check", "fold", "fold", "fold", "check", "check", "check", "check", "check")


def test_all_in_three_ways_makes_side_pots_and_turns_every_hand(bench: PokerBench) -> None:
    assert bench.ask("buy", "ann", amount_minor=5_000).status == "accepted"
    assert bench.ask("buy", "bob", amount_minor=2_000).status == "accepted"
    bench.hand("As Kd 2c Ah Kc 7d")
    bench.acts("raise 15000", "call", "call")
    bench.end_hand()
    [declared] = bench.rows("ResultDeclared")
    assert sum(pot["amount"] for pot in declared.outcome["pots"]) == 34_000  # type: ignore[union-attr]
    assert sum(bench.stacks().values()) == 37_000
    assert bench.stacks()["ann"] >= 3_000  # nobody called the last of it
    assert all("cards" in seat for seat in declared.outcome["seats"].values())  # type: ignore[union-attr]


def test_rake_is_taken_of_a_pot_with_a_flop_and_no_other() -> None:
    config = msgspec.structs.replace(NLH, rules={"rake_percent": "5", "rake_cap": 30})
    bench = PokerBench(config=config).open()
    bench.hand()
    bench.acts("fold", "fold")
    bench.end_hand()
    assert sum(bench.stacks().values()) == 3 * CHIPS
    bench.hand()
    bench.acts("call", "call", "check", "bet 1000", "fold", "fold")
    bench.end_hand()
    assert sum(bench.stacks().values()) == 3 * CHIPS - 15  # of 300: nobody called the thousand
    assert bench.house() == 15
    bench.hand()
    bench.acts("raise 1000", "call", "call", *["check"] * 9, "show", "show")
    bench.end_hand()
    assert bench.house() == 15 + 30
    bench.check()
    bench.close()


# --- what goes wrong ------------------------------------------------------------------------------------------


def test_a_hand_that_was_folded_may_be_taken_from_the_felt(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("fold")
    bench.lift("seat1", 1)
    bench.lift("seat1", 2)
    bench.wait(10)
    assert not bench.state.incidents.open
    bench.lift("seat2", 1)
    bench.wait(4)
    assert bench.open_kinds() == ["cleared_early"]


def test_a_void_hand_gives_every_chip_back(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("raise 500", "call")
    bench.lose("seat3", 1, identified=False)
    assert bench.state.held
    bench.rule("void_round", PIT)
    bench.pay()
    assert bench.stacks() == {"ann": CHIPS, "bob": CHIPS, "cy": CHIPS}
    bench.check_chips()


def test_a_restart_brings_the_hand_back_held(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("raise 500", "call")
    before = bench.state.room
    bench.restart()
    assert bench.state.room == before
    assert bench.state.held


@pytest.mark.parametrize(("option", "amount", "key"), [
    ("raise", 150, "bad_amount"), ("raise", 10_001, "bad_amount"), ("call", 5, "no_amount"),
    ("check", 0, "no_such_option"),
])  # fmt: skip
def test_an_act_is_refused_with_what_to_do(bench: PokerBench, option: str, amount: int, key: str) -> None:
    bench.hand()
    assert bench.act(option, amount).key == key
    assert bench.act("fold", bettor="bob").key == "out_of_turn"
    assert bench.turn.box == "seat1"
    bench.check_chips()


@pytest.mark.parametrize("game", ["short_deck", "plo"])
def test_the_other_games(game: str) -> None:
    bench = PokerBench("ann bob cy dee", TableConfig(key="p1", title="Table", game=game)).open()
    for _ in range(3):
        bench.hand()
        while (now := awaited(bench.state)) and isinstance(now.step, Turn):
            bench.acts("show" if "show" in now.step.options else "check" if "check" in now.step.options else "call")
        bench.end_hand()
        assert sum(bench.stacks().values()) == 4 * CHIPS
        bench.check_chips()
    bench.check()
    bench.close()
