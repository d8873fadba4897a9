"""What a live screen is, and how one is drawn.

A screen is drawn twice from one template: whole for the page, and again for the stream whenever its table moved.
Nothing that changes without a journalled event or a pulse may be in a fragment: clocks run in the browser.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from dealer_ui.access.sessions import Viewer
from dealer_ui.felt.act import act_of, label_of, phase_word, ready_said, speaks
from dealer_ui.felt.face import back_of, face_of, marks_of, settled_of
from dealer_ui.felt.seats import columns_of, oval_of
from dealer_ui.felt.spread import in_use, is_row, most_cards, pointed_of, shown, spread_of
from dealer_ui.floor.house import House
from dealer_ui.words.language import LANGUAGES, Language
from dealer_ui.words.local_time import LocalTime

TEMPLATES: Final = Path(__file__).parent.parent / "templates"
STATIC: Final = Path(__file__).parent.parent / "static"


EVERYWHERE: Final = LocalTime("UTC")
"""Where nobody has said in which zone the studio is."""


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


@cache
def pages_version() -> str:
    """Changes with any template, style or script: a page that another version drew is then loaded again."""
    found = hashlib.sha256()
    for path in sorted(path for folder in (TEMPLATES, STATIC) for path in folder.rglob("*.*")):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:12]


@cache
def _templates() -> Environment:
    """Every template, compiled once a process."""
    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals.update(
        languages=LANGUAGES, face_of=face_of, back_of=back_of, marks_of=marks_of, settled_of=settled_of, act_of=act_of,
        spread_of=spread_of, pointed_of=pointed_of, in_use=in_use, most_cards=most_cards, rooms_of=rooms_of,
        label_of=label_of, phase_word=phase_word, shown=shown, is_row=is_row, oval_of=oval_of, columns_of=columns_of,
        speaks=speaks, ready_said=ready_said,
    )  # fmt: skip
    return found


class Artist:
    """Draws templates; `times` are the studio's. Thread-safe; knows no request."""

    def __init__(self, times: LocalTime = EVERYWHERE) -> None:
        self.times = times
        self._kept: dict[tuple[str, str, str], tuple[object, Drawn]] = {}

    def draw(self, template: str, language: Language, viewer: Viewer | None, **values: Any) -> str:
        known = {"say": language.say, "words": language.words, "pages_version": pages_version(), "times": self.times}
        return _templates().get_template(template).render(language=language, viewer=viewer, **known, **values)

    def fragment(self, screen: Screen, asked: Asked) -> Drawn:
        seq, values = screen.draw(asked)
        return Drawn(seq, self.draw(screen.fragment, asked.language, asked.viewer, **values))

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
            stream=path, view=table, now_ms=asked.house.now_ms(), **values,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Room:
    """A page. `word` is a key of the catalogues; whoever may do one of the `actions` may enter."""

    path: str
    word: str
    actions: tuple[str, ...]


ROOMS: Final = (
    Room("/pit", "pit.title", ("view_pit",)),
    Room("/pit/complaints", "complaint.title", ("view_pit",)),
    Room("/pit/wallets", "wallets.title", ("view_pit",)),
    Room("/pit/pots", "pots.title", ("view_pit",)),
    Room("/decks", "decks.title", ("view_decks",)),
    Room("/reports", "report.title", ("view_reports",)),
    Room("/audit", "record.title", ("view_audit",)),
    Room("/operators", "operators.title", ("view_operators",)),
    Room("/shift", "shift.title", ("view_shift",)),
    Room("/staff", "staff.title", ("view_staff",)),
    Room("/procedure", "procedure.title", ("view_pit",)),
    Room("/devices", "devices.title", ("view_devices",)),
    Room("/technician", "technician.title", ("view_technician",)),
)
"""Every room of the menu, in its order."""


def rooms_of(viewer: Viewer | None) -> tuple[Room, ...]:
    """The rooms this person may enter; none where there is nothing to choose."""
    if viewer is None:
        return ()
    found = tuple(room for room in ROOMS if any(map(viewer.may, room.actions)))
    return found if len(found) > 1 else ()
