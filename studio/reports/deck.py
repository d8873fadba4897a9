"""The only place for the deck inventory: every deck of the register, where it lies, and what each did."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from studio.decks import Deck, DeckRegister, evolve_decks
from studio.decks.deck_event import DECK_KINDS, DeckDestroyed, DeckReceived, read_deck_body
from studio.errors import BadInputError, IllegalEventError
from studio.reports.choice import Asked
from studio.reports.shape import Column, Note, Report, Row, Sheet, Sort
from studio.reports.source import Between, events, pages
from studio.tables import event as e

_AT_TABLES: Final = ("DeckApproved", "DeckRefused", "ShoeLoaded")


@dataclass(slots=True)
class _Use:
    """What a deck did at one table, under the name its shuffler gives it."""

    approved: int = 0
    refused: int = 0
    loads: int = 0
    verdict: str = ""
    last_ms: int = 0


def make(asked: Asked) -> Report:
    period = asked.period
    sheets = (_register(asked), _uses(asked))
    return Report("decks", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


def _register(asked: Asked) -> Sheet:
    """As it stood at the end of the span, whatever the span."""
    columns = (
        Column("deck"), Column("where", Sort.KEY, "report.where"), Column("table"), Column("place"), Column("seal"),
        Column("back"), Column("packs", Sort.COUNT), Column("issues", Sort.COUNT), Column("loads", Sort.COUNT),
        Column("received", Sort.MOMENT), Column("received_by"), Column("destroyed", Sort.MOMENT),
        Column("destroyed_by"),
    )  # fmt: skip
    register, unread = _folded(asked)
    wanted = (deck for deck in register.decks.values() if asked.wants(deck.table))
    rows = [_row(asked, deck) for deck in sorted(wanted, key=lambda deck: deck.id)]
    notes = [Note("decks_when", "The register as it stood at the end of the span.")]
    if unread:
        sentence = "{count} rows of the register make no sense: run verify, and call the auditor."
        notes.insert(0, Note("decks_unread", sentence, {"count": unread}, loud=True))
    return Sheet("register", columns, rows, tuple(notes))


def _folded(asked: Asked) -> tuple[DeckRegister, int]:
    register, unread = DeckRegister(), 0
    where = f"kind IN ({', '.join('?' * len(DECK_KINDS))})"
    for row in pages(asked.reader, where, tuple(DECK_KINDS), Between(0, asked.period.upto_seq)):
        try:
            register = evolve_decks(register, read_deck_body(row.body))
        except (BadInputError, IllegalEventError):
            unread += 1
    return register, unread


def _row(asked: Asked, deck: Deck) -> Row:
    received = next(one for one in deck.history if isinstance(one, DeckReceived))
    destroyed = next((one for one in deck.history if isinstance(one, DeckDestroyed)), None)
    return (
        deck.id, deck.whereabouts.value, deck.table, deck.place, deck.seal, deck.back, deck.packs, deck.issues,
        deck.loads, deck.received_ms, _two(asked, received), destroyed.at_ms if destroyed else None,
        _two(asked, destroyed) if destroyed else "",
    )  # fmt: skip


def _two(asked: Asked, event: DeckReceived | DeckDestroyed) -> str:
    return f"{asked.name(event.by)} + {asked.name(event.beside)}"


def _uses(asked: Asked) -> Sheet:
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
    return Sheet("deck_uses", columns, rows, (told,))


def _called(name: str) -> str:
    return name.rstrip("0123456789") or name
