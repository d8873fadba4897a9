"""Where a bettor says that he bets no more: when all who bet have said so, the cards come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from pydantic import ConfigDict

from dealer_ui.api.request.body import Body
from dealer_ui.api.shape.bet import ReadyTold
from dealer_ui.api.table.table import need_table
from dealer_ui.floor.bet_offer import STRICT, Bettor
from dealer_ui.floor.operators_floor import OperatorsFloor


@dataclass(frozen=True, slots=True)
class ReadySaid:
    """That a bettor bets no more in this round."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    bettor: Bettor


READY: Final = Body(ReadySaid)


@dataclass(frozen=True, slots=True)
class ReadyDesk:
    floor: OperatorsFloor

    def say_ready(self, operator: str, table: str) -> ReadyTold:
        """Record that the bettor bets no more; on disk when it is answered, and no different when it is sent again."""
        need_table(self.floor, table)
        said = READY.read()
        told = self.floor.say_ready(table, operator, said.bettor)
        return {
            "round": told.round,
            "bettor": said.bettor,
            "ready": told.ready,
            "bettors": told.bettors,
            "closed": told.closed,
        }
