"""Every text of a page that somebody reads or is read to, piece by piece, as the markup cuts it.

What is no language's is left out by its element: code, scripts, drawings, and whatever a page marks `translate="no"`.
"""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Final

SPOKEN: Final = ("aria-label", "alt", "title", "placeholder", "summary")
"""Attributes that are shown or spoken."""
_NO_LANGUAGE: Final = frozenset({"code", "pre", "script", "style", "svg", "template"})
_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        silent = self._silent or tag in _NO_LANGUAGE or given.get("translate") == "no"
        if not silent:
            self._spoken(tag, given)
        if tag not in _VOID:
            self._open.append((tag, silent))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._silent:
            self._spoken(tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        names = [name for name, _ in self._open]
        if tag in names:
            del self._open[len(names) - 1 - names[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._take(data)

    @property
    def _silent(self) -> bool:
        return bool(self._open) and self._open[-1][1]

    def _spoken(self, tag: str, given: dict[str, str | None]) -> None:
        for name in SPOKEN:
            self._take(given.get(name) or "")
        if tag == "input" and given.get("type") in ("submit", "button"):
            self._take(given.get("value") or "")

    def _take(self, text: str) -> None:
        if whole := " ".join(text.split()):
            self.found.append(whole)


def texts_of(html: str) -> list[str]:
    """
    >>> texts_of('<p title="Seat 4">Dealt <b>at once</b></p><code>{"a": 1}</code><p translate="no">As written</p>')
    ['Seat 4', 'Dealt', 'at once']
    """
    reader = _Texts()
    reader.feed(html)
    reader.close()
    return reader.found
