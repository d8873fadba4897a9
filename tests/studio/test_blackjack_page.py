"""The tables on the page of Blackjack are the ones that pay and play, and its figures the proved ones."""

from fractions import Fraction

import pytest
from rulebook_page import rows

from studio.games import find_game
from studio.games.blackjack import DEFAULT_RULES
from studio.hands.basic_strategy import HARD, PAIRS, SOFT
from studio.proof.returns.rtp import prove_each
from studio.rulebook.pay_ladder import read_ladder


def test_the_lines_of_the_side_bet_on_the_page_are_the_ones_that_pay() -> None:
    printed = {line.partition(":")[0]: Fraction(paid) for line, paid in rows("blackjack", "pair")}
    assert printed == read_ladder(DEFAULT_RULES["perfect_pair"])


def test_basic_strategy_on_the_page_is_the_one_that_is_played() -> None:
    printed = {hand: " ".join(choices) for hand, *choices in rows("blackjack", "hand")}
    played = {f"{kind} {key}": row for kind, table in (("hard", HARD), ("soft", SOFT)) for key, row in table.items()}
    assert printed == played | {f"pair {key}": row for key, row in PAIRS.items()}


@pytest.mark.long
def test_the_figures_on_the_page_are_the_proved_and_the_published_ones() -> None:
    printed = {
        (bet, basis): (float(exact), float(published) if published else None)
        for bet, basis, exact, published in rows("blackjack", "bet")
    }
    proofs = prove_each(find_game("blackjack"), {})
    assert printed == {(each.bet, each.basis): (round(each.rtp_percent, 4), each.published_percent) for each in proofs}
