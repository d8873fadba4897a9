"""What may be said about an incident: its phase, and the names and values of its circumstances.

Three sources, the first that speaks wins: what was given, what the kind of incident implies, what the phase
implies. What nobody says is unknown (None), and an unknown never fulfils a condition that needs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from studio.errors import BadInputError

PHASES = ("shuffling", "burning", "betting", "dealing", "deciding", "revealing", "result", "settled")

BEFORE_BETS = ("shuffling", "burning", "betting")
"""The phases in which no bet is in, unless `bets_in` says otherwise."""

Value = bool | int | str

FLAGS: Mapping[str, str] = {
    "identified": "the card was identified before it left the view (unless given: it was not)",
    "revealed": "a face was seen that should not be seen yet; of several cards, at least one",
    "read": "the card, or every card concerned, was read with confidence",
    "bets_in": "bets are in (unless given: not while shuffling, burning or betting)",
    "next_dealt": "the next card has been dealt already",
    "harmed": "the trouble touches a card or a result",
    "expected": "the device's configuration expects this error code",
    "action": "bettors have acted on these cards (poker room: substantial action)",
    "refused": "the box had refused a card (Blackjack)",
    "drawn": "the boxed card has left the shoe already",
    "reveal_done": "cards were turned by a reveal already (unless given: not before the result)",
}
NUMBERS: Mapping[str, str] = {
    "count": "how many cards are concerned (unless given: 1, where the kind speaks of one card)",
    "card_number": "which card of the deal it was, from 1 (poker room)",
    "dealer_total": "the dealer's total when he drew (Blackjack)",
    "rows_open": "how many of the bettor's rows are open (Open-Face Chinese)",
}
WORDS: Mapping[str, tuple[str, ...]] = {
    "pattern": ("reversed", "other"),
    "moment": ("street", "last"),
    "board": ("flop", "turn", "river"),
    "drawn_for": ("player", "banker"),
}

_YES = frozenset({"true", "yes", "y", "on", "1"})
_NO = frozenset({"false", "no", "n", "off", "0"})
_BOX_CARDS = re.compile(r"(?P<box>[a-z0-9_]+)_cards")

_ONE_CARD = {"count": 1}
KIND_IMPLIES: Mapping[str, Mapping[str, Value]] = {
    "boxed_card": _ONE_CARD,
    "extra_card": _ONE_CARD,
    "exposed_card": {"count": 1, "revealed": True},
}
_ALWAYS_IMPLIED: Mapping[str, Value] = {"identified": False}


@dataclass(frozen=True, slots=True)
class Circumstances:
    """One incident's phase, what was given about it, and what its kind and phase imply."""

    phase: str
    given: Mapping[str, Value]
    implied: Mapping[str, Value]

    def value(self, name: str) -> Value | None:
        """What is known under this name, or None."""
        if name == "phase":
            return self.phase
        if name in self.given:
            return self.given[name]
        return self.implied.get(name)

    def boxes(self) -> dict[str, int]:
        """The boxes whose number of cards was given."""
        found = {}
        for name, value in self.given.items():
            match = _BOX_CARDS.fullmatch(name)
            if match and isinstance(value, int):
                found[match["box"]] = int(value)
        return found


def circumstances(
    kind: str,
    phase: str,
    given: Mapping[str, object],
    *,
    boxes: Iterable[str],
    dealt_after_bets: Iterable[str] = (),
) -> Circumstances:
    """Read what was given about an incident, in text or as values; `BadInputError` lists what is allowed.

    `dealt_after_bets`: the boxes that hold no card before bets are in, which a phase before them implies.
    """
    if phase not in PHASES:
        raise BadInputError(f"There is no phase '{phase}'. The phases are: {', '.join(PHASES)}.")
    allowed = tuple(boxes)
    read = {name: _read(name, value, allowed) for name, value in given.items()}
    before = phase in BEFORE_BETS
    implied: dict[str, Value] = {**_ALWAYS_IMPLIED, "bets_in": not before, "action": phase not in _NO_ACTION}
    if before:
        implied |= {f"{box}_cards": 0 for box in dealt_after_bets}
    return Circumstances(phase, read, {**implied, **KIND_IMPLIES.get(kind, {})})


_NO_ACTION = (*BEFORE_BETS, "dealing")


def _read(name: str, value: object, boxes: tuple[str, ...]) -> Value:
    if name in FLAGS:
        return _flag(name, value)
    if name in WORDS:
        word = str(value).strip().lower()
        if word not in WORDS[name]:
            raise BadInputError(f"'{name}' cannot be '{value}'. It can be: {', '.join(WORDS[name])}.")
        return word
    match = _BOX_CARDS.fullmatch(name)
    if name in NUMBERS or (match and match["box"] in boxes):
        return _number(name, value)
    raise BadInputError(f"There is no circumstance '{name}'. The names are: {', '.join(names(boxes))}.")


def names(boxes: Iterable[str]) -> tuple[str, ...]:
    """Every name a circumstance may have at a game with these boxes."""
    return (*FLAGS, *NUMBERS, *WORDS, *(f"{box}_cards" for box in boxes))


def is_yes(value: object) -> bool:
    """Whether this is one of the words for yes."""
    return str(value).strip().lower() in _YES


def _flag(name: str, value: object) -> bool:
    word = str(value).strip().lower()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise BadInputError(f"'{name}' cannot be '{value}'. Say yes or no (true, false, 1 and 0 are understood too).")


def _number(name: str, value: object) -> int:
    word = str(value).strip()
    if isinstance(value, bool) or not re.fullmatch(r"[0-9]{1,4}", word):
        raise BadInputError(f"'{name}' cannot be '{value}'. Give a whole number, 0 or more.")
    return int(word)
