"""Open-Face Chinese under its own rule numbers, and every score again by a second, plain implementation."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.cards import DECK, RANKS, Card, parse_cards
from studio.errors import BadInputError
from studio.rulebook.open_face import OpenFaceRules, next_fantasy, row_value, royalty, score_board, score_boards

PLAIN = OpenFaceRules()


def board(top: str, middle: str, bottom: str) -> dict[str, tuple[Card, ...]]:
    return {"top": tuple(parse_cards(top)), "middle": tuple(parse_cards(middle)), "bottom": tuple(parse_cards(bottom))}


GOOD = board("Qh Qd 2c", "Ks Kc Kd 3h 4d", "2h 3c 4s 5d 6h")
LOW = board("Jh 9d 3s", "8h 8d 2s 5c 7s", "Tc Td 7c 7d 4c")
FOULED = board("As Ad 9c", "2d 3d 5c 8s 9s", "Th Ts 7h 6c Jd")


@pytest.mark.parametrize(
    ("top", "middle", "bottom", "fouled"),
    [
        ("Qh Qd 2c", "Ks Kc 2d 3h 4d", "2h 3c 4s 5d 6h", False),
        ("Ah Ad 2c", "Ks Kc 2d 3h 4d", "2h 3c 4s 5d 6h", True),  # the top above the middle
        ("Qh Qd 2c", "2h 3c 4s 5d 6h", "Ks Kc 2d 3h 4d", True),  # the middle above the bottom
        ("Qh Qd 5c", "Qs Qc 5d 3h 2d", "2h 3c 4s 5s 6h", False),  # equal as far as three cards go, then more cards
        ("Ah Kd Qc", "As Kc Qd 3h 2d", "2h 3c 4s 5s 6h", False),
        ("Ah Kd Qc", "As Kc Jd 3h 2d", "2h 3c 4s 5s 6h", True),
        ("2c 2d 2h", "3c 3d 3h 4c 5d", "4s 5s 6s 7s 8s", False),
        ("2c 3c 4c", "7d 5d 4h 3h 2h", "8d 8h 9s 9c Ks", False),  # three of one suit in sequence are a high card [OF-2]
    ],
)
def test_of_3_a_row_below_the_one_above_it_is_a_foul(top: str, middle: str, bottom: str, fouled: bool) -> None:
    assert score_board(board(top, middle, bottom), PLAIN).fouled is fouled


def test_of_3_equal_rows_are_a_foul_only_by_the_strict_rule() -> None:
    equal = board("2c 3c 4c", "Ah Kh Qh Jh 9h", "Ad Kd Qd Jd 9d")
    assert not score_board(equal, PLAIN).fouled
    assert score_board(equal, OpenFaceRules(strict_rows=True)).fouled


def test_of_4_a_scoop_is_six() -> None:
    assert score_boards({"a": GOOD, "b": LOW}, PLAIN).points == {"a": 6, "b": -6}


def test_of_4_equal_rows_win_nothing_and_no_scoop() -> None:
    other = board("Qs Qc 2d", "As Ac 5c 8s 9s", "Tc Td 7c 7d 4c")
    assert score_boards({"a": GOOD, "b": other}, PLAIN).points == {"a": 2, "b": -2}


def test_of_5_everyone_scoops_of_a_fouled_board_and_two_of_them_cancel() -> None:
    third = board("6s 8c 9h", "Jc Js 3s 4h 5h", "Qs Qc 4c 5s 6d")
    second_foul = board("As Ad 9c", "2d 3d 5c 8s 9s", "Th Ts 7h 6c Jd")
    also = board("Kh Kd 9d", "4d 6s 7c 8c Tc", "Jc Js 2s 3h 5h")
    assert score_boards({"a": FOULED, "b": third}, PLAIN).points == {"a": -6, "b": 6}
    assert score_boards({"a": second_foul, "b": also}, PLAIN).points == {"a": 0, "b": 0}


def test_of_8_fantasy_is_entered_by_queens_and_left_by_anything_less() -> None:
    cards = {top: score_board(board(top, "As Ac Ad 3h 4d", "2h 3c 4s 5d 6h"), PLAIN).fantasy for top in
             ("Jh Jd 2c", "Qh Qd 2c", "Kh Kd 2c", "9h 9d 9c")}  # fmt: skip
    assert cards == {"Jh Jd 2c": 0, "Qh Qd 2c": 14, "Kh Kd 2c": 15, "9h 9d 9c": 17}
    assert score_board(board("Ah Ad 2c", "Ks Kc Kd 3h 4d", "2h 3c 4s 5d 6h"), PLAIN).fantasy == 16
    assert score_board(FOULED, PLAIN).fantasy == 0


def test_of_9_in_fantasy_queens_are_not_enough_to_stay() -> None:
    quads = row_value(parse_cards("8c8d8h8s2c"))
    straight = row_value(parse_cards("2h3c4s5d6h"))
    queens, trips = row_value(parse_cards("QhQd2c")), row_value(parse_cards("3h3d3c"))
    assert next_fantasy({"top": queens, "bottom": straight}, in_fantasy=True) == 0
    assert next_fantasy({"top": trips, "bottom": straight}, in_fantasy=True) == 17
    assert next_fantasy({"top": queens, "bottom": quads}, in_fantasy=True) == 14


@pytest.mark.parametrize(
    ("row", "cards", "points"),
    [
        ("top", "5h 5d 2c", 0), ("top", "6h 6d 2c", 1), ("top", "Ah Ad 2c", 9), ("top", "2h 2d 2c", 10),
        ("top", "Ah Ad Ac", 22), ("middle", "2h 2d 2c 4s 5d", 2), ("middle", "Th Jh Qh Kh Ah", 50),
        ("bottom", "2h 2d 2c 4s 5d", 0), ("bottom", "2h 3c 4s 5d 6h", 2), ("bottom", "Th Jh Qh Kh Ah", 25),
    ],
)  # fmt: skip
def test_of_7_the_usual_royalties(row: str, cards: str, points: int) -> None:
    assert royalty(row, parse_cards(cards)) == points


# --- the same once more, written another way -------------------------------------------------------------------------


def plainly(cards: tuple[Card, ...]) -> tuple[int, list[int]]:
    """Category from 0 (high card) to 8 (straight flush), and the ranks that break ties."""
    ranks = sorted((RANKS.index(card.rank) for card in cards), reverse=True)
    counts = Counter(ranks)
    order = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    shape = sorted(counts.values(), reverse=True)
    if len(cards) == 5:
        flush = len({card.suit for card in cards}) == 1
        wheel = ranks == [12, 3, 2, 1, 0]
        straight = len(counts) == 5 and (ranks[0] - ranks[4] == 4 or wheel)
        if straight:
            return (8 if flush else 4), [3 if wheel else ranks[0]]
        if flush:
            return 5, ranks
    kinds = {(4,): 7, (3, 2): 6, (3,): 3, (2, 2): 2, (2,): 1}
    for made, kind in kinds.items():
        if tuple(shape[: len(made)]) == made and (made != (3,) or shape[1:2] != [2]):
            return kind, order
    return 0, order


def plain_points(boards: dict[str, dict[str, tuple[Card, ...]]]) -> dict[str, int]:
    points = dict.fromkeys(boards, 0)
    for a, b in combinations(boards, 2):
        foul_a, foul_b = (
            plainly(one["bottom"]) < plainly(one["middle"]) or plainly(one["middle"]) < plainly(one["top"])
            for one in (boards[a], boards[b])
        )
        if foul_a or foul_b:
            won = 0 if foul_a and foul_b else (-6 if foul_a else 6)
        else:
            rows = [
                (plainly(boards[a][row]) > plainly(boards[b][row]))
                - (plainly(boards[a][row]) < plainly(boards[b][row]))
                for row in ("top", "middle", "bottom")
            ]
            won = sum(rows) + (3 if rows == [1, 1, 1] else -3 if rows == [-1, -1, -1] else 0)
        points[a] += won
        points[b] -= won
    return points


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 3), st.booleans())
def test_every_generated_hand_scores_alike_and_sums_to_zero(seed: int, seats: int, sorted_rows: bool) -> None:
    deck = random.Random(seed).sample(DECK, 13 * seats)
    boards = {}
    for number in range(seats):
        own = deck[13 * number : 13 * number + 13]
        if sorted_rows:  # boards that are seldom fouled
            own.sort(key=lambda card: RANKS.index(card.rank))
        boards[f"s{number}"] = {"top": tuple(own[:3]), "middle": tuple(own[3:8]), "bottom": tuple(own[8:])}
    outcome = score_boards(boards, PLAIN)
    assert outcome.points == plain_points(boards)
    assert sum(outcome.points.values()) == 0
    assert sum(score_boards(boards, OpenFaceRules(royalties="usual")).points.values()) == 0


@pytest.mark.parametrize(
    ("boards", "sentence"),
    [
        ({"a": GOOD}, "played by 2 or 3 seats: 1 are given"),
        ({"a": GOOD, "b": GOOD}, "is given 2 times"),
        ({"a": GOOD, "b": {**LOW, "top": LOW["top"][:2]}}, "has 2 cards: it takes 3"),
        ({"a": GOOD, "b": {"top": LOW["top"]}}, "give top, middle, bottom"),
    ],
)
def test_boards_that_are_no_finished_hand_are_refused(
    boards: dict[str, dict[str, tuple[Card, ...]]], sentence: str
) -> None:
    with pytest.raises(BadInputError, match=sentence):
        score_boards(boards, PLAIN)
