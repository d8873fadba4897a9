"""A device that comes back proves that it is the same one, by the proof its kind has, or a person accepts it [EV11]."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import DEAL, DEALER, PIT, Bench, bench

from studio import ports
from studio.ports import NO_PLUG
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.state.identity import TELL_MS, Identity, IdentityVerdict, Presence, judge
from studio.value import replace

ADAPTOR, OTHER_ADAPTOR = "usb 0403:6001 A50285BI line 0", "usb 0403:6001 B77120XX line 0"


def up(table: Bench, device: str, plug: str = "", url: str = "sim://") -> None:
    table.say(ports.LinkUp(device=device, at_ms=table.now, url=url, plug=plug))


def hello(table: Bench, serial: str = "S-77", device: str = "shuffler", firmware: str = "1.2") -> None:
    told = ports.ShufflerHello(
        device=device, at_ms=table.now, model="MD", serial=serial, firmware=firmware, deck_profile="52"
    )
    table.say(told)


def down(table: Bench, device: str) -> None:
    table.links(up=False, only=(device,))


@pytest.fixture
def dealing() -> Iterator[Bench]:
    """A round under way; the shoe hangs on an adaptor with a number, the shuffler has told its serial."""
    with bench() as table:
        up(table, "shoe", ADAPTOR)
        up(table, "camera", url="http://camera/1")
        up(table, "shuffler", ADAPTOR.replace("A5", "C1"))
        hello(table)
        table.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
        table.load()
        table.deposit(10_000)
        yield table.start().betting(("player1_win", 1000)).deal(*DEAL[:5])


def again_seen(table: Bench) -> None:
    for number in range(1, 5):
        table.lay("burn", number)
    for at, card in enumerate(DEAL[:5]):
        table.lay(("player1", "player2", "player3", "banker")[at % 4], at // 4 + 1, card)


def finish(table: Bench) -> None:
    assert table.state.incidents.open == ()
    table.deal(*DEAL[5:]).finish()
    assert table.state.round is not None
    assert table.state.round.over


def known(table: Bench, device: str) -> Identity:
    found = table.state.devices.presences[device].known
    assert found is not None
    return found


# --- the proof of each kind ----------------------------------------------------------------------------


def test_a_cable_pulled_and_put_back_in_mid_round_needs_nobody_to_vouch_for_the_device(dealing: Bench) -> None:
    down(dealing, "shoe")
    up(dealing, "shoe", ADAPTOR)
    assert dealing.open_kinds() == ["device_lost"]
    dealing.rule("continue")
    finish(dealing)


def test_an_adaptor_with_a_number_is_the_same_under_another_name(dealing: Bench) -> None:
    down(dealing, "shoe")
    up(dealing, "shoe", ADAPTOR, url="/dev/ttyUSB3")
    dealing.rule("continue")
    finish(dealing)


def test_another_adaptor_holds_the_table_until_a_pit_boss_accepts_it_with_a_reason(dealing: Bench) -> None:
    down(dealing, "shoe")
    up(dealing, "shoe", OTHER_ADAPTOR)
    assert dealing.open_kinds() == ["device_lost", "device_changed"]
    assert dealing.refused_ruling("accept_device", kind="device_changed") == "not_allowed"
    incident = dealing.state.incidents.open[1]
    given = {"incident": incident.id, "ruling": "accept_device"}
    assert dealing.refused(c.RuleIncident, dealing.pin(PIT), **given) == "reason_needed"
    dealing.rule("continue", kind="device_lost")
    assert dealing.state.held
    dealing.rule("accept_device", PIT, kind="device_changed")
    assert known(dealing, "shoe").plug == OTHER_ADAPTOR
    [exception] = dealing.rows("ExceptionRecorded")
    assert isinstance(exception, e.ExceptionRecorded)
    assert (exception.row, exception.act, exception.asked_by) == ("EV11", "accept_device", "p1")
    finish(dealing)


def test_the_tables_own_device_put_back_ends_the_doubt_by_itself(dealing: Bench) -> None:
    down(dealing, "shoe")
    up(dealing, "shoe", OTHER_ADAPTOR)
    down(dealing, "shoe")
    up(dealing, "shoe", ADAPTOR)
    assert dealing.open_kinds() == ["device_lost"]
    dealing.rule("continue")
    finish(dealing)


def test_a_machine_that_tells_a_serial_is_the_same_through_any_adaptor(dealing: Bench) -> None:
    down(dealing, "shuffler")
    up(dealing, "shuffler", OTHER_ADAPTOR)
    assert dealing.refused_ruling("continue") == "not_proved"
    hello(dealing)
    dealing.rule("continue")
    finish(dealing)


def test_a_machine_with_another_serial_holds_the_table(dealing: Bench) -> None:
    down(dealing, "shuffler")
    up(dealing, "shuffler")
    hello(dealing, serial="S-78")
    dealing.rule("continue", kind="device_lost")
    assert dealing.incident.ruling.row == "EV11"
    dealing.rule("accept_device", PIT)
    assert known(dealing, "shuffler").serial == "S-78"
    finish(dealing)


def test_a_machine_exchanged_behind_its_own_cable_is_found_out_by_its_hello(dealing: Bench) -> None:
    hello(dealing, serial="S-78")
    assert dealing.incident.ruling.row == "EV11"
    hello(dealing)
    finish(dealing)


def test_a_machine_that_says_nothing_of_itself_any_more_holds_the_table_after_its_time(dealing: Bench) -> None:
    down(dealing, "shuffler")
    up(dealing, "shuffler")
    dealing.wait(TELL_MS / 1000 - 1)
    assert dealing.open_kinds() == ["device_lost"]
    dealing.wait(1)
    assert dealing.open_kinds() == ["device_lost", "device_changed"]
    dealing.rule("accept_device", PIT, kind="device_changed")
    assert known(dealing, "shuffler").serial == "S-77"
    dealing.rule("continue")
    hello(dealing, serial="S-78")
    assert dealing.incident.ruling.row == "EV11"
    dealing.rule("accept_device", PIT)
    finish(dealing)


def test_a_late_hello_ends_the_doubt_by_itself(dealing: Bench) -> None:
    down(dealing, "shuffler")
    up(dealing, "shuffler")
    dealing.wait(TELL_MS / 1000)
    hello(dealing)
    dealing.rule("continue")
    finish(dealing)


def test_a_camera_of_the_network_proves_itself_by_its_picture(dealing: Bench) -> None:
    down(dealing, "camera")
    up(dealing, "camera", url="http://camera/2")
    dealing.say(ports.CameraBlind(device="camera", at_ms=dealing.now, reason="moved"))
    assert dealing.refused_ruling("continue") == "blind"
    dealing.say(ports.CameraSeesAgain(device="camera", at_ms=dealing.now))
    assert dealing.refused_ruling("continue") == "felt_differs"
    again_seen(dealing)
    dealing.rule("continue")
    finish(dealing)


def test_a_camera_on_a_cable_proves_itself_by_its_plug() -> None:
    with bench() as table:
        table.links(only=("shoe", "shuffler"))
        up(table, "camera", "usb 046d:082d C920 line 0", url="/dev/video0")
        table.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
        down(table, "camera")
        up(table, "camera", "usb 046d:082d C921 line 0", url="/dev/video0")
        assert "device_changed" in table.open_kinds()
        table.rule("accept_device", PIT, kind="device_changed")
        table.rule("continue")


def test_where_nobody_can_tell_a_person_confirms() -> None:
    with bench() as table:
        up(table, "shoe", NO_PLUG, url="/dev/ttyUSB0")
        table.links(only=("shuffler", "camera"))
        table.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
        assert table.state.incidents.open == ()  # the first to come is taken as it is
        down(table, "shoe")
        up(table, "shoe", NO_PLUG, url="/dev/ttyUSB0")
        assert "device_changed" in table.open_kinds()
        table.rule("accept_device", PIT, kind="device_changed")
        table.rule("continue")


# --- what is on record ---------------------------------------------------------------------------------


def test_model_serial_and_firmware_are_on_record_and_a_new_firmware_is_told(dealing: Bench) -> None:
    hello(dealing, firmware="1.3")
    assert dealing.state.incidents.open == ()
    told = [one for one in dealing.rows("DeviceProved") if isinstance(one, e.DeviceProved) and one.serial]
    assert [(one.name, one.by) for one in told] == [("MD S-77, firmware 1.2", ""), ("MD S-77, firmware 1.3", "")]
    finish(dealing)


def test_a_heartbeat_of_hellos_writes_nothing_new(dealing: Bench) -> None:
    before = len(dealing.rows("DeviceProved"))
    hello(dealing)
    hello(dealing)
    assert len(dealing.rows("DeviceProved")) == before


def test_a_device_exchanged_at_a_closed_table_is_asked_about_when_it_opens() -> None:
    with bench() as table:
        table.links(only=("camera", "shuffler"))
        up(table, "shoe", ADAPTOR)
        down(table, "shoe")
        up(table, "shoe", OTHER_ADAPTOR)
        assert table.state.incidents.open == ()
        table.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
        assert table.incident.ruling.row == "EV11"
        table.rule("accept_device", PIT)
        assert table.state.incidents.open == ()


def test_who_the_devices_are_is_known_after_a_restart(dealing: Bench) -> None:
    dealing.restart()
    up(dealing, "shoe", OTHER_ADAPTOR)
    up(dealing, "shuffler")
    up(dealing, "camera")
    again_seen(dealing)
    assert dealing.refused_ruling("continue", PIT, kind="restart") == "not_proved"
    hello(dealing)
    dealing.rule("continue", PIT, kind="restart")
    assert dealing.incident.ruling.row == "EV11"
    dealing.rule("accept_device", PIT)
    finish(dealing)


def test_a_void_of_the_round_does_not_make_the_device_known(dealing: Bench) -> None:
    down(dealing, "shoe")
    up(dealing, "shoe", OTHER_ADAPTOR)
    dealing.report("malfunction", PIT)
    dealing.rule("void_round", PIT, kind="malfunction")
    dealing.pay()
    assert dealing.open_kinds() == ["device_lost", "device_changed"]


def test_a_device_that_is_gone_again_cannot_be_accepted(dealing: Bench) -> None:
    down(dealing, "shoe")
    up(dealing, "shoe", OTHER_ADAPTOR)
    down(dealing, "shoe")
    assert dealing.refused_ruling("accept_device", PIT, kind="device_changed") == "still_lost"


# --- the rule ------------------------------------------------------------------------------------------

NUMBERED = Identity("usb A", "S-77", "MD", "1.2")
PLUGGED = Identity("usb A")


@pytest.mark.parametrize(
    ("known", "shown", "verdict"),
    [
        pytest.param(None, NUMBERED, IdentityVerdict.SAME, id="first with a serial"),
        pytest.param(None, Identity(NO_PLUG), IdentityVerdict.SAME, id="first without proof"),
        pytest.param(PLUGGED, None, IdentityVerdict.WAIT, id="not there"),
        pytest.param(NUMBERED, NUMBERED, IdentityVerdict.SAME, id="same serial"),
        pytest.param(NUMBERED, replace(NUMBERED, plug="usb B"), IdentityVerdict.SAME, id="same serial elsewhere"),
        pytest.param(NUMBERED, replace(NUMBERED, firmware="9"), IdentityVerdict.SAME, id="new firmware"),
        pytest.param(NUMBERED, replace(NUMBERED, serial="S-78"), IdentityVerdict.OTHER, id="other serial"),
        pytest.param(NUMBERED, replace(NUMBERED, model="XX"), IdentityVerdict.OTHER, id="other model, same number"),
        pytest.param(NUMBERED, PLUGGED, IdentityVerdict.WAIT, id="no serial yet"),
        pytest.param(PLUGGED, PLUGGED, IdentityVerdict.SAME, id="same plug"),
        pytest.param(PLUGGED, NUMBERED, IdentityVerdict.SAME, id="same plug, and a serial now"),
        pytest.param(PLUGGED, Identity("usb B"), IdentityVerdict.OTHER, id="other plug"),
        pytest.param(PLUGGED, Identity(NO_PLUG), IdentityVerdict.UNPROVED, id="nobody can tell"),
        pytest.param(Identity(NO_PLUG), PLUGGED, IdentityVerdict.UNPROVED, id="nobody could tell before"),
    ],
)
def test_the_verdict_on_a_device(known: Identity | None, shown: Identity | None, verdict: IdentityVerdict) -> None:
    assert judge(Presence(known, shown)) is verdict
