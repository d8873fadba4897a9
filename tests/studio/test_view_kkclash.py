"""The last ten hands and the miss counts of KKClash."""

from typing import Any

import pytest

from studio.cards import parse_cards
from studio.games.kkclash import BETS, KKCLASH
from studio.views.past.kkclash import LastHand, last_hands, long_missed, miss_counts, missed_after


def described(shark: str, king: str, board: str) -> dict[str, Any]:
    hands = {"shark": parse_cards(shark), "king": parse_cards(king), "board": parse_cards(board)}
    return KKCLASH.deal.describe(KKCLASH.deal.outcome(KKCLASH.options.defaults, hands))


SHARK_WINS = described("Ah 9c", "Qh 3d", "Ac Jd 8h 5s 2d")
KING_WINS = described("Qh 3d", "Kh 9c", "Tc Jd 8h 5s 2d")
DRAWN = described("9c 3d", "9d 3c", "Ac Kd Qh Js Td")


def test_the_newest_of_the_last_ten_hands_is_number_ten() -> None:
    hands = last_hands([SHARK_WINS] * 5 + [DRAWN] * 9 + [KING_WINS])  # [KK-20]
    assert [hand.number for hand in hands] == list(range(1, 11))
    assert [hand.winner for hand in hands] == ["draw"] * 9 + ["king"]


def test_fewer_hands_than_ten_still_end_at_number_ten() -> None:
    assert last_hands([SHARK_WINS, KING_WINS]) == (
        LastHand(9, "shark", "Pair of aces, kickers jack, nine and eight", "pair", king_mark=False),
        LastHand(10, "king", "King high, kickers jack, ten, nine and eight", "high_card", king_mark=True),
    )
    assert last_hands([]) == ()


@pytest.mark.parametrize(
    ("outcome", "mark"),
    [
        pytest.param(KING_WINS, True, id="king-high"),
        pytest.param(SHARK_WINS, False, id="won-by-the-king's-opponent-without-one"),
        pytest.param(described("Qh Qd", "Kh 9c", "Qc Jd 8h 5s 2d"), False, id="only-the-loser-holds-one"),
        pytest.param(DRAWN, True, id="on-a-draw-in-both"),
    ],
)
def test_the_mark_is_of_the_winning_hand_not_of_who_won(outcome: dict[str, Any], mark: bool) -> None:
    assert last_hands([outcome])[0].king_mark is mark  # [KK-20]


def test_a_miss_count_is_shown_from_ten_rounds() -> None:
    assert miss_counts(BETS, [SHARK_WINS] * 9) == {}  # [KK-22]
    missed = miss_counts(BETS, [SHARK_WINS] * 10)
    assert set(missed.values()) == {10}
    assert set(missed) == set(BETS) - set(SHARK_WINS["won"])


def test_a_won_bet_is_counted_anew() -> None:
    missed = miss_counts(BETS, [DRAWN] + [SHARK_WINS] * 12)
    assert (missed["draw"], missed["king"], missed.get("shark")) == (12, 13, None)


def test_the_count_may_be_carried_on_from_round_to_round() -> None:
    missed = dict.fromkeys(BETS, 0)
    rounds = [DRAWN, *[KING_WINS] * 11, SHARK_WINS]
    carried = missed
    for outcome in rounds:
        carried = dict(missed_after(carried, outcome))
    assert long_missed(carried) == miss_counts(BETS, rounds)
