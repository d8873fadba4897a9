"""Somebody at a station: a test client that signs in, posts with its CSRF token, and reads a stream."""

from __future__ import annotations

import json
import re
from typing import Any

from fake_floor import PINS, FakeFloor
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.access.auth import COOKIE
from dealer_ui.assembly.app import create_app


def app_over(floor: FakeFloor, **options: Any) -> Flask:
    return create_app(floor, **options)  # type: ignore[arg-type]


class Visitor:
    def __init__(self, app: Flask, badge: str = "") -> None:
        self.app = app
        self.client: FlaskClient = app.test_client()
        self.csrf = ""
        if badge:
            answer = self.client.post("/sign-in", data={"badge": badge, "pin": PINS[badge]})
            assert answer.status_code == 303, answer.text
            cookie = self.client.get_cookie(COOKIE)
            assert cookie is not None
            viewer = app.extensions["console"].sessions.find(cookie.value)
            self.csrf = viewer.csrf

    def page(self, path: str) -> str:
        answer = self.client.get(path, headers={"Accept": "text/html"})
        assert answer.status_code == 200, (path, answer.status_code)
        return answer.get_data(as_text=True)

    def status(self, path: str) -> int:
        with self.client.get(path, headers={"Accept": "text/html"}) as answer:
            return answer.status_code

    def ask(self, table: str, command: str, **fields: Any) -> Any:
        headers = {"X-CSRF-Token": self.csrf, "Accept": "application/json"}
        return self.client.post(f"/table/{table}/command", json={"command": command, **fields}, headers=headers)


def events(body: bytes) -> list[tuple[str, Any]]:
    """The named events of a piece of a stream, with their data read."""
    found = []
    for block in body.decode().split("\n\n"):
        name = re.search(r"^event: (.*)$", block, re.M)
        data = re.search(r"^data: (.*)$", block, re.M)
        if name and data:
            found.append((name[1], json.loads(data[1])))
    return found
