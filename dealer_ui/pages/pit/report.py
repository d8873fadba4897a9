"""What the pit may report at a table: the dealer's kinds with their questions, and its own."""

from __future__ import annotations

from typing import Final

from dealer_ui.frame.incident_menu import MENU, Choice, menu_of
from studio.procedures.incident import KIND_BY_KEY, KINDS, Reporter

_OWN: Final = tuple(
    Choice(kind.key)
    for kind in KINDS
    if Reporter.PIT in kind.reporters and kind.key not in {choice.kind for choice in MENU}
)
"""What only the pit is offered: the phase says all there is to say of it."""


def pit_menu_of(game: str) -> tuple[Choice, ...]:
    """What may be reported at a table of this game, the commonest first; each with the question its rows depend on."""
    shared = (choice for choice in menu_of(game) if Reporter.PIT in KIND_BY_KEY[choice.kind].reporters)
    return (*shared, *_OWN)
