"""What `studio rtp` is asked to prove, read from the command line: games by key, options, files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.errors import BadInputError
from studio.games import GAMES, find_game
from studio.games.rulebook import Game
from studio.games.script import Rules
from studio.proof.certificate.digest import pay_rules, table_digest
from studio.proof.returns.rtp import has_proof
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
