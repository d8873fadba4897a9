"""The second opinions agree with the code that settles, on deals drawn at random: two computations, one result."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction

import pytest

from dealer_ui.rehearsal.machine.rig import whole_deck
from dealer_ui.rehearsal.opinions import OPINIONS, Dealt
from dealer_ui.rehearsal.opinions.rank import best_five, five_name, three_name
from studio.cards import Card, parse_cards
from studio.games import HOUSE_GAMES, find_game
from studio.games.blackjack_hand import Outcome, PlayedHand
from studio.rulebook.game import Game
from studio.rulebook.script import Deal, Reveal

DEALS = 400
NOT_BLACKJACK = [game.key for game in HOUSE_GAMES if game.key != "blackjack"]
RAISES = {
    "three_card_poker": ("play",), "ultimate_holdem": ("play",), "holdem_bonus": ("flop", "turn", "river"),
    "casino_holdem": ("call",),
}  # fmt: skip


def deals(game: str) -> Iterator[Mapping[str, tuple[Card, ...]]]:
    chance = random.Random(game)
    for _ in range(DEALS):
        deck = whole_deck(game)
        chance.shuffle(deck)
        yield dealt(find_game(game), deck)


def dealt(game: Game, deck: list[Card]) -> Mapping[str, tuple[Card, ...]]:
    """The cards of every box that is dealt to, as the script has them dealt."""
    hands: dict[str, tuple[Card, ...]] = {}
    script, answer = game.deal.script(game.options.defaults), None
    while True:
        try:
            step = script.send(answer)
        except StopIteration:
            return hands
        match step:
            case Deal(box=box):
                answer = deck.pop()
                hands[box] = (*hands.get(box, ()), answer)
            case Reveal(box=box):
                answer = hands[box]
            case _:
                answer = None


def test_every_game_has_a_second_opinion() -> None:
    assert set(OPINIONS) == {game.key for game in HOUSE_GAMES}


@pytest.mark.parametrize("key", NOT_BLACKJACK)
@pytest.mark.parametrize("folded", [False, True])
def test_both_give_every_bet_the_same_back(key: str, folded: bool) -> None:
    game = find_game(key)
    if folded and key not in RAISES:
        pytest.skip("nobody folds at this game")
    staked = {bet: 100 for bet in game.betting.bets if not (folded and bet in RAISES[key])}
    for hands in deals(key):
        outcome = game.deal.outcome(game.options.defaults, hands)
        settled = game.payment.returns(game.options.defaults, outcome, "fold" if folded else "")
        said = OPINIONS[key](Dealt(hands), staked)
        assert {bet: said[bet] for bet in staked} == {bet: settled[bet] for bet in staked}, hands


BLACKJACKS = (
    ("a pair of kings doubled and lost", "Kh Kd 5s", "9c 9d 9h", ("double",)),
    ("twenty against a bust", "Kh Qd", "6c Td Kh", ("stand",)),
    ("a natural", "Ah Qd", "6c Td Kh", ()),
    ("a natural against a natural", "Ah Qd", "Tc Ad", ()),
    ("surrender", "Th 6d", "Tc 9d", ("surrender",)),
    ("a bust", "Th 6d 9s", "Tc 7d", ("hit",)),
    ("a push", "Th 9d", "Tc 9h", ("stand",)),
)


@pytest.mark.parametrize(
    ("cards", "dealer", "chosen"), [case[1:] for case in BLACKJACKS], ids=[c[0] for c in BLACKJACKS]
)
def test_a_box_of_blackjack_gives_the_same_back(cards: str, dealer: str, chosen: tuple[str, ...]) -> None:
    game, own, bank = find_game("blackjack"), tuple(parse_cards(cards)), tuple(parse_cards(dealer))
    hand = PlayedHand("3", own, doubled="double" in chosen, surrendered="surrender" in chosen)
    settled = game.payment.returns(game.options.defaults, Outcome(bank, (hand,)))
    said = OPINIONS["blackjack"](Dealt({"3": own, "dealer": bank}, {"3": chosen}), {"3:main": 1})
    assert said["3:main"] == settled["3:main"]
    assert said["3:perfect_pair"] == settled["3:perfect_pair"]


def test_a_split_box_of_blackjack_gives_the_same_back() -> None:
    game, bank = find_game("blackjack"), tuple(parse_cards("6c Td 2h"))
    upper, lower = tuple(parse_cards("Ah Kd")), tuple(parse_cards("As 7d"))
    hands = (PlayedHand("3", upper, split=True), PlayedHand("3", lower, split=True))
    dealt = Dealt({"3": (upper[0], lower[0]), "3a": upper[1:], "3b": lower[1:], "dealer": bank}, {"3": ("split",)})
    settled = game.payment.returns(game.options.defaults, Outcome(bank, hands))
    assert OPINIONS["blackjack"](dealt, {"3:main": 1})["3:main"] == settled["3:main"] == Fraction(3, 2)


def test_insurance_and_even_money_give_the_same_back() -> None:
    game, bank = find_game("blackjack"), tuple(parse_cards("Ac Kd"))
    natural, poor = tuple(parse_cards("Ah Kh")), tuple(parse_cards("9h 7h"))
    outcome = Outcome(bank, (PlayedHand("1", natural, even_money=True), PlayedHand("2", poor)))
    dealt = Dealt({"1": natural, "2": poor, "dealer": bank}, {"2": ("stand",)}, protected=("1", "2"))
    settled = game.payment.returns(game.options.defaults, outcome)
    said = OPINIONS["blackjack"](dealt, {"1:main": 1, "2:main": 1, "2:insurance": 1})
    assert {bet: said[bet] for bet in ("1:main", "2:main", "2:insurance")} == {
        bet: settled[bet] for bet in ("1:main", "2:main", "2:insurance")
    }


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("As Ks Qs Js Ts 2d 3d", "royal"),
        ("As 2s 3s 4s 5s Kd Kh", "straight_flush"),
        ("9s 9d 9h 9c 5s 5d 5h", "quads"),
        ("9s 9d 9h 5c 5s Kd 2h", "full_house"),
        ("As 2d 3h 4c 5s Kd Kh", "straight"),
        ("As Kd Qh Jc 9s 2d 2h", "pair"),
        ("As Kd Qh Jc 9s 2d 3h", "high_card"),
    ],
)
def test_the_plain_evaluator_names_a_hand(cards: str, name: str) -> None:
    assert five_name(parse_cards(cards)) == name


def test_the_kicker_counts_and_the_wheel_is_the_lowest_straight() -> None:
    assert best_five(parse_cards("As Ad Kh Qc 9s")) > best_five(parse_cards("Ah Ac Kd Qd 8s"))
    assert best_five(parse_cards("As 2d 3h 4c 5s")) < best_five(parse_cards("2s 3d 4h 5c 6s"))
    assert [three_name(parse_cards(cards)) for cards in ("As Ks Qs", "As 2s 3s", "Ad Kd Qs")] == [
        "mini_royal", "straight_flush", "straight",
    ]  # fmt: skip
