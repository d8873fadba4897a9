"""How a hand of the poker room stands while it is played: chips in front, stacks, pots. No cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studio.rulebook.hand_terms import HandTerms

if TYPE_CHECKING:
    from pokerkit import State


@dataclass(frozen=True, slots=True)
class PotLook:
    """What lies in one pot, the main pot first, and the seats that can still win it."""

    amount_minor: int
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandLook:
    """By seat: `front_minor` is bet on this street and in no pot yet, `behind_minor` is left to bet with."""

    front_minor: Mapping[str, int]
    behind_minor: Mapping[str, int]
    all_in: frozenset[str]
    pots: tuple[PotLook, ...]

    @property
    def in_play_minor(self) -> int:
        return sum(self.front_minor.values()) + sum(pot.amount_minor for pot in self.pots)


def look_at(state: State, terms: HandTerms) -> HandLook:
    """How PokerKit's hand stands, as long as it is not over."""
    seats = terms.seats
    front = {seat: int(bet) for seat, bet in zip(seats, state.bets, strict=True)}
    behind = {seat: int(stack) for seat, stack in zip(seats, state.stacks, strict=True)}
    live = (seat for seat, status in zip(seats, state.statuses, strict=True) if status)
    return HandLook(
        front_minor=front,
        behind_minor=behind,
        all_in=frozenset(seat for seat in live if not behind[seat]),
        pots=tuple(PotLook(int(pot.amount), tuple(seats[at] for at in pot.player_indices)) for pot in state.pots),
    )
