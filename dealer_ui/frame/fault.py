"""Which field of a form a refusal is about, so that the screen can mark it."""

from __future__ import annotations

from typing import Final

from dealer_ui.frame.command_form import FIELD_CHARACTERS_MAX, Fields
from studio.errors import RefusedError

_PIN: Final = frozenset(
    {"pin_needed", "wrong_pin", "pin_wrong_at_work", "pins_wrong_at_work", "sign_in_refused", "pin_malformed"}
)
_FIELDS: Final = {**dict.fromkeys(_PIN, "pin"), "words_needed": "words", "not_a_card": "card", "no_card": "at"}
_OF_THE_RULING: Final = frozenset({"arguments", "no_box"})


def field_at_fault(error: RefusedError, fields: Fields) -> str:
    """Its name; empty where no field of the form is wrong."""
    match error.key:
        case "reason_needed":
            return "words" if fields.get("reason_code", "").strip() else "reason_code"
        case "too_long":
            return next((name for name, value in fields.items(multi=True) if len(value) > FIELD_CHARACTERS_MAX), "")
        case key if key in _OF_THE_RULING:
            return f"argument.{fields.get('ruling', '')}"
    name = _FIELDS.get(error.key, "")
    return name if name in fields or name == "pin" else "place" if name == "at" else ""
