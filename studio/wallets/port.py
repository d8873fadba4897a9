"""The port to an operator's wallet: it is asked, and it says something, always.

    studio ── Call ──► wallet ── Said ──► Outcome: accepted · refused · unknown

Whatever the world does to a call (no network, no answer, half of one, nonsense) is a `Said`, and nothing is raised.
Asking waits for nobody; still it signs and sends, so it is never done on a table's thread, nor inside a transaction.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

from studio.wallets.answer import Said
from studio.wallets.call import Call


class Wallet(Protocol):
    """Any thread may ask, several at once."""

    def ask(self, call: Call, wait_s: float, heard: Callable[[Said], None]) -> None:
        """`heard` is given the answer, or `temporary` where none came within `wait_s`: once, on whatever thread."""
        ...

    def close(self) -> None:
        """Nothing more is asked."""
        ...


def answer(wallet: Wallet, call: Call, wait_s: float) -> Said:
    """Ask, and wait for what it says: for a program that has nothing else to do meanwhile."""
    found: Future[Said] = Future()
    wallet.ask(call, wait_s, found.set_result)
    return found.result()
