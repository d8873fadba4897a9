"""Where the operators' errands to one table wait: each operator has a row of its own, and they take turns by slices.

Nothing here is locked: whoever holds the mailbox's lock calls it.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from typing import Final

from dealer_ui.process.throttle import TooOftenError
from dealer_ui.worker.errand import Errand

BACKLOG_MAX: Final = 4_000
"""So many bets and decisions of one operator may wait at a table; one batch alone may always."""
ERRANDS_MAX: Final = 64
"""So many requests of one operator may wait at a table."""
RETRY_S: Final = 1


class OperatorLane:
    def __init__(self, backlog_max: int = BACKLOG_MAX) -> None:
        self._backlog_max = backlog_max
        self._rows: OrderedDict[str, deque[Errand]] = OrderedDict()
        """Whoever is first has the next turn; nobody without an errand is in it."""
        self._waiting: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many errands wait."""
        return sum(map(len, self._rows.values()))

    def need_room(self, operator: str, size: int = 1) -> None:
        """`TooOftenError` while too much of this operator waits here."""
        waiting, errands = self._waiting[operator], len(self._rows.get(operator, ()))
        if (waiting and waiting + size > self._backlog_max) or errands >= ERRANDS_MAX:
            sentence = "Too many of your requests wait at this table and nothing of this one was done: send it again, "
            raise TooOftenError("backlog_full", f"{sentence}with the same ids, in a second.", RETRY_S)

    def add(self, operator: str, errand: Errand) -> None:
        self.need_room(operator, errand.left)
        self._waiting[operator] += errand.left
        self._rows.setdefault(operator, deque()).append(errand)

    def take(self) -> tuple[str, Errand] | None:
        """The errand whose turn it is; its operator is the last in turn from now on."""
        if not self._rows:
            return None
        operator, row = next(iter(self._rows.items()))
        errand = row.popleft()
        if row:
            self._rows.move_to_end(operator)
        else:
            del self._rows[operator]
        return operator, errand

    def put_back(self, operator: str, errand: Errand, before: int) -> None:
        """Put an errand whose turn is over back to the front of its operator's row. `before`: how many of its items
        were left when the turn began.
        """
        answered = errand.answer.done()
        self._waiting[operator] -= before if answered else before - errand.left
        if not self._waiting[operator]:
            del self._waiting[operator]
        if not answered:
            self._rows.setdefault(operator, deque()).appendleft(errand)
