"""When a wallet is left alone: one that does not answer keeps nobody waiting but its own.

    closed ──unknown, so many in a row──► open ──after a while──► one call tries ──► closed, or open for longer

Only unknown opens it: a wallet that says no is alive. Pure; the time is given.
"""

from __future__ import annotations

from typing import Final

from studio.wallets.answer import WalletOutcome

UNKNOWN_MOST: Final = 5
FIRST_OPEN_MS: Final = 5_000
OPEN_MS_MOST: Final = 60_000


class Breaker:
    """Stops bets of one operator while its wallet does not answer. Used by one thread at a time: after each call the
    caller reports what the wallet answered and when he had asked.
    """

    def __init__(self) -> None:
        self._unknown = 0
        self._openings = 0
        self._opened_ms = 0
        self._until_ms: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether bets of this operator's bettors are refused at once."""
        return self._until_ms is not None

    def may_ask(self, now_ms: int) -> bool:
        """Whether a call may go out now; of an open breaker one does, each time its while is over."""
        if self._until_ms is None:
            return True
        if now_ms < self._until_ms:
            return False
        self._until_ms = now_ms + self._open_ms
        return True

    def heard(self, outcome: WalletOutcome, asked_ms: int, now_ms: int) -> None:
        """Take in how a call ended. A call that was sent before the breaker opened cannot keep it open longer."""
        if outcome is not WalletOutcome.UNKNOWN:
            self._unknown, self._openings, self._until_ms = 0, 0, None
        elif self._until_ms is None:
            self._unknown += 1
            if self._unknown >= UNKNOWN_MOST:
                self._open(now_ms)
        elif asked_ms > self._opened_ms:
            self._open(now_ms)

    @property
    def _open_ms(self) -> int:
        return min(FIRST_OPEN_MS << min(max(self._openings - 1, 0), 10), OPEN_MS_MOST)

    def _open(self, now_ms: int) -> None:
        self._openings += 1
        self._opened_ms = now_ms
        self._until_ms = now_ms + self._open_ms
