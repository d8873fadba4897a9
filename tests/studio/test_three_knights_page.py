"""The tables on the page of Three Knights are the ones that pay, and its figures the proved ones."""

from rulebook_page import rows

from studio.games.three_knights import PAIR_PLUS, SIX_OPTIONS, THREE_KNIGHTS
from studio.hands.three_card import ThreeCard
from studio.proof.returns.rtp import prove


def test_the_pair_plus_table_on_the_page_is_the_one_that_pays() -> None:
    printed = {ThreeCard(name.replace(" ", "_")): int(paid) for name, paid in rows("three_knights", "hand")}
    assert printed == {hand: paid for hand, paid in PAIR_PLUS.items() if paid}


def test_the_figures_on_the_page_are_the_proved_ones() -> None:
    for column, six in enumerate(SIX_OPTIONS, start=1):
        proofs = prove(THREE_KNIGHTS, {"six": six})
        for row in rows("three_knights", "bet"):
            for bet in row[0].split(", "):
                assert float(row[column]) == round(proofs[f"player2_{bet}"].rtp_percent, 4), (six, bet)
