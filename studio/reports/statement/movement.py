"""Tells one operator every movement of his bettors' money: by the ids he gave, to the last unit.

A line is what one id moved in the period, seen from the bettor: above zero he got it. Of one bet there is a `debit`
and, where something came back, a `credit`, in which the reversals of a correction are taken off. Chips at a poker table
are their bettor's as his purse is: buying them is no line. Free bets are no bettor's money and have lines of their own:
a `free_grant`, a `free_debit` for each that was staked, a `free_credit` for a stake that came back to the promotion.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TextIO

from studio.errors import BadInputError
from studio.journal import Reader
from studio.money import bettor_account, promotion_account
from studio.reports.record.period import Period
from studio.reports.sheet.csv_sheet import iso

COLUMNS: Final = ("kind", "id", "bettor", "round", "state", "amount_minor", "currency", "at", "free_bet")

Sums = Counter[tuple[str, str]]
"""Minor units by kind and currency."""

_KIND: Final = """CASE
    WHEN kind = 'withdraw' THEN 'withdrawal'
    WHEN kind = 'reserve' THEN 'debit'
    WHEN kind IN ('return', 'share', 'void', 'compensate', 'reverse_return', 'reverse_share') THEN 'credit'
    WHEN kind IN ('advance', 'repay', 'write_off') THEN 'claw_back'
    WHEN kind = 'carry' THEN 'carried'
    ELSE kind END"""
_SIDE: Final = f"""
SELECT {_KIND} AS kind, bet, {{0}} AS account, currency, {{1}}amount AS amount, at,
       CASE WHEN round LIKE 'receivable:%' THEN '' ELSE round END AS round
FROM ledger WHERE seq > ?1 AND seq <= ?2 AND substr({{0}}, 1, ?3) = ?4 AND kind NOT IN ('buy_in', 'cash_out')
"""  # noqa: S608 - our own expressions
_FREE_KIND: Final = """CASE
    WHEN kind IN ('grant', 'ungrant') THEN 'free_grant'
    WHEN kind = 'reserve' THEN 'free_debit'
    WHEN kind = 'carry' THEN 'free_carried'
    ELSE 'free_credit' END"""
_FREE_SIDE: Final = f"""
SELECT {_FREE_KIND}, bet, 'bettor:' || substr({{0}}, 11, instr({{0}} || '/', '/') - 11), currency, {{1}}amount, at,
       CASE WHEN round LIKE 'promotion:%' THEN '' ELSE round END
FROM ledger WHERE seq > ?1 AND seq <= ?2 AND substr({{0}}, 1, ?5) = ?6 AND kind IN ({{2}})
"""  # noqa: S608 - our own expressions
_LINES: Final = f"""
SELECT kind, bet, account, round, amount, currency, at,
       CASE WHEN kind IN ('debit', 'free_debit') THEN coalesce(
           (SELECT last.kind FROM ledger last WHERE last.round = line.round AND last.round <> ''
            AND last.bet = line.bet AND last.kind IN ('post', 'void', 'reverse_post') AND last.seq <= ?2
            ORDER BY last.seq DESC LIMIT 1), '') END,
       CASE WHEN kind = 'free_grant' THEN bet WHEN kind IN ('deposit', 'withdrawal') THEN ''
           ELSE coalesce((SELECT placed.free FROM bet placed WHERE placed.id = line.bet), '') END
FROM (
    SELECT kind, bet, account, max(round) AS round, sum(amount) AS amount, currency, min(at) AS at
    FROM ({_SIDE.format("debit", "-")} UNION ALL {_SIDE.format("credit", "")}
        UNION ALL {_FREE_SIDE.format("debit", "-", "'ungrant', 'reserve', 'reverse_free_return', 'carry'")}
        UNION ALL {_FREE_SIDE.format("credit", "", "'grant', 'void', 'free_return', 'carry'")}) moved
    GROUP BY kind, bet, account, currency HAVING sum(amount) <> 0
) line ORDER BY at, kind, bet, account
"""  # noqa: S608 - our own expressions
_HELD: Final = """
SELECT currency, sum(amount) FROM (
    SELECT currency, -amount AS amount FROM ledger WHERE seq <= ?1 AND substr(debit, 1, ?2) = ?3
    UNION ALL SELECT currency, amount FROM ledger WHERE seq <= ?1 AND substr(credit, 1, ?2) = ?3
) AS moved GROUP BY 1 ORDER BY 1
"""
UNSURE: Final = "unsure"
_STATES: Final = {"post": "settled", "void": "void", "reverse_post": "open", "": "open", None: ""}


@dataclass(frozen=True, slots=True)
class StatementLine:
    """`state` of a debit, as the period ends: open, settled or void; `UNSURE` where a wallet gave no clear answer.

    `free`: the grant of free bets that it belongs to. A credit with one is what a free bet has won.
    """

    kind: str
    id: str
    bettor: str
    round: str
    state: str
    amount_minor: int
    currency: str
    at_ms: int
    free: str = ""

    @property
    def is_free_win(self) -> bool:
        """Whether it is the bettor's own money, and came of a stake that was not."""
        return bool(self.free) and not self.kind.startswith("free_")


def lines(reader: Reader, period: Period, operator: str) -> Iterator[StatementLine]:
    """Every line of the period, in the order in which the ids first moved money."""
    accounts = bettor_account(operator, "")
    free = promotion_account(operator, "")
    given = (period.ledger_after, period.ledger_upto, len(accounts), accounts, len(free), free)
    for kind, bet, account, round, amount_minor, currency, at_ms, state, free in reader.stream(_LINES, given):
        yield StatementLine(
            kind, bet.removeprefix(f"{operator}/"), account.removeprefix(accounts).partition("/")[0], round,
            _STATES[state], amount_minor, currency, at_ms, free,
        )  # fmt: skip


def held(reader: Reader, operator: str, ledger_seq: int) -> dict[str, int]:
    """What the operator's bettors had together, chips included, up to that row of the ledger; by currency."""
    accounts = bettor_account(operator, "")
    return dict(reader.read(_HELD, (ledger_seq, len(accounts), accounts)))


def summed(told: Iterable[StatementLine], sums: Sums, won_free: Sums) -> Iterator[StatementLine]:
    """The same lines, and once they have gone by their sums, and of these what free bets have won."""
    for line in told:
        sums[line.kind, line.currency] += line.amount_minor
        if line.is_free_win:
            won_free[line.kind, line.currency] += line.amount_minor
        yield line


def write_lines(told: Iterable[StatementLine], file: TextIO) -> None:
    """As CSV (RFC 4180), heads first; `round`, `state`, `at` and `free_bet` are for people, and no comparison looks at
    them."""
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for one in told:
        writer.writerow((
            one.kind, one.id, one.bettor, one.round, one.state, one.amount_minor, one.currency, iso(one.at_ms),
            one.free,
        ))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Theirs:
    """A line of an operator's own file."""

    kind: str
    id: str
    bettor: str
    amount_minor: int
    currency: str


_OTHER_SIGNS: Final = {";": "semicolons", "\t": "tabs"}
"""What programs write between columns where a comma stands before cents."""


def read_lines(file: TextIO, where: str) -> Iterator[Theirs]:
    """The lines of an operator's file; `BadInputError` names the line that cannot be read."""
    table = csv.reader(file, strict=True)
    try:
        heads = next(table, [])
        if missing := [name for name in Theirs.__slots__ if name not in heads]:
            parted = next((name for sign, name in _OTHER_SIGNS.items() if sign in "".join(heads)), "")
            how = f" Its columns are parted by {parted}: save it with commas." if parted else ""
            raise BadInputError(f"Its first line does not name {', '.join(missing)}.{how}", where=where)
        places = [heads.index(name) for name in Theirs.__slots__]
        for row in table:
            if row:
                yield _theirs([row[place] for place in places])
    except (csv.Error, ValueError, IndexError) as error:
        number = table.line_num + isinstance(error, UnicodeDecodeError)  # which is not counted before it is read
        raise BadInputError(f"Line {number} cannot be read: {_why(error)}.", where=where) from error


def _theirs(cells: list[str]) -> Theirs:
    kind, id, bettor, amount, currency = cells
    return Theirs(kind, id, bettor, int(amount), currency)


def _why(error: Exception) -> str:
    match error:
        case UnicodeDecodeError():
            return "it is not UTF-8: save it so, as CSV"
        case IndexError():
            return "it has too few columns"
        case csv.Error():
            return str(error)
    return "amount_minor is to be a whole number"
