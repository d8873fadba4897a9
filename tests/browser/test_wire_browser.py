"""Tables on two hosts, looked at and worked through a web node in a real browser, while the wire comes and goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from nats_server import NatsServer, needs_nats
from open_port import OpenPort
from patience import PATIENCE_MS, wait_until
from playwright.sync_api import Browser, Page, expect
from running_studio import PIT
from wire_house import WireHouse

from studio.tables import command as c

pytestmark = [pytest.mark.browser, needs_nats]

UNREACHABLE = "cannot be reached"


@dataclass
class Stage:
    """A web node on a port of its own, and a browser context for everybody who comes to it."""

    house: WireHouse
    nats: NatsServer
    port: OpenPort
    browser: Browser
    pages: list[Page] = field(default_factory=list)

    def page(self, path: str) -> Page:
        page = self.browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US").new_page()
        self.pages.append(page)
        page.set_default_timeout(PATIENCE_MS)
        page.goto(self.port.address + path)
        return page

    def pit(self, path: str) -> Page:
        """Petra's page, signed in at the web node."""
        page = self.page("/sign-in")
        page.fill("#badge", "2001")
        page.fill("#pin", "730162")
        page.press("#pin", "Enter")
        page.wait_for_url(lambda url: "sign-in" not in url)
        page.goto(self.port.address + path)
        return page


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Stage]:
    """One studio for all: each test leaves it with both hosts there, and no table frozen."""
    folder = tmp_path_factory.mktemp("stage")
    with NatsServer(folder) as nats, WireHouse(folder, nats) as house:
        for table in ("t1", "t3"):
            house.open(table)
            wait_until(lambda table=table: house.web.floor.view(table).now.status == "open")  # type: ignore[misc]
        port = OpenPort(house.web.app)
        made = Stage(house, nats, port, chromium)
        yield made
        for page in made.pages:
            page.context.close()
        port.close()


def test_the_pit_works_tables_on_two_hosts_through_one_web_node(stage: Stage) -> None:
    floor = stage.pit("/pit")
    expect(floor.locator("#tables > .row")).to_have_count(4)
    for name, state in (("a", "here"), ("b", "here"), ("web-1", "here")):
        expect(floor.locator(f"#hosts .host.{state}[data-host='{name}']")).to_be_visible()
    for table in ("t1", "t3"):
        floor.locator(f"#form-freeze_table-{table} button").click()
        expect(floor.locator(f"#row-{table} .state")).to_have_class("state held")
        assert stage.house.at_host(table).now.frozen_by == PIT.id
        stage.house.do(table, c.ReleaseTable, PIT, reason_code="checked", words="Looked at it, all in order.")


def test_screens_grow_old_while_the_wire_is_down_and_come_back_by_themselves(stage: Stage) -> None:
    pit, display = stage.pit("/pit/t3"), stage.page("/display/t3")
    expect(display.locator("body")).not_to_contain_text(UNREACHABLE)
    stage.nats.stop()
    for page in (pit, display):
        expect(page.locator("body")).to_contain_text(UNREACHABLE)
    stage.nats.start()
    for page in (pit, display):
        expect(page.locator("body")).not_to_contain_text(UNREACHABLE)
    assert stage.house.at_host("t3").now.status == "open"


@pytest.mark.long
def test_a_host_that_goes_is_told_on_the_floor_and_when_it_is_back(stage: Stage) -> None:
    floor, dealers = stage.pit("/pit"), stage.page("/display/t1")
    stage.house.stop_host("b")
    expect(floor.locator("#hosts .host.gone[data-host='b']")).to_be_visible()
    expect(floor.locator("#row-t3 .row-act")).to_contain_text(UNREACHABLE)
    expect(floor.locator(".alarm-list")).to_contain_text("host cannot be reached")
    expect(dealers.locator("body")).not_to_contain_text(UNREACHABLE)
    stage.house.start_host("b")
    expect(floor.locator("#hosts .host.here[data-host='b']")).to_be_visible()
    expect(floor.locator("#row-t3 .row-act")).not_to_contain_text(UNREACHABLE)
    expect(floor.locator(".alarm-list")).not_to_contain_text("host cannot be reached")
