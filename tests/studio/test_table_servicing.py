"""What a technician does at a device is kept with his name, and changes nothing at the table."""

from __future__ import annotations

import pytest
from table_bench import CONFIG, DEALER, Bench

from studio.people import Actor
from studio.tables import command as c
from studio.tables.devices.service import FINDING_CHARACTERS_MAX, FINDINGS_MAX
from studio.tables.event import table as e
from studio.tables.event.record import read_body

TECHNICIAN = Actor("t1", "Ken", frozenset({"technician"}))


def serviced(bench: Bench) -> list[e.DeviceServiced]:
    with bench.store.reader() as reader:
        rows = list(reader.events(table=bench.config.key, kinds=("DeviceServiced",)))
    return [event for row in rows if isinstance(event := read_body(row.body).event, e.DeviceServiced)]


def test_a_self_test_is_kept_with_the_person_and_what_was_found() -> None:
    bench = Bench()
    before = bench.state
    bench.do(
        c.ServiceDevice, TECHNICIAN, device=CONFIG.shoe, service="self_test", passed=False, findings=("No card came.",)
    )
    (kept,) = serviced(bench)
    assert (kept.device, kept.by_name, kept.passed, kept.findings) == (CONFIG.shoe, "Ken", False, ("No card came.",))
    assert bench.state == before


@pytest.mark.parametrize(
    ("actor", "device", "service", "key"),
    [
        pytest.param(DEALER, CONFIG.shoe, "self_test", "not_allowed", id="a dealer"),
        pytest.param(TECHNICIAN, "elsewhere", "self_test", "not_of_the_table", id="another table's device"),
        pytest.param(TECHNICIAN, CONFIG.shoe, "hammer", "unknown_command", id="no such service"),
    ],
)
def test_what_is_no_service_of_the_table_is_refused(actor: Actor, device: str, service: str, key: str) -> None:
    bench = Bench()
    assert bench.refused(c.ServiceDevice, actor, device=device, service=service, passed=True) == key
    assert serviced(bench) == []


def test_no_finding_and_no_list_of_them_is_without_measure() -> None:
    bench = Bench()
    bench.do(
        c.ServiceDevice, TECHNICIAN, device=CONFIG.shoe, service="self_test", passed=True, findings=("x" * 999,) * 99
    )
    (kept,) = serviced(bench)
    assert (len(kept.findings), len(kept.findings[0])) == (FINDINGS_MAX, FINDING_CHARACTERS_MAX)
