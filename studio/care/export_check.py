"""Checks an export: its signature, every link of both chains, and that it follows another one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from studio.care.export import FORMAT, VERSION, WITHHOLDS, signed_text
from studio.care.export_cards import OpenedCards, WrongCardError
from studio.care.signing import is_signed
from studio.errors import BadInputError, InvariantError
from studio.journal import Head
from studio.journal.link import GENESIS, journal_text, link, reserve_text, transfer_text
from studio.money import Offer, Transfer
from studio.people.record import CREDENTIAL_KINDS
from studio.text_file import read_json


@dataclass(frozen=True, slots=True)
class Export:
    """An export that is whole and genuine. `withheld`: rows of the staff that stand there without the hash of a PIN.

    `opened`: cards that were opened and fit their commitment; `uncommitted`: sealed before cards had one.
    """

    studio: str
    journal_before: Head
    ledger_before: Head
    journal_after: Head
    ledger_after: Head
    rows: int
    public_key: str
    withheld: int = 0
    opened: int = 0
    uncommitted: int = 0
    book: str = ""
    """Whose rows they are, of a record that several hosts write."""


class WrongExportError(BadInputError):
    """The export is not what was written; the sentence says where."""


def check_export(path: Path, trusted: frozenset[str], after: Export | None = None) -> Export:
    """Read it once; `after`: the export it must go on from. `WrongExportError` at the first wrong line."""
    reading = _Reading()
    try:
        with path.open("rb") as file:
            for line in file:
                reading.take(line)
    except OSError as error:
        raise BadInputError(f"The export cannot be read: {error.strerror}.", where=str(path)) from error
    found = reading.end(trusted)
    if after is not None and after.book != found.book:
        raise WrongExportError("The two are of the books of different hosts: each goes on by itself.")
    if after is not None and (after.journal_after, after.ledger_after) != (found.journal_before, found.ledger_before):
        raise WrongExportError(
            f"It begins after row {found.journal_before.seq}, and the one before ends at row {after.journal_after.seq},"
            " or the two are not of one history."
        )
    return found


@dataclass(slots=True)
class _Reading:
    """The chains as far as the lines have got."""

    header: dict[str, Any] = field(default_factory=dict)
    footer: dict[str, Any] = field(default_factory=dict)
    journal: Head = GENESIS
    ledger: Head = GENESIS
    rows: int = 0
    lines: int = 0
    withheld: int = 0
    cards: OpenedCards = field(default_factory=OpenedCards)
    _digest: Any = field(default_factory=hashlib.sha256)

    def take(self, line: bytes) -> None:
        self.lines += 1
        if self.footer:
            self._wrong("Something stands after its end.")
        plain = self._plain(line)
        if "sha256" in plain:
            self.footer = plain
            return
        self._digest.update(line)
        try:
            self._row(plain)
        except WrongCardError as error:
            self._wrong(str(error))
        except (KeyError, ValueError, TypeError, IndexError, InvariantError) as error:
            raise WrongExportError(f"Line {self.lines} is not in the form of an export ({error}).") from error

    def end(self, trusted: frozenset[str]) -> Export:
        if not self.footer or not self.header:
            raise WrongExportError("The export ends too early: its last line, with the signature, is missing.")
        sha256, key = self._digest.hexdigest(), str(self.footer.get("public_key"))
        if self.footer["sha256"] != sha256:
            raise WrongExportError("The export was changed: its bytes are not those that were signed.")
        if key not in trusted:
            raise WrongExportError(f"It is signed with {key}, which is none of the keys you named.")
        if not is_signed(signed_text(self.header["version"], sha256), key, str(self.footer.get("signature"))):
            raise WrongExportError("The signature is forged: it is not that key's.")
        said = (self.footer.get("rows"), self.footer.get("journal_after"), self.footer.get("ledger_after"))
        if said != (self.rows, list(self.journal), list(self.ledger)) or self.journal.seq != self.header["last"]:
            raise WrongExportError("The export does not end where its last line says.")
        before = Head(*self.header["journal_before"]), Head(*self.header["ledger_before"])
        return Export(
            str(self.header["studio"]), *before, self.journal, self.ledger, self.rows, key, self.withheld,
            self.cards.opened, self.cards.uncommitted, str(self.header.get("book", "")),
        )  # fmt: skip

    def _plain(self, line: bytes) -> dict[str, Any]:
        try:
            plain = read_json(line)
        except ValueError:
            plain = None
        if not isinstance(plain, dict) or not line.endswith(b"\n"):
            self._wrong("The line is damaged.")
        assert isinstance(plain, dict)
        return plain

    def _row(self, plain: dict[str, Any]) -> None:
        if not self.header:
            if plain.get("format") != FORMAT or plain.get("version") not in (VERSION, WITHHOLDS):
                self._wrong(f"It does not begin as a {FORMAT} of version {VERSION} or {WITHHOLDS}.")
            self.header = plain
            self.journal, self.ledger = Head(*plain["journal_before"]), Head(*plain["ledger_before"])
            return
        self.rows += 1
        if "journal" in plain:
            seq, at_ms, ledger_seq, kind, body = plain["journal"]
            if ledger_seq != self.ledger.seq:
                self._wrong(f"It names row {ledger_seq} of the ledger, which does not stand before it.")
            self.journal = self._linked(self.journal, seq, plain, journal_text(seq, at_ms, self.ledger, kind, body))
            self.cards.take(body)
        elif "withheld" in plain:
            self.journal = self._left_out(plain)
        else:
            self.ledger = self._linked(self.ledger, plain["ledger"][0], plain, _ledger_text(plain))

    def _left_out(self, plain: dict[str, Any]) -> Head:
        """A row whose hash is taken as it is signed: the next row is chained to it, and it opens to one body only."""
        seq, _, ledger_seq, kind, body = plain["withheld"]
        allowed = self.header["version"] == WITHHOLDS and kind in CREDENTIAL_KINDS and "pin_hash" not in body
        if not allowed or not self._follows(self.journal, seq) or ledger_seq != self.ledger.seq:
            self._wrong("A row is left out there that an export does not leave out.")
        self.withheld += 1
        return Head(seq, str(plain["hash"]))

    def _linked(self, head: Head, seq: int, plain: dict[str, Any], text: str) -> Head:
        if not self._follows(head, seq) or link(head.hash, text) != plain["hash"]:
            self._wrong("The row does not follow the row before it, or does not say what it said when it was written.")
        return Head(seq, plain["hash"])

    def _follows(self, head: Head, seq: int) -> bool:
        """By one; in the book of one of several hosts numbers are missing that others have: the hash binds."""
        return seq > head.seq if "book" in self.header else seq == head.seq + 1

    def _wrong(self, sentence: str) -> None:
        raise WrongExportError(f"Line {self.lines} is wrong. {sentence}")


def _ledger_text(plain: dict[str, Any]) -> str:
    seq, at_ms, *said = plain["ledger"]
    transfer = Transfer(*said)
    if transfer.kind != "reserve":
        return transfer_text(seq, at_ms, transfer)
    operator, client_id, bettor, table, bet = plain["reserve"]
    offer = Offer(
        transfer.bet, operator, client_id, bettor, table, transfer.round, bet, transfer.amount_minor, transfer.currency
    )
    return reserve_text(seq, at_ms, transfer, offer)


def describe(export: Export) -> Iterator[str]:
    """What was found, in sentences."""
    moved = export.ledger_after.seq > export.ledger_before.seq
    of_ledger = f"{export.ledger_before.seq + 1} to {export.ledger_after.seq}" if moved else "none"
    yield (
        f"The export is whole and signed: rows {export.journal_before.seq + 1} to {export.journal_after.seq} of the"
        f" journal, {of_ledger} of the ledger."
    )
    if export.book:
        yield f"They are the book of the host {export.book}; the other hosts' rows are in exports of their own."
    if export.withheld:
        yield (
            f"{export.withheld} of the journal's rows stand there without the hash of a PIN, under the hash they have"
            " in the chain."
        )
    if export.opened:
        yield f"{export.opened} cards were opened, each to the face it was committed to when it was sealed."
    if export.uncommitted:
        yield (
            f"{export.uncommitted} sealed cards are uncommitted: they were sealed before a card was bound to one face."
        )
    yield f"It ends at {export.journal_after.hash} and {export.ledger_after.hash}."
