"""Whether a record is what follows an archive: its chains go on from there, and what it begins with lay there.

What is carried stands in rows of the new year. They are linked from the archive's last row on, and that says nothing of
what they say: so each is held against the archive, as if the year were closed once more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from studio.care.archive import Carry, carried_balances, carried_desks, carried_of_operators
from studio.care.event import CARE_KINDS, BooksOpened, PursesCarried, YearClosed, read_care
from studio.errors import BadInputError
from studio.journal import Entry, Reader, Row
from studio.journal.place import Place
from studio.money import Transfer, format_minor
from studio.tables.event.change import TableCarried
from studio.tables.event.record import Recorded, read_body
from studio.wallets.notice import HEARING_KINDS, read_hearing
from studio.wallets.record import WALLET_KINDS, read_wallet

_CARRIED: Final = (
    "SELECT round, bet, kind, debit, credit, amount, currency FROM ledger WHERE kind = 'carry' ORDER BY seq"
)
_OF_ANOTHER: Final = "the two are not of one history, or one of them was cut"


def goes_on_from(db: Place, archived: Place, carry: Carry) -> str:
    """Why `db` is not what follows this archive, in a sentence; empty when it is. Both are sound by themselves."""
    with Reader.open(archived) as before, Reader.open(db) as after:
        return next(_differences(before, after, carry), "")


def _differences(before: Reader, after: Reader, carry: Carry) -> Iterator[str]:
    found = dict(after.read("SELECT chain, hash FROM origin", ()))
    rows = dict(after.read("SELECT chain, seq FROM origin", ()))
    for chain, head in (("journal", before.head()), ("ledger", before.ledger_head())):
        if (rows.get(chain), found.get(chain)) != tuple(head):
            at = rows.get(chain, 0)
            yield f"The {chain} goes on from row {at}, and the archive ends at row {head.seq}: {_OF_ANOTHER}."
    opened = next((read_care(row.body) for row in after.events(kinds=(BooksOpened.__name__,), rare=True)), None)
    closed = next((read_care(row.body) for row in before.events(kinds=(YearClosed.__name__,), rare=True)), None)
    if not isinstance(opened, BooksOpened) or not isinstance(closed, YearClosed) or opened.year != closed.year:
        yield f"It does not begin with the books of the archive's year: {_OF_ANOTHER}."
        return
    yield from _other_balances(before, after, opened)
    yield from _other_rows(before, after, opened, carry)


def _other_balances(before: Reader, after: Reader, opened: BooksOpened) -> Iterator[str]:
    begun = {(one.bet, one.currency): one for one in (Transfer(*row) for row in after.read(_CARRIED, ()))}
    left = {(one.bet, one.currency): one for one in carried_balances(before, opened.year)}
    for (bet, currency), one in left.items():
        if (there := begun.pop((bet, currency), None)) != one:
            said = f"carried as {_signed(there)}" if there is not None else "not carried"
            yield f"The archive leaves {_signed(one)} in {bet.rpartition(' ')[0]}, which is {said}."
    for (bet, _), one in begun.items():
        yield f"{bet.rpartition(' ')[0]} begins with {_signed(one)}, and the archive leaves nothing there."


def _signed(one: Transfer) -> str:
    held_minor = one.amount_minor if one.bet == f"{one.credit} {one.currency}" else -one.amount_minor
    return format_minor(held_minor, one.currency)


def _other_rows(before: Reader, after: Reader, opened: BooksOpened, carry: Carry) -> Iterator[str]:
    """The first rows of each kind are what the archive has of it."""
    expected: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in (*carried_desks(before), *carried_of_operators(before, opened.at_ms), *carry(before)):
        expected[entry.kind].append(entry)
    if not _has(after, PursesCarried.__name__):
        expected.pop(PursesCarried.__name__, None)  # closed by a version that did not carry them
    for kind, entries in expected.items():
        there = after.events(after_seq=opened.journal_seq + 1, kinds=(kind,))
        for entry in entries:
            row = next(there, None)
            if row is None:
                yield f"A row {kind} of the archive is not carried."
                break
            if not _says(row, entry):
                yield f"Row {row.seq} carries a {kind} that does not say what the archive says."
    purses = list(after.events(kinds=(PursesCarried.__name__,), rare=True))
    for row in purses[len(expected[PursesCarried.__name__]) :]:
        yield f"Row {row.seq} tells since when purses lie there that are none of the archive's."


def _has(reader: Reader, kind: str) -> bool:
    return next(reader.events(kinds=(kind,), rare=True), None) is not None


def _says(row: Row, entry: Entry) -> bool:
    """Whether they mean the same: an older version may have written it in other words."""
    if row.body == entry.body:
        return row.at_ms == entry.at_ms
    return _meant(row.kind, row.body) == _meant(entry.kind, entry.body)


def _meant(kind: str, body: bytes) -> object:
    read: Callable[[bytes], object]
    if kind in CARE_KINDS:
        read = read_care
    elif kind in WALLET_KINDS:
        read = read_wallet
    elif kind in HEARING_KINDS:
        read = read_hearing
    else:
        read = read_body
    try:
        meant = read(body)
    except BadInputError:
        return body
    if isinstance(meant, Recorded) and isinstance(meant.event, TableCarried):
        return replace(meant, event=replace(meant.event, moves=0))  # 1.0.0 told none, and each version counts its own
    return meant
