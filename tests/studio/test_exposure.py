"""What the house can lose at most on the bets of a round: never less than any deal makes it lose, and no more than
the rulebook allows."""

from __future__ import annotations

from random import Random

import pytest
from exposure_round import POT, added_by_boxes, cost_minor, dealt, opening, raised
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.games import HOUSE_GAMES, PEER_GAMES, find_game
from studio.money import Offer
from studio.rulebook.game import Game
from studio.settlement.exposure import Exposure, terms_of
from studio.tables.books.book import Book, sift, with_companions
from studio.tables.books.exposure import Exposed
from studio.tables.config import TableConfig
from studio.tables.event.placed import PlacedBet

GAMES = [pytest.param(game, id=game.key) for game in HOUSE_GAMES]


def exposure_of(key: str, *bets: tuple[str, int], **rules: str | int) -> int:
    exposure = Exposure(terms_of(find_game(key), rules))
    for bet, stake in bets:
        exposure.take(bet, stake)
    return exposure.most_minor


@pytest.mark.parametrize("game", GAMES)
def test_every_bet_that_is_staked_while_bets_are_open_is_measured_and_none_that_a_decision_stakes(game: Game) -> None:
    measured = set(terms_of(game, {}).of_bet)
    assert measured == set(game.betting.bets) - set(game.decisions.raised)


def test_among_peers_the_house_has_nothing_to_lose() -> None:
    for game in PEER_GAMES:
        assert terms_of(game, {}).of_bet == {}


@pytest.mark.parametrize(
    ("key", "bets", "worst"),
    [
        pytest.param("three_knights", [("player1_win", 1000)], 1000, id="3K-9"),
        pytest.param("three_knights", [("player1_win", 1000), ("player1_lose", 1000)], 0, id="3K-9 against 3K-10"),
        pytest.param("three_knights", [("player1_win", 1000), ("player1_tie", 1000)], 8000, id="3K-11 pushed"),
        pytest.param("three_knights", [("player1_win", 1000), ("player2_lose", 1000)], 2000, id="two hands"),
        pytest.param("three_knights", [("banker_pair_plus", 100)], 4000, id="3K-15"),
        pytest.param("kkclash", [("shark", 1000), ("king", 1000)], 20, id="KK-7"),
        pytest.param("kkclash", [("high_card_pair", 1000), ("k_high_pair", 100)], 3000, id="KK-15 with KK-16"),
        pytest.param("kkclash", [("two_pair", 1000), ("full_house_plus", 1000)], 17_000, id="KK-15 exclude each other"),
        pytest.param("ultimate_holdem", [("ante", 100), ("blind", 100)], 50_500, id="UTH-13 with the raise of four"),
        pytest.param("ultimate_holdem", [("trips", 100)], 5000, id="UTH-16"),
        pytest.param("holdem_bonus", [("ante", 100)], 500, id="THB-8 with every raise"),
        pytest.param("holdem_bonus", [("bonus", 100), ("first5", 100)], 249_800, id="no line beside a straight flush"),
        pytest.param("three_card_poker", [("ante", 100), ("pair_plus", 100)], 10_700, id="3P-11 with 3P-12"),
        pytest.param("three_card_poker", [("six_card", 100)], 100_000, id="3P-13"),
        pytest.param("blackjack", [("1:main", 100), ("1:perfect_pair", 100)], 10_400, id="BJ-13 split and doubled"),
    ],
)  # fmt: skip
def test_the_worst_end_is_the_one_the_rulebook_has(key: str, bets: list[tuple[str, int]], worst: int) -> None:
    assert exposure_of(key, *bets) == worst


def test_a_prize_the_house_pays_itself_counts_once_and_one_out_of_a_pot_does_not() -> None:
    game = find_game("holdem_bonus")
    assert exposure_of("holdem_bonus", ("first5", 1), first5_pot=500_000) == 499_999
    assert exposure_of("holdem_bonus", ("first5", 1), ("first5", 1), first5_pot=500_000) == 499_998
    with_pot = Exposure(terms_of(game, {}, 38))
    with_pot.take("first5", 100)
    assert with_pot.most_minor == 249_938, "what went into the pot the house has no more"


def test_a_pay_table_of_the_house_is_the_one_that_is_measured() -> None:
    assert exposure_of("kkclash", ("draw", 100), draw="30") == 2900
    assert exposure_of("three_knights", ("player1_win", 1000), six="commission") == 950


@pytest.mark.parametrize("game", GAMES)
def test_a_bet_that_went_back_leaves_nothing(game: Game) -> None:
    terms = terms_of(game, {"first5_pot": 1000} if game.pot.bet else {})
    exposure = Exposure(terms)
    for bet in opening(game):
        exposure.take(bet, 700)
    for bet in opening(game):
        exposure.take(bet, -700)
    assert exposure.most_minor == 0


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_the_house_never_loses_more_than_the_limit(game: Game, seed: int) -> None:
    """Bets of any size, some of them refused by the purse, then any cards, any decisions."""
    chance = Random(seed)
    pot = POT if game.pot.bet and chance.random() < 0.5 else None
    rules = game.options.check({"first5_pot": chance.choice((0, 90_000))} if game.pot.bet and pot is None else {})
    config = TableConfig(key="t1", title="T", game=game.key, exposure_most_minor=chance.choice((5_000, 60_000, 10**6)))
    book = Book("r1", exposed=Exposed.of(game, rules, pot))
    for batch in range(chance.randint(1, 4)):
        offers = [_offer(game, chance, f"{batch}-{at}") for at in range(chance.randint(1, 8))]
        passed = [one for one in sift(offers, book, config, opening(game)) if isinstance(one, Offer)]
        covered = [one for one in passed if chance.random() < 0.7]
        needed = {(one.bettor, one.bet) for one in covered} | {(bet.bettor, bet.bet) for bet in book.bets}
        stand = [one for one in covered if not one.needs or (one.bettor, one.needs) in needed]
        book.add([PlacedBet.of(one) for one in with_companions(stand, game)])
        assert book.exposed.most_minor <= config.exposure_most_minor
    stakes = [(bet.bettor, bet.bet, bet.stake_minor) for bet in book.bets]
    boxes = game.owned.boxes_of([bet for _, bet, _ in stakes]) if game.owned else ()
    outcome, chosen = dealt(game, rules, boxes, chance)
    if boxes:
        added, conduct = added_by_boxes(game, stakes, chosen), {}
    else:
        added, conduct = raised(game, stakes, chance)
    cost = cost_minor(game, rules, outcome, [*stakes, *added], conduct, pot=pot is not None)
    assert cost <= book.exposed.most_minor <= config.exposure_most_minor


def _offer(game: Game, chance: Random, id: str) -> Offer:
    stake = chance.choice((100, 101, 999, 10_000, 100_000))
    bet = chance.choice([*opening(game), *(["ante"] * 4 if "ante" in game.betting.bets else ())])
    bettor = f"b{bet.partition(':')[0]}" if game.owned else f"b{chance.randint(1, 3)}"
    return Offer(f"north/{id}", "north", id, bettor, "t1", "r1", bet, stake, "EUR")
