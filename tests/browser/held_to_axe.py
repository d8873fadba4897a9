"""What axe finds wrong on a page: the rules of WCAG 2.2 AA."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = (Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUN = """rules => axe.run(document, {runOnly: rules, resultTypes: ['violations'], preload: {assets: ['media']}})
  .then(told => told.violations)"""
"""The style sheets are not fetched once more: what needs them is no rule of these."""
LANGUAGES = ("en", "ja", "id")


def wrong_on(page: Page) -> list[str]:
    """What axe finds wrong on the page as it stands: rule, and the first elements that break it.

    It holds the page up, on a busy machine for longer than a page waits for the studio before it refuses to send
    anything; so the page has heard again when this is done.
    """
    page.evaluate(AXE)
    found: Any = page.evaluate(RUN, RULES)
    page.wait_for_selector("#offline", state="hidden")
    return [f"{one['id']}: {'; '.join(node['html'][:120] for node in one['nodes'][:3])}" for one in found]
