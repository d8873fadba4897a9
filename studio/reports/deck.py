"""The deck inventory: every deck of the register, where it lies, and what each did."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from studio.decks import DeckRegister, RegisteredDeck, Whereabouts, evolve_decks
from studio.decks.deck_event import (
    DECK_KINDS,
    DeckDestroyed,
    DeckReceived,
    StockCounted,
    StockDifference,
    StockReconciled,
    read_deck_body,
)
from studio.errors import BadInputError, IllegalEventError
from studio.reports.record.choice import ReportAsked
from studio.reports.record.source import Between, events, pages
from studio.reports.sheet.shape import Chart, Column, Drawing, Note, Report, ReportSheet, Row, Sort
from studio.tables.event import table as e

_AT_TABLES: Final = ("DeckApproved", "DeckRefused", "ShoeLoaded")


@dataclass(slots=True)
class _Use:
    """What a deck did at one table, under the name its shuffler gives it."""

    approved: int = 0
    refused: int = 0
    loads: int = 0
    verdict: str = ""
    last_ms: int = 0


def make(asked: ReportAsked) -> Report:
    period = asked.period
    register, unread = _folded(asked)
    decks = sorted((one for one in register.decks.values() if asked.wants(one.table)), key=lambda one: one.id)
    sheets = (_whereabouts(decks), _register(asked, decks, unread), *_stock(asked, register), _uses(asked))
    return Report("decks", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


def _whereabouts(decks: Sequence[RegisteredDeck]) -> ReportSheet:
    """How many are at each stage of a deck's life."""
    columns = (Column("where", Sort.KEY, "report.where"), Column("decks", Sort.COUNT), Column("packs", Sort.COUNT))
    counts = Counter(deck.whereabouts for deck in decks)
    packs = {where: sum(deck.packs for deck in decks if deck.whereabouts is where) for where in counts}
    rows = [(where.value, counts[where], packs[where]) for where in Whereabouts if where in counts]
    return ReportSheet("whereabouts", columns, rows, chart=Chart(Drawing.BARS, "where", "decks"))


def _register(asked: ReportAsked, decks: Sequence[RegisteredDeck], unread: int) -> ReportSheet:
    """The register of decks as it stood at the end of the period."""
    columns = (
        Column("deck"), Column("where", Sort.KEY, "report.where"), Column("table"), Column("place"), Column("seal"),
        Column("back", Sort.KEY, "decks.back"),
        Column("packs", Sort.COUNT), Column("issues", Sort.COUNT), Column("loads", Sort.COUNT),
        Column("received", Sort.MOMENT), Column("received_by"), Column("destroyed", Sort.MOMENT),
        Column("destroyed_by"),
    )  # fmt: skip
    rows = [_row(asked, deck) for deck in decks]
    notes = [Note("decks_when", "The register as it stood at the end of the span.")]
    if unread:
        sentence = "Rows of the register that make no sense: {count}. Run verify, and call the auditor."
        notes.insert(0, Note("decks_unread", sentence, {"count": unread}, loud=True))
    return ReportSheet("register", columns, rows, tuple(notes))


def _folded(asked: ReportAsked) -> tuple[DeckRegister, int]:
    register, unread = DeckRegister(), 0
    where = f"kind IN ({', '.join('?' * len(DECK_KINDS))})"
    for row in pages(asked.reader, where, tuple(DECK_KINDS), Between(0, asked.period.upto_seq)):
        try:
            register = evolve_decks(register, read_deck_body(row.body))
        except (BadInputError, IllegalEventError):
            unread += 1
    return register, unread


def _stock(asked: ReportAsked, register: DeckRegister) -> tuple[ReportSheet, ...]:
    """Every count of the stock so far, and what each found; none while there were no decks."""
    if not register.decks:
        return ()
    counts, settled = _counts(asked)
    found = [(one, each, settled.get((one.at_ms, each.deck))) for one in counts for each in one.differences]
    left = Counter(one.at_ms for one, _, done in found if done is None)
    columns = (
        Column("at", Sort.MOMENT), Column("counted_by", Sort.KEY, "person"), Column("found_decks", Sort.COUNT),
        Column("differences", Sort.COUNT), Column("still_open", Sort.COUNT), Column("next_due", Sort.MOMENT),
        Column("words"),
    )  # fmt: skip
    rows: list[Row] = [
        (
            one.at_ms, _two(asked, one), len(one.found), len(one.differences), left[one.at_ms], one.next_ms, one.words,
        )
        for one in counts
    ]  # fmt: skip
    return (ReportSheet("stock_counts", columns, rows, tuple(_stock_notes(asked, register))), _found(asked, found))


def _counts(asked: ReportAsked) -> tuple[list[StockCounted], dict[tuple[int, str], StockReconciled]]:
    """The counts, and what settled a difference, by the time of its count and the deck."""
    counts: list[StockCounted] = []
    settled: dict[tuple[int, str], StockReconciled] = {}
    kinds = ("StockCounted", "StockReconciled")
    for row in pages(asked.reader, "kind IN (?, ?)", kinds, Between(0, asked.period.upto_seq)):
        match read_deck_body(row.body):
            case StockCounted() as counted:
                counts.append(counted)
            case StockReconciled() as done if counts:
                settled[counts[-1].at_ms, done.deck] = done
    return counts, settled


def _found(
    asked: ReportAsked, found: Sequence[tuple[StockCounted, StockDifference, StockReconciled | None]]
) -> ReportSheet:
    columns = (
        Column("at", Sort.MOMENT), Column("deck"), Column("difference", Sort.KEY, "stock"), Column("register_said"),
        Column("found_at"), Column("settled", Sort.MOMENT), Column("settled_by", Sort.KEY, "person"), Column("words"),
    )  # fmt: skip
    rows: list[Row] = [
        (
            counted.at_ms, one.deck, one.what, one.said, one.place, done.at_ms if done else None,
            _two(asked, done) if done else "", done.words if done else "",
        )
        for counted, one, done in found
    ]  # fmt: skip
    return ReportSheet("stock_differences", columns, rows)


def _stock_notes(asked: ReportAsked, register: DeckRegister) -> Iterator[Note]:
    if register.counted is None:
        yield Note("stock_none", "The stock was never counted up to here.")
    elif asked.period.end_ms >= register.counted.next_ms:
        day = datetime.fromtimestamp(register.counted.next_ms / 1000, asked.day.zone).date().isoformat()
        yield Note("stock_late", "The stock of cards was to be counted by {day}: it is overdue.", {"day": day}, True)
    if register.open:
        sentence = "Differences that nobody has settled: {count}."
        yield Note("stock_open", sentence, {"count": len(register.open)}, loud=True)


def _row(asked: ReportAsked, deck: RegisteredDeck) -> Row:
    received = next(one for one in deck.history if isinstance(one, DeckReceived))
    destroyed = next((one for one in deck.history if isinstance(one, DeckDestroyed)), None)
    return (
        deck.id, deck.whereabouts.value, deck.table, deck.place, deck.seal, deck.back, deck.packs, deck.issues,
        deck.loads, deck.received_ms, _two(asked, received), destroyed.at_ms if destroyed else None,
        _two(asked, destroyed) if destroyed else "",
    )  # fmt: skip


def _two(asked: ReportAsked, event: DeckReceived | DeckDestroyed | StockCounted | StockReconciled) -> str:
    return f"{asked.name(event.by)} + {asked.name(event.beside)}"


def _uses(asked: ReportAsked) -> ReportSheet:
    columns = (
        Column("table"), Column("deck"), Column("approved", Sort.COUNT), Column("refused", Sort.COUNT),
        Column("last_verdict", Sort.KEY, "report.deck_verdict"), Column("loads", Sort.COUNT),
        Column("last_loaded", Sort.MOMENT),
    )  # fmt: skip
    found: defaultdict[tuple[str, str], _Use] = defaultdict(_Use)
    for one in events(asked.reader, asked.period, _AT_TABLES, asked.choice.table):
        match one.event:
            case e.DeckApproved(deck_id=deck):
                own = found[one.table, _called(deck)]
                own.approved, own.verdict = own.approved + 1, "ok"
            case e.DeckRefused(deck_id=deck, verdict=verdict):
                own = found[one.table, _called(deck)]
                own.refused, own.verdict = own.refused + 1, verdict
            case e.ShoeLoaded(deck_id=deck):
                own = found[one.table, _called(deck)]
                own.loads, own.last_ms = own.loads + 1, one.at_ms
    rows: list[Row] = [
        (table, deck, own.approved, own.refused, own.verdict, own.loads, own.last_ms or None)
        for (table, deck), own in sorted(found.items())
    ]
    told = Note("decks_names", "A shuffler counts its shuffles behind the name of a deck; they are taken together.")
    return ReportSheet("deck_uses", columns, rows, (told,))


def _called(name: str) -> str:
    return name.rstrip("0123456789") or name
