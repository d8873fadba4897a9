"""The tickets of bettors' pages, kept in a file beside the database so that the pages live on after a restart.

One line for each ticket and for each end of some; while the studio runs the file only grows, and now and then it is
written anew without what is over. It holds digests: whoever reads it can open no page.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from dealer_ui.desk.ticket import OneProcess, Ticket
from studio.errors import StorageError

LINES_SPARE: Final = 10_000
"""So many lines may be of what is over, beside as many as there are tickets, before the file is written anew."""


class TicketFile(OneProcess):
    """Not thread-safe: `Tickets` writes one line at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = 0

    def read(self) -> tuple[Ticket, ...]:
        """Every ticket that has not been ended. A file that cannot be read whole holds none: operators ask again."""
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines(keepends=True)
        except FileNotFoundError:
            return ()
        except (OSError, UnicodeDecodeError):
            return self._forget()
        self._lines = len(lines)
        if lines and not lines[-1].endswith("\n"):
            lines.pop()  # the machine stopped in the middle of it: nobody was given that page
        found: dict[str, Ticket] = {}
        try:
            for line in lines:
                _apply(found, json.loads(line))
        except (ValueError, KeyError, TypeError):
            return self._forget()
        return tuple(found.values())

    def keep(self, ticket: Ticket) -> None:
        """A full disk keeps nothing: this page ends with the program then."""
        try:
            self._append({"ticket": _plain(ticket)}, durable=False)
        except OSError:
            return

    def change(self, ticket: Ticket) -> Ticket | None:
        """The newest line of a ticket counts."""
        self.keep(ticket)
        return ticket

    def end(self, digests: Iterable[str]) -> None:
        """These are over for good.

        Raises:
            StorageError: that cannot be kept, and a restart would open the pages again.
        """
        try:
            self._append({"over": list(digests)}, durable=True)
        except OSError as error:
            try:
                self._path.unlink(missing_ok=True)
            except OSError:
                raise StorageError(f"That pages are over cannot be kept: {error.strerror}. Ask again.") from error

    def tidy(self, tickets: Iterable[Ticket], count: int) -> None:
        """Write the file anew with these alone, where too much of it is over."""
        if self._lines > 2 * count + LINES_SPARE:
            self.write(tickets)

    def write(self, tickets: Iterable[Ticket]) -> None:
        """These alone; what cannot be written now stays as it is."""
        part, lines = self._path.with_name(f"{self._path.name}.part"), 0
        try:
            part.unlink(missing_ok=True)
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
                for lines, ticket in enumerate(tickets, 1):  # noqa: B007 - counted
                    file.write(_line({"ticket": _plain(ticket)}))
                file.flush()
                os.fsync(file.fileno())
            part.replace(self._path)
        except OSError:
            return
        self._lines = lines

    def _append(self, said: dict[str, Any], *, durable: bool) -> None:
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "ab") as file:
            file.write(_line(said))
            file.flush()
            if durable:
                os.fsync(file.fileno())
        self._lines += 1

    def _forget(self) -> tuple[Ticket, ...]:
        """One that was ended must not come back: of a damaged file none does."""
        self.write(())
        return ()


def _apply(found: dict[str, Ticket], said: dict[str, Any]) -> None:
    if "ticket" in said:
        ticket = Ticket(**said["ticket"])
        found[ticket.digest] = ticket
        return
    for digest in said["over"]:
        found.pop(digest, None)


def _plain(ticket: Ticket) -> dict[str, Any]:
    return {
        "digest": ticket.digest, "operator": ticket.operator, "bettor": ticket.bettor, "table": ticket.table,
        "language": ticket.language, "expires_at_ms": ticket.expires_at_ms,
        **({"plays": True, "player": ticket.player} if ticket.plays else {}), "since_ms": ticket.since_ms,
        **({"returns_to": ticket.returns_to} if ticket.returns_to else {}),
        **({"went_on_ms": ticket.went_on_ms} if ticket.went_on_ms else {}),
    }  # fmt: skip


def _line(said: dict[str, Any]) -> bytes:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
