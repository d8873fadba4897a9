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

    def note(self, bettor: str, held: WalletBalance) -> None:
        with self._lock:
            self._held[bettor] = held
            self._held.move_to_end(bettor)
            if len(self._held) > KEPT:
                self._held.popitem(last=False)

    def of(self, bettor: str) -> WalletBalance | None:
        with self._lock:
            return self._held.get(bettor)
