"""Which limits hold for a bet, and why a stake is outside them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from studio.money import convert_minor, format_minor
from studio.rulebook.game import Game
from studio.tables.config import Limit, TableConfig


def limit_of(config: TableConfig, game: Game, bet: str) -> Limit:
    """The limits of this bet: its own line of the configuration; else, for a bet the house places beside another, those
    of that bet; for a bet staked by options, what the options make of the limits of other bets; else the line `*`.
    """
    return _limit(config, game, bet, {})


def limits_of(config: TableConfig, game: Game) -> dict[str, Limit]:
    """The limits of every bet of the game, in its order."""
    first = _first_limits(config, game)
    return {bet: first[bet] if bet in first else _limit(config, game, bet, first) for bet in game.betting.bets}


def _limit(config: TableConfig, game: Game, bet: str, first: Mapping[str, Limit]) -> Limit:
    """`first`: the limits of the bets that no option stakes, where they are known already."""
    if bet in config.limits:
        return config.limits[bet]
    if bet in game.betting.automatic:
        return _limit(config, game, game.betting.automatic[bet], first)
    options = game.decisions.raised.get(bet)
    return _raised(game, options, first or _first_limits(config, game)) if options else config.limits["*"]


def _first_limits(config: TableConfig, game: Game) -> dict[str, Limit]:
    """The limits of the bets that no option stakes."""
    raised = game.decisions.raised
    return {bet: limit_of(config, game, bet) for bet in game.betting.bets if bet not in raised}


def _raised(game: Game, options: Collection[str], before: Mapping[str, Limit]) -> Limit:
    """The limits of a bet that these options stake: the least any of them stakes on the least first bets, and the most
    on the highest; one minor unit where those are too low for it, as half of one is nothing.
    """
    raise_of = game.decisions.raise_of
    lowest = {one: limit.least_minor for one, limit in before.items()}
    highest = {one: limit.most_minor for one, limit in before.items()}
    least, most = [raise_of(option, lowest) for option in options], [raise_of(option, highest) for option in options]
    return Limit(
        least_minor=min((stake_minor for _, stake_minor in filter(None, least)), default=1),
        most_minor=max((stake_minor for _, stake_minor in filter(None, most)), default=1),
    )


def limit_in(limit: Limit, currency: str, config: TableConfig) -> Limit:
    """The same limit for a bettor of another currency: two figures of it, the least rounded up and the most down, but
    never below the least: a table with one stake for everybody takes one of him.

    >>> from studio.money import Rates
    >>> rates = Rates(date="2026-01-31", worth={"EUR": "1", "JPY": "0.0061"})
    >>> config = TableConfig(key="t", title="T", game="kkclash", currencies=("JPY",), rates=rates)
    >>> limit_in(Limit(least_minor=100, most_minor=100_000), "JPY", config)
    Limit(least_minor=170, most_minor=160000)
    >>> limit_in(Limit(least_minor=10_000, most_minor=10_000), "JPY", config)
    Limit(least_minor=17000, most_minor=17000)
    """
    if currency == config.currency:
        return limit
    least_minor = convert_minor(limit.least_minor, config.currency, currency, config.rates)
    most_minor = convert_minor(limit.most_minor, config.currency, currency, config.rates)
    least_minor = max(-_rounded(-least_minor), 1)
    return Limit(least_minor=least_minor, most_minor=max(_rounded(most_minor), least_minor))


def _rounded(amount_minor: int) -> int:
    """Down to two figures."""
    unit: int = 10 ** max(len(str(abs(amount_minor))) - 2, 0)
    return amount_minor // unit * unit


def outside(limit: Limit, currency: str, stake_minor: int, out_minor: int) -> tuple[str, str] | None:
    """Key and sentence of the refusal of a stake, of a bettor who has `out_minor` on that bet already."""
    if stake_minor < limit.least_minor:
        least = format_minor(limit.least_minor, currency)
        return "below_limit", f"The stake is below the table's least of {least}; raise it."
    if out_minor + stake_minor > limit.most_minor:
        most = format_minor(limit.most_minor, currency)
        return "over_limit", f"With this stake the bettor has more than {most} on the bet; lower it."
    return None
