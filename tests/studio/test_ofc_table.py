"""Open-Face Chinese at a table: streets set by their seats, laid by the dealer, points in chips."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from open_face_bench import OpenFaceBench
from poker_bench import CHIPS
from table_bench import PIT

from studio.journal.extract.walk import steps
from studio.proof.audit.database import audit
from studio.rounds import Laid
from studio.rulebook.script import Lay
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.state.table import awaited


@pytest.fixture
def bench() -> Iterator[OpenFaceBench]:
    bench = OpenFaceBench().open()
    yield bench
    bench.check()
    bench.close()


def test_a_hand_is_dealt_set_laid_and_paid(bench: OpenFaceBench) -> None:
    bench.hand()
    assert bench.turn.box == "seat2"
    bench.play_out()
    bench.end_hand()
    bench.check_chips()
    assert sum(bench.stacks().values()) == 3 * CHIPS
    assert len(bench.rows("Laid")) == 15
    laid = [event.fact for event in bench.rows("Laid") if isinstance(event, e.FactStood)]
    assert sum(len(fact.faces) for fact in laid if isinstance(fact, Laid)) == 39


def test_a_row_that_is_full_a_turn_that_is_not_ones_own_and_a_late_choice_are_refused(bench: OpenFaceBench) -> None:
    bench.hand()
    assert bench.set("top", "top", "top", "top", "bottom").key == "row_full"
    assert bench.set("top", "middle", "bottom").key == "cards_amiss"
    assert bench.set("top", "top", "left", "middle", "bottom").key == "no_such_row"
    assert bench.set(*["bottom"] * 5, bettor="ann").key == "out_of_turn"
    answer = bench.set("top", "middle", "bottom", "bottom", "bottom", id="mine")
    assert answer.status == "accepted"
    assert bench.turn.box == "seat3"
    bench.wait(30)  # the time bank runs
    bench.now = (bench.round.window.closes_at_ms or 0) + 1
    assert bench.set(*["bottom"] * 5).key == "late"


def test_no_row_of_the_journal_names_a_card_before_it_is_laid(bench: OpenFaceBench) -> None:
    bench.hand()
    street = bench.street("seat2")
    bench._sent += 1
    choice = e.Decision(
        operator="north", bettor="bob", option="place", client_id="x", box="seat2", rows=("top", *["bottom"] * 4)
    )
    assert bench.table.take_decisions((choice,), bench.now)[0].status == "accepted"
    told = str(bench.rows("DecisionsTaken", "Chose", "CardDealt"))
    assert "rows=('top'" in told
    assert not [card for card in street if f"'{card}'" in told or f"{card!r}," in told]
    bench.go_on()
    assert str(street[0]) in str(bench.rows("Laid")[0])


# --- laying ----------------------------------------------------------------------------------------------------------


def laying(bench: OpenFaceBench) -> Lay:
    """Bob has set his first street; nothing is laid yet."""
    bench.hand()
    choice = e.Decision(
        operator="north", bettor="bob", option="place", client_id="x", box="seat2",
        rows=("top", "middle", "middle", "bottom", "bottom"),
    )  # fmt: skip
    assert bench.table.take_decisions((choice,), bench.now)[0].status == "accepted"
    now = awaited(bench.state)
    assert now is not None
    assert isinstance(now.step, Lay)
    return now.step


def test_a_street_stands_only_when_all_of_it_lies_in_its_rows(bench: OpenFaceBench) -> None:
    lay = laying(bench)
    for place, zone, there in lay.to[:-1]:
        card = bench.street_card(lay.box, place)
        bench.lift(lay.box, place)
        bench.lay(zone, there, card)
    assert not bench.rows("Laid")
    place, zone, there = lay.to[-1]
    bench.lay(zone, there, bench.street_card(lay.box, place))
    assert not bench.rows("Laid")
    bench.lift(lay.box, place)
    assert len(bench.rows("Laid")) == 1
    assert not bench.state.incidents.open
    assert bench.round.eyes.confirmed >= {
        fact.card.id for (zone, _), fact in bench.round.deal.cards.items() if "_" in zone
    }


def test_a_card_turned_in_its_street_before_it_is_laid_is_no_exposed_card(bench: OpenFaceBench) -> None:
    lay = laying(bench)
    bench.lay("seat2", 1, bench.street_card("seat2", 1))
    assert not bench.state.incidents.open
    bench.lay_street(lay)
    assert len(bench.rows("Laid")) == 1


def test_a_card_laid_to_another_row_is_moved(bench: OpenFaceBench) -> None:
    lay = laying(bench)
    second = bench.street_card("seat2", 2)
    bench.lift("seat2", 2)
    bench.lay("seat2_top", 1, second)
    assert (bench.incident.kind, bench.incident.ruling.row, bench.incident.ruling.ruling) == (
        "misplaced_card",
        "OF4",
        "move_card",
    )
    bench.rule("move_card")
    bench.lift("seat2_top", 1)
    bench.lay("seat2_middle", 1, second)
    assert not bench.state.incidents.open
    for place, zone, there in lay.to:
        if place != 2:
            card = bench.street_card("seat2", place)
            bench.lift("seat2", place)
            bench.lay(zone, there, card)
    assert len(bench.rows("Laid")) == 1


def test_a_card_laid_where_no_card_of_the_street_goes_is_moved(bench: OpenFaceBench) -> None:
    lay = laying(bench)
    bare = next(
        (f"seat2_{row}", place)
        for row, places in (("top", 3), ("middle", 5), ("bottom", 5))
        for place in range(1, places + 1)
        if all((zone, there) != (f"seat2_{row}", place) for _, zone, there in lay.to)
    )
    bench.lay(*bare, bench.street_card("seat2", 1))
    assert (bench.incident.kind, bench.incident.ruling.row) == ("misplaced_card", "OF4")
    bench.lift("seat2", 1)
    bench.rule("move_card")
    bench.lift(*bare)
    bench.lay("seat2", 1)
    assert not bench.state.incidents.open
    bench.lay_street(lay)
    assert len(bench.rows("Laid")) == 1


def test_another_card_than_the_shoe_read_holds_the_table(bench: OpenFaceBench) -> None:
    lay = laying(bench)
    stranger = bench.deck[-1]
    bench.lift("seat2", 1)
    bench.lay("seat2_top", 1, stranger)
    assert (bench.incident.kind, bench.incident.ruling.row) == ("card_mismatch", "HG15")
    bench.rule("shoe", PIT)
    assert not bench.state.incidents.open
    for place, zone, there in lay.to[1:]:
        card = bench.street_card("seat2", place)
        bench.lift("seat2", place)
        bench.lay(zone, there, card)
    assert len(bench.rows("Laid")) == 1


def test_a_record_in_which_people_ruled_what_a_laid_card_is_verifies(bench: OpenFaceBench) -> None:
    lay = laying(bench)
    stranger = bench.deck[-1]
    bench.lift("seat2", 1)
    bench.lay("seat2_top", 1, stranger)
    bench.rule("camera", bench.pin(PIT))
    for place, zone, there in lay.to[1:]:
        card = bench.street_card("seat2", place)
        bench.lift("seat2", place)
        bench.lay(zone, there, card)
    [laid] = [fact for fact in bench.round.deal.facts if isinstance(fact, Laid)]
    assert laid.faces[0] is stranger
    audit(steps(bench.store.connection))


def test_a_card_given_up_that_shows_its_face_stays_out(bench: OpenFaceBench) -> None:
    bench.hand()
    while len(bench.round.deal.facts) < 20 or bench.turn.box != "seat2":
        bench.set_at_random()
    choice = e.Decision(
        operator="north", bettor="bob", option="place", client_id="x", box="seat2",
        rows=next(rows for rows in itertools.permutations(("muck", "bottom", "middle", "top", "top"), 3)
                  if bench.turn.placing is not None and bench.turn.placing.refusal(rows) is None),
    )  # fmt: skip
    assert bench.table.take_decisions((choice,), bench.now)[0].status == "accepted"
    now = awaited(bench.state)
    assert now is not None
    assert isinstance(now.step, Lay)
    [away] = now.step.away
    bench.lay("seat2", away, bench.street_card("seat2", away))
    assert (bench.incident.kind, bench.incident.ruling.row, bench.incident.ruling.ruling) == (
        "exposed_card",
        "OF3",
        "continue",
    )
    bench.rule("continue")
    bench.go_on()
    bench.play_out()
    bench.end_hand()
    assert sum(bench.stacks().values()) == 3 * CHIPS


def test_a_frozen_table_goes_on_laying_where_it_was(bench: OpenFaceBench) -> None:
    lay = laying(bench)
    bench.do(c.FreezeTable)
    cards = {place: bench.street_card("seat2", place) for place, _, _ in lay.to}
    for place, zone, there in lay.to:
        bench.lift("seat2", place)
        bench.lay(zone, there, cards[place])
    assert not bench.rows("Laid")
    bench.do(c.ReleaseTable, bench.pin(PIT), reason_code="seen", words="All is well.")
    assert len(bench.rows("Laid")) == 1


# --- time ------------------------------------------------------------------------------------------------------------


def test_of1_who_never_looked_has_a_dead_hand(bench: OpenFaceBench) -> None:
    bench.hand()
    bench.let_pass()
    [told] = bench.rows("IncidentOpened")
    assert isinstance(told, e.IncidentOpened)
    assert (told.incident, told.row, told.holds) == ("timed_out", "OF1", False)
    bench.play_out()
    bench.end_hand()
    bench.check_chips()
    [declared] = bench.rows("ResultDeclared")
    assert isinstance(declared, e.ResultDeclared)
    assert declared.outcome["seats"]["seat2"]["out"] == "dead"
    assert sum(bench.stacks().values()) == 3 * CHIPS


def test_of2_who_has_looked_is_fouled(bench: OpenFaceBench) -> None:
    bench.hand()
    assert bench.ask("look", "bob").status == "accepted"
    assert bench.ask("look", "bob").status == "accepted"
    assert len(bench.rows("HandSeen")) == 1
    bench.let_pass()
    assert [one.row for one in bench.rows("IncidentOpened") if isinstance(one, e.IncidentOpened)] == ["OF2"]
    bench.play_out()
    bench.end_hand()
    [declared] = bench.rows("ResultDeclared")
    assert isinstance(declared, e.ResultDeclared)
    assert declared.outcome["seats"]["seat2"]["out"] == "foul"


def test_of3_an_exposed_card_is_dead_and_the_next_replaces_it(bench: OpenFaceBench) -> None:
    bench.hand()
    bench.lay("seat3", 2, bench.street_card("seat3", 2))
    assert (bench.incident.kind, bench.incident.ruling.row) == ("exposed_card", "OF3")
    exposed = bench.incident.scene.cards
    bench.rule("card_to_discard")
    bench.lift("seat3", 2)
    assert not bench.state.incidents.open
    bench.go_on()
    assert bench.turn.box == "seat2"
    fact = bench.round.deal.cards["seat3", 2]
    assert fact.card.id not in exposed
    bench.play_out()
    bench.end_hand()
    assert sum(bench.stacks().values()) == 3 * CHIPS


# --- hand after hand -------------------------------------------------------------------------------------------------


def test_the_button_moves_and_stacks_are_conserved(bench: OpenFaceBench) -> None:
    for button in ("seat1", "seat2", "seat3"):
        bench.hand()
        assert bench.state.room.button == button
        bench.play_out()
        bench.end_hand()
        bench.check_chips()
        assert sum(bench.stacks().values()) == 3 * CHIPS


FANTASY = "Qh Qd 2c"


def test_queens_on_top_are_dealt_fantasy_next_and_the_button_stays() -> None:
    bench = OpenFaceBench("ann bob").open()
    # Bob: trips at the bottom, a pair of kings in the middle, queens on top
    bench.hand("Ah Ad Ac Qh Qd 2c 3d 4h 5s 7c Kh Kd 8c 9d Th Jc Ks 4c 6d Ts 2h 3h 8d 9s 2s As 5d 5h 6c 6h 7d 7h 8s Js")
    assert bench.set("bottom", "bottom", "bottom", "top", "top").status == "accepted"
    bench.set_at_random()
    assert bench.set("middle", "middle", "muck").status == "accepted"
    bench.set_at_random()
    assert bench.set("muck", "bottom", "middle").status == "accepted"
    bench.set_at_random()
    assert bench.set("bottom", "middle", "muck").status == "accepted"
    bench.set_at_random()
    assert bench.set("muck", "top", "middle").status == "accepted"
    bench.set_at_random()
    bench.end_hand()
    assert bench.state.room.players["seat2"].fantasy == 14
    bench.hand()
    assert bench.state.room.button == "seat1"
    assert sum(zone == "seat2" for zone, _ in bench.round.deal.cards) == 14
    assert bench.turn.box == "seat2"
    bench.set_at_random()
    assert bench.turn.box == "seat1"
    assert sum(zone == "seat2" for zone, _ in bench.round.deal.cards) == 14
    bench.play_out()
    assert isinstance(bench.rows("Laid")[-1], e.FactStood)
    bench.end_hand()
    bench.check()
    bench.close()
