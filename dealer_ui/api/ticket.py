"""An operator gets a page for one of his bettors, and takes it back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final

from flask import Response
from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter

from dealer_ui.api.answer import AnswerError, read_json, say
from dealer_ui.api.order import check_id, read_whole
from dealer_ui.api.table import find_view
from dealer_ui.desk.ticket import VALID_S, VALID_S_MAX, Tickets
from dealer_ui.floor.bet_offer import STRICT
from dealer_ui.floor.operators_floor import OperatorsFloor
from dealer_ui.words.language import LANGUAGES


@dataclass(frozen=True, slots=True)
class _Wanted:
    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    table: Annotated[str, StringConstraints(max_length=64)]
    valid_s: Annotated[int, Field(ge=1, le=VALID_S_MAX)] = VALID_S
    language: Annotated[str, StringConstraints(max_length=8)] = ""
    plays: bool = False
    session: Annotated[str, StringConstraints(max_length=512, pattern=r"^[!-~]*$")] = field(default="", repr=False)


_WANTED: Final = TypeAdapter(_Wanted)


@dataclass(frozen=True, slots=True)
class TicketDesk:
    floor: OperatorsFloor
    tickets: Tickets

    def open_page(self, operator: str, bettor: str) -> Response:
        """Open a page of one table for this bettor. Whoever has its address may watch; one browser may play."""
        name, wanted = check_id("bettor", bettor), read_whole(_WANTED, read_json())
        find_view(self.floor, wanted.table)
        if wanted.language not in ("", *LANGUAGES):
            raise AnswerError(400, "bad_language", f"language must be one of {', '.join(LANGUAGES)}, or left out.")
        self.floor.open_session(wanted.table, operator, name, wanted.session)
        token, ticket = self.tickets.issue(
            operator, name, wanted.table, language=wanted.language, valid_s=wanted.valid_s, plays=wanted.plays
        )
        return say(
            {
                "bettor": name,
                "table": ticket.table,
                "page": f"/play/{token}",
                "plays": ticket.plays,
                "expires_at_ms": ticket.expires_at_ms,
                "now_ms": self.floor.now_ms(),
            }
        )

    def close_pages(self, operator: str, bettor: str) -> Response:
        """End every page this bettor has; they go dark within two seconds."""
        return say({"bettor": bettor, "closed": self.tickets.revoke(operator, check_id("bettor", bettor))})
