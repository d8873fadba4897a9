"""Which code and which table a figure was found for: their digests.

Of the code only the files count that decide a figure: the rulebook, the proof of the game, the settlement of a
payout, and what these import. The digest of the code is that of the list `sha256sum` prints of them.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec

from studio.rulebook.game import Game
from studio.rulebook.script import Rules

_SILENT: Final = frozenset(
    {
        "studio.errors",
        "studio.ports",
        "studio.cards.sealed",
        "studio.rulebook.game",  # names what a game is, and decides nothing of it
        "studio.rulebook.script",
        "studio.hands.basic_strategy",  # plays for who is absent; the proof plays its own best
    }
)
_AMOUNTS: Final = frozenset({"first5_pot"})
"""What lies in a pot is no part of its pay table."""

_PACKAGES: Final = Path(__file__).parent.parent.parent.parent


@cache
def code_of(game: str) -> Mapping[str, str]:
    """The files that decide the figures of a game, by name, each with its SHA-256."""
    found: dict[str, str] = {}
    waiting = [
        f"studio.games.{game}",
        f"studio.proof.returns.{game}",
        "studio.proof.returns.figure",
        "studio.settlement.payout",
    ]
    while waiting:
        path = _path_of(waiting.pop())
        name = path.relative_to(_PACKAGES).as_posix()
        if name not in found:
            source = path.read_bytes()
            found[name] = hashlib.sha256(source).hexdigest()
            waiting += [module for module in _imported(source) if module not in _SILENT]
    return MappingProxyType(dict(sorted(found.items())))


@cache
def code_digest(game: str) -> str:
    return digest_of_files(code_of(game))


def digest_of_files(files: Mapping[str, str]) -> str:
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(files.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def pay_rules(game: Game, rules: Rules) -> dict[str, str | int | bool]:
    """The house options written out in full, as far as they are a pay table; `BadInputError` where they are bad."""
    asked = {name: value for name, value in rules.items() if name not in _AMOUNTS}
    left_out = _AMOUNTS | game.options.dealt
    return {name: value for name, value in sorted(game.options.check(asked).items()) if name not in left_out}


def table_digest(game: Game, rules: Rules) -> str:
    """The digest of a pay table: game, version of the rulebook, and every option in one way of writing."""
    table = {"game": game.key, "version": game.edition.version, "rules": pay_rules(game, rules)}
    return hashlib.sha256(msgspec.json.encode(table, order="sorted")).hexdigest()


def _imported(source: bytes) -> Iterator[str]:
    """The modules of ours that a file imports names from; a name may be a module of a package."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("studio"):
            package = str(node.module)
            modules = [f"{package}.{name.name}" for name in node.names]
            yield from (module if _path_of(module).is_file() else package for module in modules)


def _path_of(module: str) -> Path:
    path = _PACKAGES.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
