"""How a command is told where a record lies: a file, or the address of a database; or a file alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from studio.journal.place import Place, is_address


class _PlaceType(click.ParamType[Place]):
    name = "place"

    def convert(self, value: str | Place, param: click.Parameter | None, ctx: click.Context | None) -> Place:
        return value if isinstance(value, Path) or is_address(value) else Path(value)


class _FileType(click.Path):
    """A path whose slashes no address has lost before it is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if is_address(value):
            self.fail("This command takes a file: a record in a database is not reached by it.", param, ctx)
        return super().convert(value, param, ctx)


RECORD_FILE: Final = _FileType(dir_okay=False, path_type=Path)
"""The file of a record, there or not; an address is refused."""
PLACE: Final = _PlaceType()
"""A path, or `postgresql://USER@HOST/DATABASE` as it is: a path would lose one of its strokes."""
