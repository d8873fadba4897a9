"""`python -m soak`: a studio of ten tables soaked for twenty minutes, or as long as is asked for."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Final

import click
import msgspec

from soak.course import go_on, planned, upgrade
from soak.life import Place
from soak.page import page, unbounded
from soak.process import free_port

GAMES: Final = (
    "three_knights", "blackjack", "nlh", "baccarat", "ofc", "ultimate_holdem", "kkclash", "andar_bahar",
    "dragon_tiger", "casino_holdem", "holdem_bonus", "three_card_poker", "plo", "short_deck",
)  # fmt: skip
"""In the order in which tables are added: each way of dealing before the next of its like."""


class Asked(msgspec.Struct, frozen=True):
    """What a soak was begun with; it goes on with the same."""

    minutes: float
    tables: int
    speed: float
    seed: int


@click.command()
@click.option(
    "--folder", required=True, type=click.Path(file_okay=False, path_type=Path), help="Where it keeps everything."
)
@click.option("--minutes", default=20.0, show_default=True, type=click.FloatRange(min=0.5), help="Of the lives alone.")
@click.option(
    "--released", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A database to begin on."
)
@click.option("--tables", default=10, show_default=True, type=click.IntRange(1, len(GAMES)))
@click.option("--speed", default=2.0, show_default=True, type=click.FloatRange(0.5, 20))
@click.option("--seed", default=1, show_default=True)
def main(folder: Path, minutes: float, released: Path | None, tables: int, speed: float, seed: int) -> None:
    """Soak a studio in FOLDER, or go on with the soak that was begun there; exit 1 when it is not sound.

    `--released` is the database of an older version, with what lies beside it: it is brought up to this one first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    asked = _asked(folder / "asked.json", Asked(minutes, tables, speed, seed))
    games = GAMES[: asked.tables]
    place = Place(folder, games, asked.speed, free_port(), random.Random(f"{asked.seed}/{len(list(folder.iterdir()))}"))
    if released is not None and not place.database.exists():
        upgrade(place, released)
    go_on(place, planned(asked.minutes * 60), click.echo)
    told = page(place.book, games)
    (folder / "page.md").write_text(told)
    click.echo(told)
    sys.exit(1 if unbounded(place.book, len(games)) or any(life.wrong for life in place.book.lives) else 0)


def _asked(path: Path, asked: Asked) -> Asked:
    if path.exists():
        return msgspec.json.decode(path.read_bytes(), type=Asked)
    path.write_bytes(msgspec.json.encode(asked))
    return asked


if __name__ == "__main__":
    main()
