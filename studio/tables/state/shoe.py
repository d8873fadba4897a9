"""What a table knows of its shoe: the deck in it, and the cards out of it that are no facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from studio.cards import Card, SealedCard
from studio.value import replace

BACK_IN_SHOE: Final = "shoe"
AGAIN: Final = "again"


class Loose(msgspec.Struct, frozen=True):
    """A card out of the shoe that is no fact. `to` is empty until a ruling disposes of it.

    `shoe`: it was pushed back, and is read again as the next one [BC2]. `why` is `again` of the second reading itself,
    which is that of no further card.
    """

    sealed: SealedCard
    why: str
    at_ms: int
    to: str = ""
    revealed: bool = False


class Deck(msgspec.Struct, frozen=True):
    """The deck in the shoe. `sealed` are its cards out and unopened; `faces` counts those the public has seen.

    `last_rounds`: how many may be dealt before the shoe is changed, the one that goes on not counted; None until the
    cut card is out.
    """

    id: str
    shoe_number: int
    drawn: int = 0
    rounds: int = 0
    faces: Mapping[Card, int] = msgspec.field(default_factory=dict)
    sealed: tuple[SealedCard, ...] = ()
    last_rounds: int | None = None

    @property
    def change_due(self) -> bool:
        """Whether no further round may start from this shoe: the cut card is out, and with it the last round [EV3]."""
        return self.last_rounds == 0

    def begun(self) -> Deck:
        """The deck once a further round is begun from it."""
        last = max(0, self.last_rounds - 1) if self.last_rounds is not None else None
        return replace(self, rounds=self.rounds + 1, last_rounds=last)
