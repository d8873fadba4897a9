"""The pages of the serial devices name everything the code knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from devices.catalogue import DRIVERS
from devices.shoe.angel_eye_codec import ERRORS, NAK_REASONS, PAYLOAD_BYTES
from devices.shoe.angel_eye_order import ORDERS
from devices.shuffler.generic_codec import ALARMS, FRAME_BYTES_MAX, STATES, VERDICTS, encode
from devices.shuffler.generic_order import WORDS
from devices.shuffler.generic_record import KINDS
from devices.sim.fault import FAULTS, SHOE, SHUFFLER

PAGES = Path(__file__).parents[2] / "docs" / "devices"
ANGEL_EYE = (PAGES / "angel_eye.md").read_text()
GENERIC = (PAGES / "generic.md").read_text()


@pytest.mark.parametrize("name", [entry.name for entry in DRIVERS])
def test_every_driver_has_a_page_that_gives_its_name(name: str) -> None:
    assert f"`{name}`" in ANGEL_EYE + GENERIC


def test_the_shoe_page_names_every_report_error_refusal_and_command() -> None:
    assert all(
        f"| {code} |" in ANGEL_EYE or f"{code}, e |" in ANGEL_EYE or f"E, {code} |" in ANGEL_EYE
        for code in PAYLOAD_BYTES
    )
    assert all(f"{code} `{error}`" in ANGEL_EYE for code, error in ERRORS.items())
    assert all(f"`{code:02X}`" in ANGEL_EYE for code in NAK_REASONS)
    assert all(f"`{order}`" in ANGEL_EYE for order in ORDERS)


def test_the_generic_page_names_every_record_word_and_command() -> None:
    assert all(f"| `{kind}` " in GENERIC for kind in KINDS)
    assert all(f"`{word}`" in GENERIC for word in (*STATES, *VERDICTS, *WORDS, *WORDS.values()))
    assert all(f"{number} `{alarm}`" in GENERIC for number, alarm in enumerate(ALARMS, 1))
    assert f"at most {FRAME_BYTES_MAX} bytes" in GENERIC
    assert encode("01", 7, "W", "ready").hex(" ") in GENERIC


@pytest.mark.parametrize(("device", "page"), [(SHOE, ANGEL_EYE), (SHUFFLER, GENERIC)], ids=[SHOE, SHUFFLER])
def test_every_fault_of_a_simulator_stands_on_its_page(device: str, page: str) -> None:
    assert [fault.name for fault in FAULTS if device in fault.devices and f"`{fault.name}`" not in page] == []
