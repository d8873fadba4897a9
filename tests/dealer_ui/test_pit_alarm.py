"""Alarms of the pit: one for each cause, acknowledged and not cleared, told to everybody after half a minute."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from altered import altered
from console_visitor import Visitor, app_over, events
from fake_floor import BETTING, DEALING, IDLE, NOW_MS, STAFF, FakeFloor, held, incident
from structlog.testing import capture_logs

from dealer_ui.access.sessions import IDLE_MS
from dealer_ui.config.file import DeviceSection, StudioConfig, TableSection
from dealer_ui.desk.alarm import acknowledge
from dealer_ui.desk.pit import PitDesk
from dealer_ui.floor.cause import causes_of
from dealer_ui.floor.watch import PitWatch
from dealer_ui.frame.alarm_row import rows_of
from studio.errors import RefusedError, StorageError
from studio.people import Staff
from studio.people.staff import KeptPin
from studio.pit.alarm import ESCALATE_MS, LINGER_MS
from studio.views.shape import TableView, Words


def many(count: int, *changed: TableView) -> FakeFloor:
    """So many tables; the cameras of all of them hang on one server, their shoes each on a wire of its own."""
    views = [replace(IDLE, table=f"t{n}", title=f"Table {n}") for n in range(1, count + 1)]
    floor = FakeFloor(*(next((one for one in changed if one.table == view.table), view) for view in views))
    floor.config = StudioConfig(
        devices=tuple(
            DeviceSection(id=f"{role}{n}", driver=role, url=url)
            for n in range(1, count + 1)
            for role, url in (("camera", f"rtsp://10.0.0.5:554/{n}"), ("shoe", f"/dev/ttyUSB{n}"))
        ),
        tables=tuple(
            TableSection(key=f"t{n}", title=f"Table {n}", game="three_knights", camera=f"camera{n}", shoe=f"shoe{n}")
            for n in range(1, count + 1)
        ),
    )
    return floor


def words(floor: FakeFloor) -> list[tuple[str, tuple[str, ...]]]:
    return [(cause.word, cause.tables) for cause in causes_of(floor)]  # type: ignore[arg-type]


def kinds(floor: FakeFloor) -> list[str]:
    return [entry.kind for unit in floor.kept for entry in unit.entries]


def watch(floor: FakeFloor) -> PitWatch:
    return PitWatch(floor)  # type: ignore[arg-type]


def lose_camera(floor: FakeFloor, *tables: str, up: bool = False) -> None:
    for table in tables:
        view = floor.view(table)
        floor.show(altered(view, devices={"links": {**view.devices.links, "camera": up}}))


DROPPED = (
    incident("dropped_card", id="I-1", where={"box": "player2", "place": 1}, opened_at_ms=NOW_MS),
    incident("exposed_card", id="I-2", where={"box": "player3", "place": 2}, opened_at_ms=NOW_MS + 900),
    incident("wrong_order", id="I-3", opened_at_ms=NOW_MS + 2_000),
    incident("wrong_count", id="I-4", opened_at_ms=NOW_MS + 4_000),
    incident("misplaced_card", id="I-5", where={"box": "player2", "place": 1}, opened_at_ms=NOW_MS + 40_000),
)

# --- causes ---------------------------------------------------------------------------------------------


def test_a_server_of_cameras_that_is_gone_is_one_cause_that_names_the_six_tables() -> None:
    floor = many(8)
    lose_camera(floor, *(f"t{n}" for n in range(2, 8)))
    assert words(floor) == [("device", tuple(f"t{n}" for n in range(2, 8)))]
    page = Visitor(app_over(floor), "paul").page("/pit")
    assert len(re.findall(r'<article class="alarm ', page)) == 1
    assert "No word from: 10.0.0.5" in page


def test_two_shoes_on_wires_of_their_own_are_two_causes() -> None:
    floor = many(3)
    for table in ("t1", "t3"):
        floor.show(altered(floor.view(table), devices={"links": {"shoe": False}}))
    assert words(floor) == [("device", ("t1",)), ("device", ("t3",))]


def test_five_incidents_of_one_dropped_card_are_one_cause_and_a_later_one_elsewhere_is_another() -> None:
    later = incident("boxed_card", id="I-6", where={"box": "banker", "place": 1}, opened_at_ms=NOW_MS + 50_000)
    view = replace(held(DEALING, *DROPPED, later), table="t1")
    floor = many(2, view)
    assert [cause.key for cause in causes_of(floor)] == ["incident:t1:I-1", "incident:t1:I-6"]  # type: ignore[arg-type]
    rows = rows_of(floor)  # type: ignore[arg-type]
    assert [[one.id for one in row.incidents] for row in rows] == [["I-1", "I-2", "I-3", "I-4", "I-5"], ["I-6"]]


def test_the_loss_a_device_is_out_for_is_no_second_cause_beside_its_link() -> None:
    lost = incident("device_lost", id="I-9", where={"box": "", "place": 0, "device": "camera"})
    floor = many(2, altered(held(DEALING, lost), table="t1", devices={"links": {"camera": False}}))
    assert words(floor) == [("device", ("t1",))]
    floor.show(altered(floor.view("t1"), devices={"links": {"camera": True}}))
    assert words(floor) == [("device", ("t1",))], "until the felt agrees it is the same"


def test_what_the_dealer_settles_alone_is_no_alarm_and_a_closed_table_has_none() -> None:
    small = incident("dropped_card", row={"approval": "dealer"}, holds=False)
    closed = altered(IDLE, table="t2", now={"status": "closed"}, devices={"links": {"shoe": False}})
    assert words(many(2, altered(DEALING, table="t1", incidents={"open": (small,)}), closed)) == []


def test_a_disk_that_takes_nothing_is_one_cause_and_is_shown_though_it_cannot_be_kept() -> None:
    full = [
        altered(IDLE, table=f"t{n}", title=f"Table {n}", now={"act": Words("act.disk"), "held": True}) for n in (1, 2)
    ]
    floor = many(2, *full)

    def broken(unit: Any) -> int:
        raise StorageError("no room")

    floor.pit = PitDesk(broken, floor.now_ms)
    with pytest.raises(RefusedError):
        watch(floor).step()
    page = Visitor(app_over(floor), "paul").page("/pit")
    assert "cannot write its record" in page
    assert 'class="button acknowledge"' not in page


class Looks:
    """Lets the watch look so often, without a pause; `then` is told of each look."""

    def __init__(self, count: int, then: Callable[[int], None]) -> None:
        self._left, self._then = count, then

    def is_set(self) -> bool:
        self._left -= 1
        self._then(self._left)
        return self._left < 0

    def wait(self, timeout_s: float) -> bool:
        return False


def test_while_the_disk_is_full_the_log_says_once_that_alarms_wait_and_they_come_when_there_is_room() -> None:
    floor = many(2, replace(held(DEALING, DROPPED[0]), table="t1"))
    floor.wait = lambda *_: 0  # type: ignore[method-assign]
    room = False

    def commit(unit: Any) -> int:
        if not room:
            raise StorageError("no room")
        floor.kept.append(unit)
        return len(floor.kept)

    def make_room(left: int) -> None:
        nonlocal room
        room = left < 2

    floor.pit = PitDesk(commit, floor.now_ms)
    with capture_logs() as told:
        watch(floor).run(Looks(9, make_room))  # type: ignore[arg-type]
    assert [one["event"] for one in told] == ["alarms wait for the disk"]
    assert kinds(floor) == ["AlarmRaised"]


# --- acknowledged, not cleared --------------------------------------------------------------------------


def test_an_acknowledged_alarm_stays_until_its_cause_is_gone_and_a_new_cause_alarms_anew() -> None:
    floor = many(2, replace(held(DEALING, DROPPED[0]), table="t1"))
    pit = watch(floor)
    pit.step()
    assert acknowledge(floor.pit, STAFF["paul"], "A-1")
    pit.step()
    (row,) = rows_of(floor)  # type: ignore[arg-type]
    assert row.alarm is not None
    assert (row.waits, row.alarm.seen_by_name) == (False, "Paul Pit")
    page = Visitor(app_over(floor), "petra").page("/pit")
    assert "Paul Pit sees to it" in page
    assert 'data-alarm=""' in page, "what somebody sees to is silent"
    floor.show(replace(DEALING, table="t1"))
    pit.step()
    assert rows_of(floor) == []  # type: ignore[arg-type]
    floor.show(replace(held(DEALING, incident("burn_error", id="I-8")), table="t1"))
    pit.step()
    assert [(row.id, row.waits) for row in rows_of(floor)] == [("A-2", True)]  # type: ignore[arg-type]
    assert kinds(floor) == ["AlarmRaised", "AlarmAcknowledged", "AlarmEnded", "AlarmRaised"]


def test_a_cause_that_spreads_waits_for_somebody_again() -> None:
    floor = many(4)
    pit = watch(floor)
    lose_camera(floor, "t1")
    pit.step()
    acknowledge(floor.pit, STAFF["paul"], "A-1")
    lose_camera(floor, "t3")
    pit.step()
    (row,) = rows_of(floor)  # type: ignore[arg-type]
    assert (row.id, row.waits, row.cause.tables) == ("A-1", True, ("t1", "t3"))


def test_a_loose_plug_is_one_alarm_not_eight() -> None:
    floor = many(2)
    pit = watch(floor)
    for _ in range(8):
        lose_camera(floor, "t1")
        pit.step()
        lose_camera(floor, "t1", up=True)
        floor.clock_ms += LINGER_MS - 1
        pit.step()
        floor.clock_ms += 1
    assert kinds(floor) == ["AlarmRaised"]
    floor.clock_ms += LINGER_MS
    pit.step()
    assert kinds(floor) == ["AlarmRaised", "AlarmEnded"]


def test_a_restart_knows_every_alarm_and_who_saw_to_it() -> None:
    floor = many(2, replace(held(DEALING, DROPPED[0]), table="t1"))
    pit = watch(floor)
    pit.step()
    acknowledge(floor.pit, STAFF["paul"], "A-1")
    before = floor.pit.book
    floor.pit = PitDesk(floor._keep, floor.now_ms)
    floor.pit.book = before
    watch(floor).step()
    assert kinds(floor) == ["AlarmRaised", "AlarmAcknowledged"]


@pytest.mark.parametrize("badge", ["dora", "anna", "tom", "ada"])
def test_nobody_but_a_pit_boss_acknowledges(badge: str) -> None:
    floor = many(1, replace(held(DEALING, DROPPED[0]), table="t1"))
    watch(floor).step()
    visitor = Visitor(app_over(floor), badge)
    fields = {"act": "acknowledge_alarm", "alarm": "A-1"}
    assert visitor.client.post("/pit/act", json=fields, headers={"X-CSRF-Token": visitor.csrf}).status_code == 403
    assert floor.pit.book.alarms["A-1"].waits


def test_an_alarm_is_acknowledged_once_and_not_when_it_is_over() -> None:
    floor = many(1, replace(held(DEALING, DROPPED[0]), table="t1"))
    watch(floor).step()
    visitor = Visitor(app_over(floor), "paul")

    def ask(alarm: str, id: str) -> Any:
        fields = {"act": "acknowledge_alarm", "alarm": alarm, "id": id}
        return visitor.client.post("/pit/act", json=fields, headers={"X-CSRF-Token": visitor.csrf})

    assert ask("A-1", "x").status_code == 200
    assert ask("A-1", "x").status_code == 200, "the same tap"
    assert (ask("A-1", "y").json["key"], ask("A-7", "z").json["key"]) == ("alarm_seen", "alarm_over")


# --- louder ---------------------------------------------------------------------------------------------


def on_floor(id: str, role: str, stations: int = 1) -> Staff:
    here = frozenset(f"station-{number}" for number in range(stations))
    return Staff(id, f"badge-{id}", STAFF[id].name, frozenset({role}), KeptPin(""), stations=here)


def test_after_half_a_minute_it_is_told_to_everybody_who_hears_alarms_and_that_is_kept() -> None:
    floor = many(1, replace(held(DEALING, DROPPED[0]), table="t1"))
    floor.staff.register.people = {  # type: ignore[misc]
        "paul": on_floor("paul", "pit_boss"), "petra": on_floor("petra", "pit_boss", stations=0),
        "ada": on_floor("ada", "admin"), "dora": on_floor("dora", "dealer"),
    }  # fmt: skip
    pit = watch(floor)
    pit.step()
    floor.clock_ms += ESCALATE_MS - 1
    pit.step()
    assert kinds(floor) == ["AlarmRaised"]
    floor.clock_ms += 1
    pit.step()
    told = json.loads(floor.kept[-1].entries[0].body)["pit"]
    assert (told["kind"], told["told"]) == ("AlarmEscalated", ["paul", "ada"])
    page = Visitor(app_over(floor), "paul").page("/pit")
    assert 'class="alarm held loud"' in page
    assert 'data-alarm="loud:A-1"' in page
    floor.staff.register.people = {}  # type: ignore[misc]


@pytest.mark.parametrize(
    ("badge", "path", "hears"),
    [("petra", "pit_table/t1", True), ("ada", "technician", True), ("tom", "technician", False),
     ("petra", "display/t1", False)],
)  # fmt: skip
def test_every_station_of_whoever_hears_alarms_is_told_and_no_public_screen(badge: str, path: str, hears: bool) -> None:
    floor = many(1, replace(held(BETTING, DROPPED[0]), table="t1"))
    pit = watch(floor)
    pit.step()
    floor.clock_ms += ESCALATE_MS
    pit.step()
    with Visitor(app_over(floor), badge).client.get(f"/stream/{path}") as answer:
        body = b"".join(piece for _, piece in zip(range(3), answer.response, strict=False))
    (beat,) = [data for name, data in events(body) if name == "beat"][:1]
    urgent = [(one["id"], one["says"], one["where"]) for one in beat.get("urgent", ())]
    assert urgent == ([("A-1", "Held: Card dropped", "Knights 1")] if hears else [])


PLAIN = ("/staff", "/shift", "/decks", "/audit", "/reports", "/reports/table", "/procedure", "/devices", "/nowhere")
"""Pages that do not live."""


@pytest.mark.parametrize("path", PLAIN)
def test_a_page_without_a_stream_asks_for_its_beat_where_somebody_hears_alarms(path: str) -> None:
    app = app_over(many(1))
    told = {badge: Visitor(app, badge).client.get(path).get_data(as_text=True) for badge in ("petra", "ada", "anna")}
    assert [badge for badge, page in told.items() if 'data-beat="/beat"' in page] == ["petra", "ada", "anna"]
    assert [badge for badge, page in told.items() if 'id="urgent"' in page] == ["petra", "ada"]


def test_a_beat_tells_the_loud_alarms_and_keeps_no_idle_session_alive() -> None:
    floor = many(1, replace(held(BETTING, DROPPED[0]), table="t1"))
    pit = watch(floor)
    pit.step()
    app = app_over(floor)
    petra, nobody = Visitor(app, "petra"), Visitor(app)
    assert petra.client.get("/beat").get_json() == {"now_ms": floor.clock_ms, "urgent": []}
    floor.clock_ms += ESCALATE_MS
    pit.step()
    [told] = petra.client.get("/beat").get_json()["urgent"]
    assert (told["says"], told["where"]) == ("Held: Card dropped", "Knights 1")
    assert Visitor(app, "anna").client.get("/beat").get_json()["urgent"] == [], "an auditor hears no alarms"
    floor.clock_ms += IDLE_MS - ESCALATE_MS
    assert petra.client.get("/beat").status_code == 200
    floor.clock_ms += 1
    assert petra.client.get("/beat", headers={"Accept": "application/json"}).status_code == 401
    assert nobody.client.get("/beat", headers={"Accept": "application/json"}).status_code == 401


def test_an_alarm_that_has_grown_since_it_was_shown_is_looked_at_again() -> None:
    floor = many(3)
    lose_camera(floor, "t1")
    keeper = watch(floor)
    keeper.step()
    paul = Visitor(app_over(floor), "paul")

    def form() -> dict[str, str]:
        found = re.search(r'<form[^>]*id="form-acknowledge_alarm.*?</form>', paul.page("/pit"), re.DOTALL)
        assert found is not None
        return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', found[0]))

    def send(told: dict[str, str]) -> Any:
        return paul.client.post("/pit/act", json=told, headers={"X-CSRF-Token": paul.csrf})

    shown = form()
    floor.clock_ms += 1_000
    lose_camera(floor, "t2", "t3")
    keeper.step()
    answer = send(shown)
    assert (answer.status_code, answer.json["key"]) == (409, "alarm_grew")
    assert floor.pit.book.alarms["A-1"].waits
    assert send(form()).status_code == 200
