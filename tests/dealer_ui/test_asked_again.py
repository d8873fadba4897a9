"""What takes two people, asked for once more by the back button: it is asked for, and never in the place of another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running_studio import PIT, TABLE, House
from test_staff_pages import Person

from studio.people import NewStaff, Pin
from studio.tables import command as c


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A round is over, and the shoe it came from deals no more."""
    with House(tmp_path) as made:
        made.betting()
        made.floor.staff.add(NewStaff("p2", "2002", "Pavel", ("pit_boss",), Pin("730163")))
        made.bet("one", stake=1_000)
        made.do(c.CloseBetting)
        made.deal_all()
        made.finish()
        made.do(c.WithdrawShoe, PIT, reason_code="worn")
        yield made


def hidden(page: str) -> dict[str, str]:
    """The fields of the form that the page asks by, which takes a PIN."""
    [form] = [one for one in re.findall(r"<form.*?</form>", page, re.DOTALL) if 'name="pin"' in one]
    return {**dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))}


def rows(house: House, kind: str) -> int:
    return len(list(house.floor.reader().events(kinds=(kind,))))


def taken_back(house: House, by: Person, what: str, **asked: str) -> None:
    assert by.post(f"/pit/{TABLE}/{what}", answer="decline", **asked).status_code == 303


BECAUSE = {"reason_code": "other", "words": "Misread.", "pin": "730162"}


def test_a_correction_that_was_taken_back_is_asked_for_again(house: House) -> None:
    petra, path = Person(house, "2001", "730162"), f"/pit/{TABLE}/round/{house.view.round.id}/correct"
    preview: Any = petra.post(path, void="1")
    form = {**hidden(preview.text), "void": "1", **BECAUSE}
    assert form["ask"]
    for times in (1, 2):
        for _tap in range(2):
            assert petra.post(path, **form).status_code == 303
        assert rows(house, "CorrectionAsked") == times
        waits = house.view.aftermath.correction
        assert waits is not None
        taken_back(house, petra, "correction", correction=waits.id)


def test_a_sealed_card_is_asked_for_again_and_another_one_by_the_same_page(house: House) -> None:
    petra, path = Person(house, "2001", "730162"), f"/pit/{TABLE}/round/{house.view.round.id}/sealed"
    page = petra.get(path).text
    first, second = re.findall(r'name="card" id="[^"]+" value="([^"]+)"', page)[:2]
    for times, card in enumerate((first, first, second), 1):
        for _tap in range(2):
            assert petra.post(path, **{**hidden(page), "card": card, **BECAUSE}).status_code == 303
        assert rows(house, "UnsealingAsked") == times
        waits = house.view.aftermath.sealed.asked
        assert waits is not None
        assert (waits.zone, waits.place) == ("burn", 1 if card == first else 2)
        other = petra.post(path, **{**hidden(page), "card": second if card == first else first, **BECAUSE})
        assert other.status_code == 409, "another one waits"
        taken_back(house, petra, "sealed", unsealing=waits.id)
