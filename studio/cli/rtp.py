"""`studio rtp`: every bet's exact return, beside the published figure, and certificates of it."""

from __future__ import annotations

import json as jsonlib
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date as date_type
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from studio.cli.drawn_table import print_table
from studio.errors import BadInputError
from studio.games import GAMES, find_game
from studio.proof.certificate.digest import pay_rules, table_digest
from studio.proof.certificate.folder import SHIPPED, Certificates, save_certificate, write_pages
from studio.proof.certificate.record import certificate_of
from studio.proof.returns.rtp import Proof, has_proof, prove_each
from studio.rulebook.game import Game
from studio.rulebook.script import Rules
from studio.text_file import read_json, read_text, read_toml


@dataclass(frozen=True, slots=True)
class Job:
    """One pay table to prove, its options written out."""

    game: Game
    rules: Rules


def asked_games(keys: tuple[str, ...]) -> tuple[Game, ...]:
    """The games named, each once; all that can be proved where none is."""
    if not keys:
        return tuple(game for game in GAMES if has_proof(game))
    return tuple(find_game(key) for key in dict.fromkeys(keys))


def asked_jobs(keys: tuple[str, ...], options: Iterable[str], rules: str) -> tuple[Job, ...]:
    """The pay tables named on the command line: `options` as NAME=VALUE, `rules` as a file or a JSON object."""
    games = asked_games(keys)
    given = {**_rules(rules), **dict(map(_option, options))}
    if given and len(games) != 1:
        raise BadInputError("A house option belongs to one game: name one KEY beside it.")
    return tuple(Job(game, pay_rules(game, given)) for game in games)


def configured_jobs(path: Path) -> tuple[Job, ...]:
    """The pay table of every table of a studio's configuration, each once."""
    tables = _read(path).get("tables")
    if not isinstance(tables, list) or not tables:
        raise BadInputError("There are no tables in this configuration.", where=str(path))
    jobs: dict[str, Job] = {}
    for table in tables:
        game = find_game(str(table.get("game", "")))
        job = Job(game, pay_rules(game, table.get("rules", {})))
        jobs.setdefault(table_digest(game, job.rules), job)
    return tuple(jobs.values())


def _option(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise BadInputError(f"'{text}' is not a house option: write it as NAME=VALUE.")
    return name, value


def _rules(text: str) -> Mapping[str, Any]:
    """Options from a JSON object, from a file that holds one, or from a certificate's own record."""
    if not text:
        return {}
    found = _object(text, "the command line") if text.lstrip().startswith("{") else _read(Path(text))
    inner = found.get("rules")
    return inner if isinstance(inner, dict) and "game" in found else found


def _read(path: Path) -> Mapping[str, Any]:
    text = read_text(path)
    try:
        return read_toml(text, str(path)) if path.suffix == ".toml" else _object(text, str(path))
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"This is not valid TOML: {error}.", where=str(path)) from None


def _object(text: str, where: str) -> Mapping[str, Any]:
    try:
        found = read_json(text)
    except ValueError as error:
        raise BadInputError(f"The house options are no JSON object: {error}.", where=where) from None
    if not isinstance(found, dict):
        raise BadInputError('Write the house options as a JSON object, such as {"six": "even"}.', where=where)
    return found


TimedProof = tuple[Proof, float]
"""A proof and the seconds it took."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where certificates are kept, under which date."""

    folder: Path
    date: str

    def keep(self, job: Job, proofs: list[TimedProof]) -> None:
        seconds = sum(seconds for _, seconds in proofs)
        found = certificate_of(job.game, job.rules, [proof for proof, _ in proofs], date=self.date, seconds=seconds)
        record, _ = save_certificate(found, self.folder)
        click.echo(f"{job.game.title}: {record}, and a page to print beside it.", err=True)
        if found.over:
            click.echo(f"{job.game.title} returns more than 100 % on {', '.join(found.over)}.", err=True)


@click.command("rtp")
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@click.option("--rule", "options", multiple=True, metavar="NAME=VALUE", help="A house option; only with one KEY.")
@click.option("--rules", default="", metavar="FILE|JSON", help="House options: a JSON object, or a file with one.")
@click.option(
    "--config", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Prove the tables of a studio."
)
@click.option(
    "--save", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER", help="Write certificates there."
)
@click.option("--missing", is_flag=True, help="Only what no certificate in FOLDER, or shipped, proves as it is now.")
@click.option("--date", metavar="YYYY-MM-DD", help="The day a certificate bears; today unless given.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line, each at once.")
def command(  # noqa: PLR0913 - one parameter an option
    keys: tuple[str, ...],
    options: tuple[str, ...],
    rules: str,
    config: Path | None,
    save: Path | None,
    missing: bool,
    date: str | None,
    as_json: bool,
) -> None:
    """Prove pay tables: the exact return of every bet of the games named, or of all house games.

    The figures are percent of the stake, counted over every possible deal through the code that settles rounds.
    """
    try:
        if date and not save:
            raise BadInputError("--date is for the certificates of --save FOLDER: name the folder too.")
        if config and (keys or options or rules):
            raise BadInputError("--config names the tables itself: leave out KEY, --rule and --rules.")
        jobs = configured_jobs(config) if config else asked_jobs(keys, options, rules)
        if missing:
            jobs = _unproved(jobs, save)
            if not jobs:
                click.echo("Nothing is missing: each pay table is proved as it is now.", err=True)
        keeping = Keeping(save, _day(date)) if save else None
        _show(jobs, keeping, as_json=as_json)
    except BadInputError as error:
        raise click.ClickException(str(error)) from None


def _day(given: str | None) -> str:
    """The day a certificate bears, as it is written there."""
    if given is None:
        return time.strftime("%Y-%m-%d", time.gmtime())
    try:
        found = date_type.fromisoformat(given).isoformat()
    except ValueError:
        found = ""
    if found != given:
        raise BadInputError(f"'{given}' is no day: write it as 2026-01-31.")
    return found


def _unproved(jobs: tuple[Job, ...], folder: Path | None) -> tuple[Job, ...]:
    if folder:
        write_pages(folder)
    proved = Certificates.of(SHIPPED, *([folder] if folder else []))
    return tuple(job for job in jobs if proved.find(job.game, job.rules) is None)


def _timed(job: Job, clock_s: Callable[[], float], report: Callable[[float], None]) -> Iterator[TimedProof]:
    """The proofs of one pay table; `report` is told what share of it is done."""
    began_s = clock_s()
    for proof in prove_each(job.game, job.rules, report):
        found_s = clock_s()
        yield proof, found_s - began_s
        began_s = clock_s()


def _show(jobs: tuple[Job, ...], keeping: Keeping | None, *, as_json: bool) -> None:
    """A bar on the error stream where a person watches it; lines as they come, or one table at the end."""
    people = Console(stderr=True)
    table = Table("game", "bet", "basis", title="Return to player, percent", title_justify="left")
    table.add_column("exact", justify="right")
    table.add_column("published", justify="right")
    with Progress(console=people, disable=not people.is_terminal, auto_refresh=False, transient=True) as progress:
        task = progress.add_task("Proving", total=len(jobs))

        def report(number: int, share: float) -> None:
            title = jobs[number].game.title
            progress.update(task, description=f"Proving {title}", completed=number + share, refresh=True)

        for number, job in enumerate(jobs):
            found: list[TimedProof] = []
            for proof, seconds in _timed(job, time.perf_counter, partial(report, number)):
                found.append((proof, seconds))
                if as_json:
                    click.echo(jsonlib.dumps(_line(proof, seconds)))
                table.add_row(*_row(proof))
            if keeping:
                keeping.keep(job, found)
    if not as_json and jobs:
        print_table(table)


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
