"""The certificates that ship: of the code as it is, for every default table, with their pages."""

from __future__ import annotations

import pytest

from studio.games import HOUSE_GAMES
from studio.pay_tables import pay_table_of
from studio.pay_tables.method import EVERY_GAME
from studio.proof.certificate.folder import SHIPPED, Certificates, read_folder
from studio.proof.certificate.page import certificate_page
from studio.rulebook.game import Game

RENEW = "run `make certificates` (that is `studio rtp --missing --save studio/proof/certificate/shipped`)"


@pytest.mark.parametrize("game", HOUSE_GAMES, ids=lambda game: game.key)
def test_the_default_table_ships_with_a_certificate_of_this_very_code(game: Game) -> None:
    shipped = Certificates.of(SHIPPED).find(game, {})
    assert shipped is not None, f"The certificate of {game.title} is not of the code as it is now: {RENEW}."
    assert shipped.over == ()
    again = f"Delete the certificate of {game.title}, whose words are old, and {RENEW}."
    assert shipped.method == (*EVERY_GAME, *pay_table_of(game.key).METHOD), again
    assert shipped.pay_table == tuple(pay_table_of(game.key).lines(shipped.rules)), again


def test_each_certificate_that_ships_has_its_page_and_nothing_else_lies_there() -> None:
    for shipped in read_folder(SHIPPED):
        page = SHIPPED / f"{shipped.name}.html"
        assert page.read_text(encoding="utf-8") == certificate_page(shipped), f"{page.name} is another page: {RENEW}."
    names = sorted(path.name for path in SHIPPED.iterdir())
    assert len(names) == 2 * len(HOUSE_GAMES), (
        f"Certificates of tables that are no default lie in {SHIPPED.name}: {names}."
    )


def test_first_five_is_told_as_its_fixed_part_and_what_goes_to_the_pot() -> None:
    shipped = next(one for one in read_folder(SHIPPED) if one.game == "holdem_bonus")
    first5 = next(figure for figure in shipped.figures if figure.bet == "first5")
    assert (first5.percent, first5.pot_percent, first5.whole_percent) == (43.842768, 38.0, 81.842768)
    assert (first5.published_percent, first5.difference) == (81.84, 0.002768)
