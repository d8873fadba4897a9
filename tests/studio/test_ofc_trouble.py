"""What goes wrong in the middle of a street of Open-Face Chinese: a restart, a pulled camera, a card laid wrong."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from open_face_bench import OFC, OpenFaceBench
from poker_bench import CHIPS
from table_bench import PIT
from test_ofc_laying import laying

from studio.cards import parse_cards
from studio.rulebook.script import Lay
from studio.spoken import Places
from studio.tables.event import table as e
from studio.views import view_table

JUNK = parse_cards("2c 7h 9d Jc 5d Qc 6s 8h Tc 2h 5h 9s Jh 6c 8d Td 7s 8s")
BOB = (
    ("top", "top", "middle", "middle", "bottom"), ("bottom", "bottom", "muck"), ("bottom", "bottom", "muck"),
    ("middle", "middle", "muck"), ("middle", "top", "muck"),
)  # fmt: skip


@pytest.fixture
def bench() -> Iterator[OpenFaceBench]:
    bench = OpenFaceBench("ann bob").open()
    yield bench
    bench.check()
    bench.close()


def halfway(bench: OpenFaceBench, lay: Lay) -> None:
    """Two cards of the street lie in their rows."""
    for place, zone, there in lay.to[:2]:
        card = bench.street_card(lay.box, place)
        bench.lift(lay.box, place)
        bench.lay(zone, there, card)


def finish(bench: OpenFaceBench, lay: Lay) -> None:
    for place, zone, there in lay.to[2:]:
        card = bench.street_card(lay.box, place)
        bench.lift(lay.box, place)
        bench.lay(zone, there, card)
    bench.go_on()
    bench.play_out()
    bench.end_hand()
    bench.check_chips()


def test_a_program_that_dies_halfway_through_a_street_goes_on_where_it_was(bench: OpenFaceBench) -> None:
    bench.hand()
    lay = laying(bench)
    halfway(bench, lay)
    before = bench.round.deal.facts
    bench.restart()
    assert bench.round.deal.facts == before
    bench.links()
    for zone, place in [(lay.box, place) for place in (3, 4, 5)] + [("seat1", place) for place in range(1, 6)]:
        bench.lay(zone, place)
    for place, zone, there in lay.to[:2]:
        bench.lay(zone, there, bench.street_card(lay.box, place))
    assert bench.open_kinds() == ["restart"]
    bench.rule("continue", PIT)
    assert not bench.state.incidents.open
    assert not bench.rows("Laid")
    finish(bench, lay)


def test_a_camera_that_is_pulled_in_a_street_holds_the_table_and_comes_back_to_it(bench: OpenFaceBench) -> None:
    bench.hand()
    lay = laying(bench)
    halfway(bench, lay)
    bench.links(up=False, only=[bench.config.camera])
    assert bench.open_kinds() == ["device_lost"]
    bench.links(only=[bench.config.camera])
    for zone, place in [(lay.box, place) for place in (3, 4, 5)] + [("seat1", place) for place in range(1, 6)]:
        bench.lay(zone, place)
    assert bench.refused_ruling("continue")
    for place, zone, there in lay.to[:2]:
        bench.lay(zone, there, bench.street_card(lay.box, place))
    bench.rule("continue")
    assert not bench.state.incidents.open
    finish(bench, lay)


def test_of4_the_dealer_is_told_which_card_lies_wrong_and_where_it_was_set(bench: OpenFaceBench) -> None:
    bench.hand()
    lay = laying(bench)
    second = bench.street_card("seat2", 2)
    bench.lift("seat2", 2)
    bench.lay("seat2_top", 1, second)
    told = view_table(bench.state, bench.table.book, bench.table.seq).incidents.open[0]
    assert (told.row.id, told.where.box, told.where.place, told.where.due_box, told.where.due_place) == (
        "OF4",
        "seat2_top",
        1,
        "seat2_middle",
        1,
    )
    bench.rule("move_card")
    act = view_table(bench.state, bench.table.book, bench.table.seq).now.act
    assert (act.key, act.values) == (
        "act.carry_out.move_card.sealed", {"places": Places((("seat2_top", 1),)), "box": "box.seat2_middle", "place": 1}
    )  # fmt: skip
    bench.lift("seat2_top", 1)
    bench.lay("seat2_middle", 1, second)
    assert not bench.state.incidents.open
    place, zone, there = lay.to[0]
    card = bench.street_card(lay.box, place)
    bench.lift(lay.box, place)
    bench.lay(zone, there, card)
    finish(bench, lay)


@pytest.mark.parametrize(
    ("top", "cards"), [("Qh Qd 6h", 14), ("Kh Kd 6h", 15), ("Ah Ad 6h", 16), ("2s 2c 2d", 17)], ids=str
)
def test_of8_each_fantasy_is_dealt_at_once_and_laid_at_the_end(bench: OpenFaceBench, top: str, cards: int) -> None:
    one, two, three = top.split()
    junk = [str(card) for card in JUNK if str(card) not in (one, two, three)]
    bob = [[one, two, "3s", "3h", "4s"], ["4h", "4d", junk.pop()], ["4c", "9c", junk.pop()], ["3d", "5c", junk.pop()],
           ["7c", three, junk.pop()]]  # fmt: skip
    ann = [[junk.pop() for _ in range(5)]] + [[] for _ in range(4)]
    rest = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]
    used = {card for street in (*bob, *ann) for card in street}
    spare = iter(card for card in rest if card not in used)
    ann[1:] = [[next(spare) for _ in range(3)] for _ in range(4)]
    bench.hand(" ".join(" ".join([*his, *hers]) for his, hers in zip(bob, ann, strict=True)))
    for rows in BOB:
        assert bench.set(*rows).status == "accepted"
        bench.set_at_random()
    bench.end_hand()
    assert bench.state.room.players["seat2"].fantasy == cards
    button = bench.state.room.button
    bench.hand()
    assert bench.state.room.button == button
    assert sum(zone == "seat2" for zone, _ in bench.round.deal.cards) == cards
    bench.play_out()
    assert [one.fact.box for one in bench.rows("Laid")[-1:] if isinstance(one, e.FactStood)] == ["seat2"]
    bench.end_hand()
    bench.check_chips()


def test_of11_two_seats_that_are_fouled_move_nothing(bench: OpenFaceBench) -> None:
    bench.hand()
    assert [bench.ask("look", bettor).status for bettor in ("ann", "bob")] == ["accepted"] * 2
    bench.play_out(silent=("seat1", "seat2"))
    bench.end_hand()
    assert set(bench.stacks().values()) == {CHIPS}


ANN = (("bottom",) * 5, ("middle", "middle", "muck"), ("middle", "middle", "muck"), ("middle", "top", "muck"),
       ("top", "top", "muck"))  # fmt: skip
QUADS, STREETS = "Ah Ad Ac As Kh", "Qh Qd 2c Qc 9h 2d Jh 8c 2h 7d 6c 2s"


def test_of12_who_has_less_than_he_lost_pays_what_lies_before_him() -> None:
    bench = OpenFaceBench("ann bob", config=msgspec.structs.replace(OFC, rules={"unit": 2_000})).open()
    for deck, left in ((f"3c 3d 3h 3s 4c {QUADS}", CHIPS - 6_000), (f"{QUADS} 3c 3d 3h 3s 4c", 0)):
        bench.hand(f"{deck} {STREETS}")
        for rows in ANN:
            if bench.turn.box == "seat2":
                bench.let_pass()
            assert bench.set(*rows).status == "accepted"
        bench.end_hand()
        assert bench.stack("bob") == left
        bench.check_chips()
    bench.check()
    bench.close()


def test_a_seat_that_leaves_in_mid_hand_is_out_and_paid_what_it_has_left() -> None:
    bench = OpenFaceBench().open()
    bench.hand()
    assert bench.ask("look", "cy").status == "accepted"
    bench.set_at_random()
    assert bench.ask("leave", "cy").status == "accepted"
    bench.tick()
    bench.go_on()
    bench.play_out()
    bench.end_hand()
    [declared] = [one for one in bench.rows("ResultDeclared") if isinstance(one, e.ResultDeclared)]
    assert declared.outcome["seats"]["seat3"]["out"] == "foul"
    assert "seat3" not in bench.state.room.players
    bench.check()
    bench.close()


def test_hg6_a_card_too_many_goes_to_the_discard_for_there_is_no_burn(bench: OpenFaceBench) -> None:
    bench.hand()
    laying(bench)
    bench.draw(bench.deck.pop())
    told = view_table(bench.state, bench.table.book, bench.table.seq).incidents.open[0]
    assert (told.kind, told.row.id, told.row.ruling) == ("extra_card", "HG6", "card_to_discard")
    bench.rule("card_to_discard")
    assert bench.open_kinds() == []
    assert [event.to for event in bench.rows("CardDisposed") if isinstance(event, e.CardDisposed)] == ["discard"]
