"""What a ruling that waits for its second person would do to every bet of a round that is still being dealt. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from studio.rounds import AnyFact, Finished, play
from studio.settlement import PlacedBet
from studio.tables.correction.due_return import reckoned
from studio.tables.past.dossier import Dossier


@dataclass(frozen=True, slots=True)
class Changed:
    """One bet: what it returns as the record stands, and what it would return; None while the deal is not over."""

    bet: PlacedBet
    before_minor: int | None
    after_minor: int | None


@dataclass(frozen=True, slots=True)
class Prospect:
    """`before` and `after` describe the outcome; empty while there is none."""

    bets: tuple[Changed, ...]
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)


def prospect(dossier: Dossier, facts: Sequence[AnyFact], *, void: bool) -> Prospect:
    """By the facts as they stand, and with these beside them; in a void every stake goes back.

    Seats that play among themselves stake nothing against the house: their bets are their chips, and not told here.
    """
    if dossier.game.peers is not None:
        return Prospect(())
    old, before = _returns(dossier, ())
    new, after = ({bet.id: bet.stake_minor for bet in dossier.bets}, {}) if void else _returns(dossier, facts)
    bets = tuple(Changed(bet, old.get(bet.id), new.get(bet.id)) for bet in dossier.bets)
    return Prospect(bets, before, after)


def _returns(dossier: Dossier, facts: Sequence[AnyFact]) -> tuple[Mapping[str, int], Mapping[str, Any]]:
    """What each bet gives back, by its id, and the outcome described; nothing while the deal goes on."""
    every = (*dossier.round.facts, *facts)
    standing = play(dossier.game.deal.script(dossier.round.rules), every)
    if not isinstance(standing, Finished):
        return {}, {}
    paid = zip(dossier.bets, reckoned(dossier, every, standing.outcome), strict=True)
    returns = {bet.id: bet.stake_minor if each is None else each.returns_minor for bet, each in paid}
    return returns, dossier.game.deal.describe(standing.outcome)
