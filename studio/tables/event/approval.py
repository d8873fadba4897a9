"""The approval of a device, as it told itself to be, for its part at a table."""

from __future__ import annotations

import msgspec


class DeviceApproved(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """With this serial, model and firmware it may stand here; another firmware is approved anew."""

    device: str
    name: str
    plug: str
    by: str
    by_name: str
    words: str
    serial: str = ""
    model: str = ""
    firmware: str = ""
