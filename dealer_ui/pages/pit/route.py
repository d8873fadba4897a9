"""The pit's pages, the evidence pictures and the live picture of a table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from flask import Blueprint, abort, make_response, request, send_file
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.care.retention_desk import expired_by
from dealer_ui.floor.house import name_of, window_s_of
from dealer_ui.floor.trouble import trouble_of
from dealer_ui.frame.alarm_row import about_of, rows_of
from dealer_ui.frame.console import Console
from dealer_ui.frame.incident_way import REASONS, laid_card, ways
from dealer_ui.frame.picture_rack import WIDTHS, PictureRack
from dealer_ui.frame.screen import Asked, Screen
from dealer_ui.frame.seat_look import pulse, seat_of
from dealer_ui.pages.pit.behind import behind
from dealer_ui.pages.pit.ended import Ended, last_ruling
from dealer_ui.pages.pit.floor_page import FLOOR as FLOOR
from dealer_ui.pages.pit.floor_page import refused_of, sounds
from dealer_ui.pages.pit.panel import panels
from dealer_ui.pages.pit.report import pit_menu_of
from studio.cards import DECK
from studio.people import REQUEST_VALID_MS, Role
from studio.pit import PREPARED
from studio.views.shape import TableView

CARDS: Final = tuple((str(card), card.sign) for card in reversed(DECK))
ASKED_S: Final = REQUEST_VALID_MS // 1_000
TOLD_MS: Final = 120_000
"""So long the page says who has agreed, or who has not."""


def draw_table(asked: Asked) -> tuple[int, Mapping[str, Any]]:
    view = asked.house.view(asked.table)
    rows = [row for row in rows_of(asked.house) if asked.table in row.cause.tables]
    return view.seq, {
        "view": view,
        "seat": seat_of(asked.house, view),
        "rows": rows,
        "about": partial(about_of, asked.language),
        "prepared": PREPARED,
        "trouble": trouble_of(view),
        "incidents": [(incident, ways(view, incident), laid_card(view, incident)) for incident in view.incidents],
        "behind": {one.id: behind(asked.house, view, one) for one in view.incidents if one.asked_by},
        "agreed": _agreed(asked, view),
        "alarms": sounds(rows),
        "named": partial(name_of, asked.house),
        "frozen_name": view.frozen_by_name,
        "called_name": view.pit_called_by_name,
        "dealers": asked.house.staff.register.with_role(Role.DEALER),
        "reasons": REASONS,
        **panels(view, asked.viewer.id if asked.viewer else "", asked.language),
        "cards": CARDS,
        "window_s": window_s_of(asked.house, asked.table),
        "asked_s": ASKED_S,
    }


def _agreed(asked: Asked, view: TableView) -> Ended | None:
    """How what was asked last in this round has ended, for as long as somebody may still wonder."""
    if any(one.asked_by for one in view.incidents):
        return None
    last = last_ruling(asked.house, view)
    return last if last is not None and asked.house.now_ms() - last.at_ms < TOLD_MS else None


def _pulse(asked: Asked) -> object:
    return pulse(asked), refused_of(asked.house.view(asked.table))


TABLE: Final = Screen("pit_table", ("view_pit",), draw_table, pulse=_pulse)


def routes(console: Console) -> Blueprint:
    found = Blueprint("pit", __name__)
    rack = PictureRack(console.house)

    @found.get("/pit/pictures")
    @needs("view_pit")
    def pictures() -> Response:
        """The live pictures of these tables, each with its age; null where there is none."""
        size = request.args.get("size", "small")
        tables = [table for table in request.args.get("tables", "").split(",") if table in console.house.tables]
        if size not in WIDTHS:
            abort(404)
        return make_response({"pictures": {table: rack.look(table, size) for table in dict.fromkeys(tables)}})

    @found.get("/pit")
    @needs("view_pit")
    def floor() -> Response:
        return console.show(FLOOR)

    @found.get("/pit/<table>")
    @needs("view_pit")
    def one_table(table: str) -> Response:
        game = console.asked(table).house.view(table).game
        return console.show(TABLE, table, menu=pit_menu_of(game), menu_back=f"/pit/{table}")

    @found.get("/evidence/<digest>")
    @needs()
    def evidence(digest: str) -> Response:
        """A stored picture; its name is its content, so it never changes."""
        path = console.house.evidence_path(digest) if _is_digest(digest) else None
        if path is None:
            return _expired(console, digest) if _is_digest(digest) else abort(404)
        with path.open("rb") as file:
            kind = _kind_of(file.read(8))
        if not kind:
            abort(404)
        answer = send_file(path.absolute(), mimetype=kind, conditional=False)
        answer.headers["Cache-Control"] = "private, max-age=86400, immutable"
        return answer

    @found.get("/table/<table>/camera.jpg")
    @needs("view_pit", "view_technician")
    def camera(table: str) -> Response:
        """The camera's last picture, masked by whoever owns the camera."""
        if table not in console.house.tables:
            abort(404)
        picture = console.house.camera_jpeg(table)
        if picture is None:
            return make_response("", 204)
        answer = make_response(picture[0])
        answer.headers["Content-Type"] = "image/jpeg"
        answer.headers["X-Taken-At-Ms"] = str(picture[1])
        return answer

    return found


def _expired(console: Console, digest: str) -> Response:
    """That the picture was deleted, when, and by which rule; 404 when nobody deleted it."""
    gone = expired_by(console.house.reader(), digest)
    if gone is None:
        abort(404)
    language = console.language()
    rule = language.say(f"record.rule.{gone.rule}")
    return console.plain(
        "error.html", 410,
        sentence=language.say("record.expired", at=console.artist.times.day(gone.at_ms), rule=rule, days=gone.days),
    )  # fmt: skip


def _is_digest(text: str) -> bool:
    return len(text) == 64 and all(character in "0123456789abcdef" for character in text)


def _kind_of(head: bytes) -> str:
    if head.startswith(b"\xff\xd8"):
        return "image/jpeg"
    return "image/png" if head.startswith(b"\x89PNG") else ""
