"""The freeze of a running studio's whole floor: one cause, one alarm, one release, kept as what it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from running_studio import DEALER, PIT, House

from dealer_ui.floor.cause import causes_of
from dealer_ui.floor.watch import PitWatch
from dealer_ui.pages.pit import freeze
from dealer_ui.pages.pit.freeze import freeze_floor, release_floor
from studio.pit.alarm import ESCALATE_MS
from studio.tables import command as c


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, beside=("t2", "t3"))


def test_a_floor_is_frozen_as_one_cause_and_released_in_one_act(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    with house:
        floor, desk = house.floor, house.floor.pit
        opened(house)
        floor.command("t3", c.FreezeTable(actor=DEALER))
        freeze_floor(floor, PIT, "tap")
        assert [(one.word, one.tables, one.about) for one in causes_of(floor) if one.word != "device"] == [
            ("frozen", ("t3",), "Dana"), ("floor", ("t1", "t2"), "Petra")
        ]  # fmt: skip
        now_ms = floor.now_ms()
        monkeypatch.setattr(desk, "now_ms", lambda: now_ms)
        watch = PitWatch(floor)
        watch.step()
        now_ms += ESCALATE_MS
        watch.step()
        told = {alarm.word: (alarm.seen_by_name, alarm.escalated_ms > 0) for alarm in desk.book.alarms.values()}
        assert (told["floor"], told["frozen"]) == (("Petra", False), ("", True))

        release_floor(floor, PIT.with_pin(floor.now_ms()), ("drill", "All looked at."), "another tap")
        assert [floor.view(table).now.frozen_by for table in ("t1", "t2", "t3")] == ["", "", "d1"]
        watch.step()
        assert "floor" not in {alarm.word for alarm in desk.book.alarms.values()}
        rows = floor.reader().events(kinds=("PitCalled", "PitAnswered", "TableFrozen", "TableReleased"))
        kinds = [row.kind for row in rows]
        assert kinds[:2] == ["TableFrozen", "PitCalled"], "the dealer calls the pit by it"
        assert kinds[2:] == [*["TableFrozen"] * 2, *["TableReleased"] * 2], "the pit boss does not call himself"


def opened(house: House) -> None:
    house.open()
    for table in ("t2", "t3"):
        pit = PIT.with_pin(house.floor.now_ms())
        house.floor.command(table, c.OpenTable(actor=pit, dealer=DEALER.id, dealer_name=DEALER.name))


def released(house: House) -> list[str]:
    """Petra releases the floor; who holds each table then."""
    floor = house.floor
    release_floor(floor, PIT.with_pin(floor.now_ms()), ("drill", "All looked at."), "another tap")
    return [floor.view(table).now.frozen_by for table in floor.tables]


def test_a_table_that_its_dealer_stops_while_the_floor_is_frozen_is_not_released_with_it(house: House) -> None:
    with house:
        opened(house)
        freeze_floor(house.floor, PIT, "tap")
        house.do(c.FreezeTable)
        assert released(house) == [DEALER.id, "", ""]
        assert house.view.now.pit_called_by == DEALER.id


def test_a_call_that_came_while_the_floor_was_frozen_still_waits_after_its_release(house: House) -> None:
    with house:
        opened(house)
        freeze_floor(house.floor, replace(PIT, id="a1", roles=frozenset({"auditor"})), "tap")
        house.do(c.AnswerCall, PIT)
        house.do(c.CallPit)
        assert released(house) == ["", "", ""]
        calls = [house.floor.view(table).now.pit_called_by for table in house.floor.tables]
        assert calls == [DEALER.id, "", ""], "the calls of the freeze itself are answered by its release"


def test_a_freeze_that_nobody_of_the_pit_has_seen_is_not_released_with_the_floor(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    each = freeze._each

    def crossed(tables: Sequence[str], act: Callable[[str], object]) -> list[str]:
        house.do(c.ReleaseTable, PIT, reason_code="drill", words="This one first.")
        house.do(c.FreezeTable)
        return each(tables, act)

    with house:
        opened(house)
        freeze_floor(house.floor, PIT, "tap")
        monkeypatch.setattr(freeze, "_each", crossed)
        assert released(house) == [DEALER.id, "", ""]
