"""The proof of a pay table: the exact return of every bet, through the very code that settles rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from studio.errors import BadInputError, InvariantError
from studio.games.script import Game, Rules
from studio.proof.returns import blackjack, holdem_bonus, kkclash, three_card_poker, three_knights, ultimate_holdem
from studio.proof.returns.figure import Count, DealGroups, Figure, Report, of_deals, unreported

_DEALS: Final[Mapping[str, Callable[[], DealGroups]]] = {
    "three_knights": three_knights.weighed_deals,
    "kkclash": kkclash.weighed_deals,
}
"""Games nobody decides in: the deals, told apart, say it all."""

_FIGURES: Final[Mapping[str, Callable[[Game, Rules, Report], Iterator[Figure]]]] = {
    "holdem_bonus": holdem_bonus.figures,
    "ultimate_holdem": ultimate_holdem.figures,
    "three_card_poker": three_card_poker.figures,
    "blackjack": blackjack.figures,
}
"""Games with decisions: the proof finds the best ones first."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What one bet gives back of every unit of its `basis`, stake included, before any rounding to a minor unit.

    `main` stands for the bets of a game with decisions, once on the basis `initial` (of the first bet) and once on
    `total` (of all that is put out); the basis of every other bet is its `stake`. `covers` are the bets of the
    rulebook it speaks for; `count` and `put_out` are those of the `Figure`.
    """

    game: str
    bet: str
    basis: str
    rtp: Fraction
    exact: bool
    published_percent: float | None
    covers: tuple[str, ...] = field(default=(), compare=False)
    count: Count = field(default=Count(0), compare=False)
    put_out: Fraction = field(default=Fraction(1), compare=False)

    @property
    def rtp_percent(self) -> float:
        return float(self.rtp * 100)

    @property
    def key(self) -> str:
        return _key(self.bet, self.basis)


def has_proof(game: Game) -> bool:
    return game.key in _DEALS or game.key in _FIGURES


def prove(game: Game, rules: Rules, report: Report = unreported) -> Mapping[str, Proof]:
    """The proofs by their key: a bet's own, or `main_initial` and `main_total`; bets in the order of the rulebook.

    The same game and rules always give the same proofs, so a caller may keep them.
    """
    proofs = {proof.key: proof for proof in prove_each(game, rules, report)}
    main = [key for key in proofs if key not in game.bets]
    return {key: proofs[key] for key in (*main, *game.bets) if key in proofs}


def prove_each(game: Game, rules: Rules, report: Report = unreported) -> Iterator[Proof]:
    """The proofs one by one, as they are found; `BadInputError` where a game has none or the rules are bad.

    `report` is told how much of the work is done. At the end `InvariantError`, where a bet was left out.
    """
    if not has_proof(game):
        raise BadInputError(f"{game.title} has no pay table to prove: name one of {', '.join([*_DEALS, *_FIGURES])}.")
    covered: set[str] = set()
    for figure in _figures(game, game.check_rules(rules), report):
        covered.update(figure.covers)
        yield Proof(
            game=game.key,
            bet=figure.bet,
            basis=figure.basis,
            rtp=figure.rtp,
            exact=True,
            published_percent=game.published_percent.get(_key(figure.bet, figure.basis)),
            covers=figure.covers,
            count=figure.count,
            put_out=figure.put_out,
        )
    report(1)
    if missing := set(game.bets) - covered:
        raise InvariantError(f"The proof of {game.key} says nothing of {', '.join(sorted(missing))}.")


def _figures(game: Game, rules: Rules, report: Report) -> Iterator[Figure]:
    if game.key in _DEALS:
        return of_deals(game, rules, _DEALS[game.key]())
    return _FIGURES[game.key](game, rules, report)


def _key(bet: str, basis: str) -> str:
    return bet if basis == "stake" else f"{bet}_{basis}"
