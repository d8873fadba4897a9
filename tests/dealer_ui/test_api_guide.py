"""The guide to the operators' interface names every address and every key of an error; `test_guide` plays it."""

from __future__ import annotations

import re
from pathlib import Path

from api_fake_floor import FakeFloor, Seats
from flask import Flask

from dealer_ui.api.door import blueprint
from dealer_ui.api.request.order import RULES, key_of
from dealer_ui.desk.ticket import Tickets

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "operators-interface.md").read_text(encoding="utf-8")
SOURCES = {
    str(path.relative_to(ROOT / "dealer_ui" / "api")): path.read_text(encoding="utf-8")
    for path in (ROOT / "dealer_ui" / "api").rglob("*.py")
}


def test_every_address_is_in_the_guide() -> None:
    floor = FakeFloor()
    app = Flask("test")
    tickets = Tickets(lambda: "t", floor.now_ms, lambda: 0.0)
    app.register_blueprint(blueprint(floor, Seats(1), tickets=tickets))
    floor.close()
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("api.") and rule.endpoint != "api.lost":
            (method,) = rule.methods - {"HEAD", "OPTIONS"} if rule.methods else {""}
            assert f"{method} {rule.rule}" in GUIDE, rule.rule


def test_every_key_of_an_error_is_in_the_guide() -> None:
    keys = {key for text in SOURCES.values() for key in re.findall(r'AnswerError\(\d+, "(\w+)"', text)}
    keys |= set(re.findall(r'return "(\w+)", f?"', SOURCES["request/order.py"]))
    keys |= {key_of(field) for field in RULES}
    assert len(keys) > 20
    assert [key for key in sorted(keys) if f"`{key}`" not in GUIDE] == []
