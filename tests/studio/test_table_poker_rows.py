"""PK1 to PK11 at a poker table: what devices see, what is ruled, what is done card by card, where the chips are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from poker_bench import CHIPS, PokerBench
from table_bench import DEALER, PIT

from dealer_ui.frame.incident_menu import menu_of
from studio.rulebook.script import Burn, Deal, Shuffle, Turn
from studio.spoken import Places
from studio.tables import command as c
from studio.tables.config import TableConfig
from studio.tables.event import table as e
from studio.tables.state.round import Stage
from studio.tables.state.table import awaited
from studio.views import TableView, view_table

GAMES = ("nlh", "short_deck", "plo")

HANDS = "Ah Kh Tc Ad Kd 7d"
"""Two cards each for Bob, Cy and Ann: Ann has the button."""


@pytest.fixture
def bench() -> Iterator[PokerBench]:
    bench = PokerBench().open()
    yield bench
    bench.check()
    bench.check_chips()
    bench.close()


@pytest.fixture(params=GAMES)
def any_game(request: pytest.FixtureRequest) -> Iterator[PokerBench]:
    bench = PokerBench("ann bob cy", TableConfig(key="p1", title="Table", game=request.param)).open()
    yield bench
    bench.check()
    bench.check_chips()
    bench.close()


def ruled(bench: PokerBench, kind: str, row: str, ruling: str) -> None:
    incident = bench.incident
    assert (incident.kind, incident.ruling.row, incident.ruling.ruling) == (kind, row, ruling), incident


def screen(bench: PokerBench) -> TableView:
    return view_table(bench.state, bench.table.book, 1)


def told(bench: PokerBench) -> tuple[str, object]:
    """What the dealer is told to do next."""
    act = screen(bench).now.act
    return act.key, act.values


def begin(bench: PokerBench) -> None:
    """A hand begins; nothing is dealt yet."""
    bench.shuffle("")
    bench.do(c.StartRound)


def deal_one(bench: PokerBench, *, seat: str = "", up: bool = False) -> tuple[str, int]:
    """The next card leaves the shoe and lies where it is due, or at `seat`."""
    now = awaited(bench.state)
    assert now is not None
    assert isinstance(now.step, Deal)
    card = bench.deck.pop(0)
    bench.draw(card)
    slot = (seat or now.step.box, now.place)
    bench.lay(*slot, card if up else None)
    return slot


def play_out(bench: PokerBench) -> None:
    """Everybody checks or calls to the end, and shows."""
    bench.go_on()
    while (now := awaited(bench.state)) is not None and isinstance(now.step, Turn):
        options = now.step.options
        bench.acts(next(one for one in ("show", "check", "call") if one in options))
    bench.end_hand()
    assert bench.round.stage is Stage.SETTLED
    assert sum(bench.stacks().values()) == len(bench.seats) * CHIPS


def to_the_turn_of(bench: PokerBench, street: str) -> None:
    """Deal and bet until the seats bet before this street."""
    bench.hand()
    cards = {"flop": 0, "turn": 3, "river": 4}[street]
    while sum(zone == "board" for zone, _ in bench.round.deal.cards) < cards:
        bench.acts("check" if "check" in bench.turn.options else "call")


def finish_street(bench: PokerBench) -> None:
    before = sum(zone == "board" for zone, _ in bench.round.deal.cards)
    while isinstance(now := awaited(bench.state), object) and now is not None and isinstance(now.step, Turn):
        if sum(zone == "board" for zone, _ in bench.round.deal.cards) != before:
            return
        bench.act_alone("check" if "check" in now.step.options else "call")


def burns(bench: PokerBench) -> int:
    return sum(zone == "burn" for zone, _ in bench.round.deal.cards)


# --- PK1: misdeal -----------------------------------------------------------------------------------------


def misdealt(bench: PokerBench) -> None:
    """The same seats, the same blinds, from the first card; whatever was bet in the deal that is void is back."""
    before = bench.round
    posted = bench.state.game.peers.posted(before.rules)  # type: ignore[union-attr]
    bench.rule("reshuffle_and_redeal", PIT)
    bench.pay()
    bench.clear()
    bench.load()
    assert bench.round.deal.attempt == before.deal.attempt + 1
    assert (bench.round.id, bench.round.rules) == (before.id, before.rules)
    assert bench.stacks() == {name: CHIPS - posted.get(seat, 0) for name, seat in bench.seats.items()}
    bench.shuffle("")
    play_out(bench)


@pytest.mark.parametrize("number", [1, 2])
def test_pk1_the_first_or_second_card_exposed_is_a_misdeal(any_game: PokerBench, number: int) -> None:
    begin(any_game)
    for _ in range(number - 1):
        deal_one(any_game)
    deal_one(any_game, up=True)
    ruled(any_game, "exposed_card", "PK1", "reshuffle_and_redeal")
    assert any_game.incident.circumstances["card_number"] == number
    misdealt(any_game)


def test_pk1_a_second_down_card_exposed_is_a_misdeal(any_game: PokerBench) -> None:
    begin(any_game)
    for _ in range(2):
        deal_one(any_game)
    slot = deal_one(any_game, up=True)
    ruled(any_game, "exposed_card", "PK2", "card_is_next_burn")
    any_game.rule("card_is_next_burn")
    any_game.lift(*slot)
    deal_one(any_game, up=True)
    ruled(any_game, "exposed_card", "PK1", "reshuffle_and_redeal")
    assert any_game.incident.circumstances["count"] == 2
    misdealt(any_game)


def test_pk1_a_card_to_a_wrong_seat_is_a_misdeal(any_game: PokerBench) -> None:
    begin(any_game)
    deal_one(any_game)
    deal_one(any_game, seat="seat1")  # Cy is passed over
    any_game.wait(1.6)
    ruled(any_game, "misplaced_card", "PK1", "reshuffle_and_redeal")
    misdealt(any_game)


def test_pk1_a_card_to_a_seat_that_is_not_dealt_in_is_a_misdeal(bench: PokerBench) -> None:
    begin(bench)
    deal_one(bench, seat="seat7")
    bench.wait(1.6)
    ruled(bench, "misplaced_card", "PK1", "reshuffle_and_redeal")
    misdealt(bench)


def test_pk1_two_boxed_cards_are_a_misdeal(bench: PokerBench) -> None:
    begin(bench)
    deal_one(bench)
    boxed(bench)
    bench.rule("card_to_discard")
    boxed(bench)
    ruled(bench, "boxed_card", "PK1", "reshuffle_and_redeal")
    misdealt(bench)


def test_pk13_a_misdeal_claimed_after_a_bet_gives_the_bet_back_and_leaves_the_blinds(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("raise 700")
    assert bench.stacks()["ann"] == CHIPS - 700
    bench.report("misdeal_claimed")
    ruled(bench, "misdeal_claimed", "PK13", "pit_decides")
    misdealt(bench)


def test_pk1_is_replayed_and_told_as_it_was(bench: PokerBench) -> None:
    begin(bench)
    deal_one(bench, up=True)
    misdealt(bench)
    assert [row.row for row in bench.rows("RedealOrdered")] == ["PK1"]  # type: ignore[union-attr]
    [record] = bench.rows("ExceptionRecorded")
    assert (record.row, record.act) == ("PK1", "reshuffle_and_redeal")  # type: ignore[union-attr]


# --- PK2: a later card exposed ------------------------------------------------------------------------------


def test_pk2_the_exposed_card_is_the_burn_and_is_replaced_after_the_deal(any_game: PokerBench) -> None:
    begin(any_game)
    for _ in range(3):
        deal_one(any_game)
    slot = deal_one(any_game, up=True)
    exposed = any_game.round.deal.cards[slot].card.id
    ruled(any_game, "exposed_card", "PK2", "card_is_next_burn")
    any_game.rule("card_is_next_burn", DEALER)
    assert any_game.state.held
    any_game.lift(*slot)
    assert not any_game.state.held
    any_game.lay("burn", 1)
    holes = len(any_game.seats) * any_game.state.game.felt.boxes["seat1"]
    for _ in range(holes - 4):
        deal_one(any_game)
    assert deal_one(any_game) == slot
    assert isinstance(any_game.turn, Turn)
    while not burns(any_game):
        any_game.act_alone("check" if "check" in any_game.turn.options else "call")
    assert any_game.round.deal.cards["burn", 1].card.id == exposed
    now = awaited(any_game.state)
    assert now is not None
    assert now.step == Deal("board")
    play_out(any_game)


def test_pk2_a_down_card_exposed_after_action_is_the_pits(bench: PokerBench) -> None:
    bench.hand(HANDS)
    bench.acts("call", "call")
    bench.lay("seat2", 1, "Ah")
    ruled(bench, "exposed_card", "", "pit_decides")
    bench.rule("continue", PIT)
    assert not bench.state.held
    play_out(bench)


def test_a_burn_card_that_was_seen_is_the_pits(bench: PokerBench) -> None:
    to_the_turn_of(bench, "turn")
    bench.lay("burn", 1, "2c")
    ruled(bench, "exposed_card", "", "pit_decides")
    bench.rule("continue", PIT)
    play_out(bench)


# --- PK3: a card too many -----------------------------------------------------------------------------------


def test_pk3_one_card_too_many_is_the_burn(any_game: PokerBench) -> None:
    any_game.hand()
    extra = any_game.draw(any_game.deck.pop(0))
    ruled(any_game, "extra_card", "PK3", "card_is_next_burn")
    any_game.rule("card_is_next_burn", DEALER)
    any_game.lay("burn", 1)
    while not burns(any_game):
        any_game.act_alone("check" if "check" in any_game.turn.options else "call")
    assert any_game.round.deal.cards["burn", 1].card.id == extra
    play_out(any_game)


def test_pk3_two_cards_too_many_are_a_misdeal(bench: PokerBench) -> None:
    bench.hand()
    bench.draw(bench.deck.pop(0))
    bench.draw(bench.deck.pop(0))
    ruled(bench, "extra_card", "PK3", "reshuffle_and_redeal")
    assert bench.incident.circumstances["count"] == 2
    misdealt(bench)


def test_a_card_after_the_last_one_goes_to_the_discard(bench: PokerBench) -> None:
    to_the_turn_of(bench, "river")
    finish_street(bench)
    bench.go_on()
    bench.draw(bench.deck.pop(0))
    ruled(bench, "extra_card", "HG6", "card_to_discard")
    bench.rule("card_to_discard")
    play_out(bench)


# --- PK4: substantial action --------------------------------------------------------------------------------


@pytest.mark.parametrize(("acts", "row"), [
    ((), "PK13"), (("call",), "PK13"), (("fold",), "PK13"), (("call", "call"), "PK4"), (("raise 300", "fold"), "PK13"),
])  # fmt: skip
def test_pk4_after_substantial_action_a_hand_goes_on(bench: PokerBench, acts: tuple[str, ...], row: str) -> None:
    """Two acts with chips, or three of any kind; blinds are none."""
    bench.hand()
    bench.acts(*acts)
    bench.report("misdeal_claimed")
    assert bench.incident.ruling.row == row
    if row == "PK4":
        assert bench.incident.ruling.ruling == "continue"
        bench.rule("continue", DEALER)
    else:
        assert "void_round" in bench.incident.ruling.options
        bench.rule("continue", PIT)
    play_out(bench)


def test_pk4_three_acts_of_any_kind_are_substantial() -> None:
    bench = PokerBench("ann bob cy dee").open()
    bench.hand()
    bench.acts("fold", "fold", "call")
    bench.report("misdeal_claimed")
    assert bench.incident.ruling.row == "PK4"
    bench.rule("continue")
    play_out(bench)
    bench.check()
    bench.close()


# --- PK5, PK6 -----------------------------------------------------------------------------------------------


def boxed(bench: PokerBench) -> None:
    """A card comes out with its face up: the shoe does not read it, and the dealer says what it is."""
    bench.deck.pop(0)
    bench.draw_unread()
    bench.report("boxed_card")


def test_pk5_a_boxed_card_is_paper_and_the_next_one_replaces_it(any_game: PokerBench) -> None:
    begin(any_game)
    deal_one(any_game)
    boxed(any_game)
    ruled(any_game, "boxed_card", "PK5", "card_to_discard")
    any_game.rule("card_to_discard", DEALER)
    assert deal_one(any_game) == ("seat3", 1)
    play_out(any_game)


def test_pk5_a_boxed_card_that_is_found_late_is_replaced_after_the_deal(bench: PokerBench) -> None:
    begin(bench)
    first = deal_one(bench)
    for _ in range(3):
        deal_one(bench)
    bench.report("boxed_card", slot=first)
    ruled(bench, "boxed_card", "PK5", "card_to_discard")
    bench.rule("card_to_discard", DEALER)
    bench.lift(*first)
    assert not bench.state.held
    deal_one(bench)
    deal_one(bench)
    assert deal_one(bench) == first
    play_out(bench)


def test_pk6_a_fouled_deck_gives_every_chip_back_and_leaves_the_table(any_game: PokerBench) -> None:
    any_game.hand("Ah Kh Tc Ad Kd 7d")
    any_game.acts("call", "call", "check")
    any_game.report("fouled_deck")
    ruled(any_game, "fouled_deck", "PK6", "void_round")
    any_game.rule("void_round", PIT)
    any_game.pay()
    assert any_game.stacks() == {name: CHIPS for name in any_game.seats}
    assert any_game.state.deck is None


# --- PK7: a flop of four cards ------------------------------------------------------------------------------


def test_pk7_a_flop_of_four_is_shuffled_back_and_dealt_again_without_a_new_burn(any_game: PokerBench) -> None:
    to_the_turn_of(any_game, "turn")
    fourth = any_game.deck.pop(0)
    any_game.draw(fourth)
    ruled(any_game, "extra_card", "PK3", "card_is_next_burn")  # as long as nobody has seen where it goes
    any_game.lay("board", 4, fourth)
    ruled(any_game, "extra_card", "PK7", "reshuffle")
    any_game.rule("reshuffle", PIT)
    assert any_game.state.held
    for place in range(1, 5):
        any_game.lift("board", place)
    assert not any_game.state.held
    shuffle(any_game, back=4)
    now = awaited(any_game.state)
    assert now is not None
    assert now.step == Deal("board")
    assert burns(any_game) == 1
    any_game.deck.append(fourth)
    play_out(any_game)


def shuffle(bench: PokerBench, *, back: int) -> None:
    """The dealer shuffles the stub: the cards that go back may come out again."""
    now = awaited(bench.state)
    assert now is not None
    assert now.step == Shuffle()
    assert bench.state.deck is not None
    drawn = bench.state.deck.drawn
    assert bench.refused(c.StartRound) in ("round_open", "held")
    bench.do(c.ShuffleStub)
    assert bench.state.deck.drawn == drawn - back
    [*_, shuffled] = [row.fact for row in bench.rows("Shuffled", "FactStood") if isinstance(row, e.FactStood)]
    assert len(shuffled.ids) == back  # type: ignore[union-attr]


# --- PK8, PK9, PK10: a street too early ------------------------------------------------------------------------


def early(bench: PokerBench, *places: int, burned: bool = True) -> list[object]:
    """A burn and these cards of the board come out while a seat has its turn; gives the cards of the board."""
    number = burns(bench) + 1
    if burned:
        bench.draw(bench.deck.pop(0))
        bench.lay("burn", number)
    board = []
    for place in places:
        card = bench.deck.pop(0)
        board.append(card)
        bench.draw(card)
        bench.lay("board", place, card)
    return board


@pytest.mark.parametrize("acted", [False, True])
def test_pk8_a_premature_flop_is_shuffled_back_and_its_burn_stays(any_game: PokerBench, acted: bool) -> None:
    any_game.hand()
    if acted:
        any_game.acts("call")
    back = early(any_game, 1, 2, 3)
    ruled(any_game, "early_card", "PK8", "reshuffle")
    any_game.rule("reshuffle", PIT)
    assert any_game.state.held
    for place in (1, 2, 3):
        any_game.lift("board", place)
    assert not any_game.state.held
    finish_street(any_game)
    assert burns(any_game) == 1
    shuffle(any_game, back=3)
    any_game.deck[:0] = back[::-1]  # type: ignore[arg-type]  # the very same cards may come again
    play_out(any_game)
    assert burns(any_game) == 3


def test_pk9_a_premature_turn_is_set_aside_and_the_river_is_dealt_without_a_burn(any_game: PokerBench) -> None:
    to_the_turn_of(any_game, "turn")
    any_game.acts("check")
    back = early(any_game, 4)
    ruled(any_game, "early_card", "PK9", "reshuffle")
    any_game.rule("reshuffle", PIT)
    assert told(any_game) == ("act.carry_out.stub", {"places": Places((("board", 4),))})
    any_game.lift("board", 4)
    finish_street(any_game)
    now = awaited(any_game.state)
    assert now is not None
    assert (now.step, now.done) == (Burn(2), 1)
    any_game.go_on()
    assert burns(any_game) == 3
    assert ("board", 4) in any_game.round.deal.cards
    finish_street(any_game)
    assert told(any_game) == ("act.shuffle_stub", {"cards": 1})
    assert screen(any_game).now.primary.command == "shuffle_stub"  # type: ignore[union-attr]
    shuffle(any_game, back=1)
    assert screen(any_game).incidents.following is None
    any_game.deck[:0] = back  # type: ignore[arg-type]
    now = awaited(any_game.state)
    assert now is not None
    assert now.step == Deal("board")
    play_out(any_game)


def test_pk9_a_turn_that_comes_too_early_once_more_goes_back_with_its_burn(any_game: PokerBench) -> None:
    to_the_turn_of(any_game, "turn")
    any_game.acts("check")
    early(any_game, 4)
    any_game.rule("reshuffle", PIT)
    any_game.lift("board", 4)
    assert any_game.open_kinds() == []
    for place, slot in ((3, "burn"), (4, "board")):
        card = any_game.deck.pop(0)
        any_game.draw(card)
        any_game.lay(slot, place, card if slot == "board" else None)
    ruled(any_game, "early_card", "PK9", "reshuffle")
    any_game.rule("reshuffle", PIT)
    assert told(any_game) == ("act.carry_out.stub", {"places": Places((("board", 4), ("burn", 3)))})
    any_game.lift("board", 4)
    any_game.lift("burn", 3)
    assert any_game.open_kinds() == []
    finish_street(any_game)
    any_game.go_on()
    assert (burns(any_game), ("board", 4) in any_game.round.deal.cards) == (3, True)
    finish_street(any_game)
    shuffle(any_game, back=3)
    play_out(any_game)


def test_pk10_a_premature_river_is_shuffled_back_and_the_river_dealt(any_game: PokerBench) -> None:
    to_the_turn_of(any_game, "river")
    any_game.acts("check")
    back = early(any_game, 5)
    ruled(any_game, "early_card", "PK10", "reshuffle")
    any_game.rule("reshuffle", PIT)
    any_game.lift("board", 5)
    finish_street(any_game)
    shuffle(any_game, back=1)
    any_game.deck[:0] = back  # type: ignore[arg-type]
    play_out(any_game)
    assert burns(any_game) == 3


def test_pk9_and_pk10_in_one_hand(bench: PokerBench) -> None:
    to_the_turn_of(bench, "turn")
    early(bench, 4)
    bench.rule("reshuffle", PIT)
    bench.lift("board", 4)
    finish_street(bench)
    bench.go_on()
    bench.acts("check")
    early(bench, 5, burned=False)
    ruled(bench, "early_card", "PK10", "reshuffle")
    bench.rule("reshuffle", PIT)
    bench.lift("board", 5)
    finish_street(bench)
    shuffle(bench, back=2)
    play_out(bench)


def test_a_burn_made_too_early_is_the_burn(bench: PokerBench) -> None:
    to_the_turn_of(bench, "turn")
    bench.acts("check")
    early(bench)
    ruled(bench, "extra_card", "PK3", "card_is_next_burn")
    bench.rule("card_is_next_burn")
    play_out(bench)
    assert burns(bench) == 3


def test_the_stub_is_shuffled_only_when_it_is_due(bench: PokerBench) -> None:
    bench.hand()
    assert bench.refused(c.ShuffleStub) == "stub_not_now"


# --- PK11: burns --------------------------------------------------------------------------------------------


def to_the_burn(bench: PokerBench) -> None:
    bench.hand()
    finish_street(bench)
    now = awaited(bench.state)
    assert now is not None
    assert now.step == Burn(1)


def test_pk11_a_missed_burn_that_nobody_saw_is_put_right(any_game: PokerBench) -> None:
    to_the_burn(any_game)
    any_game.draw(any_game.deck.pop(0))
    any_game.lay("board", 1)
    any_game.wait(1.6)
    any_game.wait(1.6)
    ruled(any_game, "burn_error", "PK11", "move_card")
    any_game.rule("move_card", DEALER)
    any_game.lift("board", 1)
    any_game.lay("burn", 1)
    assert not any_game.state.held
    play_out(any_game)
    assert burns(any_game) == 3


def test_pk11_a_missed_burn_that_was_seen_is_the_pits_and_the_board_may_stand(any_game: PokerBench) -> None:
    to_the_burn(any_game)
    card = any_game.deck.pop(0)
    any_game.draw(card)
    any_game.lay("board", 1, card)
    ruled(any_game, "burn_error", "", "pit_decides")
    any_game.rule("continue", PIT)
    assert any_game.round.deal.cards["board", 1].face is card  # type: ignore[union-attr]
    play_out(any_game)
    assert burns(any_game) == 2


def test_pk11_a_double_burn_is_put_right(any_game: PokerBench) -> None:
    to_the_burn(any_game)
    any_game.draw(any_game.deck.pop(0))
    any_game.lay("burn", 1)
    card = any_game.deck.pop(0)
    any_game.draw(card)
    any_game.lay("burn", 2)
    any_game.wait(1.6)
    ruled(any_game, "burn_error", "PK11", "move_card")
    any_game.rule("move_card", DEALER)
    any_game.lift("burn", 2)
    any_game.lay("board", 1, card)
    assert not any_game.state.held
    play_out(any_game)


def test_pk11_after_action_the_board_stands(bench: PokerBench) -> None:
    to_the_turn_of(bench, "turn")
    bench.report("burn_error")
    ruled(bench, "burn_error", "PK11", "move_card")
    bench.rule("move_card")
    bench.acts("check")
    bench.report("burn_error")
    ruled(bench, "burn_error", "PK11", "continue")
    bench.rule("continue", DEALER)
    play_out(bench)


# --- what opens no incident ------------------------------------------------------------------------------------


def test_hands_are_mucked_and_swept_in_mid_hand_without_an_incident(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("fold")
    for place in (1, 2):
        bench.lift("seat1", place)
        bench.stray()
        bench.lay("discard", place)
        bench.stray_gone()
    bench.wait(10)
    assert not bench.state.incidents.open
    bench.restart()
    bench.links()
    bench.lay_again()
    bench.rule("continue", PIT)
    assert not bench.state.held
    play_out(bench)


def test_the_felt_of_a_hand_that_nobody_shows_is_swept_at_once(bench: PokerBench) -> None:
    to_the_turn_of(bench, "turn")
    bench.acts("bet 300", "fold", "fold")
    bench.clear()
    bench.wait(10)
    assert not bench.state.incidents.open
    bench.end_hand()
    assert sum(bench.stacks().values()) == 3 * CHIPS


def test_a_board_card_in_a_wrong_place_of_the_board_is_moved(bench: PokerBench) -> None:
    to_the_burn(bench)
    bench.draw(bench.deck.pop(0))
    bench.lay("burn", 1)
    card = bench.deck.pop(0)
    bench.draw(card)
    bench.lay("board", 2, card)
    ruled(bench, "misplaced_card", "PK12", "move_card")
    bench.rule("move_card")
    bench.lift("board", 2)
    bench.lay("board", 1, card)
    assert not bench.state.held
    play_out(bench)


def test_pk2_a_card_seen_after_one_act_is_replaced_before_the_next(bench: PokerBench) -> None:
    bench.hand(HANDS)
    bench.act_alone("call")
    bench.lay("seat2", 2, "Ad")
    ruled(bench, "exposed_card", "PK2", "card_is_next_burn")
    bench.rule("card_is_next_burn")
    bench.lift("seat2", 2)
    bench.lay("burn", 1)
    assert deal_one(bench) == ("seat2", 2)
    assert bench.turn.box == "seat2"
    play_out(bench)


@pytest.mark.parametrize("kind", [choice.kind for choice in menu_of("nlh")])
def test_whatever_a_dealer_reports_ends_with_somebody_who_may_rule(bench: PokerBench, kind: str) -> None:
    """In the middle of the betting, with nothing on the felt that departs from procedure."""
    to_the_turn_of(bench, "turn")
    bench.report(kind)
    if not bench.state.incidents.open:
        return
    incident = bench.incident
    options = incident.ruling.choices
    assert incident.ruling.approval in ("dealer", "pit_boss", "two_people")
    bench.rule(options[-1], PIT)
    if bench.state.incidents.open and bench.incident.asked:
        bench.approve()
    bench.pay()
    if bench.round.live and not bench.state.held:
        play_out(bench)
    else:
        assert bench.round.stage in (Stage.VOIDED, Stage.DEALING)
