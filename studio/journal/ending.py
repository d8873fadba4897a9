"""What the writer notes beside the journal about rounds: whose they are, and when each came to an end.

    round_party: an operator has bettors in a round, from its first bet or its deal on
    round_end:   for each of them, the row of the journal by which the round was over, and over anew after a correction

Both are derived: they can be made again from journal and bets, a database from before them gets them so, and `check`
holds them to that. They are what an operator's feed of rounds is read from, whose cost is that of the rounds it tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from studio.journal.engine import Database
from studio.journal.unit import Entry
from studio.money import Offer

ENDS: Final = ("RoundSettled", "RoundRefunded", "RoundResettled", "CompensationPaid")
"""The rows by which a round is over: paid, given back, put right, or paid for a prize that was lost with it."""

TABLES: Final = (
    """
CREATE TABLE round_party (
    round TEXT NOT NULL,
    operator TEXT NOT NULL,
    PRIMARY KEY (round, operator)
) STRICT, WITHOUT ROWID
""",
    """
CREATE TABLE round_end (
    operator TEXT NOT NULL,
    seq INTEGER NOT NULL,
    "table" TEXT NOT NULL,
    round TEXT NOT NULL,
    generation INTEGER NOT NULL,
    PRIMARY KEY (operator, seq)
) STRICT, WITHOUT ROWID
""",
    "CREATE UNIQUE INDEX round_end_round ON round_end (operator, round, generation)",
    'CREATE INDEX round_end_table ON round_end (operator, "table", seq)',
)

_PLAYERS: Final = """
SELECT journal.round, json_extract(seat.value, '$[0]')
FROM journal, json_each(body, '$.event.rules.hand.players') AS seat
WHERE kind = 'RoundStarted'
"""
_OVER: Final = f"""
SELECT seq, "table", coalesce(json_extract(body, '$.event.case'), round) AS round FROM journal
WHERE kind IN ({", ".join(f"'{kind}'" for kind in ENDS)})
AND (kind <> 'CompensationPaid' OR CAST(json_extract(body, '$.event.over') AS TEXT) = '1')
"""  # noqa: S608 - our own words
_ALL_PARTIES: Final = f"SELECT round, operator FROM bet UNION {_PLAYERS}"  # noqa: S608
_ALL_ENDS: Final = f"""
SELECT party.operator, told.seq, told."table", told.round,
    row_number() OVER (PARTITION BY party.operator, told.round ORDER BY told.seq) - 1
FROM ({_OVER}) AS told JOIN round_party AS party ON party.round = told.round
"""  # noqa: S608

FILL: Final = (
    f"INSERT INTO round_party (round, operator) {_ALL_PARTIES}",
    f'INSERT INTO round_end (operator, seq, "table", round, generation) {_ALL_ENDS}',
)

_PARTY: Final = "INSERT INTO round_party (round, operator) VALUES (?, ?) ON CONFLICT DO NOTHING"
_DEALT: Final = f"INSERT INTO round_party (round, operator) {_PLAYERS} AND journal.seq = ? ON CONFLICT DO NOTHING"
_END: Final = f"""
INSERT OR FAIL INTO round_end (operator, seq, "table", round, generation)
SELECT party.operator, told.seq, told."table", told.round, (
    SELECT count(*) FROM round_end AS before WHERE before.operator = party.operator AND before.round = told.round
)
FROM ({_OVER} AND seq = ?) AS told JOIN round_party AS party ON party.round = told.round
"""  # noqa: S608


def note_rounds(connection: Database, placed: Sequence[Offer], entries: Sequence[Entry], first: int) -> None:
    """Note what these bets and rows say of rounds; the rows are written, and their numbers begin with `first`."""
    for party in {(offer.round, offer.operator) for offer in placed}:
        connection.execute(_PARTY, party)
    for seq, entry in enumerate(entries, first):
        if entry.kind == "RoundStarted":
            connection.execute(_DEALT, (seq,))
        elif entry.kind in ENDS:
            connection.execute(_END, (seq,))


def misnoted(connection: Database) -> tuple[str, int] | None:
    """The first note that is missing or does not follow from journal and bets: its table and its row (0 where notes
    have none). None when all are right.
    """
    for table, columns, row, all in (
        ("round_party", "round, operator", "0", _ALL_PARTIES),
        ("round_end", 'operator, seq, "table", round, generation', "seq", _ALL_ENDS),
    ):
        kept = f"SELECT {columns} FROM {table}"  # noqa: S608
        names = f"told ({columns})"
        found = connection.execute(f"""
            WITH {names} AS ({all})
            SELECT {row} FROM (SELECT * FROM (SELECT * FROM told EXCEPT {kept}) AS missing
            UNION ALL SELECT * FROM ({kept} EXCEPT SELECT * FROM told) AS extra) AS wrong LIMIT 1
        """).fetchone()  # noqa: S608
        if found is not None:
            return table, found[0]
    return None
