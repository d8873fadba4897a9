"""Tables moved from host to host on the floor's page, in a real browser at a web node; both hosts keep one record."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from nats_server import NatsServer, needs_nats
from open_port import OpenPort
from patience import PATIENCE_MS, wait_until
from playwright.sync_api import Browser, Page, expect
from wire_house import WireHouse

from dealer_ui.assembly import lease_keeper
from studio.journal.chain import check

pytestmark = [pytest.mark.browser, needs_nats]
PIN = "730162"
SIZES = ((800, 600), (1280, 800), (1920, 1080))


@pytest.fixture
def house(tmp_path: Path, postgres_address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[WireHouse]:
    """Host a has the tables 1 and 2, host b the tables 3 and 4."""
    monkeypatch.setattr(lease_keeper, "LOOK_S", 0.05)
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats, postgres=postgres_address) as made:
        made.open("t3")
        wait_until(lambda: made.web.floor.view("t3").now.status == "open")
        yield made


@pytest.fixture
def floor(house: WireHouse, chromium: Browser) -> Iterator[Page]:
    """Petra's page of the floor, signed in at the web node."""
    port = OpenPort(house.web.app)
    page = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en-US").new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{port.address}/sign-in")
    page.fill("#badge", "2001")
    page.fill("#pin", PIN)
    page.press("#pin", "Enter")
    page.wait_for_url(lambda url: "sign-in" not in url)
    page.goto(f"{port.address}/pit")
    expect(page.locator("#hosts .host.here")).to_have_count(3)
    yield page
    page.context.close()
    port.close()


def because(page: Page, key: str, words: str) -> None:
    page.select_option(f"#reason-{key}", "device_fault")
    page.fill(f"#words-{key}", words)
    page.fill(f"#pin-{key}", PIN)


def picture(page: Page, name: str) -> None:
    """For whoever wants to look: into the folder that PICTURES names."""
    if folder := os.environ.get("PICTURES"):
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=f"{folder}/{name}-{width}.png", full_page=True)


def runs(house: WireHouse, host: str) -> tuple[str, ...]:
    return tuple(sorted(one.key for one in house.hosts[host].leases.tables if one.worker.alive))


@pytest.mark.long
def test_a_host_is_drained_and_taken_back_and_a_table_sent_home_by_hand(
    house: WireHouse, floor: Page, postgres_address: str
) -> None:
    floor.click("#drain-b summary")
    because(floor, "drain-b", "a new disk")
    picture(floor, "drain-asked")
    floor.click("#drain-b .button")
    drained = floor.locator("#hosts .host.drained[data-host='b']")
    expect(drained).to_contain_text("Petra is moving everything off")
    expect(drained).to_contain_text("a new disk")
    wait_until(lambda: runs(house, "a") == ("t1", "t2", "t3", "t4") and runs(house, "b") == ())
    expect(drained).to_contain_text("0 tables")
    expect(floor.locator("#hosts .host[data-host='a'] .host-tables li")).to_have_count(4)
    expect(floor.locator("#row-t3 .row-act")).not_to_contain_text("cannot be reached")
    picture(floor, "drained")

    floor.click("#form-return_host-b .button")
    expect(floor.locator("#hosts .host.drained")).to_have_count(0)
    floor.click("#move-table summary")
    floor.select_option("#move-which", "t4")
    floor.select_option("#move-to", "b")
    because(floor, "move", "it is mended")
    picture(floor, "move-asked")
    floor.click("#move-table .button")
    wait_until(lambda: runs(house, "b") == ("t4",))
    expect(floor.locator("#hosts .host[data-host='b'] .host-tables")).to_contain_text("Table 4")
    expect(floor.locator("#sent-t4")).to_have_count(0)
    assert check(postgres_address) is None


@pytest.mark.long
def test_what_cannot_be_is_said_in_a_sentence(house: WireHouse, floor: Page) -> None:
    floor.click("#move-table summary")
    floor.select_option("#move-which", "t3")
    floor.select_option("#move-to", "b")
    because(floor, "move", "no reason")
    floor.click("#move-table .button")
    expect(floor.locator("body")).to_contain_text("The host b runs this table already.")
    house.stop_host("b")
    expect(floor.locator("#hosts .host.gone[data-host='b']")).to_be_visible()
    floor.click("#drain-a summary")
    because(floor, "drain-a", "a new disk")
    floor.click("#drain-a .button")
    expect(floor.locator("body")).to_contain_text("No other host that is running may have a table of a")
