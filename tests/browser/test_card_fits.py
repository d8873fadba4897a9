"""What a person is asked at the door stands on one screen, its button too: a small station, a desk, a telephone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from first_sign_in import half_in
from held_to_axe import LANGUAGES
from held_to_fit import SETTLED, unfit_on
from playwright.sync_api import Browser, Page
from running_studio import House
from sample import sampled
from served_house import Served

from dealer_ui.desk.staff import FIRST
from studio.people import NewStaff, Pin, give_code

pytestmark = pytest.mark.browser

SIZES = ((800, 600), (1280, 800), (390, 844))
CODE = "83014576"


@pytest.fixture
def served(tmp_path: Path, chromium: Browser) -> Iterator[Served]:
    with House(tmp_path) as house:
        house.staff()
        house.floor.staff.add(NewStaff("a1", "9001", "Ada", ("admin",), Pin("915374")))
        found = Served(house, chromium)
        yield found
        found.close()


def below_the_fold(page: Page) -> list[str]:
    """At which sizes the page's button is not whole on the first screen."""
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        box = page.locator("main .button.primary").last.bounding_box()
        assert box is not None
        if box["y"] + box["height"] > height:
            found.append(f"{width}x{height}: {box['y'] + box['height']:.0f}")
    return found


@pytest.mark.parametrize("language", sampled(LANGUAGES, "id"))
def test_choosing_a_pin_shows_its_button_without_scrolling(served: Served, language: str) -> None:
    staff = served.house.floor.staff
    hasher = staff.hasher
    staff.change(lambda register, now: give_code(register, "d1", Pin(CODE), by=FIRST, now_ms=now, hasher=hasher))
    dana = served.stranger(f"/sign-in?language={language}")
    dana.fill("#badge", "1001")
    dana.fill("#pin", CODE)
    dana.press("#pin", "Enter")
    dana.wait_for_selector("#new_pin")
    assert half_in(dana.content())
    assert below_the_fold(dana) == []
    assert unfit_on(dana) == []
    petra = served.page("pit_boss")
    petra.goto(f"{served.address}/pin?language={language}")
    assert below_the_fold(petra) == []
    assert unfit_on(petra) == []
