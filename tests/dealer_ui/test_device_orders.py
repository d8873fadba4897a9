"""A person's command to a device: checked, kept with name and reason before it is sent, and answered on the record."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from patience import wait_until
from running_studio import DEALER, PIT, TABLE, config

from dealer_ui.assembly.bootstrap import Studio, StudioParts, build_studio
from dealer_ui.config.file import DeviceSection
from dealer_ui.rehearsal.machine.rig import Rig, RigOptions
from devices.catalogue import DriverSpec, build_driver
from devices.link import open_link
from devices.shoe.angel_eye_order import ORDERS
from devices.supervisor import LinkPace, Supervisor
from studio.errors import RefusedError
from studio.people import Actor
from studio.ports import CommandAnswered, HostCommand, ShoeErrorCleared, ShoeErrorRaised, ShoeLocked
from studio.proof.audit.database import verify
from studio.tables.event.record import read_body
from studio.tables.event.table import DeviceOrdered, ObservationRecorded

TECHNICIAN = Actor("t1", "Ken", frozenset({"technician"}))
LOCK = HostCommand("lock")


class House:
    """A studio whose one shoe is simulated to its last byte; its other devices say nothing."""

    def __init__(self, folder: Path, commands: frozenset[str]) -> None:
        self.database = folder / "studio.db"
        self.commands = commands
        self.since = 0
        plan = config(folder)
        table = plan.table_config(plan.tables[0])
        self.rig = Rig(table, RigOptions(1, paced=False))
        parts = StudioParts(lambda table, sealer, evidence: [self.shoe(sealer)], tick_s=0.01, quick_pins=True)
        self.studio: Studio = build_studio(plan, self.database, parts)
        self.order = self.studio.floor.order
        self.studio.start()
        self.studio.keep("machines", self.pump)
        self.until(lambda: self.studio.floor.view(TABLE).devices.links.get("shoe", False))

    def shoe(self, sealer: object) -> Supervisor:
        return Supervisor(
            "shoe",
            f"sim://{TABLE}/shoe",
            open_link=partial(open_link, bay=self.rig.bay, read_timeout_s=0.005),
            driver=build_driver("angel_eye", DriverSpec("shoe", sealer, commands=self.commands)),  # type: ignore[arg-type]
            sealer=sealer,  # type: ignore[arg-type]
            pace=LinkPace(down_wait_s=0.005),
        )

    def pump(self, stopping: object) -> None:
        while not stopping.wait(0.002):  # type: ignore[attr-defined]
            self.rig.pump(self.studio.clock.now_ms())

    def until(self, holds: object) -> None:
        wait_until(holds)  # type: ignore[arg-type]

    def kept(self, *kinds: type) -> list[object]:
        """What the journal holds of these kinds, in order; observations as they are."""
        found: list[object] = []
        for row in self.studio.floor.reader().events(table=TABLE, kinds=tuple(kind.__name__ for kind in kinds)):
            event = read_body(row.body).event
            told = event.observation if isinstance(event, ObservationRecorded) else event
            if isinstance(told, kinds) and row.seq > self.since:
                found.append(told)
        return found


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    made = House(tmp_path_factory.mktemp("orders"), frozenset(ORDERS))
    yield made
    made.studio.stop()
    assert verify(made.database).ok


@pytest.fixture
def house(running: House) -> House:
    """The studio as the test before has left it; what is kept counts from here."""
    running.rig.do(lambda rig: rig.shoe.switch_off("unplug"))
    running.until(lambda: running.studio.floor.view(TABLE).devices.links["shoe"])
    running.since = running.studio.floor.view(TABLE).seq
    return running


def test_a_lock_is_kept_with_name_and_reason_before_the_shoe_answers(house: House) -> None:
    house.order("shoe", LOCK, by=TECHNICIAN, reason="  the lid is open ")
    house.until(lambda: house.kept(ShoeLocked))
    ordered, answered, locked = house.kept(DeviceOrdered, CommandAnswered, ShoeLocked)
    assert ordered == DeviceOrdered(
        device="shoe", order="lock", value=0, by="t1", by_name="Ken", words="the lid is open"
    )
    assert isinstance(answered, CommandAnswered)
    assert (answered.command, answered.accepted) == ("lock", True)
    assert isinstance(locked, ShoeLocked)
    assert house.rig.shoe.locked


def test_the_pit_boss_cancels_an_error_for_a_reason_and_the_shoe_clears_it(house: House) -> None:
    house.rig.do(lambda rig: rig.shoe.raise_error(4))
    house.until(lambda: house.kept(ShoeErrorRaised))
    house.order("shoe", HostCommand("cancel_error", 4), by=PIT, reason="card pushed back, taken out by hand")
    house.until(lambda: house.kept(ShoeErrorCleared))
    (ordered,) = house.kept(DeviceOrdered)
    assert isinstance(ordered, DeviceOrdered)
    assert (ordered.order, ordered.value, ordered.by_name) == ("cancel_error", 4, "Petra")


def test_the_same_order_sent_twice_goes_out_once(house: House) -> None:
    first = house.order("shoe", LOCK, by=TECHNICIAN, reason="test", id="tap-1")
    assert house.order("shoe", LOCK, by=TECHNICIAN, reason="test", id="tap-1") == first
    house.until(lambda: house.kept(ShoeLocked))
    assert len(house.kept(DeviceOrdered)) == len(house.kept(ShoeLocked)) == 1


@pytest.mark.parametrize(
    ("device", "order", "by", "reason", "key"),
    [
        pytest.param("shoe", LOCK, DEALER, "why", "not_allowed", id="a dealer"),
        pytest.param("shoe", LOCK, TECHNICIAN, "  ", "words_needed", id="no reason"),
        pytest.param("hoe", LOCK, TECHNICIAN, "why", "no_such_device", id="no such device"),
        pytest.param("shoe", HostCommand("cancel_error"), PIT, "why", "command_value", id="no code of an error"),
        pytest.param("shoe", HostCommand("eject"), TECHNICIAN, "why", "unknown_command", id="no such command"),
    ],
)
def test_what_is_refused_is_neither_kept_nor_sent(
    house: House, device: str, order: HostCommand, by: Actor, reason: str, key: str
) -> None:
    with pytest.raises(RefusedError) as refused:
        house.order(device, order, by=by, reason=reason)
    assert refused.value.key == key
    assert house.kept(DeviceOrdered, CommandAnswered) == []


def test_a_device_whose_link_is_down_is_told_nothing(house: House) -> None:
    house.rig.do(lambda rig: rig.shoe.switch_on("unplug"))
    house.until(lambda: not house.studio.floor.view(TABLE).devices.links["shoe"])
    with pytest.raises(RefusedError, match="nothing was sent"):
        house.order("shoe", LOCK, by=TECHNICIAN, reason="why")
    assert house.kept(DeviceOrdered) == []


@pytest.mark.parametrize(
    ("driver", "commands", "good"), [("angel_eye", True, True), ("angel_eye", False, False), ("bee_tek", True, False)]
)
def test_only_a_shoe_that_may_be_commanded_and_can_lock_is_locked_by_itself(
    driver: str, commands: bool, good: bool
) -> None:
    def section() -> DeviceSection:
        return DeviceSection(id="shoe", driver=driver, url="sim://", commands=commands, lock_when_idle=True)

    if good:
        assert section().lock_when_idle
    else:
        with pytest.raises(ValueError, match="lock_when_idle needs commands = true"):
            section()


def test_without_the_configurations_leave_nobody_sends_anything(tmp_path: Path) -> None:
    made = House(tmp_path, frozenset())
    try:
        with pytest.raises(RefusedError, match="The configuration lets nobody send"):
            made.order("shoe", LOCK, by=TECHNICIAN, reason="why")
    finally:
        made.studio.stop()
