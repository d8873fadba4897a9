"""The tables of the studio's database, and bringing an older database up to date.

`journal` and `ledger` carry the truth, `bet` says what each reserve was for; all three are only ever added to.
`origin` says where both chains go on from, in a database that follows an archive. `balance`, `round_party` and
`round_end` are derived: they can be folded from the others again, and `check` does so. A migration, once released, is
never edited; a change of the schema is a new function below the last.
"""

from __future__ import annotations

import sqlite3
from functools import cache
from typing import Final

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from studio.errors import BadInputError
from studio.journal.ending import FILL, TABLES

APPLICATION_ID: Final = 0x4C445331
"""Stands in the file's header ("LDS1") and tells our databases from other people's."""

UNREADABLE: Final = (sqlite3.DatabaseError, UnicodeError)
"""What a damaged file raises; sqlite3 cannot even decode some of its own complaints about one."""

migrations: Final = Migrations("studio")

_JOURNAL: Final = """
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body) AND substr(body, 1, 1) = '{'),
    ledger_seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    "table" TEXT GENERATED ALWAYS AS (json_extract(body, '$.table')) VIRTUAL,
    round TEXT GENERATED ALWAYS AS (json_extract(body, '$.round')) VIRTUAL
) STRICT
"""
LEDGER: Final = """
CREATE TABLE ledger (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    round TEXT NOT NULL,
    bet TEXT NOT NULL,
    kind TEXT NOT NULL,
    debit TEXT NOT NULL,
    credit TEXT NOT NULL CHECK (credit <> debit),
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    revision INTEGER NOT NULL,
    hash TEXT NOT NULL,
    CHECK ((round = '') = (kind IN ('deposit', 'withdraw')))
) STRICT
"""
LEDGER_COLUMNS: Final = "seq, at, round, bet, kind, debit, credit, amount, currency, revision, hash"
"""What a row says, and its hash binds; whose it is follows from that and stands beside it."""

_BET: Final = """
CREATE TABLE bet (
    seq INTEGER PRIMARY KEY REFERENCES ledger (seq),
    id TEXT NOT NULL UNIQUE,
    operator TEXT NOT NULL,
    client_id TEXT NOT NULL,
    bettor TEXT NOT NULL,
    "table" TEXT NOT NULL,
    round TEXT NOT NULL,
    bet TEXT NOT NULL,
    stake INTEGER NOT NULL,
    currency TEXT NOT NULL,
    UNIQUE (operator, client_id)
) STRICT
"""
_BALANCE: Final = """
CREATE TABLE balance (
    account TEXT PRIMARY KEY,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL CONSTRAINT balance_covers
        CHECK (amount >= 0 OR substr(account, 1, 6) = 'house:' OR substr(account, 1, 9) = 'operator:')
) STRICT, WITHOUT ROWID
"""
LEDGER_INDEXES: Final = (
    "CREATE UNIQUE INDEX ledger_once ON ledger (round, bet, kind, revision) WHERE round <> ''",
    "CREATE UNIQUE INDEX ledger_post_or_void ON ledger (round, bet, revision) WHERE kind IN ('post', 'void')",
    "CREATE UNIQUE INDEX ledger_deposit ON ledger (debit, bet) WHERE kind = 'deposit'",
    "CREATE UNIQUE INDEX ledger_withdraw ON ledger (credit, bet) WHERE kind = 'withdraw'",
)
"""A client id of a deposit or withdrawal belongs to its operator: two operators may use the same."""

_OTHER_INDEXES: Final = (
    'CREATE INDEX journal_table ON journal ("table") WHERE "table" IS NOT NULL',
    "CREATE INDEX journal_round ON journal (round) WHERE round IS NOT NULL",
    "CREATE INDEX bet_round ON bet (round)",
    "CREATE INDEX bet_bettor ON bet (operator, bettor)",
)


@migrations()
def m001_journal_and_ledger(db: Database) -> None:
    for statement in (_JOURNAL, LEDGER, _BET, _BALANCE, *LEDGER_INDEXES, *_OTHER_INDEXES):
        db.execute(statement)
    for table in ("journal", "ledger", "bet"):
        for statement in _refusals(table):
            db.execute(statement)


_BALANCE_BY_CURRENCY: Final = """
CREATE TABLE balance (
    account TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL CONSTRAINT balance_covers
        CHECK (amount >= 0 OR substr(account, 1, 6) = 'house:' OR substr(account, 1, 9) = 'operator:'),
    PRIMARY KEY (account, currency)
) STRICT, WITHOUT ROWID
"""


@migrations()
def m002_balance_by_currency(db: Database) -> None:
    """An account of the house, an operator or a round may hold several currencies, each by itself."""
    db.execute("ALTER TABLE balance RENAME TO balance_before")
    db.execute(_BALANCE_BY_CURRENCY)
    db.execute("INSERT INTO balance (account, currency, amount) SELECT account, currency, amount FROM balance_before")
    db.execute("DROP TABLE balance_before")


_ORIGIN: Final = """
CREATE TABLE origin (
    chain TEXT PRIMARY KEY CHECK (chain IN ('journal', 'ledger')),
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT
"""


@migrations()
def m003_origin_and_kinds(db: Database) -> None:
    """A database may go on from the last rows of an archive; what happened is found by its kind."""
    db.execute(_ORIGIN)
    for act in ("UPDATE", "DELETE"):
        db.execute(
            f"CREATE TRIGGER origin_refuses_{act.lower()} BEFORE {act} ON origin"
            " BEGIN SELECT RAISE(ABORT, 'Where the chains begin is written once.'); END"
        )
    for table in ("journal", "ledger"):
        last = f"coalesce((SELECT max(seq) FROM {table}), (SELECT seq FROM origin WHERE chain = '{table}'), 0)"  # noqa: S608
        db.execute(f"DROP TRIGGER {table}_refuses_disorder")
        db.execute(_disorder(table, f"NEW.seq <> {last} + 1"))
    db.execute("CREATE INDEX journal_kind ON journal (kind)")


_BALANCE_THAT_MAY_OWE: Final = """
CREATE TABLE balance (
    account TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL,
    may_owe INTEGER NOT NULL DEFAULT 0 CHECK (may_owe IN (0, 1)),
    PRIMARY KEY (account, currency),
    CONSTRAINT balance_covers CHECK (
        amount >= 0 OR may_owe = 1 OR substr(account, 1, 6) = 'house:' OR substr(account, 1, 9) = 'operator:'
        OR substr(account, 1, 11) = 'receivable:'
    )
) STRICT, WITHOUT ROWID
"""


@migrations()
def m004_balance_that_may_owe(db: Database) -> None:
    """A claw-back may take a bettor below zero where his operator allows it: `may_owe` stands while it does."""
    db.execute("ALTER TABLE balance RENAME TO balance_before")
    db.execute(_BALANCE_THAT_MAY_OWE)
    db.execute("INSERT INTO balance (account, currency, amount) SELECT account, currency, amount FROM balance_before")
    db.execute("DROP TABLE balance_before")


@migrations()
def m005_rounds_of_operators(db: Database) -> None:
    """Whose a round is, and when it came to an end, is noted beside the journal."""
    for statement in (*TABLES, *FILL):
        db.execute(statement)


_HOLDER: Final = """
CASE WHEN kind IN ('buy_in', 'cash_out') THEN NULL
    WHEN substr(debit, 1, 7) = 'bettor:' THEN debit
    WHEN substr(credit, 1, 7) = 'bettor:' THEN credit
    WHEN substr(debit, 1, 9) = 'suspense:' OR substr(debit, 1, 11) = 'receivable:' THEN debit
    WHEN substr(credit, 1, 9) = 'suspense:' OR substr(credit, 1, 11) = 'receivable:' THEN credit END
"""
_NAMES: Final = "substr(holder, instr(holder, ':') + 1)"
_HELD: Final = (
    ("holder", _HOLDER),
    ("held_for", f"substr({_NAMES}, 1, instr({_NAMES} || '/', '/') - 1)"),
    ("brought_by", "substr(held_for, 1, instr(held_for || ':', ':') - 1)"),
)


@migrations()
def m006_movements_of_operators(db: Database) -> None:
    """What moved the money of an operator's bettors, and of one of them, is found in order (ADR 144).

    `holder` is the account of theirs that a row fills or empties, `held_for` both names of its bettor, `brought_by` his
    operator. They are computed and kept in the indexes alone. Chips are his as his purse is: to buy them moves nothing.
    """
    for name, expression in _HELD:
        db.execute(f"ALTER TABLE ledger ADD COLUMN {name} TEXT GENERATED ALWAYS AS ({expression}) VIRTUAL")
    for name in ("held_for", "brought_by"):
        db.execute(f"CREATE INDEX ledger_{name} ON ledger ({name}) WHERE {name} IS NOT NULL")


_BALANCE_WITH_PROMOTIONS: Final = _BALANCE_THAT_MAY_OWE.replace(
    "OR substr(account, 1, 11) = 'receivable:'",
    "OR substr(account, 1, 11) = 'receivable:' OR substr(account, 1, 10) = 'promotion:'",
)
_HOLDER_OF_FREE: Final = f"""
CASE WHEN kind = 'ungrant' THEN debit WHEN substr(credit, 1, 10) = 'promotion:' THEN credit
    WHEN substr(debit, 1, 10) = 'promotion:' THEN debit ELSE ({_HOLDER}) END
"""
_HELD_WITH_FREE: Final = (("holder", _HOLDER_OF_FREE), *_HELD[1:])


@migrations()
def m007_free_bets(db: Database) -> None:
    """A stake may come from an operator's promotion (ADR 146): the bet says so, and his movements tell of it."""
    db.execute("ALTER TABLE bet ADD COLUMN free TEXT NOT NULL DEFAULT ''")
    for name in ("held_for", "brought_by"):
        db.execute(f"DROP INDEX ledger_{name}")
    for name, _ in reversed(_HELD):
        db.execute(f"ALTER TABLE ledger DROP COLUMN {name}")
    for name, expression in _HELD_WITH_FREE:
        db.execute(f"ALTER TABLE ledger ADD COLUMN {name} TEXT GENERATED ALWAYS AS ({expression}) VIRTUAL")
    for name in ("held_for", "brought_by"):
        db.execute(f"CREATE INDEX ledger_{name} ON ledger ({name}) WHERE {name} IS NOT NULL")
    db.execute("ALTER TABLE balance RENAME TO balance_before")
    db.execute(_BALANCE_WITH_PROMOTIONS)
    db.execute("INSERT INTO balance SELECT account, currency, amount, may_owe FROM balance_before")
    db.execute("DROP TABLE balance_before")


_ROWS_HELD_FOR: Final = f"""
UPDATE ledger SET (held_for, brought_by) = (
    SELECT names, substr(names, 1, instr(names || ':', ':') - 1)
    FROM (SELECT substr(after, 1, instr(after || '/', '/') - 1) AS names
    FROM (SELECT substr(holder, instr(holder, ':') + 1) AS after FROM (SELECT ({_HOLDER_OF_FREE}) AS holder)))
)
"""  # noqa: S608 - our own words


@migrations()
def m008_whose_a_movement_is(db: Database) -> None:
    """Whose a row of the ledger is stands in it (ADR 204), and a bettor's bets are found by that (ADR 205)."""
    for name in ("held_for", "brought_by"):
        db.execute(f"DROP INDEX ledger_{name}")
    for name, _ in reversed(_HELD):
        db.execute(f"ALTER TABLE ledger DROP COLUMN {name}")
    db.execute("DROP TRIGGER ledger_refuses_update")
    for name in ("held_for", "brought_by"):
        db.execute(f"ALTER TABLE ledger ADD COLUMN {name} TEXT")
    db.execute(_ROWS_HELD_FOR)
    for name in ("held_for", "brought_by"):
        db.execute(f"CREATE INDEX ledger_{name} ON ledger ({name}) WHERE {name} IS NOT NULL")
    db.execute(_refusals("ledger")[0])
    db.execute("DROP INDEX bet_bettor")


_RELEASED: Final = (
    m001_journal_and_ledger,
    m002_balance_by_currency,
    m003_origin_and_kinds,
    m004_balance_that_may_owe,
    m005_rounds_of_operators,
    m006_movements_of_operators,
    m007_free_bets,
    m008_whose_a_movement_is,
)


def migrate(connection: sqlite3.Connection, name: str) -> None:
    """Create or update the tables; `BadInputError` for a newer database or somebody else's."""
    database = _database(connection)
    refuse_unknown(connection, name)
    if not database.table_names():
        _blank().backup(connection)
    elif migrations.pending(database):
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrations.apply(database)


@cache
def _blank() -> sqlite3.Connection:
    """A studio in memory in which nothing has happened: what every new database begins as, whole or not at all."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    migrations.apply(_database(connection))
    return connection


def pending(connection: sqlite3.Connection) -> tuple[str, ...]:
    """What `migrate` would do to it, a sentence a step."""
    ahead = {migration.name for migration in migrations.pending(_database(connection))}
    return tuple(
        (step.__doc__ or "The tables are made.").partition("\n")[0] for step in _RELEASED if step.__name__ in ahead
    )


def require_current(connection: sqlite3.Connection, name: str) -> None:
    """`BadInputError` unless this version can read the database as it stands."""
    database = _database(connection)
    refuse_unknown(connection, name)
    if migrations.pending(database):
        raise BadInputError("It holds no studio of this version yet: start the studio on it once.", where=name)


def require_studio(connection: sqlite3.Connection, name: str) -> None:
    """`BadInputError` unless a studio has written the database, of this version or an older one."""
    refuse_unknown(connection, name)
    [application_id] = connection.execute("PRAGMA application_id").fetchone()
    if application_id != APPLICATION_ID:
        raise BadInputError("It is empty, and no studio's database: name another file.", where=name)


def refuse_unknown(connection: sqlite3.Connection, name: str) -> None:
    """`BadInputError` for somebody else's database, or of a newer version; an empty one may become a studio's."""
    [application_id] = connection.execute("PRAGMA application_id").fetchone()
    [tables] = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application_id != APPLICATION_ID and (application_id or tables):
        raise BadInputError("It is a database, but not a studio's: name another file.", where=name)
    applied = {migration.name for migration in migrations.applied(_database(connection))}
    if applied - {released.__name__ for released in _RELEASED}:
        raise BadInputError("It was written by a newer version of the studio: install that version.", where=name)


def _refusals(table: str) -> tuple[str, ...]:
    """The triggers that let a table only grow, row after row, whoever holds the connection.

    The last one fails instead of aborting: a trigger that may abort costs a statement journal a row, three times
    the insert itself.
    """
    last = f"(SELECT coalesce(max(seq), 0) FROM {table})"  # noqa: S608
    in_order = f"NEW.seq <> {last} + 1" if table != "bet" else f"NEW.seq <= {last}"
    return (
        f"CREATE TRIGGER {table}_refuses_update BEFORE UPDATE ON {table}"
        f" BEGIN SELECT RAISE(ABORT, 'The {table} is only added to, never changed.'); END",
        f"CREATE TRIGGER {table}_refuses_delete BEFORE DELETE ON {table}"
        f" BEGIN SELECT RAISE(ABORT, 'The {table} is only added to, never deleted from.'); END",
        _disorder(table, in_order),
    )


def _disorder(table: str, condition: str) -> str:
    return (
        f"CREATE TRIGGER {table}_refuses_disorder BEFORE INSERT ON {table} WHEN {condition}"
        f" BEGIN SELECT RAISE(FAIL, 'The {table} grows by one row after the last.'); END"
    )


def _database(connection: sqlite3.Connection) -> Database:
    return Database(connection, recursive_triggers=False, execute_plugins=False)
