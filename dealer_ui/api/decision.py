"""The only place where bettors' decisions come in: fold, check, play, raise, each for himself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final

from flask import Response
from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter

from dealer_ui.api.answer import read_json, say
from dealer_ui.api.bet import answer_line
from dealer_ui.api.order import BETS_A_BATCH_MAX, STRICT, Id, read_whole
from dealer_ui.api.port import OperatorsFloor
from dealer_ui.api.table import find_view


@dataclass(frozen=True, slots=True)
class Choice:
    """One bettor's decision as an operator sends it; in a game played by boxes, of one of his boxes."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    client_id: Id
    bettor: Id
    option: Annotated[str, StringConstraints(min_length=1, max_length=32)]
    box: Annotated[str, StringConstraints(max_length=16)] = ""


@dataclass(frozen=True, slots=True)
class _Choices:
    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    decisions: Annotated[list[Choice], Field(min_length=1, max_length=BETS_A_BATCH_MAX)]


_CHOICES: Final = TypeAdapter(_Choices)


@dataclass(frozen=True, slots=True)
class DecisionDesk:
    floor: OperatorsFloor

    def decide(self, operator: str, table: str) -> Response:
        """Take a batch of decisions; one answer each, in their order, durable when it is given."""
        find_view(self.floor, table)
        choices = read_whole(_CHOICES, read_json()).decisions
        answers = self.floor.take_decisions(table, operator, choices)
        told: list[dict[str, Any]] = [answer_line(answer) for answer in answers]
        return say({"round": self.floor.view(table).round or None, "answers": told})
