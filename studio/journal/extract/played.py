"""Finds the rounds one bettor bet on, or was dealt into, newest first, and his bets in one.

A round may have a hundred thousand bets and a bettor as many rounds: neither is read through.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from studio.journal.reader import BET_COLUMNS, BETS_OF, BetStatus, Reader
from studio.journal.whose import held_for
from studio.money import Offer

_PAGE: Final = 200
_NEWEST: Final = 2**62

_OLDER: Final = f"SELECT seq, round FROM {BETS_OF} WHERE moved < ? ORDER BY moved DESC LIMIT ?"  # noqa: S608
_ENDS: Final = "SELECT (SELECT min(seq) FROM bet WHERE round = ?), (SELECT max(seq) FROM bet WHERE round = ?)"
_SUMS: Final = f"""
SELECT placed.seq, placed."table", placed.round, placed.currency,
    CASE WHEN placed.free = '' THEN placed.stake ELSE 0 END,
    sum(CASE WHEN moved.kind IN ('return', 'void', 'share', 'compensate') THEN moved.amount
        WHEN moved.kind IN ('reverse_return', 'reverse_share') THEN -moved.amount ELSE 0 END
        * CASE WHEN substr(moved.credit, 1, 10) = 'promotion:' THEN 0 ELSE 1 END),
    sum(CASE WHEN moved.kind IN ('post', 'void') THEN 1 WHEN moved.kind = 'reverse_post' THEN -1 ELSE 0 END)
FROM (SELECT seq, {BET_COLUMNS} FROM {BETS_OF} WHERE moved > ? ORDER BY moved LIMIT ?) AS placed
JOIN ledger AS moved ON moved.round = placed.round AND moved.bet = placed.id AND moved.round <> ''
GROUP BY placed.seq, placed."table", placed.round, placed.currency, placed.free, placed.stake ORDER BY placed.seq
"""  # noqa: S608
_NEWEST_ROUNDS: Final = f"""
SELECT "table", round FROM bet WHERE seq IN (SELECT max(moved) FROM {BETS_OF} WHERE moved > ? GROUP BY "table")
"""  # noqa: S608
_CORRECTED: Final = "SELECT coalesce(max(seq), 0) FROM journal WHERE kind = ?"
_AT: Final = "SELECT at FROM ledger WHERE seq = ?"
_AT_ABOUT: Final = "SELECT at FROM ledger WHERE seq <= ? ORDER BY seq DESC LIMIT 1"
"""Rows lie in an archive, and where several hosts write there are numbers that nobody has taken."""
_OF_BETTOR: Final = f"""
SELECT seq, {BET_COLUMNS} FROM {BETS_OF} WHERE moved BETWEEN ? AND ? AND round = ? ORDER BY moved
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Played:
    """A round a bettor bet on. `seq` and `at_ms` are the place and time of his first bet there."""

    round: str
    table: str
    seq: int
    at_ms: int
    bets: tuple[BetStatus, ...]

    @property
    def stake_minor(self) -> int:
        return sum(one.bet.stake_minor for one in self.bets)

    @property
    def returned_minor(self) -> int:
        return sum(one.returned_minor for one in self.bets)

    @property
    def free_minor(self) -> int:
        """What of his stakes was free bets: his operator's money, that only what it wins is his of."""
        return sum(one.bet.stake_minor for one in self.bets if one.bet.free)

    @property
    def free_again(self) -> tuple[str, ...]:
        """The grants of those free bets that have come back whole."""
        return tuple(one.bet.free for one in self.bets if one.free_again)

    @property
    def ended(self) -> str:
        """What it came to for him: `won`, `free` (nothing but free bets, and one came back), `even`, `part`, `lost`."""
        if self.won_minor > 0:
            return "won"
        if self.free_minor == self.stake_minor:
            return "free" if self.free_again else "lost"
        return "even" if self.won_minor == 0 else "part" if self.returned_minor else "lost"

    @property
    def won_minor(self) -> int:
        """The bettor's gain over all his bets, in minor units; negative where he lost money of his own."""
        return self.returned_minor - self.stake_minor + self.free_minor

    @property
    def stood_minor(self) -> int:
        """What he staked of his own on bets that were settled: not those that wait, nor those given back."""
        return sum(one.bet.stake_minor for one in self.bets if one.status == "posted" and not one.bet.free)

    @property
    def pending(self) -> bool:
        return any(one.status == "pending" for one in self.bets)

    @property
    def currency(self) -> str:
        return self.bets[0].bet.currency


def played_in(reader: Reader, operator: str, bettor: str, round: str) -> Played | None:
    """The bettor's bets in the round, in the order he placed them; None when he placed none."""
    ((first, last),) = reader.read(_ENDS, (round, round))
    if first is None:
        return None
    rows = reader.read(_OF_BETTOR, (held_for(operator, bettor), bettor, first, last, round))
    if not rows:
        return None
    bets = tuple(reader.status(Offer(*row[1:])) for row in rows)
    ((at_ms,),) = reader.read(_AT, (rows[0][0],))
    return Played(round, bets[0].bet.table, rows[0][0], at_ms, bets)


@dataclass(frozen=True, slots=True)
class SessionBet:
    """A bet in short: `stake_minor` is what the bettor has put in of his own, `returned_minor` what he has got back."""

    seq: int
    table: str
    round: str
    currency: str
    stake_minor: int
    returned_minor: int
    ended: int

    @property
    def won_minor(self) -> int:
        """What it has brought him; nothing while it waits."""
        return self.returned_minor - self.stake_minor if self.ended else 0


def bet_sums_after(reader: Reader, operator: str, bettor: str, seq: int, limit: int) -> Sequence[SessionBet]:
    """His next bets after that place in the ledger, so many at most, as they stand now: one look at all of them."""
    return [SessionBet(*row) for row in reader.read(_SUMS, (held_for(operator, bettor), bettor, seq, limit))]


def newest_rounds(reader: Reader, operator: str, bettor: str, seq: int) -> Mapping[str, str]:
    """By table, the round he bet on last after that place in the ledger."""
    return dict(reader.read(_NEWEST_ROUNDS, (held_for(operator, bettor), bettor, seq)))


def corrected_at(reader: Reader) -> int:
    """The place in the journal of the last correction of a round that had ended; 0 where there was none."""
    return max(int(reader.read(_CORRECTED, (kind,))[0][0]) for kind in ("BetsResettled", "RoundResettled"))


def rounds_played(
    reader: Reader, operator: str, bettor: str, limit: int, before: int | None = None, tables: int = 1
) -> Sequence[Played]:
    """The newest rounds by his first bet there, of those he first bet on before that place in the ledger.

    He may have bet at so many `tables` at once: their rounds lie between each other.
    """
    found: dict[str, None] = {}
    seq = before or _NEWEST
    while len(found) <= limit + tables:
        page = reader.read(_OLDER, (held_for(operator, bettor), bettor, seq, _PAGE))
        found.update(dict.fromkeys(round for _, round in page))
        if len(page) < _PAGE:
            break
        seq = page[-1][0]
    played = (played_in(reader, operator, bettor, round) for round in list(found)[: limit + tables])
    return sorted((one for one in played if one), key=lambda one: -one.seq)[:limit]


def rows_naming(reader: Reader, round: str, bettor: str, kinds: Sequence[str], always: Sequence[str]) -> list[bytes]:
    """Bodies of the round's events, in order: of `kinds` those that name this bettor, of `always` all."""
    marks, all_marks = (", ".join("?" * len(one)) for one in (kinds, always))
    sql = f"""
        SELECT CAST(body AS BLOB) FROM journal WHERE round = ?
        AND (kind IN ({all_marks}) OR kind IN ({marks}) AND instr(body, ?) > 0) ORDER BY seq
    """  # noqa: S608
    return [row[0] for row in reader.read(sql, (round, *always, *kinds, f'"bettor":"{bettor}"'))]


def place_at(reader: Reader, at_ms: int) -> int:
    """The place in the ledger up to which its rows are older than that, about: clocks of tables differ a little."""
    ((low, high),) = reader.read("SELECT 0, coalesce(max(seq), 0) FROM ledger", ())
    while low < high:
        middle = (low + high + 1) // 2
        found = reader.read(_AT_ABOUT, (middle,))
        low, high = (middle, high) if not found or found[0][0] < at_ms else (low, middle - 1)
    return int(low)


_HANDS: Final = """
SELECT seq, at, round, CAST(body AS BLOB) FROM journal
WHERE kind = 'RoundStarted' AND +"table" = ? AND seq > ? AND seq < ? AND instr(body, ?) > 0 ORDER BY seq DESC LIMIT ?
"""
_HAND: Final = """
SELECT seq, at, CAST(body AS BLOB) FROM journal WHERE round = ? AND kind = 'RoundStarted' AND instr(body, ?) > 0
"""
_SITTINGS: Final = """
SELECT taken.seq, taken."table", (
    SELECT gone.seq FROM journal AS gone
    WHERE gone.kind = 'SeatLeft' AND gone.seq > taken.seq AND gone."table" = taken."table"
    AND json_extract(gone.body, '$.event.seat') = json_extract(taken.body, '$.event.seat')
    ORDER BY gone.seq LIMIT 1
)
FROM journal AS taken
WHERE taken.kind = 'SeatTaken' AND taken.seq < ? AND taken.seq >= ?
AND json_extract(taken.body, '$.event.operator') = ? AND json_extract(taken.body, '$.event.bettor') = ?
ORDER BY taken.seq DESC
"""


class HandSpan(NamedTuple):
    """Hands after that place in the journal, of sittings that began at the other or later; every one by default."""

    after: int = 0
    sat_since: int = 0


EVERY_HAND: Final = HandSpan()


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A hand of the poker room a bettor was dealt into. `seq` is its place in the journal; `body`, how it began."""

    round: str
    seq: int
    at_ms: int
    body: bytes


def hands_dealt(
    reader: Reader, operator: str, bettor: str, limit: int, before: int | None = None, span: HandSpan = EVERY_HAND
) -> Sequence[HandDealt]:
    """The newest hands he was dealt into before that place in the journal, his own sittings one after another."""
    named, found = _named(operator, bettor), list[HandDealt]()
    for taken, table, left in _sittings(reader, operator, bettor, before, span):
        until = min(left or _NEWEST, before or _NEWEST)
        rows = reader.read(_HANDS, (table, max(taken, span.after), until, named, limit))
        found += [HandDealt(round, seq, at_ms, body) for seq, at_ms, round, body in rows]
    return sorted(found, key=lambda one: -one.seq)[:limit]


def sat_since(reader: Reader, operator: str, bettor: str, span: HandSpan) -> int:
    """The place of the first of these sittings that has hands after the span's begin, or may get some."""
    found = [taken for taken, *_ in _sittings(reader, operator, bettor, None, span)]
    return min(found, default=max(span.sat_since, span.after))


def _sittings(
    reader: Reader, operator: str, bettor: str, before: int | None, span: HandSpan
) -> Iterator[tuple[int, str, int | None]]:
    """Where he sat down, at which table, and where he left it; the newest first."""
    for taken, table, left in reader.read(_SITTINGS, (before or _NEWEST, span.sat_since, operator, bettor)):
        if left is None or left > span.after:
            yield taken, table, left


def hand_dealt(reader: Reader, operator: str, bettor: str, round: str) -> HandDealt | None:
    """The hand with this round's id, if the bettor was dealt into it; else None."""
    rows = reader.read(_HAND, (round, _named(operator, bettor)))
    return HandDealt(round, *rows[0]) if rows else None


def _named(operator: str, bettor: str) -> str:
    """How a hand that begins names one who sits in it."""
    return ":" + json.dumps([operator, bettor], separators=(",", ":"))
