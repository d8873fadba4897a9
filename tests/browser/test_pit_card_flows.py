"""What the pit does about cards and tables, in a real browser by keys alone: shoe against camera, decks, the game."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from held_to_axe import wrong_on
from pit_house import DANA, PAVEL, PETRA, PicturedHouse, Pit, because, choose, pick, press, write
from playwright.sync_api import Browser, Page
from running_studio import DEAL, PIT, TABLE

from dealer_ui.config.file import DecksSection, LimitSection, PresetSection
from studio.cards import Card
from studio.proof.audit.database import verify
from studio.tables import command as c

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PicturedHouse]:
    with PicturedHouse(tmp_path) as made:
        made.staff()
        yield made


@pytest.fixture
def pit(house: PicturedHouse, chromium: Browser) -> Iterator[Pit]:
    made = Pit(house, chromium)
    yield made
    made.close()


def look(page: Page, name: str) -> None:
    if folder := os.environ.get("LOOK"):
        for width, height in ((800, 600), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=f"{folder}/{name}-{width}.png")


# --- HG15: shoe and camera differ ----------------------------------------------------------------------


def differing(house: PicturedHouse) -> str:
    """The shoe says eight of spades for Player 1's first card, the camera says jack of spades."""
    house.betting()
    house.bet("one", stake=1_000)
    house.do(c.CloseBetting)
    house.draw("8s")
    house.until(lambda view: face_of(house) == "8s")
    house.lay("player1", 1, DEAL[0])
    [incident] = house.until(lambda view: bool(view.incidents.open)).incidents.open
    assert incident.row.id == "HG15"
    return f"#incident-{incident.id}"


def face_of(house: PicturedHouse) -> str:
    place = next(box for box in house.view.boxes if box.key == "player1").places[0]
    return str(place.face or "")


@pytest.mark.parametrize(("ruling", "stands"), [("shoe", "8s"), ("camera", str(DEAL[0]))])
def test_the_pit_sees_both_eyes_side_by_side_and_rules_for_one(
    house: PicturedHouse, pit: Pit, ruling: str, stands: str
) -> None:
    card = differing(house)
    page = pit.comes(PETRA, f"/pit/{TABLE}")
    told = card.replace("incident-", "told-")
    page.wait_for_selector(f"{told} .evidence img")
    page.wait_for_function("one => document.querySelector(one).naturalWidth > 0", arg=f"{told} .evidence img")
    recorded = page.locator(f"{told} .evidence .shoe-read").bounding_box()
    picture = page.locator(f"{told} .evidence img").first.bounding_box()
    assert recorded is not None
    assert picture is not None
    assert recorded["x"] + recorded["width"] <= picture["x"]
    assert recorded["y"] < picture["y"] + picture["height"]
    because(page, card, "One looked at both.", PETRA[1])
    look(page, f"differ-{ruling}")
    assert wrong_on(page) == []
    press(page, f"{card} button[value={ruling}]")
    house.until(lambda view: not view.incidents.open)
    page.wait_for_selector(card, state="detached")
    assert face_of(house) == stands
    assert verify(house.database).ok


def test_a_card_named_by_hand_takes_a_second_person(house: PicturedHouse, pit: Pit) -> None:
    card = differing(house)
    page = pit.comes(PETRA, f"/pit/{TABLE}")
    because(page, card, "Neither: it is the nine.", PETRA[1])
    press(page, f"{card} .by-hand summary")
    pick(page, f"{card} [name='argument.manual']", "9s")
    press(page, f"{card} button[value=manual]")
    page.wait_for_selector(f"{card} .asked")
    look(page, "manual-own")
    assert page.locator(f"{card} .asked [name=pin]").count() == 0
    assert face_of(house) == "8s"
    second = pit.comes(PAVEL, "/pit")
    second.wait_for_selector(".alarm .second")
    look(second, "manual-floor")
    press(second, ".alarm .signs a")
    second.wait_for_selector(f"{card} .asked [name=pin]")
    assert "Neither: it is the nine." in second.inner_text(f"{card} .asked")
    assert "9♠" in second.inner_text(f"{card} .asked")
    look(second, "manual-second")
    assert wrong_on(second) == []
    write(second, f"{card} .asked [name=pin]", PAVEL[1])
    press(second, f"{card} .asked button.good")
    house.until(lambda view: not view.incidents.open)
    assert Card.parse(face_of(house)) == Card.parse("9s")
    assert verify(house.database).ok


# --- the register of decks -----------------------------------------------------------------------------


def second(page: Page, form: str) -> None:
    write(page, f"{form} [name=pin]", PETRA[1])
    write(page, f"{form} [name=second_badge]", DANA[0])
    write(page, f"{form} [name=second_pin]", DANA[1])


def form_of(act: str) -> str:
    return f"form:has([name=act][value={act}])"


def came_to(page: Page, state: str) -> None:
    page.wait_for_selector(f".deck-state.{state}")
    look(page, f"deck-{state}")
    assert wrong_on(page) == []


def test_a_decks_life_from_receipt_to_destruction_by_two_people(house: PicturedHouse, pit: Pit) -> None:
    house.floor.decks.rules = DecksSection.model_validate({"register": True, "backs": ["red", "blue"]})
    page = pit.comes(PETRA, "/decks")
    receive = form_of("receive")
    press(page, "#receive summary")
    for field, text in (("deck", "RED-1"), ("design", "casino"), ("seal", "S1"), ("place", "cage"), ("mark", "deck-")):
        if field == "seal":
            choose(page, f"{receive} [name=back]", "red")
        write(page, f"{receive} [name={field}]", text)
    second(page, receive)
    look(page, "receive")
    assert wrong_on(page) == []
    press(page, f"{receive} button")
    page.wait_for_url("**/decks/RED-1")
    came_to(page, "stored")
    choose(page, f"{form_of('issue')} [name=table]", TABLE)
    write(page, f"{form_of('issue')} [name=seal]", "S1")
    write(page, f"{form_of('issue')} [name=pin]", PETRA[1])
    press(page, f"{form_of('issue')} button")
    came_to(page, "resting")
    assert house.floor.decks.register.decks["RED-1"].table == TABLE
    house.open()  # verified by the shuffler, loaded by the dealer
    page.reload()
    came_to(page, "in_shoe")
    house.do(c.WithdrawShoe, PIT, reason_code="other", words="worn")
    page.reload()
    press(page, "details:has([name=act][value=withdraw]) summary")
    because(page, form_of("withdraw"), "worn", PETRA[1])
    write(page, f"{form_of('withdraw')} [name=place]", "safe")
    press(page, f"{form_of('withdraw')} button")
    came_to(page, "withdrawn")
    write(page, f"{form_of('destroy')} [name=how]", "drilled")
    second(page, form_of("destroy"))
    press(page, f"{form_of('destroy')} button")
    came_to(page, "destroyed")
    life = page.inner_text(".life")
    for words in ("Petra and Dana", "Brought to Table 1", "verified as deck-1"):
        assert words in life
    assert page.locator(".deck-acts form").count() == 0
    assert verify(house.database).ok


# --- a table's game and limits -------------------------------------------------------------------------


def test_the_pit_changes_a_tables_game_and_limits_and_everybody_follows(house: PicturedHouse, pit: Pit) -> None:
    high = {"*": LimitSection(least_minor=1000, most_minor=900_000)}
    presets = {
        "high": PresetSection(title="High", game="three_knights", limits=high),
        "ultimate": PresetSection(title="Ultimate", game="ultimate_holdem", window_s=12),
    }
    house.floor.config = house.floor.config.model_copy(update={"presets": presets})
    house.links()
    page, display = pit.comes(PETRA, f"/pit/{TABLE}"), pit.comes(PETRA, f"/display/{TABLE}")
    display.wait_for_selector("body[data-live]")
    press(page, f"a[href='/pit/{TABLE}/game']")
    page.wait_for_url("**/game")
    press(page, "a[href='?preset=high']")
    page.wait_for_url("**preset=high")
    write(page, "[name='least.*']", "2.50")
    because(page, "form.fields", "Friday night.", PETRA[1])
    look(page, "game-high")
    assert wrong_on(page) == []
    press(page, "form.fields button")
    page.wait_for_url(f"**/pit/{TABLE}")
    assert (house.view.game.preset, house.view.game.limits["player1_win"]) == ("high", (250, 900_000))
    assert "changed by Petra" in page.inner_text(".table-facts")
    display.wait_for_selector("text=€9,000.00")
    page.goto(f"{pit.address}/pit/{TABLE}/game?preset=ultimate")
    because(page, "form.fields", "The other game.", PETRA[1])
    look(page, "game-ultimate")
    press(page, "form.fields button")
    page.wait_for_url(f"**/pit/{TABLE}")
    assert house.get(f"/tables/{TABLE}").json["game"] == "ultimate_holdem"
    display.wait_for_selector("text=Ultimate")
    look(display, "game-display")
    assert verify(house.database).ok
