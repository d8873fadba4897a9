"""Simulated players of Open-Face Chinese, and the second opinion on what their points come to."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from open_face_deal import Deal52, at_random

from dealer_ui.rehearsal.opinions import Dealt
from dealer_ui.rehearsal.opinions.open_face import open_face
from dealer_ui.rehearsal.poker import TEMPERAMENTS
from dealer_ui.rehearsal.poker.setting import set_street
from dealer_ui.words.language import Languages
from studio.cards import DECK, Card
from studio.games.ofc_hand import OpenFaceTerms
from studio.rounds import Chose, Laid
from studio.rulebook.open_face import ROWS
from studio.rulebook.script import Turn
from studio.spoken import Moves
from studio.views.shape import Words

SEATS = ("seat2", "seat3", "seat1")
TERMS = OpenFaceTerms(SEATS, (700, 90, 5_000), unit_minor=10)


class Played(Deal52):
    """A hand in which every seat sets as its temperament has it."""

    def __init__(self, terms: OpenFaceTerms, seed: int, minds: Sequence[str]) -> None:
        self.rng = random.Random(seed)
        self.minds = dict(zip(terms.seats, minds, strict=False))
        super().__init__(terms, self.rng.sample(DECK, 52), self.set)

    def set(self, turn: Turn, cards: Sequence[Card]) -> Chose:
        assert turn.placing is not None
        rows: dict[str, list[Card]] = {row: [] for row in ROWS}
        for fact in self.facts:
            if isinstance(fact, Laid) and fact.box == turn.box:
                for (_, zone, _), face in zip(fact.to, fact.faces, strict=True):
                    rows[zone.partition("_")[2]].append(face)
        mind = replace(TEMPERAMENTS[self.minds[turn.box]], silent=0)
        chosen = set_street(mind, cards, rows, turn.placing, self.rng)
        assert chosen is not None
        assert turn.placing.refusal(chosen) is None
        return Chose(box=turn.box, option="place", rows=chosen)


def test_every_temperament_sets_what_may_be_set_and_the_careful_foul_less() -> None:
    fouled = {"rock": 0, "maniac": 0, "station": 0}
    for seed in range(15):
        hand = Played(TERMS, seed, tuple(fouled)).finish()
        for seat, mind in zip(SEATS, fouled, strict=True):
            fouled[mind] += hand.score.boards[seat].fouled
    assert fouled["rock"] < 5 < fouled["station"]


@pytest.mark.parametrize("cards", [14, 17])
def test_a_whole_board_of_fantasy_is_set_at_once_and_never_fouled(cards: int) -> None:
    for seed in range(3):
        hand = Played(replace(TERMS, fantasy={"seat2": cards}), seed, ("rock", "rock", "station")).finish()
        assert not hand.score.boards["seat2"].fouled


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 3), st.sampled_from((0, 1, 3)), st.sampled_from(("foul", "dead")))
def test_the_second_opinion_agrees_with_the_script(seed: int, count: int, silent: int, option: str) -> None:
    rng = random.Random(seed)
    terms = OpenFaceTerms(SEATS[:count], tuple(rng.randint(1, 200) for _ in range(count)), unit_minor=rng.randint(1, 9))
    others, turns = at_random(rng), [0]

    def choose(turn: Turn, cards: Sequence[Card]) -> Chose:
        turns[0] += turn.box == SEATS[0]
        if silent and turn.box == SEATS[0] and turns[0] == silent:
            return Chose(box=turn.box, option="dead" if silent == 1 and option == "dead" else "foul", by_default=True)
        return others(turn, cards)

    deal = Deal52(terms, rng.sample(DECK, 52), choose)
    hand = deal.finish()
    paid = dict(zip(terms.seats, terms.stacks, strict=True))
    told = open_face(terms.seats, paid, terms.unit_minor, Dealt.of(deal.facts))
    assert tuple(told[seat] for seat in terms.seats) == hand.stacks


def test_the_dealer_is_told_places_and_rows_and_no_card() -> None:
    words = Words("act.lay", {"box": "box.seat1", "moves": Moves(((1, "top"), (2, "muck"), (3, "bottom")))})
    assert Languages().speak("en").words(words) == "Seat 1: 1 top, 2 muck, 3 bottom"
    assert "下段" in Languages().speak("ja").words(words)
