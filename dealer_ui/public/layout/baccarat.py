"""The cloth of Baccarat: Player, tie and Banker with their pairs, and below them what is said of either hand."""

from __future__ import annotations

from typing import Final

from dealer_ui.public.layout.shape import Field, Layout, Zone

LAYOUT: Final = Layout(
    "baccarat",
    (
        Zone((Field("player", 2, tone="for"), Field("tie", 2), Field("banker", 2, tone="against")), 6),
        Zone((Field("player_pair"), Field("either_pair"), Field("perfect_pair"), Field("banker_pair")), 4),
        Zone((Field("player_bonus"), Field("small"), Field("big"), Field("super_six"), Field("banker_bonus")), 5),
    ),
)
