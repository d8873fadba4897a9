"""The tables on the page of KKClash are the ones that pay, and its figures the proved ones."""

import re
from fractions import Fraction

from rulebook_page import page, rows

from studio.games.kkclash import BETS, BY_CATEGORY, DEFAULT_RULES, KKCLASH
from studio.hands.poker import Category
from studio.proof.certificate.folder import SHIPPED, Certificates


def test_the_classes_of_the_winning_hand_on_the_page_are_the_ones_that_pay() -> None:
    for bet, hands, paid in rows("kkclash", "bet", "the winning hand"):
        named = {Category(name.replace(" ", "_")) for name in hands.split(", ")}
        assert named == {category for category, its in BY_CATEGORY.items() if its == bet}
        assert Fraction(paid) == Fraction(DEFAULT_RULES[bet])


def test_every_return_stands_on_the_page() -> None:
    text = " ".join(page("kkclash").split())
    told = {
        bet: paid
        for bets, paid in re.findall(r"\*\* (`[^:]+`): [^*|]*?Returns ([\d.]+)\.", text)
        for bet in BETS
        if f"`{bet}`" in bets
    }
    told |= {bet: paid for bet, paid in re.findall(r"Beside it `(\w+)`: [^*|]*?Returns ([\d.]+)\.", text)}
    told |= {bet: paid for bet, _, paid in rows("kkclash", "bet", "the winning hand")}
    assert told == DEFAULT_RULES


def test_the_figures_on_the_page_are_the_proved_and_the_published_ones() -> None:
    """Those of the certificate that ships; another test holds it to the code as it is."""
    proved = Certificates.of(SHIPPED).find(KKCLASH, {})
    assert proved is not None
    printed = {bet: (float(exact), float(published)) for bet, exact, published in rows("kkclash", "bet", "exact")}
    assert printed == {
        each.bet: (round(100 * float(Fraction(each.fraction)), 4), each.published_percent) for each in proved.figures
    }
