"""What the roles of a studio's processes may do in PostgreSQL, where the tables are another role's.

Whoever takes a web node over has its role: that one reads the record, in which sealed cards are sealed, and writes no
row of it. No role has any right on a row of the journal, the ledger or the bets but to add it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import psycopg

from studio.errors import BadInputError

_HOSTS: Final = (
    'GRANT USAGE ON SCHEMA studio TO "{0}"',
    'GRANT SELECT, INSERT ON journal, ledger, bet, origin, round_party, round_end, group_commit, book TO "{0}"',
    'GRANT UPDATE ON book TO "{0}"',
    'GRANT SELECT, INSERT, UPDATE ON lease, last_backup TO "{0}"',
    'GRANT SELECT, INSERT, UPDATE, DELETE ON console_session, play_ticket, wallet_session TO "{0}"',
    'GRANT SELECT, INSERT, UPDATE, DELETE ON part TO "{0}"',
    'GRANT DELETE ON group_commit TO "{0}"',
    'GRANT SELECT ON balance, migration TO "{0}"',
    'GRANT USAGE ON SEQUENCE block TO "{0}"',
    'GRANT SELECT ON ALL SEQUENCES IN SCHEMA studio TO "{0}"',
)
"""The table hosts, and whoever backs the record up."""

_WEB: Final = (
    'GRANT USAGE ON SCHEMA studio TO "{0}"',
    "GRANT SELECT ON journal, ledger, bet, balance, origin, round_party, round_end, group_commit, book, lease,"
    ' last_backup, migration TO "{0}"',
    'GRANT SELECT, INSERT, UPDATE, DELETE ON console_session, play_ticket TO "{0}"',
)
"""The web nodes: who is signed in at a console, and whose page is open, is all they write."""

_REVOKED: Final = (
    'REVOKE ALL ON ALL TABLES IN SCHEMA studio FROM "{0}"',
    'REVOKE ALL ON ALL SEQUENCES IN SCHEMA studio FROM "{0}"',
    'REVOKE ALL ON SCHEMA studio FROM "{0}"',
)
_RANK: Final = """
SELECT rolsuper OR pg_has_role(role.oid, class.relowner, 'MEMBER')
FROM pg_roles AS role, pg_class AS class WHERE rolname = $1 AND class.oid = 'studio.journal'::regclass
"""
_WRITES: Final = """
SELECT class.relname FROM pg_class AS class, pg_roles AS other
WHERE relnamespace = 'studio'::regnamespace AND relkind IN ('r', 'v')
AND relname NOT IN ('console_session', 'play_ticket') AND pg_has_role($1, other.oid, 'MEMBER')
AND has_table_privilege(other.oid, class.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') ORDER BY relname LIMIT 1
"""
"""What a role may write all the same: by a role that it is a member of, or because everybody may."""

RawConnection = psycopg.Connection[tuple[object, ...]]


def grant(owner: RawConnection, role: str) -> None:
    """Let the role of the table hosts write, and only add; `BadInputError` where there is no such role."""
    if not _is_above(owner, role):
        _give(owner, role, (*_REVOKED, *_HOSTS))


def grant_web(owner: RawConnection, role: str) -> None:
    """Let the role of the web nodes read, and keep sessions and tickets; whatever else it had of these tables is taken
    from it. `BadInputError` for a role that would write the record all the same.
    """
    if _is_above(owner, role):
        sentence = f"The role {role} owns the tables, or is a superuser: create one of its own for the web nodes."
        raise BadInputError(sentence)
    with owner.transaction():
        _give(owner, role, (*_REVOKED, *_WEB))
        if (row := owner.execute(_WRITES, (role,)).fetchone()) is not None:
            sentence = (
                f"The role {role} may write the table {row[0]} all the same, as a member of another role or because"
                " everybody may: take that right away, then say this again."
            )
            raise BadInputError(sentence)


def _give(owner: RawConnection, role: str, statements: Sequence[str]) -> None:
    try:
        with owner.transaction():
            owner.execute("SET LOCAL search_path = studio")
            for statement in statements:
                owner.execute(statement.format(role.replace('"', '""')).encode())
    except psycopg.errors.InsufficientPrivilege as error:
        sentence = "This user may give no rights to the studio's tables: name the user who owns them."
        raise BadInputError(sentence) from error


def _is_above(owner: RawConnection, role: str) -> bool:
    """Whether that role may do everything with the tables, whatever it is given."""
    row = owner.execute(_RANK, (role,)).fetchone()
    if row is None:
        raise BadInputError(f"The server has no role {role}: create it first, with CREATE ROLE … LOGIN.")
    return bool(row[0])
