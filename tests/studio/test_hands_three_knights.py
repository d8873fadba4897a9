"""The 31 classes, as the printed list has them, counted over every hand there is."""

from collections import Counter
from itertools import combinations

import pytest

from studio.cards import DECK, parse_cards
from studio.errors import InvariantError
from studio.hands.three_knights import CLASSES, KnightsClass, read_knights

PRINTED = (
    "3 Knights",
    *(
        f"{knights} {number}"
        for number in ("Nine", "Eight", "Seven", "Six", "Five", "Four", "Three", "Two", "One", "Zero")
        for knights in ("Double Knights", "Single Knight", "Plain")
    ),
)


@pytest.fixture(scope="module")
def counts() -> Counter[KnightsClass]:
    return Counter(read_knights(hand) for hand in combinations(DECK, 3))


def test_there_are_thirty_one_classes_in_the_printed_order() -> None:
    assert tuple(each.name for each in CLASSES) == PRINTED  # [3K-6] [3K-7]
    assert [each.rank for each in CLASSES] == list(range(30, -1, -1))


def test_every_one_of_the_22100_hands_falls_in_its_class_as_often_as_counting_says(
    counts: Counter[KnightsClass],
) -> None:
    expected = {"3 Knights": 220}
    for name in PRINTED[1:]:
        knights, _, number = name.rpartition(" ")
        odd = number in ("One", "Three", "Five", "Seven", "Nine")
        expected[name] = {"Double Knights": 264, "Single Knight": 960 if odd else 912, "Plain": 988}[knights]
    assert {each.name: count for each, count in counts.items()} == expected
    assert counts.total() == 22_100


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        pytest.param("Ks Jd Qh", "3 Knights", id="3K-6-three-pictures"),
        pytest.param("Ks Kd Th", "Double Knights Zero", id="3K-7-two-pictures-and-a-ten"),
        pytest.param("Ks Qd 9h", "Double Knights Nine", id="3K-7-two-pictures-and-a-nine"),
        pytest.param("Js 3h 6d", "Single Knight Nine", id="3K-8-first-hand-of-the-printed-tie"),
        pytest.param("Qs Th 9d", "Single Knight Nine", id="3K-8-second-hand-of-the-printed-tie"),
        pytest.param("Ts Td Th", "Plain Zero", id="3K-4-a-ten-is-no-picture"),
        pytest.param("As Ad Ah", "Plain Three", id="3K-4-an-ace-counts-one"),
        pytest.param("9s 9d 9h", "Plain Seven", id="3K-5-only-the-last-digit-counts"),
        pytest.param("Ks 7d 4h", "Single Knight One", id="3K-5-with-a-picture"),
    ],
)
def test_a_hand_reads_as_its_class(hand: str, name: str) -> None:
    assert read_knights(parse_cards(hand)).name == name


def test_more_points_beat_more_pictures_and_pictures_break_equal_points() -> None:
    assert KnightsClass.of(pictures=0, points=9) > KnightsClass.of(pictures=2, points=8)  # [3K-7]
    assert KnightsClass.of(pictures=2, points=4) > KnightsClass.of(pictures=1, points=4)
    assert KnightsClass.of(pictures=3, points=0) > KnightsClass.of(pictures=2, points=9)  # [3K-6]


@pytest.mark.parametrize("each", CLASSES, ids=lambda each: each.key)
def test_a_class_is_its_pictures_and_its_points(each: KnightsClass) -> None:
    assert KnightsClass.of(pictures=each.pictures, points=each.points) == each
    assert each.is_six == (each.points == 6)


def test_a_hand_of_another_size_is_our_own_mistake() -> None:
    with pytest.raises(InvariantError):
        read_knights(parse_cards("As Kd"))
    with pytest.raises(InvariantError):
        KnightsClass(31)
