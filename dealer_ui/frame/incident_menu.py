"""The dealer's incident menu: which kinds, in which order, and the question some need, by game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dealer_ui.felt.spread import GAMES
from studio.games import find_game
from studio.games.blackjack_hand import BOX_KEYS
from studio.procedures import procedures_of
from studio.procedures.incident import KIND_BY_KEY, Reporter
from studio.tables.street import is_betting_hand

Told = tuple[tuple[str, str], ...]
"""What an answer says: form fields with their values, circumstances as `with.<name>`."""


@dataclass(frozen=True, slots=True)
class MenuAnswer:
    """`words` is its key in the catalogue; `box` fills it in, where the answer is one."""

    words: str
    told: Told = ()
    box: str = ""


@dataclass(frozen=True, slots=True)
class MenuChoice:
    """One thing the dealer may report. `variant` tells apart two of one kind; with `answers` a question is asked."""

    kind: str
    answers: tuple[MenuAnswer, ...] = ()
    variant: str = ""

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.variant}" if self.variant else self.kind

    def words(self, family: str) -> str:
        """Its key in a family of the catalogue: `incident`, `incident_help` or `ask`."""
        return f"{family}.{self.kind}.{self.variant}" if self.variant else f"{family}.{self.kind}"


def _asks(kind: str, name: str, *values: str) -> MenuChoice:
    return MenuChoice(kind, tuple(MenuAnswer(f"answer.{kind}.{value}", ((f"with.{name}", value),)) for value in values))


def _which_box(variant: str, cards: int) -> MenuChoice:
    told = ((MenuAnswer("answer.box", ((f"with.{box}_cards", str(cards)),), f"box.{box}")) for box in BOX_KEYS)
    return MenuChoice("wrong_count", tuple(told), variant)


_ONE_BOXED: Final = (
    MenuAnswer("answer.boxed_card.drawn", (("with.count", "1"), ("with.drawn", "true"))),
    MenuAnswer("answer.boxed_card.shoe", (("with.count", "1"), ("with.drawn", "false"))),
)
_BOXED: Final = MenuChoice("boxed_card", (*_ONE_BOXED, MenuAnswer("answer.boxed_card.2", (("with.count", "2"),))))

_CHOICES: Final = (
    _asks("dropped_card", "identified", "true", "false"),
    MenuChoice("exposed_card"),
    _asks("extra_card", "revealed", "true", "false"),
    _asks("early_card", "revealed", "true", "false"),
    _asks("misplaced_card", "next_dealt", "false", "true"),
    _asks("wrong_order", "pattern", "reversed", "other"),
    _asks("wrong_count", "revealed", "true", "false"),
    MenuChoice("burn_error"),
    _BOXED,
    MenuChoice("unread_card"),
    MenuChoice("cleared_early"),
    MenuChoice("fouled_deck"),
    MenuChoice("shoe_empty"),
    _asks("shuffler_jam", "harmed", "false", "true"),
    MenuChoice("cut_card"),
)

MENU: Final = tuple(choice for choice in _CHOICES if Reporter.DEALER in KIND_BY_KEY[choice.kind].reporters)
"""What the dealer may report, the commonest first."""

_EXTRA_OF_BOXES: Final = MenuChoice(
    "extra_card",
    (
        MenuAnswer("answer.extra_card.unseen", (("with.revealed", "false"),)),
        MenuAnswer("answer.extra_card.seen", (("with.revealed", "true"),)),
        MenuAnswer("answer.extra_card.refused", (("with.refused", "true"), ("with.revealed", "true"))),
        MenuAnswer("answer.extra_card.dealer_17", (("with.dealer_total", "17"),)),
    ),
    "boxes",
)  # [BJ2] [BJ3] [BJ4] [BJ5]

_TOO_MANY: Final = MenuChoice("wrong_count", _asks("wrong_count", "revealed", "true", "false").answers, "many")

_OF_BOXES: Final[Mapping[str, tuple[MenuChoice, ...]]] = {
    "extra_card": (_EXTRA_OF_BOXES,),
    "wrong_order": (MenuChoice("wrong_order", variant="dealer"),),  # [BJ6]
    "wrong_count": (_which_box("none", 0), _which_box("one", 1), _TOO_MANY),  # [BJ7] [BJ8] [HG7] [HG8]
    "boxed_card": (MenuChoice("boxed_card", _ONE_BOXED),),  # [BJ1]
}


_CUT: Final = (
    MenuAnswer("answer.cut_card.due"),
    MenuAnswer("answer.cut_card.other", (("with.pattern", "other"),)),
)
_OF_LONG_SHOES: Final[Mapping[str, tuple[MenuChoice, ...]]] = {
    "boxed_card": (MenuChoice("boxed_card", _ONE_BOXED),),  # [BC1]
    "cut_card": (MenuChoice("cut_card", _CUT, "place"),),  # [EV3] [BC10]
}
"""Where a shoe is dealt through many rounds."""

_OF_THIRD_CARDS: Final = MenuChoice(
    "extra_card",
    (
        MenuAnswer("answer.extra_card.unseen", (("with.revealed", "false"),)),
        MenuAnswer("answer.extra_card.for_player", (("with.revealed", "true"), ("with.drawn_for", "player"))),
        MenuAnswer("answer.extra_card.for_banker", (("with.revealed", "true"), ("with.drawn_for", "banker"))),
    ),
    "third",
)  # [BC2] [BC3] [BC4]

_NOT_AT_SEATS: Final = frozenset({"cut_card"})
"""A deck of one hand has no cut card."""


_TOLD_BY_HAND: Final = frozenset({"extra_card", "early_card", "misplaced_card"})
"""Of these the betting hand itself tells what its rows turn on; nobody is asked."""


def _draws_thirds(game: str) -> bool:
    return any(row.id == "BC3" for row in procedures_of(game).rows)


def menu_of(game: str) -> tuple[MenuChoice, ...]:
    """The incidents that a dealer of this game may report. Burn errors are left out where no cards are burned; where
    hands lie in boxes, the choices name the boxes.
    """
    found = [choice for choice in MENU if choice.kind != "burn_error" or find_game(game).felt.burns]
    if game in GAMES:
        return tuple(one for choice in found for one in _OF_BOXES.get(choice.kind, (choice,)))
    if game != "three_knights":
        found = [MenuChoice("wrong_order") if choice.kind == "wrong_order" else choice for choice in found]
    if find_game(game).shoe.rounds_per_shuffle is None and find_game(game).peers is None:
        of_shoe = {**_OF_LONG_SHOES, **({"extra_card": (_OF_THIRD_CARDS,)} if _draws_thirds(game) else {})}
        found = [one for choice in found for one in of_shoe.get(choice.kind, (choice,))]
        return (*found, MenuChoice("misdeal_claimed"))  # [BC7]
    if find_game(game).peers is not None:
        told = is_betting_hand(find_game(game))
        found = [MenuChoice(choice.kind) if told and choice.kind in _TOLD_BY_HAND else choice for choice in found]
        return (*(choice for choice in found if choice.kind not in _NOT_AT_SEATS), MenuChoice("misdeal_claimed"))
    return tuple(found)
