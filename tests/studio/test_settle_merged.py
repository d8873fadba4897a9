"""A stake put out in parts: what a bettor has on one box of Blackjack is settled as one, however it is cut."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from studio.cards import parse_cards
from studio.games.blackjack import BLACKJACK
from studio.games.blackjack_hand import Outcome, PlayedHand
from studio.games.three_knights import THREE_KNIGHTS
from studio.settlement import PlacedBet, chunks, merged_stakes, settle_bets

RULES = BLACKJACK.options.defaults
NATURAL = Outcome(parse_cards("Ts 7d"), (PlayedHand("1", parse_cards("As Kd")),))
DOUBLED = Outcome(parse_cards("Ts 7d"), (PlayedHand("1", parse_cards("5s 6d Th"), doubled=True),))


def bets(*stakes: tuple[str, str, int]) -> list[PlacedBet]:
    return [PlacedBet(f"b{n}", bet, account, stake_minor) for n, (account, bet, stake_minor) in enumerate(stakes)]


def returned(outcome: Outcome, book: Sequence[PlacedBet], chunk_bets: int = 100) -> list[int]:
    merged = merged_stakes(BLACKJACK, book)
    return [
        payout.returns_minor
        for chunk in chunks(book, chunk_bets)
        for payout in settle_bets(BLACKJACK, RULES, outcome, chunk, merged=merged)
    ]


def test_two_odd_stakes_on_a_blackjack_are_rounded_down_once_together() -> None:  # [BJ-25]
    assert returned(NATURAL, bets(("ann", "1:main", 101), ("ann", "1:main", 101))) == [505, 0]
    assert returned(NATURAL, bets(("ann", "1:main", 101))) == [252]


def test_the_whole_return_lies_on_the_first_bet_and_other_bets_between_change_nothing() -> None:
    book = bets(("ann", "1:main", 100), ("ann", "1:perfect_pair", 10), ("ann", "1:main", 100))
    assert returned(DOUBLED, book) == [400, 0, 0]


def test_two_bettors_are_never_merged_with_one_another() -> None:
    assert returned(NATURAL, bets(("ann", "1:main", 101), ("bob", "1:main", 101))) == [252, 252]


@settings(deadline=None)
@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=12), st.integers(1, 5))
def test_how_a_round_is_cut_into_chunks_changes_no_return(stakes: list[int], chunk_bets: int) -> None:
    book = bets(*(("ann", "1:main", stake_minor) for stake_minor in stakes))
    assert returned(NATURAL, book, chunk_bets) == [sum(stakes) * 5 // 2, *[0] * (len(stakes) - 1)]


def test_a_game_whose_decisions_add_to_no_stake_merges_nothing() -> None:
    assert merged_stakes(THREE_KNIGHTS, bets(("ann", "player1_win", 1), ("ann", "player1_win", 1))) == {}


def test_an_insurance_that_nothing_decided_comes_back() -> None:  # [BJ-20]
    busted = Outcome(parse_cards("Ad"), (PlayedHand("1", parse_cards("Ts 6d Kh")),))
    assert returned(busted, bets(("ann", "1:main", 100), ("ann", "1:insurance", 50))) == [0, 50]
