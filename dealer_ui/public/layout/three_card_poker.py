"""The cloth of Three Card Poker: pair plus, ante and play in a row, the six card bonus under them."""

from __future__ import annotations

from typing import Final

from dealer_ui.public.layout.shape import Field, Layout, Zone

LAYOUT: Final = Layout(
    "three_card_poker",
    (
        Zone(
            (Field("pair_plus", 1, "spot", "side"), Field("ante", 1, "spot", "main"), Field("play", 1, "spot")),
            columns=3,
        ),
        Zone((Field("six_card", 1, "bar", "side"),), columns=1),
    ),
)
