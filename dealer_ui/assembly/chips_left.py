"""Looks for chips of bettors at poker tables which the configuration does not name any more."""

from __future__ import annotations

from collections.abc import Collection

import structlog

from studio.journal import Reader

_LOG = structlog.get_logger("dealer_ui.assembly.chips_left")
_STACKS = "SELECT account FROM balance WHERE account LIKE 'bettor:%/%' AND amount <> 0"


def tables_left(reader: Reader, named: Collection[str]) -> tuple[str, ...]:
    """The tables that hold chips and are not among the `named`: nobody can leave his seat there."""
    return tuple(sorted({account.rsplit("/", 1)[1] for (account,) in reader.read(_STACKS, ())} - set(named)))


def warn_of_chips_left(reader: Reader, named: Collection[str]) -> None:
    for table in tables_left(reader, named):
        _LOG.warning("chips lie at a table that is not in the configuration: write it back, pay them out", table=table)
