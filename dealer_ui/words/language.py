"""Languages: keys become words, from the babel catalogues under `translations/`, one a language.

A message is looked up in the language, then in English, then its key is spelled out, so that a screen never
fails for want of a word. A value whose name is a family of the catalogue is translated too: `box="player1"`
is looked up as `box.player1`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from babel import Locale
from babel.dates import format_datetime
from babel.lists import format_list
from babel.messages.pofile import read_po
from babel.numbers import format_compact_decimal, format_currency, format_decimal

from studio.errors import RefusedError
from studio.money import format_minor
from studio.spoken import Amount, Moves, Places, Seats, Value
from studio.views.shape import ButtonView, HindranceView, RowWords, Words

ENGLISH: Final = "en"
LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "ja": "日本語", "id": "Bahasa Indonesia"}
"""Every language there is a catalogue for, by its tag, in its own name."""

FIGURES_KEPT: Final = 4_096
"""So many figures are kept as they are written in a language: a screen writes the same ones each time it is drawn."""
_FOLDER: Final = Path(__file__).parent.parent / "translations"


_BET_OF_BOX: Final = re.compile(r"(player[0-9]|banker)_(\w+)")
_BET_OF_NUMBER: Final = re.compile(r"([0-9]+):(\w+)")


class _Spelled(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return f"({name})"


class Language:
    """One language: its words, its numbers, its money and its times."""

    def __init__(self, tag: str, messages: Mapping[str, str], behind: Language | None = None) -> None:
        self.tag = tag
        self.locale = Locale.parse(tag)
        self._messages = messages
        self._behind = behind

    def knows(self, key: str) -> bool:
        return key in self._messages or (self._behind is not None and self._behind.knows(key))

    def keys(self) -> frozenset[str]:
        return frozenset(self._messages)

    def say(self, key: str, /, **values: Value | None) -> str:
        """The words of `key` filled in; a key nobody wrote down is spelled out."""
        pattern = self._pattern(key)
        if pattern is None:
            return spell(key)
        return pattern.format_map(_Spelled({name: self._value(name, value) for name, value in values.items()}))

    def words(self, words: Words) -> str:
        inner = {name: self.words(one) for name, one in words.inner.items()}
        return self.say(words.key, **words.values, **inner)

    def either(self, key: str, otherwise: str) -> str:
        """The words of `key`, or the sentence given when no catalogue has it."""
        return self._pattern(key) or otherwise

    def row(self, words: RowWords, otherwise: str) -> str:
        """What a row of the procedures says: a studio's own words, else the catalogue's, else those given."""
        return words.own.get(self.tag) or self._pattern(words.key) or otherwise

    def refusal(self, error: RefusedError) -> str:
        """The refusal's own English sentence, or this language's for its key, filled with what it names."""
        return self._refused(error.words_key, error.sentence, error.values)

    def _refused(self, key: str, sentence: str, values: Mapping[str, Value]) -> str:
        words = next((one for one in _families(key) if self._pattern(one) is not None), None)
        return sentence if words is None else self.say(words, **values)

    def why_off(self, off: ButtonView | HindranceView | None) -> str:
        """Why something cannot be done now; empty when it can."""
        return (
            self._refused(off.refused_key, off.refused, off.refused_values) if off is not None and off.refused else ""
        )

    def name(self, family: str, key: str) -> str:
        """What a box, a bet, a device… is called: `name("box", "player1")`."""
        return self.say(f"{family}.{key}") if key else ""

    def bet(self, key: str) -> str:
        """What a bet is called, with the box it lies on where there are several."""
        if (found := _BET_OF_BOX.fullmatch(key)) and not self.knows(f"bet.{key}"):
            return f"{self.name('box', found[1])} · {self.name('bet', found[2])}"
        if found := _BET_OF_NUMBER.fullmatch(key):
            return f"{found[1]} · {self.name('bet', found[2])}"
        return self.name("box" if not self.knows(f"bet.{key}") and self.knows(f"box.{key}") else "bet", key)

    def money(self, amount_minor: int, currency: str) -> str:
        return _money(self.tag, amount_minor, currency)

    def chip(self, amount_minor: int, currency: str) -> str:
        """An amount as short as it is written on a chip: `25`, `20K`."""
        figure = Decimal(format_minor(amount_minor, currency).split()[0])
        return format_compact_decimal(figure, locale=self.locale, fraction_digits=1)

    def seats(self, keys: Iterable[str]) -> str:
        """Seats as they are named in a sentence: `seat 4`, `seats 2 and 5`."""
        numbers = [key.removeprefix("seat") for key in keys]
        if len(numbers) == 1:
            return self.say("seats.one", n=numbers[0])
        return self.say("seats.several", numbers=format_list(numbers, locale=self.locale))

    def number(self, value: float | int) -> str:
        return _number(self.tag, value)

    def percent(self, value: float) -> str:
        return f"{format_decimal(value, '0.00', locale=self.locale)} %"

    def time(self, at_ms: int) -> str:
        """Hours, minutes and seconds, UTC."""
        return format_datetime(_moment(at_ms), "HH:mm:ss", locale=self.locale)

    def moment(self, at_ms: int) -> str:
        """Date and time to the millisecond, UTC, the same in every language."""
        return _moment(at_ms).strftime("%Y-%m-%d %H:%M:%S.") + f"{at_ms % 1000:03d}"

    def _pattern(self, key: str) -> str | None:
        found = self._messages.get(key)
        if found is None and self._behind is not None:
            return self._behind._pattern(key)
        return found

    def _value(self, name: str, value: Value | None) -> str:
        match value:
            case None:
                return ""
            case Places():
                return ", ".join(self.say("felt.spoken", box=zone, place=place) for zone, place in value.slots)
            case Moves():
                return ", ".join(self.say("felt.move", place=str(place), line=row) for place, row in value.to)
            case Amount():
                return self.money(value.minor, value.currency)
            case Seats():
                return self.seats(value.keys)
            case int():
                return self.number(value)
        return value if name == "row" else self._named(name, value)  # a row goes by its id; `row.TK11` are its words

    def _named(self, name: str, value: str) -> str:
        family = "box" if name in ("zone", "seat") and not self.knows(f"{name}.{value}") else name
        return self._pattern(value) or self._pattern(f"{family}.{value}") or value


class Languages:
    """The catalogues, each read when first asked for."""

    def __init__(self, default: str = ENGLISH) -> None:
        self.default = default if default in LANGUAGES else ENGLISH
        self._read: dict[str, Language] = {}

    def speak(self, tag: str) -> Language:
        """The language of that tag, or the studio's own when there is none such."""
        tag = tag if tag in LANGUAGES else self.default
        if tag not in self._read:
            behind = None if tag == ENGLISH else self.speak(ENGLISH)
            self._read[tag] = Language(tag, read_catalogue(tag), behind)
        return self._read[tag]

    def choose(self, wanted: Iterable[str]) -> Language:
        """The first of the wanted tags there is a catalogue for."""
        return self.speak(next((tag for tag in wanted if tag in LANGUAGES), self.default))


@lru_cache(maxsize=FIGURES_KEPT)
def _money(tag: str, amount_minor: int, currency: str) -> str:
    figure = Decimal(format_minor(amount_minor, currency).split()[0])
    return format_currency(figure, currency, locale=tag)


@lru_cache(maxsize=FIGURES_KEPT, typed=True)
def _number(tag: str, value: float | int) -> str:
    return format_decimal(value, locale=tag)


def _families(words_key: str) -> tuple[str, ...]:
    """The catalogue keys to look for a refusal's words under: its whole key, then the first part of it."""
    return f"refused.{words_key}", f"refused.{words_key.partition('.')[0]}"


@cache
def read_catalogue(tag: str) -> Mapping[str, str]:
    """The words of every catalogue of a language: each room of the house has a file of its own."""
    found: dict[str, str] = {}
    for path in sorted((_FOLDER / tag / "LC_MESSAGES").glob("*.po")):
        with path.open("rb") as file:
            catalogue = read_po(file, locale=tag)
        found.update({str(one.id): str(one.string) for one in catalogue if one.id and one.string})
    return found


def spell(key: str) -> str:
    """
    >>> spell("act.square_card")
    'Square card'
    """
    return key.rsplit(".", 1)[-1].replace("_", " ").capitalize()


def _moment(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, UTC)
