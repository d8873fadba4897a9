"""What an operator's batch has to know of its table, without the table being drawn for it."""

from __future__ import annotations

from dataclasses import dataclass

from studio.tables.state.table import TableState
from studio.views.shape import TableView


@dataclass(frozen=True, slots=True)
class Playing:
    """`round` is empty before the first one; of `currencies` the first is the table's own."""

    game: str
    round: str
    currencies: tuple[str, ...]

    @classmethod
    def at(cls, state: TableState) -> Playing:
        config = state.config
        return cls(config.game, state.round.id if state.round else "", (config.currency, *config.currencies))

    @classmethod
    def seen(cls, view: TableView) -> Playing:
        """The same by what another process tells of its table."""
        return cls(view.game.key, view.round.id, (view.bets.currency, *view.game.currencies))
