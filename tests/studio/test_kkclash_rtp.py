"""The pay table of KKClash, proved through the code that pays it, against figures found independently."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb, perm

import numpy as np
import pytest
from sample import sampled

from studio.cards import DECK
from studio.games.kkclash import BETS, KKCLASH
from studio.hands.evaluator import evaluator_of
from studio.hands.poker import STANDARD
from studio.proof.returns import kkclash as proof
from studio.proof.returns.kkclash import Board, board_kinds, weighed_deals
from studio.proof.returns.rtp import prove

RTP_PERCENT = {
    "shark": 96.891912,
    "king": 96.891912,
    "draw": 97.617922,
    "suited_connectors": 96.4673,
    "pocket_pair": 97.0204,
    "pocket_kings": 90.4608,
    "high_card_pair": 94.711903,
    "two_pair": 97.394997,
    "trips_straight_flush": 96.144298,
    "full_house_plus": 96.42805,
    "k_high_pair": 94.245999,
    "k_full_quads": 95.843259,
}
HOLES = comb(52, 2) * comb(50, 2)
DEALS = HOLES * comb(48, 5)


@pytest.mark.long  # the certificate that ships holds the figures of this very code
def test_all_twelve_bets_return_what_independent_enumeration_found() -> None:
    proofs = prove(KKCLASH, {})
    assert {bet: each.rtp_percent for bet, each in proofs.items()} == pytest.approx(RTP_PERCENT, abs=5e-5)
    assert tuple(proofs) == BETS
    assert all(each.exact and each.basis == "stake" for each in proofs.values())


@pytest.mark.long  # the certificate that ships holds the figures of this very code
def test_a_published_figure_differs_from_ours_by_what_a_simulation_may_miss() -> None:
    for each in prove(KKCLASH, {}).values():
        assert each.published_percent is not None
        assert abs(each.rtp_percent - each.published_percent) < 0.088


@pytest.mark.long  # the certificate that ships holds the figures of this very code
def test_a_changed_return_changes_its_own_figure_and_no_other() -> None:
    usual, changed = prove(KKCLASH, {}), prove(KKCLASH, {"draw": "25"})
    assert changed["draw"].rtp == usual["draw"].rtp * 25 / 24
    assert {bet for bet in BETS if changed[bet].rtp != usual[bet].rtp} == {"draw"}


@pytest.mark.long
def test_the_counted_deals_are_all_deals_there_are_each_a_real_one() -> None:
    for (_, deals), all_there_are in zip(weighed_deals(), (HOLES, DEALS), strict=True):
        whole = list(deals)
        assert sum(ways for ways, _ in whole) == all_there_are
        for ways, hands in whole:
            assert ways > 0
            assert len({card for hand in hands.values() for card in hand}) == 9


def test_the_kinds_of_board_are_all_boards_there_are() -> None:
    boards = board_kinds()
    assert sum(board.alike for board in boards) == comb(52, 5)
    for board in boards:
        cards = [*board.cards, *sum(board.left, ())]
        assert len(set(cards)) == len(cards) == 52


def met_over(board: Sequence[int]) -> tuple[Counter[int], Counter[int]]:
    """Counted one by one: ordered pairs of holes over a board by the better one's top, won and drawn."""
    holes = list(combinations([card for card in range(52) if card not in board], 2))
    values = np.array([evaluator_of(STANDARD).of((*hole, *board)) for hole in holes])
    won: Counter[int] = Counter()
    drawn: Counter[int] = Counter()
    for hole, value in zip(holes, values, strict=True):
        apart = np.array([not {*hole} & {*other} for other in holes])
        top = int(value) >> proof.TOP_SHIFT
        won[top] += 2 * int(np.count_nonzero(apart & (values < value)))
        drawn[top] += int(np.count_nonzero(apart & (values == value)))
    return +won, +drawn


def of_kind(board: Sequence[int]) -> Board:
    """The kind this board is of: the same ranks of the flush suit and beside it, or the same ranks where none is."""
    suit, most = Counter(card % 4 for card in board).most_common(1)[0]
    shape = _shape(board, suit if most >= proof.FLUSH_CARDS else None)
    return next(kind for kind in board_kinds() if _shape(kind.cards, 0 if any(kind.left[:13]) else None) == shape)


def _shape(board: Sequence[int], flush_suit: int | None) -> tuple[list[int], list[int]]:
    suited = sorted(card // 4 for card in board if card % 4 == flush_suit)
    return suited, sorted(card // 4 for card in board if card % 4 != flush_suit)


@pytest.mark.parametrize(
    "text",
    sampled(
        ["2c 7d 9h Js Kd", "8h 8d 8c 2s 2d", "4h 9h Qh Qd 2s", "4h 9h Qh Kh Ks", "6s 7s 8s 9s Ts"],
        "2c 7d 9h Js Kd",
        "4h 9h Qh Kh Ks",
        "6s 7s 8s 9s Ts",
    ),
)
def test_what_is_counted_over_a_kind_of_board_is_what_counting_one_by_one_finds(text: str) -> None:
    board = [next(card.index for card in DECK if str(card) == word) for word in text.split()]
    _, tops, decided, equal = proof.meetings([of_kind(board)])
    won, drawn = met_over(board)
    assert {int(top): int(count) for top, count in zip(tops, decided, strict=True) if count} == won
    assert {int(top): int(count) for top, count in zip(tops, equal, strict=True) if count} == drawn
    assert won.total() + drawn.total() == comb(47, 2) * comb(45, 2) == perm(47, 4) // 4


@pytest.mark.long
def test_any_deal_returns_what_the_counted_deal_of_its_kind_returns() -> None:
    """The counted deals are told apart by the winner and the winning hand's top: the bets can tell no more."""
    bets, deals = list(weighed_deals())[1]
    counted = {}
    for _, hands in deals:
        outcome = KKCLASH.deal.outcome({}, hands)
        counted[outcome.winner, outcome.winning >> proof.TOP_SHIFT] = KKCLASH.payment.returns(
            KKCLASH.options.defaults, outcome, ""
        )
    rng = random.Random(11)
    for _ in range(500):
        cards = rng.sample(DECK, 9)
        hands = {"shark": tuple(cards[:2]), "king": tuple(cards[2:4]), "board": tuple(cards[4:])}
        outcome = KKCLASH.deal.outcome({}, hands)
        returns = KKCLASH.payment.returns(KKCLASH.options.defaults, outcome, "")
        like = counted[outcome.winner, outcome.winning >> proof.TOP_SHIFT]
        assert {bet: returns[bet] for bet in bets} == {bet: like[bet] for bet in bets}
