"""What hold'em games against the house share: the boxes, the deal, and who has the better hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

from studio.cards import Card
from studio.errors import BadInputError
from studio.hands.evaluator import evaluator_of
from studio.hands.poker import STANDARD, Category
from studio.ports import CardFace
from studio.rulebook.script import Deal, Hands, Script

PLAYER: Final = "player"
DEALER: Final = "dealer"
BOARD: Final = "board"
BOXES: Final[Mapping[str, int]] = MappingProxyType({PLAYER: 2, DEALER: 2, BOARD: 5})
CARDS: Final = sum(BOXES.values())
FLOP: Final = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished deal, and what the best five of seven of the player and of the dealer are worth."""

    hands: Hands
    player: int
    dealer: int

    @classmethod
    def of(cls, hands: Hands) -> Outcome:
        best = evaluator_of(STANDARD)
        return cls(
            hands=hands,
            player=best.of_cards([*hands[PLAYER], *hands[BOARD]]),
            dealer=best.of_cards([*hands[DEALER], *hands[BOARD]]),
        )

    @property
    def result(self) -> Literal["win", "lose", "tie"]:
        return "tie" if self.player == self.dealer else "win" if self.player > self.dealer else "lose"

    @property
    def category(self) -> Category:
        """What kind of hand the player has."""
        return STANDARD.category(self.player)


def deal_holes() -> Script:
    """Two cards each, in turn: the player's face up, the dealer's face down; gives the player's."""
    player: list[Card] = []
    for _ in range(BOXES[PLAYER]):
        player.append((yield Deal(PLAYER)))
        yield Deal(DEALER, CardFace.DOWN)
    return player


def deal_board(cards: int) -> Script:
    """The next cards of the board, face up; gives them."""
    board: list[Card] = []
    for _ in range(cards):
        board.append((yield Deal(BOARD)))
    return board


def read_deal(title: str, hands: Hands) -> Hands:
    """A deal given whole; `BadInputError` when a box is missing, unknown, or has too few cards or too many."""
    if unknown := set(hands) - set(BOXES):
        raise BadInputError(f"{title} has no box '{min(unknown)}': give the cards of {', '.join(BOXES)}.")
    for box, places in BOXES.items():
        if len(hands.get(box, ())) != places:
            raise BadInputError(f"The box {box} has {len(hands.get(box, ()))} cards: give it {places}.")
    return {box: tuple(hands[box]) for box in BOXES}


def describe(outcome: Outcome) -> dict[str, Any]:
    """Both hands and the board in plain values; the player's also says how it stands against the dealer's."""
    cards = {box: [str(card) for card in outcome.hands[box]] for box in BOXES}
    said: dict[str, Any] = {
        box: {
            "cards": cards[box],
            "class": STANDARD.category(value).value,
            "name": STANDARD.describe(value),
        }
        for box, value in ((PLAYER, outcome.player), (DEALER, outcome.dealer))
    }
    said[PLAYER]["result"] = outcome.result
    return {**said, BOARD: {"cards": cards[BOARD]}}
