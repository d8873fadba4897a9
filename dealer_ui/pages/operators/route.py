"""The page of operators: what each has credited his bettors with and has out now, of how much.

GET  /operators
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flask import Blueprint
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.floor.house import House
from dealer_ui.frame.console import Console
from studio.views.bets import NEAR_PERCENT
from studio.views.shape import OwnExposure


@dataclass(frozen=True, slots=True)
class ShownOperator:
    """`held_minor` in all his bettors' purses; `out`: of each table where he has bets in the round."""

    name: str
    suspended: bool
    test: bool
    held_minor: int
    most_minor: int
    deposit_most_minor: int
    currency: str
    out: Sequence[tuple[str, str, OwnExposure]]

    @property
    def percent(self) -> int:
        return min(100 * self.held_minor // self.most_minor, 100)

    @property
    def tone(self) -> str:
        return "full" if self.held_minor >= self.most_minor else "near" if self.percent >= NEAR_PERCENT else ""


def standings(house: House) -> Sequence[ShownOperator]:
    """Every operator there is, those who came while the studio ran too."""
    found = []
    for name, operator in house.operators.items():
        credit = house.config.credit_of(name)
        held_minor = credit.worth_minor(house.reader().purses_of(name))
        found.append(
            ShownOperator(
                name, operator.suspended, operator.test, held_minor, credit.credit_most_minor,
                credit.deposit_most_minor, credit.currency, tuple(_out(house, name)),
            )
        )  # fmt: skip
    return found


def _out(house: House, operator: str) -> Iterator[tuple[str, str, OwnExposure]]:
    for view in map(house.view, house.tables):
        own = view.bets.exposure.of(operator) if view.bets.exposure is not None else None
        if own is not None and own.bets:
            yield view.title, view.bets.currency, own


def routes(console: Console) -> Blueprint:
    found = Blueprint("operators", __name__)

    @found.get("/operators")
    @needs("view_operators")
    def page() -> Response:
        return console.plain("operators/page.html", 200, operators=standings(console.house))

    return found
