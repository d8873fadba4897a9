"""The table's stream from a media server: begun and given back by WHEP, or HLS where the browser plays it by itself;
where it does not come the page shows the studio's camera, and says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from held_to_axe import LANGUAGES
from held_to_fit import unfit_on
from media_server import HLS, MADE, WHEP, MediaServer, unusable
from patience import wait_until
from play_house import Opener, PlayHouse
from playwright.sync_api import Page, expect
from sample import sampled
from test_play_fits import KNOWN
from test_play_picture import jpeg

from dealer_ui.config.file import TableSection

pytestmark = pytest.mark.browser

WHO = ("north", "ann.k-7")
OFFER = ("POST", WHEP, "application/sdp")
GIVEN_BACK = ("DELETE", MADE, "")
CAMERA_INSTEAD = {
    "en": "The live stream is away for now; you see the table’s camera.",
    "ja": "ライブ配信が届いていないため、テーブルのカメラを映しています。",
    "id": "Siaran langsung belum tersedia; Anda melihat kamera meja.",
}
STREAMS = "() => document.querySelector('#table-picture video').srcObject !== null"
DRAWN = "() => document.querySelector('#table-picture img').naturalWidth > 0"
PLAYS = "HTMLMediaElement.prototype.canPlayType = () => '{}'"
AGAIN_MS = 30_000


@pytest.fixture
def media() -> Iterator[MediaServer]:
    server = MediaServer()
    yield server
    server.close()


def house_of(open_studio: Opener, media: MediaServer, path: str) -> PlayHouse:
    house = open_studio("kkclash")
    section = TableSection(key="t1", title="Clash 1", game="kkclash", video=media.address + path)
    house.floor.config = house.floor.config.model_copy(update={"tables": (section,)})
    return house


def sees_the_camera(house: PlayHouse, page: Page, language: str = "en") -> None:
    """A part of it is drawn when the next one comes: the camera goes on while it is looked at."""
    expect(page.locator("#table-picture figcaption")).to_have_text(CAMERA_INSTEAD[language])
    expect(page.locator("#table-picture img")).to_be_visible()
    floor = house.floor

    def draws() -> bool:
        floor.now += 1_000
        floor.picture = (jpeg(floor.now // 1_000 % 250), floor.now)
        return bool(page.evaluate(DRAWN))

    wait_until(draws, look_s=0.25)


@pytest.mark.long
def test_a_stream_is_given_back_when_its_page_is_left(open_studio: Opener, media: MediaServer) -> None:
    house = house_of(open_studio, media, WHEP)
    page = house.launch(*WHO)
    assert media.next() == OFFER
    page.wait_for_function(STREAMS)
    expect(page.locator("#table-picture img")).to_be_hidden()
    page.click(".tabs a >> nth=2")
    assert media.next() == GIVEN_BACK
    page.go_back()
    assert media.next() == OFFER


def test_a_stream_is_given_back_when_the_picture_is_not_wanted(open_studio: Opener, media: MediaServer) -> None:
    house = house_of(open_studio, media, WHEP)
    page = house.launch(*WHO)
    assert media.next() == OFFER
    page.wait_for_function(STREAMS)
    page.click("#picture-on")
    assert media.next() == GIVEN_BACK
    expect(page.locator("#table-picture")).to_be_hidden()
    page.click("#picture-on")
    assert media.next() == OFFER


def test_an_answer_that_comes_after_the_page_stopped_asking_is_given_back(
    open_studio: Opener, media: MediaServer
) -> None:
    media.speaks.clear()
    house = house_of(open_studio, media, WHEP)
    page = house.launch(*WHO)
    assert media.next() == OFFER
    page.click("#picture-on")
    media.speaks.set()
    assert media.next() == GIVEN_BACK
    page.click("#picture-on")
    assert media.next() == OFFER
    page.wait_for_function(STREAMS)


@pytest.mark.parametrize("language", sampled(LANGUAGES, "ja"))
def test_an_unusable_answer_is_given_back_and_the_camera_is_shown(
    open_studio: Opener, media: MediaServer, language: str
) -> None:
    media.answer = unusable
    house = house_of(open_studio, media, WHEP)
    page = house.launch(*WHO, language=language, width=1280, height=800)
    assert media.next() == OFFER
    assert media.next() == GIVEN_BACK
    sees_the_camera(house, page, language)
    assert unfit_on(page, sizes=((320, 640), (800, 600), (1280, 800)), known=KNOWN) == []


def test_a_stream_that_was_refused_is_asked_for_again(open_studio: Opener, media: MediaServer) -> None:
    media.status = 503
    house = house_of(open_studio, media, WHEP)
    page = house.launch(*WHO)
    page.clock.install()
    page.reload()
    assert (media.next(), media.next()) == (OFFER, OFFER)
    sees_the_camera(house, page)
    page.clock.run_for(AGAIN_MS)
    assert media.next() == OFFER
    sees_the_camera(house, page)


@pytest.mark.long
def test_hls_is_not_tried_where_the_browser_does_not_play_it_by_itself(open_studio: Opener, media: MediaServer) -> None:
    house = house_of(open_studio, media, HLS)
    page = house.launch(*WHO)
    page.add_init_script(PLAYS.format(""))
    page.reload()
    sees_the_camera(house, page)
    assert page.get_attribute("#table-picture video", "src") is None


def test_hls_is_played_where_the_browser_does_it_by_itself(open_studio: Opener, media: MediaServer) -> None:
    house = house_of(open_studio, media, HLS)
    page = house.launch(*WHO)
    page.add_init_script(PLAYS.format("maybe"))
    page.reload()
    assert media.next()[:2] == ("GET", HLS)
    sees_the_camera(house, page)  # nothing is there to be played
