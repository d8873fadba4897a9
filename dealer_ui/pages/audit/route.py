"""The page of one round, for pit, audit and complaints: `/pit/<table>/round/<round>`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import Final

import structlog
from flask import Blueprint, abort, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.floor.house import House, device_roles
from dealer_ui.frame.console import Console
from dealer_ui.frame.screen import Asked
from dealer_ui.pages.audit.round_page import RoundWords
from dealer_ui.pages.audit.search import called
from dealer_ui.past.timeline import SORTS, RowNarrator, TimelineLine, timeline
from dealer_ui.words.language import Language
from studio.errors import RefusedError, StudioError
from studio.journal import Posting, Reader, Row
from studio.journal.extract.round_sum import (
    BettorSum,
    sum_bettors,
)
from studio.tables.config import TableConfig
from studio.tables.correction.finished_round import need_open_year
from studio.tables.event.record import read_body
from studio.tables.event.table import TableConfigured
from studio.tables.past.sealed_round import SealedFold
from studio.views.past_round import config_at, read_past_round
from studio.views.shape import PastRound
from studio.wallets.call import kind_of
from studio.wallets.record import WalletClosed

_LOG = structlog.get_logger("dealer_ui.audit")
POSTINGS_SHOWN: Final = 400
"""So many transfers stand one by one; the sums above them are of all."""
BETTORS_SHOWN: Final = 300
"""So many lines of bettors stand under their bets; the sums are of all."""


def routes(console: Console) -> Blueprint:
    found = Blueprint("audit", __name__)

    @found.get("/pit/<table>/round/<round>")
    @needs("inspect_round")
    def inspect(table: str, round: str) -> Response:
        asked = console.asked(table)
        reader, house = console.house.reader(), console.house
        rows = list(reader.events(table=table, round=round))
        if not rows:
            return _missing(console, reader, table, round)
        past = _past(reader, table, rows, round)
        only = request.args.get("only", "")
        lines = _log(console, table, rows)
        back, back_word = _way_back(asked)
        return console.plain(
            "audit/round.html",
            view=house.view(table),
            past=past,
            told=RoundWords(house, asked.language, past) if past else None,
            round=round,
            back=back,
            back_word=back_word,
            closed=_closed(house, round),
            kind_of=kind_of,
            complaints=[one for one in house.pit.book.complaints.values() if one.round == round],
            lines=[line for line in lines if only not in SORTS or line.sort == only],
            count=len(lines),
            counts=Counter(line.sort for line in lines),
            bettors=_bettors(reader, round),
            bettors_most=BETTORS_SHOWN,
            sums=_sums(reader.postings(round), asked.language),
            only=only,
            sorts=(*SORTS, "all"),
            sealed_cards=_count_sealed(rows, table),
            correctable=past is not None and past.status == "settled",
        )

    return found


def _past(reader: Reader, table: str, rows: list[Row], round: str) -> PastRound | None:
    """The round put together from its rows; None where they tell no whole round, and only the log is left to read."""
    try:
        return read_past_round(reader, config_at(reader, table, rows[0].seq), rows, round)
    except StudioError as error:
        _LOG.warning("a past round cannot be put together", round=round, why=str(error))
        return None


def _log(console: Console, table: str, rows: list[Row]) -> list[TimelineLine]:
    """Every row and the first transfers of the round, as they were written."""
    house, reader = console.house, console.house.reader()
    round = read_body(rows[0].body).round
    shown = list(islice(reader.postings(round), POSTINGS_SHOWN))
    view = house.view(table)
    teller = RowNarrator(
        console.language(), view.bets.currency, device_roles(house, table), partial(called, house),
        titles={table: view.title},
    )  # fmt: skip
    return timeline([*_allowed(reader, table, rows[0].seq), *rows], shown, teller)


def _way_back(asked: Asked) -> tuple[str, str]:
    """Where the page was opened from: the audit, the complaints, else the table's own page."""
    match request.args.get("from", ""):
        case "audit" if asked.viewer and asked.viewer.may("view_audit"):
            return "/audit", "record.title"
        case "complaints" if asked.viewer and asked.viewer.may("view_pit"):
            return "/pit/complaints", "complaint.title"
        case "wallets" if asked.viewer and asked.viewer.may("view_pit"):
            return "/pit/wallets", "wallets.title"
    return f"/pit/{asked.table}", ""


def _missing(console: Console, reader: Reader, table: str, round: str) -> Response:
    """There is no such round; of one that lies in an archive the page says so."""
    try:
        need_open_year(reader, table, round)
    except RefusedError as error:
        return console.plain("error.html", 404, sentence=console.language().refusal(error))
    abort(404)


def _closed(house: House, round: str) -> list[WalletClosed]:
    """What people have closed of all that operators' wallets were owed from this round."""
    found = (one for teller in house.tellers for one in teller.desk.closed() if one.movement.facts.round == round)
    return sorted(found, key=lambda one: one.at_ms)


def _count_sealed(rows: list[Row], table: str) -> int:
    fold = SealedFold(table)
    for row in rows:
        fold.take(read_body(row.body).event)
    return len(fold.made().cards)


def _allowed(reader: Reader, table: str, before_seq: int) -> list[Row]:
    """Whoever let the round be dealt on a pay table that was not proved, or returns more than is staked."""
    allowed: list[Row] = []
    config: TableConfig | None = None
    for row in reader.events(table=table, kinds=("TableConfigured", "PayTableAllowed"), rare=True):
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


def _bettors(reader: Reader, round: str) -> dict[tuple[str, str], list[BettorSum]]:
    """Who bet what, by bet and currency."""
    found: dict[tuple[str, str], list[BettorSum]] = {}
    for one in sum_bettors(reader, round, BETTORS_SHOWN):
        found.setdefault((one.bet, one.currency), []).append(one)
    return found


def _sums(postings: Iterable[Posting], language: Language) -> list[tuple[str, int, str]]:
    """How many transfers of each kind the round made, and over how much."""
    count: Counter[tuple[str, str]] = Counter()
    amount: Counter[tuple[str, str]] = Counter()
    for posting in postings:
        key = (posting.transfer.kind, posting.transfer.currency)
        count[key] += 1
        amount[key] += posting.transfer.amount_minor
    return [(kind, count[kind, currency], language.money(amount[kind, currency], currency)) for kind, currency in count]
