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


def thumb(page: Page, selector: str) -> None:
    """A tap of a finger. The page's clock may stand: it goes on for the moment that the tap takes."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    finger = page.context.new_cdp_session(page)
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.clock.run_for(20)
    finger.detach()


def stop_time(page: Page) -> None:
    """The page's clock stands until a test lets it run, however slow the machine is."""
    page.clock.install()
    page.reload()
    page.wait_for_selector("body[data-live]")
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
