"""How often a hole wins over a board: against counting dealer's holes one by one, and against what must hold."""

import random
from itertools import combinations
from math import comb

import numpy as np
import pytest

from studio.cards import DECK, parse_cards
from studio.games.casino_holdem import A_PAIR_OF_FOURS, CASINO_HOLDEM
from studio.games.holdem_bonus import HOLDEM_BONUS
from studio.games.ultimate_holdem import ULTIMATE_HOLDEM
from studio.hands.evaluator import evaluator_of
from studio.hands.poker import STANDARD
from studio.proof.returns.figure import unreported
from studio.proof.returns.holdem_pay import HoldemPay
from studio.proof.returns.showdown import HOLE_KIND, PAIR, count_over, count_showdowns
from studio.proof.returns.suit_class import HOLE_NUMBER, HOLES
from studio.rulebook.game import Game

RNG = random.Random(5)

BOARDS = [
    pytest.param("2c 3d 7h 9s Jc", id="dry"),
    pytest.param("2c 2d 7h 9s Jc", id="paired"),
    pytest.param("3c 3d 8h 9s Jc", id="a-low-pair"),
    pytest.param("2c 2d 2h 9s 9c", id="full-house"),
    pytest.param("Ac Kd Qh Js Tc", id="straight"),
    pytest.param("2c 5c 9c Jd Kh", id="three-of-a-suit"),
    pytest.param("2c 5c 9c Jd Jh", id="three-of-a-suit-and-a-pair"),
    pytest.param("5d 6d 7d 8d Kh", id="four-of-a-suit"),
    pytest.param("2s 5s 9s Js Ks", id="five-of-a-suit"),
    pytest.param("As Ks Qs Js Ts", id="royal"),
]


def holes_over(board: str) -> list[tuple[int, int]]:
    cards = {card.index for card in parse_cards(board)}
    left = [tuple(hole) for hole in HOLES.tolist() if not cards & set(hole)]
    return RNG.sample(left, 6)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("qualifying", [PAIR, A_PAIR_OF_FOURS])
def test_a_hole_meets_as_many_dealers_as_are_counted_one_by_one(board: str, qualifying: int) -> None:
    cards = [card.index for card in parse_cards(board)]
    counted = count_over(np.array([cards], np.uint8), unreported, qualifying)
    best = evaluator_of(STANDARD).of_seven
    for hole in holes_over(board):
        own = best([*hole, *cards])
        left = [card for card in range(52) if card not in cards and card not in hole]
        values = [best([*dealer, *cards]) for dealer in combinations(left, 2)]
        kind = HOLE_KIND[counted.flush_suit[0], HOLE_NUMBER[hole]]
        assert counted.category[0, kind] == own >> 20
        assert counted.wins[0, kind] == sum(value < own for value in values)
        assert counted.ties[0, kind] == sum(value == own for value in values)
        assert counted.beats_low[0, kind] == sum(value < min(own, qualifying) for value in values)
        assert counted.ties_low[0, kind] == sum(value == own < qualifying for value in values)
        assert counted.loses_to_low[0, kind] == sum(own < value < qualifying for value in values)


@pytest.mark.parametrize("board", BOARDS[::2])
@pytest.mark.parametrize(
    ("game", "stakes", "qualifying"),
    [
        pytest.param(ULTIMATE_HOLDEM, {"ante": 1, "blind": 1}, PAIR, id="uth-opening"),
        pytest.param(ULTIMATE_HOLDEM, {"play": 3}, PAIR, id="uth-play"),
        pytest.param(HOLDEM_BONUS, {"ante": 1, "flop": 2, "river": 1}, PAIR, id="thb"),
        pytest.param(CASINO_HOLDEM, {"ante": 1, "call": 2}, A_PAIR_OF_FOURS, id="ch"),
    ],
)
def test_stakes_are_worth_what_the_paying_code_pays_dealer_by_dealer(
    game: Game, stakes: dict[str, int], qualifying: int, board: str
) -> None:
    rules, cards = game.options.defaults, parse_cards(board)
    counted = count_over(np.array([[card.index for card in cards]], np.uint8), unreported, qualifying)
    pay = HoldemPay(game, rules, qualifying)
    worth = pay.played(counted, stakes)
    for hole in holes_over(board)[:2]:
        player = tuple(DECK[card] for card in hole)
        won = 0
        for dealer in combinations([card for card in DECK if card not in (*cards, *player)], 2):
            outcome = game.deal.outcome(rules, {"player": player, "dealer": dealer, "board": cards})
            returns = game.payment.returns(rules, outcome, "")
            won += sum(stake * (returns[bet] - 1) for bet, stake in stakes.items()) * pay.scale
        assert worth[0, HOLE_KIND[counted.flush_suit[0], HOLE_NUMBER[hole]]] == won


def test_what_a_fold_loses_is_every_stake() -> None:
    pay = HoldemPay(ULTIMATE_HOLDEM, ULTIMATE_HOLDEM.options.defaults)
    assert pay.scale == 2
    assert pay.folded({"ante": 1, "blind": 1}) == -2 * 990 * 2


@pytest.mark.night
def test_over_all_boards_player_and_dealer_win_alike() -> None:
    counted = count_showdowns(unreported)
    wins, ties = (sum(counted.totals(counts.astype(np.int64))) for counts in (counted.wins, counted.ties))
    assert counted.wins.shape == (42_783, 351)
    assert 2 * wins + ties == comb(52, 2) * comb(50, 5) * 990
    ways = {category: ways for category, ways, _, _ in counted.by_category()}
    assert sum(ways.values()) == 21 * comb(52, 7)
    assert [ways[category] // 21 for category in reversed(STANDARD.categories)] == [
        4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460
    ]  # fmt: skip
