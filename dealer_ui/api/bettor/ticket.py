"""An operator gets a page for one of his bettors, and takes it back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final

from pydantic import ConfigDict, Field, StringConstraints

from dealer_ui.api.bettor.standing import Terms, terms_of
from dealer_ui.api.request.answer import AnswerError
from dealer_ui.api.request.body import Body
from dealer_ui.api.request.order import check_id
from dealer_ui.api.shape.account import PageOpened, PagesClosed
from dealer_ui.api.table.table import need_table
from dealer_ui.desk.ticket import VALID_S, VALID_S_MAX, Tickets
from dealer_ui.floor.bet_offer import STRICT
from dealer_ui.floor.operators_floor import OperatorsFloor
from dealer_ui.words.language import LANGUAGES

_LANGUAGE: Final = rf"^({'|'.join(LANGUAGES)})?$"


@dataclass(frozen=True, slots=True)
class PageOrder:
    """A page of one table for one bettor."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    table: Annotated[str, StringConstraints(max_length=64), Field(examples=["t1"])]
    valid_s: Annotated[int, Field(ge=1, le=VALID_S_MAX)] = VALID_S
    """So long it holds."""
    language: Annotated[str, StringConstraints(pattern=_LANGUAGE), Field(examples=["ja"])] = ""
    """Left out, the studio's own."""
    plays: bool = False
    """Whether he bets and decides there; else he looks on."""
    session: Annotated[str, StringConstraints(max_length=512, pattern=r"^[!-~]*$")] = field(default="", repr=False)
    """What your own wallet knows him by; left out where the studio keeps his purse."""
    returns_to: Annotated[str, StringConstraints(max_length=512, pattern=r"^(https?://[!-~]+)?$")] = ""
    """An address of yours, where he goes when he leaves."""
    terms: Terms | None = None
    """What you lay down for him; left out, what you laid down before."""


PAGE: Final = Body(PageOrder)


@dataclass(frozen=True, slots=True)
class TicketDesk:
    floor: OperatorsFloor
    tickets: Tickets

    def open_page(self, operator: str, bettor: str) -> PageOpened:
        """Open a page of one table for this bettor. Whoever has its address may watch; one browser may play."""
        name, wanted = check_id("bettor", bettor), PAGE.read()
        need_table(self.floor, wanted.table)
        terms = terms_of(wanted.terms, self.floor, wanted.table)
        self.floor.launch(wanted.table, operator, name, wanted.session, terms)
        token, ticket = self.tickets.issue(
            operator, name, wanted.table, language=wanted.language, valid_s=wanted.valid_s, plays=wanted.plays,
            returns_to=wanted.returns_to,
        )  # fmt: skip
        if not self.floor.bettors.of(operator, name).stakes:  # he was dismissed meanwhile
            self.tickets.revoke(operator, name)
            raise AnswerError(409, "logged_out", "The bettor was logged out at this moment: launch him again.")
        return {
            "bettor": name,
            "table": ticket.table,
            "page": f"/play/{token}",
            "plays": ticket.plays,
            "expires_at_ms": ticket.expires_at_ms,
            "now_ms": self.floor.now_ms(),
        }

    def close_pages(self, operator: str, bettor: str) -> PagesClosed:
        """End every page this bettor has; they go dark within two seconds."""
        return {"bettor": bettor, "closed": self.tickets.revoke(operator, check_id("bettor", bettor))}
