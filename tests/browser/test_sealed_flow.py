"""A sealed card is opened by two people of the pit, in a real browser by keys alone, and shown to nobody before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from heard import press as key
from held_to_axe import LANGUAGES, wrong_on
from pit_house import PAVEL, PETRA, PicturedHouse, Pit, because, press, reach, write
from playwright.sync_api import Browser
from running_studio import PIT, TABLE
from test_money_flows import ASK, look

from studio.proof.audit.database import verify
from studio.tables import command as c

pytestmark = [pytest.mark.browser, pytest.mark.long]

FORM = "form.what"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PicturedHouse]:
    """A settled round with four burns, its deck out of the shoe."""
    with PicturedHouse(tmp_path) as made:
        made.betting()
        made.do(c.CloseBetting)
        made.deal_all()
        made.finish()
        made.do(c.WithdrawShoe, PIT, reason_code="worn")
        made.until(lambda view: not view.shoe.deck)
        yield made


@pytest.fixture
def pit(house: PicturedHouse, chromium: Browser) -> Iterator[Pit]:
    made = Pit(house, chromium)
    yield made
    made.close()


def test_two_people_open_a_sealed_card_at_their_keys(house: PicturedHouse, pit: Pit) -> None:
    petra = pit.comes(PETRA, f"/pit/{TABLE}/round/{house.view.round.id}")
    press(petra, "a[href$='/sealed']")
    petra.wait_for_url("**/sealed")
    reach(petra, f"{FORM} [name=card]")
    key(petra, "ArrowDown")
    because(petra, FORM, "The bettor says it was shown.", PETRA[1])
    look(petra, "sealed-asking")
    assert wrong_on(petra) == []
    press(petra, f"{FORM} button")
    petra.wait_for_url(f"**/pit/{TABLE}/sealed")
    assert petra.locator(f"{ASK} [name=pin]").count() == 0  # one's own is nothing to approve

    pavel = pit.comes(PAVEL, "/pit")
    press(pavel, ".alarm.unsealing a[href$='/sealed']")
    pavel.wait_for_selector(f"{ASK} [name=pin]")
    look(pavel, "sealed-waiting")
    assert "Burn, card 2" in pavel.inner_text("main")
    assert "The bettor says it was shown." in pavel.inner_text("main")
    assert wrong_on(pavel) == []
    assert pavel.locator(".card").count() == 0
    write(pavel, f"{ASK} [name=pin]", PAVEL[1])
    press(pavel, f"{ASK} button[value=approve]")
    pavel.wait_for_selector(".one.open .card")
    assert "4" in pavel.inner_text(".one.open .card")
    assert pavel.locator(".one .back").count() == 3
    address = pavel.url
    for language in LANGUAGES:
        pavel.goto(f"{address}?language={language}")
        look(pavel, f"sealed-open-{language}")
        assert wrong_on(pavel) == []
    assert verify(house.database).ok
