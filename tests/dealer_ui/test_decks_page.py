"""The pages of the register of decks in a running studio: two people, one table, the journal, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running_studio import DEALER, PIT, TABLE, House

from dealer_ui.config.file import DecksSection
from dealer_ui.floor.cause import causes_of
from studio.errors import RefusedError
from studio.journal import Entry, MovedError, Unit
from studio.people import Pin
from studio.people.staffing import NewStaff
from studio.ports import ShufflerHello
from studio.proof.audit.database import verify
from studio.reports import ReportAsked, cut
from studio.reports.deck import make as deck_report
from studio.tables import command as c
from studio.tables.event.record import write_body
from studio.tables.event.table import DeviceLost, DeviceProved

DECK = {
    "act": "receive", "deck": "RED-1", "design": "casino", "back": "red", "packs": "1", "seal": "S1", "place": "cage",
    "mark": "deck-", "pin": "730162", "second_badge": "1001", "second_pin": "4826",
}  # fmt: skip


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as found:
        found.staff()
        found.floor.staff.add(NewStaff("u1", "3001", "Uma", ("auditor",), Pin("590427")))
        found.floor.decks.rules = DecksSection.model_validate({"register": True, "backs": ["red", "blue"]})
        yield found


def visit(house: House, badge: str = "2001", pin: str = "730162") -> Any:
    visitor = house.studio.app.test_client()
    assert visitor.post("/sign-in", data={"badge": badge, "pin": pin}).status_code in (200, 303)
    return visitor


def send(visitor: Any, house: House, **fields: str) -> Any:
    page = visitor.get("/decks").get_data(as_text=True)
    csrf = page.split('name="csrf" value="')[1].split('"')[0]
    return visitor.post("/decks", data={**fields, "csrf": csrf})


def act(visitor: Any, house: House, name: str, **fields: str) -> Any:
    return send(visitor, house, act=name, deck="RED-1", pin="730162", **fields)


def test_a_deck_is_received_brought_out_loaded_and_its_life_is_on_its_page(house: House) -> None:
    visitor = visit(house)
    assert send(visitor, house, **DECK).status_code == 303
    assert act(visitor, house, "issue", table=TABLE, seal="S1").status_code == 303
    house.open()
    page = visitor.get("/decks/RED-1").get_data(as_text=True)
    for word in ("Taken in by Petra and Dana", "In the shoe", "verified as deck-1", "Brought to Table 1"):
        assert word in page
    assert act(visitor, house, "withdraw", place="safe", reason_code="other", words="worn").status_code == 409
    house.do(c.WithdrawShoe, PIT, reason_code="other", words="worn")
    assert act(visitor, house, "withdraw", place="safe", reason_code="other", words="worn").status_code == 303
    gone = {"how": "drilled", "second_badge": "1001", "second_pin": "4826"}
    assert act(visitor, house, "destroy", **gone).status_code == 303
    assert verify(house.database).first_wrong is None


def test_a_deck_that_lies_in_the_shoe_is_on_record_whoever_was_quicker_at_the_desk(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = visit(house)
    send(visitor, house, **DECK)
    act(visitor, house, "issue", table=TABLE, seal="S1")
    desk, met = house.floor.decks, []

    def commit(unit: Unit) -> int:
        if not met and unit.entries[0].kind == "DeckLoaded":
            met.append(unit)
            raise MovedError
        return kept(unit)

    kept = desk._commit
    monkeypatch.setattr(desk, "_commit", commit)
    house.open()
    assert met
    assert "In the shoe" in visitor.get("/decks/RED-1").get_data(as_text=True)
    assert [row.kind for row in house.floor.reader().events(kinds={"DeckLoaded"})] == ["DeckLoaded"]


def test_a_deck_the_register_does_not_know_at_this_table_is_not_loaded(house: House) -> None:
    with pytest.raises(RefusedError) as told:
        house.open()
    assert told.value.key == "deck_unregistered"
    with pytest.raises(RefusedError) as told:
        house.do(c.VerifyDeck, PIT, deck_id="mine", words="counted")
    assert told.value.key == "deck_unregistered"


@pytest.mark.parametrize(
    ("change", "word"),
    [
        pytest.param({"pin": ""}, "Enter your PIN again", id="no-pin"),
        pytest.param({"pin": "915374"}, "PIN", id="a-wrong-pin"),
        pytest.param({"second_badge": ""}, "Two people do this", id="alone"),
        pytest.param({"second_badge": "8888"}, "Nobody of the staff", id="nobodys-badge"),
        pytest.param({"second_pin": "4321"}, "PIN", id="the-seconds-wrong-pin"),
        pytest.param({"second_badge": "2001", "second_pin": "730162"}, "his own witness", id="with-himself"),
        pytest.param({"packs": "x"}, "1 to 8 packs", id="no-number"),
        pytest.param({"back": "green"}, "these backs only", id="a-foreign-back"),
    ],
)
def test_a_refused_receipt_says_why_and_keeps_what_was_typed_but_no_pin(
    house: House, change: dict[str, str], word: str
) -> None:
    answer = send(visit(house), house, **{**DECK, **change})
    page = answer.get_data(as_text=True)
    assert answer.status_code == 409
    assert word in page
    assert 'value="RED-1"' in page
    assert "730162" not in page
    assert "4826" not in page
    assert not house.floor.decks.register.decks


def test_an_auditor_looks_and_does_not_act_and_a_dealer_does_not_look(house: House) -> None:
    assert send(visit(house), house, **DECK).status_code == 303
    auditor = visit(house, "3001", "590427")
    page = auditor.get("/decks/RED-1").get_data(as_text=True)
    assert "Bring it to a table" not in page
    csrf = page.split('name="csrf" value="')[1].split('"')[0]
    assert auditor.post("/decks", data={"act": "issue", "deck": "RED-1", "csrf": csrf}).status_code == 403
    assert visit(house, "1001", "4826").get("/decks").status_code == 403
    assert DEALER.may("witness_decks")


def test_an_unknown_deck_or_act_is_said_to_be_unknown(house: House) -> None:
    visitor = visit(house)
    assert visitor.get("/decks/none").status_code == 404
    assert send(visitor, house, act="eat", deck="RED-1", pin="730162").status_code == 409
    assert act(visitor, house, "issue", table="t9", seal="S1").status_code == 409


def test_the_register_comes_back_after_a_restart(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.staff()
        assert send(visit(house), house, **DECK).status_code == 303
    with House(tmp_path) as house:
        assert house.floor.decks.register.decks["RED-1"].place == "cage"


def ask(visitor: Any, house: House, command: str, **fields: str) -> Any:
    page = visitor.get(f"/pit/{TABLE}").get_data(as_text=True)
    csrf = page.split('data-csrf="')[1].split('"')[0]
    told = {"command": command, "csrf": csrf, **fields}
    return visitor.post(f"/table/{TABLE}/command", data=told, headers={"Accept": "application/json"})


def test_cards_are_counted_from_the_pits_page_and_by_two_people(house: House) -> None:
    house.floor.decks.rules = DecksSection()
    visitor = visit(house)
    house.links()
    assert ask(visitor, house, "start_count", whole="true", deck_id="mine", pin="730162").status_code == 200
    house.draw("As")
    house.until(lambda view: view.shoe.count is not None and view.shoe.count.drawn == 1)
    assert "<b>1</b> / 52" in visitor.get(f"/pit/{TABLE}").get_data(as_text=True)
    assert ask(visitor, house, "end_count", break_off="true").status_code == 200
    assert "says nothing" in visitor.get(f"/pit/{TABLE}").get_data(as_text=True)
    house.open()
    refused = ask(visitor, house, "type_count", left="52", pin="730162")
    assert (refused.status_code, refused.json["key"]) == (409, "second_missing")
    assert ask(visitor, house, "type_count", left="many", pin="730162").json["key"] == "not_a_number"
    both = {"left": "52", "pin": "730162", "second_badge": "1001", "second_pin": "4826"}
    assert ask(visitor, house, "type_count", **both).status_code == 200
    assert verify(house.database).first_wrong is None


def test_a_deck_the_register_does_not_know_is_not_counted_in(house: House) -> None:
    house.links()
    refused = ask(visit(house), house, "start_count", whole="true", deck_id="mine", pin="730162")
    assert refused.json["key"] == "deck_unregistered"


def test_the_register_of_devices_shows_each_approves_it_and_tells_its_life(house: House) -> None:
    house.links()
    visitor = visit(house)
    assert "not approved yet" in visitor.get("/devices").get_data(as_text=True)
    assert ask(visitor, house, "approve_device", device="shoe", words="", pin="730162").json["key"] == "approval_words"
    assert ask(visitor, house, "approve_device", device="shoe", words="Seal whole.", pin="730162").status_code == 200
    page = visitor.get(f"/devices/{TABLE}/shoe").get_data(as_text=True)
    assert "was approved by Petra: Seal whole." in page
    assert visitor.get(f"/devices/{TABLE}/toaster").status_code == 404
    assert visitor.get("/devices/none/shoe").status_code == 404
    assert visit(house, "1001", "4826").get("/devices").status_code == 403


def test_a_seal_that_does_not_fit_is_refused_and_stands_in_the_life_of_the_deck_and_among_the_exceptions(
    house: House,
) -> None:
    visitor = visit(house)
    assert send(visitor, house, **DECK).status_code == 303
    assert act(visitor, house, "issue", table=TABLE, seal="S7").status_code == 409
    assert "Petra read seal S7, which does not fit (bringing it to a table)" in visitor.get("/decks/RED-1").text
    exceptions = visit(house, "3001", "590427").get("/reports/exception").text
    assert "Seal that does not fit" in exceptions
    assert "S7" in exceptions
    assert verify(house.database).first_wrong is None


def test_the_life_of_a_device_follows_its_serial_from_another_table(house: House) -> None:
    house.links()
    told = (
        ("t0", DeviceProved(device="old", name="MD S-77", plug="", serial="S-77", model="MD", by="p1")),
        ("t0", DeviceLost(device="old", reason="The cable is out.")),
        ("t0", DeviceProved(device="old", name="MD S-99", plug="", serial="S-99", model="MD", by="p1")),
        ("t0", DeviceLost(device="old", reason="Nobody knows.")),
    )
    entries = tuple(Entry(type(one).__name__, 1, write_body(table, "", one)) for table, one in told)
    house.floor.commit(Unit(entries=entries))
    house.say("shuffler", ShufflerHello, model="MD", serial="S-77", firmware="1", deck_profile="52")
    house.until(lambda view: any(one.serial == "S-77" for one in view.devices.each))
    page = visit(house).get(f"/devices/{TABLE}/shuffler").text
    assert "S-77" in page
    assert "t0: " in page
    assert "The cable is out." in page
    assert "Nobody knows." not in page


TWO = {"pin": "730162", "second_badge": "1001", "second_pin": "4826"}


def count(visitor: Any, house: House, **found: str) -> Any:
    return send(visitor, house, act="count", where=list(found), found=list(found.values()), words="", **TWO)  # type: ignore[arg-type]


def test_the_stock_is_counted_without_being_told_what_should_be_there_and_each_difference_is_settled(
    house: House,
) -> None:
    visitor = visit(house)
    assert send(visitor, house, **DECK).status_code == 303
    page = visitor.get("/decks").get_data(as_text=True)
    assert "It was never counted" in page
    form = page.split('id="count"')[1].split("</form>")[0]
    assert "cage" in form
    assert "RED-1" not in form
    answer = send(
        visitor, house, act="count", where="cage", found="RED-1 X-9", pin="730162", second_badge="", second_pin=""
    )
    assert answer.status_code == 409
    assert ">RED-1 X-9</textarea>" in answer.get_data(as_text=True)
    assert count(visitor, house, cage="X-9").status_code == 303
    page = visitor.get("/decks").get_data(as_text=True)
    for words in ("missing: the register says cage", "no deck of the register has this number", "Petra and Dana"):
        assert words in page
    assert count(visitor, house, cage="RED-1").status_code == 409
    for deck in ("RED-1", "X-9"):
        assert (
            send(visitor, house, act="reconcile", deck=deck, words="found behind the drawer", **TWO).status_code == 303
        )
    assert "found behind the drawer" in visitor.get("/decks/RED-1").get_data(as_text=True)
    assert count(visitor, house, cage="RED-1").status_code == 303
    assert verify(house.database).first_wrong is None
    with house.floor.reader() as reader:
        told = deck_report(ReportAsked(reader, cut(reader, None, None)))
    assert [row[2:5] for row in told.sheet("stock_counts").rows] == [(1, 2, 0), (1, 0, 0)]
    settled = told.sheet("stock_differences")
    assert {(row[1], row[-1]) for row in settled.rows} == {
        (deck, "found behind the drawer") for deck in ("RED-1", "X-9")
    }
    assert not told.loud


def test_a_count_that_is_overdue_is_an_alarm_and_stands_on_the_page_until_it_is_made(house: House) -> None:
    visitor = visit(house)
    send(visitor, house, **DECK)
    house.floor.decks.rules = house.floor.decks.rules.model_copy(update={"count_days": 0})
    assert "stock" in {cause.word for cause in causes_of(house.floor)}
    assert "count now" in visitor.get("/decks").get_data(as_text=True)
    house.floor.decks.rules = house.floor.decks.rules.model_copy(update={"count_days": 91})
    assert count(visitor, house, cage="RED-1").status_code == 303
    assert "stock" not in {cause.word for cause in causes_of(house.floor)}
    assert "The next count is due by" in visitor.get("/decks").get_data(as_text=True)
