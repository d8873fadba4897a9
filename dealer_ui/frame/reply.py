"""How a door of the consoles answers: that it was done, or the refusal, to a script or to a browser without any."""

from __future__ import annotations

from flask import make_response, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import local_path
from dealer_ui.access.typed_pin import retry_later
from dealer_ui.frame.command_form import Fields
from dealer_ui.frame.console import Console
from studio.errors import RefusedError


def done(seq: int, fields: Fields) -> Response:
    """A browser without scripts is led back to the page it came from."""
    return make_response({"seq": seq}) if _is_script() else redirect(local_path(fields.get("back")), 303)


def refused(console: Console, error: RefusedError, status: int, field: str = "") -> Response:
    """`field`: what of the form is at fault, where one field is."""
    sentence = console.language().refusal(error)
    if _is_script():
        return retry_later(make_response({"refused": sentence, "key": error.key, "field": field}, status), error)
    return retry_later(console.plain("error.html", status, sentence=sentence), error)


def _is_script() -> bool:
    return request.is_json or "HX-Request" in request.headers or request.accept_mimetypes.best == "application/json"
