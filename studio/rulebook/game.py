"""What the house knows of a game beside the script of its deal: a rulebook, part by part."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from studio.cards import Card
from studio.rulebook.script import Decide, Hands, Rules, Script, Watched
from studio.rulebook.seating import NextHand, Sitting


@dataclass(frozen=True, slots=True)
class Edition:
    """The version of a rulebook, and since which one some of it holds.

    `parts_since` is the first whose `Settle` is obeyed: a round that began under an earlier one is paid at its end.
    `figures_since` is the first that deals and pays as this one does, so that its figures are the same.
    """

    version: int
    parts_since: int = 1
    figures_since: int = 0

    def has_figures_of(self, version: int) -> bool:
        """Whether what is proved of this version holds for a round of that one."""
        return (self.figures_since or self.version) <= version <= self.version


@dataclass(frozen=True, slots=True)
class FeltPlan:
    """The places cards have on the felt: of each box, in the order they are shown, and of the burn zone.

    `opening`: the zones that only the first round from a new shoe needs; no screen shows them while nothing lies there.
    """

    boxes: Mapping[str, int]
    burns: int = 0
    opening: frozenset[str] = frozenset()

    @property
    def zones(self) -> dict[str, int]:
        """Every zone that holds cards during a round, with its places."""
        return {**self.boxes, "burn": self.burns} if self.burns else dict(self.boxes)


@dataclass(frozen=True, slots=True)
class FullShoe:
    """What a shoe holds when it is full, and how long that lasts: rounds, where the rules count them, and cards.

    `opened`: the first round from a new shoe begins otherwise than the others, and its script is told so.
    `rounds_after_cut`: so many are dealt when the round of the cut card is finished. `chosen`: how the house fills it,
    where that is among its options.
    """

    decks: int
    cards_per_round: int
    rounds_per_shuffle: int | None
    deck_cards: int = 52
    opened: bool = False
    rounds_after_cut: int = 0
    chosen: Callable[[FullShoe, Rules], FullShoe] | None = None

    @property
    def cards(self) -> int:
        return self.decks * self.deck_cards

    def under(self, rules: Rules) -> FullShoe:
        """The shoe as it is filled under these rules, of a table or of a round."""
        return self.chosen(self, rules) if self.chosen else self


@dataclass(frozen=True, slots=True)
class HouseOptions:
    """What a house may choose; `check` fills in what it did not, and raises `BadInputError` for what it may not.

    `dealt` names those that say how it is dealt and change nothing that a bet gives back: one certificate serves them.
    """

    defaults: Rules
    check: Callable[[Rules], Rules]
    dealt: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class DealRules:
    """How a round is dealt and what its end is.

    `outcome` reads a finished deal, for `settle` and for the proofs; `read` reads what `outcome` takes from plain
    values, in a game whose deal is more than the cards of each box. `describe` says an outcome in plain JSON values.
    `points`: what the cards of a hand count together, in a game that tells hands by it while they are dealt. `ties`:
    whether a round may end with no side better than the other.
    """

    script: Callable[[Rules], Script]
    outcome: Callable[[Rules, Any], Any]
    describe: Callable[[Any], dict[str, Any]]
    read: Callable[[Mapping[str, Any]], Any] | None = None
    points: Callable[[Sequence[Card]], int] | None = None
    ties: bool = True


@dataclass(frozen=True, slots=True)
class BettingRules:
    """The keys that can be bet on, and which may stand together.

    A bet in `needs` stands only beside the bet named there, and one in `automatic` is placed by the house beside the
    bet named there, with the same stake. Of each set in `exclusive` one bettor may bet on one key only.
    """

    bets: tuple[str, ...]
    needs: Mapping[str, str] = field(default_factory=dict)
    automatic: Mapping[str, str] = field(default_factory=dict)
    exclusive: tuple[frozenset[str], ...] = ()

    def clashing(self, bets: Collection[str]) -> frozenset[str]:
        """Those of a bettor's bets that may not stand beside each other; empty where all of them may."""
        together = (rule.intersection(bets) for rule in self.exclusive)
        return next((clash for clash in together if len(clash) > 1), frozenset())

    def beside(self, bet: str) -> tuple[str, ...]:
        """The bets that the house places by itself beside this one."""
        return tuple(placed for placed, leader in self.automatic.items() if leader == bet) if self.automatic else ()


@dataclass(frozen=True, slots=True)
class DecisionRules:
    """What bettors put out by deciding.

    `raise_of` gives, for an option of a `Decide` step and the stakes a bettor has out (bet key to minor units), the bet
    and stake the option adds, None where it adds nothing; `raised` names, for each bet that a decision stakes, the
    options that do.
    """

    raise_of: Callable[[str, Mapping[str, int]], tuple[str, int] | None] = lambda option, stakes: None
    raised: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def asks(self, step: Decide, bets: Mapping[str, int]) -> bool:
        """Whether a bettor who did not fold, with those stakes out, has this decision still to make."""
        raises = (self.raise_of(option, bets) for option in step.options)
        return any(raised is not None and raised[0] not in bets for raised in raises)


@dataclass(frozen=True, slots=True)
class BoxRules:
    """A game whose deal depends on the boxes that were bet on; the bettor of a box decides for it.

    `boxes_of` gives the boxes some bets lie on, `options_of` what a box with these cards may choose at a `Decide` step.
    `DecisionRules.raise_of` is asked with the stakes the box had when bets closed. The few who sit at such boxes say
    that they bet no more, and the window is over when all have.
    """

    boxes_of: Callable[[Collection[str]], tuple[str, ...]]
    options_of: Callable[[Decide, Sequence[Card]], tuple[str, ...]]
    boxes_a_bettor: int


@dataclass(frozen=True, slots=True)
class PaymentRules:
    """What bets come back as.

    `returns` gives, for every bet key, the exact return of a stake of 1 (stake included) from an outcome and the
    bettor's own conduct (`""` where a game has no decisions). `put_out` says, from the outcome, how many times its
    first stake lies on a bet in the end, where decisions of a box add to it; its return is then that of each unit put
    out. `paid_though_void` says, by what a row of the procedures wants done after a void and from the open cards of
    each box, which bets are paid all the same. `rakeback` is the part of a bettor's total bet that is reported as the
    fee of a round; `published_percent` what is said elsewhere of a bet's return, to hold ours against.
    """

    returns: Callable[[Rules, Any, str], Mapping[str, Fraction]]
    put_out: Callable[[Any, str], int] | None = None
    paid_though_void: Mapping[str, Callable[[Rules, Hands], Mapping[str, Fraction]]] = field(default_factory=dict)
    rakeback: Fraction = Fraction(0)
    published_percent: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PotRules:
    """The bet whose stakes feed a table's pot; empty in a game without one.

    `pots` gives what an outcome pays out of it, in minor units by bet key, to be shared by all bettors on that key.
    `prize_in` names the prize of the bet which the open cards show already, with what a stake of 1 comes back as: 0
    where it is the pot itself.
    """

    bet: str = ""
    pots: Callable[[Rules, Any], Mapping[str, int]] = lambda rules, outcome: {}
    prize_in: Callable[[Rules, Hands], tuple[str, Fraction] | None] = lambda rules, hands: None


@dataclass(frozen=True, slots=True)
class PeerRules:
    """What a game is that seats play among themselves, each with chips of its own; a hand is a round.

    `next_hand` gives, from the seats that want cards and the last button, who is dealt in; `terms` what a started round
    keeps of that beside the house rules, under `hand`; `posted`, from such rules, what each seat puts in before the
    first card. What a seat put in is bet on the key of its own name. `fantasy` says, from the outcome of a hand, which
    seats are dealt how many cards at once in the next. `looks`: a seat is shown its cards when it asks to, on record.
    `watched` plays a hand of such rules once more and says where its chips are; None in a game that has no pots.
    `blinds_wait`: a seat that missed a hand waits for the big blind; where everyone antes nobody waits.
    """

    seats: tuple[str, ...]
    least_seats: int
    next_hand: Callable[[Rules, Sequence[Sitting], str], NextHand]
    terms: Callable[[Rules, NextHand], dict[str, Any]]
    posted: Callable[[Rules], Mapping[str, int]]
    fantasy: Callable[[Any], Mapping[str, int]] = lambda outcome: {}
    looks: bool = False
    watched: Callable[[Rules], Watched] | None = None
    blinds_wait: bool = False


@dataclass(frozen=True, slots=True)
class RoadRules:
    """A game that two sides play out and that may tie: its rounds are drawn as roads, a shoe at a time.

    `sides` are the boxes that the outcome's `winner` may name, the one drawn in red first; any other winner is a tie.
    `pairs`: whether a side's hand may begin with a pair.
    """

    sides: tuple[str, str]
    pairs: bool = True


NO_DECISIONS: Final = DecisionRules()
NO_POT: Final = PotRules()


@dataclass(frozen=True, slots=True)
class Game:
    """One rulebook: what the table, the console and the settlement need to know of it.

    `owned` is None where the deal is the same whoever bets on what, `peers` where bettors play with the house, `roads`
    where no two sides play a round out between them.
    """

    key: str
    title: str
    edition: Edition
    felt: FeltPlan
    shoe: FullShoe
    options: HouseOptions
    deal: DealRules
    betting: BettingRules
    payment: PaymentRules
    decisions: DecisionRules = NO_DECISIONS
    pot: PotRules = NO_POT
    owned: BoxRules | None = None
    peers: PeerRules | None = None
    roads: RoadRules | None = None
