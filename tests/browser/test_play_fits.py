"""A bettor's page on a telephone, a tablet and a desk, in every phase of every game: the fields, the cards and the bar
on one screen, no word cut or covered, nothing too small for a finger, nothing wider than the screen."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from held_to_axe import LANGUAGES, wrong_on
from held_to_fit import SETTLED, unfit_on
from play_house import Opener
from play_seats import GAMES as PEER_GAMES
from play_seats import seat_him, seat_scenes
from play_stage import WHO, bets_of, open_and_bet, scenes, show
from playwright.sync_api import Page

from dealer_ui.public.layout import layout_of
from studio.games import HOUSE_GAMES, find_game
from studio.views.own import OwnChoice, OwnPlay

pytestmark = pytest.mark.browser

GAMES = [game.key for game in HOUSE_GAMES]
SCREENS = ((320, 640), (390, 844), (800, 600), (1280, 800), (1920, 1080))
TELEPHONES = SCREENS[:2]
HELD_TO_AXE = ((390, 844), (1280, 800))
SAMPLE = {"blackjack": "id", "kkclash": "ja", "three_knights": "ja", "nlh": "id"}
QUICK = ("blackjack",)
"""Of the sample; the others of it are long, and whatever is not in it belongs to the night."""
COVERED = """() => {
  const box = (one) => one.getBoundingClientRect();
  const bar = box(document.getElementById("bar"));
  const lies = ".bet-spot, .stage > .felt > .box, .arc-box, .plate";
  const found = [...document.querySelectorAll(lies)]
    .filter((one) => box(one).height && box(one).bottom > bar.top + 1).map((one) => one.id);
  for (const one of document.querySelectorAll("#bar button, #bar .own-cards")) {
    if (box(one).height && box(one).bottom > innerHeight + 1) found.push(`${one.id} is below the screen`);
  }
  for (const one of document.querySelectorAll(".stage > .felt > .box")) {
    if (box(one).width && box(one).right > box(one.parentElement).right + 1) found.push(`${one.id} leaves the felt`);
  }
  return found;
}"""
CROWDED = """() => {
  const box = (one) => one.getBoundingClientRect();
  const found = [];
  const boxes = [...document.querySelectorAll(".stage > .felt > .box")].filter((one) => one.offsetWidth);
  const cards = (one) => [...one.querySelectorAll(".card, .back, .bare")].filter((card) => card.offsetWidth).map(box);
  const leaves = (a, b) => a.left < b.left || a.right > b.right || a.top < b.top || a.bottom > b.bottom;
  const before = (a, b) => a.right + 2 <= b.left || a.bottom + 2 <= b.top;
  for (const [at, one] of boxes.entries()) {
    const out = cards(one).filter((card) => leaves(card, box(one)));
    if (out.length) found.push(`${out.length} cards leave ${one.id}`);
    for (const other of boxes.slice(at + 1)) {
      const touch = cards(one).some((a) => cards(other).some((b) => !before(a, b) && !before(b, a)));
      if (touch) found.push(`${one.id} and ${other.id} touch`);
    }
  }
  return found;
}"""
"""Cards that are wider than their box, and boxes whose cards touch."""
TOO_FULL = """() => {
  const words = "span:not(.spot-stack, .spot-stack *, .missed, .hidden-words)";
  return [...document.querySelectorAll(".bet-spot, .act, .choice, .chip-pick, .place-bets")]
    .filter((one) => one.offsetWidth && [...one.querySelectorAll(words)]
      .some((part) => part.offsetWidth > 1 && part.scrollWidth > one.clientWidth + 1)).map((one) => one.id);
}"""
"""Fields and buttons whose words are wider than they."""
TOO_SMALL = """() => [...document.querySelectorAll(".cloth.open button, #bar :is(button, input), .tabs :is(a, button)")]
  .filter((one) => one.offsetWidth > 1 && Math.min(one.offsetHeight, one.offsetWidth) < 44)
  .map((one) => `${one.id || one.textContent}: ${one.offsetWidth}x${one.offsetHeight}`)"""
"""What a finger has to hit and may miss."""
KNOWN = ("Live picture", "ライブ映像", "Gambar langsung")
"""Beside a sign; on a telephone the sign stands alone."""


def wrong(page: Page) -> dict[tuple[int, int], list[str]]:
    """On each screen: what is covered, cut or too wide, and on a telephone what is too small to be hit."""
    found = {}
    for size in SCREENS:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate("document.getElementById('table-picture').hidden = false")
        page.evaluate(SETTLED)
        looked = [
            *page.evaluate(COVERED),
            *page.evaluate(CROWDED),
            *page.evaluate(TOO_FULL),
            *unfit_on(page, sizes=(size,), known=KNOWN),
        ]
        found[size] = looked + (page.evaluate(TOO_SMALL) if size in TELEPHONES else [])
        found[size] += wrong_on(page) if size in HELD_TO_AXE else []
    return {size: looked for size, looked in found.items() if looked}


def cases(games: Sequence[str]) -> list[object]:
    sample = [
        pytest.param(game, (SAMPLE[game],), id=f"{game}-quick", marks=() if game in QUICK else pytest.mark.long)
        for game in games if game in SAMPLE
    ]  # fmt: skip
    rest = [(game, tuple(tag for tag in LANGUAGES if tag != SAMPLE.get(game))) for game in games]
    return [*sample, *(pytest.param(*one, id=one[0], marks=pytest.mark.night) for one in rest)]


@pytest.mark.parametrize(("game", "languages"), cases(GAMES))
def test_every_phase_of_a_round_fits_on_every_screen(
    open_studio: Opener, game: str, languages: tuple[str, ...]
) -> None:
    found = {}
    for language in languages:
        house = open_studio(game)
        page = house.launch(*WHO, language=language)
        bets = bets_of(game)
        open_and_bet(house, bets)
        for name, scene in scenes(game, bets).items():
            show(house, scene)
            house.shown(page)
            found[language, name] = wrong(page)
        page.context.close()
    assert {where: looked for where, looked in found.items() if looked} == {}


@pytest.mark.parametrize(("game", "languages"), cases(PEER_GAMES))
def test_every_moment_of_a_seat_fits_on_every_screen(
    open_studio: Opener, game: str, languages: tuple[str, ...]
) -> None:
    found = {}
    for language in languages:
        house = open_studio(game)
        page = house.launch(*WHO, language=language)
        for name, (view, seat) in seat_scenes(game).items():
            seat_him(house, view, seat)
            house.shown(page)
            found[language, name] = wrong(page)
        page.context.close()
    assert {where: looked for where, looked in found.items() if looked} == {}


def test_the_fields_stay_where_they_are_when_the_bar_asks_for_a_decision(open_studio: Opener) -> None:
    house = open_studio("ultimate_holdem")
    house.floor.open_bets(window_ms=3_600_000)
    page = house.launch(*WHO)
    where = "JSON.stringify(document.getElementById('spot-ante').getBoundingClientRect())"
    before = page.evaluate(where)
    page.click("[data-chip='500']")
    page.click("#spot-ante")
    assert page.evaluate(where) == before
    house.floor.own = OwnPlay("r.1", (OwnChoice("raise4", adds_minor=4_000), OwnChoice("check")))
    house.floor.close_bets()
    page.wait_for_selector("#choice--check")
    assert page.evaluate(where) == before


def test_every_game_is_drawn_here() -> None:
    assert [game for game in GAMES if list(layout_of(find_game(game)).bets()) == []] == []
