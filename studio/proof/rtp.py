"""The only place that proves a pay table: the exact return of every bet, through the very code that settles rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from studio.errors import BadInputError, InvariantError
from studio.games.script import Game, Hands, Rules
from studio.proof import three_knights

DealGroups = Iterable[tuple[tuple[str, ...], Iterable[tuple[int, Hands]]]]
"""Groups of bets, each with the deals that decide them: how many are alike, and one of them."""

_DEALS: Final[Mapping[str, Callable[[], DealGroups]]] = {
    "three_knights": three_knights.weighed_deals,
}


@dataclass(frozen=True, slots=True)
class Proof:
    """What one bet gives back of every unit of its `basis`, stake included, before any rounding to a minor unit."""

    game: str
    bet: str
    basis: str
    rtp: Fraction
    exact: bool
    published_percent: float | None

    @property
    def rtp_percent(self) -> float:
        return float(self.rtp * 100)


def has_proof(game: Game) -> bool:
    return game.key in _DEALS


def prove(game: Game, rules: Rules) -> Mapping[str, Proof]:
    """The proof of every bet, by its key, in the order of the rulebook.

    The same game and rules always give the same proofs, so a caller may keep them.
    """
    proofs = {proof.bet: proof for proof in prove_each(game, rules)}
    if missing := set(game.bets) - set(proofs):
        raise InvariantError(f"The proof of {game.key} says nothing of {', '.join(sorted(missing))}.")
    return {bet: proofs[bet] for bet in game.bets}


def prove_each(game: Game, rules: Rules) -> Iterator[Proof]:
    """The proofs one by one, as they are found; `BadInputError` where a game has none or the rules are bad."""
    if not has_proof(game):
        raise BadInputError(f"{game.title} has no pay table to prove: name one of {', '.join(_DEALS)}.")
    checked = game.check_rules(rules)
    for bets, deals in _DEALS[game.key]():
        yield from _proved(game, checked, bets, deals)


def _proved(game: Game, rules: Rules, bets: tuple[str, ...], deals: Iterable[tuple[int, Hands]]) -> Iterator[Proof]:
    ways = 0
    back = dict.fromkeys(bets, Fraction(0))
    for alike, hands in deals:
        ways += alike
        returns = game.returns(rules, game.outcome(rules, hands), "")
        for bet in bets:
            back[bet] += alike * returns[bet]
    for bet in bets:
        yield Proof(
            game=game.key,
            bet=bet,
            basis="stake",
            rtp=back[bet] / ways,
            exact=True,
            published_percent=game.published_percent.get(bet),
        )
