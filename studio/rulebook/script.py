"""The words a rulebook is written in: the steps a script yields, and what a game is.

A script is a generator. It yields the step the dealer owes next and is sent what happened: for `Deal` the
card (an opaque handle when it lies face down), for `Turn` the choice, for `Reveal` and `Lay` the faces, for `OpenBets`
and `Decide` the boxes that were taken in the window, where a deal depends on them; every other step is sent None.
`Settle` is no step of the dealer: it says which bets are paid before the round is over.
What it returns is the outcome, from which alone the pay table works.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from studio.cards import Card
from studio.ports import CardFace
from studio.rulebook.hand_look import HandLook
from studio.rulebook.placing import Placing


@dataclass(frozen=True, slots=True)
class Burn:
    """`count` cards from the shoe, face down, into the burn zone."""

    count: int


WINDOW_S: Final = 15
"""How long bets are taken, in seconds. A table may take them for less, and not for more."""


@dataclass(frozen=True, slots=True)
class OpenBets:
    """The betting window. `bets` are the keys that may be staked; the table's configuration may shorten `window_s`."""

    bets: tuple[str, ...]
    window_s: int = WINDOW_S


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

    @property
    def default(self) -> str:
        """What a bettor who decides nothing in time has decided: he checks where he may, else he declines or folds."""
        return next(option for option in ("check", "decline", "fold") if option in self.options)


@dataclass(frozen=True, slots=True)
class Turn:
    """One box's choice, which changes the deal; the script is sent the choice.

    `default` is what the box does when nobody chooses in time. At the poker room's tables: `owed_minor` is what a call
    costs; `to_minor`, from and to what a seat may bet or raise, and then the script is sent `(option, to)`;
    `front_minor`, what it has in front of it already; `placing`, how a street may be set, and then the script is sent
    `(option, rows)`. `away` is what the box does instead of `default` where nobody has looked at any card of it.
    """

    box: str
    options: tuple[str, ...]
    window_s: int = 15
    default: str = ""
    to_minor: tuple[int, int] | None = None
    owed_minor: int = 0
    front_minor: int = 0
    placing: Placing | None = None
    away: str = ""

    def cost_minor(self, choice: str | tuple[str, int]) -> int:
        """What a choice at a poker table puts into the pot beside what the seat has in front of it."""
        match choice:
            case "call":
                return self.owed_minor
            case (_, to_minor):
                return to_minor - self.front_minor
        return 0


@dataclass(frozen=True, slots=True)
class Reveal:
    """The down cards of `box` are turned; the script is sent the faces of all that lie there, turned before or now."""

    box: str


Laying = tuple[int, str, int]
"""The place of a card in its box, then the zone and the place it is laid to."""


@dataclass(frozen=True, slots=True)
class Lay:
    """Down cards of `box` are laid face up `to` other zones, those in the places `away` given up as they lie.

    The script is sent the faces, in the order of `to`. The box is bare then, and dealt to from its first place again.
    """

    box: str
    to: tuple[Laying, ...]
    away: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The cards are shuffled before the next step."""


Step = Burn | OpenBets | Deal | Decide | Turn | Reveal | Lay | Shuffle


@dataclass(frozen=True, slots=True)
class Settle:
    """These bets are decided here, while the round goes on: what a stake of 1 on each comes back as.

    Nobody does anything for it: the script is sent None at once, and the table pays. `returns` is asked for when
    every card that it looks at has been dealt: one that was missed may come later.
    """

    returns: Callable[[], Mapping[str, Fraction]]


Script = Generator[Step | Settle, Any, Any]


@dataclass(frozen=True, slots=True)
class Watched:
    """A hand of the poker room to be played once: `look` says how it stands as far as `script` has been taken."""

    script: Script
    look: Callable[[], HandLook]


Rules = Mapping[str, Any]
"""The house rule options of a table, as configured; a game documents its own."""

Hands = Mapping[str, tuple[Card, ...]]
"""Box to its cards, in the order dealt."""
