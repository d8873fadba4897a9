"""Writes `docs/practising.md` from the recipes themselves.

`python -m dealer_ui.rehearsal.practice.page docs/practising.md` writes it anew; a test compares it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dealer_ui.rehearsal.practice.recipe import EVERY, PRACTICES, Practice, row_for
from dealer_ui.words.language import ENGLISH, Language, Languages
from studio.games import find_game

_INTRODUCTION: Final = """# Practising every incident

Written from the recipes (`python -m dealer_ui.rehearsal.practice.page docs/practising.md`); do not edit. A test plays
each of them at a simulated table of each game named, with the same hands and the same faults, and holds it to its row.

Start `studio demo --game KEY`, sign in as a dealer: the page shows the console, and under it the felt as it really
lies. **Practise** (L) lists the recipes of that game, with a button for every step of the hands; a mark shows which
incidents this demo has seen. The pit rules in another window, as the page says."""

_LAST: Final = """Whatever a recipe breaks stays broken until it is mended: tap its red sign. Where no row fits, the pit
boss voids the round or lets it go on. What each row says in full is in the [procedures](procedures/README.md)."""


def page() -> str:
    """The whole page, in English."""
    say = Languages().speak(ENGLISH)
    lines = [_INTRODUCTION, "", *_table(say), "", _LAST, ""]
    return "\n".join(lines)


def _table(say: Language) -> Iterator[str]:
    yield "| row | incident | games | when | what you do | what the system says, and what is done |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for one in PRACTICES:
        yield f"| {' | '.join(_cells(one, say))} |"


def _cells(one: Practice, say: Language) -> tuple[str, ...]:
    games = "every game" if one.games == EVERY else ", ".join(find_game(game).title for game in one.games)
    steps = " → ".join(say.words(step.words) for step in one.steps)
    kind = f"[{say.name('incident', one.kind)}](procedures/{one.kind}.md)"
    row = row_for(one, one.games[0])
    return one.row, kind, games, say.say(f"practice.at.{one.at}"), steps, f"`{row.ruling}`: {row.text}"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
