"""The cells of a report in words and figures of a language, at the studio's own time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Final

from babel.dates import format_date, format_datetime
from babel.numbers import format_decimal, format_percent
from babel.units import format_unit

from dealer_ui.past import coded
from dealer_ui.past.change import ChangeWords
from dealer_ui.words.language import Language, spell
from studio.reports import Cell, Column, Money, Note, Sort
from studio.tables.event.situation import Situation

_MINUTE_MS: Final = 60_000
_HOUR_MS: Final = 60 * _MINUTE_MS
_SECOND_MS: Final = 1000
_FIGURES: Final = frozenset({Sort.COUNT, Sort.NUMBER, Sort.SHARE, Sort.MONEY, Sort.LENGTH, Sort.CHANCE})
_LEAST_CHANCE: Final = 0.0001


@dataclass(frozen=True, slots=True)
class CellText:
    """A cell as it is shown. `figure`: set to the right; `raw`: what a browser sorts it by."""

    text: str
    figure: bool


@dataclass(frozen=True, slots=True)
class Speaker:
    """Says the cells of reports in a language; moments in the studio's zone."""

    language: Language
    zone: tzinfo

    def tell(self, cell: Cell, column: Column) -> CellText:
        return CellText(self.text(cell, column), column.sort in _FIGURES)

    def text(self, cell: Cell, column: Column) -> str:
        match cell, column.sort:
            case None, _:
                return "–"
            case Money(amount, currency), _:
                return self.language.money(amount, currency)
            case Situation(), _:
                return ChangeWords(self.language).say(cell)
            case str(), Sort.KEY:
                return " ".join(
                    self.word(column.family, one) for one in (cell.split() if column.key == "games" else [cell])
                )
            case str(), _:
                return cell
            case int() | float(), sort:
                return self._figure(cell, sort)

    def word(self, family: str, key: str) -> str:
        """The words of a key; the key itself where it has none: an id, or a kind that is newer than the catalogue."""
        if not key:
            return ""
        if family == "bet":
            return self._bet(key)
        if (said := self._coded(family, key)) is not None:
            return said
        spelled = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key)
        return self.language.either(f"{family}.{key}", spell(spelled) if key.replace("_", "").isalpha() else key)

    def _coded(self, family: str, key: str) -> str | None:
        """The words for a key that is no plain word of the catalogue: a person, a device, a change; None for others."""
        match family:
            case "change":
                return ChangeWords(self.language).say(key)
            case "detail":
                return coded.detail(self.language, key)
            case "device":
                return self.language.either(f"device.{key}", key)
            case "link":
                return coded.said_by_device(self.language, key) or key
            case "person":
                return " + ".join(coded.person(self.language, one) or one for one in key.split(" + "))
            case "reason":
                return coded.word(self.language, "reason_code", key) or key
            case "row":
                return coded.word(self.language, "act", key) or key
            case "about":
                return coded.about(self.language, key)
            case "game":
                return coded.game(self.language, key) or key
        return None

    def _bet(self, key: str) -> str:
        """Of a box's own bet, `player1_pair_plus` or `3:main`, the box is said with it."""
        if key.partition(":")[0].isdigit():
            return self.language.bet(key)
        box, _, bet = key.partition("_")
        if not self.language.knows(f"bet.{key}") and self.language.knows(f"box.{box}"):
            return f"{self.word('box', box)} · {self._bet(bet)}"
        return self.language.either(f"bet.{key}", spell(key))

    def head(self, column: Column) -> str:
        return self.language.say(f"report.column.{column.key}")

    def note(self, note: Note) -> str:
        """The catalogue's sentence; the note's own English one where the catalogue has none."""
        key = f"report.note.{note.key}"
        return self.language.say(key, **note.values) if self.language.knows(key) else note.english

    def moment(self, at_ms: int) -> str:
        """Date and time of day, as the language writes them, in the studio's zone."""
        found = datetime.fromtimestamp(at_ms / _SECOND_MS, UTC)
        return format_datetime(found, "medium", tzinfo=self.zone, locale=self.language.locale)

    def day(self, at_ms: int) -> str:
        found = datetime.fromtimestamp(at_ms / _SECOND_MS, self.zone)
        return format_date(found.date(), "medium", locale=self.language.locale)

    def length(self, length_ms: int) -> str:
        locale = self.language.locale
        if length_ms < _MINUTE_MS:
            return format_unit(round(length_ms / _SECOND_MS, 1), "duration-second", "short", locale=locale)
        hours, rest = divmod(length_ms, _HOUR_MS)
        minutes = format_unit(rest // _MINUTE_MS, "duration-minute", "short", locale=locale)
        if not hours:
            seconds = rest % _MINUTE_MS // _SECOND_MS
            return f"{minutes} {format_unit(seconds, 'duration-second', 'short', locale=locale)}"
        return f"{format_unit(hours, 'duration-hour', 'short', locale=locale)} {minutes}"

    def _figure(self, cell: float, sort: Sort) -> str:
        locale = self.language.locale
        if sort is Sort.DAY:
            return self.day(int(cell))
        if sort is Sort.MOMENT:
            return self.moment(int(cell))
        if sort is Sort.LENGTH:
            return self.length(int(cell))
        if sort is Sort.SHARE:
            return format_percent(cell, "0.00 %", locale=locale)
        if sort is Sort.CHANCE:
            least = format_decimal(_LEAST_CHANCE, "0.0000", locale=locale)
            return f"< {least}" if cell < _LEAST_CHANCE else format_decimal(cell, "0.0000", locale=locale)
        return format_decimal(cell, "#,##0.00" if isinstance(cell, float) else "#,##0", locale=locale)
