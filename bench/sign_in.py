"""Signs in at a studio for a bench, as a dealer's browser does."""

from __future__ import annotations

import contextlib
from http.client import HTTPConnection
from urllib.parse import urlencode

from bench.serving_studio import BADGE, PIN


def cookie_of(port: int, badge: str = BADGE, pin: str = PIN) -> str:
    """The cookie of somebody signed in at a console."""
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        form = urlencode({"badge": badge, "pin": pin})
        connection.request("POST", "/sign-in", form, {"Content-Type": "application/x-www-form-urlencoded"})
        answer = connection.getresponse()
        answer.read()
        return (answer.getheader("Set-Cookie") or "").partition(";")[0]
