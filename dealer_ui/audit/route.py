"""The only place for the round inspector's page: `/pit/<table>/round/<round>`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Final

from flask import Blueprint, abort, request
from werkzeug.wrappers import Response

from dealer_ui.audit.timeline import SORTS, Teller, timeline
from dealer_ui.auth import needs
from dealer_ui.console import Console
from dealer_ui.house import device_roles
from dealer_ui.language import Language
from studio.errors import RefusedError
from studio.journal import Posting, Reader, Row
from studio.tables.config import TableConfig
from studio.tables.event import RoundResettled, TableConfigured
from studio.tables.filing import need_open_year
from studio.tables.record import read_body
from studio.tables.sealed_round import SealedFold

POSTINGS_SHOWN: Final = 400
"""So many transfers stand one by one; the sums above them are of all."""


def routes(console: Console) -> Blueprint:
    found = Blueprint("audit", __name__)

    @found.get("/pit/<table>/round/<round>")
    @needs("inspect_round")
    def inspect(table: str, round: str) -> Response:
        asked = console.asked(table)
        reader, view = console.house.reader(), console.house.view(table)
        rows = list(reader.events(table=table, round=round))
        if not rows:
            return _missing(console, reader, table, round)
        shown = list(islice(reader.postings(round), POSTINGS_SHOWN))
        only = request.args.get("only", "")
        told = [*_allowed(reader, table, rows[0].seq), *rows]
        lines = timeline(told, shown, Teller(asked.language, view.bets.currency, device_roles(console.house, table)))
        return console.plain(
            "audit/round.html",
            view=view,
            round=round,
            lines=[line for line in lines if only not in SORTS or line.sort == only],
            counts=Counter(line.sort for line in lines),
            sums=_sums(reader.postings(round), asked.language),
            only=only,
            sorts=SORTS,
            sealed_cards=_count_sealed(rows, table),
            correctable=any(row.kind == "RoundSettled" for row in rows) and not _is_void(rows),
        )

    return found


def _missing(console: Console, reader: Reader, table: str, round: str) -> Response:
    """There is no such round; of one that lies in an archive the page says so."""
    try:
        need_open_year(reader, table, round)
    except RefusedError as error:
        return console.plain("error.html", 404, sentence=console.language().refusal(error))
    abort(404)


def _count_sealed(rows: list[Row], table: str) -> int:
    fold = SealedFold(table)
    for row in rows:
        fold.take(read_body(row.body).event)
    return len(fold.made().cards)


def _is_void(rows: list[Row]) -> bool:
    """The last correction of the round voided it."""
    events = (read_body(row.body).event for row in rows if row.kind == "RoundResettled")
    return any(isinstance(event, RoundResettled) and event.void for event in events)


def _allowed(reader: Reader, table: str, before_seq: int) -> list[Row]:
    """Whoever let the round be dealt on a pay table that was not proved, or returns more than is staked."""
    allowed: list[Row] = []
    config: TableConfig | None = None
    for row in reader.events(table=table, kinds=("TableConfigured", "PayTableAllowed")):
        if row.seq > before_seq:
            break
        event = read_body(row.body).event
        if not isinstance(event, TableConfigured):
            allowed = [row]
            continue
        if config is not None and not event.config.same_pay_table(config):
            allowed = []
        config = event.config
    return allowed


def _sums(postings: Iterable[Posting], language: Language) -> list[tuple[str, int, str]]:
    """How many transfers of each kind the round made, and over how much."""
    count: Counter[tuple[str, str]] = Counter()
    amount: Counter[tuple[str, str]] = Counter()
    for posting in postings:
        key = (posting.transfer.kind, posting.transfer.currency)
        count[key] += 1
        amount[key] += posting.transfer.amount_minor
    return [(kind, count[kind, currency], language.money(amount[kind, currency], currency)) for kind, currency in count]
