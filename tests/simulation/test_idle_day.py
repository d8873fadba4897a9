"""A table that nobody touches for a day: its devices keep saying that they are there, and the record hardly grows."""

from __future__ import annotations

from collections import Counter
from contextlib import closing

import pytest

from dealer_ui.rehearsal.night import Night, NightOptions
from devices.sim.wire.shoe_voice import SHOES
from studio.ports import LineIdled
from studio.tables.command import Tick
from studio.tables.event.record import read_body
from studio.tables.event.table import ObservationRecorded

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
STEP_MS = 1_900
"""A step falls between two heartbeats of a device, never upon them."""
BYTES_A_DAY_MAX = 100_000


def idle(night: Night, for_ms: int) -> None:
    """Machines, devices and table for so long; no person and no hand."""
    until_ms = night.now_ms + for_ms
    while night.now_ms < until_ms:
        night.now_ms += STEP_MS
        for now_ms in (night.now_ms, night.now_ms + 40):
            night.rig.pump(now_ms)
            for device in night.devices:
                if seen := device.step(now_ms):
                    night.runtime.observe(seen, now_ms)
        night.runtime.handle(Tick(), night.now_ms)


def written(night: Night) -> tuple[int, Counter[str], list[LineIdled]]:
    """How many bytes of database, its indexes with it, which kinds of rows, and what was counted."""
    with night.store.reader() as reader:
        (size,) = reader.read("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", ())[0]
        rows = list(reader.events())
    events = [read_body(row.body).event for row in rows]
    seen = [event.observation for event in events if isinstance(event, ObservationRecorded)]
    return size, Counter(row.kind for row in rows), [one for one in seen if isinstance(one, LineIdled)]


def watch(shoe: str, for_ms: int, *, locks: bool = False) -> tuple[int, Counter[str]]:
    """The bytes that so long a rest adds to the database, and the heartbeats that were counted, by device."""
    with closing(Night(NightOptions("three_knights", 7, shoe=shoe, lock_when_idle=locks))) as night:
        idle(night, 60_000)
        before, _, _ = written(night)
        idle(night, for_ms)
        after, kinds, counted = written(night)
    assert "LineBytes" in kinds, "what the machines said of themselves is kept as it came"
    assert all(0 <= one.to_ms - one.from_ms <= HOUR_MS + 2 * STEP_MS for one in counted)
    heartbeats: Counter[str] = Counter()
    for one in counted:
        heartbeats[one.device] += one.frames
    return after - before, heartbeats


def test_two_idle_hours_write_a_few_rows() -> None:
    size, heartbeats = watch("generic_shoe", 2 * HOUR_MS)
    assert size <= BYTES_A_DAY_MAX // 6
    assert len(heartbeats) == 2
    assert all(frames > 900 for frames in heartbeats.values()), heartbeats


def test_a_shoe_that_is_locked_while_no_card_is_due_adds_nothing_to_that() -> None:
    size, _ = watch("angel_eye", 2 * HOUR_MS, locks=True)
    assert size <= BYTES_A_DAY_MAX // 6


@pytest.mark.long
@pytest.mark.parametrize("shoe", SHOES)
def test_a_table_that_is_idle_for_a_day_writes_less_than_100_kilobytes(shoe: str) -> None:
    size, heartbeats = watch(shoe, DAY_MS)
    print(f"{shoe}: {size} bytes a day")
    assert size <= BYTES_A_DAY_MAX
    assert heartbeats
    assert all(frames > 20_000 for frames in heartbeats.values()), heartbeats
