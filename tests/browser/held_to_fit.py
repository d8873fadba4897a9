"""What on a page cannot be read whole, on the smallest station, at a desk, and on a large screen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page

SIZES = ((800, 600), (1920, 1080), (1280, 800))
LOOK = (Path(__file__).parent / "text_that_does_not_fit.js").read_text()
SETTLED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


def unfit_on(
    page: Page, names: Sequence[str] = (), sizes: Sequence[tuple[int, int]] = SIZES, known: Sequence[str] = ()
) -> list[str]:
    """Each text that sticks out, is cut off or lies over another; `names` are what people chose, and may be shortened.

    The window is made larger and smaller, and the page stays: a load costs more than a look.
    """
    found = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        found += [f"{width}x{height} {one}" for one in page.evaluate(LOOK, list(names))]
    return [one for one in found if not any(part in one for part in known)]
