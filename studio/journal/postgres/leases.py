"""The leases of tables in PostgreSQL, by the database's own clock."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from studio.journal.lease import LEASE_S, DeviceClashError, Lease, LeaseLook
from studio.journal.postgres.line import PostgresLine

_UNTIL: Final = "clock_timestamp() + make_interval(secs => {})"
_TAKE: Final = """
INSERT INTO lease AS held ("table", host, epoch, until, devices) VALUES ($1, $2, 1, {until}, $3)
ON CONFLICT ("table") DO UPDATE SET host = $2, epoch = held.epoch + 1, until = {until}, devices = $3
WHERE held.host = $2 OR held.until < clock_timestamp()
RETURNING epoch
"""
_ALONE: Final = "SELECT pg_advisory_xact_lock(1279546164)"
"""One host takes after another, so that each sees the devices of the one before."""
STILL_S: Final = 10
"""As long as the server itself lets a session idle in a transaction."""
_END_STILL: Final = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
AND application_name = 'studio' AND wait_event = 'ClientRead' AND backend_xid IS NOT NULL
AND state_change < clock_timestamp() - make_interval(secs => $1)
"""
"""Of a host that stands still in the middle of a commit whose statements go together the server does not know that it
is idle: it would keep its hold of the table's row for as long, and nobody would read past its numbers. One that waits
for its standby is left alone, and so are a long commit, of which the server has heard within that time, and whoever
only reads, a backup for one, or is no process of the studio."""
_CLASH: Final = """
SELECT device, "table", host FROM lease, unnest(devices) AS device
WHERE "table" <> $1 AND until > clock_timestamp() AND device = ANY($2) LIMIT 1
"""
_RENEW: Final = """
WITH mine AS (SELECT "table" FROM lease WHERE host = $1 AND "table" = ANY($2) ORDER BY "table" FOR UPDATE)
UPDATE lease SET until = {until} FROM mine WHERE lease."table" = mine."table" AND lease.host = $1
RETURNING lease."table", epoch
"""
"""Locked in one order, as a commit locks them. One that has lapsed is held on where nobody has taken it."""
_LOOK: Final = """
SELECT "table", epoch, host, extract(epoch FROM until - clock_timestamp())::float8 FROM lease ORDER BY "table"
"""
_HAND_OVER: Final = """
UPDATE lease SET host = $4, epoch = epoch + 1, until = {until}
WHERE "table" = $1 AND epoch = $2 AND host = $3
"""


class PostgresLeases:
    """See `studio.journal.lease.Leases`. A line of its own, made anew where it broke."""

    def __init__(self, address: str, host: str, lease_s: float = LEASE_S) -> None:
        self._host = host
        self._line = PostgresLine(address)
        until = _UNTIL.format(float(lease_s))
        self._take, self._renew = _TAKE.format(until=until), _RENEW.format(until=until)
        self._hand_over = _HAND_OVER.format(until=until)

    @property
    def host(self) -> str:
        return self._host

    def take(self, table: str, devices: Collection[str] = ()) -> Lease | None:
        named = sorted(devices)
        with self._line.lock:
            self._line.say(_END_STILL, (STILL_S,))
            self._line.say("BEGIN")
            try:
                self._line.say(_ALONE)
                clash = self._line.say(_CLASH, (table, named)) if named else []
                rows = self._line.say(self._take, (table, self._host, named)) if not clash else []
                self._line.say("COMMIT")
            except BaseException:
                self._line.close()
                raise
        if clash:
            raise DeviceClashError(clash[0][0], table, *clash[0][1:])
        return Lease(table, int(rows[0][0])) if rows else None

    def renew(self, leases: Collection[Lease]) -> frozenset[Lease]:
        if not leases:
            return frozenset()
        held = {Lease(*row) for row in self._say(self._renew, (self._host, sorted(one.table for one in leases)))}
        return frozenset(leases) - held

    def look(self) -> tuple[LeaseLook, ...]:
        return tuple(
            LeaseLook(Lease(table, epoch), host, left_s) for table, epoch, host, left_s in self._say(_LOOK, ())
        )

    def hand_over(self, lease: Lease, to: str) -> None:
        self._say(self._hand_over, (lease.table, lease.epoch, self._host, to))

    def close(self) -> None:
        self._line.close()

    def _say(self, statement: str, given: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with self._line.lock:
            return self._line.say(statement, given)
