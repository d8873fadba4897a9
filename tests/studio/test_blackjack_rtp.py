"""The pay table of Blackjack, proved through the code that pays it, against figures found independently."""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import pytest

from studio.games.blackjack import BLACKJACK
from studio.hands.basic_strategy import CHOICES, HARD, PAIRS, SOFT, UP_CARDS
from studio.hands.blackjack import ACE, TEN, count_values
from studio.proof.returns import blackjack
from studio.proof.returns.blackjack import CARDS, against, ends_of, insurance, perfect_pair
from studio.proof.returns.blackjack_play import BestPlay, State, set_of
from studio.proof.returns.blackjack_shoe import (
    BLACKJACK as DEALER_BLACKJACK,
)
from studio.proof.returns.blackjack_shoe import (
    BUST,
    DRAWS,
    ENDINGS,
    NONE,
    VALUES,
    Cards,
    count_endings,
    ending_of,
    falling,
    hands_of_dealer,
    left_after,
    ways_to_draw,
    with_one,
)
from studio.proof.returns.rtp import Proof, prove_each

RULES = BLACKJACK.options.defaults


@cache
def play(up: int) -> BestPlay:
    return BestPlay(BLACKJACK, RULES, up)


@cache
def whole() -> tuple[Proof, ...]:
    """The plays it is counted of are those the other tests look at."""

    def known(_: object, rules: Mapping[str, object], up: int) -> BestPlay:
        assert rules == RULES
        return play(up)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blackjack, "BestPlay", known)
        return tuple(prove_each(BLACKJACK, {}))


def test_insurance_and_the_side_bet_return_what_independent_counting_found() -> None:
    assert insurance(BLACKJACK, RULES).rtp == Fraction(3 * 128, 415)
    assert float(100 * insurance(BLACKJACK, RULES).rtp) == pytest.approx(92.53012, abs=5e-6)
    assert float(100 * perfect_pair(BLACKJACK, RULES).rtp) == pytest.approx(93.99444, abs=5e-6)


@pytest.mark.long  # the certificate that ships holds the figures of this very code
def test_the_main_game_returns_what_independent_enumeration_found() -> None:
    initial, total = (each.rtp_percent for each in whole() if each.bet == "main")
    assert initial == pytest.approx(99.6588, abs=5e-5)
    assert total == pytest.approx(99.69313, abs=5e-6)
    assert (100 - initial) / (100 - total) == pytest.approx(1.111849, abs=5e-7)


@pytest.mark.long  # the certificate that ships holds the figures of this very code
def test_every_bet_of_the_rulebook_is_spoken_for_beside_its_published_figure() -> None:
    assert [(each.bet, each.basis, each.published_percent) for each in whole()] == [
        ("insurance", "stake", 92.53),
        ("perfect_pair", "stake", 93.99),
        ("main", "initial", None),
        ("main", "total", 99.69),
    ]
    for each in whole():
        assert each.exact
        if each.published_percent is not None:
            assert each.rtp_percent == pytest.approx(each.published_percent, abs=0.005)


# --- the dealer ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("up", VALUES)
def test_the_ways_of_the_dealer_are_all_the_ways_there_are(up: int) -> None:
    gone = [with_one(set_of(pair), up) for pair in ((ACE, TEN), (5, 6), (TEN, TEN))]
    exact, approximate = (count_endings(up, gone, exact=exact) for exact in (True, False))
    assert exact.sum(axis=0).tolist() == [falling(CARDS - 3, DRAWS)] * 3
    assert (approximate / exact.astype(float).clip(1)).max() == pytest.approx(1)
    possible = {ending for ending, ways in zip(ENDINGS, exact.T[0], strict=True) if ways}
    assert possible == set(hands_of_dealer(up))


def one_by_one(values: tuple[int, ...], left: Cards, chance: Fraction) -> dict[int, Fraction]:
    """The dealer's endings by drawing every card after every other."""
    if (ending := ending_of(values)) is not None:
        return {ending: chance}
    found: dict[int, Fraction] = defaultdict(Fraction)
    for value in VALUES:
        here = chance * Fraction(left[value - 1], sum(left))
        rest = tuple(count - (value == at) for at, count in enumerate(left, start=1))
        for ending, each in one_by_one((*values, value), rest, here).items():
            found[ending] += each
    return found


@pytest.mark.parametrize("up", [9, TEN])
def test_the_dealers_endings_are_those_of_drawing_one_card_after_another(up: int) -> None:
    gone = with_one(set_of((ACE, 7)), up)
    ways = count_endings(up, [gone], exact=True)[:, 0]
    counted = {ending: Fraction(count, falling(CARDS - 3, DRAWS)) for ending, count in zip(ENDINGS, ways, strict=True)}
    assert {ending: chance for ending, chance in counted.items() if chance} == one_by_one(
        (up,), left_after(gone), Fraction(1)
    )


def test_a_dealers_hand_ends_as_the_rule_has_it() -> None:  # [BJ-6]
    assert ending_of((TEN, 6)) is None
    assert ending_of((ACE, 6)) == 17
    assert ending_of((ACE, TEN)) == DEALER_BLACKJACK
    assert ending_of((TEN, 6, 9)) == BUST


# --- the play ------------------------------------------------------------------------------------------


def test_the_ends_of_the_best_play_are_all_hands_there_are() -> None:
    left = left_after(with_one(NONE, 6))
    ways = sum(
        (
            Fraction(end.orders * ways_to_draw(end.gone, left), falling(sum(left), sum(end.gone)))
            for end in ends_of(play(6))
        ),
        Fraction(0),
    )
    assert ways == 1


@pytest.mark.parametrize("up", [7, TEN])
def test_the_exact_count_is_what_the_decisions_were_found_to_be_worth(up: int) -> None:
    left = left_after(with_one(NONE, up))
    pairs = (set_of(pair) for pair in product(VALUES, repeat=2))
    found = sum(ways_to_draw(pair, left) * play(up).best(State(pair))[1] for pair in pairs) / falling(sum(left), 2)
    assert float(against(play(up))[0]) == pytest.approx(found, abs=1e-12)


def test_a_ten_is_surrendered_to_before_its_second_card_is_known() -> None:  # [BJ-15]
    options = play(TEN).options(State(set_of((TEN, 6))))
    assert play(TEN).best(State(set_of((TEN, 6)))) == ("surrender", -0.5)
    assert "surrender" not in play(ACE).options(State(set_of((TEN, 6))))
    assert options["double"] < options["stand"] < options["hit"] < -0.5


def test_the_cards_of_a_total_count() -> None:
    """Sixteen against a ten: hit, but stand once the fours and fives that would help are gone."""
    sixteens = {hand: play(TEN).best(State(set_of(hand)))[0] for hand in ((3, 6, 7), (5, 5, 6), (4, 5, 7))}
    assert sixteens == {(3, 6, 7): "hit", (5, 5, 6): "stand", (4, 5, 7): "stand"}


def test_a_changed_pay_table_gets_its_own_figure_and_its_own_play() -> None:  # [BJ-22]
    rules = BLACKJACK.options.check({"pays": "blackjack 2.2", "perfect_pair": "mixed_pair 7"})
    dear = BestPlay(BLACKJACK, rules, TEN)
    natural = State(set_of((ACE, TEN)))
    assert dear.best(natural)[1] == pytest.approx(play(TEN).best(natural)[1] * 1.2 / 1.5)
    assert perfect_pair(BLACKJACK, rules).rtp > perfect_pair(BLACKJACK, RULES).rtp


# --- basic strategy ------------------------------------------------------------------------------------


def worth(up: int, pairs: list[tuple[int, int]], *, splitting: bool) -> Mapping[str, float]:
    """What each option is worth for some two-card hands together, each as often as it is dealt."""
    left = left_after(with_one(NONE, up))
    found: dict[str, float] = defaultdict(float)
    for pair in pairs:
        weight = ways_to_draw(set_of(pair), left) * len(set(pair))
        for option, each in play(up).options(State(set_of(pair))).items():
            if option != "split" or splitting:
                found[option] += weight * each
    return found


def of_total(points: int, *, soft: bool) -> list[tuple[int, int]]:
    """The two-card hands of a total; pairs only where there are no others."""
    hands = [pair for pair in combinations_with_replacement(VALUES, 2) if count_values(pair) == (points, soft)]
    return [pair for pair in hands if pair[0] != pair[1]] or hands


@pytest.mark.parametrize("up", UP_CARDS)
def test_basic_strategy_is_what_the_proof_finds(up: int) -> None:
    rows = [(row, of_total(points, soft=False), False) for points, row in HARD.items()]
    rows += [(row, of_total(points, soft=True), False) for points, row in SOFT.items()]
    rows += [(row, [(value, value)], True) for value, row in PAIRS.items()]
    for row, pairs, splitting in rows:
        options = worth(up, pairs, splitting=splitting)
        choices = CHOICES[row.split()[UP_CARDS.index(up)]]
        assert choices[0] == max(options, key=options.__getitem__), (pairs, up)
        assert choices[-1] == "split" or choices[-1] == max(("hit", "stand"), key=options.__getitem__), (pairs, up)
