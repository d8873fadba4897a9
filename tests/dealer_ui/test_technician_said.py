"""What a table's devices said last stays on the technician's page, however much else is written meanwhile."""

from __future__ import annotations

from pathlib import Path

from patience import wait_until
from running_studio import TABLE, House

from dealer_ui.frame.screen import Asked
from dealer_ui.pages.technician.route import draw
from dealer_ui.words.language import Languages
from studio.journal import Entry, Unit
from studio.ports import LinkDown


def test_a_cable_that_was_pulled_is_told_still_when_the_floor_is_busy(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.staff()
        down = LinkDown(device="shoe", at_ms=house.floor.now_ms(), url="/dev/x", reason="Plug the cable in.")
        house.said["shoe"].say(down)
        wait_until(lambda: not house.view.devices.links.get("shoe", True))
        for _ in range(5):
            house.floor.commit(Unit(entries=(Entry("Noted", house.floor.now_ms(), b"{}"),) * 100))
        assert "Plug the cable in." in said_last(house)


def said_last(house: House) -> str:
    asked = Asked(house.floor, "", None, Languages().speak("en"))
    [(_, rows)] = [told for told in draw(asked)[1]["tables"] if told[0].table == TABLE]
    return " ".join(str(row) for row in rows)
