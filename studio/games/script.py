"""The words a rulebook is written in: the steps a script yields, and what a game is.

A script is a generator. It yields the step the dealer owes next and is sent what happened: for `Deal` the
card (an opaque handle when it lies face down), for `Turn` the choice, for `Reveal` and `Lay` the faces, for `OpenBets`
and `Decide` the boxes that were taken in the window, where a deal depends on them; every other step is sent None.
`Settle` is no step of the dealer: it says which bets are paid before the round is over.
What it returns is the outcome, from which alone the pay table works.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from studio.cards import Card
from studio.games.hand_look import HandLook
from studio.games.placing import Placing
from studio.games.seating import NextHand, Sitting
from studio.ports import CardFace


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
    """The down cards of `box` are turned; the script is sent their faces."""

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


@dataclass(frozen=True, slots=True)
class PeerRules:
    """What a game is that seats play among themselves, each with chips of its own; a hand is a round.

    `next_hand` gives, from the seats that want cards and the last button, who is dealt in; `terms` what a started round
    keeps of that beside the house rules, under `hand`; `posted`, from such rules, what each seat puts in before the
    first card. What a seat put in is bet on the key of its own name. `fantasy` says, from the outcome of a hand, which
    seats are dealt how many cards at once in the next. `looks`: a seat is shown its cards when it asks to, on record.
    `watched` plays a hand of such rules once more and says where its chips are; None in a game that has no pots.
    """

    seats: tuple[str, ...]
    least_seats: int
    next_hand: Callable[[Rules, Sequence[Sitting], str], NextHand]
    terms: Callable[[Rules, NextHand], dict[str, Any]]
    posted: Callable[[Rules], Mapping[str, int]]
    fantasy: Callable[[Any], Mapping[str, int]] = lambda outcome: {}
    looks: bool = False
    watched: Callable[[Rules], Watched] | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """One rulebook with its version: what the table, the console and the settlement need to know of it.

    `boxes` maps each box to the places it has on the felt, in the order they are shown. `outcome` reads a
    finished deal, for `settle` and for the proofs. `returns` gives, for every bet key, the exact return of a
    stake of 1 (stake included) from that outcome and the bettor's own conduct (`""` where a game has no
    decisions). `describe` says an outcome in plain JSON values. Of each set in `exclusive` one bettor may bet on
    one key only; a bet in `needs` stands only beside the bet named there, and one in `automatic` is placed by the
    house beside the bet named there, with the same stake. `raise_of` gives, for an option of a `Decide` step and the
    stakes a bettor has out (bet key to minor units), the bet and stake the option adds, None where it adds nothing;
    `raised` names, for each bet that a decision stakes, the options that do.
    `pots` gives what an outcome pays out of a pot, in minor units by bet key, to be shared by all bettors on that key;
    `pot_bet` is the bet whose stakes feed a table's pot. `prize_in` names the prize of that bet which the open cards
    show already, with what a stake of 1 comes back as: 0 where it is the pot itself.
    `rakeback` is the part of a bettor's total bet that is reported as the fee of a round.
    `read_deal` reads what `outcome` takes from plain values, in a game whose deal is more than the cards of each box.
    `put_out` says, from the outcome, how many times its first stake lies on a bet in the end, where decisions of a
    box add to it; its return is then that of each unit put out. `boxes_of` gives the boxes some bets lie on, in a
    game whose deal depends on them, and of these one bettor may have `boxes_a_bettor` at most. In such a game the
    bettor of a box decides for it: `options_of` gives what a box with these cards may choose at a `Decide` step, and
    `raise_of` is asked with the stakes the box had when bets closed. `paid_though_void` says, by what a row of
    the procedures wants done after a void and from the open cards of each box, which bets are paid all the same.
    `deck_cards` is how many cards one deck has. `peers`: the seats play among themselves, and not with the house.
    `parts_since` is the first version whose `Settle` is obeyed: a round that began under an earlier one is paid at its
    end. `figures_since` is the first version that deals and pays as this one does, so that its figures are the same.
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
    outcome: Callable[[Rules, Any], Any]
    returns: Callable[[Rules, Any, str], Mapping[str, Fraction]]
    describe: Callable[[Any], dict[str, Any]]
    check_rules: Callable[[Rules], Rules]
    published_percent: Mapping[str, float] = field(default_factory=dict)
    exclusive: tuple[frozenset[str], ...] = ()
    needs: Mapping[str, str] = field(default_factory=dict)
    automatic: Mapping[str, str] = field(default_factory=dict)
    raise_of: Callable[[str, Mapping[str, int]], tuple[str, int] | None] | None = None
    raised: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pots: Callable[[Rules, Any], Mapping[str, int]] | None = None
    pot_bet: str = ""
    prize_in: Callable[[Rules, Hands], tuple[str, Fraction] | None] | None = None
    rakeback: Fraction = Fraction(0)
    read_deal: Callable[[Mapping[str, Any]], Any] | None = None
    put_out: Callable[[Any, str], int] | None = None
    boxes_of: Callable[[Collection[str]], tuple[str, ...]] | None = None
    boxes_a_bettor: int | None = None
    options_of: Callable[[Decide, Sequence[Card]], tuple[str, ...]] | None = None
    paid_though_void: Mapping[str, Callable[[Rules, Hands], Mapping[str, Fraction]]] = field(default_factory=dict)
    deck_cards: int = 52
    parts_since: int = 1
    figures_since: int = 0
    peers: PeerRules | None = None

    @property
    def cards(self) -> int:
        """How many cards a full shoe has."""
        return self.decks * self.deck_cards

    def has_figures_of(self, version: int) -> bool:
        """Whether what is proved of this version holds for a round of that one."""
        return (self.figures_since or self.version) <= version <= self.version

    @property
    def waits_for_all(self) -> bool:
        """Whether bettors say that they bet no more, and the window for bets is over when all have: the few who sit at
        the boxes."""
        return self.boxes_of is not None

    @property
    def blinds_wait(self) -> bool:
        """Whether a seat that missed a hand waits for the big blind; where everyone antes nobody waits."""
        return "big_blind" in self.default_rules

    @property
    def zones(self) -> dict[str, int]:
        """Every zone of the felt that holds cards during a round, with its places."""
        return {**self.boxes, "burn": self.burns} if self.burns else dict(self.boxes)

    def clashing(self, bets: Collection[str]) -> frozenset[str]:
        """Those of a bettor's bets that may not stand beside each other; empty where all of them may."""
        together = (rule.intersection(bets) for rule in self.exclusive)
        return next((clash for clash in together if len(clash) > 1), frozenset())

    def beside(self, bet: str) -> tuple[str, ...]:
        """The bets that the house places by itself beside this one."""
        return tuple(placed for placed, leader in self.automatic.items() if leader == bet)

    def asks(self, step: Decide, bets: Mapping[str, int]) -> bool:
        """Whether a bettor who did not fold, with those stakes out, has this decision still to make."""
        raises = [self.raise_of(option, bets) for option in step.options] if self.raise_of else []
        return any(raised is not None and raised[0] not in bets for raised in raises)

    def default_option(self, step: Decide) -> str:
        """What a bettor who decides nothing in time has decided: he checks where he may, else he declines or folds."""
        return next(option for option in ("check", "decline", "fold") if option in step.options)
