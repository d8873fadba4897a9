"""What an operator's wallet last said that his bettors have: for their eyes, and nothing is decided by it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final, NamedTuple

KEPT: Final = 20_000
"""So many bettors' balances are kept; of the others it is asked anew."""


class WalletBalance(NamedTuple):
    balance_minor: int
    currency: str


class Balances:
    """Of one operator's bettors, the newest answers; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: OrderedDict[str, WalletBalance] = OrderedDict()
        self._news: dict[str, WalletBalance] = {}

    def note(self, bettor: str, held: WalletBalance, *, elsewhere: bool = False) -> None:
        """`elsewhere`: another process was told so, and has said it."""
        with self._lock:
            self._held[bettor] = held
            if not elsewhere:
                self._news[bettor] = held
                if len(self._news) > KEPT:
                    del self._news[next(iter(self._news))]
            self._held.move_to_end(bettor)
            if len(self._held) > KEPT:
                self._held.popitem(last=False)

    def of(self, bettor: str) -> WalletBalance | None:
        with self._lock:
            return self._held.get(bettor)

    def news(self) -> dict[str, WalletBalance]:
        """What was told here since this was last asked."""
        with self._lock:
            found, self._news = self._news, {}
        return found
