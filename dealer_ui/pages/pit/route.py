"""The pit's pages with what may be reported and opened there, the evidence pictures and the live picture of a table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from flask import Blueprint, abort, make_response, request, send_file
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.care.retention_desk import expired_by
from dealer_ui.felt.face import face, face_of
from dealer_ui.floor.house import name_of, window_s_of
from dealer_ui.floor.trouble import trouble_of
from dealer_ui.frame.alarm_row import about_of, rows_of
from dealer_ui.frame.console import Console
from dealer_ui.frame.incident_menu import MENU, MenuChoice, menu_of
from dealer_ui.frame.incident_way import REASONS, laid_card, ways
from dealer_ui.frame.picture_rack import WIDTHS, PictureRack
from dealer_ui.frame.screen import Asked, Screen
from dealer_ui.frame.seat_look import pulse, seat_of
from dealer_ui.pages.pit.behind import behind
from dealer_ui.pages.pit.ended import Ended, last_ruling
from dealer_ui.pages.pit.floor_page import FLOOR as FLOOR
from dealer_ui.pages.pit.floor_page import refused_of, sounds
from dealer_ui.public.road import roads_shown
from dealer_ui.words.language import Language
from studio.cards import DECK
from studio.diagnosis import Unseen
from studio.people import REQUEST_VALID_MS, Role
from studio.pit import PREPARED
from studio.procedures.incident import KIND_BY_KEY, KINDS, Reporter
from studio.views.shape import TableView

CARD_SIGNS: Final[Mapping[str, str]] = {str(card): face(str(card)).sign for card in reversed(DECK)}
"""Every card as it is sent, and as it is read."""


_OWN: Final = tuple(
    MenuChoice(kind.key)
    for kind in KINDS
    if Reporter.PIT in kind.reporters and kind.key not in {choice.kind for choice in MENU}
)
"""What only the pit is offered: the phase says all there is to say of it."""


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
        "roads": roads_shown(view),
        "rows": rows,
        "about": partial(about_of, asked.language),
        "prepared": PREPARED,
        "trouble": trouble_of(view),
        "incidents": [(incident, ways(view, incident), laid_card(view, incident)) for incident in view.incidents.open],
        "behind": {one.id: behind(asked.house, view, one) for one in view.incidents.open if one.asked.by},
        "agreed": _agreed(asked, view),
        "alarms": sounds(rows),
        "named": partial(name_of, asked.house),
        "frozen_name": view.now.frozen_by_name,
        "called_name": view.now.pit_called_by_name,
        "dealers": asked.house.staff.register.with_role(Role.DEALER),
        "reasons": REASONS,
        **panels(view, asked.viewer.id if asked.viewer else "", asked.language),
        "cards": CARDS,
        "window_s": window_s_of(asked.house, asked.table),
        "asked_s": ASKED_S,
    }


def _agreed(asked: Asked, view: TableView) -> Ended | None:
    """How what was asked last in this round has ended, for as long as somebody may still wonder."""
    if any(one.asked.by for one in view.incidents.open):
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
        """The live pictures of these tables, each with its age, or why there is none."""
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
        game = console.asked(table).house.view(table).game.key
        return console.show(TABLE, table, menu=pit_menu_of(game), menu_back=f"/pit/{table}")

    @found.get("/evidence/<digest>")
    @needs()
    def evidence(digest: str) -> Response:
        """A stored picture; no station keeps one for whoever sits there next, or beyond its days."""
        path = console.house.evidence_path(digest) if _is_digest(digest) else None
        if path is None:
            return _expired(console, digest) if _is_digest(digest) else abort(404)
        with path.open("rb") as file:
            kind = _kind_of(file.read(8))
        if not kind:
            abort(404)
        answer = send_file(path.absolute(), mimetype=kind, conditional=False)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @found.get("/table/<table>/camera.jpg")
    @needs("view_pit", "view_technician")
    def camera(table: str) -> Response:
        """The camera's last picture, masked by whoever owns the camera."""
        if table not in console.house.tables:
            abort(404)
        picture = console.house.camera_jpeg(table)
        if isinstance(picture, Unseen):
            return make_response("", 204)
        answer = make_response(picture[0])
        answer.headers["Content-Type"] = "image/jpeg"
        answer.headers["X-Taken-At-Ms"] = str(picture[1])
        return answer

    return found


def _expired(console: Console, digest: str) -> Response:
    """The page for a picture that a rule deleted: when, and by which rule. 404 when no rule deleted it."""
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


def pit_menu_of(game: str) -> tuple[MenuChoice, ...]:
    """What may be reported at a table of this game, the commonest first; each with the question its rows depend on."""
    shared = (choice for choice in menu_of(game) if Reporter.PIT in KIND_BY_KEY[choice.kind].reporters)
    return (*shared, *_OWN)


def panels(view: TableView, viewer: str, language: Language) -> Mapping[str, Any]:
    """The values from which the page draws its panels; `first` is the panel that is open until the person chooses
    another.
    """
    stake = view.room.in_play_minor if view.room else view.bets.stake_minor
    return {
        "first": first_of(view, viewer),
        "voidable": view.round.stage == "dealing",
        "open_cards": open_cards(view) if view.round.stage == "dealing" else (),
        "card_signs": CARD_SIGNS,
        "money_back": language.money(stake, view.bets.currency),
    }


def first_of(view: TableView, viewer: str) -> str:
    """The panel to open first: an incident that waits for this person's approval, else one that holds the table, else
    the oldest; without incidents, the release of a frozen table. Empty when there is none of these.
    """
    found = sorted(view.incidents.open, key=lambda one: (one.asked.by in ("", viewer), not one.holds, one.opened_at_ms))
    if found:
        return f"incident-{found[0].id}"
    return "act-release" if view.now.frozen_by else ""


def open_cards(view: TableView) -> tuple[tuple[str, int, str], ...]:
    """Every card that lies open: its box, its place, its face."""
    return tuple(
        (box.key, place.place, place.face)
        for box in view.boxes
        for place in box.places
        if place.face is not None and face_of(place) is not None
    )
