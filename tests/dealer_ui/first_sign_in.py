"""Somebody comes in with a one-time code and chooses his own PIN: at a desk, at the machine, at a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from dealer_ui.desk.halfway import OwnPinNeededError
from dealer_ui.desk.staff import StaffDesk
from dealer_ui.verbs.staff_register import RegisterPlace, open_register


def code_in(said: str) -> str:
    """The code that a page or a command shows."""
    found = re.search(r"\b([0-9]{4}) ([0-9]{4})\b", said)
    assert found is not None, said
    return found[1] + found[2]


def half_in(page: str) -> str:
    found = re.search(r'name="half" value="([^"]+)"', page)
    assert found is not None, page
    return found[1]


def chosen_at_desk(desk: StaffDesk, badge: str, code: str, pin: str, station: str = "aaaaaaaaaaaa") -> None:
    with pytest.raises(OwnPinNeededError) as halted:
        desk.sign_in(badge, code, desk.now_ms(), station)
    desk.second.choose(halted.value.token, pin, pin)


def chosen_at_machine(database: Path, badge: str, code: str, pin: str) -> None:
    """In a database that no studio runs on."""
    with open_register(RegisterPlace(database)) as desk:
        chosen_at_desk(desk, badge, code, pin)


def chosen_at_browser(client: FlaskClient, badge: str, code: str, pin: str, **more: str) -> Any:
    """The answer to the chosen PIN."""
    asked = client.post("/sign-in", data={"badge": badge, "pin": code, **more})
    return client.post("/sign-in/pin", data={"half": half_in(asked.text), "new_pin": pin, "new_pin_again": pin, **more})
