"""What a hand of the poker room is played under, and what came out of it. No betting engine here.

All amounts are minor units. Seats are named; `seats` go from the left of the button on, the button last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from studio.cards import Card
from studio.rulebook.seating import HEADS_UP
from studio.written_number import read_fraction

BOARD: Final = "board"
HAND: Final = "hand"
"""The rule under which a started round keeps the terms of its hand."""

TURN_S: Final = 20
"""So long a seat may think before its time bank runs."""


@dataclass(frozen=True, slots=True)
class Rake:
    """`percent` of each pot for the house, a bet that nobody called left out; `cap_minor` for the whole hand."""

    percent: Fraction = Fraction(0)
    cap_minor: int = 0

    def of(self, amount_minor: int) -> int:
        return int(amount_minor * self.percent / 100)


NO_RAKE: Final = Rake()


@dataclass(frozen=True, slots=True)
class HandTerms:
    """What one hand is played under.

    `stacks`, `antes` and `blinds` are in the order of the `seats`, but heads-up the blinds still read small, big: the
    button posts the small one. A blind below zero is posted by a seat that does not wait for its turn to post.
    `tabled`: when nobody can bet any more, every hand still in is turned at once, and a hand is mucked only where
    another one claims its pots. Without it, as in hands that were played elsewhere, hands are turned at the end,
    anybody may muck before the last one, and fold where he could check. There is no rake of a hand without a flop.
    `full_blind`: a blind counts whole though its seat had less.
    """

    seats: tuple[str, ...]
    stacks: tuple[int, ...]
    antes: tuple[int, ...]
    blinds: tuple[int, ...]
    least_bet: int
    tabled: bool = True
    ante_trimmed: bool = True
    full_blind: bool = True
    turn_s: int = TURN_S
    rake: Rake = NO_RAKE

    @property
    def is_blind_short(self) -> bool:
        """Whether no seat could post the largest blind whole."""
        blinds = tuple(abs(blind) for blind in (self.blinds[::-1] if len(self.seats) == HEADS_UP else self.blinds))
        due = zip(self.stacks, self.antes, blinds, strict=True)
        return all(stack < ante + blind for stack, ante, blind in due if blind == max(blinds))


@dataclass(frozen=True, slots=True)
class PotWon:
    """One pot, or the part of it that one board decides, less its rake: what each winner took of it."""

    amount_minor: int
    winners: tuple[tuple[str, int], ...]
    rake_minor: int = 0


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """A hand that is over. `shown`: the hole cards of the seats that showed them, and of nobody else.

    `paid` is what each seat put in, `takes` what it has back of it all: pots won, and a bet that nobody called.
    """

    seats: tuple[str, ...]
    stacks: tuple[int, ...]
    payoffs: tuple[int, ...]
    board: tuple[Card, ...]
    shown: tuple[tuple[str, tuple[Card, ...]], ...]
    pots: tuple[PotWon, ...]
    actions: int
    paid: Mapping[str, int] = field(default_factory=dict)
    takes: Mapping[str, int] = field(default_factory=dict)

    @property
    def rake_minor(self) -> int:
        return sum(pot.rake_minor for pot in self.pots)


def is_unseen(outcome: object) -> bool:
    """Whether everybody else has folded: no card of the hand decides anything, and no eye is waited for.

    >>> is_unseen(None)
    False
    """
    return isinstance(outcome, HandOutcome) and not outcome.shown


def written_terms(terms: HandTerms) -> dict[str, Any]:
    """The terms in plain values, as a started round keeps them. The rake is the table's own rule."""
    return {
        "seats": list(terms.seats),
        "stacks": list(terms.stacks),
        "antes": list(terms.antes),
        "blinds": list(terms.blinds),
        "least_bet": terms.least_bet,
    }


def read_terms(rules: Mapping[str, Any]) -> HandTerms:
    """The terms of a started round, out of its rules."""
    hand = rules[HAND]
    return HandTerms(
        tuple(hand["seats"]), tuple(hand["stacks"]), tuple(hand["antes"]), tuple(hand["blinds"]), hand["least_bet"],
        turn_s=rules["turn_s"], rake=Rake(read_fraction(rules["rake_percent"]), rules["rake_cap"]),
    )  # fmt: skip
