"""What a person had a table's device do."""

from __future__ import annotations

import msgspec


class DeviceOrdered(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """A command goes out to a device, for this person and reason; the device's answer is an observation of its own.

    `order`: lock unlock cancel_error confirm …; `value`: its code, 0 where it has none.
    """

    device: str
    order: str
    value: int
    by: str
    by_name: str
    words: str
