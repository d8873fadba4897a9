"""A running studio with the camera's pictures, and people of the pit at browsers of their own who use keys alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from heard import press as key
from heard import write as typed
from playwright.sync_api import Page
from running_studio import House
from served_house import Served
from test_keyboard import go_to

from dealer_ui.process.evidence import EvidenceFolder
from studio import ports
from studio.cards import Card
from studio.people import Pin
from studio.people.staffing import NewStaff

PETRA, PAVEL, DANA = ("2001", "730162"), ("2002", "730163"), ("1001", "4826")
CHOICES_MAX = 60


class PicturedHouse(House):
    """Its camera keeps a picture of every card it sees lie open."""

    def lay(self, zone: str, place: int, card: Card | None = None) -> None:
        if card is None:
            super().lay(zone, place)
            return
        self.say("camera", ports.CameraSawCard, zone=zone, place=place, face=ports.CardFace.UP,
                 card=self.sealer.card(card), confidence=0.99, evidence=self.picture(str(card)))  # fmt: skip

    def picture(self, words: str) -> str:
        drawn = np.full((168, 120, 3), 235, np.uint8)
        cv2.putText(drawn, words, (18, 95), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (40, 30, 160), 4)
        return EvidenceFolder(Path(self.floor.config.studio.evidence)).keep(cv2.imencode(".png", drawn)[1].tobytes())

    def staff(self) -> None:
        super().staff()
        if "p2" not in self.floor.staff.register.people:
            self.floor.staff.add(NewStaff("p2", "2002", "Pavel", ("pit_boss",), Pin("730163")))

    def kinds(self, *kinds: str) -> list[str]:
        return [row.kind for row in self.floor.reader().events(kinds=kinds)]


class Pit(Served):
    """The studio on a port; whoever comes signs in by keys, in a browser of their own."""

    def comes(self, who: tuple[str, str], path: str) -> Page:
        page = self.stranger("/sign-in")
        write(page, "#badge", who[0])
        write(page, "#pin", who[1])
        key(page, "Enter")
        page.wait_for_url(lambda url: "sign-in" not in url)
        page.goto(self.address + path)
        page.wait_for_selector("html[data-ready]")
        return page


def write(page: Page, field: str, text: str) -> None:
    """Over whatever stands there, and look at what has been written."""
    for _ in range(CHOICES_MAX):
        reach(page, field)
        key(page, "Control+a")
        typed(page, text)
        if page.eval_on_selector(field, "one => one.value") == text:
            return
    raise AssertionError(f"{field} never came to {text}")


def reach(page: Page, selector: str) -> None:
    if not page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
        go_to(page, selector)


def press(page: Page, selector: str) -> None:
    reach(page, selector)
    key(page, "Enter")


def choose(page: Page, selector: str, value: str) -> None:
    """With the arrow, until it stands there."""
    reach(page, selector)
    for _ in range(CHOICES_MAX):
        chosen: Any = page.evaluate("document.activeElement.value")
        if chosen == value:
            return
        key(page, "ArrowDown")
    raise AssertionError(f"{selector} never came to {value}")


def pick(page: Page, selector: str, value: str) -> None:
    """Of a list, or of what stands open side by side."""
    reach(page, selector)
    if page.evaluate("document.activeElement.type") != "radio":
        return choose(page, selector, value)
    key(page, "Space")
    for _ in range(CHOICES_MAX):
        if page.evaluate("document.activeElement.checked && document.activeElement.value") == value:
            return None
        key(page, "ArrowRight")
    raise AssertionError(f"{selector} never came to {value}")


def because(page: Page, form: str, words: str, pin: str) -> None:
    pick(page, f"{form} [name=reason_code]", "other")
    write(page, f"{form} [name=words]", words)
    write(page, f"{form} [name=pin]", pin)
