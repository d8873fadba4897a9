"""The deal of Open-Face Chinese under its own rule numbers, and its money by a second, plain implementation."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from open_face_deal import Deal52, at_random, random_rows

from studio.cards import DECK, Card, SealedCard, parse_cards
from studio.games.ofc_hand import OpenFaceTerms, open_face_hand, settle_pairs
from studio.rounds import (
    AnyFact,
    Awaiting,
    CardDealt,
    CardPostponed,
    CardRemoved,
    CardReplaced,
    Chose,
    Laid,
    Misfit,
    corrected,
    play,
)
from studio.rulebook.placing import Placing
from studio.rulebook.script import Deal, Lay, Step, Turn

TWO = OpenFaceTerms(("seat2", "seat1"), (1000, 1000), unit_minor=10)
THREE = OpenFaceTerms(("seat2", "seat3", "seat1"), (1000, 1000, 1000), unit_minor=10)


def steps_of(deal: Deal52) -> list[Step]:
    steps: list[Step] = []
    while isinstance(now := deal.standing, Awaiting):
        steps.append(now.step)
        deal.step()
    return steps


def silent(seat: str, streets: Sequence[int], option: str) -> object:
    """A seat that does not act on these streets, counted from 1; everybody else sets at random."""
    rng, turns = random.Random(5), Counter[str]()
    others = at_random(rng)

    def choose(turn: Turn, cards: Sequence[Card]) -> Chose:
        turns[turn.box] += 1
        if turn.box == seat and turns[seat] in streets:
            return Chose(box=seat, option=option, by_default=True)
        return others(turn, cards)

    return choose


# --- the deal --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("terms", [TWO, THREE], ids=["two seats", "three seats"])
def test_of_1_from_the_left_of_the_button_five_cards_and_then_four_times_three(terms: OpenFaceTerms) -> None:
    steps = steps_of(Deal52.shuffled(terms, 1))
    street = [step.box for step in steps if isinstance(step, Deal)]
    first = [seat for seat in terms.seats for _ in range(5)]
    assert street == first + 4 * [seat for seat in terms.seats for _ in range(3)]
    assert {step.face for step in steps if isinstance(step, Deal)} == {"down"}
    turns = [step.box for step in steps if isinstance(step, Turn)]
    assert turns == 5 * list(terms.seats)


def test_of_1_a_street_is_set_and_laid_before_the_next_seat_sets_its_own() -> None:
    steps = [step for step in steps_of(Deal52.shuffled(TWO, 2)) if not isinstance(step, Deal)]
    assert [(type(step).__name__, step.box) for step in steps[:4]] == [
        ("Turn", "seat2"), ("Lay", "seat2"), ("Turn", "seat1"), ("Lay", "seat1"),
    ]  # fmt: skip


def test_of_1_in_the_end_thirteen_cards_lie_in_three_rows_and_four_were_given_up() -> None:
    steps = steps_of(Deal52.shuffled(THREE, 3))
    laid = Counter(zone for step in steps if isinstance(step, Lay) for _, zone, _ in step.to)
    assert laid == {f"{seat}_{row}": most for seat in THREE.seats for row, most in
                    (("top", 3), ("middle", 5), ("bottom", 5))}  # fmt: skip
    assert Counter(step.box for step in steps if isinstance(step, Lay) for _ in step.away) == dict.fromkeys(
        THREE.seats, 4
    )


def test_of_1_each_card_goes_to_the_next_place_of_its_row_in_the_order_dealt() -> None:
    deal = Deal52(TWO, DECK, at_random(random.Random(1)))
    for _ in range(10):
        deal.step()
    deal.facts.append(Chose(box="seat2", option="place", rows=("bottom", "top", "bottom", "middle", "bottom")))
    now = deal.standing
    assert isinstance(now, Awaiting)
    to = ((1, "seat2_bottom", 1), (2, "seat2_top", 1), (3, "seat2_bottom", 2), (4, "seat2_middle", 1),
          (5, "seat2_bottom", 3))  # fmt: skip
    assert now.step == Lay("seat2", to)


@pytest.mark.parametrize(
    ("rows", "key"),
    [
        (("top", "middle"), "cards_amiss"),
        (("top", "middle", "muck", "muck"), "cards_amiss"),
        (("top", "left", "muck"), "no_such_row"),
        (("top", "middle", "bottom"), "give_up_amiss"),
        (("top", "muck", "muck"), "give_up_amiss"),
        (("bottom", "muck", "bottom"), "row_full"),
        (("top", "middle", "muck"), "row_full"),
        (("top", "bottom", "muck"), None),
    ],
)
def test_of_1_a_street_that_cannot_be_set_so_is_refused_in_a_sentence(rows: tuple[str, ...], key: str | None) -> None:
    refused = Placing(3, 1, {"top": 2, "middle": 0, "bottom": 1}).refusal(rows)
    assert (refused[0] if refused else None) == key
    assert refused is None or refused[1].endswith(".")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_every_street_set_at_random_may_be_set_so(seed: int) -> None:
    rng = random.Random(seed)
    placing = Placing(3, 1, {"top": rng.randint(0, 3), "middle": rng.randint(1, 5), "bottom": rng.randint(1, 5)})
    assert placing.refusal(random_rows(placing, rng)) is None


# --- fantasy ---------------------------------------------------------------------------------------------------------


def test_of_8_fantasy_is_dealt_at_once_and_laid_when_the_others_are_done() -> None:
    steps = steps_of(Deal52.shuffled(replace(THREE, fantasy={"seat3": 15}), 4))
    assert Counter(step.box for step in steps if isinstance(step, Deal)) == {"seat2": 17, "seat3": 15, "seat1": 17}
    [turn] = [step for step in steps if isinstance(step, Turn) and step.box == "seat3"]
    assert turn.placing is not None
    assert (turn.placing.cards, turn.placing.give_up) == (15, 2)
    assert isinstance(steps[-1], Lay)
    assert steps[-1].box == "seat3"
    assert [step.box for step in steps if isinstance(step, Lay)].count("seat3") == 1
    assert len(steps[-1].to) == 13
    assert len(steps[-1].away) == 2


def test_of_8_seats_that_are_all_in_fantasy_are_dealt_once() -> None:
    deal = Deal52.shuffled(replace(THREE, fantasy={"seat1": 17, "seat2": 17, "seat3": 17}), 4)
    steps = steps_of(deal)
    assert sum(isinstance(step, Deal) for step in steps) == 51
    assert [step.box for step in steps if isinstance(step, Lay)] == list(THREE.seats)


# --- out of time -----------------------------------------------------------------------------------------------------


def test_of1_away_before_seeing_a_card_is_a_dead_hand_and_costs_three_points_to_each_other() -> None:
    rng = random.Random(6)
    deal = Deal52(THREE, rng.sample(DECK, 52), silent("seat3", (1,), "dead"))  # type: ignore[arg-type]
    hand = deal.finish()
    assert hand.out == {"seat3": "dead"}
    between = hand.score.between
    board2, board1 = (hand.score.boards[seat] for seat in ("seat2", "seat1"))
    assert between["seat2", "seat3"] == (0 if board2.fouled else 3)
    assert between["seat3", "seat1"] == (0 if board1.fouled else -3)
    assert sum(isinstance(fact, CardDealt) and fact.box == "seat3" for fact in deal.facts) == 5


def test_of2_later_the_board_is_fouled() -> None:
    rng = random.Random(7)
    deal = Deal52(TWO, rng.sample(DECK, 52), silent("seat1", (3,), "foul"))  # type: ignore[arg-type]
    hand = deal.finish()
    assert hand.out == {"seat1": "foul"}
    assert hand.score.boards["seat1"].fouled
    assert not hand.score.boards["seat1"].dead
    assert hand.score.between["seat2", "seat1"] == (0 if hand.score.boards["seat2"].fouled else 6)


def test_of2_where_one_row_only_is_open_the_cards_go_there() -> None:
    assert Placing(3, 1, {"top": 0, "middle": 2, "bottom": 0}).forced == ("middle", "middle", "muck")
    assert Placing(3, 1, {"top": 0, "middle": 1, "bottom": 1}).forced is None


def test_away_and_out_of_time_are_told_apart_by_whether_a_card_was_seen() -> None:
    turns = [step for step in steps_of(Deal52.shuffled(TWO, 8)) if isinstance(step, Turn)]
    assert [(turn.default, turn.away) for turn in turns[:2]] == [("foul", "dead")] * 2
    assert {turn.away for turn in turns[2:]} == {""}
    assert all(turn.default == ("place" if turn.placing and turn.placing.forced else "foul") for turn in turns)


def test_nobody_chooses_to_be_fouled() -> None:
    deal = Deal52.shuffled(TWO, 9)
    while not (isinstance(now := deal.standing, Awaiting) and isinstance(now.step, Turn)):
        deal.step()
    assert isinstance(play(open_face_hand(TWO), [*deal.facts, Chose(box="seat2", option="foul")]), Misfit)


# --- corrections -----------------------------------------------------------------------------------------------------


def test_of3_an_exposed_card_is_replaced_by_the_next_before_the_street_is_set() -> None:
    deal = Deal52.shuffled(TWO, 10)
    while not (isinstance(now := deal.standing, Awaiting) and isinstance(now.step, Turn) and len(deal.facts) > 15):
        deal.step()
    dealt = [fact for fact in deal.facts if isinstance(fact, CardDealt) and fact.box == "seat1"]
    exposed = dealt[-2]
    facts: list[AnyFact] = [*deal.facts, CardRemoved(id=exposed.card.id), CardPostponed(box="seat1", place=2)]
    now = play(open_face_hand(TWO), facts)
    assert isinstance(now, Awaiting)
    assert isinstance(now.step, Deal)
    assert (now.step.box, now.place, exposed.place) == ("seat1", 2, 2)
    replaced = CardDealt(card=SealedCard("new", b"", b""), box="seat1", place=2)
    again = play(open_face_hand(TWO), [*facts, replaced])
    assert isinstance(again, Awaiting)
    assert isinstance(again.step, Turn)
    assert again.step.box == "seat2"


def test_a_face_that_was_read_wrong_is_told_anew_where_the_card_was_laid() -> None:
    deal = Deal52.shuffled(TWO, 11)
    deal.finish()
    laid = [fact for fact in deal.facts if isinstance(fact, Laid) and fact.box == "seat1"][1]
    at = deal.facts.index(laid)
    street = [fact for fact in deal.facts[:at] if isinstance(fact, CardDealt) and fact.box == "seat1"][-3:]
    wrong = street[laid.to[0][0] - 1]
    [spare] = parse_cards("2c") if parse_cards("2c")[0] not in laid.faces else parse_cards("3c")
    righted = play(
        open_face_hand(TWO), [*deal.facts[: at + 1], CardReplaced(id=wrong.card.id, face=spare, source="camera")]
    )
    assert isinstance(righted, Awaiting)
    told = list(_told(deal.facts[: at + 1], wrong.card.id, spare))
    assert told.count(spare) == 1


def _told(facts: Sequence[AnyFact], id: str, face: Card) -> Sequence[Card]:

    plain = corrected([*facts, CardReplaced(id=id, face=face, source="camera")])
    return [one for fact in plain if isinstance(fact, Laid) for one in fact.faces]


# --- points and money ------------------------------------------------------------------------------------------------


def plain_stacks(
    seats: Sequence[str], stacks: Sequence[int], between: Mapping[tuple[str, str], int], unit: int
) -> tuple[int, ...]:
    """Every point handed over one by one, pair after pair, until the loser has nothing left."""
    purse = list(stacks)
    for one, other in combinations(range(len(seats)), 2):
        points = between[seats[one], seats[other]]
        winner, loser = (one, other) if points > 0 else (other, one)
        for _ in range(abs(points) * unit):
            if purse[loser]:
                purse[loser] -= 1
                purse[winner] += 1
    return tuple(purse)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 3), st.data())
def test_of_12_every_hand_is_zero_sum_and_nobody_pays_more_than_his_stack(
    seed: int, count: int, data: st.DataObject
) -> None:
    seats = ("seat1", "seat2", "seat3")[:count]
    stacks = tuple(data.draw(st.integers(1, 60)) for _ in seats)
    fantasy = {seat: data.draw(st.sampled_from((14, 15, 16, 17))) for seat in seats if data.draw(st.booleans())}
    terms = OpenFaceTerms(seats, stacks, unit_minor=data.draw(st.integers(1, 7)), fantasy=fantasy)
    hand = Deal52.shuffled(terms, seed).finish()
    assert sum(hand.stacks) == sum(stacks)
    assert min(hand.stacks) >= 0
    assert sum(hand.payoffs) == 0
    assert hand.stacks == plain_stacks(seats, stacks, hand.score.between, terms.unit_minor)


@settings(max_examples=200, deadline=None)
@given(st.tuples(*[st.integers(0, 40)] * 3), st.tuples(*[st.integers(-6, 6)] * 3), st.integers(1, 9))
def test_of_12_pairs_settle_in_order_from_the_left_of_the_button(
    stacks: tuple[int, ...], points: tuple[int, ...], unit: int
) -> None:
    seats = ("a", "b", "c")
    between = dict(zip(combinations(seats, 2), points, strict=True))
    moved = settle_pairs(seats, stacks, between, unit)
    after = dict(zip(seats, stacks, strict=True))
    for (one, other), won in moved.items():
        after[one] += won
        after[other] -= won
    assert tuple(after.values()) == plain_stacks(seats, stacks, between, unit)
