"""Sums of the ledger over a period, by kind of transfer and of account, made by SQLite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final

from studio.journal import Reader
from studio.reports.record.period import Period

_CLASS: Final = """CASE
    WHEN {0} LIKE 'promotion:%/%' THEN 'grant'
    WHEN instr({0}, ':') > 0 THEN substr({0}, 1, instr({0}, ':') - 1)
    ELSE {0} END"""
"""What is left of a grant of free bets is told apart from the promotion that it was made from."""
_OWNER: Final = """CASE
    WHEN {0} LIKE 'bettor:%' THEN substr({0}, 8, instr(substr({0}, 8), ':') - 1)
    WHEN {0} LIKE 'receivable:%' THEN substr({0} || ':', 12, instr(substr({0} || ':', 12), ':') - 1)
    WHEN {0} LIKE 'promotion:%:%' THEN substr({0}, 11, instr(substr({0}, 11), ':') - 1)
    WHEN {0} LIKE 'escrow:%' OR {0} LIKE 'prize:%' THEN ''
    ELSE substr({0}, instr({0}, ':') + 1) END"""
"""Of a bettor's account the operator, of the house's the table, of a round's none: there are too many."""

KEPT: Final = 3
_OWNED: Final = ("bettor", "receivable", "promotion", "grant", "operator", "suspense")
_WRITTEN_OFF: Final = "write_off/"
_NOBODYS: Final = "0"
_TESTS: Final = """CASE WHEN EXISTS (SELECT 1 FROM bet WHERE bet.id = ledger.bet
    AND instr(?3, '/' || bet.operator || '/') > 0) THEN 1 ELSE 0 END"""
"""Whether a transfer concerns a bet of a test account. Rows are looked up only where there are such accounts."""


def _moved_sql(test: str) -> str:
    """One statement, so that both are of the same instant while tables pay on."""
    return f"""
SELECT CASE WHEN seq <= ?1 THEN 0 WHEN seq <= ?2 THEN 1 ELSE 2 END AS phase, kind, currency,
       {_CLASS.format("debit")}, {_OWNER.format("debit")}, {_CLASS.format("credit")}, {_OWNER.format("credit")},
       {test}, sum(amount), count(*)
FROM ledger GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
UNION ALL
SELECT {KEPT}, '', currency, {_CLASS.format("account")}, {_OWNER.format("account")}, '', '', 0, sum(amount), count(*)
FROM balance GROUP BY 3, 4, 5
"""  # noqa: S608 - our own expressions


_STAKED: Final = """
SELECT operator, "table", currency, CASE WHEN free = '' THEN 0 ELSE 1 END, sum(stake), count(*)
FROM bet WHERE seq > ? AND seq <= ? GROUP BY 1, 2, 3, 4
"""


@dataclass(frozen=True, slots=True)
class Side:
    """Accounts taken together: `sort` bettor house pot escrow grant …, and whose they are.

    `test`: of test accounts; of an account that they share with others, what came and went for them.
    """

    sort: str
    owner: str
    currency: str
    test: bool = False

    def is_of(self, operators: Collection[str]) -> bool:
        """Whether all of it is one of these operators'.

        >>> Side("suspense", "north/free", "EUR").is_of({"north"}), Side("house", "north", "EUR").is_of({"north"})
        (True, False)
        """
        if self.sort == "house":
            return self.owner.startswith(_WRITTEN_OFF) and self.owner.removeprefix(_WRITTEN_OFF) in operators
        return self.sort in _OWNED and self.owner.removesuffix("/free") in operators


@dataclass(frozen=True, slots=True)
class LedgerMoved:
    """All transfers of one kind from one side to another, summed. `phase`: 0 before the period, 1 in it, 2 after it."""

    phase: int
    kind: str
    debit: Side
    credit: Side
    amount_minor: int
    count: int


@dataclass(frozen=True, slots=True)
class LedgerStaked:
    """`is_free`: the stakes of an operator's promotion, and not of bettors' own."""

    operator: str
    table: str
    currency: str
    is_free: int
    stake_minor: int
    count: int


def moved(reader: Reader, period: Period, tests: Collection[str] = ()) -> tuple[list[LedgerMoved], dict[Side, int]]:
    """Every transfer there is, summed up, in one look at the whole ledger; and what the kept balances say now.

    What moved for the bettors of `tests` stands on sides of its own.
    """
    moves: list[LedgerMoved] = []
    kept: Counter[Side] = Counter()
    given: tuple[int | str, ...] = (period.ledger_after, period.ledger_upto)
    found = (
        reader.read(_moved_sql(_TESTS), (*given, _listed(tests)))
        if tests
        else (reader.read(_moved_sql(_NOBODYS), given))
    )
    for phase, kind, currency, dsort, downer, csort, cowner, marked, amount, count in found:
        debit, credit = Side(dsort, downer, currency), Side(csort, cowner, currency)
        test = bool(marked) or debit.is_of(tests) or credit.is_of(tests)
        debit, credit = replace(debit, test=test), replace(credit, test=test)
        if phase == KEPT:
            kept[debit] += amount
            continue
        moves.append(LedgerMoved(phase, kind, debit, credit, amount, count))
        for side, signed in ((debit, -amount), (credit, amount)):
            if test and not side.is_of(tests):
                kept[side] += signed
                kept[replace(side, test=False)] -= signed
    return moves, dict(kept)


def _listed(names: Collection[str]) -> str:
    """As a statement looks names up: no operator's name has a slash."""
    return "".join(f"/{name}" for name in sorted(names)) + "/"


_STACK: Final = "bettor:%/%"
_CHIP_OWNER: Final = f"substr({{0}}, instr({{0}}, '/') + 1), {_OWNER}"
_CHIPS: Final = f"""
SELECT CASE WHEN seq <= ?1 THEN 0 WHEN seq <= ?2 THEN 1 ELSE 2 END AS phase, kind, {_CHIP_OWNER.format("debit")},
       currency, -sum(amount)
FROM ledger WHERE debit LIKE '{_STACK}' GROUP BY 1, 2, 3, 4, 5
UNION ALL
SELECT CASE WHEN seq <= ?1 THEN 0 WHEN seq <= ?2 THEN 1 ELSE 2 END, kind, {_CHIP_OWNER.format("credit")},
       currency, sum(amount)
FROM ledger WHERE credit LIKE '{_STACK}' GROUP BY 1, 2, 3, 4, 5
UNION ALL
SELECT {KEPT}, '', {_CHIP_OWNER.format("account")}, currency, sum(amount)
FROM balance WHERE account LIKE '{_STACK}' GROUP BY 3, 4, 5
"""  # noqa: S608 - our own expressions


@dataclass(frozen=True, slots=True)
class ChipSide:
    """The stacks of one operator's bettors at one table of the poker room."""

    table: str
    operator: str
    currency: str


@dataclass(frozen=True, slots=True)
class ChipsMoved:
    """What stacks won by transfers of one kind, in minor units. Of phase `KEPT`, what the balances say now."""

    phase: int
    kind: str
    side: ChipSide
    won_minor: int


def chips_moved(reader: Reader, period: Period) -> list[ChipsMoved]:
    """What moved in each stack of chips. The ledger is not searched where nobody ever bought chips."""
    if not reader.read("SELECT 1 FROM ledger WHERE kind = 'buy_in' LIMIT 1", ()):
        return []
    found = reader.read(_CHIPS, (period.ledger_after, period.ledger_upto))
    return [
        ChipsMoved(phase, kind, ChipSide(table, operator, currency), amount)
        for phase, kind, table, operator, currency, amount in found
    ]


def staked(reader: Reader, period: Period) -> list[LedgerStaked]:
    """The accepted bets of the period, from the register of bets and not from the ledger."""
    return [LedgerStaked(*row) for row in reader.read(_STAKED, (period.ledger_after, period.ledger_upto))]


_SETTLED: Final = """
       sum(CASE l.kind WHEN 'post' THEN l.amount WHEN 'reverse_post' THEN -l.amount ELSE 0 END),
       sum(CASE WHEN l.kind IN ('return', 'share', 'free_return') THEN l.amount
                WHEN l.kind IN ('reverse_return', 'reverse_share', 'reverse_free_return') THEN -l.amount ELSE 0 END),
       sum(CASE l.kind WHEN 'free_return' THEN l.amount WHEN 'reverse_free_return' THEN -l.amount ELSE 0 END),
       sum(CASE l.kind WHEN 'share' THEN l.amount WHEN 'reverse_share' THEN -l.amount ELSE 0 END)
FROM ledger l JOIN bet b ON b.id = l.bet
WHERE l.seq > ? AND l.seq <= ? AND
      l.kind IN ('post', 'reverse_post', 'return', 'share', 'reverse_return', 'reverse_share', 'free_return',
                 'reverse_free_return')
"""
"""Stakes, all that came back of them, what of that went back to promotions, and what of it were shares of pots."""
_IS_FREE: Final = "CASE WHEN b.free = '' THEN 0 ELSE 1 END"
_OF_BETS: Final = f"""
SELECT b.round, b."table", b.bet, b.currency, {_IS_FREE}, min(l.at), {_SETTLED}
      AND ? IN ('', b."table") AND ? IN ('', b.operator) AND instr(?, '/' || b.operator || '/') = 0
GROUP BY 1, 2, 3, 4, 5
"""
_OF_OPERATORS: Final = f"""
SELECT b.operator, b."table", b.bet, l.currency, {_IS_FREE}, {_SETTLED} GROUP BY 1, 2, 3, 4, 5
"""


@dataclass(frozen=True, slots=True)
class LedgerBetSum:
    """What all bettors staked on one bet key of one round in one currency, and what came back.

    Free stakes are a sum of their own; `back_minor` of what came back of them is not the bettors' but went back to the
    promotion.
    """

    round: str
    table: str
    bet: str
    currency: str
    is_free: int
    at_ms: int
    stake_minor: int
    returns_minor: int
    back_minor: int
    share_minor: int


def bet_sums(
    reader: Reader, period: Period, table: str = "", operator: str = "", tests: Collection[str] = ()
) -> Iterator[LedgerBetSum]:
    """The sums of every settled bet key of the period's rounds, round after round, with corrections taken off.

    Without the bets of the operators in `tests`.
    """
    given = (period.ledger_after, period.ledger_upto, table, operator, _listed(tests))
    return (LedgerBetSum(*row) for row in reader.stream(_OF_BETS, given))


@dataclass(frozen=True, slots=True)
class LedgerOperatorSum:
    """The same of all rounds, for the bettors of one operator at one table."""

    operator: str
    table: str
    bet: str
    currency: str
    is_free: int
    stake_minor: int
    returns_minor: int
    back_minor: int
    share_minor: int


def operator_sums(reader: Reader, period: Period) -> list[LedgerOperatorSum]:
    given = (period.ledger_after, period.ledger_upto)
    return [LedgerOperatorSum(*row) for row in reader.read(_OF_OPERATORS, given)]
