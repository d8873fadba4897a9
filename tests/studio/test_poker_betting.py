"""Who may raise, what is called, and what the house takes: the cases a card room argues about, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from studio.cards import DECK, Card, parse_cards
from studio.errors import BadInputError
from studio.games.nlh import VARIANT as NLH
from studio.games.plo import VARIANT as PLO
from studio.histories.phh import play_phh, read_phh
from studio.rulebook.betting_game import Variant
from studio.rulebook.betting_hand import betting_hand
from studio.rulebook.hand_terms import NO_RAKE, HandOutcome, HandTerms, Rake
from studio.rulebook.script import Burn, Deal, Reveal, Turn

Act = str | tuple[str, int]


def terms(*stacks: int, blinds: Sequence[int] = (50, 100), rake: Rake = NO_RAKE) -> HandTerms:
    """Seats a, b, c … from the left of the button on, the button last; nobody antes."""
    seats = tuple("abcdefghi"[: len(stacks)])
    given = (*blinds, *(0 for _ in stacks[len(blinds) :]))
    return HandTerms(seats, stacks, (0,) * len(stacks), given, 100, rake=rake)


def played(terms: HandTerms, *acts: Act, variant: Variant = NLH, cards: str = "") -> Turn | HandOutcome:
    """The turn that follows these acts, or what came out of the hand. `cards` are the board."""
    given = parse_cards(cards)
    board, deck, said = iter(given), iter([card for card in DECK if card not in given]), iter(acts)
    hole: dict[str, list[Card]] = {seat: [] for seat in terms.seats}
    script, answer = betting_hand(variant, terms), None
    try:
        while True:
            step, answer = script.send(answer), None
            match step:
                case Deal(box="board"):
                    answer = next(board, None) or next(deck)
                case Deal(box=seat):
                    hole[seat].append(next(deck))
                case Burn():
                    next(deck)
                case Reveal(box=seat):
                    answer = tuple(hole[seat])
                case Turn(options=options) if "show" in options:
                    answer = "show"
                case Turn():
                    if (answer := next(said, None)) is None:
                        return step
    except StopIteration as stop:
        assert not list(said)
        outcome: HandOutcome = stop.value
        return outcome


def turn(terms: HandTerms, *acts: Act, variant: Variant = NLH) -> Turn:
    step = played(terms, *acts, variant=variant)
    assert isinstance(step, Turn)
    return step


def outcome(terms: HandTerms, *acts: Act, cards: str = "") -> HandOutcome:
    step = played(terms, *acts, cards=cards)
    assert isinstance(step, HandOutcome), step
    return step


# --- [PR-4] an all-in that is short of a full raise -------------------------------------------------------------


CHECKED = ("call", "call", "call", "check")  # c, d, a and b see the flop


@pytest.mark.parametrize(
    ("stacks", "acts", "seat", "raises_to"),
    [
        pytest.param(
            (5_000, 5_000, 5_000, 150), ("call", ("raise", 150), "call", "call"), "c", None,
            id="who-has-called-the-blind-cannot-raise-a-short-all-in",
        ),
        pytest.param(
            (5_000, 5_000, 5_000, 150), ("call", ("raise", 150), "call"), "b", (250, 5_000),
            id="the-big-blind-has-not-acted-and-may",
        ),
        pytest.param(
            (5_000, 5_000, 5_000, 200), ("call", ("raise", 200), "call", "call"), "c", (300, 5_000),
            id="a-full-raise-opens-it-again",
        ),
        pytest.param(
            (5_000, 5_000, 140, 5_000), (*CHECKED, "check", "check", ("bet", 40), "call"), "a", None,
            id="who-has-checked-cannot-raise-a-short-all-in-bet",
        ),
        pytest.param(
            (5_000, 5_000, 140, 5_000), (*CHECKED, "check", "check", ("bet", 40)), "d", (140, 4_900),
            id="who-has-not-acted-on-the-street-may",
        ),
        pytest.param(
            (5_000, 400, 5_000, 5_000), ("call", ("raise", 300), "fold", ("raise", 400)), "c", (600, 5_000),
            id="who-owes-a-full-raise-and-a-short-one-may",
        ),
        pytest.param(
            (200, 150, 5_000, 5_000), ("call", ("raise", 300), "fold", "call"), "c", (500, 5_000),
            id="the-least-raise-is-the-last-one-s-size",
        ),
        pytest.param(
            (5_000, 200, 5_000, 150), ("call", ("raise", 150), "call", ("raise", 200)), "c", (300, 5_000),
            id="two-short-all-ins-that-make-a-full-raise-open-it-again",
        ),
    ],
)  # fmt: skip
def test_pr_4_an_all_in_that_is_short_does_not_open_the_betting_again(
    stacks: tuple[int, ...], acts: Sequence[Act], seat: str, raises_to: tuple[int, int] | None
) -> None:
    step = turn(terms(*stacks), *acts)
    if raises_to is None:
        assert step.to_minor is None
        assert "raise" not in step.options
    else:
        assert (step.box, step.to_minor) == (seat, raises_to)


@pytest.mark.parametrize(
    ("stacks", "acts", "owed", "raises_to"),
    [
        pytest.param((5_000, 30, 5_000, 5_000), (), 100, (200, 5_000), id="the-first-to-act-owes-it-whole"),
        pytest.param((5_000, 30, 5_000, 5_000), ("call", "fold"), 50, (200, 5_000), id="so-does-the-small-blind"),
        pytest.param((5_000, 30, 5_000, 5_000), (("raise", 200),), 200, (300, 5_000), id="a-raise-is-counted-from-it"),
        pytest.param((5_000, 30, 80, 5_000), (), 80, None, id="who-has-less-can-only-call"),
        pytest.param((5_000, 30, 150, 5_000), (), 100, (150, 150), id="who-has-little-more-is-all-in"),
        pytest.param((60, 30, 5_000), (), 60, None, id="what-nobody-could-lose-to-him-is-not-called"),
        pytest.param((5_000, 100, 5_000, 5_000), (), 100, (200, 5_000), id="a-blind-that-is-whole-and-all-in"),
    ],
)
def test_pr_4_a_blind_counts_whole_though_its_seat_had_less(
    stacks: tuple[int, ...], acts: Sequence[Act], owed: int, raises_to: tuple[int, int] | None
) -> None:
    step = turn(terms(*stacks), *acts)
    assert (step.owed_minor, step.to_minor) == (owed, raises_to)


def test_pr_4_a_short_blind_in_plo_leaves_the_pot_to_be_raised_by_the_full_call() -> None:
    assert turn(terms(9_000, 30, 9_000), variant=PLO).to_minor == (200, 280)


def test_pr_4_who_calls_a_short_blind_alone_has_back_what_nobody_matched() -> None:
    """c calls 100, a gives up his 50: b, all-in for 30, plays for 90; 40 are c's alone, 50 come back."""
    hand = outcome(terms(5_000, 30, 5_000), "call", "fold", cards="2c 7d 9h Js Kc")
    assert hand.paid == {"a": 50, "b": 30, "c": 100}
    assert [pot.amount_minor for pot in hand.pots] == [90, 40]
    assert sum(hand.takes.values()) == 180


def test_pr_4_a_hand_played_elsewhere_is_played_as_it_was_there() -> None:
    text = BIG_BLIND_ANTE.replace("[0, 100, 0]", "[0, 0, 0]").replace("[1000, 1000, 1000]", "[1000, 30, 1000]")
    elsewhere = text.replace('"p3 cbr 200", "p1 f", "p2 f"', '"p3 cc", "p1 f", "d db 2c7d9h", "d db Js", "d db Kc"')
    told = elsewhere.replace("p2 ????", "p2 AcAd").replace("p3 ????", "p3 QcQd")
    assert play_phh(read_phh(told)).paid["p3"] == 50
    assert play_phh(read_phh(f"_full_blind = true\n{told}")).paid["p3"] == 100


def test_pr_4_the_most_is_the_pot_in_plo_and_blinds_posted_out_of_turn_are_in_it() -> None:
    assert turn(terms(9_000, 9_000, 9_000), variant=PLO).to_minor == (200, 350)
    assert turn(terms(9_000, 9_000, 9_000, 9_000, blinds=(50, 100, 0, -100)), variant=PLO).to_minor == (200, 450)
    assert turn(terms(9_000, 9_000, 9_000), ("raise", 350), variant=PLO).to_minor == (600, 1_150)


# --- [PR-13] what the house takes -------------------------------------------------------------------------------


TENTH = Rake(Fraction(10), 1_000)


def test_pr_13_a_bet_that_was_called_in_part_is_raked_in_that_part() -> None:
    """a bets 300 and folds to 1000 of b: 300 of that were called by it, 700 by nobody."""
    hand = outcome(
        terms(5_000, 5_000, 5_000, rake=TENTH),
        "call", "call", "check", ("bet", 300), ("raise", 1_000), "fold", "fold",
    )  # fmt: skip
    [pot] = hand.pots
    assert (pot.amount_minor + pot.rake_minor, pot.rake_minor) == (900, 90)
    assert hand.takes == {"a": 0, "b": 810 + 700, "c": 0}


def test_pr_13_no_rake_without_a_flop_and_the_pot_is_what_was_called() -> None:
    hand = outcome(terms(5_000, 5_000, 5_000, rake=TENTH), ("raise", 300), "fold", "fold")
    [pot] = hand.pots
    assert (pot.amount_minor, pot.rake_minor) == (250, 0)
    assert hand.takes["c"] == 250 + 200


def test_pr_13_the_cap_is_that_of_the_hand_and_the_main_pot_is_raked_first() -> None:
    """a is all-in for 500; b and c, who is best, have 1500 more in the side pot."""
    capped = Rake(Fraction(10), 200)
    hand = outcome(
        terms(500, 5_000, 5_000, rake=capped), ("raise", 500), "call", "call", ("bet", 1_500), "call",
        *["check"] * 4, cards="2c 7d 9h Js Kc",
    )  # fmt: skip
    assert [pot.rake_minor for pot in hand.pots] == [150, 50]
    assert sum(hand.takes.values()) == sum(hand.paid.values()) - 200


def test_pr_9_the_odd_units_of_a_raked_pot_go_to_its_first_winner_left_of_the_button() -> None:
    """The board plays for b, c and d; a has folded his small blind."""
    acts = (("raise", 201), "call", "fold", "call", *["check"] * 9)
    stacks, board = (5_000, 5_000, 5_000, 5_000), "Ac Kc Qc Jc Tc"
    raked = outcome(terms(*stacks, rake=Rake(Fraction(2), 1_000)), *acts, cards=board)
    assert [(pot.rake_minor, dict(pot.winners)) for pot in raked.pots] == [(13, {"b": 214, "c": 213, "d": 213})]
    plain = outcome(terms(*stacks), *acts, cards=board)
    assert dict(plain.pots[0].winners) == {"b": 219, "c": 217, "d": 217}


# --- recorded hands ---------------------------------------------------------------------------------------------


BIG_BLIND_ANTE = """
variant = "NT"
ante_trimming_status = false
antes = [0, 100, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 1000, 1000]
actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 cbr 200", "p1 f", "p2 f"]
"""


def test_where_the_big_blind_antes_for_all_a_bet_nobody_called_goes_back_to_who_made_it() -> None:
    assert play_phh(read_phh(BIG_BLIND_ANTE)).stacks == (950, 800, 1_250)


@pytest.mark.parametrize(
    "percent", ["1e999999999", "1e-999999999", "1E+0999999999", "1" * 201, "1/0", "ten", "11", True]
)
def test_a_share_that_is_no_number_as_people_write_one_is_refused_at_once(percent: object) -> None:
    """Of some of these the number itself would fill the memory before it were compared with anything."""
    with pytest.raises(BadInputError, match=r'rake_percent is a number from 0 to 10, as in "2\.5", not '):
        NLH.check_rules({"rake_percent": percent})


@pytest.mark.parametrize(
    "percent", ["2.5", "0", "10", "1e1", "5/2", 5, 2.5, 1e-05, 0.1 + 0.2, f"0.{'3' * 39}", "1e1 ", "1e0001"]
)
def test_a_share_may_be_written_as_any_number(percent: object) -> None:
    assert NLH.check_rules({"rake_percent": percent})["rake_percent"] == percent
