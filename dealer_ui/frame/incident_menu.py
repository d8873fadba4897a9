"""The dealer's incident menu: which kinds, in which order, and the question some need, by game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dealer_ui.felt.spread import GAMES
from studio.games import find_game
from studio.games.blackjack_hand import BOX_KEYS
from studio.procedures.incident import KIND_BY_KEY, Reporter
from studio.tables.street import is_betting_hand

Told = tuple[tuple[str, str], ...]
"""What an answer says: form fields with their values, circumstances as `with.<name>`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`words` is its key in the catalogue; `box` fills it in, where the answer is one."""

    words: str
    told: Told = ()
    box: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing the dealer may report. `variant` tells apart two of one kind; with `answers` a question is asked."""

    kind: str
    answers: tuple[Answer, ...] = ()
    variant: str = ""

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.variant}" if self.variant else self.kind

    def words(self, family: str) -> str:
        """Its key in a family of the catalogue: `incident`, `incident_help` or `ask`."""
        return f"{family}.{self.kind}.{self.variant}" if self.variant else f"{family}.{self.kind}"


def _asks(kind: str, name: str, *values: str) -> Choice:
    return Choice(kind, tuple(Answer(f"answer.{kind}.{value}", ((f"with.{name}", value),)) for value in values))


def _which_box(variant: str, cards: int) -> Choice:
    told = ((Answer("answer.box", ((f"with.{box}_cards", str(cards)),), f"box.{box}")) for box in BOX_KEYS)
    return Choice("wrong_count", tuple(told), variant)


_ONE_BOXED: Final = (
    Answer("answer.boxed_card.drawn", (("with.count", "1"), ("with.drawn", "true"))),
    Answer("answer.boxed_card.shoe", (("with.count", "1"), ("with.drawn", "false"))),
)
_BOXED: Final = Choice("boxed_card", (*_ONE_BOXED, Answer("answer.boxed_card.2", (("with.count", "2"),))))

_CHOICES: Final = (
    _asks("dropped_card", "identified", "true", "false"),
    Choice("exposed_card"),
    _asks("extra_card", "revealed", "true", "false"),
    _asks("early_card", "revealed", "true", "false"),
    _asks("misplaced_card", "next_dealt", "false", "true"),
    _asks("wrong_order", "pattern", "reversed", "other"),
    _asks("wrong_count", "revealed", "true", "false"),
    Choice("burn_error"),
    _BOXED,
    Choice("unread_card"),
    Choice("cleared_early"),
    Choice("fouled_deck"),
    Choice("shoe_empty"),
    _asks("shuffler_jam", "harmed", "false", "true"),
    Choice("cut_card"),
)

MENU: Final = tuple(choice for choice in _CHOICES if Reporter.DEALER in KIND_BY_KEY[choice.kind].reporters)
"""What the dealer may report, the commonest first."""

_EXTRA_OF_BOXES: Final = Choice(
    "extra_card",
    (
        Answer("answer.extra_card.unseen", (("with.revealed", "false"),)),
        Answer("answer.extra_card.seen", (("with.revealed", "true"),)),
        Answer("answer.extra_card.refused", (("with.refused", "true"), ("with.revealed", "true"))),
        Answer("answer.extra_card.dealer_17", (("with.dealer_total", "17"),)),
    ),
    "boxes",
)  # [BJ2] [BJ3] [BJ4] [BJ5]

_TOO_MANY: Final = Choice("wrong_count", _asks("wrong_count", "revealed", "true", "false").answers, "many")

_OF_BOXES: Final[Mapping[str, tuple[Choice, ...]]] = {
    "extra_card": (_EXTRA_OF_BOXES,),
    "wrong_order": (Choice("wrong_order", variant="dealer"),),  # [BJ6]
    "wrong_count": (_which_box("none", 0), _which_box("one", 1), _TOO_MANY),  # [BJ7] [BJ8] [HG7] [HG8]
    "boxed_card": (Choice("boxed_card", _ONE_BOXED),),  # [BJ1]
}


_NOT_AT_SEATS: Final = frozenset({"cut_card"})
"""A deck of one hand has no cut card."""


_TOLD_BY_HAND: Final = frozenset({"extra_card", "early_card", "misplaced_card"})
"""Of these the betting hand itself tells what its rows turn on; nobody is asked."""


def menu_of(game: str) -> tuple[Choice, ...]:
    """What a dealer of this game may report: no burns where none are burned, boxes by name where hands lie in them."""
    found = [choice for choice in MENU if choice.kind != "burn_error" or find_game(game).felt.burns]
    if game in GAMES:
        return tuple(one for choice in found for one in _OF_BOXES.get(choice.kind, (choice,)))
    if game != "three_knights":
        found = [Choice("wrong_order") if choice.kind == "wrong_order" else choice for choice in found]
    if find_game(game).peers is not None:
        told = is_betting_hand(find_game(game))
        found = [Choice(choice.kind) if told and choice.kind in _TOLD_BY_HAND else choice for choice in found]
        return (*(choice for choice in found if choice.kind not in _NOT_AT_SEATS), Choice("misdeal_claimed"))
    return tuple(found)
