"""Says whose money a row of the ledger moves: it stands in the names of its two accounts.

The writer keeps it beside the row, so that an operator's movements and a bettor's are found by an index, and `check`
holds every row to it.
"""

from __future__ import annotations

from typing import Final

_CHIPS: Final = ("buy_in", "cash_out")
_TAKEN: Final = {"promotion": 5, "bettor": 4, "suspense": 2, "receivable": 2}
_GIVEN: Final = {"promotion": 6, "bettor": 3, "suspense": 1, "receivable": 1}
"""Which of the two accounts of a transfer it is told of, where both are theirs: the one that weighs more."""
_PROMOTION: Final = _TAKEN["promotion"]


Whose = tuple[str | None, str | None]
"""`held_for` and `brought_by`: `<operator>:<bettor>` or, of what lies in suspense, the operator alone; the operator.
Both None of other rows.
"""

NOBODY: Final[Whose] = (None, None)


def holder_of(kind: str, debit: str, credit: str) -> str:
    """The account of an operator's bettors that such a transfer fills or empties; empty where there is none.

    Chips are the bettor's as his purse is: to buy them moves nothing.

    >>> holder_of("return", "house:t1", "bettor:north:ann"), holder_of("post", "escrow:t1-0000001", "house:t1")
    ('bettor:north:ann', '')
    """
    taken, given = _TAKEN.get(debit.partition(":")[0], 0), _GIVEN.get(credit.partition(":")[0], 0)
    if kind == "ungrant":
        return debit
    if taken == given or (kind in _CHIPS and max(taken, given) < _PROMOTION):
        return ""
    return debit if taken > given else credit


def held_for(operator: str, bettor: str) -> str:
    """What stands in the rows of this bettor."""
    return f"{operator}:{bettor}"


def whose(kind: str, debit: str, credit: str) -> Whose:
    """
    >>> whose("free_return", "house:t1", "promotion:north:ann/welcome")
    ('north:ann', 'north')
    """
    holder = holder_of(kind, debit, credit)
    if not holder:
        return NOBODY
    names = holder.partition(":")[2].partition("/")[0]
    return names, names.partition(":")[0]
