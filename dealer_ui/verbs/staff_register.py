"""Where `studio staff` finds the register of the staff, and how it adds to it.

In a file that nobody else is using, or at the address of a database, beside the processes that serve it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from dealer_ui.desk.book import DeskBook, OwnBook, SharedBook
from dealer_ui.desk.second_factor import SecondFactors
from dealer_ui.desk.staff import StaffDesk
from dealer_ui.process.clock import SteadyClock
from dealer_ui.process.factor_file import FactorFile
from dealer_ui.process.secret import pepper_path, peppers_beside
from studio.errors import BadInputError, RefusedError, StorageError
from studio.journal import Store, Unit, Writer
from studio.journal.place import Place, is_address
from studio.journal.sqlite.file import is_file
from studio.journal.store import HOST
from studio.people import STAFF_KINDS, Argon2PinHasher

_STAFF: Final = "staff"
_OURS: Final = "staff command"
"""Whose book its rows stand in at an address: no host of a configuration can be called so."""


@dataclass(frozen=True, slots=True)
class RegisterPlace:
    """`place`: of the record. `shared`: at an address, the folder in which the secrets of the whole studio lie."""

    place: Place
    shared: Path | None = None

    @property
    def is_new(self) -> bool:
        return not is_address(self.place) and not is_file(self.place)

    @property
    def home(self) -> Path:
        """The path beside which the secrets lie; `BadInputError` where they cannot be those of this studio."""
        if not is_address(self.place):
            return Path(self.place)
        if self.shared is None:
            raise BadInputError(
                "The secret of the PINs lies in the folder that every process of the studio reads: name it, --shared."
            )
        home = self.shared / "studio"
        if not pepper_path(home).exists():
            sentence = "No secret of the PINs lies there: name the folder that the configuration calls shared."
            raise BadInputError(sentence, where=str(self.shared))
        return home


@contextmanager
def open_register(at: RegisterPlace, *, create: bool = False) -> Iterator[StaffDesk]:
    """The register, to be read and added to; refusals are plain sentences."""
    with refused():
        home, shares = at.home, is_address(at.place)
        with Store.open(at.place, create=create, host=_OURS if shares else HOST) as store:
            writer, reader = Writer(store), store.reader()

            def commit(unit: Unit) -> int:
                return writer.commit(unit).last_seq

            book: DeskBook = OwnBook(STAFF_KINDS, commit, lambda: reader)
            if shares:
                book = SharedBook(_STAFF, STAFF_KINDS, commit, lambda: reader)
            peppers = peppers_beside(home)
            clock = SteadyClock(reader.newest_ms())
            desk = StaffDesk(book.commit, clock.now_ms, Argon2PinHasher(peppers=peppers))
            desk.second = SecondFactors(desk, FactorFile(home.with_name(f"{home.name}.factors"), *peppers.newest_first))
            desk.others = book.others
            desk.restore(book.begin(), signs_out=not shares)
            try:
                yield desk
            finally:
                reader.close()
                writer.close()


@contextmanager
def refused() -> Iterator[None]:
    """What is refused is said on the error stream."""
    try:
        yield
    except (BadInputError, RefusedError, StorageError) as error:
        raise click.ClickException(str(error)) from error
