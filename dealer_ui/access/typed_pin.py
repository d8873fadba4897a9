"""The person behind a form: whoever is signed in here; with a PIN typed, the PIN is checked and speaks for one act."""

from __future__ import annotations

from collections.abc import Mapping

from flask import request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import signed_in, viewer
from dealer_ui.floor.house import House
from dealer_ui.process.throttle import TooOftenError
from studio.errors import RefusedError
from studio.people import Actor


def who_acts(house: House, fields: Mapping[str, str]) -> Actor:
    """Who asks by this form. Wrong PINs count for this sign-in, and the fifth in a row ends it."""
    pin = fields.get("pin", "")
    return confirmed(house, signed_in().id, pin) if pin else house.staff.actor(signed_in().id)


def confirmed(house: House, staff_id: str, pin: str, badge: str = "") -> Actor:
    """Somebody whose PIN was typed at this station: who is signed in here, or whoever stands beside him. `badge`: what
    was typed as one.

    Where nobody is signed in it is typed at the door.
    """
    station, address = here.station if (here := viewer()) else "", request.remote_addr or ""
    return house.staff.confirm_pin(staff_id, pin, station, address, badge=badge)


def retry_later(response: Response, error: RefusedError) -> Response:
    """The refusal as it is; 429 with `Retry-After` where whoever asked has to wait."""
    if isinstance(error, TooOftenError):
        response.status_code = 429
        response.headers["Retry-After"] = str(error.retry_after_s)
    return response
