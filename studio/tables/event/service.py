"""What a technician did at a table's device: a test, a calibration, a recording."""

from __future__ import annotations

import msgspec


class DeviceServiced(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """`service`: self_test calibration recording enrolment. `passed`: nothing failed. `findings` are full sentences."""

    device: str
    service: str
    passed: bool
    by: str
    by_name: str
    findings: tuple[str, ...] = ()
