"""What the camera owes while a street of Open-Face Chinese is laid, and what it is given time for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from open_face_bench import OpenFaceBench
from table_bench import UNSURE

from studio import ports
from studio.rulebook.script import Lay
from studio.tables.event import table as e
from studio.tables.state.table import awaited


@pytest.fixture
def bench() -> Iterator[OpenFaceBench]:
    bench = OpenFaceBench().open()
    yield bench
    bench.check()
    bench.close()


def laying(bench: OpenFaceBench) -> Lay:
    """The seat left of the button has set its street; nothing is laid yet."""
    choice = e.Decision(
        operator="north", bettor="bob", option="place", client_id="x", box="seat2",
        rows=("top", "middle", "middle", "bottom", "bottom"),
    )  # fmt: skip
    assert bench.table.take_decisions((choice,), bench.now)[0].status == "accepted"
    now = awaited(bench.state)
    assert now is not None
    assert isinstance(now.step, Lay)
    return now.step


def hand_stays(bench: OpenFaceBench, zone: str, place: int) -> None:
    bench.say(ports.CameraSawHand(device="camera", at_ms=bench.now, zone=zone, place=place, stays=True, evidence=""))


def test_the_hand_that_lays_a_street_puts_none_of_its_cards_in_doubt(bench: OpenFaceBench) -> None:
    bench.hand()
    lay = laying(bench)
    hand_stays(bench, "seat2", 5)
    bench.wait(30)
    assert not bench.state.incidents.open
    hand_stays(bench, "seat3", 1)
    bench.wait(4)
    assert (bench.incident.kind, bench.incident.scene.box) == ("camera_unsure", "seat3")
    bench.lay("seat3", 1)
    bench.tick()
    bench.lay_street(lay)
    assert not bench.state.incidents.open


def test_a_card_on_its_way_to_its_row_is_asked_about_where_it_comes_to_lie(bench: OpenFaceBench) -> None:
    bench.hand()
    bench.lay("seat2", 1, face=UNSURE)
    lay = laying(bench)
    bench.wait(30)
    assert not bench.state.incidents.open
    for place, zone, there in lay.to:
        card = bench.street_card(lay.box, place)
        bench.lift(lay.box, place)
        bench.lay(zone, there, card, *([UNSURE] if place == 1 else []))
    assert len(bench.rows("Laid")) == 1
    bench.wait(4)
    assert (bench.incident.kind, bench.incident.scene.box, bench.incident.scene.place) == (
        "camera_unsure",
        "seat2_top",
        1,
    )


def test_a_card_that_is_to_lie_open_may_show_its_face_on_its_way_across_another_seat(bench: OpenFaceBench) -> None:
    bench.hand()
    set_now, of_another = bench.street_card("seat2", 1), bench.street_card("seat1", 2)
    laying(bench)
    for card, kinds in ((set_now, []), (of_another, ["exposed_card"])):
        bench.say(
            ports.CameraSawFlash(
                device="camera", at_ms=bench.now, zone="seat3", place=1, card=bench.sealer.card(card), confidence=0.999,
                evidence="c0a25e", model="m",
            )
        )  # fmt: skip
        assert bench.open_kinds() == kinds


@pytest.mark.parametrize(
    ("shed_percent", "behind_ms", "patience_s"),
    [(0, 1_000, 4), (50, 0, 6), (99, 9_000, 15)],
    ids=["late", "half", "most"],
)
def test_a_camera_that_says_it_is_behind_has_longer(
    bench: OpenFaceBench, shed_percent: int, behind_ms: int, patience_s: int
) -> None:
    bench.hand()
    behind = ports.CameraFellBehind(device="camera", at_ms=bench.now, behind_ms=behind_ms, shed_percent=shed_percent)
    bench.say(behind)
    bench.lay("seat3", 1, face=UNSURE)
    bench.wait(patience_s - 0.3)
    assert not bench.state.incidents.open
    bench.wait(0.6)
    assert (bench.incident.kind, bench.incident.ruling.row) == ("camera_unsure", "HG21")
