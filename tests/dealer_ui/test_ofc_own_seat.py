"""Who may know which card of Open-Face Chinese: a seat its own, once it has looked, and nobody else any."""

from __future__ import annotations

import re

from open_face_bench import OpenFaceBench

from dealer_ui.past.hand_record import hand_details
from studio.cards import DECK
from studio.rounds import CardDealt
from studio.rulebook.script import Turn
from studio.tables.state.table import awaited
from studio.views import view_table
from studio.views.own import own_seat

_CARDS = re.compile(rf"'({'|'.join(map(str, DECK))})'")


def test_a_seat_is_shown_its_street_when_it_looks_and_nobody_elses() -> None:
    bench = OpenFaceBench().open()
    bench.hand()
    before = own_seat(bench.state, "north", "bob")
    assert before is not None
    assert (before.cards, before.hidden) == ((), 5)
    assert bench.ask("look", "bob").status == "accepted"
    bob, cy = (own_seat(bench.state, "north", name) for name in ("bob", "cy"))
    assert bob is not None
    assert cy is not None
    assert list(bob.cards) == [str(card) for card in bench.street("seat2")]
    assert (cy.cards, cy.hidden) == ((), 5)
    assert bob.turn is not None
    assert (bob.turn["cards"], bob.turn["give_up"], bob.turn["room"]["top"]) == (5, 0, 3)
    bench.check()
    bench.close()


def test_no_screen_and_no_row_shows_a_card_that_is_not_laid() -> None:
    bench = OpenFaceBench("ann bob", seed=4).open()
    bench.hand()
    while (now := awaited(bench.state)) is not None and isinstance(now.step, Turn):
        held = {str(fact.card.card()) for fact in bench.round.deal.cards.values()
                if isinstance(fact, CardDealt) and fact.face is None}  # fmt: skip
        shown = set(_CARDS.findall(repr(view_table(bench.state, bench.table.book, 1))))
        assert not held & shown
        assert not held & set(_CARDS.findall(repr(bench.rows())))
        bench.set_at_random()
    given_up = {str(card) for card in DECK if card not in bench.deck} - {
        str(fact.face) for fact in bench.round.deal.cards.values() if isinstance(fact, CardDealt)
    }
    assert len(given_up) == 8
    bench.end_hand()
    assert not given_up & set(_CARDS.findall(repr(bench.rows())))
    bench.check()
    bench.close()


def test_a_player_is_told_his_own_streets_after_the_hand_and_of_others_what_was_laid() -> None:
    bench = OpenFaceBench("ann bob", seed=5).open()
    bench.hand()
    bench.play_out()
    cards = {fact.card.id: fact.card.card() for fact in bench.round.deal.plain if isinstance(fact, CardDealt)}
    ann = [
        str(cards[fact.card.id])
        for fact in bench.round.deal.plain
        if isinstance(fact, CardDealt) and fact.box == "seat1"
    ]
    bob = {str(card) for card in cards.values()} - set(ann)
    laid = {str(fact.face) for fact in bench.round.deal.cards.values() if isinstance(fact, CardDealt)}
    round = bench.round.id
    bench.end_hand()
    with bench.store.reader() as reader:
        key_of = bench.store.keyring.lookup
        told = hand_details(reader, "north", "ann", round, lambda *asked: key_of(asked[-1]), lambda table: "EUR")
    assert told is not None
    assert [card for street in told.told["streets"] for card in street["cards"]] == ann
    assert told.line.paid_minor == 600
    assert not (bob - laid) & set(_CARDS.findall(repr(told)))
    bench.check()
    bench.close()
