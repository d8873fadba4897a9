"""The statistics of the reports against figures worked out elsewhere, on honest decks and on others."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from studio.proof.certificate.folder import SHIPPED, read_folder
from studio.reports.cards import Frequency
from studio.reports.record.choice import Expected
from studio.reports.record.seen import FULL, DrawnCard, Pass
from studio.reports.returns import Sample, error_of, is_enough, sampled, spread_of
from studio.reports.sheet.csv_sheet import MARK, write_csv
from studio.reports.sheet.shape import Column, Money, ReportSheet, Sort
from studio.reports.shuffle import ShuffleSample
from studio.reports.statistic import called_out, poisson_rate, wilson
from studio.reports.theory import expected_of

HIDDEN = 4
"""Of each sixteen cards of a round, so many are burned, and nobody sees them."""


def _passed(deck: list[str]) -> Pass:
    """A deck dealt three rounds of sixteen, the first four of each burned."""
    one = Pass("t1", "A", "three_knights")
    one.cards = [
        DrawnCard(f"c{place}", 0, "d1", "" if place % 16 < HIDDEN else face) for place, face in enumerate(deck[:48])
    ]
    return one


def _shuffled(rng: random.Random) -> list[str]:
    deck = list(FULL)
    rng.shuffle(deck)
    return deck


def _riffled_once(deck: list[str], rng: random.Random) -> list[str]:
    left, right = deck[:26], deck[26:]
    mixed: list[str] = []
    while left or right:
        half = left if rng.random() * (len(left) + len(right)) < len(left) else right
        mixed.append(half.pop(0))
    return mixed


def test_honest_decks_stray_as_chi_square_does_although_a_quarter_is_unseen() -> None:
    rng = random.Random(3)
    found = []
    for _ in range(120):
        whole = Frequency()
        for _ in range(12):
            whole.add((card.face for _, card in _passed(_shuffled(rng)).seen), 52)
        found.append(whole.statistic)
    assert abs(sum(found) / len(found) - 51) < 3


def test_a_short_deck_is_held_to_its_own_cards() -> None:
    rng = random.Random(8)
    short = [face for face in FULL if face[0] in "6789TJQKA"]
    found = []
    for _ in range(60):
        whole = Frequency(tuple(short))
        for _ in range(12):
            deck = rng.sample(short, len(short))
            whole.add(deck[14:19], len(short))
        found.append(whole.statistic)
    assert abs(sum(found) / len(found) - 35) < 3
    apart = ShuffleSample(tuple(short))
    for _ in range(100):
        one = Pass("t1", "A", "short_deck", faces=tuple(short))
        one.cards = [DrawnCard(f"c{n}", 0, "d1", face) for n, face in enumerate(rng.sample(short, 12))]
        apart.add(one, None)
    assert all(test.chance is None or test.chance > 0.01 for test in apart.tests())
    assert next(test.due for test in apart.tests()) == 8.0


def test_a_deck_that_shows_one_card_too_often_is_found() -> None:
    rng = random.Random(4)
    whole = Frequency()
    for _ in range(200):
        deck = _shuffled(rng)
        deck[deck.index("As")], deck[5] = deck[5], "As"
        whole.add((card.face for _, card in _passed(deck).seen), 52)
    assert whole.chance is not None
    assert whole.chance < 1e-6


def test_too_few_cards_say_nothing() -> None:
    whole = Frequency()
    whole.add(FULL[:20], 52)
    assert whole.chance is None


def test_honest_shuffles_pass_and_a_single_riffle_is_found() -> None:
    for riffled in (False, True):
        rng, tests, before = random.Random(9), ShuffleSample(), None
        deck = _shuffled(rng)
        for _ in range(70):
            deck = _riffled_once(deck, rng) if riffled else _shuffled(rng)
            one = _passed(deck)
            tests.add(one, before)
            before = one
        chances = {test.key: test.chance for test in tests.tests()}
        assert all(chance is not None for chance in chances.values())
        for key in ("rising", "order"):
            chance = chances[key]
            assert chance is not None
            assert (chance < 1e-6) is riffled, key


def test_only_cards_with_a_face_are_seen() -> None:
    one = _passed(list(FULL))
    assert {place for place, _ in one.seen}.isdisjoint({1, 2, 3, 4, 17, 20})
    assert len(one.seen) == 36


def test_intervals_are_those_of_the_textbooks() -> None:
    garwood = poisson_rate(10, 1.0)
    assert (round(garwood.low, 3), round(garwood.high, 3)) == (4.795, 18.390)
    share = wilson(0, 10)
    assert (round(share.low, 4), round(share.high, 4)) == (0.0, 0.2775)


def test_p_values_are_weighed_by_their_number() -> None:
    assert called_out([0.01, 0.04, 0.03, None]) == [0.03, 0.04, 0.04, None]
    assert called_out([None, None]) == [None, None]


@pytest.mark.parametrize("certificate", read_folder(SHIPPED), ids=lambda one: one.game)
def test_the_spread_of_a_certified_bet_is_that_of_its_prizes(certificate: object) -> None:
    figures = expected_of(certificate.figures)  # type: ignore[attr-defined]
    assert figures
    for one in figures:
        spread = spread_of(one)
        if spread is None:
            assert not one.prizes
            continue
        ways = sum(count for _, count in one.prizes)
        mean = sum(float(prize) * count for prize, count in one.prizes) / ways
        square = sum(float(prize) ** 2 * count for prize, count in one.prizes) / ways
        assert spread.deviation**2 == pytest.approx(square - mean**2, rel=1e-6)


EVEN = Expected("even", "stake", Fraction(1), ("even",), ((Fraction(2), 1), (Fraction(0), 1)))


def test_one_large_stake_is_worth_one_trial() -> None:
    sample = Sample([1_000_000, 1, 1], [0, 2, 0])
    assert sample.trials == pytest.approx(1.0, abs=1e-4)
    spread = spread_of(EVEN)
    assert spread is not None
    assert not is_enough(sample, spread)


def test_the_error_of_equal_stakes_falls_with_the_root_of_the_rounds() -> None:
    sample = Sample([100] * 400, [200, 0] * 200)
    spread = spread_of(EVEN)
    assert spread is not None
    assert error_of(sample, spread) == pytest.approx(1 / 20)
    assert sampled(sample, 1.0).deviation == pytest.approx(1.0)
    assert is_enough(sample, spread)


def test_csv_is_free_of_language_and_of_formulas() -> None:
    columns = (Column("at", Sort.MOMENT), Column("who"), Column("won", Sort.MONEY), Column("held", Sort.LENGTH))
    sheet = ReportSheet(
        "s", columns, [(1_767_225_600_000, '@SUM(1,"2")', Money(-105, "EUR"), 1500), (None, "花子", None, None)]
    )
    assert write_csv(sheet) == (
        f"{MARK}at,who,won_minor,won,held_ms\r\n"
        '2026-01-01T00:00:00.000Z,"\'@SUM(1,""2"")",-105,-1.05,1500\r\n'
        ",花子,,,\r\n"
    )
