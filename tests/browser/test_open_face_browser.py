"""The consoles of Open-Face Chinese in a real browser: all on one screen in every state, and no rule broken."""

from __future__ import annotations

import fake_open_face as ofc
import pytest
from fake_floor import FakeFloor
from held_to_axe import LANGUAGES, wrong_on
from test_poker_browser import OVER, At, shown

pytestmark = pytest.mark.browser

COVERED = """() => {
  const boxes = [...document.querySelectorAll('.street-cards .fan, .row-cards .fan, .row-tags, .line-foot, .column h3')]
    .filter(box => box.offsetParent).map(box => [box.className + box.textContent.trim(), box.getBoundingClientRect()]);
  const found = [];
  boxes.forEach(([one, a], at) => boxes.slice(at + 1).forEach(([other, b]) => {
    if (a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2) {
      found.push(`${one} ${other}`);
    }
  }));
  return found;
}"""
"""Two that lie over each other."""
BURST = """() => [...document.querySelectorAll('.column')]
  .filter(box => [...box.querySelectorAll('.stack, .tag, .place, .row-points, .sum')].some(part => part.offsetParent
    && (part.getBoundingClientRect().right > box.getBoundingClientRect().right + 1
      || part.getBoundingClientRect().bottom > box.getBoundingClientRect().bottom + 1)))
  .map(box => box.id)"""
"""Columns out of which something sticks."""
SIZES = [((1280, 800), "ja"), ((800, 600), "id"), ((1920, 1080), "en")]


@pytest.mark.parametrize(("size", "language"), [
    pytest.param(size, language, marks=() if at == 1 else (pytest.mark.long,), id=f"{size[0]}-{language}")
    for at, (size, language) in enumerate(SIZES)
])  # fmt: skip
def test_every_state_of_a_hand_stands_on_one_screen(at: At, size: tuple[int, int], language: str) -> None:
    path = f"/dealer/{ofc.TABLE}?language={language}"
    station = at(FakeFloor(ofc.STATES["before"]), "dora", path, width=size[0], height=size[1])
    for name, view in ofc.STATES.items():
        page = shown(station, view)
        assert max(page.evaluate(OVER)) <= 0, name
        assert page.evaluate(BURST) == [], name
        assert page.evaluate(COVERED) == [], name


@pytest.mark.long
@pytest.mark.parametrize(("badge", "path"), [("dora", "/dealer"), ("paul", "/pit"), ("", "/display")])
def test_the_boards_break_no_rule(at: At, badge: str, path: str) -> None:
    station = at(FakeFloor(ofc.STATES["before"]), badge, f"{path}/{ofc.TABLE}")
    for state, language in zip(("fantasy", "settled", "two seats"), LANGUAGES, strict=True):
        station.open(f"{path}/{ofc.TABLE}?language={language}")
        page = shown(station, ofc.STATES[state])
        assert wrong_on(page) == [], state
        assert page.evaluate(BURST) == [], state
        assert page.evaluate(COVERED) == [], state
