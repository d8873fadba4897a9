"""What the second of two people is shown before he agrees, and what the first is told when he has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from running_studio import PIT, TABLE, House
from test_correction_page import Person, card_of

from dealer_ui.access.sessions import Viewer
from dealer_ui.frame.screen import Asked
from dealer_ui.pages.pit.correction_route import draw
from dealer_ui.words.language import Languages
from studio.people import Actor, Pin
from studio.people.staffing import NewStaff
from studio.tables import command as c
from studio.views.shape import IncidentView

PAVEL = Actor("p2", "Pavel", frozenset({"pit_boss"}))
WHY = {"reason_code": "camera_view"}
PAGE, WAITING, SEALED = f"/pit/{TABLE}", f"/pit/{TABLE}/correction", f"/pit/{TABLE}/sealed"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A round whose last card lies open, nothing declared: Ann's ten euros on Player 1 tie."""
    with House(tmp_path) as made:
        made.betting()
        made.floor.staff.add(NewStaff(PAVEL.id, "2002", PAVEL.name, ("pit_boss",), Pin("730163")))
        made.bet("one", stake=1_000)
        made.do(c.CloseBetting)
        made.deal_all()
        yield made


def words_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def asked(house: House) -> IncidentView:
    [found] = [one for one in house.view.incidents.open if one.asked.by]
    return found


def text_of(who: Person, path: str) -> str:
    status, text = who.page(path)
    assert status == 200
    return words_of(text[text.index("<main") :])


def test_whoever_approves_another_card_sees_whose_money_moves_and_by_how_much(house: House) -> None:
    petra, pavel = Person(house, "2001", "730162"), Person(house, "2002", "730163")
    house.do(c.OverrideCard, PIT, box="player1", place=3, card="Ts", words="", **WHY)
    shown = text_of(pavel, PAGE)
    assert "Petra asks for: Enter the card by hand" in shown
    assert "What this moves The bets behind it: 1" in shown
    assert "Stake €10.00 · Pays now €10.00 → Would pay €0.00" in shown
    assert "Player 1 tie → lose" in shown.lower().replace("player 1", "Player 1")
    assert re.search(r"north:ann .* €10\.00 €10\.00 €0\.00", shown)
    assert "6♦ → 10♠" in shown

    one = asked(house)
    house.do(c.ApproveRuling, PAVEL, incident=one.id, asked=one.asked.mark)
    told = text_of(petra, PAGE)
    assert re.search(r"Pavel approved this at [0-9:]+\. Enter the card by hand 10♠", told)
    assert "again" not in told.partition("Pavel approved")[2].partition("Void")[0]


def test_whoever_approves_a_void_sees_that_every_stake_goes_back(house: House) -> None:
    petra, pavel = Person(house, "2001", "730162"), Person(house, "2002", "730163")
    house.do(c.VoidRound, PIT, **WHY)
    assert "Stake €10.00 · Pays now €10.00 → Would pay €10.00" in text_of(pavel, PAGE)
    house.do(c.DeclineRuling, PAVEL, incident=asked(house).id)
    assert re.search(r"Pavel declined this at [0-9:]+: nothing was changed\. Void the round", text_of(petra, PAGE))


def test_a_card_asked_for_in_the_middle_of_the_deal_shows_the_stakes_and_that_nothing_is_paid_yet(
    tmp_path: Path,
) -> None:
    with House(tmp_path) as house:
        house.betting()
        house.bet("one", stake=1_000)
        house.do(c.CloseBetting)
        house.draw("Js")
        house.lay("player1", 1, None)
        house.until(lambda view: any(one.places[0].face for one in view.boxes))
        house.do(c.OverrideCard, PIT, box="player1", place=1, card="9c", words="", **WHY)
        assert "Stake €10.00 · Pays now – → Would pay –" in text_of(Person(house, "2001", "730162"), PAGE)


def test_a_correction_shows_its_bets_to_the_second_person_and_tells_the_first_what_he_said(house: House) -> None:
    house.finish()
    round = house.view.round.id
    correct = f"/pit/{TABLE}/round/{round}/correct"
    petra, pavel = Person(house, "2001", "730162"), Person(house, "2002", "730163")
    assert "No correction waits here." in text_of(petra, WAITING)
    fields = {card_of(house, petra.page(correct)[1], "Player 1, card 3"): "Ts", "ask": "1",
              "reason_code": "camera_view", "words": "It was <the> ten."}  # fmt: skip

    refused = petra.post(correct, correct, **fields, pin="915374")
    page = refused.get_data(as_text=True)
    assert refused.status_code == 409
    assert '<option value="camera_view" selected>' in page
    assert 'value="It was &lt;the&gt; ten."' in page
    assert re.search(r'name="pin"[^>]*aria-invalid="true"', page)
    assert "€10.00 back" in page

    assert petra.post(correct, correct, **fields, pin="730162").status_code == 303
    shown = text_of(pavel, WAITING)
    assert "The bets behind it: 1" in shown
    assert re.search(r"north:ann .* €10\.00 €10\.00 €0\.00 −€10\.00", shown)
    assert house.view.aftermath.correction is not None
    told = {"correction": house.view.aftermath.correction.id, "answer": "decline"}
    assert pavel.post(WAITING, WAITING, **told).status_code == 303
    assert re.search(r"Pavel declined this at [0-9:]+: nothing was changed\. Round 1", text_of(petra, WAITING))

    assert petra.post(correct, correct, **fields, pin="730162").status_code == 303
    assert house.view.aftermath.correction is not None
    told = {"correction": house.view.aftermath.correction.id, "answer": "approve", "pin": "730163"}
    assert pavel.post(WAITING, WAITING, **told).status_code == 303
    house.until(lambda view: view.aftermath.correction is None)
    assert re.search(r"Pavel approved this at [0-9:]+\. It is done\. Round 1", text_of(petra, WAITING))


def test_the_first_person_hears_that_he_took_it_back_himself(house: House) -> None:
    house.finish()
    petra = Person(house, "2001", "730162")
    correct = f"/pit/{TABLE}/round/{house.view.round.id}/correct"
    fields = {"void": "1", "ask": "1", "reason_code": "camera_view", "words": "All of it."}
    assert petra.post(correct, correct, **fields, pin="730162").status_code == 303
    assert house.view.aftermath.correction is not None
    told = {"correction": house.view.aftermath.correction.id, "answer": "decline"}
    assert petra.post(WAITING, WAITING, **told).status_code == 303
    assert "Petra took this back" in text_of(petra, WAITING)
    assert "No sealed card waits" in text_of(petra, SEALED)


def test_a_dealer_of_another_table_is_shown_nothing_on_the_live_page(house: House) -> None:
    """The page itself is refused to him; its stream, which any dealer may open, tells him nothing."""
    house.finish()
    petra = Person(house, "2001", "730162")
    correct = f"/pit/{TABLE}/round/{house.view.round.id}/correct"
    fields = {"void": "1", "ask": "1", "reason_code": "camera_view", "words": "All of it."}
    assert petra.post(correct, correct, **fields, pin="730162").status_code == 303
    stranger = Viewer("t", "x", "d9", "Dora", frozenset({"dealer"}), 0)
    values = draw(Asked(house.floor, TABLE, stranger, Languages().speak("en")))[1]
    assert (values["waits"], values["last"]) == (None, None)
