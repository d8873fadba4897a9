"""The only place for the words a rulebook is written in: the steps a script yields, and what a game is.

A script is a generator. It yields the step the dealer owes next and is sent what happened: for `Deal` the
card (an opaque handle when it lies face down), for `Turn` the choice, for `Reveal` the faces; every other
step is sent None. What it returns is the outcome, from which alone the pay table works.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from studio.cards import Card
from studio.ports import CardFace


@dataclass(frozen=True, slots=True)
class Burn:
    """`count` cards from the shoe, face down, into the burn zone."""

    count: int


@dataclass(frozen=True, slots=True)
class OpenBets:
    """The betting window. `bets` are the keys that may be staked; the table's configuration may shorten `window_s`."""

    bets: tuple[str, ...]
    window_s: int = 15


@dataclass(frozen=True, slots=True)
class Deal:
    """The next card goes to `box`."""

    box: str
    face: CardFace = CardFace.UP


@dataclass(frozen=True, slots=True)
class Decide:
    """Every bettor decides for himself; the deal goes on alike whatever they choose."""

    window_s: int
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """One box's choice, which changes the deal; the script is sent the choice."""

    box: str
    options: tuple[str, ...]
    window_s: int = 15


@dataclass(frozen=True, slots=True)
class Reveal:
    """The down cards of `box` are turned; the script is sent their faces."""

    box: str


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The cards are shuffled before the next step."""


Step = Burn | OpenBets | Deal | Decide | Turn | Reveal | Shuffle

Script = Generator[Step, Any, Any]

Rules = Mapping[str, Any]
"""The house rule options of a table, as configured; a game documents its own."""

Hands = Mapping[str, tuple[Card, ...]]
"""Box to its cards, in the order dealt."""


@dataclass(frozen=True, slots=True)
class Game:
    """One rulebook with its version: what the table, the console and the settlement need to know of it.

    `boxes` maps each box to the places it has on the felt, in the order they are shown. `outcome` reads a
    finished deal, for `settle` and for the proofs. `returns` gives, for every bet key, the exact return of a
    stake of 1 (stake included) from that outcome and the bettor's own conduct (`""` where a game has no
    decisions). `describe` says an outcome in plain JSON values.
    """

    key: str
    title: str
    version: int
    boxes: Mapping[str, int]
    burns: int
    bets: tuple[str, ...]
    cards_per_round: int
    decks: int
    rounds_per_shuffle: int | None
    default_rules: Rules
    script: Callable[[Rules], Script]
    outcome: Callable[[Rules, Hands], Any]
    returns: Callable[[Rules, Any, str], Mapping[str, Fraction]]
    describe: Callable[[Any], dict[str, Any]]
    check_rules: Callable[[Rules], Rules]
    published_percent: Mapping[str, float] = field(default_factory=dict)

    @property
    def zones(self) -> dict[str, int]:
        """Every zone of the felt that holds cards during a round, with its places."""
        return {**self.boxes, "burn": self.burns} if self.burns else dict(self.boxes)
