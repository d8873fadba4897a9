"""What a gate of the reader risks: wrong cards for a million readings at a table, both eyes taken into account.

    python -m training.risk

A card stands wrongly only where the shoe misreads it and the camera names the very same wrong card. How often the
camera is wrong comes from `figures.json`, at the upper end of what so few wrong ones allow; that a wrong name is always
the shoe's wrong one is the worst case. How often a shoe misreads nobody publishes: it is stated here, not measured.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib import resources
from typing import Any, Final

SHOE_MISREADS: Final = 1e-5
STANDS_WRONG_MAX: Final = 0.01
"""Cards in a million readings that may stand wrongly: one in a hundred million."""

HELD_FOR_NOTHING_MAX: Final = 1_000.0
"""Readings in a million by which the camera may contradict a right card, and hold the table until somebody looked."""

_SURE: Final = 0.95
_MILLION: Final = 1e6


def camera_wrong(figures: Mapping[str, Any], gate: float) -> float:
    """The share of wrong ones among accepted readings that is not exceeded, to 95 in 100."""
    from scipy.stats import chi2  # a second to load, and the tests of the reader ask for a deck only

    at = figures["hard"]["at"][str(gate)]
    return float(chi2.ppf(_SURE, 2 * (at["wrong"] + 1))) / 2 / float(at["accepted"])


def stands_wrong(figures: Mapping[str, Any], gate: float, shoe_misreads: float = SHOE_MISREADS) -> float:
    """Cards in a million readings that may stand wrongly."""
    return _MILLION * shoe_misreads * camera_wrong(figures, gate)


def held_for_nothing(figures: Mapping[str, Any], gate: float) -> float:
    """Readings in a million that may hold a table whose cards were right."""
    return _MILLION * camera_wrong(figures, gate)


def shipped_figures() -> dict[str, Any]:
    """The figures of the network that is shipped."""
    text = (resources.files("devices.camera") / "model" / "figures.json").read_text()
    figures: dict[str, Any] = json.loads(text)
    return figures


def main() -> None:
    figures = shipped_figures()
    for gate, at in figures["hard"]["at"].items():
        share = 100 * at["accepted"] / figures["hard"]["shown"]
        held, wrong = held_for_nothing(figures, float(gate)), stands_wrong(figures, float(gate))
        sys.stdout.write(f"| {gate} | {share:.0f} % | {held:.0f} | {wrong:.4f} |\n")


if __name__ == "__main__":
    main()
