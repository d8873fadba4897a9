"""The pit without a mouse: a ruling by keys alone, and where one stands is always to be seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Station
from fake_floor import FakeFloor, held
from heard import press, write
from patience import wait_until
from playwright.sync_api import Page

from studio.tables import command as c

pytestmark = pytest.mark.browser

TABS_MAX = 80
SEEN = """() => {
  const here = document.activeElement, style = getComputedStyle(here);
  const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
  return here === document.body || outlined || style.boxShadow !== 'none';
}"""


def go_to(page: Page, selector: str) -> None:
    """Tab until it has the focus; each thing on the way shows that it has it."""
    for _ in range(TABS_MAX):
        press(page, "Tab")
        html = page.evaluate("document.activeElement.outerHTML.slice(0, 120)")
        assert page.evaluate(SEEN), f"nobody sees that this has the focus: {html}"
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"no key leads to {selector}")


def test_a_pit_boss_rules_with_the_keyboard_alone_and_sees_where_he_is(at: Callable[..., Station]) -> None:
    floor = FakeFloor(held())
    page = at(floor, "paul", "/pit/knights1").page
    go_to(page, "article.incident input[name=reason_code]")
    press(page, "Space")
    go_to(page, "article.incident input[name=words]")
    write(page, "everybody saw it")
    go_to(page, "article.incident input[name=pin]")
    write(page, "730162")
    go_to(page, "article.incident button[value=void_round]")
    press(page, "Enter")
    wait_until(lambda: floor.asked)
    [ruled] = floor.asked
    assert isinstance(ruled, c.RuleIncident)
    assert (ruled.ruling, ruled.words, bool(ruled.reason_code)) == ("void_round", "everybody saw it", True)
