"""The cloth of KKClash: Shark, draw and King side by side, then the hole cards, then the winning hand."""

from __future__ import annotations

from typing import Final

from dealer_ui.public.layout.shape import Field, Layout, Zone

LAYOUT: Final = Layout(
    "kkclash",
    (
        Zone(
            (Field("shark", 3, tone="shark"), Field("draw", 2, tone="drawn"), Field("king", 3, tone="king")), 8,
            "clash.who_wins",
        ),
        Zone((Field("suited_connectors"), Field("pocket_pair"), Field("pocket_kings")), 3, "clash.hole_cards"),
        Zone(
            (
                Field("high_card_pair"), Field("two_pair"), Field("trips_straight_flush"), Field("full_house_plus"),
                Field("k_high_pair"), Field("k_full_quads"),
            ),
            3, "clash.winning_hand",
        ),
    ),
)  # fmt: skip
