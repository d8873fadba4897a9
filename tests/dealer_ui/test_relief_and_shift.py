"""Over a running studio: the next dealer takes over at the console, breaks, the plan, and the page of the shift."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from running_studio import DEALER, PIT, TABLE, House
from test_staff_pages import Person

from dealer_ui.rehearsal.demo.staff import give_papers
from studio.people import NewStaff, Pin
from studio.people.shift_event import ShiftClosed
from studio.tables import command as c


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("relief")) as found:
        found.staff()
        desk = found.floor.staff
        for id, badge, pin, name in (("d2", "1002", "4829", "Hana"), ("d3", "1003", "4831", "Nobu")):
            desk.add(NewStaff(id, badge, name, ("dealer",), Pin(pin)))
        desk.add(NewStaff("p2", "2002", "Pavel", ("pit_boss",), Pin("730163")))
        give_papers(desk, "d2")
        found.open()
        yield found


def relieve(at: Person, badge: str, pin: str) -> tuple[int, str]:
    answer = at.post(f"/dealer/{TABLE}/relief", badge=badge, pin=pin)
    told = re.search(r'class="refused" role="alert">([^<]*)<', answer.text)
    return answer.status_code, told[1] if told else ""


def who_is_in(at: Person) -> str:
    found = at.client.get("/whoami")
    return str(found.json["name"]) if found.status_code == 200 else ""


def test_the_next_dealer_takes_over_at_the_running_table_and_the_one_before_is_out(house: House) -> None:
    station = Person(house, "1001", "4826")
    page = station.get(f"/dealer/{TABLE}/relief").text
    assert "Between rounds" in page
    for badge, pin, why in (
        ("1002", "0000", "not the right PIN"),
        ("9", "4826", "do not match"),
        ("2001", "730162", "not a dealer"),
    ):
        code, told = relieve(station, badge, pin)
        assert (code, why in told) == (409, True)
    code, told = relieve(station, "1003", "4831")
    assert "Nobu has no dealing licence" in told
    assert (who_is_in(station), house.view.seat.dealer_name) == ("Dana", "Dana")
    assert relieve(station, "1002", "4829")[0] == 303
    assert (who_is_in(station), house.view.seat.dealer_name) == ("Hana", "Hana")
    assert house.floor.staff.register.people["d1"].stations == frozenset()
    assert house.floor.duty.of("d2").table == TABLE
    assert house.floor.duty.of("d1").table == ""


def test_a_dealer_at_anothers_table_is_shown_how_to_take_it_and_deals_nothing(house: House) -> None:
    house.do(c.ChangeDealer, PIT, dealer="d2", dealer_name="")
    dana = Person(house, "1001", "4826")
    assert "Take over" in dana.get(f"/dealer/{TABLE}").text
    answer = dana.post(f"/table/{TABLE}/command", command="start_round", seen=house.view.moves)
    assert "Hana deals at this table" in answer.text.replace("&#39;", "'")


def test_a_break_is_begun_by_the_pit_and_keeps_from_the_table_until_it_ends(house: House) -> None:
    pit = Person(house, "2001", "730162")
    house.do(c.ChangeDealer, PIT, dealer="d2", dealer_name="")
    assert pit.post("/break", act="begin", person="d2", back="/staff/d2").status_code == 409  # he deals
    assert pit.post("/break", act="begin", person="d1", back="/staff/d1").status_code == 303
    assert "On break" in pit.get("/staff").text
    dana = Person(house, "1001", "4826")
    assert "End your break" in dana.get(f"/dealer/{TABLE}").text
    assert "on a break" in relieve(dana, "1001", "4826")[1]
    assert dana.post("/break", act="end", person="d2").status_code == 409  # another's
    assert dana.post("/break", act="end").status_code == 303
    assert relieve(dana, "1001", "4826")[0] == 303
    assert house.view.seat.dealer == DEALER.id


def test_a_plan_is_set_in_minutes_and_shown_on_both_consoles(house: House) -> None:
    pit = Person(house, "2001", "730162")
    rows = {"dealer": ["d2", "", "d1"], "in_min": ["30", "40", "60"]}
    for _tap in range(2):
        assert pit.post(f"/table/{TABLE}/command", command="plan_rotation", id="q1", **rows).status_code == 303
    assert len(list(house.floor.reader().events(kinds=("RotationPlanned",)))) == 1
    assert [(id, name) for id, name, _ in house.view.seat.plan] == [("d2", "Hana"), ("d1", "Dana")]
    for path in (f"/pit/{TABLE}", f"/dealer/{TABLE}"):
        assert re.search(r"Next \d\d:\d\d Hana", pit.get(path).text)
    for bad in (
        {"dealer": ["d3"], "in_min": ["30"]},
        {"dealer": ["d2"], "in_min": ["soon"]},
        {"dealer": ["d2"], "in_min": ["0"]},
    ):
        assert pit.post(f"/table/{TABLE}/command", command="plan_rotation", **bad).status_code == 409
    assert len(house.view.seat.plan) == 2


def test_a_plan_that_another_pit_boss_has_made_meanwhile_stays(house: House) -> None:
    pit, other = Person(house, "2001", "730162"), Person(house, "2001", "730162")
    [begun] = {begun_for(one) for one in (pit, other)}
    rows = {"command": "plan_rotation", "in_min": ["30"]}
    assert pit.post(f"/table/{TABLE}/command", **rows, dealer=["d2"], about=begun).status_code == 303
    assert other.post(f"/table/{TABLE}/command", **rows, dealer=["d1"], about=begun).status_code == 409
    assert [id for id, _, _ in house.view.seat.plan] == ["d2"]


def begun_for(pit: Person) -> str:
    form = pit.get(f"/pit/{TABLE}").text.partition('id="control-plan"')[2].partition("</form>")[0]
    return re.findall(r'name="about" value="([^"]*)"', form)[0]


def test_a_long_spell_is_told_on_the_dealers_console(house: House) -> None:
    dana = Person(house, "1001", "4826")
    relieve(dana, "1001", "4826")
    spell = house.floor.duty.of(DEALER.id)
    house.floor.duty._spells[DEALER.id] = spell.__class__(TABLE, spell.at_table_ms, spell.since_ms - 61 * 60_000)
    assert "61 min without a break" in dana.get(f"/dealer/{TABLE}").text


def test_a_shift_is_opened_closed_with_what_is_open_and_acknowledged_by_the_next(house: House) -> None:
    petra, heard = Person(house, "2001", "730162"), list[tuple[ShiftClosed, int]]()
    house.floor.shifts.on_shift_closed.append(lambda closed, seq: heard.append((closed, seq)))
    assert petra.post("/shift", act="open").status_code == 303
    assert petra.post("/shift", act="open").status_code == 409
    house.do(c.CallPit)
    assert petra.post("/shift", act="close", words="cable", pin="").status_code == 409
    kept = petra.post("/shift", act="close", words="keep these words", pin="1")
    assert "keep these words" in kept.text
    assert petra.post("/shift", act="close", words="cable of <b>2</b>", pin="730162").status_code == 303
    [(closed, seq)] = heard
    assert [(one.what, one.about) for one in closed.matters] == [("call", "Dana"), ("unseen", "Dana")]
    [row] = house.floor.reader().events(kinds=("ShiftClosed",))
    assert row.seq == seq
    pavel = Person(house, "2002", "730163")
    page = pavel.get("/shift").text
    assert "cable of &lt;b&gt;2" in page
    assert "The pit is called" in page
    assert petra.post("/shift", act="acknowledge").status_code == 409
    assert pavel.post("/shift", act="acknowledge").status_code == 303
    assert pavel.post("/shift", act="sell").status_code == 409
    assert not house.floor.shifts.shifts.owes_acknowledgement


def test_only_a_pit_boss_keeps_the_shift_and_a_dealer_does_not_see_it(house: House) -> None:
    dana = Person(house, "1001", "4826")
    assert dana.get("/shift").status_code == 403
    assert dana.post("/shift", act="open").status_code == 403
