"""The server is killed while every kind of page stands open: each comes back by itself, live or at its sign-in form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest
from patience import PATIENCE_MS
from playwright.sync_api import Browser, BrowserContext, Page
from studio_process import StudioProcess

pytestmark = [pytest.mark.browser, pytest.mark.night]

GAMES: Final = ("three_knights", "blackjack")
TABLE: Final = "three-knights-1"

SIGN_INS: Final = {"dealer": ("1001", "4826"), "pit": ("2001", "730162"), "auditor": ("3001", "590427"),
                   "technician": ("4001", "604718"), "admin": ("9001", "915374")}  # fmt: skip
STAND_AT: Final[Mapping[str, tuple[str, ...]]] = {
    "dealer": (f"/dealer/{TABLE}", f"/hands/{TABLE}", f"/dealer/{TABLE}/relief"),
    "pit": ("/pit", f"/pit/{TABLE}", "/pit/complaints", "/shift", "/decks"),
    "auditor": ("/audit?words=J", "/reports", "/procedure"),
    "technician": ("/technician", f"/technician/{TABLE}/shoe", f"/technician/{TABLE}/camera/calibrate", "/devices"),
    "admin": ("/staff",),
}
"""Whoever works in a studio, and the pages he has open, all in one browser of his."""


class Night:
    """A demo on a port of its own that can be killed and started again on its database."""

    def __init__(self, folder: Path) -> None:
        self._database = folder / "studio.db"
        self._games = [word for game in GAMES for word in ("--game", game)]
        self.process = StudioProcess.demo(self._database, *self._games)
        self.address = f"http://127.0.0.1:{self.process.port}"

    def kill(self) -> None:
        self.process.kill()

    def again(self) -> None:
        port, before = self.process.port, self.process
        before.__exit__()
        at = ("--json", "--port", str(port), "--db", str(self._database))
        self.process = StudioProcess("demo", *at, *self._games, port=port, key=before.key)
        self.process.line()


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    made = Night(tmp_path)
    yield made
    made.process.__exit__()


def stand(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    live(page)
    return page


def live(page: Page) -> None:
    """It says nothing is wrong, and what lives on it has been heard of."""
    page.wait_for_selector("html[data-ready]")
    page.wait_for_selector("#offline", state="hidden")
    if page.get_attribute("body", "data-stream"):
        page.wait_for_selector("body[data-live]")


def sign_in(page: Page, who: str) -> None:
    badge, pin = SIGN_INS[who]
    page.fill("#badge", badge)
    page.fill("#pin", pin)
    page.press("#pin", "Enter")


def test_every_page_comes_back_when_the_server_was_killed(chromium: Browser, night: Night) -> None:
    contexts = {who: chromium.new_context() for who in (*SIGN_INS, "nobody")}
    pages: dict[str, list[Page]] = {}
    for who, paths in STAND_AT.items():
        first = contexts[who].new_page()
        first.set_default_timeout(PATIENCE_MS)
        first.goto(f"{night.address}/sign-in?next={quote(paths[0])}")
        sign_in(first, who)
        first.wait_for_url(f"**{paths[0]}")
        pages[who] = [first, *(stand(contexts[who], night.address + path) for path in paths[1:])]
    status, told = night.process.ask("POST", "/bettors/ann/pages", {"table": TABLE})
    assert status == 200
    public = [stand(contexts["nobody"], night.address + path) for path in (f"/display/{TABLE}", told["page"])]

    night.kill()
    for page in (*(page for who in pages for page in pages[who]), *public):
        if "/hands/" not in page.url:  # there the console in its frame says it
            page.wait_for_selector("#offline", state="visible")
    night.again()

    for page in public:
        live(page)
    for who, paths in STAND_AT.items():
        for page in pages[who]:
            page.wait_for_url("**/sign-in?next=*")
        sign_in(pages[who][0], who)
        for page, path in zip(pages[who], paths, strict=True):
            page.wait_for_url(f"**{path}")
            live(page)
    for context in contexts.values():
        context.close()
