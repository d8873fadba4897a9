"""The address at which browsers tell that a page of ours broke its policy.

    POST /violations    → 204, whatever it was; 413 where it is too long to be one

Anybody may send something there. It is counted and says nothing.
"""

from __future__ import annotations

from flask import Blueprint, abort, current_app, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response

from dealer_ui.access.auth import VIOLATIONS
from dealer_ui.access.violation import REPORT_BYTES_MAX
from dealer_ui.frame.console import Console


def routes(console: Console) -> Blueprint:
    found = Blueprint("violations", __name__)

    @found.post(VIOLATIONS)
    def hear() -> Response:
        request.max_content_length = REPORT_BYTES_MAX
        try:
            body = request.get_data()
        except RequestEntityTooLarge:
            abort(413)
        console.violations.hear(body, request.host, rule_of)
        return Response(status=204)

    return found


def rule_of(path: str) -> str:
    """The house's own rule of an address; empty where there is none."""
    try:
        rule, _ = current_app.url_map.bind("").match(path, "GET", return_rule=True)
    except (HTTPException, RequestRedirect):
        return ""
    return rule.rule
