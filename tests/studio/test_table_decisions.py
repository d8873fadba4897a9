"""Every bettor decides for himself: raises cost money, silence is the default, a late or second word is refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import CONFIG, DOWN, PIT, UP, Bench, bench

from studio.cards import parse_cards
from studio.money import Answer
from studio.tables import command as c
from studio.tables.event.table import Decision
from studio.tables.state.round import Stage
from studio.views import view_table

PLAYER = parse_cards("Ks Kd 4h")
DEALER = parse_cards("Qs 9d 5c")


@pytest.fixture
def poker() -> Iterator[Bench]:
    """Three Card Poker, dealt as far as the decision: Ann has an ante and Pair Plus, Bob an ante."""
    with bench(CONFIG, game="three_card_poker", window_s=15.0) as table:
        table.deposit(10_000)
        table.deposit(1_500, bettor="bob")
        table.open()
        table.do(c.StartRound)
        table.do(c.OpenBetting)
        assert table.bet("ante", 1000).status == "accepted"
        assert table.bet("pair_plus", 500).status == "accepted"
        assert table.bet("ante", 1000, bettor="bob").status == "accepted"
        table.wait(15)
        for own, dealers in zip(PLAYER, DEALER, strict=True):
            slot = table.next_slot()
            table.draw(own)
            table.lay(*slot, own, UP)
            slot = table.next_slot()
            table.draw(dealers)
            table.lay(*slot, face=DOWN)
        yield table


def decide(table: Bench, option: str, bettor: str = "ann", id: str = "") -> Answer:
    choice = Decision(operator="north", bettor=bettor, option=option, client_id=id or f"{bettor}-{option}")
    [answer] = table.table.take_decisions((choice,), table.now)
    return answer


def finish(table: Bench) -> None:
    table.wait(15)
    for place, card in enumerate(DEALER, 1):
        table.lay("dealer", place, card, UP)
    table.finish()


def test_who_plays_stakes_once_more_and_who_says_nothing_has_folded(poker: Bench) -> None:
    poker.do(c.OpenBetting)
    assert decide(poker, "play").status == "accepted"
    assert poker.balance() == 10_000 - 2_500
    finish(poker)
    assert poker.round.stage is Stage.SETTLED
    assert poker.balance() == 10_000 - 2_500 + 2_000 + 2_000 + 1_000
    assert poker.balance("bob") == 500


def test_a_side_bet_lives_on_after_a_fold(poker: Bench) -> None:
    poker.do(c.OpenBetting)
    assert decide(poker, "fold").status == "accepted"
    finish(poker)
    assert poker.balance() == 10_000 - 1_500 + 1_000


def test_a_raise_that_cannot_be_paid_is_no_decision_and_another_may_follow(poker: Bench) -> None:
    poker.do(c.OpenBetting)
    assert decide(poker, "play", "bob").key == "insufficient_balance"
    assert decide(poker, "fold", "bob").status == "accepted"


def test_the_first_decision_stands_and_the_same_one_sent_again_is_a_duplicate(poker: Bench) -> None:
    poker.do(c.OpenBetting)
    assert decide(poker, "play", id="x").status == "accepted"
    assert decide(poker, "play", id="x").status == "duplicate"
    assert decide(poker, "fold", id="x").key == "client_id_reused"
    assert decide(poker, "fold", id="y").key in ("decided", "nothing_to_decide")
    assert poker.balance() == 10_000 - 2_500


def test_an_id_that_comes_twice_in_a_batch_is_the_first_decision_under_it(poker: Bench) -> None:
    poker.do(c.OpenBetting)
    batch = [("bob", "play"), ("ann", "fold"), ("ann", "play"), ("ann", "play"), ("carl", "fold"), ("carl", "fold")]
    ids = ("x", "x", "y", "y", "z", "z")
    choices = [
        Decision(operator="north", bettor=who, option=option, client_id=id)
        for (who, option), id in zip(batch, ids, strict=True)
    ]
    answers = poker.table.take_decisions(choices, poker.now)
    assert [one.key or one.status for one in answers] == [
        "insufficient_balance", "client_id_reused", "accepted", "duplicate", "nothing_to_decide", "nothing_to_decide",
    ]  # fmt: skip
    assert poker.table.book.conduct.of("north", "ann") == ""


def test_two_operators_may_use_the_same_id_in_one_batch(poker: Bench) -> None:
    poker.do(c.OpenBetting)
    choices = [Decision(operator=one, bettor="ann", option="play", client_id="x") for one in ("south", "north")]
    answers = poker.table.take_decisions(choices, poker.now)
    assert [one.key or one.status for one in answers] == ["nothing_to_decide", "accepted"]


@pytest.mark.parametrize(
    ("option", "bettor", "key"),
    [("raise", "ann", "no_such_option"), ("play", "carl", "nothing_to_decide")],
)
def test_a_decision_that_is_none_is_refused(poker: Bench, option: str, bettor: str, key: str) -> None:
    poker.do(c.OpenBetting)
    assert decide(poker, option, bettor).key == key


def test_nobody_decides_before_or_after_the_window_or_while_the_table_is_held(poker: Bench) -> None:
    assert decide(poker, "play").key == "closed"
    poker.do(c.OpenBetting)
    poker.do(c.FreezeTable)
    assert decide(poker, "play").key == "held"
    poker.do(c.ReleaseTable, poker.pin(PIT), reason_code="checked", words="all in order")
    poker.wait(15)
    assert decide(poker, "play").key == "closed"


def test_the_console_asks_for_the_decisions_and_the_restart_knows_them(poker: Bench) -> None:
    assert view_table(poker.state, poker.table.book, 1).now.act.key == "act.open_decisions"
    poker.do(c.OpenBetting)
    view = view_table(poker.state, poker.table.book, 1)
    assert (view.now.act.key, view.bets.open, view.bets.deciding) == ("act.decide", False, ("play", "fold"))
    assert decide(poker, "fold").status == "accepted"
    assert poker.restarted().book.conduct.of("north", "ann") == "fold"


def test_a_side_bet_without_an_ante_is_refused() -> None:
    with bench(CONFIG, game="three_card_poker", window_s=15.0) as table:
        table.deposit()
        table.open()
        table.do(c.StartRound)
        table.do(c.OpenBetting)
        assert table.bet("six_card").key == "needs_ante"


def test_a_void_gives_the_raises_back_too(poker: Bench) -> None:
    poker.do(c.OpenBetting)
    assert decide(poker, "play").status == "accepted"
    poker.report("malfunction", PIT)
    poker.rule("void_round", PIT)
    poker.pay()
    assert poker.balance() == 10_000
