"""The report itself: the leads, and beside them by which rules, among how many pairs and against what chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from studio.reports.collusion import flow, opposite, seating, soft
from studio.reports.collusion.hand import hands
from studio.reports.collusion.lead import CHANCE_MOST, FALSE_LEADS, RULES, Looked, leads
from studio.reports.record.choice import ReportAsked
from studio.reports.record.left_out import left_out
from studio.reports.sheet.shape import Column, Money, Note, Report, ReportSheet, Row, Sort


def make(asked: ReportAsked) -> Report:
    period = asked.period
    played, against = list(hands(asked)), opposite.look(asked)
    every = [*seating.look(asked), *flow.look(played), *soft.look(played), *against.look()]
    tests = left_out(asked)
    looked = [one for one in every if not tests & {_operator(one.bettor), _operator(one.partner)}]
    found = list(leads(looked))
    sheets = (_leads(found), _rules(looked, found, against.crowds, left=len(every) - len(looked)))
    return Report("collusion", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


def _operator(bettor: str) -> str:
    return bettor.partition("/")[0]


def _leads(found: Sequence[Looked]) -> ReportSheet:
    columns = (
        Column("rule", Sort.KEY, "report.collusion"), Column("bettor"), Column("partner"), Column("place"),
        Column("times", Sort.COUNT), Column("observed", Sort.NUMBER), Column("expected", Sort.NUMBER),
        Column("chance", Sort.CHANCE), Column("sum", Sort.MONEY), Column("evidence"),
    )  # fmt: skip
    rows: list[Row] = [
        (
            one.rule.key, one.bettor, one.partner, one.where, one.times, one.seen, one.expected, one.chance,
            _sum(one.sums), ", ".join(one.rounds),
        )
        for one in found
    ]  # fmt: skip
    lead = Note("collusion_lead", "A lead is no proof: look at the rounds it names before anybody is asked.")
    none = Note("collusion_none", "Chance explains whatever was looked at.")
    return ReportSheet("leads", columns, rows, (lead,) if rows else (none,))


def _sum(sums: Counter[str]) -> Money | None:
    """In the currency in which most moved."""
    (currency, minor), *_ = [*sums.most_common(1), ("", 0)]
    return Money(minor, currency) if currency else None


def _rules(looked: Sequence[Looked], found: Sequence[Looked], crowds: int, left: int) -> ReportSheet:
    columns = (
        Column("rule", Sort.KEY, "report.collusion"), Column("least_times", Sort.COUNT), Column("pairs", Sort.COUNT),
        Column("chance_most", Sort.CHANCE), Column("leads", Sort.COUNT),
    )  # fmt: skip
    pairs, hits = (Counter(one.rule.key for one in these) for these in (looked, found))
    rows: list[Row] = [(one.key, one.least, pairs[one.key], CHANCE_MOST, hits[one.key]) for one in RULES]
    sentence = "Among honest bettors at most {percent} of a hundred such reports have a lead by chance."
    notes = [
        Note("collusion_false", sentence, {"percent": f"{FALSE_LEADS * 100:g}"}),
        Note("collusion_cards", "No card is looked at: what seats held and did not show stays sealed."),
        Note(
            "collusion_addresses",
            "The record has no address and no device of a bettor: whether two share one, their operators know.",
        ),
    ]
    if left:
        told = "Pairs with a test account are left out: {count}. Testers play as they were asked to."
        notes.append(Note("collusion_tests", told, {"count": left}))
    if crowds:
        told = "Not looked at in pairs, for there were too many bettors: {count} times."
        notes.append(Note("collusion_crowds", told, {"count": crowds}))
    return ReportSheet("collusion_rules", columns, rows, tuple(notes))
