"""Bettors' decisions come in: fold, check, play, raise, each for himself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from dealer_ui.api.bettor.bet import BATCH_BYTES_MAX, answer_line
from dealer_ui.api.request.answer import read_json
from dealer_ui.api.request.body import Body
from dealer_ui.api.request.order import BETS_A_BATCH_MAX, read_one, read_whole
from dealer_ui.api.shape.bet import DecisionsAnswered
from dealer_ui.api.table.table import need_table
from dealer_ui.floor.bet_offer import STRICT, Choice
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.money import Answer
from studio.value import replace


@dataclass(frozen=True, slots=True)
class DecisionBatch:
    """Decisions at one table. One that cannot be used is refused alone, in its answer, and spoils no other."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    decisions: Annotated[list[Choice], Field(min_length=1, max_length=BETS_A_BATCH_MAX)]


@dataclass(frozen=True, slots=True)
class _Anything:
    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    decisions: Annotated[list[Any], Field(min_length=1, max_length=BETS_A_BATCH_MAX)]


DECISIONS: Final = Body(DecisionBatch, BATCH_BYTES_MAX)
_ANYTHING: Final = TypeAdapter(_Anything)
_CHOICE: Final = TypeAdapter(Choice)


@dataclass(frozen=True, slots=True)
class DecisionDesk:
    floor: OperatorsFloor

    def decide(self, operator: str, table: str) -> DecisionsAnswered:
        """Take a batch of decisions; one answer each, in their order, durable when it is given."""
        need_table(self.floor, table)
        self.floor.need_room(table, operator)
        batch = read_choices(read_json())
        choices = [one for one in batch if isinstance(one, Choice)]
        told = iter(self.floor.take_decisions(table, operator, choices) if choices else ())
        answers = [self._with_bet(operator, next(told)) if isinstance(one, Choice) else one for one in batch]
        lines = [answer_line(answer) for answer in answers]
        return {"round": self.floor.playing(table).round or None, "answers": lines}

    def _with_bet(self, operator: str, answer: Answer) -> Answer:
        """A decision that comes again names the bet it staked, if it staked one."""
        if answer.status != "duplicate" or answer.bet_id:
            return answer
        found = self.floor.reader().bet_status(operator, answer.client_id)
        return replace(answer, bet_id=found.bet.bet_id) if found else answer


def read_choices(body: bytes) -> Sequence[Choice | Answer]:
    """The decisions of a body in their order, one that cannot be read as its refusal; `AnswerError` without a list."""
    try:
        return DECISIONS.adapter.validate_json(body).decisions
    except ValidationError:
        return [read_one(_CHOICE.validate_json, raw) for raw in read_whole(_ANYTHING, body).decisions]
