"""What a screen is told of a table of the poker room: seats, chips, pots, choices, what the dealer says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict

import msgspec
import pytest
from poker_bench import CHIPS, NLH, PokerBench
from table_bench import PIT

from studio.spoken import Amount, Seats
from studio.tables.config import TableConfig
from studio.views import TableView, view_table
from studio.views.hand.poker import _look
from studio.views.shape import PlayerView, RoomView, Words


@pytest.fixture
def bench() -> Iterator[PokerBench]:
    bench = PokerBench().open()
    yield bench
    bench.close()


def view_of(bench: PokerBench) -> TableView:
    return view_table(bench.state, bench.table.book, 1)


def room_of(bench: PokerBench) -> RoomView:
    room = view_of(bench).room
    assert room is not None
    return room


def seat(bench: PokerBench, number: int) -> PlayerView:
    return room_of(bench).seats[number - 1]


def all_chips(room: RoomView) -> int:
    return room.in_play_minor + sum(one.stack_minor for one in room.seats)


def test_a_table_against_the_house_has_no_room() -> None:
    bench = PokerBench(config=TableConfig(key="k1", title="Table", game="three_knights"), bettors="")
    assert view_of(bench).room is None
    bench.close()


def test_the_seats_before_the_first_hand(bench: PokerBench) -> None:
    room = room_of(bench)
    assert [(one.seat, one.bettor, one.stack_minor) for one in room.seats[:4]] == [
        ("seat1", "ann", CHIPS), ("seat2", "bob", CHIPS), ("seat3", "cy", CHIPS), ("seat4", "", 0),
    ]  # fmt: skip
    assert len(room.seats) == 9
    assert room.stakes == {"small_blind": 50, "big_blind": 100, "buy_in_least": 4_000, "buy_in_most": 20_000}
    assert (room.street, room.pots, room.choices, room.spoken) == ("", (), (), ())


def test_the_blinds_lie_in_front_and_the_turn_says_what_it_costs(bench: PokerBench) -> None:
    bench.hand()
    assert seat(bench, 1).marks == ("button", "acts")
    assert seat(bench, 2) == PlayerView("seat2", "bob", CHIPS - 50, 50, ("small_blind",), operator="north")
    assert seat(bench, 3) == PlayerView("seat3", "cy", CHIPS - 100, 100, ("big_blind",), operator="north")
    room = room_of(bench)
    assert (room.street, room.in_play_minor, room.pots, room.turn_s) == ("preflop", 150, (), 20)
    assert [(one.option, one.cost_minor, one.to_minor) for one in room.choices] == [
        ("fold", 0, None), ("call", 100, None), ("raise", 0, (200, CHIPS)),
    ]  # fmt: skip


def test_heads_up_the_button_has_the_small_blind() -> None:  # [PR-2]
    bench = PokerBench("ann bob").open()
    bench.hand()
    assert seat(bench, 1).marks == ("button", "small_blind", "acts")
    assert seat(bench, 2).marks == ("big_blind",)
    bench.close()


def test_what_was_said_last_is_repeated_until_the_next_card(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("raise 300")
    assert view_of(bench).now.why == Words("said.raise", {"box": "box.seat1", "money": Amount(300, "EUR")})
    bench.acts("fold")
    assert view_of(bench).now.why == Words("said.fold", {"box": "box.seat2", "money": Amount(0, "EUR")})
    assert seat(bench, 2).marks == ("small_blind", "folded")
    assert room_of(bench).mucks == ("seat2",)
    bench.lift("seat2", 1)
    bench.lift("seat2", 2)
    assert room_of(bench).mucks == ()
    bench.acts("call")
    assert view_of(bench).now.why is None  # the flop lies
    assert room_of(bench).spoken == (Words("spoken.pot", {"money": Amount(650, "EUR")}),)


def test_who_wins_without_a_showdown_has_not_folded(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("fold", "fold")
    assert seat(bench, 3).marks == ("big_blind", "won")
    assert room_of(bench).mucks == ("seat1", "seat2")


def test_who_lets_his_time_go_by_is_said_to_have(bench: PokerBench) -> None:
    bench.hand()
    bench.wait(20)
    assert seat(bench, 1).marks == ("button", "acts", "bank")
    assert room_of(bench).turn_s == 30
    bench.wait(30)
    assert view_of(bench).now.why == Words("said.fold.default", {"box": "box.seat1", "money": Amount(0, "EUR")})


def test_side_pots_are_named_with_the_seats_that_can_win_them(bench: PokerBench) -> None:
    assert bench.ask("buy", "ann", amount_minor=5_000).status == "accepted"
    assert bench.ask("buy", "bob", amount_minor=2_000).status == "accepted"
    bench.hand("As Kd 2c Ah Kc 7d")
    bench.acts("raise 15000")
    assert view_of(bench).now.why == Words("said.all_in", {"box": "box.seat1", "money": Amount(15000, "EUR")})
    bench.acts("call")
    assert "all_in" in seat(bench, 2).marks
    assert all_chips(room_of(bench)) == 37_000


def test_pots_are_spoken_main_pot_first_while_the_hands_are_turned() -> None:
    bench = PokerBench("ann bob cy dee").open()
    for bettor in ("ann", "bob"):
        assert bench.ask("buy", bettor, amount_minor=5_000).status == "accepted"
    bench.hand()
    bench.acts("raise 10000", "call", "call", "call")
    assert [view_of(bench).now.act.key, *(words.key for words in room_of(bench).spoken)] == ["act.turn", "spoken.pot"]
    bench.acts("bet 2000", "call")
    room = room_of(bench)
    assert room.spoken[0] == Words("spoken.main_pot", {"money": Amount(40000, "EUR")})
    assert room.spoken[1] == Words(
        "spoken.side_pot", {"money": Amount(4000, "EUR"), "seats": Seats(("seat1", "seat2"))}
    )
    assert {mark for one in room.seats for mark in one.marks if mark == "all_in"} == {"all_in"}
    assert all_chips(room) == 50_000
    bench.close()


def test_at_the_end_it_is_said_who_gets_which_pot(bench: PokerBench) -> None:
    bench.hand("Ah Kh 2c Ad Kd 7d 4s As 9c 3d 5h 8h 6h Jc")
    bench.acts("raise 300", "call", "fold", "check", "bet 500", "call", *["check"] * 4, "show")
    view, room = view_of(bench), room_of(bench)
    assert view.now.act.key == "act.declare_result"
    assert [(words.key, words.values["money"]) for words in room.spoken] == [("spoken.push", Amount(1700, "EUR"))]
    [winner] = [one for one in room.seats if "won" in one.marks]
    assert room.spoken[0].values["seats"] == Seats((winner.seat,))
    assert all_chips(room) == 3 * CHIPS
    bench.end_hand()
    assert sum(one.stack_minor for one in room_of(bench).seats) == 3 * CHIPS


def test_seats_that_get_no_cards_say_why(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("fold", "fold")
    bench.end_hand()
    for name, at in (("dee", "seat4"), ("eve", "seat5"), ("fay", "seat6")):
        bench.deposit(100_000, name)
        bench.seats[name] = at
        assert bench.ask("sit", name, seat=at, amount_minor=CHIPS).status == "accepted"
    assert bench.ask("post", "eve").status == "accepted"
    bench.hand()
    assert seat(bench, 4).marks == ("big_blind",)
    assert seat(bench, 6).marks == ("waits",)
    assert bench.ask("away", "cy").status == "accepted"
    assert seat(bench, 3).marks == ("small_blind", "away")
    assert bench.ask("leave", "ann").status == "accepted"
    assert "leaving" in seat(bench, 1).marks


def test_a_void_hand_has_no_pots(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("raise 500", "call")
    bench.lose("seat3", 1, identified=False)
    bench.rule("void_round", PIT)
    room = room_of(bench)
    assert (room.pots, room.in_play_minor, room.spoken) == ((), 0, ())
    bench.pay()
    assert all_chips(room_of(bench)) == 3 * CHIPS


def test_rake_is_told_apart_from_what_is_won() -> None:
    config = msgspec.structs.replace(NLH, rules={"rake_percent": "5", "rake_cap": 30})
    bench = PokerBench(config=config).open()
    bench.hand()
    bench.acts("call", "call", "check", "bet 1000", "fold", "fold")
    [pot] = room_of(bench).pots
    assert pot.rake_minor == 15
    assert all_chips(room_of(bench)) == 3 * CHIPS
    bench.close()


def test_a_hand_is_played_anew_only_when_something_happened(bench: PokerBench) -> None:
    bench.hand()
    peers = bench.state.game.peers
    assert peers is not None
    assert _look(bench.round, peers) is _look(bench.round, peers)
    first = _look(bench.round, peers)
    bench.acts("call")
    assert _look(bench.round, peers) is not first


@pytest.mark.parametrize("game", ["nlh", "plo", "short_deck"])
def test_chips_add_up_at_every_moment_and_no_hole_card_is_told(game: str) -> None:
    bench = PokerBench("ann bob cy dee", TableConfig(key="p1", title="Table", game=game)).open()
    bench.hand()
    for option in ("call", "call", "call", "check", "check", "check", "check", "check"):
        room = room_of(bench)
        assert all_chips(room) == 4 * CHIPS, option
        assert not re.search(r"[2-9TJQKA][cdhs]\b", str(asdict(room)))
        if option not in [one.option for one in room.choices]:
            option = "check"
        bench.acts(option)
    bench.close()
