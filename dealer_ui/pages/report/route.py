"""The report pages: `/reports`, `/reports/<kind>`, its tables as files, the foot of its print."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any, Final

from flask import Blueprint, Response, abort, request
from werkzeug.wrappers import Response as AnyResponse

from dealer_ui.access.auth import needs
from dealer_ui.frame.console import Console
from dealer_ui.pages.report.cell import Speaker
from dealer_ui.pages.report.desk import ReportDesk
from dealer_ui.pages.report.drawing import drawing_of
from dealer_ui.pages.report.span import SPANS, WantedReport, period_of, read_wanted
from studio.errors import BadInputError, RefusedError
from studio.games import GAMES
from studio.journal import Reader
from studio.people import Role
from studio.reports import KINDS, Report, ReportChoice, ReportKind, ReportSheet, find_kind
from studio.reports.record.period import seq_before
from studio.reports.sheet.csv_sheet import MARK, csv_lines, iso
from studio.reports.shift import ShiftSpan, shifts
from studio.reports.subject import require_known

ROWS_SHOWN: Final = 400
"""So many rows of a table stand on the page; its file has them all."""
COLUMNS_UPRIGHT: Final = 9
"""A report with a wider table is printed across."""
_SHIFTS_MS: Final = 21 * 24 * 3_600_000
"""The shifts of so long are offered; of an older one, its days."""


def routes(console: Console) -> Blueprint:
    found = Blueprint("report", __name__)
    desk = ReportDesk(console.house, console.house.config.studio.gaming_day)
    pages = _Pages(console, desk)

    @found.get("/reports")
    @needs("view_reports")
    def choose() -> AnyResponse:
        return console.plain("report/index.html", kinds=KINDS, today=pages.today())

    @found.get("/reports/<kind>")
    @needs("view_reports")
    def show(kind: str) -> AnyResponse:
        return pages.show(_kind(kind))

    @found.get("/reports/<kind>/<sheet>.csv")
    @needs("view_reports")
    def take(kind: str, sheet: str) -> AnyResponse:
        return pages.take(_kind(kind), sheet)

    @found.get("/reports/foot.css")
    @needs("view_reports")
    def foot() -> AnyResponse:
        return Response(_foot(request.args), mimetype="text/css")

    return found


class _Pages:
    """What the routes share."""

    def __init__(self, console: Console, desk: ReportDesk) -> None:
        self._console = console
        self._desk = desk

    def today(self) -> str:
        return self._desk.day.of_ms(self._console.house.now_ms()).isoformat()

    def show(self, kind: ReportKind) -> AnyResponse:
        try:
            wanted, report = self._made(kind)
        except RefusedError as error:
            sentence = self._console.language().refusal(error)
            return self._console.plain("report/refused.html", _status(error), sentence=sentence, kind=kind)
        speaker = Speaker(self._console.language(), self._desk.day.zone)
        now_ms = self._console.house.now_ms()
        return self._console.plain(
            "report/page.html",
            kind=kind,
            kinds=KINDS,
            report=report,
            wanted=wanted,
            spans=SPANS,
            speaker=speaker,
            drawings={sheet.key: _drawing(sheet, speaker) for sheet in report.sheets},
            rows_shown=ROWS_SHOWN,
            wide=any(len(sheet.columns) > COLUMNS_UPRIGHT for sheet in report.sheets),
            offered=self._offered(),
            zone=str(self._desk.day.zone),
            made=speaker.moment(now_ms),
            foot=_foot_query(report, now_ms),
        )

    def take(self, kind: ReportKind, key: str) -> AnyResponse:
        try:
            wanted, report = self._made(kind)
        except RefusedError as error:
            abort(Response(self._console.language().refusal(error), _status(error), mimetype="text/plain"))
        sheet = next((one for one in report.sheets if one.key == key), None)
        if sheet is None:
            abort(404)
        name = f"{kind.key}-{key}-{iso(report.begin_ms)[:10]}-{wanted.span}.csv"
        answer = Response((part.encode() for part in (MARK, *csv_lines(sheet))), mimetype="text/csv")
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    def _made(self, kind: ReportKind) -> tuple[WantedReport, Report]:
        house = self._console.house
        now_ms = house.now_ms()
        wanted = read_wanted(request.args, self._desk.day.of_ms(now_ms))
        reader = house.reader()
        need_subject(reader, wanted.choice, self._offered())
        period = period_of(wanted, reader, self._desk.day, now_ms)
        return wanted, self._desk.make(kind, reader, period, wanted.choice)

    def _offered(self) -> Mapping[str, Any]:
        """What there is to choose from."""
        house = self._console.house
        dealers = {one.id: one.name for one in house.staff.register.people.values() if Role.DEALER in one.roles}
        return {
            "shift": self._shifts(),
            "table": {one: house.view(one).title for one in house.tables},
            "game": {game.key: game.title for game in GAMES},
            "dealer": dealers,
            "operator": {name: name for name in house.operators},
        }

    def _shifts(self) -> list[ShiftSpan]:
        house = self._console.house
        reader = house.reader()
        return shifts(reader, seq_before(reader, house.now_ms() - _SHIFTS_MS, reader.head().seq))


def _status(error: RefusedError) -> int:
    return 503 if error.key == "report_busy" else 400


def _kind(key: str) -> ReportKind:
    try:
        return find_kind(key)
    except BadInputError:
        abort(404)


def _drawing(sheet: ReportSheet, speaker: Speaker) -> str:
    """As JSON that may stand in a page; empty where there is nothing to draw."""
    found = drawing_of(sheet, speaker)
    return json.dumps(found, ensure_ascii=False).replace("<", "\\u003c") if found else ""


def _foot_query(report: Report, now_ms: int) -> str:
    return f"seq={report.head.seq}&hash={report.head.hash}&made={now_ms}"


def _foot(given: Mapping[str, str]) -> str:
    """What stands at the foot of every printed page. Only figures and digits of a hash come from the address."""
    seq, hash, made = given.get("seq", ""), given.get("hash", ""), given.get("made", "")
    sound = all(one.isascii() and one.isdigit() and len(one) < 16 for one in (seq, made))
    if not sound or len(hash) > 64 or not set(hash) <= set("0123456789abcdef"):
        abort(404)
    return (
        f'@page {{ @bottom-left {{ content: "{seq} · {hash}"; font: 6.5pt monospace; }} '
        f'@top-right {{ content: "{iso(int(made))}"; font: 7pt sans-serif; }} }}\n'
    )


def need_subject(reader: Reader, choice: ReportChoice, offered: Mapping[str, Collection[str]]) -> None:
    """Raise `RefusedError` for a table, game, dealer or operator that neither the page offers nor the record knows."""
    for name in (field.name for field in fields(ReportChoice)):
        asked = getattr(choice, name)
        if not asked or asked in offered[name]:
            continue
        try:
            require_known(reader, ReportChoice(**{name: asked}))
        except BadInputError as error:
            raise RefusedError(f"report_{name}", error.sentence) from None
