"""The demo's decks: two were received and brought to each table, one is in storage."""

from __future__ import annotations

from typing import Final

from dealer_ui.assembly.bootstrap import Studio
from dealer_ui.config.file import StudioConfig
from studio.decks.keeping import NewDeck
from studio.games import find_game

BACKS: Final = ("red", "blue")
MARKS: Final = {"red": "A", "blue": "B"}
"""What the simulated shuffler calls the two decks that rotate in it."""
PLACE: Final = "Cage, shelf 1"


def lay_in_decks(studio: Studio, by: str, beside: str) -> None:
    """Where the register is empty: the decks of every table, received by these two people."""
    desk, config = studio.floor.decks, studio.config
    if desk.register.decks or not desk.rules.register_of_decks:
        return
    now_ms = studio.clock.now_ms()
    first, second = (studio.floor.staff.actor(id).with_pin(now_ms) for id in (by, beside))
    wanted = (*_of_tables(config), *(("", packs, back) for packs in (1, 8) for back in BACKS))
    for number, (key, packs, back) in enumerate(wanted, 1):
        deck = NewDeck(
            id=f"{back.upper()}-{number:03d}", design="Casino, large index", back=back, packs=packs,
            seal=f"S{10_000 + number}", place=PLACE, mark=MARKS[back],
        )  # fmt: skip
        desk.receive(deck, first, second)
        if key:
            desk.issue(deck.id, key, deck.seal, first)


def _of_tables(config: StudioConfig) -> list[tuple[str, int, str]]:
    return [
        (table.key, find_game(table.game).shoe.under(table.rules).decks, back)
        for table in config.tables
        for back in BACKS
    ]
