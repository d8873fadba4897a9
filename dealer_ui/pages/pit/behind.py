"""The money behind a ruling that waits for its second person: whose bets, what they give back now and would then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from dealer_ui.floor.house import House
from studio.cards import Card
from studio.errors import BadInputError, RefusedError
from studio.procedures.meaning import VOIDS
from studio.rounds import AnyFact, CardReplaced
from studio.tables.config import TableConfig
from studio.tables.correction.due_return import Changed, prospect
from studio.tables.correction.finished_round import read_dossier
from studio.tables.past.dossier import Dossier
from studio.views.shape import IncidentView, TableView

COUNTED_MAX: Final = 5_000
"""Of more bets than that the page tells only how many and how much: it is drawn while somebody waits."""
SHOWN: Final = 100

_TAKES_READING: Final = frozenset({"manual", "shoe", "camera"})


@dataclass(frozen=True, slots=True)
class SumBehind:
    """All bets in one currency; `before_minor` and `after_minor` are None while the deal is not over."""

    currency: str
    stake_minor: int
    before_minor: int | None
    after_minor: int | None


@dataclass(frozen=True, slots=True)
class BetsBehind:
    """The money behind a ruling. `bets` are the first of `count` bets, those that change standing before the others;
    each of `results` is a hand, how it stands now and how it would stand.
    """

    bets: tuple[Changed, ...]
    count: int
    sums: tuple[SumBehind, ...]
    results: tuple[tuple[str, str, str], ...]


def behind(house: House, view: TableView, incident: IncidentView) -> BetsBehind | None:
    """None where nothing is asked, or the bets are too many, or the round's own rows are not there."""
    if not incident.asked.by or not view.round.id or view.room is not None or view.bets.count > COUNTED_MAX:
        return None
    config = TableConfig(key=view.table, title=view.title, game=view.game.key, currency=view.bets.currency)
    try:
        dossier = read_dossier(house.reader(), config, view.round.id)
        found = prospect(dossier, tuple(_facts(dossier, incident)), void=incident.asked.ruling in VOIDS)
    except (RefusedError, BadInputError):
        return None
    changed = sorted(found.bets, key=lambda one: one.before_minor == one.after_minor)
    sums = tuple(_sums(found.bets, dossier.currency))
    return BetsBehind(tuple(changed[:SHOWN]), len(changed), sums, tuple(_results(found.before, found.after)))


def _facts(dossier: Dossier, incident: IncidentView) -> Iterable[AnyFact]:
    """The card as it would be read."""
    fact = dossier.round.deal.cards.get((incident.where.box, incident.where.place))
    if incident.asked.ruling in _TAKES_READING and incident.asked.arguments and fact is not None:
        yield CardReplaced(id=fact.card.id, face=Card.parse(incident.asked.arguments[0]), source="manual")


def _sums(bets: Iterable[Changed], own: str) -> Iterable[SumBehind]:
    by_currency: dict[str, list[Changed]] = {}
    for one in bets:
        by_currency.setdefault(one.bet.currency or own, []).append(one)
    for currency, ones in by_currency.items():
        before, after = (_total(one.before_minor for one in ones), _total(one.after_minor for one in ones))
        yield SumBehind(currency, sum(one.bet.stake_minor for one in ones), before, after)


def _total(amounts: Iterable[int | None]) -> int | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if known else None


def _results(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterable[tuple[str, str, str]]:
    """Each hand that stands otherwise."""
    for box, hand in before.items():
        then = after.get(box)
        if isinstance(hand, Mapping) and isinstance(then, Mapping) and "result" in hand:
            yield box, str(hand["result"]), str(then.get("result", ""))
