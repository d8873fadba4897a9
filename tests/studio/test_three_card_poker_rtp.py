"""The pay table of Three Card Poker, proved through the code that pays it, against figures found independently."""

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest
from rulebook_page import page, rows

from studio.cards import parse_cards
from studio.games.three_card_poker import DEFAULT_RULES, THREE_CARD_POKER
from studio.proof.returns.rtp import Proof, prove_each
from studio.proof.returns.three_card_poker import deals_met, worth

FIGURES = {"main_initial": 96.627, "main_total": 97.9853, "pair_plus": 95.51131, "six_card": 91.4386}
AVERAGE_BET = 1.67421


@cache
def proved() -> tuple[dict[str, Proof], tuple[float, ...]]:
    """The proofs, and what was told of how far they were."""
    told: list[float] = []
    return {each.key: each for each in prove_each(THREE_CARD_POKER, {}, told.append)}, tuple(told)


def proofs() -> dict[str, Proof]:
    return proved()[0]


@pytest.mark.long  # the certificate that ships holds the figures of this very code
def test_every_bet_returns_what_independent_enumeration_found() -> None:
    assert {key: proof.rtp_percent for key, proof in proofs().items()} == pytest.approx(FIGURES, abs=5e-5)
    assert [proof.basis for proof in proofs().values()] == ["initial", "total", "stake", "stake"]
    assert all(proof.exact and proof.published_percent is None for proof in proofs().values())


@pytest.mark.long  # the certificate that ships holds the figures of this very code
def test_the_two_figures_of_the_main_game_are_one_loss_over_two_stakes() -> None:
    initial, total = proofs()["main_initial"].rtp, proofs()["main_total"].rtp
    assert float((1 - initial) / (1 - total)) == pytest.approx(AVERAGE_BET, abs=5e-6)
    assert f"{AVERAGE_BET:.4f} antes" in page("three_card_poker")


@pytest.mark.long  # the certificate that ships holds the figures of this very code
def test_the_figures_on_the_page_are_the_proved_ones() -> None:
    printed = [(bet, basis, float(exact)) for bet, basis, exact in rows("three_card_poker", "bet")]
    assert printed == [(proof.bet, proof.basis, round(proof.rtp_percent, 4)) for proof in proofs().values()]


@pytest.mark.parametrize(
    ("hand", "plays"),
    [("Qs 6d 4c", True), ("Qs 6d 3c", False), ("Qs 5d 4c", False), ("Ks 3d 2c", True), ("Js Td 8c", False)],
)
def test_a_bettor_plays_from_queen_six_four(hand: str, plays: bool) -> None:
    cards = np.array([[card.index for card in parse_cards(hand)]], np.uint8)
    (deals,) = deals_met(cards)
    assert sum(ways for ways, _ in deals) == comb(49, 3)
    played, folded = worth(THREE_CARD_POKER, DEFAULT_RULES, deals)
    assert (played > folded) is plays
    assert folded == -1


@pytest.mark.long  # the certificate that ships holds the figures of this very code
def test_a_changed_table_has_its_own_figure() -> None:
    changed = {proof.key: proof.rtp for proof in prove_each(THREE_CARD_POKER, {"pair_plus": "flush 4, straight 7"})}
    assert changed["pair_plus"] - proofs()["pair_plus"].rtp == Fraction(720 - 1096, 22100)
    assert changed["main_total"] == proofs()["main_total"].rtp


@pytest.mark.long  # the certificate that ships holds the figures of this very code
def test_a_proof_reports_how_far_it_is() -> None:
    _, told = proved()
    assert list(told) == sorted(told)
    assert told[-1] == 1
    assert len(told) > 20


@pytest.mark.long  # the certificate that ships holds the figures of this very code
def test_a_figure_is_an_exact_fraction() -> None:
    assert proofs()["pair_plus"].rtp == Fraction(1, 22100) * (
        4 * 101 + 44 * 41 + 52 * 31 + 720 * 6 + 1096 * 5 + 3744 * 2
    )
