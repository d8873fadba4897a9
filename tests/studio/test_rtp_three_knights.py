"""The pay table of Three Knights, proved through the code that pays it, against figures found independently."""

import random
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.cards import DECK
from studio.errors import BadInputError
from studio.games.three_knights import BETS, BOXES, PLAYERS, THREE_KNIGHTS
from studio.hands.three_card import ThreeCard
from studio.hands.three_knights import CLASSES
from studio.proof.returns.rtp import Proof, prove, prove_each
from studio.proof.returns.three_knights import weighed_deals

TIE, KNIGHTS, PAIR_PLUS = 33.98216, 16.92308, 92.72398


@pytest.mark.parametrize(
    ("six", "win_percent"),
    [
        pytest.param("six_pays_half", 96.94402, id="six-pays-half"),
        pytest.param("commission", 97.5944, id="commission"),
        pytest.param("even", 100.0, id="even"),
    ],
)
def test_all_sixteen_bets_return_what_independent_enumeration_found(six: str, win_percent: float) -> None:
    proofs = prove(THREE_KNIGHTS, {"six": six})
    expected = {"banker_pair_plus": PAIR_PLUS}
    for player in PLAYERS:
        expected |= {f"{player}_win": win_percent, f"{player}_lose": win_percent, f"{player}_tie": TIE}
        expected |= {f"{player}_three_knights": KNIGHTS, f"{player}_pair_plus": PAIR_PLUS}
    assert {bet: proof.rtp_percent for bet, proof in proofs.items()} == pytest.approx(expected, abs=5e-5)
    assert tuple(proofs) == BETS


def test_a_proof_is_an_exact_fraction_on_the_stake_with_no_published_figure_beside_it() -> None:
    assert prove(THREE_KNIGHTS, {})["player2_three_knights"] == Proof(
        game="three_knights",
        bet="player2_three_knights",
        basis="stake",
        rtp=Fraction(11, 65),
        exact=True,
        published_percent=None,
    )


def test_the_counted_deals_are_all_deals_there_are_each_a_real_one() -> None:
    meetings = comb(52, 3) * comb(49, 3)
    for bets, deals in weighed_deals():
        whole = list(deals)
        pair_plus = bets[0].endswith("pair_plus")
        assert len(whole) == (len(ThreeCard) if pair_plus else len(CLASSES) ** 2)
        assert sum(ways for ways, _ in whole) == (comb(52, 3) if pair_plus else meetings)
        for _, hands in whole:
            assert len({card for hand in hands.values() for card in hand}) == 12


@pytest.fixture(scope="module")
def by_meeting() -> dict[tuple[str, str], dict[str, Fraction]]:
    """Classes of Player 1 and Banker to what the counted deal of those two classes returns."""
    found: dict[tuple[str, str], dict[str, Fraction]] = {}
    for bets, deals in weighed_deals():
        if bets[0] == "player1_win":
            for _, hands in deals:
                outcome = THREE_KNIGHTS.deal.outcome({}, hands)
                key = outcome.knights["player1"].key, outcome.knights["banker"].key
                returns = THREE_KNIGHTS.payment.returns(THREE_KNIGHTS.options.defaults, outcome, "")
                found[key] = {bet: returns[bet] for bet in bets}
    return found


@settings(deadline=None)  # a busy machine is no failure
@given(st.integers(0, 2**32))
def test_any_deal_returns_what_the_counted_deal_of_its_classes_returns(
    by_meeting: dict[tuple[str, str], dict[str, Fraction]], seed: int
) -> None:
    deck = random.Random(seed).sample(DECK, 12)
    hands = {box: tuple(deck[3 * i : 3 * i + 3]) for i, box in enumerate(BOXES)}
    outcome = THREE_KNIGHTS.deal.outcome({}, hands)
    returns = THREE_KNIGHTS.payment.returns(THREE_KNIGHTS.options.defaults, outcome, "")
    counted = by_meeting[outcome.knights["player1"].key, outcome.knights["banker"].key]
    assert {bet: returns[bet] for bet in counted} == counted


def test_bad_rules_are_refused_before_anything_is_counted() -> None:
    with pytest.raises(BadInputError, match="option six"):
        prove(THREE_KNIGHTS, {"six": "double"})


def test_proofs_come_one_by_one() -> None:
    assert next(prove_each(THREE_KNIGHTS, {})).bet == "player1_win"
