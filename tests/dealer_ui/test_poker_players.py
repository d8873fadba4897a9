"""The simulated players of the poker room: what they choose is always allowed, and they reach every ending."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer_ui.rehearsal.poker import TEMPERAMENTS, PlayerSight, Temperament, choose
from dealer_ui.rehearsal.poker.temperament import share_of
from studio.cards import parse_cards
from studio.rounds import Chose, Revealed
from studio.rulebook.hand_terms import HandTerms
from studio.rulebook.script import Turn
from tests.studio.dealt_hand import VARIANTS, DealtHand, random_terms

QUICK = 4
"""Trials are enough to choose by, where only what is allowed is looked at."""


class Played:
    """Players of these temperaments at a hand: `asked` counts who was asked, `silent` who let the time run out."""

    def __init__(self, key: str, terms: HandTerms, minds: Mapping[str, Temperament], seed: int) -> None:
        self.minds, self.chance = minds, random.Random(f"minds {seed}")
        self.silent: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        self.hand = DealtHand(VARIANTS[key], terms, random.Random(seed), self.choose)

    def choose(self, hand: DealtHand, turn: Turn) -> tuple[str, int]:
        mind = self.minds[turn.box]
        self.asked[mind.name] += 1
        choice = choose(mind, seen(hand, turn), self.chance, QUICK)
        if choice is None:
            self.silent[mind.name] += 1
            return turn.default, 0
        option, to_minor = choice
        assert option in turn.options
        assert (to_minor > 0) == (option in ("bet", "raise"))
        if to_minor:
            assert turn.to_minor is not None
            assert turn.to_minor[0] <= to_minor <= turn.to_minor[1]
        return choice


def seen(hand: DealtHand, turn: Turn) -> PlayerSight:
    """What the seat knows, from the public facts and its own cards."""
    out = {fact.box for fact in hand.facts if isinstance(fact, Chose) and fact.option in ("fold", "muck")}
    return PlayerSight(
        game=hand.variant.key,
        hole=tuple(hand.hole[turn.box]),
        board=tuple(hand.board),
        options=turn.options,
        owed_minor=turn.owed_minor,
        to_minor=turn.to_minor,
        pot_minor=sum(hand.terms.antes) + sum(hand.terms.blinds),
        opponents=len(set(hand.terms.seats) - out) - 1,
        shown=tuple(fact.faces for fact in hand.facts if isinstance(fact, Revealed)),
    )


def table_of(key: str, seed: int) -> Played:
    rng = random.Random(seed)
    terms = random_terms(key, rng)
    minds = {seat: rng.choice(list(TEMPERAMENTS.values())) for seat in terms.seats}
    return Played(key, terms, minds, seed)


@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_every_temperament_chooses_what_its_seat_may_do(key: str, seed: int) -> None:
    played = table_of(key, seed)
    assert sum(played.hand.outcome.stacks) == sum(played.hand.terms.stacks)


def endings(played: Played) -> set[str]:
    """How this hand ended, in words."""
    outcome, facts = played.hand.outcome, played.hand.facts
    shown, board = len(outcome.shown), len(outcome.board)
    last_act = max(at for at, fact in enumerate(facts) if isinstance(fact, Chose)) if outcome.actions else -1
    found = set()
    if not shown:
        found.add("folded out before the flop" if not board else "folded out after the flop")
    first_shown = min((at for at, fact in enumerate(facts) if isinstance(fact, Revealed)), default=0)
    if shown and board == 5 and first_shown > len(facts) - 2 * shown - 1:
        found.add("shown on the river")
    if shown > 2 and len(outcome.pots) > 1 and first_shown == last_act + 1:
        found.add("all in with side pots")
    if any(len(pot.winners) > 1 for pot in outcome.pots):
        found.add("split")
    if any(isinstance(fact, Chose) and fact.option == "muck" for fact in facts):
        found.add("mucked")
    return found


EVERY_ENDING = {
    "folded out before the flop", "folded out after the flop", "shown on the river", "all in with side pots", "split",
    "mucked",
}  # fmt: skip


@pytest.mark.parametrize("key", VARIANTS)
def test_a_few_hands_reach_many_endings(key: str) -> None:
    found: Counter[str] = Counter()
    for seed in range(60):
        found.update(endings(table_of(key, seed)))
    assert len(found) >= 4, found


@pytest.mark.night
@pytest.mark.parametrize("key", VARIANTS)
def test_a_thousand_hands_reach_every_ending(key: str) -> None:
    found: Counter[str] = Counter()
    for seed in range(1_000):
        found.update(endings(table_of(key, seed)))
    assert set(found) == EVERY_ENDING, found


def acts_of(name: str, key: str, hands: int = 40) -> Counter[str]:
    """What four players of that temperament do."""
    mind, done = TEMPERAMENTS[name], Counter[str]()
    seats = ("seat1", "seat2", "seat3", "seat4")
    terms = HandTerms(seats, (400,) * 4, (0,) * 4, (1, 2, 0, 0), 2)
    for seed in range(hands):
        played = Played(key, terms, dict.fromkeys(seats, mind), seed)
        done.update(fact.option for fact in played.hand.facts if isinstance(fact, Chose))
        done["silent"] += played.silent[name]
        done["asked"] += played.asked[name]
    return done


def test_temperaments_differ_as_their_names_say() -> None:
    rock, station, maniac, sleeper = (acts_of(name, "nlh") for name in ("rock", "station", "maniac", "sleeper"))
    assert rock["fold"] > rock["call"]
    assert (station["fold"], station["raise"], station["bet"]) == (0, 0, 0)
    assert maniac["raise"] + maniac["bet"] > 3 * (rock["raise"] + rock["bet"])
    assert 0.3 < sleeper["silent"] / sleeper["asked"] < 0.7
    assert not rock["silent"]


@pytest.mark.parametrize(
    ("key", "strong", "weak"),
    [
        ("nlh", "As Ah", "7s 2h"),
        ("short_deck", "As Ah", "Js 6h"),
        ("plo", "As Ah Ks Kh", "2s 7h 2c 2d"),
    ],
)
def test_a_hand_is_worth_more_than_a_fair_share_when_it_is_strong(key: str, strong: str, weak: str) -> None:
    worth = [share_of(key, parse_cards(hole), (), 2, random.Random(1), 200) for hole in (strong, weak)]
    assert worth[0] > 1_500
    assert worth[1] < 900


def test_who_is_beaten_by_a_hand_that_was_shown_mucks_and_who_is_not_shows() -> None:
    board, better, mine = parse_cards("2c 7d 9h Jc 3s"), parse_cards("As Ad"), parse_cards("Kh Qc")
    sight = PlayerSight("nlh", mine, board, ("show", "muck"), 0, None, 100, 1, shown=(better,))
    solid = TEMPERAMENTS["solid"]
    assert choose(solid, sight, random.Random(1)) == ("muck", 0)
    tied = PlayerSight("nlh", mine, board, ("show", "muck"), 0, None, 100, 1, shown=(parse_cards("Kc Qd"),))
    assert choose(solid, tied, random.Random(1)) == ("show", 0)


def test_a_hand_of_a_fouled_deck_is_worth_a_fair_share() -> None:
    hole, board = parse_cards("Ah Kh"), parse_cards("Ah 2h 3h")
    assert share_of("nlh", hole, board, 1, random.Random(1), 20) == 1_000
