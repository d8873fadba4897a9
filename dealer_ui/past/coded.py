"""Words for what the record keeps as a code: reasons, verdicts, acts, papers, accounts.

The words stand in the catalogues under `coded.*`, or under the family that names the same thing on a screen. Whatever
has no words there is not a code: it is a name, an id, or text that somebody typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from dealer_ui.words.language import ENGLISH, Language, read_catalogue
from studio.games import GAMES
from studio.people import LICENCE
from studio.procedures.rule import BY_GAME, words_key

_FAMILIES: Final[Mapping[str, tuple[str, ...]]] = {
    "act": ("ruling", "round.act", "button", "report.act"),
    "CameraBlind.reason": ("blind",),
    "alarm": ("alarm",),
    "command": ("order",),
    "during": ("during",),
    "incident": ("incident",),
    "order": ("order",),
    "outcome": ("complaint.outcome",),
    "pays": ("pays",),
    "reason_code": ("reason",),
    "ruling": ("ruling",),
    "rule": ("record.rule",),
    "service": ("service",),
    "stage": ("stage",),
    "state": ("machine",),
    "verdict": ("deck.verdict", "alarm"),
    "why": ("ruling", "reason", "record.why", "pay_table"),
}
"""Where the words of a field, or of a field of one kind of row, stand beside `coded.<field>`."""

_DETAIL: Final = (
    "ruling", "reason_code", "act", "incident", "order", "service", "paper", "role", "pays", "outcome", "alarm",
)  # fmt: skip
"""What the detail of an act may be, of whatever kind."""

_DEVICES_SAY: Final = ("coded.link.", "coded.order.")
"""Sentences of devices: of a link that was lost, and of an order that was not carried out."""

_TITLES: Final = {game.key: game.title for game in GAMES}
_RULED: Final = re.compile(r"([a-z_]+): (.*)", re.DOTALL)
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def word(language: Language, field: str, value: str, kind: str = "") -> str:
    """The word of a code in that field of a row of that kind; empty where it is none.

    A reason may have words of the person behind it, as in `card_damaged: torn`.
    """
    if found := next((language.say(key) for key in _keys(kind, field, value) if language.knows(key)), ""):
        return found
    match field:
        case "paper":
            return language.say("staff.licence") if value == LICENCE else game(language, value)
        case "game":
            return game(language, value)
        case "role":
            return language.say(f"role.{value}") if language.knows(f"role.{value}") else ""
        case "reason" | "why" if spoken := said_by_device(language, value):
            return spoken
        case "why" if (ruled := _RULED.fullmatch(value)) and (reason := word(language, "reason_code", ruled[1])):
            return f"{reason}: {ruled[2]}" if ruled[2] else reason
    return ""


def detail(language: Language, value: str) -> str:
    """What an act was about, in words as far as it is a code; several stand with commas between."""
    return ", ".join(_detail(language, one) for one in value.split(", "))


def about(language: Language, value: str) -> str:
    """What an alarm or a matter of a shift is about: an incident, a device, how a camera fails; else a name, an id."""
    keys = (f"{family}.{value}" for family in ("incident", "device", "blind", "trouble"))
    return next((language.say(key) for key in keys if language.knows(key)), "") or person(language, value) or value


def person(language: Language, name: str) -> str:
    """The word for what stands in a person's field and is no person: the system, a device. Empty for a person."""
    keys = (f"coded.person.{_slug(name)}", f"device.{name}")
    return next((language.say(key) for key in keys if language.knows(key)), "")


def game(language: Language, key: str) -> str:
    """The name of a game in the language, or its own name; empty when the key names no game."""
    title = _TITLES.get(key, "")
    return language.either(f"game.{key}", title) if title else ""


def row_text(language: Language, row: str, text: str) -> str:
    """What a row of the procedures says, in the language where the row ships with the house."""
    keys = (words_key(game, row, text) for game in BY_GAME)
    return language.either(f"row.{next((key for key in keys if key), '')}", text)


def account(language: Language, key: str, titles: Mapping[str, str]) -> str:
    """Where money lies, in words: `escrow:t1-0000004` are the stakes of a round."""
    family, _, rest = key.partition(":")
    house, _, name = rest.partition("/")
    match family:
        case "bettor" | "receivable" | "promotion":
            operator, _, bettor = rest.partition(":")
            bettor, _, table = bettor.partition("/")
            kind = "chips" if table in titles else family
            return language.say(
                f"coded.account.{kind}", bettor=bettor, operator=operator, table=titles.get(table, table)
            )
        case "escrow" | "prize":
            return language.say(f"coded.account.{family}", round=rest)
        case "operator" | "pot" | "suspense":
            return language.say(f"coded.account.{family}", name=rest)
        case "house" if rest == "carried":
            return language.say("coded.account.carried")
        case "house" if house in _HOUSES:
            return language.say(f"coded.account.{_HOUSES[house]}", name=name)
        case "house":
            return language.say("coded.account.house", table=titles.get(rest, rest))
    return key


_HOUSES: Final = {"write_off": "write_off", "pot": "pot_house", "exchange": "exchange"}


def said_by_device(language: Language, sentence: str) -> str:
    """The translation of an English sentence that devices say; empty when it is none of those."""
    for key, pattern in _sentences():
        if found := pattern.fullmatch(sentence):
            said = {name: said_by_device(language, text) or text for name, text in found.groupdict().items()}
            return language.say(key, **said)
    return ""


@cache
def _sentences() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The English catalogue holds the sentences as devices say them."""
    told = ((key, text) for key, text in read_catalogue(ENGLISH).items() if key.startswith(_DEVICES_SAY))
    return tuple((key, re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(text)))) for key, text in told)


def _keys(kind: str, field: str, value: str) -> Iterator[str]:
    slug = _slug(value)
    yield f"coded.{kind}.{field}.{slug}"
    yield f"coded.{field}.{slug}"
    for family in (*_FAMILIES.get(f"{kind}.{field}", ()), *_FAMILIES.get(field, ())):
        yield f"{family}.{slug}"


def _slug(value: str) -> str:
    """
    >>> _slug("WithdrawShoe"), _slug("the game was changed")
    ('withdraw_shoe', 'the_game_was_changed')
    """
    return _CAMEL.sub("_", value).replace(" ", "_").lower()


def _detail(language: Language, value: str) -> str:
    found = (word(language, field, value) for field in _DETAIL)
    return next((one for one in found if one), "") or person(language, value) or value
