"""The record with which a studio of a rehearsal begins: somebody who may sign in, and his papers."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from dealer_ui.desk.staff import StaffDesk
from dealer_ui.process.clock import SteadyClock
from dealer_ui.process.secret import peppers_beside
from dealer_ui.rehearsal.demo.staff import give_papers, seat_staff
from studio.journal import Store, Unit, Writer
from studio.people import Argon2PinHasher, Role


def begin_record(database: Path) -> None:
    """Make the file with the demo's staff in it, and the secret of their PINs beside it."""
    with Store.open(database, create=True) as store, closing(Writer(store)) as writer:

        def commit(unit: Unit) -> int:
            return writer.commit(unit).last_seq

        desk = StaffDesk(commit, SteadyClock().now_ms, Argon2PinHasher(peppers=peppers_beside(database)))
        seat_staff(desk)
        for dealer in desk.register.with_role(Role.DEALER):
            give_papers(desk, dealer.id)
