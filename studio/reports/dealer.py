"""The dealer report: how fast somebody deals, and how many mistakes there are to a thousand cards.

Speed is measured between cards that follow one another with nothing to wait for: no window, no choice, no incident
between. A mistake is an incident of a kind that a dealer makes (`MISTAKES`) while he stood at the table.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from studio.reports.incident import incidents
from studio.reports.record.choice import ReportAsked
from studio.reports.record.round_log import rounds
from studio.reports.record.source import rows
from studio.reports.record.standing import TableStanding, covered_ms, standings
from studio.reports.sheet.shape import Chart, Column, Drawing, Note, Report, ReportSheet, Row, Sort
from studio.reports.statistic import poisson_rate

MISTAKES: Final = frozenset({
    "burn_error", "exposed_card", "extra_card", "dropped_card", "wrong_order", "misplaced_card", "wrong_count",
    "early_card", "cleared_early",
})  # fmt: skip
FEW_CARDS: Final = 1_000
PAUSE_MS_MAX: Final = 30_000
"""Whoever lays no card for so long is not dealing."""
_MINUTE_MS: Final = 60_000
_HOUR_MS: Final = 60 * _MINUTE_MS
_CARDS: Final = ("CardDealt", "CardBurned")
_BREAKS: Final = ("WindowClosed", "Chose", "BetsOpened", "IncidentOpened", "IncidentClosed", "ResultDeclared")
_MARKS: Final = ("RoundStarted", "RoundSettled", "RoundRefunded")


@dataclass(slots=True)
class _Work:
    """What one dealer did."""

    cards: int = 0
    between_ms: list[int] = field(default_factory=list)
    to_result_ms: list[int] = field(default_factory=list)
    to_first_ms: list[int] = field(default_factory=list)
    to_next_ms: list[int] = field(default_factory=list)
    rounds: int = 0
    void: int = 0
    mistakes: int = 0
    incidents: int = 0
    at_table_ms: int = 0


def make(asked: ReportAsked) -> Report:
    standing, period = standings(asked), asked.period
    work: defaultdict[str, _Work] = defaultdict(_Work)
    _time_cards(asked, standing, work)
    for one in rounds(asked):
        work[one.dealer].rounds += 1
        work[one.dealer].void += bool(one.void)
    for found in incidents(asked, standing):
        work[found.dealer].incidents += 1
        work[found.dealer].mistakes += found.kind in MISTAKES
    for stood in standing.values():
        for dealer in {one.what for one in stood.dealt}:
            work[dealer].at_table_ms += covered_ms(one for one in stood.dealt if one.what == dealer)
    kept = {id: own for id, own in work.items() if id and asked.choice.dealer in ("", id)}
    sheets = (_speed(asked, kept), _mistakes(asked, kept))
    return Report("dealer", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


@dataclass(slots=True)
class _Clock:
    """Where one table is in its deal. `card_ms` is 0 when the next step does not follow a card."""

    card_ms: int = 0
    last_card_ms: int = 0
    closed_ms: int = 0
    settled_ms: int = 0


def _time_cards(asked: ReportAsked, standing: dict[str, TableStanding], work: dict[str, _Work]) -> None:
    """Goes by the journal's kinds alone: no card is looked at."""
    clocks: defaultdict[str, _Clock] = defaultdict(_Clock)
    for row in rows(asked.reader, asked.period, (*_CARDS, *_BREAKS, *_MARKS), asked.choice.table):
        table = row.body.split(b'"table":"', 1)[1].split(b'"', 1)[0].decode()
        stood = standing.get(table)
        dealer = stood.dealer_at(row.at_ms) if stood else ""
        if dealer:
            _tick(clocks[table], row.kind, row.at_ms, work[dealer])


def _tick(clock: _Clock, kind: str, at_ms: int, own: _Work) -> None:
    if kind in _CARDS:
        own.cards += 1
        _note(own.between_ms, clock.card_ms, at_ms)
        _note(own.to_first_ms, clock.closed_ms, at_ms)
        clock.card_ms = clock.last_card_ms = at_ms
        clock.closed_ms = 0
        return
    clock.card_ms = 0
    if kind == "WindowClosed":
        clock.closed_ms = at_ms
    elif kind == "ResultDeclared":
        _note(own.to_result_ms, clock.last_card_ms, at_ms)
    elif kind == "RoundStarted":
        _note(own.to_next_ms, clock.settled_ms, at_ms)
    elif kind in ("RoundSettled", "RoundRefunded"):
        clock.settled_ms = at_ms
    else:
        clock.closed_ms = 0


def _note(lengths: list[int], since_ms: int, at_ms: int) -> None:
    if since_ms and 0 <= at_ms - since_ms <= PAUSE_MS_MAX:
        lengths.append(at_ms - since_ms)


def _speed(asked: ReportAsked, work: dict[str, _Work]) -> ReportSheet:
    columns = (
        Column("dealer"), Column("at_table", Sort.LENGTH), Column("rounds", Sort.COUNT), Column("cards", Sort.COUNT),
        Column("cards_a_minute", Sort.NUMBER), Column("rounds_an_hour", Sort.NUMBER), Column("a_card", Sort.LENGTH),
        Column("to_first_card", Sort.LENGTH), Column("to_result", Sort.LENGTH), Column("to_next_round", Sort.LENGTH),
    )  # fmt: skip
    found: list[Row] = []
    for id, own in sorted(work.items(), key=lambda one: asked.name(one[0])):
        dealing_ms = sum(own.between_ms)
        found.append((
            asked.name(id), own.at_table_ms, own.rounds, own.cards,
            len(own.between_ms) * _MINUTE_MS / dealing_ms if dealing_ms else None,
            own.rounds * _HOUR_MS / own.at_table_ms if own.at_table_ms else None,
            *(round(median(one)) if one else None
              for one in (own.between_ms, own.to_first_ms, own.to_result_ms, own.to_next_ms)),
        ))  # fmt: skip
    told = Note("dealer_speed", "Cards a minute count only cards that follow one another with nothing to wait for.")
    return ReportSheet("speed", columns, found, (told,), Chart(Drawing.BARS, "dealer", "cards_a_minute"))


def _mistakes(asked: ReportAsked, work: dict[str, _Work]) -> ReportSheet:
    columns = (
        Column("dealer"), Column("cards", Sort.COUNT), Column("mistakes", Sort.COUNT),
        Column("to_a_thousand", Sort.NUMBER), Column("low", Sort.NUMBER), Column("high", Sort.NUMBER),
        Column("enough", Sort.KEY, "report.enough"), Column("incidents", Sort.COUNT), Column("void", Sort.COUNT),
    )  # fmt: skip
    found: list[Row] = []
    for id, own in sorted(work.items(), key=lambda one: asked.name(one[0])):
        thousands = own.cards / FEW_CARDS
        sure = poisson_rate(own.mistakes, thousands) if own.cards else None
        found.append((
            asked.name(id), own.cards, own.mistakes, own.mistakes / thousands if own.cards else None,
            sure.low if sure else None, sure.high if sure else None,
            "enough" if own.cards >= FEW_CARDS else "few", own.incidents, own.void,
        ))  # fmt: skip
    notes = (
        Note("dealer_interval", "From … to: where the true figure lies, with 95 of 100 sure (exact Poisson interval)."),
        Note(
            "dealer_few",
            "With fewer than a thousand cards the figure says next to nothing: do not compare people by it.",
        ),
    )
    chart = Chart(Drawing.SPANS, "dealer", "to_a_thousand", ("low", "high"))
    return ReportSheet("mistakes", columns, found, notes, chart)
