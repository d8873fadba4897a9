"""The cloth of Blackjack: seven boxes, each with its main bet and the perfect pair, and insurance."""

from __future__ import annotations

from typing import Final

from dealer_ui.public.layout.shape import Field, Layout, Zone

LAYOUT: Final = Layout(
    "blackjack",
    tuple(
        Zone(
            (
                Field(f"{box}:main", 1, "spot", "main"), Field(f"{box}:perfect_pair", 1, "bar", "side"),
                Field(f"{box}:insurance", 1, "bar"),
            ),
            columns=1, title=f"box.{box}",
        )
        for box in range(1, 8)
    ),
    across=7, narrow=4,
)  # fmt: skip
