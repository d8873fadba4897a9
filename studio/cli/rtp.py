"""The only place for `studio rtp`: every bet's exact return, beside the published figure."""

from __future__ import annotations

import json as jsonlib
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from studio.errors import BadInputError
from studio.games import GAMES, find_game
from studio.games.script import Game, Rules
from studio.proof.rtp import Proof, has_proof, prove_each

TimedProof = tuple[Proof, float]
"""A proof and the seconds it took."""


@click.command("rtp")
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option("--rule", "rules", multiple=True, metavar="NAME=VALUE", help="A house option; only with one KEY.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line, each at once.")
def command(keys: tuple[str, ...], rules: tuple[str, ...], as_json: bool) -> None:
    """Prove pay tables: the exact return of every bet of the games named, or of all house games.

    The figures are percent of the stake, counted over every possible deal through the code that settles rounds.
    """
    try:
        games = _asked(keys)
        options = _options(rules, games)
        _show(games, options, as_json=as_json)
    except BadInputError as error:
        raise click.ClickException(str(error)) from None


def _asked(keys: tuple[str, ...]) -> tuple[Game, ...]:
    if not keys:
        return tuple(game for game in GAMES if has_proof(game))
    return tuple(find_game(key) for key in dict.fromkeys(keys))


def _options(rules: tuple[str, ...], games: tuple[Game, ...]) -> Rules:
    if not rules:
        return {}
    if len(games) != 1:
        raise BadInputError("A house option belongs to one game: name one KEY beside --rule.")
    given: dict[str, str] = {}
    for rule in rules:
        name, sign, value = rule.partition("=")
        if not sign:
            raise BadInputError(f"'{rule}' is not a house option: write it as NAME=VALUE.")
        given[name] = value
    return games[0].check_rules(given)


def _timed(
    games: tuple[Game, ...], rules: Rules, clock_s: Callable[[], float], report: Callable[[int, float], None]
) -> Iterator[TimedProof]:
    """The proofs of every game; `report` is told which game is at work, and what share of it is done."""
    for number, game in enumerate(games):
        began_s = clock_s()
        for proof in prove_each(game, rules, partial(report, number)):
            found_s = clock_s()
            yield proof, found_s - began_s
            began_s = clock_s()


def _show(games: tuple[Game, ...], rules: Rules, *, as_json: bool) -> None:
    """A bar on the error stream where a person watches it; lines as they come, or one table at the end."""
    people = Console(stderr=True)
    table = Table("game", "bet", "basis", title="Return to player, percent", title_justify="left")
    table.add_column("exact", justify="right")
    table.add_column("published", justify="right")
    with Progress(console=people, disable=not people.is_terminal, auto_refresh=False, transient=True) as progress:
        task = progress.add_task("Proving", total=len(games))

        def report(number: int, share: float) -> None:
            progress.update(task, description=f"Proving {games[number].title}", completed=number + share, refresh=True)

        for proof, seconds in _timed(games, rules, time.perf_counter, report):
            if as_json:
                click.echo(jsonlib.dumps(_line(proof, seconds)))
            table.add_row(*_row(proof))
    if not as_json:
        Console(file=sys.stdout).print(table)


def _line(proof: Proof, seconds: float) -> dict[str, Any]:
    return {
        "game": proof.game,
        "bet": proof.bet,
        "basis": proof.basis,
        "rtp_percent": proof.rtp_percent,
        "exact": proof.exact,
        "published_percent": proof.published_percent,
        "seconds": round(seconds, 6),
    }


def _row(proof: Proof) -> tuple[str, str, str, str, str]:
    published = "–" if proof.published_percent is None else f"{proof.published_percent:.4f}"
    return proof.game, proof.bet, proof.basis, f"{proof.rtp_percent:.4f}", published
