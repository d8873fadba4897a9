"""The freeze of a running studio's whole floor: one cause, one alarm, one release, kept as what it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from running_studio import DEALER, PIT, House

from dealer_ui.floor.cause import causes_of
from dealer_ui.floor.watch import PitWatch
from dealer_ui.pages.pit.freeze import freeze_floor, release_floor
from studio.pit.alarm import ESCALATE_MS
from studio.tables import command as c


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, beside=("t2", "t3"))


def test_a_floor_is_frozen_as_one_cause_and_released_in_one_act(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    with house:
        floor, desk = house.floor, house.floor.pit
        house.open()
        for table in ("t2", "t3"):
            pit = PIT.with_pin(floor.now_ms())
            floor.command(table, c.OpenTable(actor=pit, dealer=DEALER.id, dealer_name=DEALER.name))
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
