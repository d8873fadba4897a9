"""The cloth of Texas Hold'em Bonus: the ante and its three raises in a row, the two side bets under them."""

from __future__ import annotations

from typing import Final

from dealer_ui.public.layout.shape import Field, Layout, Zone

LAYOUT: Final = Layout(
    "holdem_bonus",
    (
        Zone(
            (
                Field("ante", 1, "spot", "main"), Field("flop", 1, "spot"), Field("turn", 1, "spot"),
                Field("river", 1, "spot"),
            ),
            columns=4,
        ),
        Zone((Field("bonus", 1, "bar", "side"), Field("first5", 1, "bar", "side")), columns=2),
    ),
)  # fmt: skip
