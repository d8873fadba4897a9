"""The pay tables of the two hold'em games, proved through the code that pays them, against independent figures."""

from fractions import Fraction

import pytest
from rulebook_page import page, rows

from studio.errors import InvariantError
from studio.games import find_game
from studio.games.holdem_bonus import HOLDEM_BONUS
from studio.proof.returns.holdem_pay import HoldemPay
from studio.proof.returns.rtp import prove, prove_each

FIGURES = {
    "holdem_bonus": {"main_initial": 97.9631, "main_total": 99.4665, "bonus": 91.45935, "first5": 43.84277},
    "ultimate_holdem": {"main_initial": 97.815, "main_total": 99.4738, "trips": 96.50206},
}
AVERAGE_BET = {"holdem_bonus": 3.818103, "ultimate_holdem": 4.15221}


@pytest.mark.night
@pytest.mark.parametrize("key", FIGURES)
def test_every_bet_returns_what_independent_enumeration_found_and_its_page_says(key: str) -> None:
    proofs = prove(find_game(key), {})
    assert {of: proof.rtp_percent for of, proof in proofs.items()} == pytest.approx(FIGURES[key], abs=5e-5)
    initial, total = proofs["main_initial"].rtp, proofs["main_total"].rtp
    assert float((1 - initial) / (1 - total)) == pytest.approx(AVERAGE_BET[key], abs=5e-6)
    printed = [
        (bet, basis, float(exact), None if published == "–" else float(published))
        for bet, basis, exact, published in rows(key, "bet")
    ]
    assert printed == [
        (proof.bet, proof.basis, round(proof.rtp_percent, 4), proof.published_percent) for proof in proofs.values()
    ]
    assert f"{AVERAGE_BET[key]:.4f} antes" in page(key)


@pytest.mark.parametrize("key", FIGURES)
def test_the_figures_on_the_page_are_those_found_independently(key: str) -> None:
    printed = [float(exact) for _, _, exact, _ in rows(key, "bet")]
    assert printed == pytest.approx(list(FIGURES[key].values()), abs=6e-5)


def test_the_side_bets_of_hole_cards_and_flop_are_proved_first() -> None:
    proved = prove_each(HOLDEM_BONUS, {"bonus": "aces_both 501"})
    bonus, first5 = next(proved), next(proved)
    proved.close()  # type: ignore[attr-defined]  # a generator: the long main game is left out
    assert (bonus.bet, first5.bet) == ("bonus", "first5")
    assert first5.rtp_percent == pytest.approx(43.84277, abs=5e-6)
    assert Fraction("0.9145935297") - bonus.rtp == pytest.approx(500 * (6 * 1) / (1326 * 1225), abs=1e-8)


def test_bets_that_are_not_paid_alike_cannot_be_proved_as_one() -> None:
    pay = HoldemPay(HOLDEM_BONUS, HOLDEM_BONUS.options.defaults)
    pay.check_alike(("flop", "turn", "river"))
    with pytest.raises(InvariantError, match="takes ante, flop to be paid alike"):
        pay.check_alike(("ante", "flop"))
