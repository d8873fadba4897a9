"""What the studio remembers: one journal of events, one ledger of money, one writer for both, and readers."""

from studio.journal.follow import Follows, MovedError
from studio.journal.keys.keyring import Keyring
from studio.journal.lease import DeviceClashError, Lease, LeaseLook, LeaseLostError, Leases
from studio.journal.link import Head
from studio.journal.reader import BetStatus, Posting, Reader, Row, held_at, origin
from studio.journal.reading_room import ReadingRoom
from studio.journal.store import IN_MEMORY, SQLITE_VERSION, Store
from studio.journal.unit import Balances, Ceiling, Entry, More, Receipt, Unit
from studio.journal.writer import Writer

__all__ = [
    "IN_MEMORY",
    "SQLITE_VERSION",
    "Balances",
    "BetStatus",
    "Ceiling",
    "DeviceClashError",
    "Entry",
    "Follows",
    "Head",
    "Keyring",
    "Lease",
    "LeaseLook",
    "LeaseLostError",
    "Leases",
    "More",
    "MovedError",
    "Posting",
    "Reader",
    "ReadingRoom",
    "Receipt",
    "Row",
    "Store",
    "Unit",
    "Writer",
    "held_at",
    "origin",
]
