"""How a command is told where a record lies: a file, or the address of a database."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from studio.journal.place import Place, is_address


class _PlaceType(click.ParamType[Place]):
    name = "place"

    def convert(self, value: str | Place, param: click.Parameter | None, ctx: click.Context | None) -> Place:
        return value if isinstance(value, Path) or is_address(value) else Path(value)


PLACE: Final = _PlaceType()
"""A path, or `postgresql://USER@HOST/DATABASE` as it is: a path would lose one of its strokes."""
