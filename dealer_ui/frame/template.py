"""Templates: compiled once a process, read in an environment of each language, with parts that are kept as they were
drawn.

Words, times and functions are the environment's own, so a template of macros that needs nothing else is imported
without context: it is read once, not at every drawing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, MutableMapping
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType
from typing import Any, Final

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

from dealer_ui.felt.act import act_of, label_of, phase_word, ready_said, speaks
from dealer_ui.felt.face import back_of, face_of, marks_of, settled_of
from dealer_ui.felt.seats import columns_of, oval_of
from dealer_ui.felt.spread import in_use, is_row, most_cards, pointed_in, pointed_of, shown, spread_of
from dealer_ui.frame.room import rooms_of
from dealer_ui.words.language import LANGUAGES, Language
from dealer_ui.words.local_time import LocalTime

TEMPLATES: Final = Path(__file__).parent.parent / "templates"
STATIC: Final = Path(__file__).parent.parent / "static"
EVERYWHERE: Final = LocalTime("UTC")
"""Where nobody has said in which zone the studio is."""
PARTS_KEPT: Final = 2_048
"""So many drawings of parts are kept in each language, a kilobyte or two each; a table shows some dozens."""


@cache
def pages_version() -> str:
    """Changes with any template, style or script: a page that another version drew is then loaded again."""
    found = hashlib.sha256()
    for path in sorted(path for folder in (TEMPLATES, STATIC) for path in folder.rglob("*.*")):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:12]


class Kept:
    """Parts of screens in one language, each drawn once for the values it is drawn from. Thread-safe.

        {% call once_for(box, marks) %}…{% endcall %}

    What stands inside may read these values, words, and the functions of every template; nothing of the viewer, the
    time or the table. So it is the same for everybody who is shown the same, and cannot grow old.
    """

    def __init__(self) -> None:
        self._drawn: dict[tuple[object, ...], str] = {}

    def __call__(self, *values: object, caller: Callable[[], str]) -> str:
        drawn = self._drawn.get(values)
        if drawn is None:
            if len(self._drawn) >= PARTS_KEPT:
                self._drawn.clear()
            drawn = self._drawn[values] = caller()
        return drawn


class _Compiled(BytecodeCache):
    """What a template was compiled to, for every language of the process."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._codes[bucket.key, bucket.checksum] = bucket.code


_COMPILED: Final = _Compiled()


class OneLanguage(Environment):
    """An environment whose templates have its globals and none of their own: an import need not compare them."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


@lru_cache(maxsize=32)
def templates(language: Language, times: LocalTime) -> Environment:
    """Every template in this language; `times` are the studio's."""
    found = OneLanguage(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_COMPILED,
    )
    found.globals.update(
        language=language, say=language.say, words=language.words, times=times, pages_version=pages_version(),
        once_for=Kept(), languages=LANGUAGES, rooms_of=rooms_of, face_of=face_of, back_of=back_of, marks_of=marks_of,
        settled_of=settled_of, act_of=act_of, label_of=label_of, phase_word=phase_word, speaks=speaks,
        ready_said=ready_said, spread_of=spread_of, pointed_of=pointed_of, pointed_in=pointed_in, in_use=in_use,
        most_cards=most_cards, shown=shown, is_row=is_row, oval_of=oval_of, columns_of=columns_of,
    )  # fmt: skip
    return found
