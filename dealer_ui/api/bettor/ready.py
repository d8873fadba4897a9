"""Where a bettor says that he bets no more: when all who bet have said so, the cards come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from pydantic import ConfigDict, Field, StringConstraints

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
    round: Annotated[str, StringConstraints(max_length=64), Field(examples=["t1-0000017"])] = ""
    """It is said of that round and of no later one, however late it comes; left out, of the one that is played."""


READY: Final = Body(ReadySaid)


@dataclass(frozen=True, slots=True)
class ReadyDesk:
    floor: OperatorsFloor

    def say_ready(self, operator: str, table: str) -> ReadyTold:
        """Record that the bettor bets no more; on disk when it is answered, and no different when it is sent again."""
        need_table(self.floor, table)
        said = READY.read()
        told = self.floor.say_ready(table, operator, said.bettor, said.round)
        return {
            "round": told.round,
            "bettor": said.bettor,
            "ready": told.ready,
            "bettors": told.bettors,
            "closed": told.closed,
        }
