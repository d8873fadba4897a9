"""The cloth of Casino Hold'em: the ante and the call side by side, the AA bonus above them."""

from __future__ import annotations

from typing import Final

from dealer_ui.public.layout.shape import Field, Layout, Zone

LAYOUT: Final = Layout(
    "casino_holdem",
    (
        Zone(
            (Field("aa_bonus", 1, "spot", "side"), Field("ante", 1, "spot", "main"), Field("call", 1, "spot")),
            columns=3,
        ),
    ),
)
