"""The tables in PostgreSQL, and bringing an older database up to date.

What they hold and mean is told where SQLite's are (`studio.journal.sqlite.schema`). Beside them:

    book:         a host's stream of journal and ledger rows, each with chains of its own: where they end, who holds it
    group_commit: every commit by its id, which a writer asks for that was not answered, and what is stable by it
    lease:        which host runs each table, by what count of those who have, and how long it is believed to
    console_session: who is signed in at the consoles, by a digest of the token; no part of the record
    play_ticket:  whose bettors' pages are open, by the digests of their tickets; no part of the record
    wallet_session: by what operators' own wallets know their bettors, closed; no part of the record
    last_backup:  when the record was last backed up, and to where; no part of the record
    part:         the balances; of an account that nothing is refused by one for each book, `balance` being their sum

A migration, once released, is never edited; a change is a new entry below the last.
"""

from __future__ import annotations

from typing import Final

import psycopg

from studio.errors import BadInputError

SCHEMA: Final = "studio"
_LOCK: Final = 0x4C445331
"""Taken while tables are made or changed: two hosts may be started at once."""

NUMBERS: Final = 0x4C445332
"""Taken for the instant in which a commit gets its numbers, so that these follow the order of the transactions."""

DESKS: Final = 0x4C445333
"""Taken, with the name of a book of the whole studio, by whoever adds to it."""

BLOCK: Final = 16_384
"""So many numbers of rows a host draws at once. As long as no other has drawn, it goes on where it was."""

_FUNCTIONS: Final = (
    "CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT strpos($1, $2)'",
    """
CREATE FUNCTION substr(text, integer, bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS 'SELECT substr($1, $2, $3::integer)'
""",
    """
CREATE FUNCTION json_extract(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE value WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE value #>> '{}' END
FROM (SELECT jsonb_path_query_first($1::jsonb, $2::jsonpath) AS value) AS found
$$
""",
    """
CREATE FUNCTION json_each(text, text) RETURNS TABLE (value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
WITH found AS (SELECT jsonb_path_query_first($1::jsonb, $2::jsonpath) AS whole)
SELECT each.value::text FROM found, jsonb_each(CASE jsonb_typeof(whole) WHEN 'object' THEN whole END) AS each
UNION ALL
SELECT each.value::text FROM found, jsonb_array_elements(CASE jsonb_typeof(whole) WHEN 'array' THEN whole END) AS each
$$
""",
    """
CREATE FUNCTION home(text) RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE AS $$
SELECT CASE WHEN substr($1, 1, 6) = 'house:' OR substr($1, 1, 9) = 'operator:' OR substr($1, 1, 11) = 'receivable:'
    THEN current_setting('studio.book')::integer ELSE 0 END
$$
""",
)

_TABLES: Final = (
    "CREATE SEQUENCE block MINVALUE 0 START 0",
    """
CREATE TABLE book (
    book integer PRIMARY KEY CHECK (book > 0),
    host text COLLATE "C" NOT NULL UNIQUE,
    epoch bigint NOT NULL DEFAULT 0,
    block bigint NOT NULL DEFAULT -1,
    journal_seq bigint NOT NULL DEFAULT 0,
    journal_hash text NOT NULL DEFAULT repeat('0', 64),
    ledger_seq bigint NOT NULL DEFAULT 0,
    ledger_hash text NOT NULL DEFAULT repeat('0', 64),
    at bigint NOT NULL DEFAULT 0
)
""",
    """
CREATE TABLE group_commit (
    id text COLLATE "C" PRIMARY KEY,
    book integer NOT NULL REFERENCES book (book),
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    journal_seq bigint NOT NULL,
    ledger_seq bigint NOT NULL
)
""",
    "CREATE INDEX group_commit_journal ON group_commit (journal_seq)",
    "CREATE INDEX group_commit_ledger ON group_commit (ledger_seq)",
    """
CREATE TABLE journal (
    seq bigint PRIMARY KEY,
    at bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    body text COLLATE "C" NOT NULL CHECK (substr(body, 1, 1) = '{' AND body::jsonb IS NOT NULL),
    ledger_seq bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    "table" text COLLATE "C" GENERATED ALWAYS AS (json_extract(body, '$.table')) STORED,
    round text COLLATE "C" GENERATED ALWAYS AS (json_extract(body, '$.round')) STORED,
    book integer NOT NULL DEFAULT current_setting('studio.book')::integer REFERENCES book (book)
)
""",
    'CREATE INDEX journal_table ON journal ("table", seq) WHERE "table" IS NOT NULL',
    "CREATE INDEX journal_round ON journal (round, seq) WHERE round IS NOT NULL",
    "CREATE INDEX journal_kind ON journal (kind, seq)",
    "CREATE INDEX journal_book ON journal (book, seq)",
    """
CREATE TABLE ledger (
    seq bigint PRIMARY KEY,
    at bigint NOT NULL,
    round text COLLATE "C" NOT NULL,
    bet text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    debit text COLLATE "C" NOT NULL,
    credit text COLLATE "C" NOT NULL CHECK (credit <> debit),
    amount bigint NOT NULL CHECK (amount > 0),
    currency text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    holder text COLLATE "C" GENERATED ALWAYS AS ({holder}) STORED,
    held_for text COLLATE "C" GENERATED ALWAYS AS (
        split_part(substr({holder}, strpos({holder}, ':') + 1), '/', 1)
    ) STORED,
    brought_by text COLLATE "C" GENERATED ALWAYS AS (
        split_part(split_part(substr({holder}, strpos({holder}, ':') + 1), '/', 1), ':', 1)
    ) STORED,
    book integer NOT NULL DEFAULT current_setting('studio.book')::integer REFERENCES book (book),
    CHECK ((round = '') = (kind IN ('deposit', 'withdraw')))
)
""".replace(
        "{holder}",
        """CASE WHEN kind = 'ungrant' THEN debit
        WHEN substr(credit, 1, 10) = 'promotion:' THEN credit
        WHEN substr(debit, 1, 10) = 'promotion:' THEN debit
        WHEN kind IN ('buy_in', 'cash_out') THEN NULL
        WHEN substr(debit, 1, 7) = 'bettor:' THEN debit
        WHEN substr(credit, 1, 7) = 'bettor:' THEN credit
        WHEN substr(debit, 1, 9) = 'suspense:' OR substr(debit, 1, 11) = 'receivable:' THEN debit
        WHEN substr(credit, 1, 9) = 'suspense:' OR substr(credit, 1, 11) = 'receivable:' THEN credit END""",
    ),
    "CREATE UNIQUE INDEX ledger_once ON ledger (round, bet, kind, revision) WHERE round <> ''",
    "CREATE UNIQUE INDEX ledger_post_or_void ON ledger (round, bet, revision) WHERE kind IN ('post', 'void')",
    "CREATE UNIQUE INDEX ledger_deposit ON ledger (debit, bet) WHERE kind = 'deposit'",
    "CREATE UNIQUE INDEX ledger_withdraw ON ledger (credit, bet) WHERE kind = 'withdraw'",
    "CREATE INDEX ledger_held_for ON ledger (held_for, seq) WHERE held_for IS NOT NULL",
    "CREATE INDEX ledger_brought_by ON ledger (brought_by, seq) WHERE brought_by IS NOT NULL",
    "CREATE INDEX ledger_book ON ledger (book, seq)",
    """
CREATE TABLE bet (
    seq bigint PRIMARY KEY REFERENCES ledger (seq),
    id text COLLATE "C" NOT NULL UNIQUE,
    operator text COLLATE "C" NOT NULL,
    client_id text COLLATE "C" NOT NULL,
    bettor text COLLATE "C" NOT NULL,
    "table" text COLLATE "C" NOT NULL,
    round text COLLATE "C" NOT NULL,
    bet text COLLATE "C" NOT NULL,
    stake bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    free text COLLATE "C" NOT NULL DEFAULT '',
    UNIQUE (operator, client_id)
)
""",
    "CREATE INDEX bet_round ON bet (round)",
    "CREATE INDEX bet_bettor ON bet (operator, bettor)",
    """
CREATE TABLE part (
    account text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    book integer NOT NULL,
    amount bigint NOT NULL,
    may_owe integer NOT NULL DEFAULT 0 CHECK (may_owe IN (0, 1)),
    PRIMARY KEY (account, currency, book),
    CONSTRAINT balance_covers CHECK (
        amount >= 0 OR may_owe = 1 OR substr(account, 1, 6) = 'house:' OR substr(account, 1, 9) = 'operator:'
        OR substr(account, 1, 11) = 'receivable:' OR substr(account, 1, 10) = 'promotion:'
    )
) WITH (fillfactor = 70)
""",
    """
CREATE VIEW balance AS SELECT account, currency, sum(amount)::bigint AS amount, max(may_owe) AS may_owe
FROM part GROUP BY account, currency
""",
    """
CREATE TABLE origin (
    chain text COLLATE "C" NOT NULL CHECK (chain IN ('journal', 'ledger')),
    seq bigint NOT NULL,
    hash text NOT NULL,
    book integer NOT NULL DEFAULT current_setting('studio.book')::integer REFERENCES book (book),
    PRIMARY KEY (book, chain)
)
""",
    """
CREATE TABLE round_party (
    round text COLLATE "C" NOT NULL,
    operator text COLLATE "C" NOT NULL,
    PRIMARY KEY (round, operator)
)
""",
    """
CREATE TABLE round_end (
    operator text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    "table" text COLLATE "C" NOT NULL,
    round text COLLATE "C" NOT NULL,
    generation bigint NOT NULL,
    PRIMARY KEY (operator, seq)
)
""",
    "CREATE UNIQUE INDEX round_end_round ON round_end (operator, round, generation)",
    'CREATE INDEX round_end_table ON round_end (operator, "table", seq)',
)

_BEGINS: Final = f"""
CREATE FUNCTION begin_group(mine bigint, was bigint, room bigint) RETURNS TABLE (
    drawn bigint, journal_seq bigint, journal_hash text, ledger_seq bigint, ledger_hash text, at bigint, epoch bigint
) LANGUAGE plpgsql AS $$
DECLARE
    last bigint;
    head bigint;
BEGIN
    SELECT greatest(b.journal_seq, b.ledger_seq) INTO head FROM book b WHERE b.book = mine;
    PERFORM pg_advisory_lock({NUMBERS});
    PERFORM pg_current_xact_id();
    SELECT CASE WHEN is_called THEN last_value ELSE -1 END INTO last FROM block;
    IF was < 0 OR was <> last OR head + room >= (last + 1) * {BLOCK} THEN
        last := nextval('block');
    END IF;
    PERFORM pg_advisory_unlock({NUMBERS});
    RETURN QUERY SELECT last, b.journal_seq, b.journal_hash, b.ledger_seq, b.ledger_hash, b.at, b.epoch
    FROM book b WHERE b.book = mine FOR UPDATE;
END $$
"""  # noqa: S608 - numbers of our own
"""The transaction gets its identity and its numbers at one instant, so that the one follows the other: a transaction
that is still under way has none of the numbers before those of the oldest one. Only then may it wait for its book."""

_REFUSES: Final = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def _refusals() -> tuple[str, ...]:
    """Journal, ledger, bets and origins are only added to, whoever holds the connection."""
    return (
        _REFUSES,
        *(
            f"CREATE TRIGGER {table}_refuses_{act} BEFORE {act.upper()} ON {table} FOR EACH STATEMENT"
            f" EXECUTE FUNCTION refuse('The {table} is only added to, never {done}.')"
            for table in ("journal", "ledger", "bet", "origin")
            for act, done in (("update", "changed"), ("delete", "deleted from"), ("truncate", "emptied"))
        ),
    )


_LEASES: Final = (
    """
CREATE TABLE lease (
    "table" text COLLATE "C" PRIMARY KEY,
    host text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL,
    until timestamptz NOT NULL,
    goes_to text COLLATE "C" NOT NULL DEFAULT ''
) WITH (fillfactor = 50)
""",
)

_SESSIONS: Final = (
    'CREATE TABLE console_session (digest text COLLATE "C" PRIMARY KEY, body text NOT NULL, seen bigint NOT NULL)',
)

_TICKETS: Final = (
    """
CREATE TABLE play_ticket (
    digest text COLLATE "C" PRIMARY KEY,
    number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    operator text COLLATE "C" NOT NULL,
    bettor text COLLATE "C" NOT NULL,
    body text NOT NULL,
    player text NOT NULL,
    went_on bigint NOT NULL,
    expires bigint NOT NULL
)
""",
    "CREATE INDEX play_ticket_bettor ON play_ticket (operator, bettor)",
    "CREATE INDEX play_ticket_expires ON play_ticket (expires)",
)

_WALLET_SESSIONS: Final = (
    'CREATE TABLE wallet_session (operator text COLLATE "C" NOT NULL, bettor text COLLATE "C" NOT NULL,'
    " closed text NOT NULL, at bigint NOT NULL, PRIMARY KEY (operator, bettor))",
)

_BACKUPS: Final = (
    """
CREATE TABLE last_backup (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    at bigint NOT NULL,
    machine text NOT NULL,
    folder text NOT NULL,
    keys text NOT NULL
)
""",
)

_WRITTEN: Final = (
    """
CREATE FUNCTION refuse_older() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'this host is of an older version than its tables: stop it, and install the version of the others'
    USING ERRCODE = 'feature_not_supported';
END $$
""",
    "ALTER TABLE ledger ALTER COLUMN held_for DROP EXPRESSION, ALTER COLUMN brought_by DROP EXPRESSION,"
    " DROP COLUMN holder",
    "ALTER TABLE ledger ALTER COLUMN held_for SET DEFAULT refuse_older()",
    "DROP INDEX bet_bettor",
)
"""A host of the version before, still at work, would leave it out whose a row is: the default refuses that row."""

_MIGRATIONS: Final = (
    ("p001_journal_and_ledger", (*_FUNCTIONS, *_TABLES, _BEGINS, *_refusals())),
    ("p002_leases", _LEASES),
    ("p003_a_table_is_sent_by_the_pits_book", ("ALTER TABLE lease DROP COLUMN goes_to",)),
    ("p004_devices_of_a_table", ("ALTER TABLE lease ADD COLUMN devices text[] NOT NULL DEFAULT '{}'",)),
    ("p005_sessions_of_consoles", _SESSIONS),
    ("p006_tickets_of_pages", _TICKETS),
    ("p007_sessions_of_wallets", _WALLET_SESSIONS),
    ("p008_the_last_backup", _BACKUPS),
    ("p009_whose_a_movement_is", _WRITTEN),
)

_APPLIED: Final = "SELECT name FROM studio.migration ORDER BY name"


_NO_RIGHT: Final = (
    "This user has no right to the studio's tables: let their owner give it by studio prepare, or name another user."
)


def migrate(connection: psycopg.Connection[tuple[object, ...]], name: str) -> None:
    """Create or update the tables; `BadInputError` for a newer database, or where this role may not.

    A role that owns nothing opens a database that is up to date.
    """
    applied = _applied(connection, name)
    _refuse_unknown(applied, name)
    if applied is not None and len(applied) == len(_MIGRATIONS):
        return
    try:
        with connection.transaction():
            connection.execute(b"SELECT pg_advisory_xact_lock(%d)" % _LOCK)
            connection.execute("CREATE SCHEMA IF NOT EXISTS studio")
            connection.execute("SET LOCAL search_path = studio")
            connection.execute("CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY)")
            done = _applied(connection, name) or frozenset()
            for migration, statements in _MIGRATIONS:
                if migration in done:
                    continue
                for statement in statements:
                    connection.execute(statement.encode())
                connection.execute("INSERT INTO migration (name) VALUES ($1)", (migration,))
    except psycopg.errors.InsufficientPrivilege as error:
        sentence = "Its tables are not there or are older, and this role may not make them: prepare it as its owner."
        raise BadInputError(sentence, where=name) from error


def require_current(connection: psycopg.Connection[tuple[object, ...]], name: str) -> None:
    """`BadInputError` unless this version can read the database as it stands."""
    applied = _applied(connection, name)
    _refuse_unknown(applied, name)
    if applied is None:
        raise BadInputError("It is a database, but holds no studio yet: start the studio on it once.", where=name)
    if len(applied) < len(_MIGRATIONS):
        raise BadInputError("It holds no studio of this version yet: start the studio on it once.", where=name)


def _refuse_unknown(applied: frozenset[str] | None, name: str) -> None:
    if (applied or frozenset()) - {migration for migration, _ in _MIGRATIONS}:
        raise BadInputError("It was written by a newer version of the studio: install that version.", where=name)


def _applied(connection: psycopg.Connection[tuple[object, ...]], name: str) -> frozenset[str] | None:
    """None where no studio was ever begun; `BadInputError` where this role may not see, or it is no studio's."""
    try:
        row = connection.execute("SELECT to_regclass('studio.migration') IS NOT NULL").fetchone()
        if row is None or not row[0]:
            return None
        return frozenset(str(name) for (name,) in connection.execute(_APPLIED).fetchall())
    except psycopg.errors.InsufficientPrivilege as error:
        raise BadInputError(_NO_RIGHT, where=name) from error
    except psycopg.errors.UndefinedColumn as error:
        raise BadInputError(
            "What is called studio there is none of ours: name another database.", where=name
        ) from error
