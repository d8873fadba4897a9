"""`make bench` can be run: every measurement is there under a key of its own."""

from __future__ import annotations

from bench.__main__ import MEASUREMENTS


def test_every_measurement_can_be_named() -> None:
    keys = [one.key for one in MEASUREMENTS]
    assert len(set(keys)) == len(keys)
    assert {"fans", "ofc", "streams", "tables"} <= set(keys)
