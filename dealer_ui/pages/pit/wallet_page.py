"""The page of the operators' wallets: `/pit/wallets`. How each answers, what is owed to it, and what people close;
and who is told of his rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from flask import Blueprint
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.floor.house import House
from dealer_ui.frame.console import Console
from dealer_ui.frame.screen import Asked, Screen
from dealer_ui.teller.look import looks, round_looks
from studio.wallets.call import kind_of
from studio.wallets.id import Facts
from studio.wallets.obligation import Case, Debt, Owed, cases_of
from studio.wallets.record import Movement, WalletClosed

OWED_SHOWN: Final = 40
CLOSED_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class DebtShown:
    """What a wallet is owed and people are to look into. `cases`: what they may have found."""

    operator: str
    owed: Owed[Debt]
    movement: Movement
    cases: tuple[Case, ...]

    @property
    def facts(self) -> Facts:
        return self.movement.facts

    @property
    def kind(self) -> str:
        return kind_of(self.owed.call)


def draw(asked: Asked) -> tuple[int, Mapping[str, Any]]:
    house = asked.house
    waiting = _waiting(house)
    return max((house.pit.seq, *(house.view(table).seq for table in house.tables))), {
        "looks": tuple(looks(house.tellers, house.reader())),
        "told": tuple(round_looks(house.tellers, house.reader())),
        "waiting": waiting[:OWED_SHOWN],
        "more": max(0, len(waiting) - OWED_SHOWN),
        "closed": tuple(islice(_closed(house), CLOSED_SHOWN)),
        "kind_of": kind_of,
        "titles": {table: house.view(table).title for table in house.tables},
    }


def _waiting(house: House) -> Sequence[DebtShown]:
    """The oldest first, of whichever operator."""
    found = [
        DebtShown(teller.operator, owed, movement, cases_of(owed.call))
        for teller in house.tellers
        for owed, movement in teller.desk.for_people()
    ]
    return sorted(found, key=lambda one: one.owed.since_ms)


def _closed(house: House) -> Sequence[WalletClosed]:
    """What people have closed, the newest first."""
    found = [one for teller in house.tellers for one in teller.desk.closed()]
    return sorted(found, key=lambda one: -one.at_ms)


def _pulse(asked: Asked) -> object:
    """How the wallets answer is in no journal."""
    house = asked.house
    people = tuple(owed.call.id for teller in house.tellers for owed, _ in teller.desk.for_people())
    return tuple(looks(house.tellers, house.reader())), tuple(round_looks(house.tellers, house.reader())), people


SCREEN: Final = Screen("wallets", ("view_pit",), draw, of_table=False, pulse=_pulse)


def routes(console: Console) -> Blueprint:
    found = Blueprint("wallets", __name__)

    @found.get("/pit/wallets")
    @needs("view_pit")
    def page() -> Response:
        return console.show(SCREEN)

    return found
