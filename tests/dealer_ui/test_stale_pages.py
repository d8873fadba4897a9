"""A form that was sent from a page drawn before somebody else acted undoes nothing of what that person did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest
from patience import PATIENCE_S, wait_until
from running_studio import PIT, TABLE, House
from test_game_page import PRESETS
from test_staff_pages import STAFF, Person

from dealer_ui.pages.pit import freeze
from studio import ports
from studio.people import NewStaff, Pin
from studio.tables import command as c

PAVEL = NewStaff("p2", "2002", "Pavel", ("pit_boss",), Pin("730163"))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, beside=("t2",)) as found:
        found.floor.config = found.floor.config.model_copy(update={"presets": PRESETS})
        found.staff()
        for id, badge, pin, name, role in STAFF:
            found.floor.staff.add(NewStaff(id, badge, name, (role,), Pin(pin)))
        found.floor.staff.add(PAVEL)
        found.links()
        yield found


def form(page: str, *, holds: str) -> dict[str, Any]:
    """What a browser would send of the form that holds this, with what is ticked and chosen in it."""
    [found] = [one for one in re.findall(r"<form.*?</form>", page, re.DOTALL) if holds in one]
    told: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]*>", found):
        named = dict(re.findall(r'([a-z]+)="([^"]*)"', tag))
        if named.get("type") != "checkbox" or tag.rstrip(">").endswith("checked"):
            told.setdefault(named["name"], []).append(named.get("value", ""))
    return told


def told(answer: Any) -> str:
    found = re.search(r'class="refused" role="alert">([^<]*)<', answer.text)
    return found[1] if found else str(answer.status_code)


def test_roles_that_were_taken_do_not_come_back_from_a_page_drawn_before(house: House) -> None:
    ada, alma = Person(house, "9001", "915374"), Person(house, "9002", "9998")
    sent = form(ada.get("/staff/p2").text, holds='value="roles"')
    assert alma.act("roles", "p2", role=["dealer"]) == ""
    answer = ada.post("/staff", **{**sent, "role": [*sent["role"], "technician"], "pin": "915374"})
    assert house.floor.staff.register.people["p2"].roles == {"dealer"}
    assert "were changed meanwhile" in told(answer)


def test_roles_sent_twice_are_one_change(house: House) -> None:
    ada = Person(house, "9001", "915374")
    sent = {**form(ada.get("/staff/p2").text, holds='value="roles"'), "role": ["dealer"], "pin": "915374"}
    assert [ada.post("/staff", **sent).status_code for _ in range(2)] == [303, 303]
    assert len(list(house.floor.reader().events(kinds=("StaffRolesChanged",)))) == 1


def shift_passes(of: Person, *, read: Person) -> None:
    assert of.post("/shift", act="open").status_code == 303
    assert of.post("/shift", act="close", words="first", pin=of.pin).status_code == 303
    assert read.post("/shift", act="acknowledge").status_code == 303


def test_a_shift_is_not_closed_by_a_page_of_the_shift_before(house: House) -> None:
    petra, pavel = Person(house, "2001", "730162"), Person(house, "2002", "730163")
    assert petra.post("/shift", act="open").status_code == 303
    sent = {**form(petra.get("/shift").text, holds='value="close"'), "words": "of the first", "pin": "730162"}
    assert petra.post("/shift", **sent).status_code == 303
    assert pavel.post("/shift", act="acknowledge").status_code == 303
    assert pavel.post("/shift", act="open").status_code == 303
    answer = petra.post("/shift", **sent)
    assert house.floor.shifts.shifts.opened is not None, "Pavel's shift goes on"
    assert "another shift" in told(answer)


def test_a_note_is_not_acknowledged_by_a_page_that_showed_another(house: House) -> None:
    petra, pavel = Person(house, "2001", "730162"), Person(house, "2002", "730163")
    assert petra.post("/shift", act="open").status_code == 303
    assert petra.post("/shift", act="close", words="the first note", pin="730162").status_code == 303
    sent = form(pavel.get("/shift").text, holds='value="acknowledge"')
    assert pavel.post("/shift", **sent).status_code == 303
    assert petra.post("/shift", act="open").status_code == 303
    assert petra.post("/shift", act="close", words="the second note", pin="730162").status_code == 303
    answer = pavel.post("/shift", **sent)
    assert house.floor.shifts.shifts.owes_acknowledgement, "nobody has read the second note"
    assert "another note" in told(answer)


def frozen(house: House) -> list[str]:
    return [house.floor.view(table).now.frozen_by for table in (TABLE, "t2")]


def opened(house: House) -> None:
    for table in (TABLE, "t2"):
        actor = PIT.with_pin(house.floor.now_ms())
        house.floor.command(table, c.OpenTable(actor=actor, dealer="d1", dealer_name="Dana"))


RELEASE = {"reason_code": "drill", "words": "All looked at."}


def test_a_floor_that_was_frozen_anew_is_not_released_by_a_page_of_the_freeze_before(house: House) -> None:
    opened(house)
    petra, pavel = Person(house, "2001", "730162"), Person(house, "2002", "730163")
    assert petra.post("/pit/act", act="freeze_floor").status_code == 303
    sent = {**form(petra.get("/pit").text, holds='value="release_floor"'), **RELEASE}
    assert pavel.post("/pit/act", **{**sent, "csrf": pavel.csrf, "pin": "730163"}).status_code == 303
    assert frozen(house) == ["", ""]
    assert pavel.post("/pit/act", act="freeze_floor", id="again").status_code == 303
    answer = petra.post("/pit/act", **{**sent, "pin": "730162"})
    assert frozen(house) == ["p2", "p2"]
    assert "Pavel has frozen the floor anew" in answer.text


def test_two_who_release_the_floor_at_once_are_both_answered(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(house)
    petra, pavel = Person(house, "2001", "730162"), Person(house, "2002", "730163")
    assert petra.post("/pit/act", act="freeze_floor").status_code == 303
    both, each = Barrier(2, timeout=20), freeze._each

    def at_once(*given: Any) -> list[str]:
        both.wait()
        return each(*given)

    monkeypatch.setattr(freeze, "_each", at_once)
    with ThreadPoolExecutor(2) as together:
        found = list(together.map(lambda one: one.post("/pit/act", act="release_floor", pin=one.pin, **RELEASE),
                                  (petra, pavel)))  # fmt: skip
    assert sorted(one.status_code for one in found) == [303, 409]
    assert frozen(house) == ["", ""]
    assert len(list(house.floor.reader().events(kinds=("FloorReleased",)))) == 1


def test_limits_that_were_changed_are_not_undone_by_a_page_drawn_before(house: House) -> None:
    petra, pavel = Person(house, "2001", "730162"), Person(house, "2002", "730163")
    because = {"reason_code": "other", "words": "Quiet."}
    sent = {**form(petra.get(f"/pit/{TABLE}/game").text, holds="window_s"), **because}
    raised = {**sent, "csrf": pavel.csrf, "least.*": "50.00", "window_s": "12", "pin": "730163"}
    assert told(pavel.post(f"/pit/{TABLE}/game", **raised)) == "303"
    again = {**sent, "window_s": "10"}
    kept = form(petra.post(f"/pit/{TABLE}/game", **{**again, "pin": "1"}).text, holds="window_s")
    assert kept["shown"] == sent["shown"], "a PIN mistyped meanwhile makes nothing newer of what he was shown"
    answer = petra.post(f"/pit/{TABLE}/game", **{**again, "pin": "730162"})
    assert house.view.game.limits["player1_win"][0] == 5_000, "what Pavel set holds"
    assert "were changed meanwhile" in told(answer)
    newer = {**form(answer.text, holds="window_s"), **because, "pin": "730162"}
    assert told(petra.post(f"/pit/{TABLE}/game", **newer)) == "303", "now he has seen it"


def test_a_request_of_somebody_whose_role_was_taken_is_not_approved(house: House) -> None:
    house.betting()
    house.do(c.CloseBetting)
    house.deal_all()
    petra = Person(house, "2001", "730162")
    asked = petra.post(f"/table/{TABLE}/command", command="void_round", reason_code="other", words="w", pin="730162")
    assert asked.status_code == 303
    ada = Person(house, "9001", "915374")
    assert ada.act("roles", "p1", role=["technician"]) == ""
    [incident] = [one for one in house.view.incidents.open if one.asked.by]
    pavel = Person(house, "2002", "730163")
    answer = pavel.post(f"/table/{TABLE}/command", command="approve_ruling", incident=incident.id,
                        asked=incident.asked.mark, pin="730163")  # fmt: skip
    assert answer.status_code == 409
    assert "Petra may not ask for this any more" in answer.text


@contextmanager
def busy(house: House) -> Iterator[None]:
    """The table is at something else for as long."""
    [worker] = [one for one in house.studio.workers if one.runtime.key == TABLE]
    begun, over = Event(), Event()
    with ThreadPoolExecutor(1) as beside:
        beside.submit(worker.ask, lambda: (begun.set(), over.wait(PATIENCE_S)))
        assert begun.wait(PATIENCE_S)
        try:
            yield
        finally:
            over.set()


def test_what_waits_at_a_busy_table_is_not_done_for_somebody_who_was_barred_meanwhile(house: House) -> None:
    petra, ada = Person(house, "2001", "730162"), Person(house, "9001", "915374")
    for act, why in (
        ({"act": "bar", "words": "Keys."}, "is barred"),
        ({"act": "roles", "role": ["dealer"]}, "may not"),
    ):
        with ThreadPoolExecutor(1) as beside, busy(house):
            asked = beside.submit(petra.post, f"/table/{TABLE}/command", command="open_table", dealer="d1")
            [worker] = [one for one in house.studio.workers if one.runtime.key == TABLE]
            wait_until(lambda: worker.mailbox.waiting)  # noqa: B023
            assert ada.act(act.pop("act"), "p1", **act) == ""  # type: ignore[arg-type]
        assert house.view.now.status == "closed"
        assert why in asked.result().text
        ada.act("lift", "p1", words="Found.")
        petra.sign_in("2001", "730162")


def test_an_order_sent_again_after_its_answer_was_lost_is_another_one_where_it_was_changed(house: House) -> None:
    """The page keeps the id of an order that nobody answered, whatever is chosen in its form by then."""
    house.betting()
    petra = Person(house, "2001", "730162")
    order = {"command": "withdraw_shoe", "id": "x1", "pin": "730162"}
    report = {"command": "report_incident", "id": "x1", "kind": "exposed_card"}
    path = f"/table/{TABLE}/command"
    for sent in (report, report, {**report, "kind": "dropped_card"}):
        assert petra.post(path, **sent).status_code == 303
    assert [one.kind for one in house.view.incidents.open] == ["exposed_card", "dropped_card"]
    assert petra.post(path, **order, reason_code="worn").status_code == 409, "a round is being dealt"


def test_so_is_an_act_for_the_whole_floor(house: House) -> None:
    opened(house)
    petra = Person(house, "2001", "730162")
    told = {"act": "tell_bettors", "table": TABLE, "id": "x1", "text": "", "stays": "yes"}
    for words, seq in (("Five minutes.", "1"), ("Five minutes.", "2"), ("Ten minutes.", "2")):
        assert petra.post("/pit/act", **told, words=words, pit_seq=seq).status_code == 303
    assert [one.words for one in house.floor.pit.book.messages.values()] == ["Five minutes.", "Ten minutes."]


def kept(page: str, command: str) -> dict[str, Any]:
    """The form of that command as it stands on the page, which leaves it alone once somebody types in it."""
    return form(page, holds=f'name="command" value="{command}"')


def test_a_reason_typed_for_one_round_voids_and_overrides_nothing_of_the_next(house: House) -> None:
    house.betting()
    house.do(c.CloseBetting)
    house.deal_all()
    petra = Person(house, "2001", "730162")
    page = petra.get(f"/pit/{TABLE}").text
    void, other = kept(page, "void_round"), {**kept(page, "override_card"), "at": "player1 1", "card": "As"}
    house.finish()
    house.do(c.ConfirmFeltClear, PIT)
    house.do(c.WithdrawShoe, PIT, reason_code="worn")
    house.say("shuffler", ports.DeckVerified, count=52, deck_id="deck-2", verdict="ok")
    house.until(lambda view: view.now.act.key == "act.load_shoe")
    house.do(c.LoadShoe)
    house.do(c.StartRound)
    for sent in (void, other):
        told = {**sent, "seen": str(house.view.moves), "reason_code": "other", "words": "Of before.", "pin": "730162"}
        answer = petra.post(f"/table/{TABLE}/command", **told)
        assert answer.status_code == 409
        assert "what is over by now" in answer.text
    assert (house.view.round.number, house.view.round.stage) == (2, "dealing")


def test_a_reason_typed_for_one_deck_withdraws_no_other_and_one_for_a_freeze_ends_no_other(house: House) -> None:
    house.open()
    petra, pavel = Person(house, "2001", "730162"), Person(house, "2002", "730163")
    because = {"reason_code": "other", "words": "Of before.", "pin": "730162"}
    sent = kept(petra.get(f"/pit/{TABLE}").text, "withdraw_shoe")
    house.do(c.WithdrawShoe, PIT, reason_code="worn")
    house.say("shuffler", ports.DeckVerified, count=52, deck_id="deck-2", verdict="ok")
    house.until(lambda view: view.now.act.key == "act.load_shoe")
    house.do(c.LoadShoe)
    now = {**sent, "seen": str(house.view.moves), **because}
    assert petra.post(f"/table/{TABLE}/command", **now).status_code == 409
    assert house.view.shoe.deck == "deck-2"
    house.do(c.FreezeTable)
    sent = kept(petra.get(f"/pit/{TABLE}").text, "release_table")
    house.do(c.ReleaseTable, PIT, reason_code="drill", words="")
    assert pavel.post(f"/table/{TABLE}/command", command="freeze_table").status_code == 303
    now = {**sent, "seen": str(house.view.moves), **because}
    assert petra.post(f"/table/{TABLE}/command", **now).status_code == 409
    assert house.view.now.frozen_by == "p2"
