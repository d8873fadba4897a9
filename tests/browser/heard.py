"""Keys and taps at a page that hears the studio.

A machine that stalls for some seconds leaves a page without word of the studio, and until the next it takes nothing
from anybody: what somebody does at that moment is not done. A person would look, and do it then.
"""

from __future__ import annotations

from playwright.sync_api import Page


def heard(page: Page) -> None:
    """Wait until the page hears the studio."""
    page.wait_for_selector("#offline", state="hidden")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        heard(page)
        page.keyboard.press(key)


def write(page: Page, text: str) -> None:
    heard(page)
    page.keyboard.type(text)


def click(page: Page, selector: str) -> None:
    """For what is not hindered while the page is offline, and does nothing."""
    heard(page)
    page.click(selector)
