"""The cloth of Ultimate Texas Hold'em: trips above, ante and blind as one, the play bet below them."""

from __future__ import annotations

from typing import Final

from dealer_ui.public.layout.shape import Field, Layout, Zone

LAYOUT: Final = Layout(
    "ultimate_holdem",
    (
        Zone(
            (
                Field("trips", 1, "spot", "side"), Field("ante", 1, "spot", "main"),
                Field("blind", 1, "spot", "main", joined=True), Field("play", 1, "spot"),
            ),
            columns=4,
        ),
    ),
)  # fmt: skip
