"""The cloth of Andar Bahar: the two sides, and below them how many cards are dealt."""

from __future__ import annotations

from typing import Final

from dealer_ui.public.layout.shape import Field, Layout, Zone
from studio.games.andar_bahar import ANDAR, BAHAR, COUNTS

LAYOUT: Final = Layout(
    "andar_bahar",
    (
        Zone((Field(ANDAR, tone="for"), Field(BAHAR, tone="against"))),
        Zone(tuple(Field(bet, shape="bar") for bet in COUNTS), 4, "cloth.cards_dealt"),
    ),
)
