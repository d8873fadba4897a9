"""How a command is told the source of a wrapping key: `--wrapped-by file:/PATH`."""

from __future__ import annotations

import click

from studio.errors import BadInputError
from studio.journal.wrapping import WrappedBy


def source(ctx: click.Context, param: click.Parameter, value: str | None) -> WrappedBy | None:
    """What a person typed, as a callback of click."""
    try:
        return None if value is None else WrappedBy.parse(value)
    except BadInputError as error:
        raise click.BadParameter(error.sentence, ctx, param) from None
