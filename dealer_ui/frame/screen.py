"""What a live screen is, and how one is drawn.

A screen is drawn twice from one template: whole for the page, and again for the stream whenever its table moved.
Nothing that changes without a journalled event or a pulse may be in a fragment: clocks run in the browser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from dealer_ui.access.sessions import Viewer
from dealer_ui.floor.house import House
from dealer_ui.frame.template import EVERYWHERE, templates
from dealer_ui.words.language import Language
from dealer_ui.words.local_time import LocalTime


@dataclass(frozen=True, slots=True)
class Asked:
    """One asking for a screen: whose, of which table (empty: the whole house), in which language."""

    house: House
    table: str
    viewer: Viewer | None
    language: Language


@dataclass(frozen=True, slots=True)
class Drawn:
    """A fragment as of journal number `seq`."""

    seq: int
    html: str


def _steady(asked: Asked) -> object:
    return ()


@dataclass(frozen=True, slots=True)
class Screen:
    """One live screen: who may see it, and how it is drawn.

    `actions`: the rights of which a viewer needs one; with none the screen is public. `draw` gives the seq at which it
    was drawn, and the template's values. `pulse` is asked at each beat, and changes whenever the screen must be drawn
    again though the journal did not move. `folder` holds the templates, where it is not called as the screen is.
    `shared`: every viewer sees the same, so the screen is drawn once for each language.
    """

    name: str
    actions: tuple[str, ...]
    draw: Callable[[Asked], tuple[int, Mapping[str, Any]]]
    of_table: bool = True
    pulse: Callable[[Asked], object] = _steady
    folder: str = ""
    shared: bool = False

    @property
    def fragment(self) -> str:
        return f"{self.folder or self.name}/live.html"

    @property
    def page(self) -> str:
        return f"{self.folder or self.name}/page.html"

    def open_to(self, viewer: Viewer | None) -> bool:
        if not self.actions:
            return True
        return viewer is not None and any(viewer.may(action) for action in self.actions)


class Artist:
    """Draws templates; `times` are the studio's. Thread-safe; knows no request."""

    def __init__(self, times: LocalTime = EVERYWHERE) -> None:
        self.times = times
        self._kept: dict[tuple[str, str, str], tuple[object, Drawn]] = {}

    def draw(self, template: str, language: Language, viewer: Viewer | None, **values: Any) -> str:
        return templates(language, self.times).get_template(template).render(viewer=viewer, **values)

    def fragment(self, screen: Screen, asked: Asked) -> Drawn:
        seq, values = screen.draw(asked)
        pit_seq = asked.house.pit.seq
        return Drawn(seq, self.draw(screen.fragment, asked.language, asked.viewer, pit_seq=pit_seq, **values))

    def drawn_at(self, mark: object, screen: Screen, asked: Asked) -> Drawn:
        """The fragment as it is since that mark; of a shared screen one drawing for all."""
        if not screen.shared:
            return self.fragment(screen, asked)
        key = (screen.name, asked.table, asked.language.tag)
        kept = self._kept.get(key)
        if kept is None or kept[0] != mark:
            kept = self._kept[key] = (mark, self.fragment(screen, asked))
        return kept[1]

    def page(self, screen: Screen, asked: Asked, **values: Any) -> str:
        """The whole page around its fragment."""
        drawn = self.fragment(screen, asked)
        table = asked.house.view(asked.table) if screen.of_table else None
        path = f"/stream/{screen.name}/{asked.table}" if screen.of_table else f"/stream/{screen.name}"
        return self.draw(
            screen.page, asked.language, asked.viewer, fragment=Markup(drawn.html), seq=drawn.seq,  # noqa: S704 - ours, escaped
            stream=path, view=table, now_ms=asked.house.now_ms(), pit_seq=asked.house.pit.seq, **values,
        )  # fmt: skip
