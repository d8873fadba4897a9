"""A sealed card is opened in a running studio: on pages of the pit, by two people, and shown to nobody before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from running_studio import PIT, TABLE, House
from sealed_search import spellings
from test_correction_page import Person

from studio.cards import Card
from studio.people import Pin
from studio.people.staffing import NewStaff
from studio.proof.audit.database import verify
from studio.tables import command as c

ROUND = f"{TABLE}-0000001"
LIST, WAITING = f"/pit/{TABLE}/round/{ROUND}/sealed", f"/pit/{TABLE}/sealed"
GIVEN = {"reason_code": "bettor_dispute", "words": "The bettor says he saw it."}
HEART = spellings(Card.parse("4h"))
"""The second burn card; no other card of the round is a four."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A settled round with four burns; its deck may deal two more."""
    with House(tmp_path) as made:
        made.betting()
        made.bet("one")
        made.floor.staff.add(NewStaff("p2", "2002", "Pavel", ("pit_boss",), Pin("730163")))
        made.floor.staff.add(NewStaff("u1", "3001", "Ute", ("auditor",), Pin("590427")))
        made.do(c.CloseBetting)
        made.deal_all()
        made.finish()
        yield made


def cards_in(page: str) -> dict[str, str]:
    """What may be asked for, by the words beside it."""
    found = re.findall(r'<label for="card-\d+">([^<]+)</label>.*?value="([0-9a-f]+)"', page, re.S)
    return dict(found)


def open_text(person: Person, path: str) -> str:
    status, page = person.page(path)
    assert status == 200
    return re.sub(r"<option[^>]*>[^<]*</option>", "", page)


def test_two_people_open_a_burn_card_and_nobody_sees_it_before(house: House) -> None:
    petra, pavel, ute = (
        Person(house, "2001", "730162"),
        Person(house, "2002", "730163"),
        Person(house, "3001", "590427"),
    )
    assert "The shoe this card came from may still deal" in open_text(petra, LIST)
    assert cards_in(open_text(petra, LIST)) == {}
    house.do(c.WithdrawShoe, PIT, reason_code="worn")
    house.until(lambda view: not view.shoe.deck)
    assert f'href="{LIST}"' in open_text(petra, f"/pit/{TABLE}/round/{ROUND}")
    found = cards_in(open_text(petra, LIST))
    assert list(found) == [f"Burn, card {n}" for n in (1, 2, 3, 4)]

    asked = {"card": found["Burn, card 2"], **GIVEN}
    assert petra.post(LIST, LIST, **asked).status_code == 409  # without the PIN
    assert petra.post(LIST, LIST, **asked, pin="730162").status_code == 303
    assert "sealed card is to be opened" in open_text(pavel, "/pit")
    assert "The bettor says he saw it." in open_text(pavel, WAITING)
    for person, path in ((petra, LIST), (pavel, WAITING), (ute, WAITING), (ute, f"/pit/{TABLE}/round/{ROUND}")):
        assert HEART.search(open_text(person, path)) is None, path

    waits = house.view.aftermath.sealed.asked
    assert waits is not None
    said = {"unsealing": waits.id, "answer": "approve"}
    assert petra.post(WAITING, WAITING, **said, pin="730162").status_code == 409  # his own
    assert pavel.post(WAITING, WAITING, **said).status_code == 409  # without the PIN
    assert pavel.post(WAITING, WAITING, **{**said, "unsealing": "t1-s9"}, pin="730163").status_code == 409
    assert ute.client.post(WAITING, data=said).status_code == 403
    assert pavel.post(WAITING, WAITING, **said, pin="730163").status_code == 303

    assert house.view.aftermath.sealed.asked is None
    shown = open_text(petra, LIST)
    assert "opened by two people" in shown
    assert len(re.findall(r'<span class="card ', shown)) == 1
    assert "opened the sealed card at Burn, card 2" in open_text(ute, f"/pit/{TABLE}/round/{ROUND}")
    assert "Open a sealed card" in open_text(ute, "/reports/exception?span=day")
    for path in (f"/tables/{TABLE}", f"/tables/{TABLE}/results", "/bettors/ann/record", f"/bettors/ann/record/{ROUND}"):
        assert HEART.search(house.get(path).get_data(as_text=True)) is None, path
    assert HEART.search(open_text(petra, f"/display/{TABLE}")) is None
    assert verify(house.database).ok


def test_a_card_whose_key_is_gone_stays_sealed_and_the_page_says_why(house: House) -> None:
    petra = Person(house, "2001", "730162")
    house.do(c.WithdrawShoe, PIT, reason_code="worn")
    house.until(lambda view: not view.shoe.deck)
    house.floor.key_of = lambda id: None
    card = cards_in(open_text(petra, LIST))["Burn, card 1"]
    answer = petra.post(LIST, LIST, card=card, **GIVEN, pin="730162")
    assert answer.status_code == 409
    assert "not in the key file any more" in answer.get_data(as_text=True)
    assert house.view.aftermath.sealed.asked is None


def test_a_dealer_sees_where_cards_lay_and_never_a_face(house: House) -> None:
    dana = Person(house, "1001", "4826")
    house.do(c.WithdrawShoe, PIT, reason_code="worn")
    house.until(lambda view: not view.shoe.deck)
    card = cards_in(open_text(dana, LIST))["Burn, card 2"]
    assert dana.post(LIST, LIST, card=card, **GIVEN, pin="4826").status_code == 303
    petra = Person(house, "2001", "730162")
    waits = house.view.aftermath.sealed.asked
    assert waits is not None
    said = {"unsealing": waits.id, "answer": "approve"}
    assert dana.post(WAITING, WAITING, **said, pin="4826").status_code == 409
    assert petra.post(WAITING, WAITING, **said, pin="730162").status_code == 303
    page = open_text(dana, LIST)
    assert '<span class="card ' not in page
    assert HEART.search(page) is None
    assert dana.page(f"/pit/{TABLE}/round/{ROUND}")[0] == 403


def test_a_round_that_never_was_has_no_page(house: House) -> None:
    assert Person(house, "2001", "730162").page(f"/pit/{TABLE}/round/none/sealed")[0] == 404
    assert "No sealed card waits" in open_text(Person(house, "3001", "590427"), WAITING)
