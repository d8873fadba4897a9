"""What a bettor opens beside the table: his history, a round of it, the rules with what they return, and what he is
told there; each read whole on a telephone and at a desk."""

from __future__ import annotations

import re

import pytest
from held_to_axe import LANGUAGES, wrong_on
from held_to_fit import unfit_on
from play_house import Opener
from play_stage import WHO, open_and_bet
from playwright.sync_api import Page, expect
from sample import sampled
from test_play_fits import KNOWN

from studio.games import find_game
from studio.views.shape import MessageView

pytestmark = pytest.mark.browser

SIZES = ((320, 640), (1280, 800))
BACK, RTP = re.compile(r"15[.,]00"), re.compile(r"97[.,]12")
TOLD = "Kartu dikocok ulang · cards are shuffled again"


def wrong(page: Page) -> list[str]:
    return unfit_on(page, sizes=SIZES, known=KNOWN) + wrong_on(page)


@pytest.mark.long
@pytest.mark.parametrize("language", sampled(LANGUAGES, "id"))
def test_history_messages_rules_and_rtp_are_read_whole(
    open_studio: Opener, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = open_studio("three_knights")
    returns = dict.fromkeys(find_game("three_knights").betting.bets, 97.12)
    monkeypatch.setattr(house.floor, "rtp", lambda table: returns)
    page = house.launch(*WHO, language=language)
    open_and_bet(house, ["player1_win"])
    house.floor.show(now={"messages": (MessageView(None, words=TOLD, id="m1"),)})
    expect(page.locator(".told")).to_contain_text(TOLD)
    assert wrong(page) == []
    house.floor.settle({"player1_win": 1_500})
    page.click(".tabs a[href*='/record']")
    line = page.locator(".round-lines a")
    expect(line).to_contain_text(BACK)
    assert wrong(page) == []
    line.click()
    expect(page.locator("main")).to_contain_text(BACK)
    assert wrong(page) == []
    page.click(".tabs a[href*='/rules']")
    expect(page.locator("main")).to_contain_text(RTP)
    assert wrong(page) == []
