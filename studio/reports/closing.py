"""The close of day: what every operator's bettors, the house, the pots and the rest began with, what moved and what
they end with, in each currency, held against three books that were written apart.

Opening balances are added up from the first transfer; the closing ones are taken from the kept balances, less what
moved since. Stakes are held against the register of bets, too. Whatever does not agree is told loudly.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from studio.money import CARRIED_ACCOUNT, house_account
from studio.reports.chips import chip_sheet, room_checks
from studio.reports.record.choice import ReportAsked
from studio.reports.record.ledger_sum import ChipsMoved, LedgerMoved, Side, chips_moved, moved, staked
from studio.reports.record.left_out import left_out
from studio.reports.revenue import RevenueCheck, of_operators
from studio.reports.sheet.shape import Chart, Column, Drawing, Money, Note, Report, ReportSheet, Row, Sort

_OF_BETTORS: Final = {
    "deposit": "deposits", "withdraw": "withdrawals", "reserve": "stakes", "void": "voids", "return": "returns",
    "reverse_return": "clawed_back", "share": "jackpot", "reverse_share": "jackpot", "compensate": "compensated",
    "advance": "receivables", "repay": "receivables", "write_off": "receivables",
    "wallet_debit": "wallet", "wallet_credit": "wallet", "wallet_compensate": "wallet", "wallet_cancel": "wallet",
}  # fmt: skip
_MONEY: Final = (
    "deposits",
    "withdrawals",
    "stakes",
    "voids",
    "returns",
    "clawed_back",
    "jackpot",
    "compensated",
    "receivables",
    "wallet",
    "carried",
    "other",
)
_OPTIONAL: Final = ("wallet", "moved", "carried", "other")
"""Columns that are left out where they would be empty: what operators' own wallets gave and got, what went from pot to
pot, what came from an archive, and what nobody thought of.
"""
_POT: Final = {
    "seed": "seeded",
    "reset": "seeded",
    "feed": "fed",
    "unfeed": "given_back",
    "claim": "won",
    "leftover": "left",
    "unclaim": "won",
    "unreset": "seeded",
    "pot_move": "moved",
}
_POT_MONEY: Final = ("seeded", "fed", "given_back", "won", "left", "moved", "carried", "other")
_HOUSE: Final = {
    "post": "stakes", "reverse_post": "stakes", "return": "returns", "reverse_return": "returns", "feed": "jackpot",
    "unfeed": "jackpot", "compensate": "compensated", "free_return": "returns", "reverse_free_return": "returns",
}  # fmt: skip
_OWED: Final = {"advance": "advanced", "repay": "repaid", "write_off": "written_off"}
_OWED_MONEY: Final = ("advanced", "repaid", "written_off", "carried", "other")
_GRANT: Final = {
    "grant": "granted", "ungrant": "taken_back", "reserve": "stakes", "void": "good_again", "free_return": "good_again",
    "reverse_free_return": "good_again",
}  # fmt: skip
_GRANT_MONEY: Final = ("granted", "taken_back", "stakes", "good_again", "carried", "other")
_HOUSE_MONEY: Final = ("stakes", "returns", "jackpot", "compensated", "carried", "other")


class _Books:
    """Opening, movements by kind and closing of every account taken together."""

    def __init__(self, asked: ReportAsked) -> None:
        self.opening: Counter[Side] = Counter()
        self.by_kind: defaultdict[Side, Counter[str]] = defaultdict(Counter)
        self.tests = left_out(asked)
        self.moves, kept = moved(asked.reader, asked.period, self.tests)
        self.closing: Counter[Side] = Counter(kept)
        for one in self.moves:
            self._take(one)

    def _take(self, one: LedgerMoved) -> None:
        for side, amount in ((one.debit, -one.amount_minor), (one.credit, one.amount_minor)):
            if one.phase == 0:
                self.opening[side] += amount
            elif one.phase == 1:
                self.by_kind[side][one.kind] += amount
            else:
                self.closing[side] -= amount

    def sides(self, *sorts: str, test: bool = False) -> list[Side]:
        """The sides of these sorts that held or moved money in the period, by sort, owner and currency; those of test
        accounts apart.
        """
        every = {*self.opening, *self.by_kind, *self.closing}
        kept = (side for side in every if side.sort in sorts and side.test is test and self._is_used(side))
        return sorted(kept, key=lambda side: (side.sort, side.owner, side.currency))

    def sorts(self) -> set[str]:
        return {side.sort for side in {*self.opening, *self.by_kind, *self.closing}}

    def _is_used(self, side: Side) -> bool:
        return bool(self.opening[side] or self.closing[side] or self.by_kind.get(side))

    def row(self, side: Side, names: dict[str, str], columns: Sequence[str]) -> Row:
        sums: Counter[str] = Counter()
        for kind, amount in self.by_kind[side].items():
            sums["carried" if kind == "carry" else names.get(kind, "other")] += amount
        cells = (self.opening[side], *(sums[name] for name in columns), self.closing[side], self.difference(side))
        return (side.owner, side.currency, *(Money(amount, side.currency) for amount in cells))

    def difference(self, side: Side) -> int:
        return self.opening[side] + self.by_kind[side].total() - self.closing[side]


def make(asked: ReportAsked) -> Report:
    books, period = _Books(asked), asked.period
    wanted = asked.choice.operator
    operators = [side for side in books.sides("bettor") if wanted in ("", side.owner)]
    owing = [side for side in books.sides("receivable") if wanted in ("", side.owner)]
    granted = [side for side in books.sides("grant") if wanted in ("", side.owner)]
    moves = chips_moved(asked.reader, asked.period)
    chips = chip_sheet(asked, moves)
    revenue = RevenueCheck(asked)
    sheets = (
        _sheet("operators", "operator", books, operators, _OF_BETTORS, _MONEY, _picture("stakes", "returns")),
        of_operators(asked, [one for one in revenue.sums if one.operator not in books.tests]),
        *([_sheet("free_bets", "operator", books, granted, _GRANT, _GRANT_MONEY, None)] if granted else []),
        *([chips] if chips else []),
        _sheet("house", "table", books, _of_tables(books, asked), _HOUSE, _HOUSE_MONEY, None),
        _sheet("pots", "pot", books, books.sides("pot"), _POT, _POT_MONEY, None),
        _sheet("receivables", "operator", books, owing, _OWED, _OWED_MONEY, None),
        _others(books),
        *_tests(books),
        _agreement(asked, books, moves, revenue),
    )
    return Report("closing", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


def _picture(up: str, other: str) -> Chart:
    return Chart(Drawing.BARS, "operator", up, series=(other,), colour="currency")


def _of_tables(books: _Books, asked: ReportAsked) -> list[Side]:
    return [side for side in books.sides("house") if _is_table(side) and asked.wants(side.owner)]


def _is_table(side: Side) -> bool:
    """Whether this is a table's own account, and not a purse that the house keeps for something else."""
    return "/" not in side.owner and house_account(side.owner) != CARRIED_ACCOUNT


def _columns(name: str, money: Sequence[str]) -> tuple[Column, ...]:
    told = ("opening", *money, "closing", "difference")
    return (Column(name), Column("currency"), *(Column(key, Sort.MONEY) for key in told))


def _sheet(  # noqa: PLR0913 - one line of the report's own list each
    key: str,
    name: str,
    books: _Books,
    sides: Iterable[Side],
    names: dict[str, str],
    money: Sequence[str],
    chart: Chart | None,
) -> ReportSheet:
    chosen = list(sides)
    rows = [books.row(side, names, money) for side in chosen]
    places = list(enumerate(money, 3))
    bare = {at for at, column in places if column in _OPTIONAL and not any(_minor(row[at]) for row in rows)}
    used = [column for at, column in places if at not in bare]
    rows = [tuple(cell for at, cell in enumerate(row) if at not in bare) for row in rows]
    return ReportSheet(key, _columns(name, used), rows, tuple(_loud(books, chosen)), chart)


def _others(books: _Books) -> ReportSheet:
    """All else that holds money: the operators' own side and promotions, open rounds, exchanges, the pots' purses."""
    sides = books.sides(*(books.sorts() - {"bettor", "grant", "pot", "house", "receivable"}))
    sides += [side for side in books.sides("house") if not _is_table(side)]
    return _plain("others", books, sides)


def _tests(books: _Books) -> Iterable[ReportSheet]:
    """All that is test accounts', and what of tables and open rounds is theirs; none where nobody tests."""
    if sides := books.sides(*books.sorts(), test=True):
        sentence = "Left out above: with these lines, every sheet agrees with the ledger."
        yield _plain("tests", books, sides, Note("closing_tests", sentence))


def _plain(key: str, books: _Books, sides: Sequence[Side], *notes: Note) -> ReportSheet:
    rows: list[Row] = []
    for side in sides:
        cells = (books.opening[side], books.by_kind[side].total(), books.closing[side], books.difference(side))
        rows.append((side.sort, side.owner, side.currency, *(Money(amount, side.currency) for amount in cells)))
    columns = (Column("account", Sort.KEY, "report.account"), *_columns("owner", ("change",)))
    return ReportSheet(key, columns, rows, (*notes, *_loud(books, sides)))


def _loud(books: _Books, sides: Iterable[Side]) -> Iterable[Note]:
    for side in sides:
        if books.difference(side):
            sentence = "{owner}, {currency}: the balance differs from its transfers by {amount} minor units."
            owner = f"{side.sort}:{side.owner}" if side.owner else side.sort
            values: dict[str, str | int] = {
                "owner": owner, "currency": side.currency, "amount": str(books.difference(side)),
            }  # fmt: skip
            yield Note("closing_differs", sentence, values, loud=True)


def _agreement(asked: ReportAsked, books: _Books, chips: Sequence[ChipsMoved], revenue: RevenueCheck) -> ReportSheet:
    """What has to come to nothing, line by line."""
    rows = [
        *_zero_sums(books), *_stakes(asked, books), *_escrow(books), *revenue.rows(books.moves, books.by_kind),
        *room_checks(asked, chips),
    ]  # fmt: skip
    columns = (
        Column("check", Sort.KEY, "report.check"), Column("owner"), Column("currency"), Column("one", Sort.MONEY),
        Column("other_book", Sort.MONEY), Column("difference", Sort.MONEY),
    )  # fmt: skip
    wrong = sum(1 for row in rows if _minor(row[-1]))
    if wrong:
        sentence = "{count} of these lines do not agree: stop, and call the auditor."
        told = Note("closing_wrong", sentence, {"count": wrong}, loud=True)
    else:
        told = Note("closing_agrees", "All books agree to the last unit.")
    return ReportSheet("agreement", columns, rows, (told,))


def _zero_sums(books: _Books) -> Iterable[Row]:
    """All accounts of a currency together are nothing, before and after, and every balance is what moved into it."""
    currencies = sorted({side.currency for side in {*books.opening, *books.by_kind, *books.closing}})
    for currency in currencies:
        sides = [side for side in {*books.opening, *books.by_kind, *books.closing} if side.currency == currency]
        whole = sum(books.closing[side] for side in sides)
        yield ("zero_sum", "", currency, Money(whole, currency), Money(0, currency), Money(whole, currency))
        apart = sum(abs(books.difference(side)) for side in sides)
        held = sum(abs(books.closing[side]) for side in sides)
        due = sum(abs(books.opening[side] + books.by_kind[side].total()) for side in sides)
        yield ("balances", "", currency, Money(held, currency), Money(due, currency), Money(apart, currency))


def _stakes(asked: ReportAsked, books: _Books) -> Iterable[Row]:
    """What the ledger reserved is what the register of bets holds."""
    register: Counter[tuple[str, str]] = Counter()
    for one in staked(asked.reader, asked.period):
        register[one.operator, one.currency] += one.stake_minor
    ledger: Counter[tuple[str, str]] = Counter()
    for move in books.moves:
        if move.phase == 1 and move.kind == "reserve":
            ledger[move.debit.owner, move.debit.currency] += move.amount_minor
    for operator, currency in sorted({*register, *ledger}):
        a, b = ledger[operator, currency], register[operator, currency]
        yield ("stakes", operator, currency, Money(a, currency), Money(b, currency), Money(a - b, currency))


def _escrow(books: _Books) -> Iterable[Row]:
    """The stakes of open rounds lie in escrow: what was reserved less what was posted and voided."""
    lying = (*books.sides("escrow"), *books.sides("escrow", test=True))
    for currency in sorted({side.currency for side in lying}):
        due = 0
        for one in books.moves:
            if one.phase < 2 and one.debit.currency == currency:
                due += one.amount_minor * ((one.credit.sort == "escrow") - (one.debit.sort == "escrow"))
        lies = sum(held for side, held in books.closing.items() if (side.sort, side.currency) == ("escrow", currency))
        yield ("escrow", "", currency, Money(lies, currency), Money(due, currency), Money(lies - due, currency))


def _minor(cell: object) -> int:
    assert isinstance(cell, Money)
    return cell.amount_minor
