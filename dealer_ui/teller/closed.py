"""What people have closed of all that a wallet was owed: who, as which case, and why."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from studio.errors import RefusedError
from studio.people import Actor
from studio.wallets.obligation import Case
from studio.wallets.record import WalletClosed

KEPT: Final = 20_000
"""So many of the newest are known; older ones are in the journal alone."""


class ClosedByPeople:
    """One thread at a time."""

    def __init__(self) -> None:
        self._closed: OrderedDict[str, WalletClosed] = OrderedDict()

    def take(self, closed: WalletClosed) -> None:
        self._closed[closed.id] = closed
        while len(self._closed) > KEPT:
            self._closed.popitem(last=False)

    def all(self) -> list[WalletClosed]:
        """The newest first."""
        return sorted(self._closed.values(), key=lambda one: -one.at_ms)

    def is_again(self, id: str, case: Case, actor: Actor) -> bool:
        """Whether this person has closed this movement with the same finding before; `RefusedError` when somebody else
        closed it, or he did with another finding.
        """
        before = self._closed.get(id)
        if before is not None and (before.by, before.case) != (actor.id, case):
            raise RefusedError("closed_already", f"{before.by_name} has closed this already.", name=before.by_name)
        return before is not None
