"""The dealer's console: what it shows in each state, and what its buttons ask."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import (
    BETTING,
    BURNING,
    DEALING,
    DECLARED,
    IDLE,
    FakeFloor,
    box,
    held,
    incident,
    lost,
)

from dealer_ui.frame.incident_menu import MENU
from dealer_ui.words.language import Languages
from studio.cards import DECK
from studio.errors import RefusedError
from studio.tables import command as c
from studio.views.shape import BoxView, CardView, HindranceView, ProcedureView, StepView, TableView, Words


def page_of(view: TableView, badge: str = "dora") -> str:
    return Visitor(app_over(FakeFloor(view)), badge).page("/dealer/knights1")


@pytest.mark.parametrize(
    ("view", "words"),
    [(IDLE, "Start the round"), (BURNING, "Burn 2 more"), (BETTING, "Bets are open"), (DEALING, "Player 3, card 2"),
     (DECLARED, "Clear the felt"), (held(), "Hands off: Card exposed")],
)  # fmt: skip
def test_the_next_act_stands_in_words(view: TableView, words: str) -> None:
    assert re.search(rf'class="act-words[^"]*">{re.escape(words)}<', page_of(view))


def test_the_big_button_is_the_primary_command_of_the_view() -> None:
    page = page_of(BETTING)
    form = page[page.index('id="form-close_betting-primary"') :]
    assert "data-primary" in form[: form.index("</form>")]
    assert "No more bets" in form[: form.index("</form>")]


def test_without_a_primary_act_the_page_says_that_the_hands_lead() -> None:
    assert "data-primary" not in page_of(DEALING)
    assert "Nothing to press" in page_of(DEALING)


def test_the_felt_is_drawn_as_it_stands() -> None:
    page = page_of(DEALING)
    assert re.search(r'id="place-player1-1" aria-label="Player 1, card 1: K♥, confirmed by shoe and camera"', page)
    assert re.search(r'class="place shoe" id="place-player2-2"', page)
    assert re.search(r'class="place unsure" id="place-banker-1"', page)
    assert re.search(r'class="place awaited" id="place-player3-2"', page)
    assert page.count('class="back"') == 4


def test_a_finished_round_names_the_hands_and_who_won() -> None:
    page = page_of(DECLARED)
    for words in ("Single Knight Nine", "Plain Six", "Single Knight Eight", "WIN", "LOSE", "TIE"):
        assert words in page


@pytest.mark.parametrize(("stage", "struck"), [("dealing", 0), ("voiding", 1), ("voided", 1), ("settled", 0)])
def test_the_cards_of_a_void_round_are_struck_through(stage: str, struck: int) -> None:
    page = page_of(altered(DEALING, round={"stage": stage}))
    assert len(re.findall(r'<section class="felt[^"]* struck"', page)) == struck


def test_no_sealed_card_is_drawn_whatever_the_view_carries() -> None:
    """A view that holds faces by mistake in places that are sealed, empty, awaited or unread shows none of them."""
    states = ("sealed", "sealed_owed", "empty", "awaited", "unread")
    faces = [str(card) for card in DECK[:20]]
    boxes = tuple(
        BoxView(key, f"box.{key}", tuple(CardView(n + 1, states[(n + i) % 5], faces[i * 4 + n]) for n in range(4)))
        for i, key in enumerate(("player1", "player2", "player3", "banker", "burn"))
    )
    page = page_of(replace(DEALING, boxes=boxes))
    page = page[page.index('id="live"') : page.index("<dialog")]
    assert '<b class="rank' not in page
    assert not any(card.sign in page for card in DECK)
    assert not any(re.search(rf"\b{face}\b", page) for face in faces)


def test_a_doubted_card_that_lies_face_down_keeps_its_back() -> None:
    doubted = replace(
        DEALING, boxes=(box("player1"), BoxView("burn", "box.burn", (CardView(1, "unsure", None, "unsure"),)))
    )
    assert page_of(doubted).count('class="back"') == 1


def test_a_held_table_shows_the_row_and_who_must_act() -> None:
    page = page_of(held(DEALING, incident()))
    assert 'class="band amber"' in page
    assert "TK4" in page
    assert "voids the round" in page
    assert "The pit boss rules" in page
    assert "data-primary" not in page


def test_the_dealer_acknowledges_where_the_row_says_so_and_nothing_else() -> None:
    mine = incident(
        "dropped_card",
        row={"id": "TK8", "ruling": "reuse_card", "options": ("reuse_card", "void_round"), "approval": "dealer"},
    )
    page = page_of(held(DEALING, mine))
    assert f'id="form-rule_incident-{mine.id}-reuse_card"' in page
    assert f'id="form-rule_incident-{mine.id}-void_round"' not in page


def test_a_ruling_shows_the_steps_still_to_carry_out() -> None:
    ruled = incident(
        "wrong_order",
        ruled="move_card",
        row={"ruling": "move_card", "approval": "dealer"},
        procedure=ProcedureView(
            (
                StepView("decide.dealer", "dealer", "done"),
                StepView("move_card.1", "dealer", "now"),
                StepView("move_card.2", "dealer", "later"),
            ),
            "dealer",
            1,
        ),
    )
    page = page_of(held(DEALING, ruled))
    assert "Move Player 3, card 2" in page
    assert "Move the card to the place shown." in page
    assert '<li class="now" data-n="2" aria-current="step">' in page
    assert '<p class="owed by-dealer"><b>Dealer</b>' in page


def test_a_lost_device_is_said_in_words() -> None:
    page = page_of(altered(DEALING, devices={"links": {"shoe": False, "camera": True}, "camera_blind": "dark"}))
    assert "Shoe LOST" in page
    assert "too dark" in page


def test_a_frozen_table_names_who_froze_it() -> None:
    assert "Frozen by Paul Pit" in page_of(
        altered(DEALING, now={"held": True, "frozen_by": "paul", "frozen_by_name": "Paul Pit"})
    )


def test_a_shoe_error_is_let_go_with_one_tap_that_names_its_reason() -> None:
    lifted = incident(
        "shoe_error", row={"id": "EV2", "ruling": "continue", "options": ("continue",), "approval": "dealer"}
    )
    page = page_of(held(DEALING, lifted))
    assert "Clear the error on the shoe, then name its reason." in page
    form = page[page.index(f'id="form-rule_incident-{lifted.id}-device_fault"') :]
    form = form[: form.index("</form>")]
    assert 'name="ruling" value="continue"' in form
    assert 'name="reason_code" value="device_fault"' in form


def test_a_table_held_by_the_disk_says_so_without_a_name() -> None:
    page = page_of(altered(DEALING, now={"held": True, "act": Words("act.disk"), "primary": None}))
    assert "The record takes nothing: call the pit" in page
    assert "Frozen" not in page
    assert "Stop dealing" in page


def test_every_kind_of_the_incident_menu_can_be_reported_in_one_or_two_taps() -> None:
    page = page_of(DEALING)
    for choice in MENU:
        assert f'name="kind" value="{choice.kind}"' in page
        for answer in choice.answers:
            assert all(f'name="{name}" value="{value}"' in page for name, value in answer.told)
            assert Languages().speak("en").knows(answer.words)


def test_a_report_reaches_the_table_with_its_circumstances() -> None:
    floor = FakeFloor(DEALING)
    fields = {"kind": "dropped_card", "with.identified": "true", "id": "x1", "seen": 7}
    answer = Visitor(app_over(floor), "dora").ask("knights1", "report_incident", **fields)
    assert answer.json == {"seq": 41}
    (asked,) = floor.asked
    assert isinstance(asked, c.ReportIncident)
    assert (asked.kind, asked.circumstances, asked.seen, asked.id) == (
        "dropped_card",
        (("identified", "true"),),
        7,
        "x1",
    )
    assert asked.actor.id == "dora"


def test_a_double_tap_is_one_act() -> None:
    floor = FakeFloor(IDLE)
    visitor = Visitor(app_over(floor), "dora")
    answers = [visitor.ask("knights1", "start_round", id="one", seen=7).json for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(floor.asked) == 1


def test_a_refusal_comes_back_as_its_sentence() -> None:
    floor = FakeFloor(IDLE)
    floor.refuse = RefusedError("moved_on", "The table has moved on; look again, then repeat what you still want.")
    answer = Visitor(app_over(floor), "dora").ask("knights1", "start_round", id="a", seen=3)
    assert answer.status_code == 409
    assert answer.json["refused"].startswith("The table has moved on")


def test_a_browser_without_scripts_is_led_back_and_a_resent_form_is_one_act() -> None:
    floor = FakeFloor(IDLE)
    visitor = Visitor(app_over(floor), "dora")
    form = {"command": "start_round", "seen": "7", "csrf": visitor.csrf, "back": "/dealer/knights1"}
    for _ in range(2):
        answer = visitor.client.post("/table/knights1/command", data=form, headers={"Accept": "text/html"})
        assert (answer.status_code, answer.headers["Location"]) == (303, "/dealer/knights1")
    assert len(floor.asked) == 1


@pytest.mark.parametrize("language", ["ja", "id"])
def test_the_console_speaks_other_languages(language: str) -> None:
    visitor = Visitor(app_over(FakeFloor(DEALING)), "dora")
    page = visitor.page(f"/dealer/knights1?language={language}")
    assert f'lang="{language}"' in page
    assert "Nothing to press" not in page
    assert "Nothing to press" not in visitor.page("/dealer/knights1"), "the station remembers its language"


def test_an_unknown_table_is_a_plain_page() -> None:
    answer = Visitor(app_over(FakeFloor(IDLE)), "dora").client.get("/dealer/nowhere", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "There is no such page" in answer.text


def test_with_one_pit_boss_the_dealer_asks_for_what_takes_two_people() -> None:
    unread = incident(
        "unread_card",
        row={
            "id": "HG14",
            "ruling": "reread_all",
            "options": ("reread_all", "void_round"),
            "approval": "two_people",
        },
    )
    page = page_of(held(DEALING, unread))
    form = page[page.index(f'id="form-rule_incident-{unread.id}-ask"') :]
    assert 'name="reason_code"' in form
    assert 'name="pin"' in form
    assert 'name="ruling" value="reread_all"' in form


def test_what_a_pit_boss_rules_alone_the_dealer_is_not_offered() -> None:
    assert "-ask" not in page_of(held(DEALING, incident()))


@pytest.mark.parametrize(
    ("why", "words", "says", "colour"),
    [("still_lost", "Hands off: Device lost", "Still not connected: the shoe.", "red"),
     ("felt_differs", "Lay the cards as on the screen", "Felt and record do not agree", "red"),
     ("", "Shoe back: go on", "What was lost is back", "amber")],
)  # fmt: skip
def test_the_dealer_goes_on_once_the_device_is_back_and_not_before(
    why: str, words: str, says: str, colour: str
) -> None:
    page = page_of(held(DEALING, lost(why=why)))
    band = page[page.index('<section class="band') : page.index("</section>", page.index('<section class="band'))]
    assert f'class="band {colour}"' in band
    assert f">{words}<" in band
    assert says in band
    button = re.search(r"<button class=\"button answer\"[^>]*>", band)
    assert button is not None
    assert (" disabled" in button[0]) is bool(why)
    assert "True</p>" not in band


def test_a_shoe_that_still_shows_its_error_takes_no_reason_yet() -> None:
    sentence = "The shoe still shows an error; clear it on the shoe first."
    error = incident(
        "shoe_error",
        row={
            "ruling": "continue",
            "options": ("continue",),
            "approval": "dealer",
            "hindered": {"continue": HindranceView(sentence, "shoe_error")},
        },
    )
    page = page_of(held(DEALING, error))
    assert sentence in page
    assert len(re.findall(r'class="button answer"[^>]* disabled>', page)) == 4
