"""The rules of a bettor's table as he reads them: how the game is played, what each bet pays, returns and may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, takewhile

from dealer_ui.desk.ticket import Ticket
from dealer_ui.floor.house import House
from dealer_ui.pages.play.look import currency_at
from dealer_ui.public.outcome_table import OutcomeTable, outcome_table
from dealer_ui.public.pay_table import PayRow, pay_table
from dealer_ui.words.language import Language
from studio.games import find_game


@dataclass(frozen=True, slots=True)
class RulesPage:
    """`how` and `always` are keys of the catalogue: what is told of the game, and what of every table.

    `best_once_in`: of a kind of bet, in how many deals its best prize comes once; of `pot_bet` that is the table's pot.
    """

    game: str
    version: int
    how: Sequence[str]
    always: Sequence[str]
    lines: Sequence[PayRow]
    outcomes: OutcomeTable | None
    currency: str
    best_once_in: Mapping[str, int]
    pot_bet: str = ""


def rules_page(house: House, ticket: Ticket, language: Language) -> RulesPage:
    view = house.view(ticket.table)
    currency = currency_at(house, ticket, view)
    limits = view.game.currencies.get(currency, view.game.limits)
    lines = pay_table(view.game.key, view.game.rules, house.rtp(ticket.table), limits)
    return RulesPage(
        view.game.key, find_game(view.game.key).edition.version, tuple(told_of(view.game.key, language)),
        tuple(told_of("all", language)), lines, outcome_table(view.game.key, view.game.rules), currency,
        best_of(lines, house.best_once_in(ticket.table)),
        find_game(view.game.key).pot.bet if view.game.pot is not None else "",
    )  # fmt: skip


def best_of(lines: Sequence[PayRow], once_in: Mapping[str, int]) -> Mapping[str, int]:
    """Of each kind of bet the rarest of its bets, where they are known."""
    known = {line.kind: [once_in[bet] for bet in (*line.bets, line.kind) if bet in once_in] for line in lines}
    return {kind: max(counted) for kind, counted in known.items() if counted}


def told_of(what: str, language: Language) -> Iterator[str]:
    """The keys of what the catalogue tells, in its order; none where nobody wrote it down."""
    return takewhile(language.knows, (f"rules.{what}.{n}" for n in count(1)))
