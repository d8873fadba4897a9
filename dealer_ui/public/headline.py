"""What the public is told of a table in one line, as a key of the catalogue."""

from __future__ import annotations

from typing import Final

from dealer_ui.felt.act import phase_word
from studio.views.shape import TableView


def headline_of(view: TableView) -> str:
    """What the public is told in one line, as a key of the catalogue."""
    if view.now.status != "open":
        return f"public.{view.now.status}"
    if view.round.stage in ("voiding", "voided"):
        return "public.void"
    if view.now.held:
        return "public.held"
    return f"public.{phase_word(view)}"


RESULT: Final = frozenset({"public.result", "public.settled"})
"""Headlines in whose place a winner stands, of a game that has one."""
