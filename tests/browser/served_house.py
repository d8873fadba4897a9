"""A whole running studio on a port of its own, with a browser context for everybody who comes to it."""

from __future__ import annotations

import contextlib
import threading

from playwright.sync_api import Browser, Page
from running_studio import House
from sealed_search import STAFF
from waitress.server import create_server


class Served:
    """A running studio on a port of its own, and one browser context for each role."""

    def __init__(self, house: House, browser: Browser) -> None:
        self._server = create_server(house.studio.app, host="127.0.0.1", port=0, threads=24)
        self.address = f"http://127.0.0.1:{self._server.effective_port}"
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._browser = browser
        self._pages: dict[str, Page] = {}
        self._opened: list[Page] = []
        self.house = house
        self._console = house.studio.app.extensions["console"]

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            self._server.run()

    def page(self, role: str) -> Page:
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

    def stranger(self) -> Page:
        """A browser nobody has signed in at."""
        page = self._browser.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True).new_page()
        self._opened.append(page)
        return page

    def close(self) -> None:
        for page in self._opened:
            page.context.close()
        self._console.closing.set()
        self._server.task_dispatcher.shutdown(timeout=5)
        self._server.close()
