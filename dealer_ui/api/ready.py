"""Where a bettor says that he bets no more: when all who bet have said so, the cards come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from flask import Response
from pydantic import ConfigDict, TypeAdapter

from dealer_ui.api.answer import read_json, say
from dealer_ui.api.order import read_whole
from dealer_ui.api.table import find_view
from dealer_ui.floor.bet_offer import STRICT, Id
from dealer_ui.floor.operators_floor import OperatorsFloor


@dataclass(frozen=True, slots=True)
class _Said:
    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    bettor: Id


_SAID: Final = TypeAdapter(_Said)


@dataclass(frozen=True, slots=True)
class ReadyDesk:
    floor: OperatorsFloor

    def ready(self, operator: str, table: str) -> Response:
        """Record that the bettor bets no more; on disk when it is answered, and no different when it is sent again."""
        find_view(self.floor, table)
        said = read_whole(_SAID, read_json())
        told = self.floor.say_ready(table, operator, said.bettor)
        return say(
            {
                "round": told.round,
                "bettor": said.bettor,
                "ready": told.ready,
                "bettors": told.bettors,
                "closed": told.closed,
            }
        )
