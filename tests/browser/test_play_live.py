"""The table's stream is played for real: by WebRTC from another page of the browser, and as HLS from a film it took."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conftest import BROWSERS, FLAGS
from live_media import COLOUR, HLS, WHEP, LiveMedia
from patience import PATIENCE_MS, wait_until
from play_house import PlayHouse
from playwright.sync_api import Browser, Page, expect
from test_play_picture import jpeg
from test_play_video import CAMERA_INSTEAD, DRAWN

from dealer_ui.config.file import TableSection

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(600)]

WHO = ("north", "ann.k-7")
FRAMES = "() => document.querySelector('#table-picture video').getVideoPlaybackQuality().totalVideoFrames"
TIME = "() => document.querySelector('#table-picture video').currentTime"
PAINTED = """() => {
  const video = document.querySelector("#table-picture video"), canvas = document.createElement("canvas");
  canvas.width = canvas.height = 8;
  const pen = canvas.getContext("2d");
  pen.drawImage(video, 0, 0, 40, 40, 0, 0, 8, 8);
  return [...pen.getImageData(4, 4, 1, 1).data].slice(0, 3);
}"""
BARE = "--disable-features=WebRtcHideLocalIpsWithMdns"
"""Nobody here resolves the names that a browser hides its addresses behind."""


@pytest.fixture(scope="module")
def browser(chromium: Browser) -> Iterator[Browser]:
    """Another browser, whose WebRTC names its addresses. It is started where the one of all tests was."""
    path = next(one for one in BROWSERS if one.exists())
    made = chromium.browser_type.launch(executable_path=str(path), args=[*FLAGS, BARE])
    yield made
    made.close()


class Stage:
    """A media server, a page that sends, and a bettor's page that looks on."""

    def __init__(self, browser: Browser, path: str) -> None:
        self.media = LiveMedia()
        self.context = browser.new_context()
        self.sender = self._sender()
        self.house = PlayHouse(browser, "kkclash")
        section = TableSection(key="t1", title="Clash 1", game="kkclash", video=self.media.address + path)
        self.house.floor.config = self.house.floor.config.model_copy(update={"tables": (section,)})

    def _sender(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(self.media.sender)
        return page

    def looks_on(self) -> Page:
        self.page = self.house.launch(*WHO, width=1280, height=800)
        self.page.clock.install()
        self.page.reload()
        return self.page

    def goes(self) -> None:
        self.media.away = True
        self.sender.close()

    def comes_back(self) -> None:
        self.sender = self._sender()
        self.media.away = False

    def close(self) -> None:
        self.house.close()
        self.context.close()
        self.media.close()

    # --- what is seen ----------------------------------------------------------------------------------

    def is_live(self) -> None:
        """Pictures come, one after another; the camera is not shown and nothing is said."""
        self._until(lambda: self.page.evaluate(FRAMES) > 5)
        frames, at_s = self.page.evaluate(FRAMES), self.page.evaluate(TIME)
        wait_until(lambda: self.page.evaluate(FRAMES) > frames + 5 and self.page.evaluate(TIME) > at_s)
        expect(self.page.locator("#table-picture img")).to_be_hidden()
        expect(self.page.locator("#table-picture figcaption")).to_have_text("")

    def says_so(self) -> None:
        """The table's camera is there instead, and the page says why."""
        told = self.page.locator("#table-picture figcaption")
        self._until(lambda: told.text_content() == CAMERA_INSTEAD["en"])
        expect(self.page.locator("#table-picture img")).to_be_visible()
        floor = self.house.floor

        def draws() -> bool:
            floor.now += 1_000
            floor.picture = (jpeg(floor.now // 1_000 % 250), floor.now)
            return bool(self.page.evaluate(DRAWN))

        wait_until(draws, look_s=0.25)

    def _until(self, holds: object) -> None:
        """The page's own clock goes two seconds at each look: its waits are no one's to wait for."""

        def look() -> bool:
            self.page.clock.run_for(2_000)
            return bool(holds())  # type: ignore[operator]

        wait_until(look, look_s=0.25)


@pytest.fixture
def stage(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Stage]:
    made = Stage(browser, request.param)
    yield made
    made.close()


@pytest.mark.parametrize("stage", [WHEP], indirect=True)
def test_a_stream_by_webrtc_is_played_and_comes_back_after_its_server(stage: Stage) -> None:
    page = stage.looks_on()
    stage.is_live()
    painted = page.evaluate(PAINTED)
    assert all(abs(one - due) < 30 for one, due in zip(painted, COLOUR, strict=True)), painted
    stage.goes()
    stage.says_so()
    stage.comes_back()
    stage.is_live()
    assert stage.media.asked >= 2


@pytest.mark.parametrize("stage", [WHEP], indirect=True)
def test_a_stream_that_stands_still_is_not_shown_as_live(stage: Stage) -> None:
    stage.looks_on()
    stage.is_live()
    stage.sender.evaluate("window.moves = false")
    stage.says_so()
    stage.sender.evaluate("window.moves = true")
    stage.is_live()


@pytest.mark.parametrize("stage", [HLS], indirect=True)
def test_a_stream_by_hls_is_played(stage: Stage) -> None:
    stage.sender.evaluate("window.film(9000)")
    assert stage.media.film
    page = stage.looks_on()
    stage.is_live()
    assert page.evaluate("() => document.querySelector('#table-picture video').videoWidth") == 320
    stage.media.away = True
    stage.says_so()  # what had come is played to its end; then nothing more comes
    stage.media.away = False
    stage.is_live()
