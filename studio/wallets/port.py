"""The port to an operator's wallet: it is asked, and it says something, always.

    studio ── Call ──► wallet ── Said ──► Outcome: accepted · refused · unknown

Whatever the world does to a call (no network, no answer, half of one, nonsense) is a `Said`, and nothing is raised. A
wallet blocks its caller, so it is asked on threads of its own: never on a table's, nor inside a transaction.
"""

from __future__ import annotations

from typing import Protocol

from studio.wallets.answer import Said
from studio.wallets.call import Call


class Wallet(Protocol):
    """Any thread may ask, several at once."""

    def ask(self, call: Call, wait_s: float) -> Said:
        """The answer, or `temporary` where none came within `wait_s`."""
        ...
