"""The second opinion on a hand of the poker room agrees with the script, whose betting engine it knows nothing of."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from dealer_ui.rehearsal.opinions import Dealt
from dealer_ui.rehearsal.opinions.poker_room import takes
from dealer_ui.rehearsal.opinions.rank import SHORT, best_short_deck
from studio.cards import parse_cards
from studio.rounds import Chose
from studio.rulebook.hand_terms import Rake
from tests.studio.dealt_hand import VARIANTS, DealtHand, random_terms


def paid_in(hand: DealtHand) -> dict[str, int]:
    """What each seat put in, counted from the facts: blinds and antes as far as the stack goes, then acts."""
    terms, street = hand.terms, 0
    left = dict(zip(terms.seats, terms.stacks, strict=True))
    blinds = terms.blinds[::-1] if len(terms.seats) == 2 else terms.blinds
    paid = dict.fromkeys(terms.seats, 0)
    least = max(map(abs, terms.blinds))  # before the flop a call is never of less
    front = dict.fromkeys(terms.seats, 0)

    def put(seat: str, minor: int) -> int:
        put_minor = min(minor, left[seat])
        left[seat] -= put_minor
        paid[seat] += put_minor
        return put_minor

    most_ante = sorted(map(min, terms.antes, terms.stacks))[-2]  # what no other can pay is nobody's to win
    for seat, ante in zip(terms.seats, terms.antes, strict=True):
        put(seat, min(ante, most_ante))
    for seat, blind in zip(terms.seats, blinds, strict=True):
        front[seat] = put(seat, abs(blind))
    for fact in hand.facts:
        if getattr(fact, "box", "") == "board" and street:
            front, street, least = dict.fromkeys(terms.seats, 0), 0, 0
        if not isinstance(fact, Chose):
            continue
        street = 1
        seat = fact.box
        if fact.option == "call":
            front[seat] += put(seat, max(least, *front.values()) - front[seat])
        elif fact.to_minor:
            front[seat] += put(seat, fact.to_minor - front[seat])
    return paid


@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_both_say_who_takes_what_and_what_the_house_has(key: str, seed: int) -> None:
    """Among the seats are some that cannot pay their blind, and some that post one out of turn."""
    rng = random.Random(seed)
    terms = random_terms(key, rng)
    rake = Rake(Fraction(rng.choice((0, 5, 10, "2.5"))), rng.choice((3, 20, 500)))
    short = tuple(rng.choice((stack, stack, stack, rng.randint(1, 5))) for stack in terms.stacks)
    hand = DealtHand(VARIANTS[key], replace(terms, stacks=short, rake=rake), rng)
    paid, terms, outcome = paid_in(hand), hand.terms, hand.outcome
    said = takes(key, terms.seats, paid, Dealt.of(hand.facts), (rake.percent, rake.cap_minor))
    stacks = dict(zip(terms.seats, terms.stacks, strict=True))
    assert [stacks[seat] - paid[seat] + said[seat] for seat in terms.seats] == list(outcome.stacks), terms
    assert outcome.rake_minor == sum(paid.values()) - sum(said.values()) <= rake.cap_minor


def test_in_short_deck_a_flush_beats_a_full_house_and_the_ace_stands_below_the_six() -> None:
    flush, full, low, trips = (
        best_short_deck(parse_cards(cards))
        for cards in ("As Js 9s 7s 6s", "KsKdKhQsQd", "As 6d 7c 8h 9s", "JsJdJhQsKd")
    )
    assert flush > full > low > trips
    assert SHORT[low[0]] == "straight"


def test_pr_9_pots_that_are_left_to_the_same_hands_are_split_as_one() -> None:
    seats, paid = ("seat1", "seat2", "seat3", "seat4"), {"seat1": 100, "seat2": 201, "seat3": 301, "seat4": 50}
    board = parse_cards("Ks Kd 7c 5h 2s")
    hands = {"seat1": parse_cards("Qc Jc"), "seat2": parse_cards("Ah 3c"), "seat3": parse_cards("Ad 3d")}
    said = takes("nlh", seats, paid, Dealt({**hands, "board": board}, {"seat4": ("fold",)}))
    assert said == dict(
        zip(seats, (0, 276, 376, 0), strict=True)
    )  # 350 and 202 are one pot of 552; 100 comes back uncalled
