"""Before a table obeys: papers for its game, one's own table, who is on the floor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

import msgspec
import pytest

from dealer_ui.floor.admission import admit
from studio.errors import RefusedError
from studio.people import Actor, Paper
from studio.people.staff import KeptPin, Staff, StaffRegister
from studio.tables import command as c
from studio.tables.config import TableConfig
from studio.tables.declaration import Command
from studio.tables.event.change import PlannedTurn
from studio.tables.state.pit import Seat
from studio.tables.state.table import Status, TableState

NOW = 1_767_225_600_000  # 2026-01-01
DAY = 86_400_000
PIT = Actor("p1", "Petra", frozenset({"pit_boss"}))
DANA = Actor("d1", "Dana", frozenset({"dealer"}))
HANA = Actor("d2", "Hana", frozenset({"dealer"}))
STATE = TableState(
    TableConfig(key="t1", title="Table 1", game="three_knights"), seat=Seat(dealer="d1", dealer_name="Dana")
)


def paper(key: str, first: date = date(2025, 1, 1), last: date = date(2026, 6, 30)) -> Paper:
    return Paper(key, "N-1", first, last)


def staff(id: str, *papers: Paper, role: str = "dealer") -> Staff:
    held = {one.paper: one for one in papers}
    return Staff(id, f"b-{id}", id.title(), frozenset({role}), KeptPin("#"), papers=held)


@dataclass
class House:
    register: StaffRegister
    bosses: int = 1

    def pit_bosses_on_floor(self) -> int:
        return self.bosses


def house(*people: Staff) -> House:
    return House(StaffRegister({one.id: one for one in people}))


GOOD = staff("d2", paper("licence"), paper("three_knights"))


def refusal(people: House, command: Command, now_ms: int = NOW) -> str:
    with pytest.raises(RefusedError) as refused:
        admit(command, STATE, people, now_ms)
    assert refused.value.sentence.endswith(".")
    return refused.value.key


@pytest.mark.parametrize(
    ("person", "key"),
    [
        (staff("d2"), "licence_missing"),
        (staff("d2", paper("licence")), "certificate_missing"),
        (staff("d2", paper("licence"), paper("blackjack")), "certificate_missing"),
        (staff("d2", paper("licence", last=date(2025, 12, 31)), paper("three_knights")), "licence_expired"),
        (staff("d2", paper("licence"), paper("three_knights", last=date(2025, 12, 31))), "certificate_expired"),
        (staff("d2", paper("licence"), paper("three_knights", first=date(2026, 1, 2))), "certificate_not_yet"),
        (staff("d2", paper("licence"), paper("three_knights"), role="technician"), "no_dealer_role"),
        (replace(GOOD, barred="stole"), "barred"),
        (replace(GOOD, active=False), "not_staff"),
        (replace(GOOD, on_break_ms=5), "on_break"),
        (staff("d9"), "not_staff"),
    ],
)
@pytest.mark.parametrize("how", ["open", "change", "take", "plan"])
def test_whoever_may_not_deal_the_game_gets_no_table(person: Staff, key: str, how: str) -> None:
    if how == "plan" and key == "on_break":
        return  # the break is over by then
    turns = (PlannedTurn(dealer="d2", dealer_name="", at_ms=NOW + 1),)
    asked = {
        "open": c.OpenTable(actor=PIT, dealer="d2", dealer_name="x"),
        "change": c.ChangeDealer(actor=PIT, dealer="d2", dealer_name="x"),
        "take": c.TakeTable(actor=HANA),
        "plan": c.PlanRotation(actor=PIT, turns=turns),
    }
    assert refusal(house(person), asked[how]) == key


def test_a_paper_is_good_on_its_last_day_and_the_name_is_the_records() -> None:
    last_day = NOW + 180 * DAY  # 2026-06-30
    opened = admit(c.OpenTable(actor=PIT, dealer="d2", dealer_name="forged"), STATE, house(GOOD), last_day)
    assert isinstance(opened, c.OpenTable)
    assert opened.dealer_name == "D2"
    assert refusal(house(GOOD), c.TakeTable(actor=HANA), last_day + DAY) == "licence_expired"


def test_a_planned_turn_needs_papers_that_are_good_on_its_day() -> None:
    def plan(at_ms: int) -> c.PlanRotation:
        return c.PlanRotation(actor=PIT, turns=(PlannedTurn(dealer="d2", dealer_name="", at_ms=at_ms),))

    named = admit(plan(NOW + DAY), STATE, house(GOOD), NOW)
    assert isinstance(named, c.PlanRotation)
    assert named.turns[0].dealer_name == "D2"
    assert refusal(house(GOOD), plan(NOW + 200 * DAY)) == "licence_expired"


def test_a_dealer_deals_at_his_own_table_and_a_pit_boss_at_every() -> None:
    people = house(GOOD, staff("d1"))
    assert refusal(people, c.OpenBetting(actor=HANA)) == "not_your_table"
    for actor, command in ((DANA, c.OpenBetting), (PIT, c.OpenBetting), (HANA, c.FreezeTable), (HANA, c.CallPit)):
        assert admit(command(actor=actor), STATE, people, NOW).actor is actor


def test_how_many_pit_bosses_are_here_is_the_floors_word_not_the_screens() -> None:
    people = house(staff("d1"))
    people.bosses = 3
    asked = c.OverrideCard(actor=DANA, box="player1", place=1, card="As", reason_code="r", words="w", pit_bosses=1)
    assert admit(asked, STATE, people, NOW).pit_bosses == 3


def test_no_round_starts_under_a_dealer_who_is_barred() -> None:
    assert refusal(house(replace(staff("d1"), barred="x")), c.StartRound(actor=PIT)) == "barred"


def test_at_a_table_whose_dealer_was_stood_down_no_other_dealer_goes_on_before_he_has_taken_it() -> None:
    vacant = msgspec.structs.replace(STATE, status=Status.OPEN, seat=Seat())
    with pytest.raises(RefusedError) as refused:
        admit(c.OpenBetting(actor=HANA), vacant, house(GOOD), NOW)
    assert refused.value.sentence == "Nobody deals at this table. Take it over first."
    assert admit(c.OpenBetting(actor=PIT), vacant, house(GOOD), NOW)


def change(game: str) -> c.ChangeTable:
    return c.ChangeTable(
        actor=PIT, preset="", game=game, rules={}, limits={}, window_s=12, reason_code="r", words="w"
    )  # fmt: skip


def test_an_open_table_gets_another_game_only_under_a_dealer_certified_for_it() -> None:
    table = msgspec.structs.replace(STATE, status=Status.OPEN)
    dana = staff("d1", paper("licence"), paper("three_knights"))
    with pytest.raises(RefusedError, match="D1 has no certificate for Blackjack") as refused:
        admit(change("blackjack"), table, house(dana), NOW)
    assert "let another one deal" in refused.value.sentence
    both = house(staff("d1", paper("licence"), paper("three_knights"), paper("blackjack")))
    assert admit(change("blackjack"), table, both, NOW)
    with pytest.raises(RefusedError, match="ran out"):
        admit(change("blackjack"), table, both, NOW + 200 * DAY)


def test_limits_a_closed_table_and_one_without_a_dealer_ask_for_no_certificate() -> None:
    table, people = msgspec.structs.replace(STATE, status=Status.OPEN), house(staff("d1"))
    assert admit(change("three_knights"), table, people, NOW)
    assert admit(change("blackjack"), msgspec.structs.replace(table, status=Status.CLOSED), people, NOW)
    assert admit(change("blackjack"), msgspec.structs.replace(table, seat=Seat()), people, NOW)
    assert admit(change("no-such-game"), table, people, NOW)  # the table refuses it, with its own sentence
