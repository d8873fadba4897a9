"""The faces of a count while it lasts: in memory, by card, without an order.

While cards are counted their readings lose their keys before anything is written: what the journal keeps of them can be
opened by nobody, ever.
"""

from __future__ import annotations

from typing import Any, TypeGuard

import msgspec

from studio import ports
from studio.cards import Card, Sealed
from studio.tables import command as c
from studio.tables.state.table import TableState
from studio.value import replace


class Tally:
    """What was counted at one table since the count began. A reading that comes twice is one card."""

    def __init__(self) -> None:
        self._cards: dict[str, Card] = {}

    def take(self, state: TableState, message: Any) -> Any:
        """The message as the table may have it: a reading without its key, the end of the count with what was found."""
        count = state.decks.count
        if count is None:
            self._cards.clear()
            return message
        if isinstance(message, c.EndCount):
            return replace(message, found=tuple(sorted(self._cards.values(), key=str)))
        if not isinstance(message, ports.Observation):
            return message
        if _is_counted(message, state):
            self._cards[message.card.id] = message.card.card()
        return _closed(message)


def _is_counted(seen: ports.Observation, state: TableState) -> TypeGuard[ports.ShoeDrewCard]:
    if not isinstance(seen, ports.ShoeDrewCard) or seen.device != state.config.shoe:
        return False
    return not seen.resent and seen.card.has_key


def _closed(message: ports.Observation) -> ports.Observation:
    """The same observation; whatever it carries sealed has no key any more."""
    changes = {
        name: type(seal)(*seal.written())
        for name in ("card", "sealed")
        if isinstance(seal := getattr(message, name, None), Sealed)
    }
    return msgspec.structs.replace(message, **changes) if changes else message
