"""The pages of the serial devices name everything the code knows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from devices.catalogue import DRIVERS, DriverEntry
from devices.shoe.angel_eye_codec import ERRORS, NAK_REASONS, PAYLOAD_BYTES
from devices.shoe.angel_eye_order import ORDERS
from devices.shoe.barcode import REPEAT_MS
from devices.shoe.barcode_codec import LINE_BYTES_MAX, code_of
from devices.shoe.bee_tek import REST_MS
from devices.shoe.bee_tek_codec import ERRORS as ERROR_NAMES
from devices.shoe.bee_tek_codec import MODES, TAIL_BYTES_MAX
from devices.shuffler.generic_codec import ALARMS, FRAME_BYTES_MAX, STATES, VERDICTS, encode
from devices.shuffler.generic_order import WORDS
from devices.shuffler.generic_record import KINDS
from devices.sim.wire.fault import BARCODE, BEE_TEK, FAULTS, GENERIC_SHOE, SHOE, SHUFFLER
from studio.cards import parse_cards

SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SHOWN = parse_cards("As Ks Kd")
PAGES = Path(__file__).parents[2] / "docs" / "devices"
ANGEL_EYE = (PAGES / "angel_eye.md").read_text()
GENERIC = (PAGES / "generic.md").read_text()
BEE_TEK_PAGE = (PAGES / "bee_tek.md").read_text()
BARCODE_PAGE = (PAGES / "barcode.md").read_text()
TIERS = (PAGES / "README.md").read_text()


@pytest.mark.parametrize("entry", DRIVERS, ids=lambda entry: entry.name)
def test_every_driver_has_a_page_that_gives_its_name_and_its_tier(entry: DriverEntry) -> None:
    (row,) = (line for line in TIERS.splitlines() if line.startswith(f"| `{entry.name}` |"))
    assert row.endswith(f"| {entry.tier} |")
    page = (PAGES / re.search(r"\((\w+\.md)\)", row)[1]).read_text()  # type: ignore[index]
    assert f"`{entry.name}`" in page
    assert re.search(rf"Tier: \*\*\[?{entry.tier}\b", page)


def test_the_pages_of_the_text_shoes_name_every_mode_alarm_bound_and_wait() -> None:
    assert all(f"[{mode}]" in BEE_TEK_PAGE for mode in MODES)
    assert all(f"{code}, `{error}`" in BEE_TEK_PAGE for code, error in ERROR_NAMES.items())
    assert f"within {TAIL_BYTES_MAX} characters" in BEE_TEK_PAGE
    assert f"after {REST_MS // 1000} seconds" in BEE_TEK_PAGE
    assert f"less than {REPEAT_MS} ms" in BARCODE_PAGE
    assert f"at most {LINE_BYTES_MAX} characters" in BARCODE_PAGE
    flowing = BARCODE_PAGE.replace("\n", " ")
    assert all(f"`{code_of(card)}` is {card.rank}{SIGNS[card.suit]}" in flowing for card in SHOWN)


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


@pytest.mark.parametrize(
    ("device", "page"),
    [
        (SHOE, ANGEL_EYE),
        (BEE_TEK, BEE_TEK_PAGE),
        (BARCODE, BARCODE_PAGE),
        (SHUFFLER, GENERIC),
        (GENERIC_SHOE, GENERIC),
    ],
    ids=lambda value: value if len(value) < 20 else "",
)
def test_every_fault_of_a_simulator_stands_on_its_page(device: str, page: str) -> None:
    assert [fault.name for fault in FAULTS if device in fault.devices and f"`{fault.name}`" not in page] == []
