"""Hands written in the PHH notation: read back they finish alike, and nothing in them was not shown."""

from __future__ import annotations

import dataclasses
import random
import re
from fractions import Fraction

import pytest
from dealt_hand import VARIANTS, DealtHand, random_terms
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import HandHistory

from studio.cards import Card
from studio.errors import BadInputError
from studio.histories.phh import play_phh, read_phh
from studio.histories.phh_text import Heading, write_phh
from studio.histories.played_hand import RecordedHand, read_hand
from studio.rounds import CardDealt, CardReplaced, Revealed
from studio.rulebook.hand_terms import Rake

HEADING = Heading(hand="t1-0000007", table="t1", at_ms=1_767_225_600_000, currency="EUR")
SEEDS = st.integers(0, 2**32)


def written(dealt: DealtHand, own: dict[str, tuple[Card, ...]] | None = None) -> str:
    return write_phh(read_hand(dealt.variant, dealt.terms, dealt.facts, own), HEADING)


def dealt_from(key: str, seed: int) -> DealtHand:
    rng = random.Random(seed)
    return DealtHand(VARIANTS[key], random_terms(key, rng), rng)


@given(st.sampled_from(sorted(VARIANTS)), SEEDS)
@settings(max_examples=60, deadline=None)
def test_a_written_hand_finishes_alike_when_it_is_read_back_here_and_by_pokerkit(key: str, seed: int) -> None:
    dealt = dealt_from(key, seed)
    for own in ({}, {seat: tuple(cards) for seat, cards in dealt.hole.items()}):
        text = written(dealt, own)
        assert play_phh(read_phh(text)).stacks == dealt.outcome.stacks, text
        *_, last = HandHistory.loads(text)
        assert tuple(last.stacks) == dealt.outcome.stacks, text
        assert not last.status


@given(st.sampled_from(sorted(VARIANTS)), SEEDS)
@settings(max_examples=60, deadline=None)
def test_no_card_stands_in_a_written_hand_that_nobody_showed(key: str, seed: int) -> None:
    dealt = dealt_from(key, seed)
    open_cards = {card for fact in dealt.facts if isinstance(fact, Revealed) for card in fact.faces}
    open_cards |= set(dealt.board)
    viewer = dealt.terms.seats[0]
    assert cards_in(written(dealt)) == {str(card) for card in open_cards}
    own = {str(card) for card in dealt.hole[viewer]}
    assert cards_in(written(dealt, {viewer: tuple(dealt.hole[viewer])})) == {str(card) for card in open_cards} | own


def cards_in(text: str) -> set[str]:
    words = re.findall(r"(?:[2-9TJQKA][cdhs])+", text.partition("actions = ")[2].partition("]")[0])
    return {word[at : at + 2] for word in words for at in range(0, len(word), 2)}


@given(st.sampled_from(sorted(VARIANTS)), SEEDS, st.sampled_from(("2.5", "5", "10")), st.integers(0, 40))
@settings(max_examples=40, deadline=None)
def test_a_hand_with_a_rake_is_played_with_it_again(key: str, seed: int, percent: str, cap_minor: int) -> None:
    rng = random.Random(seed)
    terms = dataclasses.replace(random_terms(key, rng), rake=Rake(Fraction(percent), cap_minor))
    dealt = DealtHand(VARIANTS[key], terms, rng)
    text = written(dealt)
    assert play_phh(read_phh(text)).stacks == dealt.outcome.stacks, text
    HandHistory.loads(text)


@pytest.mark.long
@given(st.sampled_from(sorted(VARIANTS)), SEEDS)
@settings(max_examples=30, deadline=None)
def test_a_hand_in_which_a_blind_was_short_says_so_and_is_played_alike(key: str, seed: int) -> None:
    rng = random.Random(seed)
    terms = random_terms(key, rng)
    terms = dataclasses.replace(terms, stacks=tuple(rng.choice((stack, rng.randint(1, 3))) for stack in terms.stacks))
    dealt = DealtHand(VARIANTS[key], terms, rng)
    text = written(dealt)
    assert ("_full_blind = true" in text) is terms.is_blind_short
    assert play_phh(read_phh(text)).stacks == dealt.outcome.stacks, text


def test_a_hand_says_who_sat_where_and_when_it_was_dealt() -> None:
    dealt = dealt_from("nlh", 3)
    heading = Heading(
        hand="t1-0000007", table="t1", at_ms=1_767_225_600_000, currency="EUR",
        players={dealt.terms.seats[0]: 'north/"ann"'},
    )  # fmt: skip
    history = HandHistory.loads(write_phh(read_hand(dealt.variant, dealt.terms, dealt.facts), heading))
    assert (history.hand, history.table, history.time_zone) == ("t1-0000007", "t1", "UTC")
    assert (history.year, history.month, history.day, str(history.time)) == (2026, 1, 1, "00:00:00")
    assert history.seats == [int(seat.removeprefix("seat")) for seat in dealt.terms.seats]
    assert history.players == ['north/"ann"', *dealt.terms.seats[1:]]
    assert history.finishing_stacks == list(dealt.outcome.stacks)
    assert history.user_defined_fields == {"_amounts": "minor units of EUR"}


def test_a_hand_is_written_once_it_is_over() -> None:
    dealt = dealt_from("plo", 5)
    with pytest.raises(BadInputError, match="The hand is not over"):
        read_hand(dealt.variant, dealt.terms, dealt.facts[:-1])


def test_a_corrected_card_is_written_as_it_was_corrected() -> None:
    dealt = next(dealt for seed in range(99) if len((dealt := dealt_from("nlh", seed)).board) == 5)
    river = [fact for fact in dealt.facts if isinstance(fact, CardDealt) and fact.box == "board"][-1]
    right = dealt.burned[0]
    facts = [*dealt.facts, CardReplaced(id=river.card.id, face=right, source="manual")]
    hand: RecordedHand = read_hand(dealt.variant, dealt.terms, facts)
    assert f'"d db {right}"' in write_phh(hand, HEADING)
