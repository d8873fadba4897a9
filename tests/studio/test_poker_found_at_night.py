"""What simulated nights found of the rows of the poker room: wrong seats found late, burns that wait, empty shoes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from poker_bench import CHIPS, PokerBench
from table_bench import DEALER, PIT

from studio.rounds import CardBurned, Revealed
from studio.rulebook.script import Burn, Deal, Reveal
from studio.tables import command as c
from studio.tables.state.round import Stage
from studio.tables.state.table import awaited


@pytest.fixture
def bench() -> Iterator[PokerBench]:
    bench = PokerBench().open()
    yield bench
    bench.check()
    bench.check_chips()
    bench.close()


def deal(bench: PokerBench, *, seat: str = "") -> None:
    now = awaited(bench.state)
    assert now is not None
    assert isinstance(now.step, Deal)
    bench.draw(bench.deck.pop(0))
    bench.lay(seat or now.step.box, now.place)


@pytest.mark.parametrize("later", [0, 1, 2])
def test_pk1_a_card_at_a_wrong_seat_is_noticed_though_the_deal_runs_on(bench: PokerBench, later: int) -> None:
    bench.shuffle("")
    bench.do(c.StartRound)
    deal(bench)
    deal(bench, seat="seat7")  # Cy is passed over
    for _ in range(later):
        deal(bench)
    bench.wait(1.6)
    assert (bench.incident.kind, bench.incident.ruling.row) == ("misplaced_card", "PK1")
    assert bench.incident.scene.cards == (bench.round.deal.cards["seat3", 1].card.id,)
    bench.rule("reshuffle_and_redeal", PIT)


def test_pk2_the_exposed_card_is_the_burn_as_soon_as_the_last_hand_is_turned(bench: PokerBench) -> None:
    bench.shuffle("")
    bench.do(c.StartRound)
    for _ in range(4):
        deal(bench)
    exposed = bench.draw(bench.deck.pop(0))
    bench.lay("seat3", 2, "2c")
    bench.rule("card_is_next_burn", DEALER)
    bench.lift("seat3", 2)
    bench.lay("burn", 1)
    deal(bench)
    deal(bench)
    for option, to_minor in (("raise", CHIPS), ("call", 0), ("call", 0)):
        bench.act_alone(option, to_minor)
    while (now := awaited(bench.state)) is not None and isinstance(now.step, Reveal):
        bench.turn_up(now.step.box)
    assert now is not None
    assert now.step == Deal("board"), "the console asks for a burn that lies there"
    assert isinstance(bench.round.deal.cards["burn", 1], CardBurned)
    assert bench.round.deal.cards["burn", 1].card.id == exposed


def test_pk14_an_empty_shoe_voids_the_hand_at_a_burn_and_while_seats_bet(bench: PokerBench) -> None:
    bench.hand()
    bench.report("shoe_empty")
    assert (bench.incident.ruling.row, bench.incident.ruling.ruling) == ("PK14", "void_round")
    bench.rule("void_round", PIT)
    bench.pay()
    assert bench.round.stage is Stage.VOIDED
    assert bench.stacks() == {name: CHIPS for name in bench.seats}
    assert bench.state.deck is None
    bench.clear()
    bench.load()
    bench.hand()
    bench.act_alone("call")
    bench.act_alone("call")
    bench.act_alone("check")
    now = awaited(bench.state)
    assert now is not None
    assert isinstance(now.step, Burn)
    bench.report("shoe_empty")
    assert bench.incident.ruling.row == "PK14"
    bench.rule("void_round", PIT)
    bench.pay()
    assert bench.stacks() == {name: CHIPS for name in bench.seats}


@pytest.mark.parametrize("option", ["show", "muck"])
def test_a_hand_turned_before_its_turn_is_open_when_its_seat_shows_it_and_sealed_when_not(
    bench: PokerBench, option: str
) -> None:
    """At the showdown the dealer turns both hands at once; the second seat has still to say."""
    bench.hand()
    bench.acts("fold", "call", "check", *["check"] * 5)
    bench.act_alone("check")
    bench.turn_up("seat3")
    bench.turn_up("seat2")
    assert bench.turn.box == "seat3"
    assert bench.act_alone(option).status == "accepted"
    bench.wait(0.3)
    shown = {fact.box for fact in bench.round.deal.facts if isinstance(fact, Revealed)}
    assert shown == ({"seat2", "seat3"} if option == "show" else {"seat2"})
    assert awaited(bench.state) is None
    assert bench.state.incidents.open == ()
    bench.end_hand()
