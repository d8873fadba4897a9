"""Blackjack dealt at a table: bets by boxes, the boxes' own decisions, and what each of them is paid."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from blackjack_bench import Boxes, boxes
from table_bench import DEALER, PIT

from studio.rounds import Awaiting, Chose
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.state.round import Stage
from studio.views import view_table

STAKE = 1_000


@pytest.fixture
def table() -> Iterator[Boxes]:
    with boxes() as made:
        yield made


def deal(table: Boxes, cards: str, bets: dict[str, int] | None = None) -> Boxes:
    return table.bet_on(bets or {"3:main": STAKE}).no_more_bets().cards(cards)


def won(table: Boxes) -> int:
    """What Ann has more than she brought, once the round is settled."""
    table.finish()
    assert table.round.stage is Stage.SETTLED
    return table.balance() - 100_000


# --- the deal -----------------------------------------------------------------------------------------


def test_every_box_with_a_bet_gets_its_cards_in_order_and_no_other(table: Boxes) -> None:
    table.bet_on({"5:main": STAKE, "2:main": STAKE}).no_more_bets()
    slots = []
    for card in ("9h", "8h", "7h", "9c", "8c"):
        slots.append(table.next_slot())
        table.cards(card)
    assert slots == [("2", 1), ("5", 1), ("dealer", 1), ("2", 2), ("5", 2)]
    assert table.round.stakes.boxes == ("2", "5")


def test_a_round_nobody_bet_on_ends_without_a_card_and_the_shoe_deals_the_next_one(table: Boxes) -> None:
    table.do(c.StartRound)
    table.do(c.OpenBetting)
    table.no_more_bets()
    assert view_table(table.state, table.table.book, 1).now.act.key == "act.nobody_bet"
    table.do(c.DeclareResult)
    table.pay()
    assert table.round.stage is Stage.SETTLED
    table.do(c.StartRound)


def test_a_shoe_that_has_dealt_a_round_is_shuffled_before_the_next(table: Boxes) -> None:
    deal(table, "Th 6c 9h").chosen("3 stand").cards("Kc 2d")
    table.finish()
    assert table.refused(c.StartRound) == "shoe_short"


def test_the_ninth_card_of_one_face_fouls_a_shoe_of_eight_decks_and_the_eighth_does_not(table: Boxes) -> None:
    bets = {f"{box}:main": STAKE for box in (1, 2, 3)}
    table.deposit(bettor="bob")
    table.bet_on(bets).bet_on({"4:main": STAKE}, bettor="bob").no_more_bets()
    table.cards("2h 2h 2h 2h 9h 2h 2h 2h 2h")
    assert table.open_kinds() == []
    table.chosen("1 hit")
    table.draw("2h")
    assert (table.incident.kind, table.incident.ruling.row) == ("fouled_deck", "HG11")
    table.rule("void_round", PIT)
    table.pay()
    assert table.balance() == 100_000


# --- boxes --------------------------------------------------------------------------------------------


def test_a_box_belongs_to_the_first_with_a_main_bet_on_it(table: Boxes) -> None:
    table.deposit(bettor="bob")
    table.bet_on({"3:main": STAKE})
    assert table.bet("3:main", STAKE, "bob").key == "box_taken"
    assert table.bet("3:perfect_pair", STAKE, "bob").key == "box_taken"
    assert table.bet("3:main", STAKE).status == "accepted"
    assert table.bet("4:main", STAKE, "bob").status == "accepted"


def test_a_bettor_has_three_boxes_at_most(table: Boxes) -> None:
    table.bet_on({f"{box}:main": STAKE for box in (1, 2, 3)})
    assert table.bet("4:main", STAKE).key == "boxes_full"
    assert table.bet("3:perfect_pair", STAKE).status == "accepted"


def test_a_side_bet_stands_only_on_a_box_with_a_main_bet(table: Boxes) -> None:
    table.do(c.StartRound)
    table.do(c.OpenBetting)
    assert table.bet("3:perfect_pair", STAKE).key == "needs_main"
    assert table.bet("3:insurance", STAKE).key == "staked_by_decision"


# --- what a round pays --------------------------------------------------------------------------------

PAID = [
    ("a win", "Th 6c 9h", ("3 stand",), "Kc 2d", 1_000),
    ("a push", "Th 6c 9h", ("3 stand",), "Kc 3d", 0),
    ("a loss", "Th 6c 9h", ("3 stand",), "Kc 5d", -1_000),
    ("a bust, and the dealer draws nothing", "Th 6c 6h", ("3 hit",), "Kc", -1_000),
    ("a blackjack, and the dealer draws nothing", "Ah 6c Kh", (), "", 1_500),
    ("a blackjack against a ten, and the dealer draws one card", "Ah Tc Kh", (), "9c", 1_500),
    ("a blackjack against a blackjack", "Ah Tc Kh", (), "Ac", 0),
    ("a double", "5h 6c 6h", ("3 double",), "Tc Ts 9d", 2_000),
    ("a double against a blackjack", "5h Tc 6h", ("3 double",), "Tc As", -2_000),
    ("a surrender, and the dealer draws nothing", "Th Tc 6h", ("3 surrender",), "", -500),
]


@pytest.mark.parametrize(("deal_of", "choices", "rest", "net"), [row[1:] for row in PAID], ids=[row[0] for row in PAID])
def test_a_box_is_paid(table: Boxes, deal_of: str, choices: tuple[str, ...], rest: str, net: int) -> None:
    deal(table, deal_of).chosen(*choices).cards(rest)
    assert won(table) == net


def test_a_split_puts_the_bet_out_twice_and_each_row_decides_for_itself(table: Boxes) -> None:
    deal(table, "8h 6c 8d").chosen("3 split").cards("Th").chosen("3a stand").cards("2c").chosen("3b hit").cards("9c")
    table.chosen("3b stand")
    assert table.balance() == 100_000 - 2 * STAKE
    table.cards("Tc Ts")
    assert won(table) == 2_000


def test_a_row_of_a_split_box_may_be_doubled(table: Boxes) -> None:
    deal(table, "8h 6c 8d").chosen("3 split").cards("Th").chosen("3a stand").cards("3c").chosen("3b double")
    assert table.balance() == 100_000 - 3 * STAKE
    table.cards("Tc Ts 9c")
    assert won(table) == 3_000


def test_an_odd_stake_is_rounded_once_for_the_whole_box(table: Boxes) -> None:
    deal(table, "Th Tc 6h", {"3:main": 101}).chosen("3 surrender")
    assert won(table) == 50 - 101


@pytest.mark.parametrize(
    ("dealers", "net"), [("Kc", -1_000 + 500 * 2), ("9c", 0 - 500)], ids=["won and the hand lost", "lost and a push"]
)
def test_insurance_is_half_the_bet(table: Boxes, dealers: str, net: int) -> None:
    deal(table, "Th Ac Kh").offered("3 insurance").chosen("3 stand").cards(dealers)
    assert table.balance() == 100_000 - 1_500
    assert won(table) == net


def test_even_money_is_paid_whatever_the_dealer_has_and_he_draws_nothing(table: Boxes) -> None:
    deal(table, "Kh Ac Ah").offered("3 even_money")
    assert won(table) == 1_000


def test_a_perfect_pair_is_paid_though_the_box_is_bust(table: Boxes) -> None:
    deal(table, "Kh 6c Kh", {"3:main": STAKE, "3:perfect_pair": 100}).chosen("3 hit").cards("5c")
    assert won(table) == -1_000 + 10_000


# --- the box decides ----------------------------------------------------------------------------------


def test_a_turn_opens_by_itself_and_says_which_box_may_do_what_until_when(table: Boxes) -> None:
    deal(table, "8h 6c 8d")
    view = view_table(table.state, table.table.book, 1)
    assert (view.now.act.key, view.now.act.values["box"], view.now.primary) == ("act.turn", "box.3", None)
    assert (view.bets.turn, view.bets.open) == ("3", False)
    assert view.bets.deciding == ("hit", "stand", "double", "split", "surrender")
    assert view.bets.closes_at_ms == table.now - 20 + 15_000  # since the shoe read the card, the camera came after


def test_nobody_opens_or_closes_a_turn_by_hand(table: Boxes) -> None:
    deal(table, "8h 6c 8d")
    assert table.refused(c.CloseBetting) == "not_now"
    assert table.refused(c.OpenBetting) == "not_now"


def test_a_box_that_says_nothing_has_the_default_and_the_record_says_so(table: Boxes) -> None:
    deal(table, "Th 6c 7h", {"3:main": STAKE}).wait(14)
    assert table.round.window.closes_at_ms is not None
    table.wait(1)
    assert table.round.deal.plain[-1] == Chose(box="3", option="stand", by_default=True)
    table.cards("Tc Ts")
    assert won(table) == 1_000


def test_below_seventeen_the_default_is_basic_strategy_without_a_further_stake(table: Boxes) -> None:
    deal(table, "5h 6c 6d").wait(15)
    assert table.round.deal.plain[-1] == Chose(box="3", option="hit", by_default=True)
    assert table.balance() == 100_000 - STAKE


@pytest.mark.parametrize(
    ("box", "option", "bettor", "key"),
    [
        ("", "hit", "ann", "box_needed"),
        ("3", "hit", "bob", "not_your_box"),
        ("7", "hit", "ann", "not_your_box"),
        ("5", "hit", "ann", "out_of_turn"),
        ("3a", "hit", "ann", "out_of_turn"),
        ("3", "split", "ann", "no_such_option"),
        ("3", "insurance", "ann", "no_such_option"),
    ],
)
def test_a_choice_that_is_none_is_refused(table: Boxes, box: str, option: str, bettor: str, key: str) -> None:
    deal(table, "Th 9h 6c 7h 9c", {"3:main": STAKE, "5:main": STAKE})
    answer = table.choose(box, option, bettor=bettor)
    assert (answer.key, answer.sentence[-1:]) == (key, ".")
    assert table.choose("3", "hit").status == "accepted"


def test_a_choice_too_late_or_twice_is_refused_in_a_sentence_of_its_own(table: Boxes) -> None:
    deal(table, "2h 6c 3h").chosen("3 hit")
    assert table.choose("3", "hit").key == "decided"
    table.cards("2c")
    table.now += 15_000
    assert table.choose("3", "hit").key == "late"
    table.tick()
    assert table.choose("3", "hit").key == "late"


def test_the_same_choice_sent_again_is_a_duplicate_however_late(table: Boxes) -> None:
    deal(table, "2h 6c 3h")
    assert table.choose("3", "hit", id="x").status == "accepted"
    assert table.choose("3", "hit", id="x").status == "duplicate"
    assert table.choose("3", "stand", id="x").key == "client_id_reused"
    table.cards("2c")
    assert table.choose("3", "hit", id="x").status == "duplicate"


def test_a_stake_that_the_purse_does_not_cover_is_no_choice_and_nothing_of_it_stands() -> None:
    with boxes(1_500) as table:
        deal(table, "8h 6c 8d")
        for option in ("double", "split"):
            assert table.choose("3", option).key == "insufficient_balance"
        assert not [fact for fact in table.round.deal.plain if isinstance(fact, Chose)]
        assert table.balance() == 500
        assert table.choose("3", "stand").status == "accepted"


def test_a_choice_its_stake_and_the_fact_are_one_commit(table: Boxes) -> None:
    deal(table, "5h 6c 6h")
    table.disk_full = True
    with pytest.raises(Exception, match="disk"):
        table.choose("3", "double")
    table.disk_full = False
    table.tick()
    assert table.balance() == 100_000 - STAKE
    assert not [fact for fact in table.round.deal.plain if isinstance(fact, Chose)]
    table.do(c.ReleaseTable, table.pin(PIT), reason_code="checked", words="The disk is well again.")
    table.chosen("3 double")
    assert [type(one).__name__ for one in table.rows("DecisionsTaken", "Chose")] == ["DecisionsTaken", "FactStood"]


def test_a_held_table_takes_no_choice_and_gives_the_box_all_of_its_time_again(table: Boxes) -> None:
    deal(table, "5h 6c 6h").wait(10)
    table.do(c.FreezeTable)
    assert table.choose("3", "hit").key == "held"
    table.wait(60)
    assert not [fact for fact in table.round.deal.plain if isinstance(fact, Chose)]
    table.do(c.ReleaseTable, table.pin(PIT), reason_code="checked", words="All in order.")
    assert table.round.window.closes_at_ms == table.now + 15_000
    table.chosen("3 hit")


def test_a_restart_at_a_turn_comes_back_held_and_the_box_has_its_time_again(table: Boxes) -> None:
    deal(table, "5h 6c 6h").wait(10)
    table.restart()
    assert table.state.held
    table.links()
    for zone, place in sorted(table.round.deal.cards):
        fact = table.round.deal.cards[zone, place]
        table.lay(zone, place, fact.face)  # type: ignore[union-attr]
    while table.state.incidents.open:
        table.rule("continue", PIT)
    assert table.round.window.closes_at_ms == table.now + 15_000
    table.chosen("3 double").cards("Tc Ts 9d")
    assert won(table) == 2_000


# --- insurance and even money -------------------------------------------------------------------------


def test_insurance_is_for_hands_and_even_money_for_a_blackjack(table: Boxes) -> None:
    deal(table, "Th Kh Ac 9h Ah", {"3:main": STAKE, "5:main": STAKE})
    assert table.choose("3", "insurance").key == "closed"
    table.do(c.OpenBetting)
    assert table.choose("3", "even_money").key == "no_such_option"
    assert table.choose("5", "insurance").key == "no_such_option"
    table.chosen("3 insurance", "5 even_money")
    assert table.choose("3", "decline").key == "decided"
    table.wait(15)
    table.chosen("3 stand").cards("9c")
    assert won(table) == -1_000 - 500 + 1_000


def test_who_says_nothing_has_declined(table: Boxes) -> None:
    deal(table, "Th Ac 9h").offered()
    [closed] = table.rows("DecisionsClosed")
    assert isinstance(closed, e.DecisionsClosed)
    assert closed.by_default == "decline"
    assert table.balance() == 100_000 - STAKE
    table.chosen("3 stand").cards("Kc")
    assert won(table) == -1_000


def test_half_of_an_odd_bet_is_rounded_down(table: Boxes) -> None:
    deal(table, "Th Ac 9h", {"3:main": 101}).offered("3 insurance").chosen("3 stand").cards("Kc")
    assert table.round.stakes.stake_minor == 101 + 50
    assert won(table) == -101 + 100


def test_the_dealer_opens_the_window_for_insurance(table: Boxes) -> None:
    deal(table, "Th Ac 9h")
    assert view_table(table.state, table.table.book, 1).now.act.key == "act.open_decisions"
    table.do(c.OpenBetting, DEALER)
    assert isinstance(table.round.deal.standing, Awaiting)
    view = view_table(table.state, table.table.book, 1)
    assert (view.bets.turn, view.bets.deciding) == ("", ("insurance", "even_money", "decline"))
    table.wait(15)
    table.chosen("3 stand").cards("9d")
    won(table)
