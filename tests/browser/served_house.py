"""A whole running studio on a port of its own, with a browser context for everybody who comes to it."""

from __future__ import annotations

import json
from typing import Any

from open_port import OpenPort
from patience import PATIENCE_MS
from playwright.sync_api import Browser, Page
from running_studio import House
from sealed_search import STAFF

from dealer_ui.desk.pit import PIT_KINDS


class Served:
    """A running studio on a port of its own, and one browser context for each role.

    What the scripts of any page of it raise fails the test that closes it.
    """

    def __init__(self, house: House, browser: Browser) -> None:
        self.house = house
        self._port = OpenPort(house.studio.app, threads=house.floor.config.server.threads)
        self.address = self._port.address
        self._browser = browser
        self._pages: dict[str, Page] = {}
        self._opened: list[Page] = []
        self.errors: list[str] = []

    def page(self, role: str) -> Page:
        """The page of whoever holds that role, signed in."""
        if role not in self._pages:
            page = self.stranger()
            [(badge, pin)] = [(badge, pin) for _, badge, pin, held_role in STAFF if held_role == role]
            page.goto(f"{self.address}/sign-in")
            page.fill("#badge", badge)
            page.fill("#pin", pin)
            page.press("#pin", "Enter")
            page.wait_for_url(lambda url: "sign-in" not in url)
            self._pages[role] = page
        return self._pages[role]

    def stranger(self, path: str = "", *, width: int = 1280, height: int = 800) -> Page:
        """A browser of its own that nobody has signed in at, standing there if a path is given."""
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, accept_downloads=True, locale="en-US"
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        self._opened.append(page)
        if path:
            page.goto(self.address + path)
        return page

    def kept(self) -> list[tuple[str, dict[str, Any]]]:
        """What the journal holds of the pit's own acts, in order."""
        rows = self.house.floor.reader().events(kinds=PIT_KINDS)
        return [(row.kind, json.loads(row.body)["pit"]) for row in rows]

    def close(self) -> None:
        for page in self._opened:
            page.context.close()
        self.house.studio.close_streams()
        self._port.close()
        assert self.errors == []
