"""The outcomes in short stand under the pay table and are in view on a desk's screen and on a large one, also beside
winners, a pot and limits in several currencies; they cover nothing, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Protocol

import pytest
from conftest import Station
from fake_floor import FakeFloor
from held_to_axe import LANGUAGES
from held_to_fit import SETTLED, unfit_on
from house_poker import TABLES, against_the_house
from playwright.sync_api import Browser
from running_studio import TABLE, House
from sample import sampled
from served_house import Served

from dealer_ui.public.outcome_table import cases_of
from studio.games import GAMES
from studio.tables import command as c

pytestmark = pytest.mark.browser

IN_VIEW = ((1280, 800), (1920, 1080))


class At(Protocol):
    def __call__(self, floor: FakeFloor, badge: str, path: str, *, width: int = 1280, height: int = 800) -> Station: ...


LONG = (("id", True), ("ja", False))
"""What the long run looks at; the rest is for the night."""


def cases() -> Iterator[object]:
    for language, winners in product(LANGUAGES, (False, True)):
        marks = pytest.mark.long if (language, winners) in LONG else pytest.mark.night
        yield pytest.param(language, winners, id=f"{language}-{'winners' if winners else 'quiet'}", marks=marks)


@pytest.mark.parametrize(("language", "winners"), list(cases()))
def test_the_outcomes_in_short_are_in_view_and_cover_nothing(at: At, language: str, winners: bool) -> None:
    page = at(against_the_house(winners=winners), "", f"/display/abroad?language={language}").page
    wrong = {}
    for key in TABLES:
        page.goto(f"{page.url.partition('/display')[0]}/display/{key}?language={language}")
        page.wait_for_selector("body[data-live]")
        wrong[key] = unfit_on(page)
        for width, height in IN_VIEW:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SETTLED)
            pays, short = (page.locator(f".panel.{one}").bounding_box() for one in ("pays", "outcomes"))
            assert pays is not None
            assert short is not None
            assert pays["y"] + pays["height"] <= short["y"], (key, width)
            assert short["y"] + short["height"] <= height, (key, width)
    assert {key: found for key, found in wrong.items() if found} == {}


@pytest.mark.parametrize("game", sampled((game.key for game in GAMES if cases_of(game)), "holdem_bonus"))
def test_a_bettors_page_has_the_outcomes_in_short_below_the_table(tmp_path: Path, chromium: Browser, game: str) -> None:
    with House(tmp_path, game=game) as house:
        house.open()
        house.do(c.StartRound)
        house.do(c.OpenBetting)
        assert house.post("/bettors/ann/deposits", {"client_id": "d1", "amount": 100_000}).status_code == 200
        made = Served(house, chromium)
        page = made.stranger(house.post("/bettors/ann/pages", {"table": TABLE}).json["page"] + "?language=id")
        page.wait_for_selector("body[data-live], .outcomes")
        for width, height in IN_VIEW:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SETTLED)
            short = page.locator(".outcomes").bounding_box()
            assert short is not None
            assert short["x"] >= 0, width
            assert short["x"] + short["width"] <= width, width
        assert page.locator(".outcomes tbody tr").count() >= 2
        found = unfit_on(page)
        made.close()
    assert found == []
