"""The proof of a pay table: the exact return of every bet, through the very code that settles rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module

from studio.errors import BadInputError, InvariantError
from studio.games import HOUSE_GAMES
from studio.proof.returns.figure import Count, Figure, Report, unreported
from studio.rulebook.game import Game
from studio.rulebook.script import Rules

Figures = Callable[[Game, Rules, Report], Iterator[Figure]]


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
    """Games against the house have one; seats that play among themselves have no pay table."""
    return game.peers is None


def prove(game: Game, rules: Rules, report: Report = unreported) -> Mapping[str, Proof]:
    """The proofs by their key: a bet's own, or `main_initial` and `main_total`; bets in the order of the rulebook.

    The same game and rules always give the same proofs, so a caller may keep them.
    """
    proofs = {proof.key: proof for proof in prove_each(game, rules, report)}
    main = [key for key in proofs if key not in game.betting.bets]
    return {key: proofs[key] for key in (*main, *game.betting.bets) if key in proofs}


def prove_each(game: Game, rules: Rules, report: Report = unreported) -> Iterator[Proof]:
    """The proofs one by one, as they are found; `BadInputError` where a game has none or the rules are bad.

    `report` is told how much of the work is done. At the end `InvariantError`, where a bet was left out.
    """
    if not has_proof(game):
        raise BadInputError(
            f"{game.title} has no pay table to prove: name one of {', '.join(each.key for each in HOUSE_GAMES)}."
        )
    covered: set[str] = set()
    for figure in _figures(game, game.options.check(rules), report):
        covered.update(figure.covers)
        yield Proof(
            game=game.key,
            bet=figure.bet,
            basis=figure.basis,
            rtp=figure.rtp,
            exact=True,
            published_percent=game.payment.published_percent.get(_key(figure.bet, figure.basis)),
            covers=figure.covers,
            count=figure.count,
            put_out=figure.put_out,
        )
    report(1)
    if missing := set(game.betting.bets) - covered:
        raise InvariantError(f"The proof of {game.key} says nothing of {', '.join(sorted(missing))}.")


def _figures(game: Game, rules: Rules, report: Report) -> Iterator[Figure]:
    """As the file of the game finds them, which is named by its key."""
    proof: Figures = import_module(f"studio.proof.returns.{game.key}").figures
    return proof(game, rules, report)


def _key(bet: str, basis: str) -> str:
    return bet if basis == "stake" else f"{bet}_{basis}"
