"""The tickets of bettors' pages where several processes know them: a page opens at every web node of the studio."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final

import msgspec

from dealer_ui.desk.ticket import Ticket
from studio.journal.postgres.ticket_rows import TicketRow, TicketRows

LAPSE_EVERY: Final = 100
"""With so many tickets that are given out the rows of those that are over are taken away."""


class _Body(msgspec.Struct, frozen=True):
    """What of a ticket never changes."""

    table: str
    language: str
    plays: bool
    since_ms: int
    returns_to: str


_READ: Final = msgspec.json.Decoder(_Body)


class TicketShelf:
    """Any thread; see `dealer_ui.desk.ticket.TicketStore`."""

    def __init__(self, rows: TicketRows, now_ms: Callable[[], int]) -> None:
        self._rows = rows
        self._now_ms = now_ms
        self._kept = 0

    def read(self) -> tuple[Ticket, ...]:
        """Each is found when its bettor comes."""
        return ()

    def keep(self, ticket: Ticket) -> None:
        body = _Body(ticket.table, ticket.language, ticket.plays, ticket.since_ms, ticket.returns_to)
        self._rows.keep(
            TicketRow(
                ticket.digest, ticket.operator, ticket.bettor, msgspec.json.encode(body).decode(), ticket.player,
                ticket.went_on_ms, ticket.expires_at_ms,
            )
        )  # fmt: skip
        self._kept += 1
        if self._kept % LAPSE_EVERY == 1:
            self._rows.lapse(self._now_ms())

    def change(self, ticket: Ticket) -> Ticket | None:
        row = self._rows.change(ticket.digest, ticket.player, ticket.went_on_ms)
        return _ticket(row) if row is not None else None

    def end(self, digests: Iterable[str]) -> None:
        self._rows.end(tuple(digests))

    def tidy(self, tickets: Iterable[Ticket], count: int) -> None:
        """What is over is taken away as others are given out."""

    def find(self, digest: str) -> Ticket | None:
        return next(iter(self.still((digest,))), None)

    def of(self, operator: str, bettor: str) -> tuple[Ticket, ...]:
        return self._open(self._rows.of(operator, bettor))

    def still(self, digests: Collection[str]) -> tuple[Ticket, ...]:
        return self._open(self._rows.find(digests)) if digests else ()

    def close(self) -> None:
        self._rows.close()

    def _open(self, rows: Iterable[TicketRow]) -> tuple[Ticket, ...]:
        now_ms = self._now_ms()
        return tuple(_ticket(row) for row in rows if now_ms < row.expires_ms)


def _ticket(row: TicketRow) -> Ticket:
    body = _READ.decode(row.body.encode())
    return Ticket(
        row.digest, row.operator, row.bettor, body.table, body.language, row.expires_ms, body.plays, row.player,
        body.since_ms, body.returns_to, row.went_on_ms,
    )  # fmt: skip
