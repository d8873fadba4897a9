"""Closes a year: the database becomes an archive, whole, and a new one goes on from its head.

Nothing is deleted in place. The archive is a copy that ends with `YearClosed` and a checkpoint; the new database begins
with its heads as the origin of both chains, the balances as transfers, and what the desks and tables need to go on.
Both are proved before either gets its name; until then the database is as it was.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from studio.care.backup import DATABASE, copy_database, made, sync, write_manifest
from studio.care.checkpoint import CheckpointHeads, checkpoints, heads, sign
from studio.care.event import CARE_KINDS, BooksOpened, YearClosed, entry_of
from studio.care.program import KINDS as PROGRAM_KINDS
from studio.care.program import known
from studio.care.signing import Signer
from studio.errors import BadInputError, InvariantError, StorageError
from studio.file_owner import give_to_owner
from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.journal.booking import LEDGER_BOUND
from studio.journal.extract.hearing_rows import (
    hearings,
    unheard,
)
from studio.journal.extract.wallet_rows import (
    unfollowed,
    wallet_book,
    wallets_known,
)
from studio.money import CARRIED_ACCOUNT, Transfer
from studio.wallets.notice import HEARING_KINDS, HearingsKept, write_hearing
from studio.wallets.record import WALLET_KINDS, write_wallet

Carry = Callable[[Reader], Sequence[Entry]]
"""What the tables need to go on, told by those who know tables; `BadInputError` while one is not at rest."""

Prove = Callable[[Path], None]
"""`BadInputError` when the database is not sound."""

_DESKS: Final = 'SELECT seq, at, kind, CAST(body AS BLOB) FROM journal WHERE "table" IS NULL AND kind <> ? ORDER BY seq'
_BALANCES: Final = "SELECT account, currency, amount FROM balance WHERE amount <> 0 ORDER BY account, currency"
_OPEN: Final = "SELECT account FROM balance WHERE amount <> 0 AND (account LIKE 'escrow:%' OR account LIKE 'prize:%')"


@dataclass(frozen=True, slots=True)
class Closing:
    """Who closes which year, and when."""

    year: int
    by: str
    at_ms: int
    studio: str


@dataclass(frozen=True, slots=True)
class Archived:
    """Where the archive lies, where the old file was put aside, and from which heads the new database goes on."""

    folder: Path
    aside: Path
    heads: CheckpointHeads
    accounts: int


def archive(db: Path, into: Path, closing: Closing, signer: Signer, carry: Carry, prove: Prove) -> Archived:
    """Close the year; the studio must be stopped. `BadInputError` or `StorageError` leave the database as it was."""
    folder, aside = into / f"{db.stem}-{closing.year}", db.with_name(f"{db.name}.until-{closing.year}")
    part, following = folder.with_name(f"{folder.name}.part"), db.with_name(f"{db.name}.next")
    for path in (folder, aside, part):
        if path.exists():
            raise BadInputError("It is there already: name another folder, or put it away.", where=str(path))
    _clear(following)
    try:
        with Store.open(db) as store:  # nobody else writes meanwhile
            made(into)
            part.mkdir(mode=0o700)
            copy_database(db, part / DATABASE)
            ended = _end(part / DATABASE, closing, signer)
            prove(part / DATABASE)
            accounts = _begin(following, part / DATABASE, ended, closing, carry)
            prove(following)
            write_manifest(part, closing.at_ms, {"journal": list(ended.journal), "ledger": list(ended.ledger)})
            sync(part)
            _in_one_file(store)
            part.rename(folder)
            sync(into)
            give_to_owner(following, db)
            os.link(db, aside)
            sync(db.parent)
            following.replace(db)  # at every moment one record bears the name: a start makes no new one
            sync(db.parent)
    except (OSError, sqlite3.Error, StorageError) as error:
        raise StorageError(f"The year was not closed ({error}); {db} is as it was.") from error
    finally:
        _clear(following)
        if part.exists():
            for path in part.iterdir():
                path.unlink()
            part.rmdir()
    return Archived(folder, aside, ended, accounts)


def carried_balances(before: Reader, year: int) -> tuple[Transfer, ...]:
    """The transfers by which a new year takes over what lies in each account at the end of this one."""
    return tuple(_carried(year, *balance) for balance in before.read(_BALANCES, ()))


def carried_desks(before: Reader) -> Iterator[Entry]:
    """What belongs to no table (staff, shifts, decks, the pit's book), word for word, the last checkpoint, and who
    answers for the program."""
    last = max(checkpoints(before), key=lambda one: one.number, default=None)
    accepted = known(before.events(kinds=PROGRAM_KINDS)).accepted
    for _, at_ms, kind, body in before.read(_DESKS, (LEDGER_BOUND,)):
        if kind not in CARE_KINDS | WALLET_KINDS | HEARING_KINDS:
            yield Entry(kind, at_ms, body)
    yield from (entry_of(one) for one in (last, accepted) if one is not None)


def carried_of_operators(before: Reader, at_ms: int) -> Iterator[Entry]:
    """What operators' wallets are owed, and how far operators have heard of their rounds."""
    yield from _of_wallets(before, at_ms)
    yield from _of_hearings(before, at_ms)


def _end(copy: Path, closing: Closing, signer: Signer) -> CheckpointHeads:
    """The last facts of the archive: that the year is closed, and a checkpoint of it."""
    with _quiet_store(copy) as store, store.reader() as reader:
        [unsettled] = reader.read(f"SELECT ({_OPEN} LIMIT 1)", ())[0]
        if unsettled:
            raise BadInputError(f"Money still lies in {unsettled}: finish that round first.")
        writer = Writer(store)
        writer.commit(Unit(entries=(entry_of(YearClosed(year=closing.year, at_ms=closing.at_ms, by=closing.by)),)))
        last = max(checkpoints(reader), key=lambda one: one.number, default=None)
        signed = sign(signer, heads(reader), last, studio=closing.studio, at_ms=closing.at_ms, why="archive")
        writer.commit(Unit(entries=(entry_of(signed),)))
        writer.close()
        return heads(reader)


def _begin(following: Path, archived: Path, ended: CheckpointHeads, closing: Closing, carry: Carry) -> int:
    """The new database: its chains go on from the archive's last rows. Gives how many balances it carries."""
    with _quiet_store(following) as store, Reader.open(archived) as before:
        store.connection.executemany(
            "INSERT INTO origin (chain, seq, hash) VALUES (?, ?, ?)",
            [("journal", *ended.journal), ("ledger", *ended.ledger)],
        )
        moved = carried_balances(before, closing.year)
        opened = BooksOpened(
            year=closing.year, at_ms=closing.at_ms, accounts=len(moved), journal_seq=ended.journal.seq,
            journal_hash=ended.journal.hash, ledger_seq=ended.ledger.seq, ledger_hash=ended.ledger.hash,
        )  # fmt: skip
        writer = Writer(store)
        owing = frozenset(one.debit for one in moved if one.debit.startswith("bettor:"))
        writer.commit(Unit(entries=(entry_of(opened),), transfers=moved, may_owe=owing))
        writer.commit(
            Unit(
                entries=(
                    *carried_desks(before),
                    *carried_of_operators(before, closing.at_ms),
                    *carry(before),
                )
            )
        )
        writer.close()
    return len(moved)


def _in_one_file(store: Store) -> None:
    """Have nothing lie beside the file any more: its log would be read as the log of the record that takes its name.
    While somebody reads the file it cannot be taken away.
    """
    try:
        [mode] = store.connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.OperationalError as error:
        mode = str(error)
    if mode != "delete":
        sentence = "Somebody still reads it: end that report, check, or other command, then close the year again."
        raise BadInputError(sentence, where=store.path)


def _carried(year: int, account: str, currency: str, amount_minor: int) -> Transfer:
    debit, credit = (CARRIED_ACCOUNT, account) if amount_minor > 0 else (account, CARRIED_ACCOUNT)
    return Transfer(f"carried:{year}", f"{account} {currency}", "carry", debit, credit, abs(amount_minor), currency)


def _of_wallets(before: Reader, at_ms: int) -> Iterator[Entry]:
    """What is still owed to operators' wallets, as one row each: it is told on in the new year."""
    for operator in wallets_known(before):
        book = wallet_book(before, operator)
        if book.asked or unfollowed(before, book):
            raise BadInputError(
                f"What the wallet of {operator} is owed is not written down yet: start the studio once, and stop it."
            )
        kept = replace(book.kept(at_ms), upto=before.ledger_head().seq)
        yield Entry(type(kept).__name__, at_ms, write_wallet(kept))


def _of_hearings(before: Reader, at_ms: int) -> Iterator[Entry]:
    """How far operators have heard of their rounds. What they have not heard of lies in the archive, where nobody would
    tell it."""
    found = hearings(before)
    for operator, hearing in found.items():
        if count := unheard(before, operator, hearing):
            raise BadInputError(
                f"The operator {operator} has still to be told of {count} rounds of this year: run the studio until he"
                " has been, or take his webhook out of the configuration, start the studio once, and give him these"
                " rounds yourself."
            )
    if found:
        kept = HearingsKept(at_ms=at_ms, hearings=dict(found))
        yield Entry(type(kept).__name__, at_ms, write_hearing(kept))


@contextlib.contextmanager
def _quiet_store(path: Path) -> Iterator[Store]:
    """Open for writing, and leave nothing beside the file."""
    with Store.open(path) as store:
        yield store
        [mode] = store.connection.execute("PRAGMA journal_mode = DELETE").fetchone()
        if mode != "delete":
            raise InvariantError("The new database is read by somebody already.")
    for end in ("keys", "lock"):
        path.with_name(f"{path.name}.{end}").unlink(missing_ok=True)
    sync(path)


def _clear(path: Path) -> None:
    for end in ("", "-wal", "-shm", ".keys", ".lock"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{path}{end}")
