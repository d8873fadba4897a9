"""The second of two people at one station: known by badge and PIN, beside the one signed in."""

from __future__ import annotations

from dealer_ui.access.typed_pin import confirmed
from dealer_ui.frame.command_form import Fields
from dealer_ui.frame.console import Console
from studio.errors import RefusedError
from studio.people import Actor


def second_person(console: Console, fields: Fields) -> Actor | None:
    """Who stands by, the PIN just entered; None where nobody was named."""
    badge = fields.get("second_badge", "").strip()
    if not badge:
        return None
    person = console.house.staff.register.with_badge(badge)
    if person is None:
        raise RefusedError("second_unknown", "Nobody of the staff wears the second badge: read it again.")
    return confirmed(console.house, person.id, fields.get("second_pin", ""))
