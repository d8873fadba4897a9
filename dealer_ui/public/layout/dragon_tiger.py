"""The cloth of Dragon Tiger: Dragon, both ties and Tiger side by side, and below them what is said of either card."""

from __future__ import annotations

from typing import Final

from dealer_ui.public.layout.shape import Field, Layout, Zone


def _sides(box: str) -> Zone:
    return Zone(tuple(Field(f"{box}_{side}", shape="bar") for side in ("odd", "even", "small", "big")), 4, f"box.{box}")


LAYOUT: Final = Layout(
    "dragon_tiger",
    (
        Zone((Field("dragon", 2), Field("tie"), Field("suited_tie"), Field("tiger", 2)), 6),
        _sides("dragon"),
        _sides("tiger"),
    ),
)
