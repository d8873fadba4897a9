"""The cloth of Three Knights: a column for each Player with his five bets, and the Banker's pair plus below."""

from __future__ import annotations

from typing import Final

from dealer_ui.public.layout.shape import Field, Layout, Zone


def _player(box: str) -> Zone:
    return Zone(
        (
            Field(f"{box}_win", 3, tone="for"), Field(f"{box}_lose", 3, tone="against"),
            Field(f"{box}_tie", 2, "bar"), Field(f"{box}_three_knights", 2, "bar"), Field(f"{box}_pair_plus", 2, "bar"),
        ),
        columns=6, title=f"box.{box}",
    )  # fmt: skip


LAYOUT: Final = Layout(
    "three_knights",
    (
        *(_player(f"player{n}") for n in (1, 2, 3)),
        Zone((Field("banker_pair_plus", shape="bar"),), columns=1, title="box.banker"),
    ),
    across=3,
    narrow=3,
)
