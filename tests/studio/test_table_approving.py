"""A device is approved for its place by somebody who looked at it, and is known again when it comes back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import DEALER, PIT, Bench
from table_bench import bench as made

from studio import ports
from studio.people import Actor
from studio.tables import command as c
from studio.views import view_table

TECHNICIAN = Actor("t1", "Tom", frozenset({"technician"}))


@pytest.fixture
def bench() -> Iterator[Bench]:
    with made() as found:
        found.links()
        hello(found, "SN-1")
        yield found


def hello(bench: Bench, serial: str, firmware: str = "1.0") -> None:
    told = {"model": "GEN", "serial": serial, "firmware": firmware, "deck_profile": "52"}
    bench.say(ports.ShufflerHello(device="shuffler", at_ms=bench.now, **told))


def approve(bench: Bench, actor: Actor = TECHNICIAN, device: str = "shuffler", words: str = "Seal whole.") -> None:
    bench.do(c.ApproveDevice, bench.pin(actor), device=device, words=words)


def approval(bench: Bench) -> str:
    view = view_table(bench.state, bench.table.book, bench.table.seq)
    return next(one.approval for one in view.devices.each if one.part == "shuffler")


def replug(bench: Bench, serial: str, firmware: str = "1.0") -> None:
    bench.links(up=False, only=("shuffler",))
    bench.links(only=("shuffler",))
    hello(bench, serial, firmware)


@pytest.mark.parametrize("actor", [TECHNICIAN, PIT], ids=["technician", "pit-boss"])
def test_it_is_approved_as_it_told_itself_to_be(bench: Bench, actor: Actor) -> None:
    assert approval(bench) == "none"
    approve(bench, actor)
    assert approval(bench) == "good"
    assert bench.refused(c.ApproveDevice, bench.pin(actor), device="shuffler", words="Again.") == "device_approved"


def test_another_firmware_is_approved_anew(bench: Bench) -> None:
    approve(bench)
    replug(bench, "SN-1", "2.0")
    assert approval(bench) == "changed"
    approve(bench)
    assert approval(bench) == "good"


def test_one_that_was_approved_proves_itself_when_it_comes_back_after_another(bench: Bench) -> None:
    approve(bench)
    bench.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
    replug(bench, "SN-2")
    assert "device_changed" in bench.open_kinds()
    bench.rule("accept_device", PIT, kind="device_changed")
    replug(bench, "SN-1")
    assert "device_changed" not in bench.open_kinds()
    assert approval(bench) == "good"


@pytest.mark.parametrize(
    ("actor", "given", "key"),
    [
        pytest.param(DEALER, {}, "not_allowed", id="a-dealer"),
        pytest.param(TECHNICIAN, {"words": " "}, "approval_words", id="no-words"),
        pytest.param(TECHNICIAN, {"device": "toaster"}, "not_of_the_table", id="no-such-device"),
    ],
)
def test_who_and_what_is_refused(bench: Bench, actor: Actor, given: dict[str, str], key: str) -> None:
    told = {"device": "shuffler", "words": "Seal whole.", **given}
    assert bench.refused(c.ApproveDevice, bench.pin(actor), **told) == key


def test_it_takes_the_pin_and_a_device_that_has_shown_itself(bench: Bench) -> None:
    assert bench.refused(c.ApproveDevice, TECHNICIAN, device="shuffler", words="w") == "pin_needed"
    with made() as other:
        told = {"device": "shuffler", "words": "w"}
        assert other.refused(c.ApproveDevice, other.pin(TECHNICIAN), **told) == "device_not_known"


def test_another_device_than_was_shown_is_not_approved(bench: Bench) -> None:
    bench.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
    shown = mark(bench)
    replug(bench, "SN-2")
    bench.rule("accept_device", PIT, kind="device_changed")
    told = {"device": "shuffler", "words": "Seal whole.", "shown": shown}
    assert bench.refused(c.ApproveDevice, bench.pin(TECHNICIAN), **told) == "another_device"
    bench.do(c.ApproveDevice, bench.pin(TECHNICIAN), **{**told, "shown": mark(bench)})
    assert approval(bench) == "good"


def mark(bench: Bench) -> str:
    view = view_table(bench.state, bench.table.book, bench.table.seq)
    return next(one.mark for one in view.devices.each if one.part == "shuffler")
