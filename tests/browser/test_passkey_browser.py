"""Passkeys in a real browser, with Chromium's own virtual authenticator: set up, shown and refused, by the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from held_to_axe import LANGUAGES, wrong_on
from held_to_fit import unfit_on
from playwright.sync_api import Browser, Page, expect
from running_studio import House
from sample import sampled
from served_house import Served
from test_card_fits import below_the_fold

from dealer_ui.desk.relying_party import RelyingParty
from dealer_ui.desk.second_factor import SecondFactors
from studio.people import NewStaff, Pin

pytestmark = pytest.mark.browser

KEY = {
    "protocol": "ctap2", "transport": "usb", "hasResidentKey": False, "hasUserVerification": False,
    "automaticPresenceSimulation": True,
}  # fmt: skip
PEOPLE = {"p1": ("2001", "730162", "/pit"), "d2": ("1002", "4829", "/dealer/t2")}
"""A pit boss and a dealer of the second table: both come in with a passkey and nothing else."""


@pytest.fixture
def served(tmp_path: Path, chromium: Browser) -> Iterator[Served]:
    with House(tmp_path, beside=("t2",)) as house:
        house.staff()
        staff = house.floor.staff
        staff.add(NewStaff("d2", "1002", "Hana", ("dealer",), Pin("4829")))
        found = Served(house, chromium)
        found.address = found.address.replace("127.0.0.1", "localhost")
        party = RelyingParty(found.address, "Test")
        staff.second = SecondFactors(staff, passkey_only=("pit_boss", "dealer"), party=party)
        yield found
        found.close()


class Plug:
    """Where a security key is plugged into a browser, and another after it."""

    def __init__(self, page: Page) -> None:
        self._devices = page.context.new_cdp_session(page)
        self._devices.send("WebAuthn.enable")
        self._in = self._devices.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})

    def another(self) -> None:
        self._devices.send("WebAuthn.removeVirtualAuthenticator", self._in)
        self._in = self._devices.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})


def asked_for(page: Page, act: str) -> None:
    page.wait_for_selector(f"#passkey[data-act={act}]")
    page.wait_for_selector("html[data-ready]")


def typed(page: Page, badge: str, pin: str) -> None:
    """Badge and PIN, by the keyboard."""
    page.wait_for_selector("#badge:focus")
    page.keyboard.type(badge)
    page.keyboard.press("Tab")
    page.keyboard.type(pin)
    page.keyboard.press("Enter")
    page.wait_for_selector("#passkey .button:focus")
    page.wait_for_selector("html[data-ready]")


@pytest.mark.parametrize("id", sampled(PEOPLE, "p1"))
def test_a_person_sets_up_a_passkey_and_comes_in_with_it(served: Served, id: str) -> None:
    badge, pin, path = PEOPLE[id]
    page = served.stranger(f"/sign-in?next={path}")
    Plug(page)
    typed(page, badge, pin)
    assert wrong_on(page) == []
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{path}")
    [own] = served.house.floor.staff.register.people[id].passkeys.values()
    assert own.name == "Passkey 1"
    page.locator("form[action='/sign-out'] button").last.click()
    page.goto(f"{served.address}/sign-in?next={path}")
    typed(page, badge, pin)
    expect(page.locator("#code")).to_have_count(0)
    assert wrong_on(page) == []
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{path}")
    [own] = served.house.floor.staff.register.people[id].passkeys.values()
    assert (own.uses, own.count > 0) == (1, True)


@pytest.mark.long
def test_another_is_set_up_and_removed_at_the_own_page(served: Served) -> None:
    page = served.stranger("/sign-in?next=/second-factor")
    plug = Plug(page)
    typed(page, *PEOPLE["p1"][:2])
    page.fill("#passkey-name", "Blue key")
    page.keyboard.press("Enter")
    page.wait_for_url("**/second-factor")
    expect(page.locator(".factors li")).to_have_count(1)
    page.wait_for_selector("html[data-ready]")
    page.keyboard.type("730162")
    page.keyboard.press("Enter")
    asked_for(page, "get")
    page.keyboard.press("Enter")
    asked_for(page, "create")
    page.keyboard.press("Enter")
    expect(page.locator("#passkey .refused")).to_contain_text("This passkey is set up already.")
    plug.another()
    page.fill("#passkey-name", "Green key")
    page.keyboard.press("Enter")
    expect(page.locator(".factors li")).to_have_count(2)
    assert wrong_on(page) == []
    page.wait_for_selector("html[data-ready]")
    page.fill("#pin", "730162")
    page.get_by_label("Remove Blue key").press("Enter")
    asked_for(page, "get")
    page.keyboard.press("Enter")
    expect(page.locator(".factors li b")).to_have_text(["Green key"])


def test_a_browser_that_can_show_none_says_so_in_a_sentence(served: Served) -> None:
    bare = served.stranger()
    bare.add_init_script("delete window.PublicKeyCredential")
    bare.goto(f"{served.address}/sign-in")
    typed(bare, *PEOPLE["p1"][:2])
    bare.keyboard.press("Enter")
    expect(bare.locator("#passkey .refused")).to_contain_text("This browser can use no passkey.")
    refusing = served.stranger()
    refusing.add_init_script(
        "navigator.credentials.create = () => Promise.reject(new DOMException('', 'NotAllowedError'))"
    )
    refusing.goto(f"{served.address}/sign-in")
    typed(refusing, *PEOPLE["p1"][:2])
    refusing.keyboard.press("Enter")
    expect(refusing.locator("#passkey .refused")).to_contain_text("No passkey was shown.")
    expect(refusing.locator("#passkey .button")).to_be_enabled()


def test_an_address_that_can_have_none_says_where_one_works(served: Served) -> None:
    page = served.stranger()
    page.goto(f"{served.address.replace('localhost', '127.0.0.1')}/sign-in")
    page.fill("#badge", PEOPLE["p1"][0])
    page.fill("#pin", PEOPLE["p1"][1])
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text(f"A passkey works at {served.address} alone")


@pytest.mark.parametrize("language", sampled(LANGUAGES, "id"))
def test_each_page_of_a_passkey_stands_on_one_screen(served: Served, language: str) -> None:
    staff = served.house.floor.staff
    staff.second = SecondFactors(staff, must=("pit_boss",), party=RelyingParty(served.address, "Test"))
    page = served.stranger(f"/sign-in?next=/second-factor&language={language}")
    Plug(page)
    typed(page, *PEOPLE["p1"][:2])
    assert (below_the_fold(page), unfit_on(page)) == ([], [])
    page.keyboard.press("Enter")
    page.wait_for_url("**/second-factor")
    assert (below_the_fold(page), unfit_on(page, ["Passkey 1"])) == ([], [])
    page.fill("#pin", PEOPLE["p1"][1])
    page.keyboard.press("Enter")
    asked_for(page, "get")
    assert (below_the_fold(page), unfit_on(page)) == ([], [])
