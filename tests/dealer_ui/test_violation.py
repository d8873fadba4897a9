"""Browsers' reports of broken policies are counted in words of the house, however many come, whatever they are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from console_visitor import Visitor, app_over
from fake_floor import IDLE, FakeFloor
from flask import Flask
from structlog.testing import capture_logs

from dealer_ui.access.violation import KINDS_MAX, REPORT_BYTES_MAX, BrokenPolicies, BrokenPolicy

HOST = "localhost"
SECRET = "tok-3nSealedAhKd"
DEEP = b'{"csp-report":' + b"[" * 5_000


@pytest.fixture
def app() -> Flask:
    return app_over(FakeFloor(IDLE))


def report(**said: Any) -> bytes:
    given = {"document-uri": f"http://{HOST}/dealer/t1", "effective-directive": "script-src-elem", **said}
    return json.dumps({"csp-report": given}).encode()


def send(app: Flask, body: bytes, **headers: str) -> int:
    kind = "application/csp-report"
    return app.test_client().post("/violations", data=body, content_type=kind, headers=headers).status_code


def counted(app: Flask) -> list[tuple[BrokenPolicy, int]]:
    return list(app.extensions["console"].violations.counted)


def test_every_page_names_the_address_of_the_house(app: Flask) -> None:
    for path in ("/sign-in", "/display/t1", "/nowhere"):
        policy = app.test_client().get(path).headers["Content-Security-Policy"]
        assert policy.endswith("report-uri /violations")


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"blocked-uri": "inline"}, BrokenPolicy("/dealer/<table>", "script-src-elem", "inline")),
        ({"blocked-uri": "https://evil.example/x.js"}, BrokenPolicy("/dealer/<table>", "script-src-elem", "elsewhere")),
        ({"effective-directive": "", "violated-directive": "img-src 'self'", "blocked-uri": "data"},
         BrokenPolicy("/dealer/<table>", "img-src", "data")),
        ({"document-uri": f"http://{HOST}/play/{SECRET}", "blocked-uri": f"http://{HOST}/x"},
         BrokenPolicy("other", "script-src-elem", "own")),
        ({"document-uri": "http://elsewhere/dealer/t1", "blocked-uri": "eval"},
         BrokenPolicy("other", "script-src-elem", "eval")),
        ({"document-uri": "http://[", "effective-directive": "<b>", "blocked-uri": "http://["},
         BrokenPolicy("other", "other", "other")),
    ],
)  # fmt: skip
def test_a_report_is_one_more_of_its_kind(app: Flask, said: dict[str, str], found: BrokenPolicy) -> None:
    assert [send(app, report(**said)) for _ in range(3)] == [204] * 3
    assert counted(app) == [(found, 3)]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b'{"csp-report": 7}',
        b'{"csp-report": {"document-uri": 7}}',
        b"nonsense",
        b'{"csp-report":' + b"[" * 5_000,
    ],
)
def test_what_is_no_report_is_counted_and_says_nothing(app: Flask, body: bytes) -> None:
    assert send(app, body) == 204
    assert counted(app) == [(BrokenPolicy("other", "other", "other"), 1)]


def test_nothing_of_a_report_is_kept_shown_or_logged_but_words_of_ours(app: Flask) -> None:
    foreign = f"<script>alert('{SECRET}')</script>"
    said = {
        "document-uri": f"http://{HOST}/dealer/{SECRET}", "blocked-uri": f"https://{SECRET}.example/{foreign}",
        "script-sample": foreign, "source-file": foreign, "referrer": foreign, "original-policy": foreign,
    }  # fmt: skip
    with capture_logs() as logs:
        send(app, report(**said))
        send(app, report(**{**said, "effective-directive": foreign}))
    page = Visitor(app, "tom").page("/devices")
    assert "/dealer/&lt;table&gt;" in page
    for told in (page, repr(logs), repr(counted(app))):
        assert SECRET not in told
        assert "alert(" not in told
    assert len(logs) == 2, "one line for each kind"


def test_a_report_is_bounded_in_size_and_kinds(app: Flask) -> None:
    assert send(app, report(referrer="x" * REPORT_BYTES_MAX)) == 413
    assert counted(app) == []
    heard = BrokenPolicies()
    for number in range(10 * KINDS_MAX):
        heard.hear(report(), HOST, lambda path, n=number: f"/{n}")
    assert len(heard.counted) == KINDS_MAX + 1
    assert sum(times for _, times in heard.counted) == 10 * KINDS_MAX


def test_a_browser_needs_no_session_and_puts_none_off(app: Flask) -> None:
    assert send(app, report(), Origin="null") == 204
    assert send(app, report(), **{"Sec-Fetch-Site": "cross-site"}) == 204


def test_the_technician_is_told_and_a_pit_boss_is_not_bothered(app: Flask) -> None:
    assert "No browser has reported" in Visitor(app, "tom").page("/devices")
    send(app, report(**{"blocked-uri": "inline"}))
    assert "something inside the page" in Visitor(app, "tom").page("/devices")
    assert "What browsers report" not in Visitor(app, "petra").page("/devices")
