"""The betting games of the poker room against PokerKit run on its own, and recorded hands played again."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pokerkit import (
    Automation,
    HandHistory,
    Mode,
    NoLimitShortDeckHoldem,
    NoLimitTexasHoldem,
    PotLimitOmahaHoldem,
    ShortDeckHoldemHand,
)

from studio.cards import DECK, RANKS, Card
from studio.cli.hands import command
from studio.errors import BadInputError
from studio.games.nlh import VARIANT as NLH
from studio.games.plo import VARIANT as PLO
from studio.games.short_deck import VARIANT as SHORT_DECK
from studio.hands.poker import SHORT_DECK as SHORT_DECK_ORDER
from studio.histories.phh import play_phh, read_phh
from studio.ports import CardFace
from studio.rulebook.betting_game import Variant
from studio.rulebook.betting_hand import betting_hand
from studio.rulebook.hand_terms import HandOutcome, HandTerms
from studio.rulebook.script import Burn, Deal, Reveal, Turn

VARIANTS = {"nlh": NLH, "short_deck": SHORT_DECK, "plo": PLO}
GAMES = {"nlh": NoLimitTexasHoldem, "short_deck": NoLimitShortDeckHoldem, "plo": PotLimitOmahaHoldem}
EVERYTHING = tuple(Automation)
HANDS = 60


def terms_of(key: str, rng: random.Random, *, tabled: bool = True) -> HandTerms:
    count = rng.randint(2, 6)
    seats = tuple(f"s{number}" for number in range(1, count + 1))
    stacks = tuple(rng.randint(8, 400) for _ in seats)
    if key == "short_deck":
        blinds = (4, 0) if count == 2 else (0,) * (count - 1) + (4,)
        return HandTerms(seats, stacks, (2,) * count, blinds, 4, tabled)
    return HandTerms(seats, stacks, (rng.choice((0, 1)),) * count, (1, 2) + (0,) * (count - 2), 2, tabled)


class Dealt:
    """One hand of the script, dealt from a shuffled deck; every choice is random."""

    def __init__(self, variant: Variant, terms: HandTerms, rng: random.Random) -> None:
        self.steps: list[Any] = []
        self.acts: list[tuple[str, str, int]] = []
        self.hole: dict[str, list[Card]] = {seat: [] for seat in terms.seats}
        cards = [card for card in DECK if variant.key != "short_deck" or card.rank not in "2345"]
        rng.shuffle(cards)
        self._deck, self._rng = iter(cards), rng
        script = betting_hand(variant, terms)
        try:
            step = next(script)
            while True:
                self.steps.append(step)
                step = script.send(self._answer(step))
        except StopIteration as stop:
            self.outcome: HandOutcome = stop.value

    def _answer(self, step: object) -> object:
        match step:
            case Deal(box="board"):
                return next(self._deck)
            case Deal(box=seat, face=CardFace.DOWN):
                self.hole[seat].append(next(self._deck))
                return object()  # nothing a script could read
            case Burn():
                next(self._deck)
                return None
            case Reveal(box=seat):
                return tuple(self.hole[seat])
            case Turn(box=seat, options=options, to_minor=to_minor):
                option = self._rng.choice(options)
                to = 0
                if option in ("bet", "raise"):
                    assert to_minor is not None
                    to = self._rng.choice([*to_minor, self._rng.randint(*to_minor)])
                if option not in ("show", "muck"):
                    self.acts.append((seat, option, to))
                return (option, to) if to else option
        raise AssertionError(step)


def alone(key: str, terms: HandTerms, dealt: Dealt) -> Sequence[int]:
    """The same hand by PokerKit and nothing else: it deals, shows and pays by itself."""
    ours = (Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING)
    kit = tuple(automation for automation in EVERYTHING if automation not in ours)
    state = GAMES[key].create_state(
        kit, terms.ante_trimmed, terms.antes, terms.blinds, terms.least_bet, terms.stacks, len(terms.seats),
        mode=Mode.TOURNAMENT,
    )  # fmt: skip
    for seat in terms.seats:
        state.deal_hole("".join(map(str, dealt.hole[seat])))
    board, acts = iter(dealt.outcome.board), iter(dealt.acts)
    while state.status:
        if state.can_burn_card():
            state.burn_card("??")
            continue
        if count := state.board_dealing_count:
            state.deal_board("".join(str(next(board)) for _ in range(count)))
            continue
        seat, option, to = next(acts)
        assert terms.seats[state.actor_index] == seat
        if option == "fold":
            state.fold()
        elif to:
            state.complete_bet_or_raise_to(to)
        else:
            state.check_or_call()
    return [int(stack) for stack in state.stacks]


@pytest.mark.parametrize("key", VARIANTS)
def test_random_hands_agree_with_pokerkit_run_on_its_own_chip_for_chip(key: str) -> None:
    _agree(key, HANDS, seed=11)


@pytest.mark.night
@pytest.mark.parametrize("key", VARIANTS)
def test_thousands_of_random_hands_agree_with_pokerkit_chip_for_chip(key: str) -> None:
    _agree(key, 2_000, seed=12)


def _agree(key: str, hands: int, seed: int) -> None:
    """A hand that was mucked cannot win, so only hands in which everybody showed are held against PokerKit's own."""
    rng = random.Random(seed)
    compared = 0
    for _ in range(hands):
        terms = terms_of(key, rng)
        dealt = Dealt(VARIANTS[key], terms, rng)
        assert sum(dealt.outcome.stacks) == sum(terms.stacks)
        mucked = [step for step in dealt.steps if isinstance(step, Turn) and "muck" in step.options]
        if not mucked:
            compared += 1
            assert list(dealt.outcome.stacks) == alone(key, terms, dealt), terms
    assert compared > hands / 4


def test_pr_1_hole_cards_come_one_at_a_time_from_the_left_of_the_button() -> None:
    dealt = Dealt(NLH, terms_of("nlh", random.Random(1)), random.Random(2))
    first = [step.box for step in dealt.steps if isinstance(step, Deal) and step.face is CardFace.DOWN]
    seats = list(dict.fromkeys(first))
    assert first == seats * 2


def test_pr_3_one_card_is_burned_before_each_street() -> None:
    for seed in range(40):
        dealt = Dealt(NLH, terms_of("nlh", random.Random(seed)), random.Random(seed))
        streets = {0: 0, 3: 1, 4: 2, 5: 3}[len(dealt.outcome.board)]
        assert dealt.steps.count(Burn(1)) == streets


def test_pr_2_heads_up_the_button_posts_the_small_blind_and_acts_first_before_the_flop() -> None:
    script = betting_hand(NLH, HandTerms(("a", "b"), (100, 100), (0, 0), (1, 2), 2))
    step = next(script)
    while not isinstance(step, Turn):
        step = script.send(None)
    assert (step.box, step.owed_minor, step.options) == ("b", 1, ("fold", "call", "raise"))


def test_pr_8_short_deck_ranks_are_those_of_the_printed_list() -> None:
    rng = random.Random(5)
    deck = [card for card in DECK if card.rank not in "2345"]
    hands = [rng.sample(deck, 5) for _ in range(3_000)]

    def ours(hand: list[Card]) -> int:
        return SHORT_DECK_ORDER.law(
            [RANKS.index(card.rank) for card in hand], suited=len({card.suit for card in hand}) == 1
        )

    theirs = [ShortDeckHoldemHand("".join(map(str, hand))) for hand in hands]
    for one in range(0, 2_998, 2):
        mine, other = ours(hands[one]), ours(hands[one + 1])
        assert (mine > other) == (theirs[one] > theirs[one + 1])
        assert (mine == other) == (theirs[one] == theirs[one + 1])


# --- recorded hands ---------------------------------------------------------------------------------------------


RECORDED = """
variant = "NT"
ante_trimming_status = true
antes = [5, 5, 5]
blinds_or_straddles = [10, 20, 0]
min_bet = 20
starting_stacks = [1000, 2000.5, 553]
actions = [
  "d dh p1 Ac2d", "d dh p2 ????", "d dh p3 7h6h",
  "p3 cbr 70 # a comment", "p1 cbr 230", "p2 f", "p3 cc",
  "d db Jc3d5c", "p1 cbr 318", "p3 cc",
  "p1 sm Ac2d", "p3 sm 7h6h", "d db 4h", "d db Jh",
]
"""


def test_a_recorded_hand_is_played_card_by_card() -> None:
    history = read_phh(RECORDED)
    outcome = play_phh(history)
    assert history.scale == 10
    assert outcome.stacks == (4470, 19755, 11310)  # the straight to the seven wins; what nobody called goes back
    assert dict(outcome.shown).keys() == {"p1", "p3"}


def recorded(hands: int, seed: int) -> Iterator[tuple[str, list[int]]]:
    """Hands of PokerKit's own, with what its own play made of them."""
    rng = random.Random(seed)
    for _ in range(hands):
        key = rng.choice(list(GAMES))
        terms = terms_of(key, rng)
        game = GAMES[key](
            EVERYTHING, True, terms.antes, terms.blinds, terms.least_bet, mode=rng.choice(list(Mode))
        )  # fmt: skip
        random.seed(rng.random())  # PokerKit deals from the module's own generator
        state = game(terms.stacks, len(terms.seats))
        while state.status:
            staking = state.can_complete_bet_or_raise_to() and rng.random() < 0.4
            if staking:
                state.complete_bet_or_raise_to(state.min_completion_betting_or_raising_to_amount)
            elif state.checking_or_calling_amount and rng.random() < 0.3:
                state.fold()
            else:
                state.check_or_call()
        history = HandHistory.from_game_state(game, state)
        yield history.dumps(), [int(stack) for stack in state.stacks]


def test_hands_recorded_by_pokerkit_finish_with_the_same_stacks() -> None:
    for text, stacks in recorded(80, seed=3):
        assert list(play_phh(read_phh(text)).stacks) == stacks, text


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"NT"', '"FT"', "The variant 'FT' is not dealt in this poker room"),
        ('"p2 f"', '"p3 f"', "lets p3 act where it is the turn of p2"),
        ('"p1 cbr 230"', '"p1 cbr 75"', "cannot do 'cbr'"),
        ('"d db 4h", ', "", "the next card of the board is missing"),
        ('"d db Jh"', '"d db Jh", "d db 2c"', "one board is dealt here"),
        ('"d db Jh"', '"d db Jh", "p3 cc"', "acts once more"),
        (
            '"p3 cc",\n  "p1 sm',
            '"p3 cc", "p3 cc",\n  "p1 sm',
            "lets p3 act where the next card of the board is missing",
        ),
        ("[10, 20, 0]", "[10, 20]", "has 2 amounts for 3 seats"),
        ("[5, 5, 5]", "[5, -5, 5]", "below 0"),
        ("min_bet = 20", 'min_bet = "x"', "'min_bet' is missing, or is no number"),
        ("min_bet = 20", "min_bet = 1e-30", "nine decimal places"),
        ('"d dh p3 7h6h"', '"d dh p9 7h6h"', "names no seat"),
        ("actions = [", "actions = [[", "not valid TOML"),
        ("Jc3d5c", "Jc3d5x", "5x"),
    ],
)
def test_a_file_that_cannot_be_played_is_refused_in_a_sentence(old: str, new: str, sentence: str) -> None:
    assert old in RECORDED
    with pytest.raises(BadInputError, match=sentence):
        play_phh(read_phh(RECORDED.replace(old, new)))


def test_the_command_prints_a_line_a_hand_and_goes_on_after_a_bad_file(tmp_path: Path) -> None:
    good, bad, several = tmp_path / "good.phh", tmp_path / "bad.phh", tmp_path / "several.phhs"
    good.write_text(RECORDED)
    bad.write_bytes(b"\xff\xfe")
    several.write_text(f"[1]\n{RECORDED}\n[2]\n{RECORDED}")
    told = CliRunner().invoke(command, [str(bad), str(good), str(several), str(tmp_path / "none"), "--json"])
    lines = [json.loads(line) for line in told.output.splitlines()]
    assert told.exit_code == 1
    assert [line.get("finishing_stacks", "error") for line in lines] == [
        "error", [447, 1975.5, 1131], [447, 1975.5, 1131], [447, 1975.5, 1131], "error",
    ]  # fmt: skip
    assert lines[1] == {"file": str(good), "variant": "NT", "finishing_stacks": [447, 1975.5, 1131]}
